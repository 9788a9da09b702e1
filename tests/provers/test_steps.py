"""The steps of proofs: no wrapper says proved of what its prover was not asked."""

import pytest
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import (
    average,
    computed,
    derivative,
    exhaustive,
    identity,
    inequality,
    moment,
    no_constant,
    series,
    smt,
)
from panshuffle.proofs.verdict import check_statement, result
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.derivative import check_derivative
from panshuffle.symbolic.exhaustive import check_scope, line
from panshuffle.symbolic.moments import check_moment, parse_law
from panshuffle.symbolic.sequence import check_induction, check_sum
from panshuffle.symbolic.term import TermError, parse_term

from tests.every import every

UNIT = "[0, 1]"


@every(
    ("call", "message"),
    [
        (lambda: check_sum("2^n*previous", summand="previous", previous="[1, 2]"), "the name previous is taken"),
        (lambda: check_induction("previous", first="1", step="previous", previous="[1, 2]"), "previous is taken"),
        (lambda: check_induction("n", first="0", step="previous + 1", n="[-5, 5]"), "domain from the induction"),
        (lambda: check_induction("previous", first="0", step="1", variable="previous"), "previous is taken"),
        (lambda: check_induction("m", first="0", step="previous"), "m has no domain"),
        (lambda: check_derivative("x", "y", "0", x=UNIT), "y has no domain"),
        (lambda: check_derivative("n", "n", "1", n="integer [0, 1]"), "n has no interval"),
        (lambda: check_derivative("x", "x", "1", x="[1, 1]"), "x has no interval"),
        (lambda: check_derivative("x", "x", "1", x="[1, 0]"), "x has no interval"),
        (lambda: check_derivative("x", "x", "1 = 2", x=UNIT), "is not a term"),
        (lambda: parse_law("Geometric(m)"), "is not a law: write"),
        (lambda: parse_law("Bin(n)"), "is not a law: write"),
        (lambda: parse_law("Pois(m, 2)"), "is not a law: write"),
        (lambda: parse_law("Pois(m"), "is not a law: write"),
        (lambda: parse_law("Pois()"), "is not a term"),
        (lambda: parse_law("3"), "is not a law: write"),
        (lambda: parse_term("1e99999999"), "1e99999999 is not read: the exponent of a number is at most"),
        (lambda: parse_term("1e-99999999 + x"), "is not read"),
        (lambda: parse_term("0x10"), "is not a number"),
        (lambda: parse_term("-" * 300 + "x"), "nested more than"),
        (lambda: parse_term("+".join(["x"] * 300)), "nested more than"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(call, message):
    with pytest.raises(TermError, match=message):
        call()


@every(
    ("laws", "domains", "message"),
    [
        ({"X": "Bin(n, p)"}, {"n": "integer [0, 9]", "p": "[0, 2]"}, "the probability p is not known"),
        ({"X": "Bin(n, p)"}, {"n": "integer [0, 9]", "p": "[-1, 1]"}, "the probability p is not known"),
        ({"X": "Bin(n, 1/2)"}, {"n": "[-1, 9]"}, "n is not known to be a whole number"),
        ({"X": "Bin(n/2, 1/2)"}, {"n": "integer [0, 9]"}, "n/2 is not known to be a whole number"),
        ({"X": "Bin(n + 1/2, 1/2)"}, {"n": "integer [0, 9]"}, "is not known to be a whole number"),
        ({"X": "Pois(m)"}, {"m": "[-1, 1]"}, "the mean m is not known to be at least 0"),
        ({"X": "Pois(m - L)", "L": "Pois(m)"}, {"m": UNIT}, "the mean m - L is not known"),
        ({"X": "Bin(L, L)", "L": "Pois(m)"}, {"m": UNIT}, "the probability L is not known"),
        ({"X": "Pois(X)"}, {}, "not later random variables"),
        ({"m": "Pois(m)"}, {"m": UNIT}, "m is a random variable and a parameter"),
        ({"value": "Pois(m)"}, {"m": UNIT}, "the name value is taken"),
        ({"X": "Pois(value)"}, {"value": UNIT}, "the name value is taken"),
        ({"X": "Pois(q)"}, {"m": UNIT}, "q has no domain"),
    ],
)
def test_a_moment_of_an_impossible_law_is_not_proved(laws, domains, message):
    read = {name: parse_law(text) for name, text in laws.items()}
    with pytest.raises(TermError, match=message):
        check_moment("value = value", read, mean_of=next(iter(laws)), **domains)
    step = moment("value = value", laws, mean_of=next(iter(laws)), **domains)
    assert result(step).status == "undecided"


def test_a_moment_that_is_not_spoken_of_is_refused():
    with pytest.raises(TermError, match="does not speak of the value"):
        check_moment("m = m", {"X": parse_law("Pois(m)")}, mean_of="X", m=UNIT)


def test_a_number_of_trials_is_whole():
    """E[X^2] = l is true of Bin(l, 1) at l = 0 and 1, and false between: there is no such law."""
    law = {"X": parse_law("Bin(l, 1)")}
    assert check_moment("value = l^2", law, mean_of="X^2", l="[0, inf)").status is Status.PROVED
    assert check_moment("value = l", law, mean_of="X^2", l="[0, 1]").status is not Status.REFUTED
    assert check_moment("value = l", law, mean_of="X^2", l="[0, 2]").status is Status.REFUTED


@pytest.mark.parametrize(
    ("of", "equals", "domain", "status"),
    [
        ("x + log(-1)", "1", UNIT, Status.REFUTED),
        ("x + 0/x", "1", UNIT, Status.REFUTED),
        ("1/x", "-1/x^2", UNIT, Status.REFUTED),
        ("x^2", "2.1*x", UNIT, Status.REFUTED),
        ("sqrt(x)", "1/(2*sqrt(x))", UNIT, Status.UNDECIDED),
        ("x^(1/2)", "1/(2*sqrt(x))", UNIT, Status.UNDECIDED),
        ("sqrt(x^4)", "2*x", "[-1, 1]", Status.UNDECIDED),
        ("sqrt(x^2)", "1", "[-1, 1]", Status.REFUTED),
        ("sqrt(x)", "1/(2*sqrt(x))", "(0, 1]", Status.PROVED),
        ("x^(3/2)", "3/2*sqrt(x)", UNIT, Status.PROVED),
    ],
)
def test_a_derivative_is_of_what_is_defined_and_has_one(of, equals, domain, status):
    assert derivative(of, "x", equals, x=domain).check().status is status


def test_an_induction_that_holds_and_one_that_does_not():
    assert check_sum("n*(n + 1)/2", summand="n").status is Status.PROVED
    assert check_sum("n*(n + 1)/2 + c", summand="n", c=UNIT).status is Status.REFUTED
    assert check_induction("sqrt(n*n)", first="-5", step="previous + 1", start=-5).status is Status.REFUTED


@every(
    ("violation", "constant", "toward"),
    [
        (smt("C > 0", C="[1, 9]"), "C", "inf"),
        (smt("C > 0", C="integer [1, inf)"), "C", "inf"),
        (smt("C < 10", ("C <= 9",), C="[1, inf)"), "C", "inf"),
        (inequality("C < 10", ("C <= 9",), C="[1, inf)"), "C", "inf"),
        (smt("C > 0", C="[1, inf)"), "D", "inf"),
        (inequality("C > -1", C="[0, 1]"), "C", "0"),
        (inequality("C > 0", C="(1/2, 1]"), "C", "0"),
        (identity("C = C", C="(-inf, 0]"), "C", "inf"),
        (computed("no claim", lambda: Decision(Status.PROVED, "")), "C", "inf"),
    ],
)
def test_a_constant_goes_to_the_end_or_is_refused(violation, constant, toward):
    with pytest.raises(ValueError, match=r"is not a claim without hypotheses about|says nothing of"):
        no_constant("some constant", violation, constant, toward)


def test_a_constant_is_refuted_by_a_violation_that_is_proved():
    assert no_constant("", smt("C + 1 > C", C="[1, inf)"), "C").check().status is Status.REFUTED
    assert no_constant("", smt("C > 2", C="[1, inf)"), "C").check().status is Status.UNDECIDED
    assert no_constant("", smt("C + D > 0", C="[1, inf)", D="[1, inf)"), "C").check().status is Status.REFUTED
    assert no_constant("", smt("C > D", C="[1, inf)", D="[1, inf)"), "C").check().status is Status.UNDECIDED
    nothing = smt("C + D > 0", C="[1, inf)", D="integer [1/3, 2/3]")
    assert no_constant("", nothing, "C").check().status is Status.UNDECIDED


def test_variables_may_be_declared_in_one_text():
    together = smt("x + y <= n + 1", for_all="x, y in [0, 1]; n in integer [1, inf)")
    assert together == smt("x + y <= n + 1", x="[0, 1]", y="[0, 1]", n="integer [1, inf)")
    assert result(together).status == "proved"


def test_terms_of_a_sum_are_said_to_be_terms():
    noise = {"X": "Bin(l, 1/2)"}
    spread = moment("value = l/4", noise, variance_of="X - l/2", each="j", l="[0, inf)")
    assert spread.text.endswith("for the terms of sums over j, uncorrelated")
    assert result(spread).status == "proved"
    assert identity("x = x", each="j", x=UNIT).text.endswith("for the terms of sums over j")
    assert result(identity("x = 2*x", each="j", x=UNIT)).status == "refuted"


def test_means_and_series_are_proved_and_their_neighbours_are_not():
    event = {"outcome": {"x": "[0, inf)", "i": UNIT}, "means": {"i": "P", "x": "M"}, "a": "(0, inf)"}
    given = ("i*(1 - i) = 0", "i*(x - a) >= 0")
    assert result(average("P <= M/a", "a*i <= x", given, **event)).status == "proved"
    assert result(average("P <= 0.9*M/a", "a*i <= x", given, **event)).status == "undecided"
    assert result(series("exp(c)", "1", "c/(x + 1)", "c", c=UNIT)).status == "proved"
    assert result(series("1 + c", "1", "c/(x + 1)", "c", c=UNIT)).status == "refuted"


def test_a_computed_step_names_its_second_way():
    step = computed("says", lambda: Decision(Status.PROVED, ""), second="by enumeration")
    assert step.text == "says; second way: by enumeration"
    assert computed("says", lambda: Decision(Status.PROVED, "")).text == "says"


@every("prover", [identity, smt, inequality])
@every(
    ("conclusion", "given", "domains"),
    [
        ("x = x", (), {"x": "[1, 0]"}),
        ("x = x", (), {"x": "(0, 0]"}),
        ("n = n", (), {"n": "integer [1/3, 2/3]"}),
        ("n = n", (), {"n": "integer (0, 1)"}),
        ("x = x", ("log(x) > 0",), {"x": "[-1, 0]"}),
        ("x = x", ("x < 0",), {"x": UNIT}),
        ("x = x", (), {"x": "[0, log(0)]"}),
        ("x <= x", (), {"x": "[1, 0]"}),
        ("n <= n", (), {"n": "integer (0, 1)"}),
        ("x <= x", ("sqrt(x) >= 0",), {"x": "[-2, -1]"}),
        ("1 <= 1/0", (), {}),
        ("log(-1) <= exp(9)", (), {}),
    ],
)
def test_a_claim_about_nothing_or_of_what_is_undefined_is_not_proved(prover, conclusion, given, domains):
    assert result(prover(conclusion, given, **domains)).status != "proved"


@pytest.mark.parametrize("prover", [identity, smt, inequality])
def test_names_are_names(prover):
    assert result(prover("exp = exp", (), **{"exp": UNIT})).status != "refuted"
    assert result(prover("exp(exp) < exp", (), **{"exp": UNIT})).status != "proved"
    for name in ("x y", "1", "", "x)", "ﬁ"):
        assert "TermError" in result(prover("0 = 0", (), **{name: UNIT})).witness


def test_inputs_in_one_text_are_names_and_not_letters():
    assert check_scope("xy z", [line("x <- y", uses="y")]).status is Status.REFUTED
    assert check_scope("xy z", [line("x <- xy + z", uses="xy z")]).status is Status.PROVED


def test_an_exhaustive_step_of_nothing_leaves_the_statement_open():
    found = check_statement("x", Statement("", "lemma", "", steps=(exhaustive("none", lambda _: True, []),)))
    assert found.verdict == "open"
