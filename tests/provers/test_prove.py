"""Anybody's lemma: no false one is proved, no true one refuted, and what is refuted fails at its point."""

import json
import re
from fractions import Fraction

import mpmath
import pytest
import sympy
import z3
from panshuffle.symbolic import prove as door
from panshuffle.symbolic import smt
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Decision, Disagreement, Status
from panshuffle.symbolic.lemma import lemma_of
from panshuffle.symbolic.monotone import prove_by_monotonicity
from panshuffle.symbolic.smt import ONE_SOLVER, check_smt
from panshuffle.symbolic.term import TermError

import panshuffle
from panshuffle.main import main
from tests.provers.lemmas import FALSE, NEIGHBOURS, TRUE

OPEN: set[str] = set()
"""True, and not proved today."""
NAMES = {name: getattr(mpmath, name) for name in ("sqrt", "exp", "sinh", "cosh", "tanh", "expm1", "log1p", "binomial")}
NAMES |= {"log": mpmath.log, "ln": mpmath.log, "factorial": mpmath.factorial, "abs": abs, "min": min, "max": max}


def holds_by_mpmath(text, point):
    """Whether a claim holds at a point, by Python's own reading of it and mpmath at 60 digits; None if undefined."""
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", text).replace("^", "**")
    plain = re.sub(r"(?<![\w.])(\d+\.?\d*)", r'mpf("\1")', plain)
    with mpmath.workdps(60):
        values = {name: mpmath.mpf(value.numerator) / value.denominator for name, value in point.items()}
        constants = {"e": mpmath.e(), "pi": mpmath.pi(), "mpf": mpmath.mpf}
        try:
            return bool(eval(plain, {"__builtins__": {}}, {**NAMES, **constants, **values}))
        except ZeroDivisionError:
            return None


def names_of(lemmas):
    return [text for text, _, _ in lemmas]


def test_enough_lemmas_are_tried_and_nearly_all_true_ones_proved():
    assert len(TRUE) >= 40
    assert len(FALSE) >= 20
    assert set(names_of(TRUE)) >= OPEN
    assert len(OPEN) <= len(TRUE) * 5 // 100


@pytest.mark.parametrize(("text", "given", "domains"), TRUE, ids=names_of(TRUE))
def test_a_true_lemma_is_proved(text, given, domains):
    found = panshuffle.prove(text, *given, **domains)
    assert found.status == ("undecided" if text in OPEN else "proved"), str(found)
    assert bool(found.provers) == (found.status == "proved")
    assert found.witness is None


@pytest.mark.parametrize(("text", "given", "domains"), FALSE + NEIGHBOURS, ids=names_of(FALSE + NEIGHBOURS))
def test_a_false_lemma_is_refuted_at_a_point_where_mpmath_sees_it_fail(text, given, domains):
    found = panshuffle.prove(text, *given, **domains)
    assert found.status == "refuted", str(found)
    assert holds_by_mpmath(text, found.witness) is not True
    assert all(holds_by_mpmath(one, found.witness) is True for one in given)


@pytest.mark.parametrize(
    ("text", "domains", "says"),
    [
        ("x <= y", {"x": "real"}, "the variable y has no domain: give one, as in --for 'y in (0, 1]'"),
        ("x + 1", {"x": "real"}, "is not a claim: it must relate terms"),
        ("2x <= 1", {"x": "real"}, "is not a term"),
        ("gamma(x) <= 1", {"x": "real"}, "gamma is not read here"),
        ("factorial(x) <= 1", {"x": "real"}, "factorial(x) is read for a whole number x only"),
        ("binomial(3, x) <= 1", {"x": "real"}, "binomial(3, x) is read for a whole number x only"),
        ("abs(x, 1) <= 1", {"x": "real"}, "number of arguments"),
        ("x <= 1", {"x": "(0, 1"}, "is not a domain"),
        ("x <= 1", {"x": "(0, y)"}, "its ends must be constants"),
        ("x <= 1", {"x": ""}, "the variable x has no domain"),
        ("lambda <= 1", {}, "is not a term"),
        ("factorial(2000) > 1", {}, "from 0 to 1000"),
        (3, {}, "a claim is a text, a sympy relation or a z3 formula"),
        (sympy.Le(1, 2), {}, "sympy has made the claim True already"),
        (z3.Bool("b"), {}, "no comparison of z3's numbers"),
    ],
)
def test_bad_input_is_one_sentence(text, domains, says):
    with pytest.raises(TermError, match=re.escape(says)):
        panshuffle.prove(text, **domains)


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("x in (0, 1]", ("0", True), ("1", False)),
        ("0 < x ≤ 1", ("0", True), ("1", False)),
        ("x > 0", ("0", True), None),
        ("x in 1, 2, ...", ("1", False), None),
        ("x in 1, 2, ..., 9", ("1", False), ("9", False)),
        ("x in integers >= 2", ("2", False), None),
        ("x real", None, None),
        ("x = 3", ("3", False), ("3", False)),
    ],
)
def test_domains_are_read(text, lower, upper):
    found = lemma_of("x = x", [text]).domains["x"]
    assert (None if found.lower is None else (str(found.lower.value), found.lower_open)) == lower
    assert (None if found.upper is None else (str(found.upper.value), found.upper_open)) == upper
    assert found.integer == ("..." in text or "integers" in text)


def test_relations_of_sympy_and_z3_are_read():
    g = sympy.Symbol("g", positive=True)
    found = panshuffle.prove(sympy.Le(2**g / (2**g - 1), 2 / g), g="(0, 1]")
    assert (found.status, found.provers) == ("proved", ("one SMT solver", "ball computation", "monotonicity"))
    assert panshuffle.prove(sympy.And(sympy.Abs(g) > 0, sympy.tanh(g) < g)).status == "proved"
    n = sympy.Symbol("n", integer=True, nonnegative=True)
    assert panshuffle.prove(sympy.Ge(2**n, n + 1)).status == "proved"
    assert panshuffle.prove(sympy.Gt(2**n, n + 1)).witness in ({"n": 0}, {"n": 1})
    x, y = z3.Reals("x y")
    assert panshuffle.prove(z3.Implies(z3.And(x >= 0, y >= 0), (x + y) * (x + y) >= 4 * x * y)).status == "proved"
    assert panshuffle.prove(x * x > 0).witness == {"x": 0}
    assert panshuffle.prove(z3.Int("k") * z3.Int("k") >= z3.Int("k")).status == "proved"


def test_points_that_hold_prove_nothing():
    found = panshuffle.prove("(-1)^n <= 1", n="1, 2, ...")
    assert (found.status, found.provers) == ("undecided", ())
    assert "variable exponent is read where its base is positive" in found.reason
    assert panshuffle.prove("(-1)^n <= 1", n="1, 2, ..., 10").provers == ("enumeration",)


@pytest.mark.parametrize(
    ("text", "given", "domains"),
    [
        ("abs(log(x)) >= 0", (), {"x": "[-1, 1]"}),
        ("max(1/x, 0) >= 0", (), {"x": "[-1, 1]"}),
        ("x >= 0", ("1/x >= 0",), {"x": "[-1, 1]"}),
        ("x^n >= 0", (), {"x": "real", "n": "1, 2, ..."}),
        ("x^n > 0", (), {"x": "[0, 1]", "n": "0, 1, 2, ..."}),
        ("x^n <= 1", (), {"x": "[0, 1]", "n": "integers >= -1"}),
        ("0^(n - n) = 0", (), {"n": "1, 2, ..."}),
        ("1/(pi - pi) = 1", (), {}),
        (
            "pi = 3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706",
            (),
            {},
        ),
        ("x <= 10^(10^10) - 10^(10^10)", (), {"x": "[0, 1]"}),
        ("x <= 1e-400", (), {"x": "[0, 1e-390]"}),
        ("exp(x) >= 1 + x + x^2/2", (), {"x": "real"}),
        ("(1 + x)^(n - 1) > 0", (), {"x": ">= -1", "n": "1, 2, ..."}),
        ("e <= 2.718281828459045", (), {}),
        ("max(x, -x) < x + 1e-30", (), {"x": ">= -1e-30"}),
    ],
)
def test_what_is_false_or_undefined_somewhere_is_not_proved(text, given, domains):
    assert panshuffle.prove(text, *given, **domains).status != "proved"


def test_a_lemma_about_no_point_is_undecided():
    for found in (
        panshuffle.prove("x >= 1", "x < 0", "x > 1"),
        panshuffle.prove("x >= 1", "x^2 < 0", x="real"),
        panshuffle.prove("x = x", "exp(x) < 0", x="real"),
        panshuffle.prove("n = 7", "2^n > 4000", n="1, 2, ..., 9"),
    ):
        assert found.status == "undecided"
        assert "no point" in found.reason


def test_provers_that_contradict_each_other_are_an_error(monkeypatch):
    monkeypatch.setattr(door, "check_smt", lambda *_, **__: Decision(Status.PROVED, "an SMT solver that errs"))
    with pytest.raises(Disagreement, match="is proved by an SMT solver that errs and refuted by"):
        panshuffle.prove("x^2 >= x", x="[0, 1]")


def test_a_witness_that_does_not_stand_is_no_refutation(monkeypatch):
    wrong = Decision(Status.REFUTED, "a solver", "at x = 1/2: 1 <= 0 is false")
    monkeypatch.setattr(door, "check_smt", lambda *_, **__: wrong)
    assert panshuffle.prove("exp(x) >= 1", x="[0, 1]").status == "proved"


def test_one_solver_alone_is_named(monkeypatch):
    monkeypatch.setattr(door, "check_smt", lambda goal, *_, **__: check_smt(goal, {"z3": 1_000_000}))
    assert ONE_SOLVER in panshuffle.prove("x^2 >= 0", x="real").provers


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("exp(x) >= 1 + 1.01*x", "[0, inf)"),
        ("exp(x) > 1 + x", "[0, inf)"),
        ("1/x >= 0", "[0, 1]"),
        ("sqrt(x) <= x", "[0, 1]"),
        ("x^3 >= 0", "[-1, 1]"),
        ("log(x) <= x - 1.01", "(0, inf)"),
        ("x*(1 - x) > 0", "[0, 1)"),
        ("1/(x - 1) + 5 >= 0", "[0, 2]"),
    ],
)
def test_monotonicity_proves_nothing_false(text, domain):
    assert prove_by_monotonicity(claim(text, x=domain)) == []


def test_a_proof_by_monotonicity_is_a_chain_of_steps():
    lines = prove_by_monotonicity(claim("exp(x) - 1 - x <= x^2", x="[0, 1]"))
    assert len(lines) >= 3
    assert lines[0].depth == 0
    assert any("d/dx" in line.says and line.by == "two algebra systems" for line in lines)


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["log(1 + x) <= x", "--for", "x > -1"], 0),
        (["log(1 + x) < x", "--for", "x > -1"], 1),
        (["(-1)^n <= 1", "--for", "n in 1, 2, ..."], 3),
        (["x <= y", "--for", "x real"], 2),
    ],
)
def test_exit_statuses(argv, status, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["prove", *argv])
    assert ended.value.code == status
    assert (len(capsys.readouterr().err.splitlines()) == 1) == (status == 2)


def test_json_and_texts(capsys):
    with pytest.raises(SystemExit):
        main(["prove", "x + y <= 2", "--for", "x real", "--for", "y real", "--given", "x^2 + y^2 <= 2", "--json"])
    found = json.loads(capsys.readouterr().out)
    keys = ["claim", "domains", "given", "status", "provers", "steps", "witness", "reason", "seconds"]
    assert list(found) == keys
    assert found["given"] == ["x^2 + y^2 <= 2"]
    assert found["provers"] == ["two SMT solvers"]
    for option, says in (("--smt2", "(set-logic QF_NRA)"), ("--sympy", "Le(x**2, 1)")):
        with pytest.raises(SystemExit):
            main(["prove", "x^2 <= 1", "--for", "x in [0, 1]", option])
        assert says in capsys.readouterr().out


def test_the_assertion_says_where_a_lemma_fails(assert_proved):
    assert_proved("1 - x <= exp(-x)", x="real")
    with pytest.raises(AssertionError, match=r"(?s)refuted.*at x = "):
        assert_proved("1 - x <= exp(-2*x)", x="[0, 1]")


def test_an_answer_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(panshuffle.prove("1 <= 2"))
    assert panshuffle.prove("x < 1/3", x="[0, 1/3]").witness == {"x": Fraction(1, 3)}


X, Y = z3.Reals("x y")
FAR = "*".join(f"(n - {i})" for i in range(1, 14))
NOT_PROVED = [
    ((f"sum(m, i, 1, n + n*{FAR}) <= m*n",), {"n": "1, 2, ...", "m": "1, 2, ..., 1000"}),
    (
        ("sum(sum(i*n, n, 1, m), i, 1, n) <= n*m*(m+1)*(m+2)/3 + 100",),
        {"n": "1, 2, ...", "m": "1, 2, ..., 1000"},
    ),
    (
        ("sum(sum(i, i, 1, n), n, -5, m) + sum(i, i, 1, n) >= m*(m+1)*(m+2)/6 + 20 - 1000/n + n*(n+1)/2",),
        {"n": "1, 2, ...", "m": "1, 2, ..."},
    ),
    (("max(3, sqrt(x)) <= 3",), {"x": "[-1, 1]"}),
    (("min(1, 2 + log(x)^2) <= 1",), {"x": "[-1, 1]"}),
    (("x^(1 + log(x)^2) <= 1",), {"x": "[0, 1]"}),
    (("0^exp(sqrt(x)) = 0",), {"x": "[-2, -1]"}),
    (("pi >= 3.142", "pi = 22/7"), {}),
    (("x <= 5", "x <= log(0)"), {"x": "[0, 1]"}),
]
"""False somewhere far, by an index that is another sum's, where a term is not defined, or about no point at all."""
NONZERO = sympy.Symbol("u", nonzero=True, real=True)
NOT_REFUTED = [
    (("n >= 1",), {"n": "positive integers"}),
    (("n^2 >= n",), {"n": "nonnegative integers"}),
    (("x <= 1",), {"x": "positive real <= 1"}),
    (("pi < 4", "pi > 3"), {}),
    (("e < 3", "exp(1) > 2"), {}),
    (("n >= 5", "n >= log(0)"), {"n": "integer [0, 3]"}),
    ((sympy.Ge(NONZERO**2 + 1 / NONZERO**2, 2),), {}),
]


@pytest.mark.parametrize(("claims", "domains"), NOT_PROVED, ids=[str(claims[0]) for claims, _ in NOT_PROVED])
def test_what_is_false_only_in_a_corner_is_not_proved(claims, domains):
    assert panshuffle.prove(*claims, **domains).status != "proved"


EPSILON = "(exp(e)-1)/(exp(e)+1) <= e/3"
"""True of Euler's number, and false at e = 1."""


@pytest.mark.parametrize("given", [["e >= 0"], ["0 < e <= 1"], ["e in [0, 2]"], ["q <= e", "q > 0", "1 >= e"]])
def test_a_bound_on_e_alone_makes_it_a_variable(given):
    assert panshuffle.prove(EPSILON, *given).status == "refuted"


def test_what_is_read_as_the_number_of_euler_is_said():
    assert str(panshuffle.prove(EPSILON)).splitlines()[0] == f"proved: {EPSILON}  for  e = exp(1)"


@pytest.mark.parametrize(("claims", "domains"), NOT_REFUTED, ids=[str(claims[0]) for claims, _ in NOT_REFUTED])
def test_what_is_true_by_what_its_variables_are_is_not_refuted(claims, domains):
    assert panshuffle.prove(*claims, **domains).status != "refuted"


@pytest.mark.parametrize(
    ("claims", "domains"),
    [
        ((z3.And(z3.Implies(X > 1, X > 0), X > 0),), {}),
        ((Y > 0, z3.Implies(X > 0, Y > 0)), {}),
        ((z3.Implies(z3.Implies(X > 0, Y > 0), Y > 0),), {}),
        (("n >= 0",), {"n": "0, -1, -2, ..."}),
        (("n != 3",), {"n": "2, 4, ..."}),
        ((sympy.Ge(sympy.Symbol("n", prime=True), 2, evaluate=False),), {}),
        ((sympy.Eq(sympy.Symbol("2", positive=True), 2),), {}),
        (("sum(abs(i - 3), i, 1, n) >= 0",), {"n": "1, 2, ..."}),
    ],
)
def test_what_would_be_read_otherwise_is_refused(claims, domains):
    with pytest.raises(TermError):
        panshuffle.prove(*claims, **domains)


def test_an_interrupt_leaves_no_answer_for_the_next_question(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    assert panshuffle.prove("x^2 >= 0", x="real").status == "proved"
    server = smt.server("z3")
    monkeypatch.setattr(server.child, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        server.answer("(check-sat)", 1)
    assert not server.child.running
    assert panshuffle.prove("(x^2 - 2)^2 > 0", x="[0, 3]").status != "proved"
