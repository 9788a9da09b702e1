"""Two pools of the uniformity tester, one changed in each direction, as by a user who moves from one to the other."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

from flint import arb, ctx
from panshuffle.crosscheck.court.families import poisson_pool
from panshuffle.crosscheck.court.family import DELTA, PRECISION, Bounds, Case, Family
from panshuffle.exact.real import Real, largest
from panshuffle.exact.views.uniformity import pair_curve

LARGEST_MEAN = 20.0  # some ten thousand cells of one pool meet those of the other


def ratio_classes(mu: arb) -> tuple[list[tuple[Fraction, arb, arb]], arb, arb]:
    """(ratio, upper, lower) of the outcomes of one pool with equal ratio, in order; the mass at infinity; the rest."""
    masses, rest = poisson_pool.masses_of(mu)
    found: dict[Fraction, tuple[arb, arb]] = {}
    for x in range(1, len(masses)):
        for y in range(1, len(masses)):
            p, q = masses[x - 1] * masses[y], masses[x] * masses[y - 1]
            above, below = found.get(Fraction(x, y), (arb(0), arb(0)))
            found[Fraction(x, y)] = (above + p, below + q)
    edge = masses[-1] * 2 + 4 * rest
    return [(ratio, *found[ratio]) for ratio in sorted(found)], masses[0], edge


def second(case: Case, exp_eps: Real) -> Bounds:
    """The composition of the pool with itself (its mirror image has the same pair of laws), class by class.

    Outcomes with y = 0 are missed by the lower law.  For every class of one pool the best event on the other is that
    its ratio is above a threshold.
    """
    e = float(exp_eps)
    with ctx.workprec(PRECISION):
        factor = exp_eps.ball_here()
        classes, infinite, rest = ratio_classes(case.exact("mu").ball_here())
        ratios = [float(ratio) for ratio, _, _ in classes]
        above = list(accumulate((p for _, p, _ in reversed(classes)), initial=arb(0)))
        below = list(accumulate((q for _, _, q in reversed(classes)), initial=arb(0)))
        total = infinite * (2 - infinite)
        for ratio, p, q in classes:
            start = len(classes) - bisect_right(ratios, e / float(ratio))
            near = [i for i in (start - 1, start, start + 1) if 0 <= i <= len(classes)]
            total += largest([p * above[i] - factor * q * below[i] for i in near])
        return Bounds((total - 4 * factor * rest).lower(), (total + 4 * rest).upper())


FAMILY = Family(
    __name__,
    2,
    "two pools of Poisson counts of mean mu, one changed in each direction",
    {"mu": 0.0},
    lambda case: pair_curve(case.exact("mu")),
    second,
    "certified thresholds over the cells of both pools",
    "the classes of equal ratio of one pool against those of the other, in balls",
    1,
    {"mu": LARGEST_MEAN},
)
BATTERY = (FAMILY.problem(DELTA, 1.0, quick=True, mu=10.0),)
