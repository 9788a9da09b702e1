"""Two algebra systems: each by itself proves nothing false, and where one is wrong the other says so."""

from contextlib import suppress
from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from panshuffle.symbolic import derivative, identity, moments
from panshuffle.symbolic.algebra import fails_at, proves
from panshuffle.symbolic.claim import Claim, Relation, claim, parse_domain
from panshuffle.symbolic.decision import Budget, Disagreement, Exhausted, Status
from panshuffle.symbolic.derivative import check_derivative
from panshuffle.symbolic.form import Unfit
from panshuffle.symbolic.identity import ONE_SYSTEM, TWO_SYSTEMS, UNITS, check_identity, proved_by
from panshuffle.symbolic.moments import Binomial, Poisson, check_moment
from panshuffle.symbolic.point import points, violation
from panshuffle.symbolic.term import FUNCTIONS, Apply, Number, Symbol

from tests.conftest import FULL
from tests.every import every
from tests.provers import identities
from tests.provers.test_identity_prover import FALSE as OTHER_FALSE
from tests.provers.test_identity_prover import IRRATIONAL, point_of
from tests.provers.test_identity_prover import TRUE as OTHER_TRUE

TRUE = [*identities.TRUE, *OTHER_TRUE]
FALSE = [*identities.FALSE, *OTHER_FALSE]
ONLY_SYMPY = {
    "exp(x/(1 + x)) = exp(1)/exp(1/(1 + x))",
    "exp(-t^2/(l + t))*exp(t) = exp(l*t/(l + t))",
}


@every(("text", "given", "domains"), TRUE)
def test_true_identities_are_proved_by_each_system(text, given, domains):
    goal = claim(text, given, **domains)
    systems = ["sympy"] if text in ONLY_SYMPY else ["forms", "sympy"]
    assert proved_by(goal, UNITS, goal) == systems
    answer = check_identity(goal)
    assert (answer.status, answer.tier) == (Status.PROVED, ONE_SYSTEM if text in ONLY_SYMPY else TWO_SYSTEMS)


@every(("text", "given", "domains"), [*FALSE, *IRRATIONAL])
def test_no_false_identity_is_proved_by_either_system(text, given, domains):
    goal = claim(text, given, **domains)
    assert proved_by(goal, UNITS, goal) == []


@every(("text", "given", "domains"), FALSE)
def test_sympy_sees_a_false_identity_fail_at_the_witness_and_does_not_prove_what_differs(text, given, domains):
    goal = claim(text, given, **domains)
    answer = check_identity(goal)
    assert fails_at(goal, point_of(answer.witness)) is True
    assert answer.tier == TWO_SYSTEMS
    assert "not defined" in answer.witness or not proves(goal)


def test_the_corpora_are_large():
    assert min(len(identities.TRUE), len(identities.FALSE)) >= 60


def believed(text, given, domains):
    """Whether a false claim is proved, where balls find nothing wrong with it; they must where it is defined."""
    try:
        return check_identity(claim(text, given, **domains)).status is Status.PROVED
    except Disagreement as found:
        assert "is proved by an algebra system, and fails at" in str(found)
        return None


def test_a_normal_form_that_calls_everything_equal_is_found_out_by_balls(monkeypatch):
    monkeypatch.setattr(identity.Former, "vanishes", lambda self, total: True)
    answers = [believed(*case) for case in FALSE]
    assert True not in answers
    assert answers.count(None) >= 60


def test_a_second_system_that_proves_everything_is_found_out_by_balls(monkeypatch):
    monkeypatch.setattr(identity, "proves", lambda goal: True)
    answers = [believed(*case) for case in FALSE]
    assert True not in answers
    assert answers.count(None) >= 60


def test_sympy_must_see_a_counterexample(monkeypatch):
    monkeypatch.setattr(identity, "fails_at", lambda goal, point, where_defined: False)
    with pytest.raises(Disagreement, match="sympy does not see that it fails"):
        check_identity(claim("x = 2*x", x="[0, 1]"))


DERIVATIVES = [
    ("x^5", "5*x^4", "(0, inf)"),
    ("x*log(x) - x", "log(x)", "(0, inf)"),
    ("exp(x^2)/x", "exp(x^2)*(2 - 1/x^2)", "(0, inf)"),
    ("sqrt(1 + x^2)", "x/sqrt(1 + x^2)", "(-inf, inf)"),
    ("2^x", "log(2)*2^x", "(-inf, inf)"),
    ("x^x", "x^x*(log(x) + 1)", "(0, inf)"),
    ("1/(1 + exp(-x))", "exp(x)/(1 + exp(x))^2", "(-inf, inf)"),
    ("log(log(x))", "1/(x*log(x))", "(1, inf)"),
]


@pytest.mark.parametrize(("of", "equals", "domain"), DERIVATIVES)
def test_derivatives_by_two_systems(of, equals, domain):
    answer = check_derivative(of, "x", equals, x=domain)
    assert (answer.status, answer.tier) == (Status.PROVED, TWO_SYSTEMS)
    wrong = check_derivative(of, "x", f"({equals})*1.01", x=domain)
    assert (wrong.status, wrong.tier) == (Status.REFUTED, TWO_SYSTEMS)


def test_a_derivative_needs_a_term_that_is_defined():
    assert check_derivative("log(x)", "x", "1/x", x="(-inf, 0)").status is Status.REFUTED
    assert check_derivative("sqrt(x^2)", "x", "1", x="[-1, 1]").status is Status.REFUTED


def test_a_wrong_rule_of_differentiation_is_found_out(monkeypatch):
    monkeypatch.setattr(derivative, "opposite", lambda term: term)
    with pytest.raises(Disagreement):
        check_derivative("1/x", "x", "1/x^2", x="(0, inf)")


LAWS = {"X": Binomial("n", "p"), "Y": Poisson("m")}
DOMAINS = {"n": "integer [1, inf)", "p": "[0, 1]", "m": "[0, inf)"}
WRONG_STIRLING = {(0, 0): 1, (2, 1): 2, (2, 2): 1}


def test_a_wrong_moment_is_found_out(monkeypatch):
    assert check_moment("value = m + m^2", LAWS, mean_of="Y^2", **DOMAINS).tier == TWO_SYSTEMS
    monkeypatch.setattr(moments, "stirling", lambda power, order: WRONG_STIRLING.get((power, order), 0))
    with pytest.raises(Disagreement, match="is proved by an algebra system, and fails at"):
        check_moment("value = 2*m + m^2", LAWS, mean_of="Y^2", **DOMAINS)


@pytest.mark.parametrize("power", range(1, 9))
def test_moments_are_the_same_in_both_ways(power):
    from panshuffle.symbolic.moments import mean_by_sympy
    from panshuffle.symbolic.point import rational_at
    from panshuffle.symbolic.term import parse_term

    point = {"n": Fraction(11), "p": Fraction(3, 7), "m": Fraction(5, 2)}
    term = parse_term(f"(X - n*p)^{power} + X*Y^{power}")
    assert rational_at(mean_by_sympy(term, LAWS), point) == rational_at(moments.mean(term, LAWS), point)


def test_a_disagreement_is_an_error_and_no_verdict(monkeypatch):
    from panshuffle.proofs.statement import Step
    from panshuffle.proofs.verdict import result

    monkeypatch.setattr(identity, "proved_by", lambda goal, units, own: ["forms", "sympy"])
    step = Step("", "identity", "", lambda: check_identity(claim("x = x + 1", x="[0, 1]")))
    assert result(step).status == "failed"


OPERATORS = ["+", "-", "*", "*", "/", "^", "^", "exp", "log", "sqrt"]
LEAVES = [Symbol("x"), Symbol("y"), *(Number(Fraction(value)) for value in (1, 2, 3, -1, -2, "1/2"))]
EXPONENTS = [Symbol("x"), Symbol("y"), *(Number(Fraction(value)) for value in (2, 3, -1, -2, "1/2", "1/3", "3/2"))]
INTERVALS = ["(-inf, inf)", "(0, inf)", "[0, inf)", "[-1, 1]", "(-inf, 0)", "[1, inf)", "(0, 1)"]


def random_term(generator, depth):
    if depth == 0 or generator.random() < 0.15:
        return generator.choice(LEAVES)
    operator = generator.choice(OPERATORS)
    first = random_term(generator, depth - 1)
    if operator in FUNCTIONS:
        return Apply(operator, (first,))
    return Apply(
        operator, (first, generator.choice(EXPONENTS) if operator == "^" else random_term(generator, depth - 1))
    )


def random_equations(generator, domains):
    """Pairs of random terms that come to the same normal form."""
    former, found = identity.Former(domains, Budget(UNITS)), {}
    for _ in range(80):
        term = random_term(generator, 3)
        goal = Claim(domains, (), (Relation(term, "=", term),))
        with suppress(Unfit, Exhausted, RecursionError):
            if identity.defined(goal, former):
                same = found.setdefault(former.form(term), term)
                yield Claim(domains, (), (Relation(term, "=", same),))


@pytest.mark.parametrize("seed", range(12 if FULL else 6))
def test_terms_with_the_same_form_are_equal_and_defined_wherever_they_are_evaluated(seed):
    generator = Random(seed)
    domains = {name: parse_domain(generator.choice(INTERVALS)) for name in ("x", "y")}
    goals = list(random_equations(generator, domains))
    assert len(goals) > 10
    assert [goal for goal in goals if any(violation(goal, point) for point in islice(points(goal), 20))] == []
