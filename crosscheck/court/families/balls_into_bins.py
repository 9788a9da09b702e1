"""A ball in a bin among balls that are thrown uniformly: the covering messages of Luo, Wang and Yi (2022)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import exp as double_exp

from flint import arb, ctx
from panshuffle.crosscheck.court.counted_letters import by_hand, counted_gain
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, SHUFFLE, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.randomizers.bounds import BITS
from panshuffle.exact.randomizers.bounds import Case as Hidden
from panshuffle.exact.real import Real, real

LARGEST_N = 20_000  # balls whose places are listed


@lru_cache(maxsize=64)
def curve(case: Case) -> Curve:
    """The certified curve; where no ball is in the second bin, no eps helps."""
    d, n = case["bins"], case["n"]
    rest = [(real(0), real(0), real(Fraction(d - 2, d)))] if d > 2 else []
    each = real(Fraction(1, d))
    hidden = Hidden.of([(real(1), real(0), each), (real(0), real(1), each), *rest], complete=True)
    limit = real(Fraction(d - 1, d)) ** (n - 1)
    return Curve(lambda exp_eps, _: hidden.delta(n, exp_eps.ball(BITS)), None, None, None, limit)


def second(case: Case, exp_eps: Real) -> Bounds:
    """The same delta from the counts of the two bins; from above nothing is known."""
    d = case["bins"]
    with ctx.workprec(PRECISION + 4 * case["n"].bit_length()):
        letters = [(arb(1) / d, arb(1)), (arb(1) / d, -exp_eps.ball_here())]
        letters += [(arb(d - 2) / d, arb(0))] if d > 2 else []
        return Bounds(counted_gain(letters, case["n"]).lower(), arb(1))


def program(case: Case, eps: float) -> str:
    """The program that shows the truth."""
    letters = (f"w = [Fraction(1, {case['bins']})] * 2", "P, Q, crowds = [1, 0, 0], [0, 1, 0], [[*w, 1 - sum(w)]]")
    return by_hand("The letters are the bins x and x', and all others.", case["n"], double_exp(eps), letters)


FAMILY = Family(
    __name__,
    13,
    "a ball in the bin of the own value, among n - 1 balls that are thrown uniformly into `bins` bins",
    {"bins": 2, "n": 2},
    curve,
    second,
    "the mean of a sum of n independent values, by its transform, in doubles with a proved error",
    "the counts of the two bins listed, from below",
    1,
    {"bins": 64, "n": LARGEST_N},
    group=SHUFFLE,
    by_hand=program,
)
BATTERY = (
    FAMILY.problem(DELTA, 1.0, quick=True, bins=4, n=20),
    FAMILY.problem(EPSILON, 1e-6, quick=True, bins=4, n=1000),
    FAMILY.problem(EPSILON, 1e-6, bins=16, n=10**4),
)
