"""The binomial mechanism Bin(l, 1/2) against 1 + Bin(l, 1/2), once, as a pair of pools, and k times."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, floor, isqrt, log

from flint import arb, ctx, fmpz
from panshuffle.crosscheck.court.composed_bounds import best_gain, dominating_delta
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, Bounds, Case, Family
from panshuffle.crosscheck.court.opposite_shifts import pair_bounds
from panshuffle.exact.curves.composition import composed_delta
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, shift
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta
from panshuffle.exact.real import HALF, Real, exp, largest, real
from panshuffle.exact.real import log as real_log
from panshuffle.exact.views.binomial import shift_curve

LISTED = 4000  # up to so many coins all outcomes are added up, as integers
LARGEST_COMPOSED = 10**5  # coins of three and more runs, whose laws are listed
LARGEST_PAIR = 10**7  # coins of two runs, whose rows are listed
REACH = 40  # standard deviations that are listed; Hoeffding's bound covers the rest


def law_of_coins(l: int) -> Law:
    """Bin(l, 1/2), enclosed."""

    def enclose(precision: int) -> Masses:
        with ctx.workprec(precision + 32):
            return Masses(dict(enumerate(masses_from(l, 0, l + 1))), arb(0))

    return enclosed_law(enclose)


def masses_from(l: int, first: int, stop: int) -> list[arb]:
    """P[Bin(l, 1/2) = x] for first <= x < stop, by the ratio of neighbours, at the working precision."""
    mass = arb.bin_uiui(l, first) / arb(2) ** l
    found = []
    for x in range(first, stop):
        found.append(mass)
        mass = mass * (l - x) / (x + 1)
    return found


def curve(case: Case) -> Curve:
    """The certified curve."""
    l, k = case["l"], case.k
    if k == 1:
        return shift_curve(l, HALF)
    limit = 1 - exp(k * real_log(1 - real(2) ** -l))
    if k == 2:
        return Curve(lambda exp_eps, precision: binomial_pair_delta(l, HALF, exp_eps, precision), limit=limit)
    upper = law_of_coins(l)
    lower = shift(upper, 1)

    @lru_cache(maxsize=64)
    def ball(exp_eps: Real, narrow: bool) -> arb:
        return composed_delta(upper, lower, k, exp_eps, Fraction(1, 10**8 if narrow else 10**6))

    return Curve(lambda exp_eps, precision: ball(exp_eps, precision >= 96), limit=limit)


def second(case: Case, exp_eps: Real) -> Bounds:
    """The same delta by sums over integers, incomplete beta functions, rows of the joint law, or an explicit event."""
    l, k = case["l"], case.k
    if k == 1:
        return Bounds.of(listed_gain(l, exp_eps) if l <= LISTED else cut_gain(l, exp_eps))
    if k == 2:
        return row_bounds(l, exp_eps)
    with ctx.workprec(PRECISION):
        reach = REACH * (isqrt(l) + 1) // 2
        first, stop = max(1, l // 2 - reach), min(l, l // 2 + reach) + 1
        masses = masses_from(l, first - 1, stop)
        losses = [log((l + 1 - x) / x) for x in range(first, stop)]
        seen = best_gain(masses[1:], masses[:-1], losses, k, exp_eps)
        missed = 1 - (1 - arb(2) ** -l) ** k  # a run shows 0, which the other law never does
        return Bounds((seen + missed).lower(), dominating_delta(masses[1:], masses[:-1], losses, k, exp_eps))


def listed_gain(l: int, exp_eps: Real) -> arb:
    """The sum of the positive parts over all outcomes, from integers."""
    with ctx.workprec(PRECISION + l):
        factor, total, before = exp_eps.ball_here(), arb(0), 0
        for x in range(l + 1):
            mass = comb(l, x)
            total += (fmpz(mass) - factor * fmpz(before)).nonnegative_part()
            before = mass
        return total / arb(2) ** l


def cut_gain(l: int, exp_eps: Real) -> arb:
    """F(c) - E F(c - 1) at the best cut, with F an incomplete beta function."""
    bits = PRECISION + 2 * l.bit_length()
    with ctx.workprec(bits):
        factor = exp_eps.ball_here()
        c = int(((l + 1) / (1 + factor)).mid().floor().unique_fmpz() or 0)
        return largest([lower_tail(l, x) - factor * lower_tail(l, x - 1) for x in (c - 1, c, c + 1)])


def lower_tail(l: int, c: int) -> arb:
    """P[Bin(l, 1/2) <= c]."""
    return arb(0.5).beta_lower(l - c, c + 1, regularized=True) if c >= 0 else arb(0)


def row_bounds(l: int, exp_eps: Real) -> Bounds:
    """Two pools, row by row; Hoeffding's bound covers what is beyond 40 standard deviations."""
    e = float(exp_eps)
    reach = REACH * (isqrt(l) + 1) // 2 + 1
    first, stop = max(0, l // 2 - reach), min(l, l // 2 + reach) + 1
    with ctx.workprec(PRECISION + 2 * l.bit_length()):
        lost = 4 * (-2 * arb(reach - 1) ** 2 / l).exp() if (first, stop) != (0, l + 1) else arb(0)
        masses = masses_from(l, first, stop)
        return pair_bounds(
            masses, first, exp_eps.ball_here(), lambda y: floor(e * y * (l + 1) / (l + 1 - y + e * y)) + 1, lost
        )


def check(case: Case) -> None:
    """*Raises* `ParameterError` where the law is too long to be listed."""
    most = {1: 10**18, 2: LARGEST_PAIR}.get(case.k, LARGEST_COMPOSED)
    if case["l"] > most:
        raise ParameterError("l", case["l"], f"at most {most} for k = {case.k}")


FAMILY = Family(
    __name__,
    0,
    "a count with Bin(l, 1/2) added, sensitivity 1, k runs (two are also the pair of pools of a changed user)",
    {"l": 1},
    curve,
    second,
    "one cut and certified tails; for two runs a certified sum over the boundary; for more a lattice of frequencies",
    "integers or incomplete beta functions of Arb; for two runs every row; for more explicit events from below and "
    "a dominating pair on a grid from above, convolved in balls",
    10**4,
    check=check,
)
BATTERY = (
    FAMILY.problem(DELTA, 0.2, quick=True, l=1000),
    FAMILY.problem(DELTA, 1.0, l=1000),
    FAMILY.problem(EPSILON, 1e-6, quick=True, l=1000),
    FAMILY.problem(EPSILON, 0.0, quick=True, l=2000),
    FAMILY.problem(DELTA, 0.01, l=10**6),
    FAMILY.problem(DELTA, 0.001, l=10**8),
    FAMILY.problem(DELTA, 3.1e-7, quick=True, l=10**15),
    FAMILY.problem(DELTA, 0.5, k=2, l=100),
    FAMILY.problem(DELTA, 0.2, k=2, quick=True, l=10**4),
    FAMILY.problem(DELTA, 0.015, k=2, l=10**6),
    FAMILY.problem(DELTA, 5.0, k=256, l=1000),
    FAMILY.problem(EPSILON, 1e-6, k=256, l=1000),
    FAMILY.problem(DELTA, 10.0, k=4096, quick=True, l=10**4),
    FAMILY.problem(EPSILON, 1e-12, k=4096, l=10**4),
)
