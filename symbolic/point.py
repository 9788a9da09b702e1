"""Terms and relations at one rational point: in balls, and by an exact form where a ball contains 0.

Every decision is three-valued: True, False, or None where no precision up to the limit settles it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from flint import arb, ctx
from panshuffle.exact.real import exact_root, quotient
from panshuffle.symbolic.ball_box import CONSTANTS, constant_sign, whole_power
from panshuffle.symbolic.claim import Claim, Domain, Relation, operation_conditions
from panshuffle.symbolic.form import Unfit
from panshuffle.symbolic.interval import sign_of
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, combine, constant, substitute

Point = Mapping[str, Fraction]

PRECISIONS = (64, 256, 1024, 4096)
ARITHMETIC: dict[str, Callable[[arb, arb], arb]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
FULFILLED = {"<=": (-1, 0), "<": (-1,), ">=": (0, 1), ">": (1,), "=": (0,), "!=": (-1, 1)}
"""The signs of left - right for which a relation holds."""
LARGEST_EXPONENT = 2_000
LARGEST_BITS = 100_000


class Unclear(Exception):
    """It is not decided whether a term is defined at a point."""


class Undefined(Exception):
    """A term is certainly not defined at a point, because a condition fails there."""

    def __init__(self, condition: Relation) -> None:
        super().__init__(str(condition))
        self.condition = condition


def rational_at(term: Term, point: Point) -> Fraction | None:
    """The exact value, where it is found to be rational and the term is defined.

    >>> from panshuffle.symbolic.term import parse_term
    >>> rational_at(parse_term("sqrt(x)/3 + exp(0)"), {"x": Fraction(1, 4)})
    Fraction(7, 6)
    """
    if isinstance(term, Number):
        return term.value
    if isinstance(term, Symbol):
        return point[term.name]
    values = [rational_at(argument, point) for argument in term.arguments]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    if term.operator == "exp":
        return Fraction(1) if known[0] == 0 else None
    if term.operator == "log":
        return Fraction(0) if known[0] == 1 else None
    if term.operator == "sqrt":
        return rational_power(known[0], Fraction(1, 2))
    return rational_power(*known) if term.operator == "^" else combine(term.operator, *known)


def rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """base^exponent, where it is defined, rational and not huge.

    >>> rational_power(Fraction(8, 27), Fraction(-2, 3))
    Fraction(9, 4)
    """
    if exponent.denominator == 1:
        size = abs(exponent) * (base.numerator.bit_length() + base.denominator.bit_length())
        return combine("^", base, exponent) if size <= LARGEST_BITS else None
    if base == 0:
        return Fraction(0) if exponent > 0 else None
    if base < 0 or abs(exponent.numerator) > LARGEST_EXPONENT or exponent.denominator > LARGEST_EXPONENT:
        return None
    above, below = (exact_root(part, exponent.denominator) for part in base.as_integer_ratio())
    return None if above is None or below is None else Fraction(above, below) ** exponent.numerator


def ball_at(term: Term, point: Point) -> arb:
    """A ball that encloses the value, at the working precision.  *Raises* `Unclear` or `Undefined`."""
    if isinstance(term, Number):
        return arb(quotient(term.value))
    if isinstance(term, Symbol):
        return arb(quotient(point[term.name]))
    balls = [ball_at(argument, point) for argument in term.arguments]
    conditions = operation_conditions(term)
    signs = [required_sign(c, balls[term.arguments.index(c.left)], point) for c in conditions]
    result = operation(term, balls, 0 in signs)
    if not result.is_finite():
        raise Unclear
    return result


def required_sign(condition: Relation, ball: arb, point: Point) -> int:
    """The sign of u, for a condition u > 0, u >= 0 or u != 0.  *Raises* `Undefined` where it fails, and `Unclear`."""
    sign = sign_of(ball) or exact_sign(condition.left, point)
    if sign is None:
        raise Unclear
    if sign not in FULFILLED[condition.relation]:
        raise Undefined(condition)
    return sign


def operation(term: Apply, balls: list[arb], of_zero: bool) -> arb:
    """One operation on balls that it is defined for, of which a base or a radicand is 0, or none."""
    exponent = constant(term.arguments[1]) if term.operator == "^" else None
    if exponent is not None and exponent.denominator == 1:
        return whole_power(balls[0], int(exponent))
    if of_zero:
        return arb(0)
    if term.operator == "^":
        return (balls[0].log() * balls[1]).exp()
    function = ARITHMETIC.get(term.operator) or getattr(arb, term.operator)
    result: arb = function(*balls)
    return result


def exact_sign(term: Term, point: Point) -> int | None:
    """The sign of a term that is defined at a point, by its exact form; None where that is not settled."""
    values: dict[str, Term] = {name: Number(value) for name, value in point.items()}
    try:
        return constant_sign(CONSTANTS.form(substitute(term, values)))
    except (Unfit, ArithmeticError, ValueError):
        return None


def clear_balls(term: Term, point: Point) -> Iterator[tuple[int, arb]]:
    """(precision, ball) over growing precisions, where it is clear that the term is defined.  *Raises* `Undefined`."""
    for precision in PRECISIONS:
        ball = enclosure_at(term, point, precision)
        if ball.is_finite():
            yield precision, ball


def sign_at(term: Term, point: Point, by_form: bool = True) -> int | None:
    """The sign of a term at a point, None where no precision settles it.  *Raises* `Undefined`.

    Without `by_form` only a rational is evaluated exactly, and low precisions have to do.
    """
    for precision, ball in clear_balls(term, point):
        if sign_of(ball):
            return sign_of(ball)
        if precision == PRECISIONS[0]:
            exact = rational_at(term, point)
            sign = (exact > 0) - (exact < 0) if exact is not None else exact_sign(term, point) if by_form else None
            if sign is not None:
                return sign
        elif not by_form:
            break
    return None


def enclosure_at(term: Term, point: Point, precision: int = 128) -> arb:
    """An enclosure of the value of a defined term with this precision; not finite where that does not suffice."""
    with ctx.workprec(precision):
        try:
            return ball_at(term, point)
        except Unclear:
            return arb("nan")


def undefined_at(term: Term, point: Point) -> Relation | bool | None:
    """A condition that fails at the point, True if the term is defined there, None if that is not settled."""
    try:
        return True if any(True for _ in clear_balls(term, point)) else None
    except Undefined as reason:
        return reason.condition


def holds_at(relation: Relation, point: Point, by_form: bool = True) -> bool | None:
    """Whether a relation holds at a point: False where a term in it is undefined, None where it is not settled."""
    try:
        sign = sign_at(Apply("-", (relation.left, relation.right)), point, by_form)
    except Undefined:
        return False
    return None if sign is None else sign in FULFILLED[relation.relation]


def in_domain(value: Fraction, domain: Domain) -> bool | None:
    """Whether a rational lies in a domain."""
    if domain.integer and value.denominator != 1:
        return False
    answers: list[bool | None] = [True]
    if domain.lower is not None:
        answers.append(holds_at(Relation(Number(value), ">" if domain.lower_open else ">=", domain.lower), {}))
    if domain.upper is not None:
        answers.append(holds_at(Relation(Number(value), "<" if domain.upper_open else "<=", domain.upper), {}))
    return False if False in answers else None if None in answers else True


def admits(claim: Claim, point: Point) -> bool:
    """Whether a point surely lies in every domain and fulfils every hypothesis, all of them defined there."""
    inside = all(in_domain(point[name], domain) is True for name, domain in claim.variables.items())
    return inside and all(holds_at(relation, point) is True for relation in claim.given)


def violation(claim: Claim, point: Point) -> str | None:
    """How a claim fails at a point, in words; None if it is not certain that it fails there."""
    return first_failure(claim.conclusion, point) if admits(claim, point) else None


def first_failure(relations: Iterable[Relation], point: Point) -> str | None:
    """How the first relation that surely fails at a point does, in words."""
    place = ", ".join(f"{name} = {value}" for name, value in point.items()) or "the constants"
    for relation in relations:
        if holds_at(relation, point) is False:
            return f"at {place}: {failure(relation, point)}"
    return None


def failure(relation: Relation, point: Point) -> str:
    """What is wrong with a relation that fails at a point."""
    for side in (relation.left, relation.right):
        condition = undefined_at(side, point)
        if isinstance(condition, Relation):
            return f"a term is not defined, because {condition} fails"
    for digits in (8, 20, 60, 200):
        left, right = (value_text(side, point, digits) for side in (relation.left, relation.right))
        if left.removesuffix("...").rstrip("0").rstrip(".") != right.removesuffix("...").rstrip("0").rstrip("."):
            break
    return f"{left} {relation.relation} {right} is false"


def value_text(term: Term, point: Point, digits: int) -> str:
    """The value, exactly where it is found to be a short rational, otherwise to some digits."""
    exact = rational_at(term, point)
    if exact is not None and max(abs(exact.numerator), exact.denominator) < 10 ** (digits + 4):
        return str(exact)
    number, mark, power = enclosure_at(term, point, 4 * digits + 64).str(digits + 3, radius=False).partition("e")
    shown = number[:-3] if "." in number[:-3] else number
    return f"{shown}{mark}{power}..."


def points(claim: Claim, extra: Mapping[str, Sequence[Fraction]] | None = None) -> Iterator[dict[str, Fraction]]:
    """Rational points to try, simple ones first: along the diagonal, then all combinations."""
    choices = {name: [*(extra or {}).get(name, ()), *candidates(domain)] for name, domain in claim.variables.items()}
    if not choices or all(choices.values()):
        longest = max(map(len, choices.values()), default=1)
        for shift in range(3):
            for index in range(longest):
                yield {
                    name: values[(index + shift * number) % len(values)]
                    for number, (name, values) in enumerate(choices.items())
                }
        for values in product(*choices.values()):
            yield dict(zip(choices, values, strict=True))


def candidates(domain: Domain) -> list[Fraction]:
    """Simple rationals of a domain: its ends, small whole numbers, fractions, and large numbers."""
    ends = [rational_at(end, {}) for end in domain.ends]
    near = [end for end in ends if end is not None]
    steps = [Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 97), Fraction(1, 10**6), Fraction(7, 5)]
    simple = [Fraction(a, b) for b in (1, 2, 3) for a in (1, -1, 2, 3, -2, 5, 7)]
    far = [Fraction(scale * sign) for scale in (10, 12, 100, 10**4, 10**7) for sign in (1, -1)]
    inner = [(near[0] + (near[1] - near[0]) * t) for t in steps[1:5]] if len(near) == 2 else []
    around = [end + sign * step for end in near for step in steps for sign in (1, -1)]
    found = [*near, *inner, *simple, Fraction(0), *around, *far]
    return [value for value in dict.fromkeys(found) if in_domain(value, domain) is True]
