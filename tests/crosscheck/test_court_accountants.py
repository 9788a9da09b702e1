"""The accountants that are installed, before the court.

Run by `make court`, in an environment that has them; where one is missing, its tests fail.  What depends on the
rounding of a Fourier transform differs from machine to machine; for that the ruling is compared with the claim.
"""

import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from math import erfc
from math import exp as exp_float

import pytest
from panshuffle.crosscheck.court.accountant import known
from panshuffle.crosscheck.court.battery import BATTERY
from panshuffle.crosscheck.court.family import family_named
from panshuffle.crosscheck.court.isolation import IsolatedAccountant
from panshuffle.crosscheck.court.judgment import hearing
from panshuffle.crosscheck.court.ruling import rulings_of
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.crosscheck.export import to_dp_accounting
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import law_of_binomial, law_of_poisson, shift
from panshuffle.exact.real import real
from panshuffle.exact.views.binomial import shift_delta

import panshuffle

MODULES = {
    "dp-accounting": "dp_accounting",
    "prv-accountant": "prv_accountant",
    "autodp": "autodp",
    "opendp": "opendp",
    "scipy": "scipy",
}


def ask(family, quantity, at, k=1, **letters):
    return family_named(family).case(quantity, at, k, **letters)


def heard(name, *questions):
    """The rulings on one accountant, which has to be installed."""
    import_module(MODULES[known()[name].package])
    found = []
    with IsolatedAccountant(known()[name], 60.0) as isolated:
        for question in questions:
            found += rulings_of(Truth(question), name, isolated.ask(question), known()[name].promise)
    return found


MODERATE = (
    ask("binomial", "delta", 0.2, l=1000),
    ask("binomial", "epsilon", 1e-6, l=1000),
    ask("poisson-pool", "delta", 0.5, mu=100.0),
    ask("poisson-pair", "delta", 1.0, mu=10.0),
    ask("parity-pool", "delta", 0.5, users=10, holders=1, m=3, q=0.9),
    ask("randomized-response", "delta", 10.0, k=20, p=0.25),
    ask("gaussian", "delta", 2.9, k=10, sigma=5.0),
    ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0),
    ask("discrete-gaussian", "delta", 0.5, sigma=10.0),
)


@pytest.mark.parametrize("name", ["dp-accounting", "prv-accountant", "autodp", "opendp"])
def test_where_delta_is_moderate_the_bounds_hold(name):
    questions = [question for question in MODERATE if known()[name].script(question) is not None]
    assert questions
    assert {one.verdict for one in heard(name, *questions)} == {"sound"}


@pytest.mark.parametrize(
    ("name", "question", "claim", "verdict"),
    [
        ("dp-accounting", ask("binomial", "epsilon", 0.0, l=2000), 7.601, "within rounding"),
        ("autodp-phi", ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), -0.0048, "not a bound"),
        ("scipy-cdf", ask("binomial", "delta", 1.0, l=1000), 0.0, "not a bound"),
    ],
)
def test_rulings_that_do_not_depend_on_the_machine(name, question, claim, verdict):
    (ruling,) = heard(name, question)
    assert ruling.verdict == verdict
    assert abs(float(ruling.claim) - claim) <= 1e-2 * abs(claim)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("dp-accounting", ask("binomial", "delta", 10.0, k=4096, l=10**4)),
        ("dp-accounting", ask("gaussian", "epsilon", 1e-13, k=10**4, sigma=100.0)),
        ("dp-accounting-untruncated", ask("randomized-response", "delta", 90.0, k=200, p=0.3775406687981454)),
    ],
)
def test_rulings_on_rounding_follow_from_the_claim(name, question):
    (ruling,) = heard(name, question)
    claim, truth = Fraction(float(ruling.claim)), Fraction(Truth(question).text[0])
    low = claim < truth * (1 - Fraction(1, 10**5))
    high = claim > truth * (1 + Fraction(1, 10**5))
    assert low or high
    assert ruling.verdict == ("unsound" if low else "sound")


@pytest.mark.parametrize("name", [one.name for one in known().values() if one.package is not None])
def test_every_program_of_the_quick_battery_answers(name):
    import_module(MODULES[known()[name].package])
    truths = [Truth(problem.case) for problem in BATTERY if problem.quick and problem.case.k <= 100]
    rulings, _ = hearing(known()[name], truths, 60.0, shrink=False)
    assert {one.verdict for one in rulings} <= {"sound", "unsound", "not a bound", "within rounding", "not asked"}
    assert any(one.claim is not None for one in rulings)


def test_a_reproduction_needs_nothing_but_the_accountant():
    import_module("dp_accounting")
    truths = [Truth(ask("binomial", "delta", 10.0, k=4096, l=10**4))]
    rulings, found = hearing(known()["dp-accounting"], truths, 60.0, shrink=True)
    assert len(found) == sum(one.verdict == "unsound" for one in rulings)  # rounding may be kinder elsewhere
    for one in found:
        command = [sys.executable, "-c", one.program]
        result = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
        assert float(result.stdout) == pytest.approx(float(one.ruling.claim), rel=1e-3)  # threads round otherwise


def test_an_exported_pair_is_a_bound_from_the_side_that_was_asked_for():
    import_module("dp_accounting")
    coins = law_of_binomial(100, real("1/2"))
    truth = float(shift_delta(100, real("1/2"), real("exp(1/2)"), 64))
    high = to_dp_accounting(coins, shift(coins, 1)).get_delta_for_epsilon(0.5)
    low = to_dp_accounting(coins, shift(coins, 1), pessimistic_estimate=False).get_delta_for_epsilon(0.5)
    assert low <= truth <= high <= 1.01 * low
    counts = law_of_poisson(real(50))
    above = to_dp_accounting(counts, shift(counts, 1)).get_delta_for_epsilon(0.5)
    below = to_dp_accounting(counts, shift(counts, 1), pessimistic_estimate=False).get_delta_for_epsilon(0.5)
    assert 0 < below <= above <= 1.01 * below


PARTS = ["local --eps0 1 --n 10000", "binomial --l 400 --p 1/3", "distinct-elements --n 5 --eps 1 --m 3 --k 3"]


@pytest.mark.parametrize("line", PARTS)
def test_losses_in_their_hands_are_above_ours(line, tmp_path):
    """At nine eps, up to the rounding of their doubles; ten uses are between our ends, up to their lattice."""
    law = panshuffle.to_dp_accounting(line, interval=1e-3)
    for eps in ("0", "0.003", "0.01", "0.03", "0.1", "0.3", "0.7", "1", "2"):
        ours = Fraction(panshuffle.compose(line, at_eps=eps).upper)
        assert law.get_delta_for_epsilon(float(eps)) >= ours * Fraction(10**9 - 1, 10**9) - Fraction(1, 10**15)
    ten = law.self_compose(10)
    least = panshuffle.compose(f"{line} --uses 10", at_delta="1e-6")
    assert ten.get_epsilon_for_delta(1e-6) >= float(least.lower)
    assert ten.get_epsilon_for_delta(1e-6) <= 1.05 * float(least.upper)
    back = panshuffle.from_dp_accounting(ten, str(tmp_path / "ten.json"))
    again = panshuffle.compose(back, "binomial --l 1000", at_delta="1e-6")
    assert float(again.upper) >= float(least.lower)


def test_losses_of_theirs_are_composed_with_ours(tmp_path):
    """The Gaussian mechanism, whose delta is a formula, alone and with coins."""
    library = import_module("dp_accounting.pld.privacy_loss_distribution")
    part = panshuffle.from_dp_accounting(library.from_gaussian_mechanism(2.0), str(tmp_path / "gauss.json"))
    alone = panshuffle.compose(part, at_eps=1)
    truth = 0.5 * (erfc((2 - 0.25) / 2**0.5) - exp_float(1) * erfc((2 + 0.25) / 2**0.5))
    assert truth * 0.9999 <= float(alone.upper) <= 1.02 * truth
    both = panshuffle.compose(part, "binomial --l 100", at_eps=1)
    assert float(both.upper) > float(alone.upper)
    optimistic = library.from_gaussian_mechanism(2.0, pessimistic_estimate=False)
    with pytest.raises(InputError, match="optimistic"):
        panshuffle.from_dp_accounting(optimistic, str(tmp_path / "no.json"))
