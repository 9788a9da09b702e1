"""prv-accountant (Microsoft): both ends, with the errors that its manual calls typical, and with a finer one.

The finer one is slower, and close to its limits: it is asked for eps of compositions only.
"""

from __future__ import annotations

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.families import binomial, gaussian, geometric, randomized_response
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Case

PACKAGE = "prv-accountant"
IMPORTS = ("prv_accountant", "scipy.stats", "scipy.special")
BOTH_BOUNDS = "both bounds"
LARGEST_COINS = 10**5  # all tails are listed in an array, and summed for every Renyi order

COINS = """\
import numpy as np
from prv_accountant import PRVAccountant, PrivacyRandomVariable
from scipy.special import logsumexp
from scipy.stats import binom

class Coins(PrivacyRandomVariable):
    \"\"\"The loss log((l + 1 - x)/x) of x ~ Bin(l, 1/2) against 1 + Bin(l, 1/2).\"\"\"
    l = {l}
    pm_inf = 2.0**-l
    tails = binom.sf(np.arange(-1, l + 1), l, 0.5)  # P[x >= 0], P[x >= 1], ...
    def cdf(self, t):
        return self.tails[np.ceil((self.l + 1) / (1 + np.exp(np.float64(t)))).astype(int)]
    def rdp(self, alpha):
        x = np.arange(1, self.l + 1)
        return logsumexp(binom.logpmf(x, self.l, 0.5) + (alpha - 1) * np.log((self.l + 1 - x) / x)) / (alpha - 1)

prv = Coins()"""


def program(case: Case, eps_error: float = 0.1) -> str | None:
    """The program: a delta_error of a thousandth of delta, or 1e-10 where there is none."""
    law = law_lines(case)
    if law is None or (case.quantity != DELTA and not case.at):
        return None
    error = 1e-10 if case.quantity == DELTA else case.at / 1000
    method = "compute_delta" if case.quantity == DELTA else "compute_epsilon"
    return (
        f"{law}\naccountant = PRVAccountant([prv], eps_error={eps_error!r}, delta_error={error!r}, "
        f"max_self_compositions=[{case.k}])\n"
        f"lower, estimate, upper = accountant.{method}({case.at!r}, [{case.k}])\n"
    )


def fine(case: Case) -> str | None:
    """The program with eps_error=0.001."""
    return program(case, 0.001) if case.quantity == EPSILON and case.k > 1 else None


def law_lines(case: Case) -> str | None:
    """The lines that build the privacy random variable of one run."""
    if case.family is binomial.FAMILY and case["l"] <= LARGEST_COINS:
        return COINS.format(l=case["l"])
    if case.family is gaussian.FAMILY:
        head = "from prv_accountant import GaussianMechanism, PRVAccountant"
        return f"{head}\nprv = GaussianMechanism({case['sigma']!r})"
    head = "from prv_accountant import PRVAccountant, PureDPMechanism"
    if case.family is randomized_response.FAMILY:
        return f"from math import log\n{head}\nprv = PureDPMechanism(log((1 - {case['p']!r}) / {case['p']!r}))"
    return f"{head}\nprv = PureDPMechanism({case['a']!r})" if case.family is geometric.FAMILY else None


DOCUMENTED = (
    'accountant.py, compute_epsilon: "Return lower bound for $\\varepsilon$, estimate for $\\varepsilon$ and upper '
    'bound for $\\varepsilon$", with the errors eps_error and delta_error in them already'
)
ACCOUNTANTS = (
    Accountant("prv-accountant", program, IMPORTS, PACKAGE, BOTH_BOUNDS, documented=DOCUMENTED),
    Accountant("prv-accountant-fine", fine, IMPORTS, PACKAGE, BOTH_BOUNDS, documented=DOCUMENTED),
)
