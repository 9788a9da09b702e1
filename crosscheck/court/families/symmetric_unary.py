"""RAPPOR's basic unary encoding behind a shuffler: a bit for each value, all flipped with the same probability."""

from __future__ import annotations

from math import exp as double_exp
from math import log, sqrt

from panshuffle.crosscheck.court.counted_letters import unary_by_hand
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Case
from panshuffle.crosscheck.court.unary_encodings import unary_family
from panshuffle.exact.randomizers.randomizer import symmetric_bits


def program(case: Case, eps: float) -> str:
    """The program that shows the truth; the chance of a flip is rounded to nine digits."""
    flipped = f"Fraction({round(10**9 / (1 + sqrt(double_exp(case['eps0']))))}, 10**9)"
    return unary_by_hand(case["n"], double_exp(eps), f"1 - {flipped}", flipped)


FAMILY = unary_family(
    __name__,
    10,
    "set for the own one, each flipped with probability 1/(1 + e^(eps0/2))",
    "unary-symmetric",
    symmetric_bits,
    program,
)
BATTERY = (
    FAMILY.problem(DELTA, 0.5, quick=True, values=3, n=2, eps0=log(4)),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=100, eps0=2.0),
    FAMILY.problem(EPSILON, 1e-6, values=5, n=1000, eps0=4.0),
)
