"""The optimised unary encoding behind a shuffler: the own bit is a fair coin, every other one is seldom set."""

from __future__ import annotations

from functools import lru_cache
from math import exp as double_exp
from math import log

from crosscheck.court.counted_letters import unary_by_hand
from crosscheck.court.families.symmetric_unary import FIRST, LARGEST_K, LARGEST_N, SECOND, bits_gain
from crosscheck.court.family import DELTA, EPSILON, SHUFFLE, Bounds, Case, Family
from exact.curves.curve import Curve
from exact.numbers.real import Real, exp
from exact.randomizers.named import named_randomizer, optimised_bits
from exact.randomizers.shuffled_view import shuffled_view


@lru_cache(maxsize=64)
def curve(case: Case) -> Curve:
    """The certified curve."""
    randomizer = named_randomizer("unary-optimised", case["values"], exp(case.exact("eps0")))
    return shuffled_view(randomizer, case["n"]).view.curve


def second(case: Case, exp_eps: Real) -> Bounds:
    """The same delta from explicit backgrounds, and from one user alone."""
    return bits_gain(case, exp_eps, optimised_bits)


def program(case: Case, eps: float) -> str:
    """The program that shows the truth; the chance that another bit is set is rounded to nine digits."""
    seldom = f"Fraction({round(10**9 / (1 + double_exp(case['eps0'])))}, 10**9)"
    return unary_by_hand(case["n"], double_exp(eps), "Fraction(1, 2)", seldom)


FAMILY = Family(
    __name__,
    11,
    "a bit for each of `values` values, set with probability 1/2 for the own one and 1/(1 + e^eps0) for every other; "
    "all bits of a user are one message, of n users behind a shuffler",
    {"values": 3, "n": 2, "eps0": 0.0},
    curve,
    second,
    FIRST,
    SECOND,
    1,
    {"values": LARGEST_K, "n": LARGEST_N, "eps0": 16.0},
    group=SHUFFLE,
    by_hand=program,
)
BATTERY = (
    FAMILY.problem(DELTA, 0.5, quick=True, values=3, n=2, eps0=log(3)),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=1000, eps0=2.0),
)
