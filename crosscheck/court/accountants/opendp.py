"""opendp: privacy maps with directed rounding; pure and zero-concentrated mechanisms, composed."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.families import discrete_gaussian, geometric, randomized_response
from panshuffle.crosscheck.court.family import DELTA, Case

MOST_RUNS = 10_000  # a composition is a list of as many mechanisms, which is slow beyond this
HEAD = """\
import opendp.prelude as dp
dp.enable_features("contrib")
"""
SPACE = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"


def program(case: Case) -> str | None:
    """The program; for pure mechanisms eps at any delta is the sum of their eps."""
    if case.k > MOST_RUNS:
        return None
    composed = f"dp.c.make_composition([law] * {case.k})" if case.k > 1 else "law"
    if case.family is discrete_gaussian.FAMILY:
        ask = "delta(epsilon" if case.quantity == DELTA else "epsilon(delta"
        return (
            f"{HEAD}law = dp.m.make_gaussian({SPACE}, scale={case['sigma']!r})\n"
            f"upper = dp.c.make_zCDP_to_approxDP({composed}).map(1).{ask}={case.at!r})\n"
        )
    if case.quantity == DELTA:
        return None
    if case.family is randomized_response.FAMILY and Fraction(1 - case["p"]) == 1 - Fraction(case["p"]):
        return f"{HEAD}law = dp.m.make_randomized_response_bool(prob={1 - case['p']!r})\nupper = {composed}.map(1)\n"
    if case.family is geometric.FAMILY and Fraction(1 / case["a"]) * Fraction(case["a"]) == 1:
        return f"{HEAD}law = dp.m.make_laplace({SPACE}, scale={1 / case['a']!r})\nupper = {composed}.map(1)\n"
    return None


ACCOUNTANTS = (Accountant("opendp", program, ("opendp.prelude",), "opendp"),)
