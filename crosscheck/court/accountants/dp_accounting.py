"""dp-accounting (Google) at its default settings: pessimistic privacy loss distributions."""

from __future__ import annotations

from math import isqrt

from crosscheck.court.question import DELTA, Question

NAME = "dp-accounting"
PACKAGE = "dp-accounting"
IMPORTS = ("dp_accounting.pld.privacy_loss_distribution", "scipy.stats")
PROMISE = "upper bound"

LISTED = 10_000
LARGEST_LISTED = 10**9
HEAD = "from dp_accounting.pld import privacy_loss_distribution as pld"

COINS = """\
from scipy.stats import binom
l = {l}
outcomes = range(l + 1)
plain = dict(zip(outcomes, binom.logpmf(outcomes, l, 0.5).tolist()))
moved = {{x + 1: mass for x, mass in plain.items()}}
law = pld.from_two_probability_mass_functions(plain, moved{options})"""

WINDOW = """\
from math import log
from scipy.stats import binom
l = {l}
outcomes = range(l // 2 - {reach}, l // 2 + {reach} + 1)  # 37 standard deviations: all that is above 1e-298
plain = {{x: log(mass) for x, mass in zip(outcomes, binom.pmf(outcomes, l, 0.5)) if mass > 0}}
moved = {{x + 1: mass for x, mass in plain.items()}}
law = pld.from_two_probability_mass_functions(plain, moved{options})"""

POOL = """\
from scipy.stats import poisson
mu = {mu!r}
outcomes = range(int(mu + 40 * mu**0.5) + 60)
plain = dict(zip(outcomes, poisson.logpmf(outcomes, mu).tolist()))
moved = {{x + 1: mass for x, mass in plain.items()}}
ones = pld.from_two_probability_mass_functions(plain, moved{options})
zeros = pld.from_two_probability_mass_functions(moved, plain{options})
law = ones.compose(zeros)"""

PARITY = """\
from fractions import Fraction
from math import comb, log
def pool(holders):
    total = [Fraction(1)]
    for user in range({users}):
        odd = Fraction(1, 2) if user < holders else (1 - Fraction({q!r})) / 2
        one = [comb({m}, x) * (odd if x % 2 else 1 - odd) / 2**({m} - 1) for x in range({m} + 1)]
        total = [
            sum(total[x - y] * one[y] for y in range({m} + 1) if 0 <= x - y < len(total))
            for x in range(len(total) + {m})
        ]
    return {{x: log(mass) for x, mass in enumerate(total) if mass}}
law = pld.from_two_probability_mass_functions(pool({holders}), pool({holders} + 1){options})"""


def script(question: Question) -> str | None:
    """The program."""
    return program(question, "upper")


def program(question: Question, side: str, options: str = "", truncation: str = "") -> str | None:
    """The program that sets one side, with options for the law and for the composition."""
    law = law_lines(question, options)
    if law is None:
        return None
    runs = 2 if question.family == "poisson-pair" else question.k
    composed = f"law.self_compose({runs}{truncation})" if runs > 1 else "law"
    method = "get_delta_for_epsilon" if question.quantity == DELTA else "get_epsilon_for_delta"
    return f"{HEAD}\n{law}\n{side} = {composed}.{method}({question.at!r})\n"


def law_lines(question: Question, options: str) -> str | None:
    """The lines that build the law of one run."""
    if question.family == "binomial":
        l = question["l"]
        if l > LARGEST_LISTED:
            return None
        return (COINS if l <= LISTED else WINDOW).format(l=l, reach=37 * isqrt(l) // 2, options=options)
    if question.family in ("poisson-pool", "poisson-pair"):
        return POOL.format(mu=question["mu"], options=options)
    if question.family == "parity-pool":
        return PARITY.format(**dict(question.letters), options=options)
    calls = {
        "randomized-response": lambda: f"from_randomized_response({2 * question['p']!r}, 2{options})",
        "geometric": lambda: f"from_discrete_laplace_mechanism({question['a']!r}{options})",
        "gaussian": lambda: f"from_gaussian_mechanism({question['sigma']!r}{options})",
        "discrete-gaussian": lambda: f"from_discrete_gaussian_mechanism({question['sigma']!r}{options})",
    }
    return f"law = pld.{calls[question.family]()}" if question.family in calls else None
