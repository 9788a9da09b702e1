"""prv-accountant (Microsoft): both ends, with the errors that its manual calls typical."""

from __future__ import annotations

from crosscheck.court.question import DELTA, Question

NAME = "prv-accountant"
PACKAGE = "prv-accountant"
IMPORTS = ("prv_accountant", "scipy.stats", "scipy.special")
PROMISE = "both bounds"

LARGEST_COINS = 10**5

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


def script(question: Question) -> str | None:
    """The program: eps_error=0.1, and a delta_error of a thousandth of delta, or 1e-10 where there is none."""
    return program(question, 0.1)


def program(question: Question, eps_error: float) -> str | None:
    """The program with this eps_error."""
    law = law_lines(question)
    if law is None or (question.quantity != DELTA and not question.at):
        return None
    error = 1e-10 if question.quantity == DELTA else question.at / 1000
    method = "compute_delta" if question.quantity == DELTA else "compute_epsilon"
    return (
        f"{law}\naccountant = PRVAccountant([prv], eps_error={eps_error!r}, delta_error={error!r}, "
        f"max_self_compositions=[{question.k}])\n"
        f"lower, estimate, upper = accountant.{method}({question.at!r}, [{question.k}])\n"
    )


def law_lines(question: Question) -> str | None:
    """The lines that build the privacy random variable of one run."""
    if question.family == "binomial" and question["l"] <= LARGEST_COINS:
        return COINS.format(l=question["l"])
    if question.family == "gaussian":
        head = "from prv_accountant import GaussianMechanism, PRVAccountant"
        return f"{head}\nprv = GaussianMechanism({question['sigma']!r})"
    head = "from prv_accountant import PRVAccountant, PureDPMechanism"
    if question.family == "randomized-response":
        return f"from math import log\n{head}\nprv = PureDPMechanism(log((1 - {question['p']!r}) / {question['p']!r}))"
    return f"{head}\nprv = PureDPMechanism({question['a']!r})" if question.family == "geometric" else None
