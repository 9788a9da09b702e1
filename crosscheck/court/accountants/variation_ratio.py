"""The variation-ratio code of Wang and others (2024), called with the parameters of its README's table."""

from __future__ import annotations

from panshuffle.crosscheck.court.accountant import Accountant, Checkout
from panshuffle.crosscheck.court.families import (
    balls_into_bins,
    flipped_bits,
    local_randomizer,
    optimised_unary,
    shuffled_response,
    symmetric_unary,
)
from panshuffle.crosscheck.court.family import DELTA, Case

CHECKOUT = Checkout("variation-ratio", "https://github.com/wangsw/PrivacyAmplification", "unifiedamplification.py")
ITERATIONS = 20  # of its bisection; each halves the width
DOCUMENTED = (
    'README.md: "To compute tight privacy amplification upper bound, call: amplificationUB(p, beta, q0, q1, n, delta, '
    'T)", with p, beta and q from its tables: general mechanisms, general RR on d options, binary RR (RAPPOR), Cheu et '
    "al. with flip prob. f, Balls-into-bins"
)


def parameters(case: Case) -> str | None:
    """Its p, beta and q for a case, as lines of a program."""
    if case.family is flipped_bits.FAMILY:
        return f"f = {case['f']!r}\np, beta, q = ((1 - f) / f) ** 2, 1 - 2 * f, (1 - f) / f\n"
    if case.family is balls_into_bins.FAMILY:
        infinite = "p = 1e12  # for infinity, as in its computeUBParameters\nbeta = (p - 1) / (p + 1)\n"
        return f"{infinite}q = {case['bins']}\n"
    if case.family is symmetric_unary.FAMILY:
        others, root = 1, f"exp({case['eps0']!r} / 2)"
    elif case.family in (local_randomizer.FAMILY, optimised_unary.FAMILY, shuffled_response.FAMILY):
        others, root = case["values"] - 1 if case.family is shuffled_response.FAMILY else 1, "p"
    else:
        return None
    return f"from math import exp\np = q = exp({case['eps0']!r})\nbeta = ({root} - 1) / ({root} + {others})\n"


def program(case: Case) -> str | None:
    """The upper bound on eps, or the function for delta that it bisects."""
    head = parameters(case)
    if head is None:
        return None
    if case.quantity == DELTA:
        call = f"Delta({case.at!r}, beta / (p - 1), beta * p / (p - 1) / q, beta * p / (p - 1) / q, {case['n']}, p)"
        return f"{head}from unifiedamplification import Delta\nupper = {call}\n"
    call = f"amplificationUB(p, beta, q, q, {case['n']}, {case.at!r}, {ITERATIONS})"
    return f"{head}from unifiedamplification import amplificationUB\nupper = {call}\n"


ACCOUNTANTS = (
    Accountant("variation-ratio", program, ("unifiedamplification",), checkout=CHECKOUT, documented=DOCUMENTED),
)
