"""The court: its truths against enumeration at 60 digits, its rulings, its isolation, its reproductions, its pages."""

import ast
import json
import sys
from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest
from panshuffle.crosscheck import export
from panshuffle.crosscheck.court.accountant import known
from panshuffle.crosscheck.court.battery import BATTERY, chosen
from panshuffle.crosscheck.court.family import case_from_json, check_case, exp_of, family_named, modules
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import law_of_bernoulli, law_of_poisson, shift
from panshuffle.exact.real import real

from tests.conftest import FULL
from tests.crosscheck.court_questions import ask
from tests.every import every


def enumerated(upper, lower, k, eps):
    """The sum over all k-tuples of the positive parts, at 60 digits."""
    factor, total = mpmath.exp(mpmath.mpf(eps)), mpmath.mpf(0)
    for outcomes in product(upper, repeat=k):
        gain = mpmath.fprod(upper[x] for x in outcomes)
        gain -= factor * mpmath.fprod(lower.get(x, mpmath.mpf(0)) for x in outcomes)
        total += max(gain, mpmath.mpf(0))
    return total


def coins(l):
    masses = {x: mpmath.mpf(comb(l, x)) / 2**l for x in range(l + 1)}
    return masses, {x + 1: mass for x, mass in masses.items()}


def poisson_pool(mu, size):
    b = [mpmath.exp(-mu) * mpmath.mpf(mu) ** x / mpmath.factorial(x) for x in range(size)]
    cells = list(product(range(size), repeat=2))
    return {(x + 1, y): b[x] * b[y] for x, y in cells}, {(x, y + 1): b[x] * b[y] for x, y in cells}


def noise(weight, reach):
    """Noise with this weight on the integers, and the same moved by 1."""
    weights = {v: weight(v) for v in range(-reach, reach + 1)}
    total = mpmath.fsum(weights.values())
    return {v: w / total for v, w in weights.items()}, {v + 1: w / total for v, w in weights.items()}


def parity_pool(users, holders, m, q):
    """The law of the number of ones, over all messages of all users."""
    masses = {}
    for bits in product((0, 1), repeat=users * m):
        chance = mpmath.mpf(1)
        for user in range(users):
            odd = sum(bits[user * m : (user + 1) * m]) % 2
            share = mpmath.mpf(1) / 2 if user < holders else (1 - q) / 2
            chance *= (share if odd else 1 - share) / 2 ** (m - 1)
        masses[sum(bits)] = masses.get(sum(bits), mpmath.mpf(0)) + chance
    return masses


def small_cases():
    """(question, its delta by enumeration, what is left out of the enumeration)."""
    half = mpmath.mpf(1) / 2
    yield ask("binomial", "delta", 0.75, l=7), enumerated(*coins(7), 1, 0.75)
    yield ask("binomial", "delta", 0.75, k=2, l=7), enumerated(*coins(7), 2, 0.75)
    yield ask("binomial", "delta", 2.0, k=4, l=5), enumerated(*coins(5), 4, 2.0)
    yield ask("poisson-pool", "delta", 0.75, mu=2.0), enumerated(*poisson_pool(2, 50), 1, 0.75)
    yield ask("poisson-pair", "delta", 1.5, mu=0.125), enumerated(*poisson_pool(mpmath.mpf(1) / 8, 14), 2, 1.5)
    q = mpmath.mpf(0.9)
    pair = parity_pool(3, 2, 2, q), parity_pool(3, 1, 2, q)
    yield ask("parity-pool", "delta", 0.25, users=3, holders=1, m=2, q=0.9), enumerated(*pair, 1, 0.25)
    lie = mpmath.mpf(0.3)
    answers = {0: 1 - lie, 1: lie}, {0: lie, 1: 1 - lie}
    yield ask("randomized-response", "delta", 1.0, k=6, p=0.3), enumerated(*answers, 6, 1.0)
    yield (
        ask("geometric", "delta", 2.0, k=2, a=1.5),
        enumerated(*noise(lambda v: mpmath.exp(-1.5 * abs(v)), 45), 2, 2.0),
    )
    bell = noise(lambda v: mpmath.exp(-half * v * v / mpmath.mpf(0.7) ** 2), 12)
    yield ask("discrete-gaussian", "delta", 3.0, k=2, sigma=0.7), enumerated(*bell, 2, 3.0)
    mu, eps = mpmath.sqrt(3) / 2, mpmath.mpf(4)
    normal = mpmath.ncdf(mu / 2 - eps / mu) - mpmath.exp(eps) * mpmath.ncdf(-mu / 2 - eps / mu)
    yield ask("gaussian", "delta", 4.0, k=3, sigma=2.0), normal


def test_both_exact_methods_enclose_what_enumeration_gives():
    with mpmath.workdps(60):
        cases = list(small_cases())
        noise_families = {name for name, module in modules().items() if module.FAMILY.group == "noise"}
        assert {question.family.name for question, _ in cases} == noise_families  # the others: test_court_shuffle.py
        for question, expected in cases:
            truth = Truth(question)
            slack = mpmath.mpf(10) ** -20
            for bounds in (truth.value, truth.other):
                assert mpmath.mpf(bounds.lower.str(40, radius=False)) <= expected + slack, question
                assert mpmath.mpf(bounds.upper.str(40, radius=False)) >= expected - slack, question
            width = float(truth.value.upper - truth.value.lower)
            assert width <= 2e-6 * float(expected), question
            assert float(truth.other.lower) >= 0.99 * float(expected), question
            assert float(truth.other.upper) <= 1.03 * float(expected), question
            assert truth.agreed


@pytest.mark.parametrize(
    ("question", "published"),
    [
        (ask("randomized-response", "delta", 90.0, k=200, p=0.3775406687981454), "6.107e-29"),
        (ask("gaussian", "delta", 7.437799, k=10**4, sigma=100.0), "2.43e-13"),
        *([(ask("binomial", "delta", 10.0, k=4096, l=10**4), "5.4e-14")] if FULL else []),
        (ask("binomial", "delta", 0.2, k=2, l=10**4), "3.38e-15"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "2.9216"),
    ],
    ids=str,
)
def test_truths_that_others_have_measured(question, published):
    digits = len(published.partition("e")[0].replace(".", ""))
    assert float(f"{float(Truth(question).text[0]):.{digits - 1}e}") == float(published)


@every("problem", BATTERY)
def test_the_battery_is_valid_and_has_a_program_that_compiles(problem):
    question = problem.case
    check_case(question)
    assert case_from_json(json.loads(json.dumps(question.as_json()))) == question
    programs = [one.script(question) for one in known().values()]
    assert any(programs) or question.family is family_named("binomial")
    for text in filter(None, programs):
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert names & {"upper", "lower"}
        assert "crosscheck" not in text and "panshuffle" not in text


def test_the_battery_names_are_unique_and_cover_every_family():
    names = [problem.case.name for problem in BATTERY]
    assert len(set(names)) == len(names)
    assert {problem.case.family.name for problem in BATTERY} == set(modules())
    assert {question.family.name for question in chosen(None, True)} == set(modules())
    assert [module.FAMILY.place for module in modules().values()] == list(range(len(modules())))


@every(
    "question",
    [
        ask("binomial", "delta", 1.0, n=1),
        ask("binomial", "delta", 1.0, l=0),
        ask("binomial", "delta", 1.0, l=1.5),
        ask("binomial", "delta", -1.0, l=1),
        ask("binomial", "delta", float("nan"), l=1),
        ask("binomial", "epsilon", 2.0, l=1),
        ask("binomial", "risk", 1.0, l=1),
        ask("binomial", "delta", 1.0, k=0, l=1),
        ask("binomial", "delta", 1.0, k=3, l=10**6),
        ask("poisson-pair", "delta", 1.0, mu=1e3),
        ask("randomized-response", "delta", 1.0, p=0.5),
        ask("gaussian", "delta", 1.0, sigma=float("inf")),
        ask("discrete-gaussian", "delta", 1.0, sigma=1e6),
        ask("parity-pool", "delta", 1.0, users=2, holders=2, m=1, q=0.5),
        ask("parity-pool", "delta", 1.0, k=2, users=2, holders=1, m=1, q=0.5),
    ],
)
def test_a_question_that_is_not_allowed_is_refused(question):
    with pytest.raises(InputError):
        check_case(question)


def test_a_family_that_is_not_known_is_refused():
    with pytest.raises(InputError, match="family = unknown is not known: it must be one of binomial, poisson-pool"):
        ask("unknown", "delta", 1.0, l=1)


def test_exported_masses_are_rounded_to_the_side_that_was_asked_for():
    upper, lower = law_of_poisson(real(3)), shift(law_of_poisson(real(3)), 1)
    with mpmath.workdps(60):
        for pessimistic in (True, False):
            above, below = export.log_masses(upper, lower, pessimistic)
            for x in range(20):
                exact = x * mpmath.log(3) - 3 - mpmath.log(mpmath.factorial(x))
                for found, up in ((above[x], pessimistic), (below[x + 1], not pessimistic)):
                    assert (mpmath.mpf(found) >= exact) if up else (mpmath.mpf(found) <= exact)
                    assert abs(mpmath.mpf(found) - exact) < 1e-14
            assert (export.REST in above) == pessimistic
            assert (0 in below) != pessimistic  # an outcome that the list of the lower law misses is not infinite loss


def test_the_export_says_that_dp_accounting_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    law = law_of_bernoulli(real("1/2"))
    with pytest.raises(InputError, match="not installed"):
        export.to_dp_accounting(law, law)


def test_the_place_of_a_question_is_the_double_itself():
    assert exp_of(0.5) == exp_of(float(Fraction(1, 2)))
    assert exp_of(0.1) != exp_of(float(Fraction(1, 10)) + 2**-56)
