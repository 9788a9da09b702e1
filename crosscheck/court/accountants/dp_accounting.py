"""dp-accounting (Google): its default settings, and two others that its documentation offers."""

from __future__ import annotations

from functools import partial
from math import isqrt

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.families import (
    binomial,
    discrete_gaussian,
    gaussian,
    geometric,
    parity_pool,
    poisson_pair,
    poisson_pool,
    randomized_response,
)
from panshuffle.crosscheck.court.family import DELTA, Case

PACKAGE = "dp-accounting"
IMPORTS = ("dp_accounting.pld.privacy_loss_distribution", "scipy.stats")
LISTED = 10_000  # up to so many coins all outcomes are listed, and beyond it those of a window
LARGEST_LISTED = 10**9  # the window of more coins has millions of outcomes, which is too slow
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


def program(case: Case, side: str = "upper", options: str = "", truncation: str = "") -> str | None:
    """The program that sets one side, with options for the law and for the composition."""
    law = law_lines(case, options)
    if law is None:
        return None
    runs = 2 if case.family is poisson_pair.FAMILY else case.k
    composed = f"law.self_compose({runs}{truncation})" if runs > 1 else "law"
    method = "get_delta_for_epsilon" if case.quantity == DELTA else "get_epsilon_for_delta"
    return f"{HEAD}\n{law}\n{side} = {composed}.{method}({case.at!r})\n"


def untruncated(case: Case) -> str | None:
    """The program for small deltas; without a composition it is the default one, which need not be asked twice."""
    if case.k == 1 and case.family is not poisson_pair.FAMILY:
        return None
    return program(case, truncation=", tail_mass_truncation=0")


def law_lines(case: Case, options: str) -> str | None:
    """The lines that build the law of one run."""
    if case.family is binomial.FAMILY:
        l = case["l"]
        if l > LARGEST_LISTED:
            return None
        return (COINS if l <= LISTED else WINDOW).format(l=l, reach=37 * isqrt(l) // 2, options=options)
    if case.family in (poisson_pool.FAMILY, poisson_pair.FAMILY):
        return POOL.format(mu=case["mu"], options=options)
    if case.family is parity_pool.FAMILY:
        return PARITY.format(**dict(case.letters), options=options)
    calls = {
        randomized_response.FAMILY: lambda: f"from_randomized_response({2 * case['p']!r}, 2{options})",
        geometric.FAMILY: lambda: f"from_discrete_laplace_mechanism({case['a']!r}{options})",
        gaussian.FAMILY: lambda: f"from_gaussian_mechanism({case['sigma']!r}{options})",
        discrete_gaussian.FAMILY: lambda: f"from_discrete_gaussian_mechanism({case['sigma']!r}{options})",
    }
    return f"law = pld.{calls[case.family]()}" if case.family in calls else None


OPTIMISTIC = partial(
    program, side="lower", options=", pessimistic_estimate=False", truncation=", tail_mass_truncation=0"
)
PESSIMISTIC = (
    'privacy_loss_distribution.py, pessimistic_estimate: "whether the rounding is done in such a way that the '
    'resulting epsilon-hockey stick divergence computation gives an upper estimate to the real value"'
)
LOWER = (
    f'{PESSIMISTIC}; self_compose: truncation "currently only supports for pessimistic estimates", so that it is '
    "switched off here"
)
ACCOUNTANTS = (
    Accountant("dp-accounting", program, IMPORTS, PACKAGE, documented=PESSIMISTIC),
    Accountant("dp-accounting-optimistic", OPTIMISTIC, IMPORTS, PACKAGE, "lower estimate", documented=LOWER),
    Accountant("dp-accounting-untruncated", untruncated, IMPORTS, PACKAGE, documented=PESSIMISTIC),
)
