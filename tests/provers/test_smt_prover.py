"""The SMT prover: what two solvers prove of the paper, and that they prove nothing false."""

import operator
import re
import subprocess
import sys
from fractions import Fraction

import mpmath
import pytest
from panshuffle.symbolic import decision, smt
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Disagreement, Status, TooSlow
from panshuffle.symbolic.exp_log_facts import Informed
from panshuffle.symbolic.smt import (
    MOST_WORK,
    ONE_SOLVER,
    TIER,
    Reply,
    SolverEnded,
    check_smt,
)
from panshuffle.symbolic.smt_text import Encoder, goal_text, goals, variable
from panshuffle.symbolic.term import text_of

from tests.conftest import FULL
from tests.every import every

REALS = "(-inf, inf)"
FROM_ONE = "[1, inf)"
NONNEGATIVE = "[0, inf)"
SIZES = {"a": "(0, 1)", "k": FROM_ONE, "m": FROM_ONE, "l": FROM_ONE}
FIRST_STEP = "{}*a^2*m/2000 - 10*k^(3/2)*l/m - 10*k^(3/2)*l^(1/2)/m {} 0"
FIRST_SIZE = "m > {}/a*k^(3/4)*l^(1/2)"
SECOND_STEP = "{}*a^2*m/2000 - 10*k/m^(1/2)*l^(1/2) {} 0"
SECOND_SIZE = "m > {}/a^(4/3)*k^(2/3)*l^(1/3)"

# The steps with h1 = 12 and h2 = 18, the success probability of the compressed tester, and the cases of k-hat.
TRUE = [
    (FIRST_STEP.format(278, ">"), (FIRST_SIZE.format(12),), SIZES),
    (SECOND_STEP.format(278, ">"), (SECOND_SIZE.format(18),), SIZES),
    ("(10/9540)*(9539/9540) >= 5/9540", (), {}),
    ("1 - sqrt(1/2) > 29/100", (), {}),
    ("(1 - sqrt(1/2))*z > 29*a^2*m/500", ("z >= a^2*m/5",), {**SIZES, "z": REALS}),
    ("t^2/(2*(l + t)) = l/12", ("t = l/2",), {"l": "(0, inf)", "t": REALS}),
    ("l^2/8 - l/8 <= l^2/8", (), {"l": NONNEGATIVE}),
    ("k < e^2/a^2*k^(2/3)*e", ("k^(1/3) < e^2/a^2*e",), {"k": FROM_ONE, "e": "(0, inf)", "a": "(0, 1)"}),
    ("k^(1/6) < x^2", ("k^(1/3) < x^4",), {"k": FROM_ONE, "x": "(0, inf)"}),
    ("sqrt(x*y) <= (x + y)/2", (), {"x": NONNEGATIVE, "y": NONNEGATIVE}),
    ("x^2 + y^2 >= 2*x*y", (), {"x": REALS, "y": REALS}),
    ("1/x >= 1", (), {"x": "(0, 1]"}),
    ("(n + 1)/n <= 2", (), {"n": "integer (0, inf)"}),
    ("n*(n - 1) >= 0", (), {"n": "integer (-inf, inf)"}),
    ("n^2 != 2", (), {"n": "integer [0, inf)"}),
    ("x < 7/10", (), {"x": "[0, log(2)]"}),
    ("x^2 <= 2", (), {"x": "[0, sqrt(2)]"}),
    ("p*(1 - p) <= 1/4", (), {"p": "[0, 1]"}),
    ("(1 - p)^2 + p^2 >= 1/2", (), {"p": "[0, 1]"}),
]
MUTATED = [
    (FIRST_STEP.format(278, ">"), (FIRST_SIZE.format(11),), SIZES),
    (SECOND_STEP.format(278, ">"), (SECOND_SIZE.format(17),), SIZES),
    ("(10/9540)*(9539/9540) >= 9.999/9540", (), {}),
    ("1 - sqrt(1/2) > 293/1000", (), {}),
    ("p*(1 - p) <= 0.24", (), {"p": "[0, 1]"}),
    ("p*(1 - p) <= 1/4 - 1e-9", (), {"p": "[0, 1]"}),
    ("x^2 + y^2 >= 2.0001*x*y", (), {"x": REALS, "y": REALS}),
    ("sqrt(x*y) <= (x + y)/2 - 1e-9", (), {"x": NONNEGATIVE, "y": NONNEGATIVE}),
    ("x < 69/100", (), {"x": "[0, log(2)]"}),
    ("(n + 1)/n <= 1.97", (), {"n": "integer (0, inf)"}),
    ("l^2/8 - l/8 <= l^2/8.01", (), {"l": NONNEGATIVE}),
]
FLIPPED = [
    (FIRST_STEP.format(278, "<="), (FIRST_SIZE.format(12),), SIZES),
    (SECOND_STEP.format(278, "<"), (SECOND_SIZE.format(18),), SIZES),
    ("(10/9540)*(9539/9540) < 5/9540", (), {}),
    ("x^2 + y^2 > 2*x*y", (), {"x": REALS, "y": REALS}),
    ("x^2 + y^2 < 2*x*y", (), {"x": REALS, "y": REALS}),
    ("sqrt(x*y) >= (x + y)/2", (), {"x": NONNEGATIVE, "y": NONNEGATIVE}),
    ("1/x > 1", (), {"x": "(0, 1]"}),
    ("p*(1 - p) < 1/4", (), {"p": "[0, 1]"}),
    ("l^2/8 - l/8 < l^2/8", (), {"l": NONNEGATIVE}),
    ("k^(1/6) > x^2", ("k^(1/3) < x^4",), {"k": FROM_ONE, "x": "(0, inf)"}),
]
DROPPED = [
    (FIRST_STEP.format(278, ">"), (), SIZES),
    (SECOND_STEP.format(278, ">"), (), SIZES),
    ("(1 - sqrt(1/2))*z > 29*a^2*m/500", (), {**SIZES, "z": REALS}),
    ("k^(1/6) < x^2", (), {"k": FROM_ONE, "x": "(0, inf)"}),
    ("x*y > 0", ("x > 0",), {"x": REALS, "y": REALS}),
    ("x*y*z > 0", ("x*y > 0", "y*z > 0"), {"x": REALS, "y": REALS, "z": REALS}),
    ("1/(x - y) > 0", ("x >= y",), {"x": REALS, "y": REALS}),
]
WIDENED = [
    ("sqrt(x*y) <= (x + y)/2", (), {"x": NONNEGATIVE, "y": "[-1, inf)"}),
    ("sqrt(x*y) <= (x + y)/2", (), {"x": REALS, "y": REALS}),
    ("1/x >= 1", (), {"x": "[0, 1]"}),
    ("1/x >= 1", (), {"x": "(0, 1.000001]"}),
    ("n*(n - 1) >= 0", (), {"n": REALS}),
    ("x^2 <= 2", (), {"x": "[-1.4143, sqrt(2)]"}),
    ("(1 - p)^2 + p^2 <= 1", (), {"p": "[0, 1.00001]"}),
    ("sqrt(x)^2 = x", (), {"x": "[-1, 1]"}),
]
ONE_POINT = [
    ("(x - 1/7)^2 > 0", (), {"x": "[0, 1]"}),
    ("(x^2 + y^2 - 2*x*y) + (x - 3/11)^2 > 0", (), {"x": REALS, "y": REALS}),
    ("n != 1234567", (), {"n": "integer [0, inf)"}),
    ("x/x = 1", (), {"x": "[0, 1]"}),
    ("(3*x - 2)/(3*x - 2) >= 1", (), {"x": "[0, 1]"}),
    ("1/(x - 5/13)^2 > 0", (), {"x": "[0, 1]"}),
    ("n^2 != 1369", (), {"n": "integer [0, inf)"}),
]
FALSE = [*MUTATED, *FLIPPED, *DROPPED, *WIDENED, *ONE_POINT]
RELATIONS = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
    "!=": operator.ne,
}


def real_root(value):
    """The square root of a number that is not negative."""
    if value < 0:
        raise ZeroDivisionError
    return mpmath.sqrt(value)


def holds(text, point):
    """Whether a chain of relations holds at a point, by mpmath; False where a term is undefined."""
    values = {name: mpmath.mpf(value.numerator) / value.denominator for name, value in point.items()}
    names = {"mpf": mpmath.mpf, "log": mpmath.log, "sqrt": real_root}
    parts = re.split(
        r"([<>!]?=|[<>])", re.sub(r"(?<![\w.])(\d[\d.]*(?:e-?\d+)?)", r"mpf('\1')", text.replace("^", "**"))
    )
    try:
        terms = [eval(part.strip(), {**names, **values}) for part in parts[::2]]
    except ZeroDivisionError:
        return False
    if any(mpmath.im(term) != 0 for term in terms):
        return False
    pairs = zip(terms, parts[1::2], terms[1:], strict=False)
    return all(RELATIONS[sign](mpmath.chop(a - b, tol=mpmath.mpf(10) ** -50), 0) for a, sign, b in pairs)


@every(("text", "given", "domains"), TRUE)
def test_true_claims_are_proved(text, given, domains):
    answer = check_smt(claim(text, given, **domains))
    assert (answer.status, answer.tier) == (Status.PROVED, TIER)


@every(("text", "given", "domains"), FALSE)
def test_false_claims_are_refuted_and_their_witnesses_hold(text, given, domains):
    answer = check_smt(claim(text, given, **domains))
    assert answer.status is Status.REFUTED
    place = answer.witness.split(": ")[0]
    point = {name: Fraction(value) for name, value in re.findall(r"(\w+) = (-?\d+(?:/\d+)?)", place)}
    with mpmath.workdps(70):
        assert all(holds(hypothesis, point) for hypothesis in given)
        assert not holds(text, point)


def test_no_template_makes_more_than_a_third_of_the_false_claims():
    assert max(map(len, (MUTATED, FLIPPED, DROPPED, WIDENED, ONE_POINT))) <= len(FALSE) / 3


@every(
    ("text", "domains"),
    [
        ("x^2 != 2", {"x": NONNEGATIVE}),
        ("1/(x^2 - 2) != 0", {"x": NONNEGATIVE}),
        ("(x^2 - 3)^2 > 0", {"x": NONNEGATIVE}),
        ("exp(x) >= 1 + x + x^2/2 + x^3/6", {"x": REALS}),
        ("0*x = 0", {"x": "[0, log(0)]"}),
        ("0*x = 0", {"x": "[0, sqrt(-1)]"}),
    ],
)
def test_what_has_no_rational_witness_and_no_proof_stays_undecided(text, domains):
    assert check_smt(claim(text, **domains)).status is Status.UNDECIDED


KNOWN_OF_EXP = [
    ("1 - 1/exp(x) >= x/(1 + x)", (), {"x": NONNEGATIVE}),
    ("exp(x)*exp(y) <= exp(z)", ("x + y <= z",), {"x": REALS, "y": REALS, "z": REALS}),
    ("2*exp(-2*t^2/n) <= d", ("t >= sqrt(n*log(2/d)/2)",), {"n": FROM_ONE, "t": NONNEGATIVE, "d": "(0, 1)"}),
    ("x*log(1/x) <= 1/exp(1)", (), {"x": "(0, 1]"}),
    ("a*exp(x) + (1 - a)*exp(y) >= exp(a*x + (1 - a)*y)", (), {"a": "[0, 1]", "x": REALS, "y": REALS}),
    ("2^x <= 2*2^y", ("x <= y + 1",), {"x": REALS, "y": REALS}),
]


@every(("text", "given", "domains"), KNOWN_OF_EXP)
def test_what_follows_from_tangents_and_order_of_exp_and_log_is_proved(text, given, domains):
    assert check_smt(claim(text, given, **domains), alone=True).status is Status.PROVED


@every(("text", "given", "domains"), KNOWN_OF_EXP)
def test_its_opposite_is_not(text, given, domains):
    opposite = text.replace("<=", ">=") if "<=" in text else text.replace(">=", "<=")
    assert check_smt(claim(opposite, given, **domains), alone=True).status is Status.REFUTED


def value_of(text: str, known: dict[str, mpmath.mpf]) -> object:
    """The value of an SMT-LIB term or formula."""
    stack: list[list[object]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            head, *values = stack.pop()
            stack[-1].append(FUNCTIONS[head](*values))
        else:
            stack[-1].append(token if token in FUNCTIONS else known[token] if token in known else mpmath.mpf(token))
    return stack[0][0]


def near(one: mpmath.mpf, other: mpmath.mpf) -> bool:
    """Whether two numbers are equal but for rounding."""
    return abs(one - other) <= mpmath.mpf(10) ** -30 * (1 + abs(one))


FUNCTIONS = {
    "+": lambda *values: sum(values),
    "*": lambda *values: mpmath.fprod(values),
    "-": lambda *values: values[0] - sum(values[1:]) if len(values) > 1 else -values[0],
    "/": operator.truediv,
    "<=": lambda one, other: one < other or near(one, other),
    ">=": lambda one, other: one > other or near(one, other),
    ">": operator.gt,
    "=": lambda one, other: one == other if isinstance(one, bool) else near(one, other),
    "=>": lambda one, other: not one or other,
    "and": lambda *values: all(values),
}


@every(
    ("text", "given", "domains"),
    [
        *KNOWN_OF_EXP,
        ("exp(x - 2*y)*log(x^3/y) <= x^y*exp(1/2)", (), {"x": "(0, 9]", "y": "(0, 9]"}),
        ("log(3*x/2) + log(2 + exp(y)) <= 2^(x/2 - y)", (), {"x": "(0, 9]", "y": "[-3, 3]"}),
    ],
)
def test_what_solvers_are_told_is_true_of_exp_and_log(text, given, domains):
    """Every assertion but the domains and the goal, at points where each stand-in has the value of its term."""
    one = claim(text, given, **domains)
    for goal in goals(one):
        encoder = Informed(one, more=True)
        goal_text(encoder, goal)
        facts = [*encoder.facts(), *(one for one in encoder.constraints if one.startswith("(= (*"))]
        meanings = [(name, text_of(term)) for term, name in encoder.names.items()]
        assert not any(term.startswith(("exp", "log")) for _, term in meanings) or len(facts) > len(meanings)
        for seed in range(20):
            point = {name: mpmath.mpf(1 + 31 * seed * (place + 7) % 89) / 11 for place, name in enumerate(domains)}
            with mpmath.workdps(50):
                known = {"true": True, **{variable(name): value for name, value in point.items()}}
                scope = {"exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, **point}
                for name, term in meanings:
                    written = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", term.replace("^", "**"))
                    known[name] = eval(written, {"mpf": mpmath.mpf, **scope})
                assert all(value_of(fact, known) is True for fact in facts)


def test_a_disagreement_is_an_error(monkeypatch):
    replies = [Reply("unsat", {}), Reply("sat", {})]
    monkeypatch.setattr(smt, "ask", lambda text, limits: (reply for reply in replies))
    with pytest.raises(Disagreement, match="check-sat"):
        check_smt(claim("x^2 + 1 > 0", x=REALS))


@pytest.mark.parametrize("answers", [["unsat"], ["unsat", "unknown"], ["unknown", "unknown"], []])
def test_one_solver_is_not_enough(monkeypatch, answers):
    monkeypatch.setattr(smt, "ask", lambda text, limits: (Reply(answer, {}) for answer in answers))
    assert check_smt(claim("x^2 + 1 > 0", x=REALS)).status is Status.UNDECIDED


def test_one_solver_is_enough_where_that_is_asked_for_and_the_tier_says_so(monkeypatch):
    monkeypatch.setattr(smt, "ask", lambda text, limits: (Reply(answer, {}) for answer in ("unsat", "unknown")))
    found = check_smt(claim("x^2 + 1 > 0", x=REALS), alone=True)
    assert (found.status, found.tier) == (Status.PROVED, ONE_SOLVER)


def test_a_hard_goal_uses_up_its_limit():
    hard = claim("x^3 + y^3 != z^3 + 4", x="integer [1, inf)", y="integer [1, inf)", z="integer [1, inf)")
    assert check_smt(hard, limits={"z3": 100_000, "cvc5": 1_000}).status is Status.UNDECIDED


def test_an_answer_does_not_depend_on_the_texts_before_it():
    false = claim("x^2 + y^2 > 2*x*y + 1/1000", x=REALS, y=REALS)
    first = check_smt(false)
    for size in range(2, 8 if FULL else 5):
        check_smt(claim(f"x^{2 * size} + {size} > y", x=REALS, y="(-inf, 1]"))
    assert check_smt(false) == first
    smt.end_servers()
    assert check_smt(false) == first


def test_a_solver_that_is_killed_is_an_error_and_no_answer_and_starts_again():
    smt.server("z3").child.process.kill()
    smt.server("z3").child.process.wait()
    assert check_smt(claim("x^2 + 1 > 0", x=REALS)).status is Status.PROVED
    smt.server("z3").child.process.kill()
    with pytest.raises(SolverEnded, match="z3 ended without an answer"):
        smt.SERVERS["z3"].answer("(check-sat)", 1000)
    assert check_smt(claim("x^2 + 1 > 0", x=REALS)).status is Status.PROVED


def test_a_text_that_a_solver_cannot_read_is_an_error():
    with pytest.raises(SolverEnded, match="exit status 1"):
        smt.server("cvc5").answer("(assert (", 1000)
    assert check_smt(claim("x^2 + 1 > 0", x=REALS)).status is Status.PROVED


def test_a_solver_that_never_ends_is_told_from_an_answer(monkeypatch):
    monkeypatch.setattr(decision, "GUARD_SECONDS", 0.001)
    with pytest.raises(TooSlow, match="the machine was too slow"):
        check_smt(claim("x^2 + 1 > 0", x=REALS))


def test_the_text_can_be_replayed():
    least = claim("1/x >= 1", x="(0, 1]")
    text = "(reset)\n".join(goal_text(Encoder(least), goal) for goal in goals(least))
    assert text.count("(check-sat)") == 2
    assert "(/ v_x" not in text
    code = (
        "import sys, z3\n"
        "for text in sys.stdin.read().split('(reset)'):\n"
        "    solver = z3.Solver()\n"
        "    solver.from_string(text)\n"
        "    print(solver.check())"
    )
    result = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["unsat", "unsat"]


def test_names_of_variables_collide_with_nothing():
    assert check_smt(claim("abs*let >= 0", abs=NONNEGATIVE, let=NONNEGATIVE)).status is Status.PROVED
    names = ["\u00e9", "u233", "_u233_", "__u233__"]
    for one in names:
        for other in {*names} - {one}:
            found = check_smt(claim(f"{one} = {other}", **{one: REALS, other: REALS}))
            assert found.status is Status.REFUTED
    assert len({variable(name) for name in names}) == len(names)


@every(
    ("conclusion", "given", "domains"),
    [
        ("x >= 5", ("x^2 <= -1",), {"x": "[0, 1]"}),
        ("x >= 5", (), {"x": "(1, 0)"}),
        ("1/x >= 1", ("x^2 <= 0",), {"x": "(0, 1]"}),
        ("x = 7", ("x = 1", "x = 2"), {"x": "(-inf, inf)"}),
        ("n >= 9", ("2*n = 3",), {"n": "integer [0, inf)"}),
        ("exp(x)^2 >= 1", ("exp(x) <= -1",), {"x": REALS}),
        ("x >= 5", ("exp(x) = 2^x", "x > 1"), {"x": REALS}),
        ("x >= 5", ("exp(1) = 2.7182818284590452353602874713526624977572",), {"x": REALS}),
    ],
)
def test_a_claim_about_nothing_is_not_proved(conclusion, given, domains):
    assert check_smt(claim(conclusion, given, **domains)).status is not Status.PROVED


def test_hypotheses_that_only_an_irrational_point_fulfils_are_not_empty():
    found = check_smt(claim("x < 1.5", ("x^2 = 2",), x="[0, inf)"))
    assert found.status is Status.PROVED


def test_one_solver_alone_says_so(monkeypatch):
    """Where cvc5 is not installed z3 decides, and the evidence is weaker."""
    found = check_smt(claim("x^2 + y^2 >= 2*x*y", x=REALS, y=REALS), {"z3": MOST_WORK["z3"]})
    assert (found.status, found.tier) == (Status.PROVED, ONE_SOLVER)
    assert check_smt(claim("x^2 >= x", x=REALS), {"z3": MOST_WORK["z3"]}).status is Status.REFUTED
