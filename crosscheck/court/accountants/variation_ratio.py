"""The variation-ratio code of Wang and others (2024), called with the parameters of its README's table."""

from __future__ import annotations

from crosscheck.court.accountant import Accountant, Checkout
from crosscheck.court.families import local_randomizer, shuffled_response
from crosscheck.court.family import DELTA, Case

CHECKOUT = Checkout("variation-ratio", "https://github.com/wangsw/PrivacyAmplification", "unifiedamplification.py")
ITERATIONS = 20  # of its bisection; each halves the width
DOCUMENTED = (
    'README.md: "To compute tight privacy amplification upper bound, call: amplificationUB(p, beta, q0, q1, n, delta, '
    'T)", with p, beta and q from its table: general mechanisms, and general RR on d options'
)


def program(case: Case) -> str | None:
    """The upper bound on eps, or the function for delta that it bisects."""
    if case.family is shuffled_response.FAMILY:
        others = case["values"] - 1
    elif case.family is local_randomizer.FAMILY:
        others = 1
    else:
        return None
    head = f"from math import exp\np = q = exp({case['eps0']!r})\nbeta = (p - 1) / (p + {others})\n"
    if case.quantity == DELTA:
        call = f"Delta({case.at!r}, beta / (p - 1), beta * p / (p - 1) / q, beta * p / (p - 1) / q, {case['n']}, p)"
        return f"{head}from unifiedamplification import Delta\nupper = {call}\n"
    call = f"amplificationUB(p, beta, q, q, {case['n']}, {case.at!r}, {ITERATIONS})"
    return f"{head}from unifiedamplification import amplificationUB\nupper = {call}\n"


ACCOUNTANTS = (
    Accountant("variation-ratio", program, ("unifiedamplification",), checkout=CHECKOUT, documented=DOCUMENTED),
)
