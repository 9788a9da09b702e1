"""The decomposition code of Su, Cheng and Wang (2025): the blanket's mean by a Fourier transform, from both sides."""

from __future__ import annotations

from functools import partial

from crosscheck.court.accountant import Accountant, Checkout
from crosscheck.court.families import shuffled_response
from crosscheck.court.family import DELTA, Case

CHECKOUT = Checkout(
    "decomposition",
    "https://github.com/Optimal-amplification-bound/Decomposition-Based-Optimal-Bounds-for-Shuffle-DP",
    "amplification_bounds.py",
)
DOCUMENTED = 'README.md: "provides both upper and lower bounds with high precision"; called as in test.py'
HEAD = """\
import sys
import numpy
sys.modules["cupy"] = numpy  # its transforms run on a GPU; numpy has the same functions
"""


def program(case: Case, side: str, bound: str, mechanism: str) -> str | None:
    """A bound for k-ary response."""
    if case.family is not shuffled_response.FAMILY:
        return None
    n, eps0 = case["n"], case["eps0"]
    asked = (
        f"get_delta({case.at!r}, {eps0!r}, {n})" if case.quantity == DELTA else f"get_eps({eps0!r}, {n}, {case.at!r})"
    )
    return (
        f"{HEAD}from amplification_bounds import {bound}\nfrom mechanisms import {mechanism}\n"
        f"{side} = {bound}({mechanism}({eps0!r}, {case['values']})).{asked}\n"
    )


ABOVE = partial(program, side="upper", bound="FFTbound", mechanism="RRMechanism")
BELOW = partial(program, side="lower", bound="FFTLowerBound", mechanism="RRMechanism_lowerbound")
ACCOUNTANTS = (
    Accountant("decomposition", ABOVE, ("numpy",), checkout=CHECKOUT, documented=DOCUMENTED),
    Accountant("decomposition-lower", BELOW, ("numpy",), None, "lower bound", checkout=CHECKOUT, documented=DOCUMENTED),
)
