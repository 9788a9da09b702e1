"""Apple's code for the clones of Feldman, McMillan and Talwar (2021), numerically and in closed form."""

from __future__ import annotations

from functools import partial

from panshuffle.crosscheck.court.accountant import Accountant, Checkout
from panshuffle.crosscheck.court.families import local_randomizer, optimised_unary, shuffled_response, symmetric_unary
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Case

CHECKOUT = Checkout("apple", "https://github.com/apple/ml-shuffling-amplification", "computeamplification.py")
FAMILIES = tuple(module.FAMILY for module in (local_randomizer, shuffled_response, symmetric_unary, optimised_unary))
ITERATIONS = 20  # of its bisection; each halves the width
FINEST, COARSE = 1, 100  # its step: the most accurate one, and that of its example
FINE_USERS = 10**4  # up to so many users the finest step takes seconds
NUMERIC = (
    'computeamplification.py, numericalanalysis: "If upperbound=True then this produces an upper bound on the true '
    'shuffled eps"'
)
CLOSED = 'example.py: "According to our closed form analysis, ... eps is at most"'


def numeric(case: Case, step: int | None = None) -> str | None:
    """The numerical bound, for every randomizer with this eps0, k-ary response and unary encodings among them."""
    if case.family not in FAMILIES:
        return None
    n, eps0 = case["n"], case["eps0"]
    if step is not None and n <= FINE_USERS and case.quantity == DELTA:
        return None
    width = step or (FINEST if n <= FINE_USERS else COARSE)
    if case.quantity == DELTA:
        return (
            f"from computeamplification import deltacomp\nupper = deltacomp({n}, {eps0!r}, {case.at!r}, 1.0, {width})\n"
        )
    call = f"numericalanalysis({n}, {eps0!r}, {case.at!r}, {ITERATIONS}, {width}, True)"
    return f"from computeamplification import numericalanalysis\nupper = {call}\n"


def closed_form(case: Case) -> str | None:
    """The closed form."""
    if case.family not in FAMILIES or case.quantity != EPSILON:
        return None
    call = f"closedformanalysis({case['n']}, {case['eps0']!r}, {case.at!r})"
    return f"from computeamplification import closedformanalysis\nupper = {call}\n"


IMPORTS = ("computeamplification",)
ACCOUNTANTS = (
    Accountant("apple-clones", numeric, IMPORTS, checkout=CHECKOUT, documented=NUMERIC),
    Accountant(
        "apple-clones-step-100",
        partial(numeric, step=COARSE),
        IMPORTS,
        checkout=CHECKOUT,
        documented=NUMERIC,
        note="The step is that of its example; where it is at least n, no term is summed, and delta comes out as 0.",
    ),
    Accountant("apple-closed-form", closed_form, IMPORTS, checkout=CHECKOUT, documented=CLOSED),
)
