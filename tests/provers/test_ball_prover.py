from __future__ import annotations

import re
from fractions import Fraction
from itertools import chain

import mpmath
import pytest
from flint import arb, ctx
from panshuffle.symbolic.ball import TIER, check_inequality
from panshuffle.symbolic.claim import Claim, claim
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.derivative import derivative
from panshuffle.symbolic.interval import Interval
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, parse_term

from tests.conftest import FULL
from tests.every import every

POSITIVE, UNIT, REAL = "(0, inf)", "(0, 1]", "(-inf, inf)"
AMPLIFIED = "log(1/(1-(1-exp(-e))^g))"
Case = tuple[str, dict[str, str]]

TRUE: list[Case] = [
    ("2^g/(2^g-1) <= 2/g", {"g": UNIT}),
    (f"{AMPLIFIED} <= e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    ("(1-exp(-e))^g <= e^g", {"e": POSITIVE, "g": UNIT}),
    ("q*log(q)^2 <= (1-q)^2", {"q": "(0, 1)"}),
    ("-log(1-q)-q <= log(1-q)^2", {"q": "(0, 1)"}),
    ("(exp(e)-1)*log(1-exp(-e)) + e >= e*log(e)", {"e": "(0, 1.5234]"}),
    ("(1+x)^r <= 1+x*r", {"x": "(-1, inf)", "r": "[0, 1]"}),
    ("(1+x)^r <= 1+x*r", {"x": "(-1, inf)", "r": UNIT}),
    ("(1+x)^r >= 1+x*r", {"x": "(-1, inf)", "r": "[1, 3]"}),
    ("1+x <= exp(x)", {"x": REAL}),
    ("log(1+x) <= x", {"x": "(-1, inf)"}),
    ("1-exp(-e) <= e", {"e": POSITIVE}),
    ("1-exp(-e) < e", {"e": POSITIVE}),
    ("(1+u)*log(1+u)-u >= u^2/(2*(1+u))", {"u": "[0, inf)"}),
    ("(1+u)*log(1+u)-u >= u^2/(2*(1+u/3))", {"u": "[0, inf)"}),
    ("(1-u)*log(1-u)+u >= u^2/2", {"u": "[0, 1)"}),
    ("exp(x)+exp(-x) > 2", {"x": POSITIVE}),
    ("exp(x)+exp(-x) >= 2", {"x": REAL}),
    ("(exp(e)/g+1)/(exp(e)+1) <= 1/g", {"e": POSITIVE, "g": UNIT}),
    ("2*exp(e)/(exp(2*e)-1) <= 1/e", {"e": POSITIVE}),
    ("exp(e)-1 <= exp(e)/2", {"e": "(0, log(2)]"}),
    ("2-exp(-e) < exp(e)", {"e": POSITIVE}),
    ("x^(1/3) <= (x+2)/3", {"x": "[0, inf)"}),
    ("sqrt(x) <= (x+1)/2", {"x": "[0, inf)"}),
    ("sqrt(x*y) <= (x+y)/2", {"x": "[0, inf)", "y": "[0, inf)"}),
    ("x^2 + 1/9 >= 2*x/3", {"x": "[0, 1]"}),
    ("x*(1-x) <= 1/4", {"x": REAL}),
    ("x*y <= (x^2+y^2)/2", {"x": REAL, "y": REAL}),
    ("0 <= x*(1-x) <= 1/4", {"x": "[0, 1]"}),
    ("x <= exp(x) - 1 != -1", {"x": REAL}),
    ("1/x > 1/(x+1)", {"x": POSITIVE}),
    ("x^3 + 1 != 0", {"x": "(-1, inf)"}),
    ("log(2) < 7/10", {}),
    ("exp(log(2)) >= 2", {}),
    ("2^n >= n + 1", {"n": "integer [0, inf)"}),
    ("n^2 >= n", {"n": "integer [0, inf)"}),
    ("(n-1)*(n-2) >= 0", {"n": "integer [-10, 10]"}),
    ("n*x <= 5*x", {"n": "integer [0, 5]", "x": "[0, 1]"}),
]

LONG: list[Case] = [  # seconds each; the ledger has the second
    (f"{AMPLIFIED} <= e + log(1/g)", {"e": "[1e-9, inf)", "g": UNIT}),
    (f"{AMPLIFIED} <= 2*e^g/g", {"e": "(0, log(2)]", "g": UNIT}),
    ("log(1/(1-s*2^(-g))) <= 2*s*2^(-g)/g", {"s": UNIT, "g": UNIT}),
]

MUTATED_CONSTANTS: list[Case] = [
    ("2^g/(2^g-1) <= 1.96/g", {"g": UNIT}),
    ("2^g/(2^g-1) <= (2-1e-9)/g", {"g": UNIT}),
    (f"{AMPLIFIED} <= e + 0.98*log(1/g)", {"e": POSITIVE, "g": UNIT}),
    (f"{AMPLIFIED} <= 0.97*e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    (f"{AMPLIFIED} <= (1-1e-9)*e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    (f"{AMPLIFIED} <= 0.97*e^g/g", {"e": "(0, log(2)]", "g": UNIT}),
    ("(1+x)^r <= 1+0.97*x*r", {"x": "(-1, inf)", "r": "[0, 1]"}),
    ("1+1.03*x <= exp(x)", {"x": REAL}),
    ("1+(1+1e-9)*x <= exp(x)", {"x": REAL}),
    ("1+1e-9+x <= exp(x)", {"x": REAL}),
    ("log(1+x) <= 0.98*x", {"x": "(-1, inf)"}),
    ("log(1+x) <= x - 1e-9", {"x": "(-1, inf)"}),
    ("1-exp(-e) <= 0.99*e", {"e": POSITIVE}),
    ("(1+u)*log(1+u)-u >= u^2/(1.96*(1+u))", {"u": "[0, inf)"}),
    ("(1-u)*log(1-u)+u >= 0.51*u^2", {"u": "[0, 1)"}),
    ("exp(x)+exp(-x) >= 2+1e-9", {"x": POSITIVE}),
    ("2*exp(e)/(exp(2*e)-1) <= 0.98/e", {"e": POSITIVE}),
    ("exp(e)-1 <= 0.49*exp(e)", {"e": "(0, log(2)]"}),
    ("exp(e)-1 <= (1/2-1e-9)*exp(e)", {"e": "(0, log(2)]"}),
    ("x^(1/3) <= (x+1.96)/3", {"x": "[0, inf)"}),
    ("x*(1-x) <= 1/4 - 1e-9", {"x": REAL}),
    ("x*(1-x) <= 1/4 - 1e-18", {"x": REAL}),
    ("log(2) < 0.693147180559945309", {}),
    ("(exp(e)-1)*log(1-exp(-e)) + e >= e*log(e)", {"e": "(0, 1.5235]"}),
]

FLIPPED: list[Case] = [
    ("2^g/(2^g-1) >= 2/g", {"g": UNIT}),
    (f"{AMPLIFIED} >= e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    ("(1+x)^r >= 1+x*r", {"x": "(-1, inf)", "r": "[0, 1]"}),
    ("1+x >= exp(x)", {"x": REAL}),
    ("log(1+x) >= x", {"x": "(-1, inf)"}),
    ("(1+u)*log(1+u)-u <= u^2/(2*(1+u))", {"u": "[0, inf)"}),
    ("exp(x)+exp(-x) < 2", {"x": POSITIVE}),
    ("2*exp(e)/(exp(2*e)-1) >= 1/e", {"e": POSITIVE}),
    ("exp(e)-1 >= exp(e)/2", {"e": "(0, log(2)]"}),
    ("2-exp(-e) >= exp(e)", {"e": POSITIVE}),
    ("sqrt(x) >= (x+1)/2", {"x": "[0, inf)"}),
    ("log(2) >= 7/10", {}),
]

STRICT: list[Case] = [
    ("2^g/(2^g-1) < 2/g", {"g": UNIT}),
    (f"{AMPLIFIED} < e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    (f"{AMPLIFIED} < e^g/g", {"e": "(0, log(2)]", "g": UNIT}),
    ("(1+x)^r < 1+x*r", {"x": "(-1, inf)", "r": "[0, 1]"}),
    ("1+x < exp(x)", {"x": REAL}),
    ("log(1+x) < x", {"x": "(-1, inf)"}),
    ("1-exp(-e) < e", {"e": "[0, inf)"}),
    ("(1-u)*log(1-u)+u > u^2/2", {"u": "[0, 1)"}),
    ("exp(x)+exp(-x) > 2", {"x": "[0, inf)"}),
    ("sqrt(x) < (x+1)/2", {"x": "[0, inf)"}),
    ("x^2 + 1/9 > 2*x/3", {"x": "[0, 1]"}),
    ("x^2 + 25/49 > 10*x/7", {"x": REAL}),
    ("exp(log(2)) > 2", {}),
    ("log(exp(1/3)) != 1/3", {}),
    ("sqrt(4/9) != 2/3", {}),
    ("2^n > n + 1", {"n": "integer [0, inf)"}),
    ("(n-1)*(n-2) > 0", {"n": "integer [-10, 10]"}),
]

WIDENED: list[Case] = [
    ("2^g/(2^g-1) <= 2/g", {"g": "(0, 1.001]"}),
    ("2^g/(2^g-1) <= 2/g", {"g": "(0, 1 + 1e-9]"}),
    ("2^g/(2^g-1) <= 2/g", {"g": "[0, 1]"}),
    (f"{AMPLIFIED} <= e + log(1/g)", {"e": POSITIVE, "g": "(0, 1.01]"}),
    (f"{AMPLIFIED} <= e + log(1/g)", {"e": "[0, inf)", "g": "[0, 1]"}),
    (f"{AMPLIFIED} <= e^g/g", {"e": "(0, 2]", "g": UNIT}),
    (f"{AMPLIFIED} <= e^g/g", {"e": "(0, 1.55]", "g": UNIT}),
    ("(1+x)^r <= 1+x*r", {"x": "[-1, inf)", "r": "[0, 1]"}),
    ("(1+x)^r <= 1+x*r", {"x": "(-1, inf)", "r": "[0, 1.02]"}),
    ("(1+x)^r <= 1+x*r", {"x": "(-1, inf)", "r": "[-0.01, 1]"}),
    ("log(1+x) <= x", {"x": "[-1, inf)"}),
    ("1-exp(-e) >= 0", {"e": "[-1e-9, inf)"}),
    ("2*exp(e)/(exp(2*e)-1) <= 1/e", {"e": "[0, inf)"}),
    ("exp(e)-1 <= exp(e)/2", {"e": "(0, 0.6931471806]"}),
    ("exp(x)-exp(-x) > 0", {"x": "[0, inf)"}),
    ("x^3 >= x", {"x": "[0.99, inf)"}),
    ("(n-1)*(n-2) >= 0", {"n": "[-10, 10]"}),
    ("x^(1/2) >= 0", {"x": "[-1e-12, 1]"}),
]

ONE_POINT: list[Case] = [
    ("x/x <= 1", {"x": "[0, 1]"}),
    ("x/x <= 1", {"x": "[-1, 1]"}),
    ("(3*x-1)^2/(3*x-1)^2 >= 1", {"x": "[0, 1]"}),
    ("(7*x-3)/(7*x-3) >= 1", {"x": "[0, 1]"}),
    ("log((3*x-1)^2) <= 100", {"x": "[0, 1]"}),
    ("(x-1/3)^2 > 0", {"x": "[0, 1]"}),
    ("(x-5/7)^4 > 0", {"x": REAL}),
    ("x - 1/3 != 0", {"x": "[0, 1]"}),
    ("exp(x) != 1", {"x": "[-1, 1]"}),
    ("1 - x > 0", {"x": "[0, 1]"}),
    ("x*(1-x) > 0", {"x": "(0, 1]"}),
    ("(x-y)^2 > 0", {"x": "[0, 1]", "y": "[1, 3]"}),
    ("(x-1/2)^2 + (y-1/3)^2 > 0", {"x": "[0, 1]", "y": "[0, 1]"}),
    ("1/(x+y) > 0", {"x": "[0, 1]", "y": "[0, 1]"}),
    ("x^y <= 1", {"x": "[0, 1]", "y": "[0, 1]"}),
    ("0^x >= 0", {"x": "[0, 1]"}),
    ("x = x^2", {"x": "[0, 1]"}),
]

FAR_OUT: list[Case] = [
    ("x <= 10^6", {"x": POSITIVE}),
    ("x^2 <= 10^6*x + 1", {"x": "[0, inf)"}),
    ("log(1+x) <= 20", {"x": POSITIVE}),
    ("exp(-x) >= 1e-30", {"x": POSITIVE}),
    ("x >= 1e-9", {"x": POSITIVE}),
    ("x^2 >= 1e-10*x", {"x": POSITIVE}),
    ("log(x) >= -30", {"x": UNIT}),
    ("x^0.001 <= 1.06", {"x": "[1, inf)"}),
    ("x*y <= 10^7", {"x": POSITIVE, "y": "(0, 1]"}),
    ("n <= 10^12", {"n": "integer [0, inf)"}),
    ("(x-10^4)^2 >= 1e-3", {"x": "[0, inf)"}),
    ("x/(1+x) <= 1 - 1e-15", {"x": POSITIVE}),
]

IRRATIONAL: list[Case] = [
    ("(x^2-2)^2 > 0", {"x": "[0, 2]"}),
    ("x^2 != 2", {"x": "[0, 2]"}),
    ("exp(x) != 2", {"x": "[0, 1]"}),
    ("x < log(2)", {"x": "[0, log(2)]"}),
    ("exp(x) < 2", {"x": "[0, log(2)]"}),
    ("1/(x^2-2) != 0", {"x": "[0, 2]"}),
    ("log((x^2-2)^2) <= 10", {"x": "[0, 2]"}),
    ("(exp(x)-3)^2 > 0", {"x": REAL}),
    ("(x*y-2)^2/(x*y-2)^2 <= 1", {"x": "[1, sqrt(2)]", "y": "[1, sqrt(2)]"}),
]

TEMPLATES = [MUTATED_CONSTANTS, FLIPPED, STRICT, WIDENED, ONE_POINT, FAR_OUT, IRRATIONAL]
REFUTABLE = list(chain(*TEMPLATES[:-1]))


def shown(case: Case) -> str:
    return f"{case[0]} on {case[1]}"


def value(term: Term, point: dict[str, Fraction]) -> mpmath.mpf:
    """A term by mpmath, with an error where it is not defined."""
    if isinstance(term, Number):
        return mpmath.mpf(term.value.numerator) / term.value.denominator
    if isinstance(term, Symbol):
        return mpmath.mpf(point[term.name].numerator) / point[term.name].denominator
    values = [value(argument, point) for argument in term.arguments]
    return applied(term, *values)


def applied(term: Apply, left: mpmath.mpf, right: mpmath.mpf | None = None) -> mpmath.mpf:
    if right is None:
        if (term.operator == "log" and left <= 0) or (term.operator == "sqrt" and left < 0):
            raise ZeroDivisionError
        return {"exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt}[term.operator](left)
    if term.operator == "^":
        exponent = constant(term.arguments[1])
        whole = exponent is not None and exponent.denominator == 1
        if (left < 0 and not whole) or (left == 0 and (right < 0 or (right == 0 and not whole))):
            raise ZeroDivisionError
        return left**right
    operations = {"+": left + right, "-": left - right, "*": left * right}
    return operations[term.operator] if term.operator in operations else left / right


def witness_point(text: str) -> dict[str, Fraction]:
    return {
        name: Fraction(number)
        for name, number in re.findall(r"(\w+) = (-?\d+(?:/\d+)?)", text.split(":", maxsplit=1)[0])
    }


def inside(point: dict[str, Fraction], goal: Claim) -> bool:
    for name, domain in goal.variables.items():
        at = mpmath.mpf(point[name].numerator) / point[name].denominator
        lower = -mpmath.inf if domain.lower is None else value(domain.lower, {})
        upper = mpmath.inf if domain.upper is None else value(domain.upper, {})
        if at < lower or at > upper or (at == lower and domain.lower_open) or (at == upper and domain.upper_open):
            return False
        if domain.integer and point[name].denominator != 1:
            return False
    return True


def fails(goal: Claim, point: dict[str, Fraction]) -> bool:
    """Whether some relation fails at a point, by mpmath with 80 digits."""
    with mpmath.workdps(80):
        assert inside(point, goal)
        for relation in goal.conclusion:
            try:
                gap = value(relation.right, point) - value(relation.left, point)
            except (ZeroDivisionError, ValueError):
                return True
            sign = 0 if abs(gap) < mpmath.mpf(10) ** -70 else int(mpmath.sign(gap))
            holds = {"<=": sign >= 0, "<": sign > 0, ">=": sign <= 0, ">": sign < 0, "=": sign == 0, "!=": sign != 0}
            if not holds[relation.relation]:
                return True
    return False


@pytest.mark.parametrize("case", TRUE + (LONG if FULL else []), ids=shown)
def test_a_true_claim_is_proved(case: Case) -> None:
    answer = check_inequality(claim(case[0], **case[1]))
    assert (answer.status, answer.tier, answer.witness) == (Status.PROVED, TIER, None)


@every("case", REFUTABLE)
def test_a_false_claim_is_refuted_by_a_witness_that_is_real(case: Case) -> None:
    goal = claim(case[0], **case[1])
    answer = check_inequality(goal)
    assert answer.status is Status.REFUTED
    assert answer.witness is not None
    assert fails(goal, witness_point(answer.witness))


@pytest.mark.parametrize("case", IRRATIONAL, ids=shown)
def test_a_claim_that_is_false_at_an_irrational_point_only_is_not_proved(case: Case) -> None:
    units = 200_000 if FULL else 20_000
    assert check_inequality(claim(case[0], **case[1]), units).status is not Status.PROVED


def test_no_template_makes_more_than_a_third_of_the_false_claims() -> None:
    sizes = [len(template) for template in TEMPLATES]
    assert sum(sizes) >= 80
    assert 3 * max(sizes) <= sum(sizes)


def test_a_budget_that_is_used_up_leaves_it_undecided() -> None:
    goal = claim("2^g/(2^g-1) <= 2/g", g="(0, 1]")
    assert check_inequality(goal, units=10).status is Status.UNDECIDED
    assert check_inequality(claim("x^2 >= x + 1e-6", x="[0, 1]"), search_units=1, units=100).status is Status.UNDECIDED


def test_a_hypothesis_about_one_variable_cuts_its_domain() -> None:
    bounded = claim("x^2 <= x", ("x >= 0", "1 >= x"), x=REAL)
    assert check_inequality(bounded).status is Status.PROVED


@pytest.mark.parametrize(
    ("conclusion", "given", "domains"),
    [
        ("x + y < 3", ("x^2 + y^2 <= 2",), {"x": "[0, 2]", "y": "[0, 2]"}),
        ("x <= 0.01", ("x = 3/32",), {"x": "[0, 1]"}),
        ("x >= 5", ("16*x = 3",), {"x": "[0, 1]"}),
        ("log(x) <= -4", ("x = 3/32",), {"x": "(0, 1]"}),
        ("x*y <= 0.001", ("x = 3/32", "y = 5/32"), {"x": "[0, 1]", "y": "[0, 1]"}),
        ("n <= 100", ("n = 103",), {"n": "integer [0, inf)"}),
        ("y <= 1/2", ("x >= 1 + (y - log(2))^14",), {"x": "[0, 1]", "y": "[0, 1]"}),
        ("y < 1/2", ("x >= 1 + (y - log(2))^14",), {"x": "[0, 1]", "y": "[0, 1]"}),
        ("y <= 1/2", ("x <= -exp(1)*(y - log(2))^14",), {"x": "[0, 1]", "y": "[0, 1]"}),
        ("x >= 5", ("x^2 <= -1",), {"x": "[0, 1]"}),
        ("1 >= 5", ("x^2 <= -1",), {"x": "[0, 1]"}),
        ("x >= 5", (), {"x": "(1, 0)"}),
        ("x >= 5", ("x >= 2", "x <= 1"), {"x": REAL}),
    ],
)
def test_other_hypotheses_never_prove_anything(conclusion, given, domains) -> None:
    """A set that hypotheses cut out may be a point, or empty."""
    assert check_inequality(claim(conclusion, given, **domains), 5).status is not Status.PROVED


@every(
    ("conclusion", "given", "domains"),
    [
        ("x^2 <= x", ("x >= 0",), {"x": REAL}),
        ("x^2 <= x", ("1.001 >= x", "x >= 0"), {"x": REAL}),
        ("x + y < 2", ("x^2 + y^2 <= 2",), {"x": "[0, 2]", "y": "[0, 2]"}),
        ("x + y <= 1.99", ("x^2 + y^2 <= 2",), {"x": "[0, 2]", "y": "[0, 2]"}),
        ("x*y <= 0.3", ("x + y <= 1.2",), {"x": "[0, 1]", "y": "[0, 1]"}),
        ("1/x >= 1", ("x <= 1",), {"x": "[0, 2]"}),
        ("log(x) <= 0", ("x < 1",), {"x": "[0, 2]"}),
    ],
)
def test_a_dropped_or_weakened_hypothesis_is_noticed(
    conclusion: str, given: tuple[str, ...], domains: dict[str, str]
) -> None:
    answer = check_inequality(claim(conclusion, given, **domains), 5)
    assert answer.status is Status.REFUTED
    assert answer.witness is not None
    assert fails(claim(conclusion, **domains), witness_point(answer.witness))


@pytest.mark.parametrize("domains", [{"x": "[1, 0]"}, {"x": "(1, 1]"}, {"x": "[0, log(1/2)]"}, {"x": "integer (0, 1)"}])
def test_an_empty_domain_says_nothing(domains: dict[str, str]) -> None:
    assert check_inequality(claim("x^2 >= 0", **domains), 2).status is Status.UNDECIDED


def test_an_equality_is_refuted_or_left_to_others() -> None:
    assert check_inequality(claim("exp(x)^2 = exp(2*x)", x=REAL), 1).status is Status.UNDECIDED
    assert check_inequality(claim("exp(x)^2 = exp(2*x) + 1e-30*x", x=REAL), 5).status is Status.REFUTED


@pytest.mark.parametrize("text", ["x^3 - 2*x", "exp(-x^2)/(1+x)", "log(1+x)*sqrt(x)", "(1+x)^(2*x)", "2^x/x"])
def test_a_derivative_agrees_with_a_difference_quotient(text: str) -> None:
    term = parse_term(text)
    with mpmath.workdps(40):
        for at in (Fraction(1, 3), Fraction(7, 5)):
            step = Fraction(1, 10**12)
            quotient = (value(term, {"x": at + step}) - value(term, {"x": at - step})) / (2 * mpmath.mpf(10) ** -12)
            assert abs(quotient - value(derivative(term, "x"), {"x": at})) < mpmath.mpf(10) ** -18


def numbers(interval: Interval) -> list[Fraction]:
    """Some rationals of an interval with small whole ends."""
    low = Fraction(-40) if not interval.lower.is_finite() else Fraction(int(float(interval.lower)))
    high = Fraction(40) if not interval.upper.is_finite() else Fraction(int(float(interval.upper)))
    values = [low + (high - low) * Fraction(i, 7) for i in range(8)]
    return values[interval.lower_open : 8 - interval.upper_open]


def intervals() -> list[Interval]:
    ends = [arb("-inf"), arb(-2), arb(0), arb(1), arb("inf")]
    found = []
    for i, lower in enumerate(ends[:-1]):
        for upper in ends[i + 1 :]:
            for lower_open in {True, not lower.is_finite()}:
                for upper_open in (True, False):
                    if upper.is_finite() or upper_open:
                        found.append(Interval(lower, upper, lower_open, upper_open))
    return found


def encloses(interval: Interval, number: Fraction) -> bool:
    with ctx.workprec(200):
        gap_below = arb(number.numerator) / number.denominator - interval.lower
        gap_above = interval.upper - arb(number.numerator) / number.denominator
    return not (gap_below < 0 or gap_above < 0) and not (
        (interval.lower_open and gap_below == 0) or (interval.upper_open and gap_above == 0)
    )


def test_interval_operations_enclose_every_value() -> None:
    for one in intervals():
        for power in (-3, -2, 0, 1, 2, 3):
            assert all(encloses(one.whole_power(power), x**power) for x in numbers(one) if x or power >= 0)
        for two in intervals():
            pairs = [(x, y) for x in numbers(one) for y in numbers(two)]
            assert all(encloses(one + two, x + y) and encloses(one * two, x * y) for x, y in pairs)
            assert all(encloses(one * two.reciprocal(), x / y) for x, y in pairs if y)
