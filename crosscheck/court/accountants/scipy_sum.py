"""scipy as people write it: the sum of the positive parts of the masses, in doubles."""

from __future__ import annotations

from crosscheck.court.question import DELTA, Question

NAME = "scipy-sum"
PACKAGE = "scipy"
IMPORTS = ("scipy.stats",)
PROMISE = "estimate"

LARGEST_LISTED = 10**7
SUM = """\
from math import exp
import numpy as np
from scipy.stats import {law}
x = np.arange({stop})
upper_law, lower_law = {masses}
upper = np.maximum(upper_law - exp({at!r}) * lower_law, 0).sum()
"""


def script(question: Question) -> str | None:
    """The program."""
    if question.quantity != DELTA:
        return None
    if question.family == "binomial" and question.k == 1 and question["l"] <= LARGEST_LISTED:
        l = question["l"]
        masses = f"binom.pmf(x - 1, {l}, 0.5), binom.pmf(x, {l}, 0.5)"
        return SUM.format(law="binom", stop=l + 2, masses=masses, at=question.at)
    if question.family == "randomized-response":
        k, p = question.k, question["p"]
        masses = f"binom.pmf(x, {k}, 1 - {p!r}), binom.pmf(x, {k}, {p!r})"
        return SUM.format(law="binom", stop=k + 1, masses=masses, at=question.at)
    return None
