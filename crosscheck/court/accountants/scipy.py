"""scipy as people write it: binomial tails, normal tails, and sums of masses, in doubles."""

from __future__ import annotations

from panshuffle.crosscheck.court.accountant import ESTIMATE, Accountant
from panshuffle.crosscheck.court.families import binomial, gaussian, randomized_response
from panshuffle.crosscheck.court.family import DELTA, Case

PACKAGE = "scipy"
BETA_COINS = """\
from math import exp, floor
from scipy.special import betainc
l, eps = {l}, {at!r}
c = floor((l + 1) / (1 + exp(eps)))  # Bin(l, 1/2) is e^eps times as likely as 1 + Bin(l, 1/2) up to c
upper = betainc(l - c, c + 1, 0.5) - exp(eps) * betainc(l - c + 1, c, 0.5)
"""
CDF_COINS = """\
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
LARGEST_LISTED = 10**7  # a few arrays of this length fit into the memory that an accountant is given
SUM = """\
from math import exp
import numpy as np
from scipy.stats import {law}
x = np.arange({stop})
upper_law, lower_law = {masses}
upper = np.maximum(upper_law - exp({at!r}) * lower_law, 0).sum()
"""


def by_beta_function(case: Case) -> str | None:
    """The regularized incomplete beta function as the binomial tail."""
    if case.family is not binomial.FAMILY or case.k != 1 or case.quantity != DELTA:
        return None
    return BETA_COINS.format(l=case["l"], at=case.at)


def by_distribution_function(case: Case) -> str | None:
    """One minus a cumulative distribution function, and the normal tails of the closed form."""
    if case.quantity != DELTA:
        return None
    if case.family is gaussian.FAMILY:
        return NORMAL.format(**dict(case.letters), k=case.k, at=case.at)
    if case.family is binomial.FAMILY and case.k == 1:
        return CDF_COINS.format(l=case["l"], at=case.at)
    return None


def by_sum(case: Case) -> str | None:
    """The sum of the positive parts of the masses."""
    if case.quantity != DELTA:
        return None
    if case.family is binomial.FAMILY and case.k == 1 and case["l"] <= LARGEST_LISTED:
        l = case["l"]
        masses = f"binom.pmf(x - 1, {l}, 0.5), binom.pmf(x, {l}, 0.5)"
        return SUM.format(law="binom", stop=l + 2, masses=masses, at=case.at)
    if case.family is randomized_response.FAMILY:
        k, p = case.k, case["p"]
        masses = f"binom.pmf(x, {k}, 1 - {p!r}), binom.pmf(x, {k}, {p!r})"
        return SUM.format(law="binom", stop=k + 1, masses=masses, at=case.at)
    return None


ACCOUNTANTS = (
    Accountant("scipy-betainc", by_beta_function, ("scipy.special",), PACKAGE, ESTIMATE),
    Accountant("scipy-cdf", by_distribution_function, ("scipy.stats",), PACKAGE, ESTIMATE),
    Accountant("scipy-sum", by_sum, ("scipy.stats",), PACKAGE, ESTIMATE),
)
