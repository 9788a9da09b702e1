"""scipy as people write it: the regularized incomplete beta function as the binomial tail."""

from __future__ import annotations

from crosscheck.court.question import DELTA, Question

NAME = "scipy-betainc"
PACKAGE = "scipy"
IMPORTS = ("scipy.special",)
PROMISE = "estimate"

COINS = """\
from math import exp, floor
from scipy.special import betainc
l, eps = {l}, {at!r}
c = floor((l + 1) / (1 + exp(eps)))  # Bin(l, 1/2) is e^eps times as likely as 1 + Bin(l, 1/2) up to c
upper = betainc(l - c, c + 1, 0.5) - exp(eps) * betainc(l - c + 1, c, 0.5)
"""


def script(question: Question) -> str | None:
    """The program."""
    if question.family != "binomial" or question.k != 1 or question.quantity != DELTA:
        return None
    return COINS.format(l=question["l"], at=question.at)
