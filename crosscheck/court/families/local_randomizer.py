"""Any eps0-locally private randomizer behind a shuffler: the largest delta of all of them."""

from __future__ import annotations

from functools import lru_cache

from flint import ctx
from panshuffle.crosscheck.court.families.shuffled_response import background_gain
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, SHUFFLE, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.randomizers.bounds import local_view
from panshuffle.exact.real import Real, exp, largest


@lru_cache(maxsize=64)
def curve(case: Case) -> Curve:
    """The curve between the clones and binary response."""
    return local_view(case.exact("eps0"), case["n"]).curve


def second(case: Case, exp_eps: Real) -> Bounds:
    """Binary response, all others alike, from below, and one user without a shuffler from above."""
    n = case["n"]
    with ctx.workprec(PRECISION + 4 * n.bit_length()):
        p, factor = exp(case.exact("eps0")).ball_here(), exp_eps.ball_here()
        truth, lie = p / (p + 1), 1 / (p + 1)
        seen = largest([background_gain(2, truth, lie, factor, held, n) for held in (0, 1)])
        return Bounds(seen.lower(), (truth - factor * lie).nonnegative_part().upper())


FAMILY = Family(
    __name__,
    9,
    "n users of one and the same eps0-locally private randomizer, whichever it is, behind a shuffler",
    {"n": 2, "eps0": 0.0},
    curve,
    second,
    "the clones of Feldman, McMillan and Talwar (2021) above, the worst background found of binary response below",
    "binary response with all others alike, the reports of one value counted, from below; one user without a "
    "shuffler from above",
    1,
    {"n": 10**6, "eps0": 16.0},
    group=SHUFFLE,
)
BATTERY = (
    FAMILY.problem(EPSILON, 1e-6, quick=True, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, n=10**4, eps0=2.0),
    FAMILY.problem(DELTA, 0.1, n=10**4, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, n=10**5, eps0=4.0),
    FAMILY.problem(EPSILON, 1e-6, n=10**6, eps0=0.5),
)
