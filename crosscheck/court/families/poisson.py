"""Pools of the uniformity tester: (X + 1, Y) against (X, Y + 1) for Poisson counts, and two pools."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import floor

from flint import arb, ctx

from crosscheck.court.family import Bounds, Family
from crosscheck.court.question import Question
from crosscheck.court.rows import pair_bounds
from exact.curves.curve import Curve
from exact.errors import ParameterError
from exact.numbers.certified import largest
from exact.numbers.real import Real
from exact.views import uniformity

BITS = 256
LARGEST_MEAN = {"poisson-pool": 10.0**6, "poisson-pair": 20.0}


def curve(question: Question) -> Curve:
    """The certified curve."""
    mu = question.exact("mu")
    return uniformity.pool_curve(mu) if question.family == "poisson-pool" else uniformity.pair_curve(mu)


def masses_of(mu: arb) -> tuple[list[arb], arb]:
    """P[Pois(mu) = x] from 0 on, and a bound on the rest: at twice the mean and beyond, masses at least halve."""
    mass, found = (-mu).exp(), list[arb]()
    limit = arb(2) ** -220
    while not len(found) > 2 * mu + 1 or mass > limit:
        found.append(mass)
        mass = mass * mu / len(found)
    return found, 2 * mass


def pool_second(question: Question, exp_eps: Real) -> Bounds:
    """Every row of the joint law; the ratio at (x, y) is x/y."""
    e = float(exp_eps)
    with ctx.workprec(BITS):
        masses, rest = masses_of(question.exact("mu").ball_here())
        return pair_bounds(masses, 0, exp_eps.ball_here(), lambda y: floor(e * y) + 1, 2 * rest)


def ratio_classes(mu: arb) -> tuple[list[tuple[Fraction, arb, arb]], arb, arb]:
    """(ratio, upper, lower) of the outcomes of one pool with equal ratio, in order; the mass at infinity; the rest."""
    masses, rest = masses_of(mu)
    found: dict[Fraction, tuple[arb, arb]] = {}
    for x in range(1, len(masses)):
        for y in range(1, len(masses)):
            p, q = masses[x - 1] * masses[y], masses[x] * masses[y - 1]
            above, below = found.get(Fraction(x, y), (arb(0), arb(0)))
            found[Fraction(x, y)] = (above + p, below + q)
    edge = masses[-1] * 2 + 4 * rest
    return [(ratio, *found[ratio]) for ratio in sorted(found)], masses[0], edge


def pair_second(question: Question, exp_eps: Real) -> Bounds:
    """The composition of the pool with itself (its mirror image has the same pair of laws), class by class.

    Outcomes with y = 0 are missed by the lower law.  For every class of one pool the best event on the other is that
    its ratio is above a threshold.
    """
    e = float(exp_eps)
    with ctx.workprec(BITS):
        factor = exp_eps.ball_here()
        classes, infinite, rest = ratio_classes(question.exact("mu").ball_here())
        ratios = [float(ratio) for ratio, _, _ in classes]
        above, below = [arb(0)], [arb(0)]
        for _, p, q in reversed(classes):
            above.append(above[-1] + p)
            below.append(below[-1] + q)
        total = infinite * (2 - infinite)
        for ratio, p, q in classes:
            start = len(classes) - bisect_right(ratios, e / float(ratio))
            near = [i for i in (start - 1, start, start + 1) if 0 <= i <= len(classes)]
            total += largest([p * above[i] - factor * q * below[i] for i in near])
        return Bounds((total - 4 * factor * rest).lower(), (total + 4 * rest).upper())


def check(question: Question) -> None:
    """*Raises* `ParameterError` for a mean whose masses are too many to list."""
    most = LARGEST_MEAN[question.family]
    if question["mu"] > most:
        raise ParameterError("mu", question["mu"], f"at most {most:g}")


FOUND = {
    "poisson-pool": Family(
        "poisson-pool",
        "two Poisson counts of mean mu, one more in the first or one more in the second",
        {"mu": 0.0},
        curve,
        pool_second,
        "a certified sum over the boundary of the best event",
        "every row of the joint law, in balls",
        1,
        check,
    ),
    "poisson-pair": Family(
        "poisson-pair",
        "two pools of Poisson counts of mean mu, one changed in each direction",
        {"mu": 0.0},
        curve,
        pair_second,
        "certified thresholds over the cells of both pools",
        "the classes of equal ratio of one pool against those of the other, in balls",
        1,
        check,
    ),
}
