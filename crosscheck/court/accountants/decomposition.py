"""The decomposition code of Su, Cheng and Wang (2025): the blanket's mean by a Fourier transform, from both sides."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from panshuffle.crosscheck.court.accountant import Accountant, Checkout
from panshuffle.crosscheck.court.families import optimised_unary, shuffled_response, symmetric_unary
from panshuffle.crosscheck.court.family import DELTA, Case, Family

CHECKOUT = Checkout(
    "decomposition",
    "https://github.com/Optimal-amplification-bound/Decomposition-Based-Optimal-Bounds-for-Shuffle-DP",
    "amplification_bounds.py",
)
DOCUMENTED = 'README.md: "provides both upper and lower bounds with high precision"; called as in test.py'
NOTE = (
    "The probabilities that its RapporMechanism_not_asymptotic gives do not sum to 1 (for eps0 = log 4 and D = 3 they "
    "sum to 1.244), and are then scaled; with bias = exp(-eps0/2)/(1+exp(eps0/2))**D they do, and its delta there is "
    "0.2013, a bound."
)
HEAD = """\
import sys
import numpy
sys.modules["cupy"] = numpy  # its transforms run on a GPU; numpy has the same functions
"""


def program(case: Case, side: str, bound: str, mechanisms: Mapping[Family, str]) -> str | None:
    """A bound for one of its mechanisms, by name and the arguments after eps0."""
    if case.family not in mechanisms:
        return None
    n, eps0 = case["n"], case["eps0"]
    asked = (
        f"get_delta({case.at!r}, {eps0!r}, {n})" if case.quantity == DELTA else f"get_eps({eps0!r}, {n}, {case.at!r})"
    )
    mechanism, *more = mechanisms[case.family].split()
    called = ", ".join([repr(eps0), *(str(case[letter]) for letter in more)])
    return (
        f"{HEAD}from amplification_bounds import {bound}\nfrom mechanisms import {mechanism}\n"
        f"{side} = {bound}({mechanism}({called})).{asked}\n"
    )


ABOVE = {
    shuffled_response.FAMILY: "RRMechanism values",
    symmetric_unary.FAMILY: "RapporMechanism_not_asymptotic values",
    optimised_unary.FAMILY: "OUEMechanism",
}
BELOW = {
    shuffled_response.FAMILY: "RRMechanism_lowerbound values",
    symmetric_unary.FAMILY: "RapporMechanism_lowerbound",
    optimised_unary.FAMILY: "OUEMechanism_lowerbound",
}
ACCOUNTANTS = (
    Accountant(
        "decomposition",
        partial(program, side="upper", bound="FFTbound", mechanisms=ABOVE),
        ("numpy",),
        checkout=CHECKOUT,
        documented=DOCUMENTED,
        note=NOTE,
    ),
    Accountant(
        "decomposition-lower",
        partial(program, side="lower", bound="FFTLowerBound", mechanisms=BELOW),
        ("numpy",),
        None,
        "lower bound",
        checkout=CHECKOUT,
        documented=DOCUMENTED,
    ),
)
