"""Claims that once got through, or did not come back: each has its right answer now."""

import pytest
from panshuffle.proofs.steps import derivative, inequality, is_negation, no_constant, smt
from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.derivative import check_derivative
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.moments import Binomial, Poisson, check_moment
from panshuffle.symbolic.sequence import check_induction
from panshuffle.symbolic.smt import check_smt
from panshuffle.symbolic.term import TermError

from tests.conftest import FULL
from tests.every import every

REALS = "(-inf, inf)"
HIDDEN_ONE = "sqrt(3 + 2*sqrt(2)) - sqrt(2)"
SQUARES = "(x^2 + log(977*z - 1008)^2)"


@pytest.mark.parametrize(
    ("text", "given", "domains"),
    [
        (f"{SQUARES}/{SQUARES} = 1", (), {"x": REALS, "z": "[1.0318, 2]"}),
        (f"{SQUARES}/{SQUARES} = 1", ("977*z > 1008",), {"x": REALS, "z": "[1, 2]"}),
        ("(x^2 + sqrt(y^2 - 2))/(x^2 + sqrt(y^2 - 2)) = 1", ("y^2 >= 2",), {"x": REALS, "y": "[1, 2]"}),
        ("(x^2 + y^2)/(x^2 + y^2) = 1", (), {"x": REALS, "y": REALS}),
        ("(x^2 + y)/(x^2 + y) = 1", ("y >= 0",), {"x": REALS, "y": "[0, 5]"}),
    ],
)
def test_a_sum_of_squares_may_be_0(text, given, domains):
    assert check_identity(claim(text, given, **domains)).status is not Status.PROVED


def test_a_sum_of_squares_and_1_is_not_0():
    assert check_identity(claim("(1 + x^2 + y^2)/(1 + x^2 + y^2) = 1", x=REALS, y=REALS)).status is Status.PROVED


@pytest.mark.parametrize(
    ("of", "equals", "domain", "status"),
    [
        ("(-x)^(3/2)", "-3/2*(-x)^(1/2)", "[-1, 0]", Status.PROVED),
        ("(x^2)^(3/2)", "3*x*(x^2)^(1/2)", "[-1, 1]", Status.PROVED),
        ("(x^3)^(4/3)", "4*x^3", "[0, 1]", Status.PROVED),
        ("(-x)^(3/2)", "3/2*(-x)^(1/2)", "[-1, 0]", Status.REFUTED),
        ("(-x)^(3/2)", "-3/2*(-x)^(1/2)", "[-1, 1]", Status.REFUTED),
    ],
)
def test_where_sympys_slope_alone_is_not_defined_it_says_nothing(of, equals, domain, status):
    assert check_derivative(of, "x", equals, x=domain).status is status


@every(
    ("text", "domains"),
    [
        ("sqrt(2)^1000000000000 = 1", {}),
        ("3^(1e8 + 0.5) = 1", {}),
        ("exp(1e11*log(2)) = 1", {}),
        ("log(1 + exp(10000)) = 1", {}),
        ("sqrt(x)^1000000000000 = x", {"x": "[1, 3]"}),
        ("log(x^1500*y^700 - 1) = 1", {"x": "[2, 3]", "y": "[2, 3]"}),
        ("1e4000*1e4000 = 1", {}),
    ],
)
def test_large_numbers_are_refuted_and_not_computed(text, domains):
    assert check_identity(claim(text, **domains)).status is Status.REFUTED


@pytest.mark.long
def test_large_degrees_end():
    top, below = (1999, 1777) if FULL else (61, 37)
    text = f"(x^{top} - 1)/(x^{below} - 1) = (x^{top} - 1)/(x^{below} - 1)"
    assert check_identity(claim(text, x="[2, 3]")).status is not Status.REFUTED
    assert check_smt(claim("1e4000*1e4000 >= x", x=REALS)).status is Status.UNDECIDED
    assert check_inequality(claim("2^20000 <= x", x="[0, 1]")).status is Status.REFUTED
    laws = {"X": Binomial("n", "p"), "Y": Poisson("m")}
    domains = {"n": "[0, 5]", "p": "[0, 1]", "m": "[0, 1]", "a": "[0, 1]", "b": "[0, 1]"}
    assert check_moment("value = 1", laws, mean_of="(X + Y + a + b)^20", **domains).status is Status.UNDECIDED


@pytest.mark.parametrize("domain", [f"integer ({HIDDEN_ONE}, 3/2)", f"integer [1, {HIDDEN_ONE})"])
def test_nothing_is_proved_about_integers_that_are_not_there(domain):
    assert check_smt(claim("y = 1", y=domain)).status is not Status.PROVED
    assert check_smt(claim("x <= 1", x="[0, 1]", y=domain)).status is not Status.PROVED
    assert no_constant("", smt("c*0 < y", c="[1, inf)", y=domain), "c").check().status is not Status.REFUTED


def test_an_exponent_that_is_a_number_may_be_written_as_a_power_of_one():
    assert check_identity(claim("x^(1^200000) = x", x="[-1, 1]")).status is Status.PROVED
    assert check_inequality(claim("x^((-1)^200000) <= 1", x="[-1, 1]")).status is Status.PROVED


def test_induction_follows_the_rule_for_powers():
    assert check_induction("n^n", first="1", step="(n + 1)^(n + 1)", start=0).status is not Status.PROVED
    assert check_induction("n^n", first="1", step="(n + 1)^(n + 1)", start=1).status is Status.PROVED
    for start in (0.5, "a"):
        with pytest.raises(TermError, match="is not a whole number"):
            check_induction("n", "n", "previous + 1", start)


@pytest.mark.parametrize("given", ["log(x) <= 5", "1/x <= 5", "sqrt(x) <= 9"])
def test_hypotheses_that_are_not_defined_prove_nothing(given):
    domain = claim("x <= 1", (given,), x="[-1, 1]")
    assert check_inequality(domain).status is not Status.PROVED
    assert check_smt(domain).status is not Status.PROVED


def test_a_constant_occurs_in_what_refutes_it():
    with pytest.raises(ValueError, match="says nothing of C"):
        no_constant("x <= C", inequality("x >= 0", C="[1, inf)", x="[0, 1]"), "C")
    with pytest.raises(ValueError, match="is not inf or 0"):
        no_constant("", smt("C > 0", C="[1, inf)"), "C", "foo")


def test_only_a_whole_negation_refutes():
    assert is_negation("~ (forall n : nat, (0 < n)%nat)")
    for text in ("~ (1 = 1) -> 2 = (2)", "~ 1 = 1", "forall n, ~ (n = n)", "~ (1 = 1", "(~ (1 = 1))"):
        assert not is_negation(text)


def test_names_of_parameters_may_be_variables():
    assert derivative("of^2", "of", "2*of", of="[0, 1]").check().status is Status.PROVED


def test_a_witness_shows_the_difference():
    witness = check_identity(claim("x = x*(1 + 1e-30)", x="[0, 1]")).witness
    assert witness == f"at x = 1: 1 = {10**30 + 1}/{10**30} is false"


@every("end", ["(-1)^exp(0) + 5", "(0*2)^exp(0) + 5", "0^exp(0) + 5", "5 + 0*log(0)"])
@every("kind", ["", "integer "])
def test_a_domain_whose_end_is_not_defined_says_nothing(kind, end):
    """An exponent that is not written as a number asks for a positive base, even where it comes to a whole number."""
    domain = f"{kind}[0, {end}]"
    assert check_identity(claim("x + 2 = 2 + x", x=domain)).status is not Status.PROVED
    assert check_inequality(claim("x + 2 >= 0", x=domain)).status is not Status.PROVED
    assert check_smt(claim("x + 2 >= 0", x=domain)).status is not Status.PROVED
