"""The geometric mechanism with sensitivity 1, which comes down to randomized response with p = s/(1+s), s = e^-a."""

from __future__ import annotations

from panshuffle.crosscheck.court.families.randomized_response import (
    FIRST,
    MOST_RUNS,
    SECOND,
    two_point_bounds,
    two_point_curve,
)
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Case, Family
from panshuffle.exact.real import Real, exp


def lie(case: Case) -> Real:
    """The probability of the less likely of the two ratios."""
    s = exp(-case.exact("a"))
    return s / (1 + s)


FAMILY = Family(
    __name__,
    5,
    "noise with mass in proportion to e^(-a|v|) on the integers, sensitivity 1: the ratio is e^a up to 0 and e^-a "
    "from 1 on, so it is randomized response with p = 1/(1+e^a)",
    {"a": 0.0},
    lambda case: two_point_curve(lie(case), case.k, exp(case.exact("a") * case.k)),
    lambda case, exp_eps: two_point_bounds(lie(case), case.k, exp_eps),
    FIRST,
    SECOND,
    MOST_RUNS,
)
BATTERY = (
    FAMILY.problem(DELTA, 5.0, k=30, a=0.5),
    FAMILY.problem(EPSILON, 1e-6, k=30, quick=True, a=0.5),
)
