"""The optimised unary encoding behind a shuffler: the own bit is a fair coin, every other one is seldom set."""

from __future__ import annotations

from math import exp as double_exp
from math import log

from panshuffle.crosscheck.court.counted_letters import unary_by_hand
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Case
from panshuffle.crosscheck.court.unary_encodings import unary_family
from panshuffle.exact.randomizers.randomizer import optimised_bits


def program(case: Case, eps: float) -> str:
    """The program that shows the truth; the chance that another bit is set is rounded to nine digits."""
    seldom = f"Fraction({round(10**9 / (1 + double_exp(case['eps0'])))}, 10**9)"
    return unary_by_hand(case["n"], double_exp(eps), "Fraction(1, 2)", seldom)


FAMILY = unary_family(
    __name__,
    11,
    "set with probability 1/2 for the own one and 1/(1 + e^eps0) for every other",
    "unary-optimised",
    optimised_bits,
    program,
)
BATTERY = (
    FAMILY.problem(DELTA, 0.5, quick=True, values=3, n=2, eps0=log(3)),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=1000, eps0=2.0),
)
