"""A pool of the uniformity tester: (X + 1, Y) against (X, Y + 1) for Poisson counts X and Y."""

from __future__ import annotations

from math import floor

from flint import arb, ctx
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, Bounds, Case, Family
from panshuffle.crosscheck.court.opposite_shifts import pair_bounds
from panshuffle.exact.real import Real
from panshuffle.exact.views.uniformity import pool_curve

LARGEST_MEAN = 10.0**6  # some million masses are listed at most


def masses_of(mu: arb) -> tuple[list[arb], arb]:
    """P[Pois(mu) = x] from 0 on, and a bound on the rest: at twice the mean and beyond, masses at least halve."""
    mass, found = (-mu).exp(), list[arb]()
    limit = arb(2) ** -220
    while not len(found) > 2 * mu + 1 or mass > limit:
        found.append(mass)
        mass = mass * mu / len(found)
    return found, 2 * mass


def second(case: Case, exp_eps: Real) -> Bounds:
    """Every row of the joint law; the ratio at (x, y) is x/y."""
    e = float(exp_eps)
    with ctx.workprec(PRECISION):
        masses, rest = masses_of(case.exact("mu").ball_here())
        return pair_bounds(masses, 0, exp_eps.ball_here(), lambda y: floor(e * y) + 1, 2 * rest)


FAMILY = Family(
    __name__,
    1,
    "two Poisson counts of mean mu, one more in the first or one more in the second",
    {"mu": 0.0},
    lambda case: pool_curve(case.exact("mu")),
    second,
    "a certified sum over the boundary of the best event",
    "every row of the joint law, in balls",
    1,
    {"mu": LARGEST_MEAN},
)
BATTERY = (
    FAMILY.problem(DELTA, 0.5, quick=True, mu=100.0),
    FAMILY.problem(DELTA, 0.1, mu=5000.0),
    FAMILY.problem(EPSILON, 1e-6, mu=100.0),
)
