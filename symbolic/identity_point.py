"""Terms and relations at one rational point: exact where the value is rational, and otherwise in balls.

Every decision is three-valued: True, False, or None where no precision up to the limit settles it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq

from symbolic.claim import Claim, Domain, Relation, definedness
from symbolic.term import Apply, Number, Symbol, Term, combine

Point = Mapping[str, Fraction]

PRECISIONS = (64, 256, 1024, 4096)
LARGEST_EXPONENT = 2_000
LARGEST_BITS = 100_000


def rational_at(term: Term, point: Point) -> Fraction | None:
    """The exact value, where it is found to be rational and the term is defined.

    >>> from symbolic.term import parse_term
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
    above, below = (integer_root(part, exponent.denominator) for part in base.as_integer_ratio())
    return None if above is None or below is None else Fraction(above, below) ** exponent.numerator


def integer_root(value: int, degree: int) -> int | None:
    """The whole number whose power is the value, if there is one."""
    from flint import fmpz

    root = int(fmpz(value).root(degree))
    return root if root**degree == value else None


def ball_at(term: Term, point: Point) -> arb:
    """An enclosure of the value at the current precision; not finite where the term may be undefined."""
    exact = rational_at(term, point)
    if exact is not None:
        return arb(fmpq(exact.numerator, exact.denominator))
    if not isinstance(term, Apply):
        raise TypeError(f"{term!r} has no value")
    balls = [ball_at(argument, point) for argument in term.arguments]
    if term.operator == "^":
        return power_ball(term.arguments[0], balls, rational_at(term.arguments[1], point))
    if term.operator in ("exp", "log", "sqrt"):
        value: arb = getattr(balls[0], term.operator)()
        return value
    left, right = balls
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right}.get(
        term.operator, lambda: left / right
    )()


def power_ball(base: Term, balls: Sequence[arb], exponent: Fraction | None) -> arb:
    """An enclosure of a power."""
    if exponent is not None and exponent.denominator == 1 and abs(exponent) <= LARGEST_EXPONENT:
        return balls[0] ** int(exponent)
    return (balls[1] * balls[0].log()).exp()


def sign_at(term: Term, point: Point) -> int | None:
    """The sign of a defined term at a point, None where no precision settles it."""
    exact = rational_at(term, point)
    if exact is not None:
        return (exact > 0) - (exact < 0)
    saved = ctx.prec
    try:
        for precision in PRECISIONS:
            ctx.prec = precision
            ball = ball_at(term, point)
            if ball.is_finite() and (ball > 0 or ball < 0):
                return 1 if ball > 0 else -1
    finally:
        ctx.prec = saved
    return None


def enclosure_at(term: Term, point: Point, precision: int = 128) -> arb:
    """An enclosure of the value with this precision."""
    saved = ctx.prec
    try:
        ctx.prec = precision
        return ball_at(term, point)
    finally:
        ctx.prec = saved


def compare(relation: Relation, point: Point) -> bool | None:
    """Whether a relation between defined terms holds at a point."""
    sign = sign_at(Apply("-", (relation.left, relation.right)), point)
    if sign is None:
        return None
    return {
        "<=": sign <= 0,
        "<": sign < 0,
        ">=": sign >= 0,
        ">": sign > 0,
        "=": sign == 0,
        "!=": sign != 0,
    }[relation.relation]


def undefined_at(term: Term, point: Point) -> Relation | bool | None:
    """A condition that fails at the point, True if the term is defined there, None if that is not settled."""
    settled: bool | None = True
    for condition in reversed(definedness(term)):
        holds = compare(condition, point) if settled else None
        if holds is False:
            return condition
        settled = settled if holds else None
    return settled


def holds_at(relation: Relation, point: Point) -> bool | None:
    """Whether a relation holds at a point: False where a term in it is undefined."""
    for side in (relation.left, relation.right):
        defined = undefined_at(side, point)
        if isinstance(defined, Relation):
            return False
        if defined is None:
            return None
    return compare(relation, point)


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
    if not admits(claim, point):
        return None
    place = ", ".join(f"{name} = {value}" for name, value in point.items()) or "the constants"
    for relation in claim.conclusion:
        if holds_at(relation, point) is False:
            return f"at {place}: {failure(relation, point)}"
    return None


def failure(relation: Relation, point: Point) -> str:
    """What is wrong with a relation that fails at a point."""
    for side in (relation.left, relation.right):
        condition = undefined_at(side, point)
        if isinstance(condition, Relation):
            return f"a term is not defined, because {condition} fails"
    return f"{value_text(relation.left, point)} {relation.relation} {value_text(relation.right, point)} is false"


def value_text(term: Term, point: Point) -> str:
    """The value, exactly where it is rational, otherwise to 20 digits."""
    exact = rational_at(term, point)
    return str(exact) if exact is not None else f"{enclosure_at(term, point).str(20, radius=False)}..."


def points(claim: Claim, extra: Mapping[str, Sequence[Fraction]] | None = None) -> Iterator[dict[str, Fraction]]:
    """Rational points to try, simple ones first: along the diagonal, then all combinations."""
    from itertools import product

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
    ends = [rational_at(end, {}) for end in (domain.lower, domain.upper) if end is not None]
    near = [end for end in ends if end is not None]
    steps = [Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 97), Fraction(1, 10**6), Fraction(7, 5)]
    simple = [Fraction(a, b) for b in (1, 2, 3) for a in (1, -1, 2, 3, -2, 5, 7)]
    far = [Fraction(scale * sign) for scale in (10, 12, 100, 10**4, 10**7) for sign in (1, -1)]
    inner = [(near[0] + (near[1] - near[0]) * t) for t in steps[1:5]] if len(near) == 2 else []
    around = [end + sign * step for end in near for step in steps for sign in (1, -1)]
    found = [*near, *inner, *simple, Fraction(0), *around, *far]
    return [value for value in dict.fromkeys(found) if in_domain(value, domain) is True]
