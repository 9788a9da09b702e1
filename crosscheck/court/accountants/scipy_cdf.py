"""scipy as people write it: one minus a cumulative distribution function, and the normal tails of the closed form."""

from __future__ import annotations

from crosscheck.court.question import DELTA, Question

NAME = "scipy-cdf"
PACKAGE = "scipy"
IMPORTS = ("scipy.stats",)
PROMISE = "estimate"

COINS = """\
from math import exp, floor
from scipy.stats import binom
l, eps = {l}, {at!r}
t = floor(exp(eps) * (l + 1) / (1 + exp(eps))) + 1  # 1 + Bin(l, 1/2) is e^eps times as likely from t on
upper = (1 - binom.cdf(t - 2, l, 0.5)) - exp(eps) * (1 - binom.cdf(t - 1, l, 0.5))
"""
NORMAL = """\
from math import exp, sqrt
from scipy.stats import norm
mu, eps = sqrt({k}) / {sigma!r}, {at!r}
upper = norm.cdf(mu / 2 - eps / mu) - exp(eps) * norm.cdf(-mu / 2 - eps / mu)
"""


def script(question: Question) -> str | None:
    """The program."""
    if question.quantity != DELTA:
        return None
    if question.family == "gaussian":
        return NORMAL.format(**dict(question.letters), k=question.k, at=question.at)
    if question.family == "binomial" and question.k == 1:
        return COINS.format(l=question["l"], at=question.at)
    return None
