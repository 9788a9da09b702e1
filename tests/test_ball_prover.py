from __future__ import annotations

import re
import time
from fractions import Fraction
from itertools import chain

import mpmath
import pytest
from flint import arb, ctx

from symbolic.answer import Status
from symbolic.ball import TIER, check_inequality
from symbolic.claim import Claim, claim
from symbolic.derivative import derivative
from symbolic.interval import Interval
from symbolic.term import Apply, Number, Symbol, Term, constant, parse_term

POSITIVE, UNIT, REAL = "(0, inf)", "(0, 1]", "(-inf, inf)"
AMPLIFIED = "log(1/(1-(1-exp(-e))^g))"
Case = tuple[str, dict[str, str]]

TRUE: list[Case] = [
    ("2^g/(2^g-1) <= 2/g", {"g": UNIT}),
    (f"{AMPLIFIED} <= e + log(1/g)", {"e": POSITIVE, "g": UNIT}),
    ("(1+x)^r <= 1+x*r", {"x": "(-1, inf)", "r": "[0, 1]"}),
    ("(1+x)^r <= 1+x*r", {"x": "[-1, inf)", "r": UNIT}),
    ("(1+x)^r >= 1+x*r", {"x": "[-1, inf)", "r": "[1, 3]"}),
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
        if left < 0 or (left == 0 and term.operator == "log"):
            if term.operator in ("log", "sqrt"):
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
    return {name: Fraction(number) for name, number in re.findall(r"(\w+) = (-?\d+(?:/\d+)?)", text.split(":")[0])}


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


@pytest.mark.parametrize("case", TRUE, ids=shown)
def test_a_true_claim_is_proved(case: Case) -> None:
    answer = check_inequality(claim(case[0], **case[1]), 20)
    assert (answer.status, answer.tier, answer.witness) == (Status.PROVED, TIER, None)


@pytest.mark.parametrize("case", REFUTABLE, ids=shown)
def test_a_false_claim_is_refuted_by_a_witness_that_is_real(case: Case) -> None:
    goal = claim(case[0], **case[1])
    answer = check_inequality(goal, 10)
    assert answer.status is Status.REFUTED
    assert answer.witness is not None
    assert fails(goal, witness_point(answer.witness))


@pytest.mark.parametrize("case", IRRATIONAL, ids=shown)
def test_a_claim_that_is_false_at_an_irrational_point_only_is_not_proved(case: Case) -> None:
    assert check_inequality(claim(case[0], **case[1]), 1).status is not Status.PROVED


def test_no_template_makes_more_than_a_third_of_the_false_claims() -> None:
    sizes = [len(template) for template in TEMPLATES]
    assert sum(sizes) >= 80
    assert 3 * max(sizes) <= sum(sizes)
