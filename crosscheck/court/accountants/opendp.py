"""opendp: privacy maps with directed rounding; pure and zero-concentrated mechanisms, composed."""

from __future__ import annotations

from fractions import Fraction

from crosscheck.court.question import DELTA, Question

NAME = "opendp"
PACKAGE = "opendp"
IMPORTS = ("opendp.prelude",)
PROMISE = "upper bound"

MOST_RUNS = 10_000
HEAD = """\
import opendp.prelude as dp
dp.enable_features("contrib")
"""
SPACE = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"


def script(question: Question) -> str | None:
    """The program; for pure mechanisms eps at any delta is the sum of their eps."""
    if question.k > MOST_RUNS:
        return None
    composed = f"dp.c.make_composition([law] * {question.k})" if question.k > 1 else "law"
    if question.family == "discrete-gaussian":
        ask = "delta(epsilon" if question.quantity == DELTA else "epsilon(delta"
        return (
            f"{HEAD}law = dp.m.make_gaussian({SPACE}, scale={question['sigma']!r})\n"
            f"upper = dp.c.make_zCDP_to_approxDP({composed}).map(1).{ask}={question.at!r})\n"
        )
    if question.quantity == DELTA:
        return None
    if question.family == "randomized-response" and Fraction(1 - question["p"]) == 1 - Fraction(question["p"]):
        return (
            f"{HEAD}law = dp.m.make_randomized_response_bool(prob={1 - question['p']!r})\nupper = {composed}.map(1)\n"
        )
    if question.family == "geometric" and Fraction(1 / question["a"]) * Fraction(question["a"]) == 1:
        return f"{HEAD}law = dp.m.make_laplace({SPACE}, scale={1 / question['a']!r})\nupper = {composed}.map(1)\n"
    return None
