"""A vector of bits among zero vectors, every bit flipped: the histogram of Cheu and Zhilyaev with fake users (2022)."""

from __future__ import annotations

from functools import lru_cache
from math import exp as double_exp

from flint import arb, ctx
from panshuffle.crosscheck.court.counted_letters import counted_gain, flips_by_hand
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, SHUFFLE, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.randomizers.bounds import BITS
from panshuffle.exact.randomizers.bounds import Case as Hidden
from panshuffle.exact.real import Real

LARGEST_N = 2000  # vectors whose bits are counted


@lru_cache(maxsize=64)
def curve(case: Case) -> Curve:
    """The certified curve: bits other than those of x and x' tell nothing."""
    f = case.exact("f")
    rows = zip(chances(1 - f, f), chances(f, 1 - f), chances(f, f), strict=True)
    hidden = Hidden.of(rows, complete=True)
    return Curve(lambda exp_eps, _: hidden.delta(case["n"], exp_eps.ball(BITS)), None, ((1 - f) / f) ** 2)


def chances(first: Real, last: Real) -> list[Real]:
    """The chances of 10, 01, 00 and 11, from those that the two bits are set."""
    return [first * (1 - last), (1 - first) * last, (1 - first) * (1 - last), first * last]


def second(case: Case, exp_eps: Real) -> Bounds:
    """The same delta from the counts of the pairs of bits, and from the vector alone."""
    f = case.exact("f")
    with ctx.workprec(PRECISION + 4 * case["n"].bit_length()):
        above, below, crowd = (
            [chance.ball_here() for chance in chances(*pair)] for pair in ((1 - f, f), (f, 1 - f), (f, f))
        )
        gains = [high - exp_eps.ball_here() * low for high, low in zip(above, below, strict=True)]
        seen = counted_gain(list(zip(crowd, gains, strict=True)), case["n"])
        return Bounds(seen.lower(), sum((gain.nonnegative_part() for gain in gains), arb(0)).upper())


FAMILY = Family(
    __name__,
    12,
    "a vector of bits with a single 1, among n - 1 vectors of zeros, every bit flipped with probability f",
    {"n": 2, "f": 0.0},
    curve,
    second,
    "the mean of a sum of n independent values, by its transform, in doubles with a proved error",
    "the counts of the pairs of bits listed, from below; the vector alone from above",
    1,
    {"n": LARGEST_N},
    {"f": 0.5},
    group=SHUFFLE,
    by_hand=lambda case, eps: flips_by_hand(case["n"], double_exp(eps), f"Fraction({case['f']!r})"),
)
BATTERY = (
    FAMILY.problem(DELTA, 1.0, quick=True, n=2, f=0.25),
    FAMILY.problem(EPSILON, 1e-6, quick=True, n=100, f=0.25),
    FAMILY.problem(EPSILON, 1e-6, n=1000, f=0.125),
)
