"""Boxes, and enclosures of the values of forms on them.

A box is the *interior* of a product of intervals; its sides may be infinite, and a side may end at an irrational
constant, which is kept as a form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx, fmpz
from panshuffle.exact.real import dyadic, quotient
from panshuffle.symbolic.form import Algebra, Base, Form, is_whole, power_of
from panshuffle.symbolic.interval import INFINITY, MINUS_INFINITY, ZERO, Interval, point, point_of, sign_of

PRECISION = 96
CONSTANT_PRECISIONS = (96, 384, 1536)
FAR = (Fraction(1, 1000), Fraction(1, 8), Fraction(1), Fraction(4), Fraction(30), Fraction(1000))
WITHIN = (Fraction(1, 1000), Fraction(1, 8), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(999, 1000))


@dataclass(frozen=True)
class Side:
    """An open interval; None is an infinite end."""

    lower: Form | None
    upper: Form | None


@dataclass(frozen=True)
class Box:
    """An open box, with the enclosures that were already computed on it."""

    sides: Mapping[str, Side]
    seen: dict[str, Interval] = field(default_factory=dict, compare=False)
    samples: list[dict[str, arb]] = field(default_factory=list, compare=False)

    def interval(self, name: str) -> Interval:
        """An enclosure of a side."""
        return side_interval(self.sides[name])

    def key(self) -> str:
        """A text that tells boxes apart."""
        sides = sorted(self.sides.items())
        return ";".join(f"{name}:{s.lower and s.lower.text}:{s.upper and s.upper.text}" for name, s in sides)

    def only(self, names: frozenset[str]) -> Box:
        """The box of the variables that are named."""
        if self.sides.keys() <= names:
            return self
        return Box({name: side for name, side in self.sides.items() if name in names})

    def without(self, name: str) -> Box:
        """The box of the other variables."""
        return Box({other: side for other, side in self.sides.items() if other != name})

    def with_side(self, name: str, side: Side) -> Box:
        """The box with another side."""
        return Box({**self.sides, name: side})


def side_interval(side: Side) -> Interval:
    """An enclosure of an open interval."""
    lower = MINUS_INFINITY if side.lower is None else value_at(side.lower, {}).lower()
    upper = INFINITY if side.upper is None else value_at(side.upper, {}).upper()
    return Interval(lower, upper, True, True)


def enclosure(form: Form, box: Box) -> Interval:
    """An interval that encloses the values of a form on a box, by interval arithmetic."""
    known = box.seen.get(form.text)
    if known is not None:
        return known
    total = point(ZERO)
    for monomial, weight in form.terms:
        part = point_of(weight)
        for base, exponent in monomial:
            part = part * factor_enclosure(base, exponent, box)
        total = total + part
    box.seen[form.text] = total
    return total


def factor_enclosure(base: Base, exponent: Form, box: Box) -> Interval:
    """An enclosure of base^exponent on a box."""
    key = f"{base.text}^{exponent.text}"
    if key not in box.seen:
        if base.kind == "e":
            box.seen[key] = enclosure(exponent, box).exp()
        elif is_whole(exponent) and exponent.rational is not None:
            box.seen[key] = base_enclosure(base, box).whole_power(int(exponent.rational))
        else:
            box.seen[key] = base_enclosure(base, box).power(enclosure(exponent, box))
    return box.seen[key]


def base_enclosure(base: Base, box: Box) -> Interval:
    """An enclosure of a base other than e on a box."""
    if base.kind == "variable":
        return box.interval(base.text)
    if base.kind == "number":
        return point_of(Fraction(base.number))
    inside = enclosure(base.inside(), box)
    return inside.log() if base.kind == "log" else inside


def value_at(form: Form, values: Mapping[str, arb]) -> arb:
    """A ball that encloses the value at a point, at the working precision; not finite where that is not clear."""
    total = arb(0)
    for monomial, weight in form.terms:
        part = arb(quotient(weight))
        for base, exponent in monomial:
            part *= factor_at(base, exponent, values)
        total += part
    return total


def factor_at(base: Base, exponent: Form, values: Mapping[str, arb]) -> arb:
    """The value of base^exponent at a point."""
    if base.kind == "e":
        return value_at(exponent, values).exp()
    if base.kind == "variable":
        inside = values[base.text]
    elif base.kind == "number":
        inside = arb(base.number)
    else:
        inside = value_at(base.inside(), values)
        inside = inside.log() if base.kind == "log" else inside
    if is_whole(exponent) and exponent.rational is not None:
        return whole_power(inside, int(exponent.rational))
    return (inside.log() * value_at(exponent, values)).exp()


def whole_power(ball: arb, exponent: int) -> arb:
    """ball^exponent by squarings; for a ball that contains 0, flint's own power is nan."""
    if ball > 0 or ball < 0:
        return ball ** fmpz(exponent)
    if exponent < 0:
        return arb("nan")
    result = arb(1)
    for bit in f"{exponent:b}":
        result = result * result
        result = result * ball if bit == "1" else result
    return result


def constant_sign(form: Form) -> int | None:
    """The sign of a form without variables; None where it is not decided."""
    if form.rational is not None:
        return (form.rational > 0) - (form.rational < 0)
    for precision in CONSTANT_PRECISIONS:
        with ctx.workprec(precision):
            ball = value_at(form, {})
        if sign_of(ball):
            return sign_of(ball)
    return None


def positive_constant(base: Base) -> bool:
    """Whether a base without variables is certainly positive."""
    if base.symbols:
        return False
    return sign_of(value_at(power_of(base), {})) > 0


CONSTANTS = Algebra(positive_constant)


def sample_points(box: Box) -> list[dict[str, arb]]:
    """Some points of a box, for search only."""
    if not box.samples:
        points: list[dict[str, arb]] = [{}]
        for name, side in box.sides.items():
            values = [arb(quotient(value)) for value in side_points(side)]
            points = [{**one, name: value} for one in points for value in values]
        box.samples.extend(points)
    return box.samples


def side_points(side: Side) -> list[Fraction]:
    """Some rationals in an open interval."""
    lower, upper = inner_ends(side)
    if lower is not None and upper is not None:
        return [lower + (upper - lower) * share for share in WITHIN]
    if lower is not None:
        return [lower + step for step in FAR]
    if upper is not None:
        return [upper - step for step in FAR]
    return [sign * step for step in FAR for sign in (-1, 1)]


def inner_ends(side: Side) -> tuple[Fraction | None, Fraction | None]:
    """Rationals at the ends of an interval or just inside them."""
    lower = None if side.lower is None else rational_near(side.lower, up=True)
    upper = None if side.upper is None else rational_near(side.upper, up=False)
    return lower, upper


def rational_near(form: Form, up: bool) -> Fraction:
    """A rational that is at least (at most) a constant and very near to it."""
    if form.rational is not None:
        return form.rational
    with ctx.workprec(PRECISION):
        ball = value_at(form, {})
        end = ball.upper() if up else ball.lower()
    return dyadic(end)


def middle(side: Side) -> Fraction:
    """A simple rational inside an interval, near its middle."""
    lower, upper = inner_ends(side)
    if lower is not None and upper is not None:
        return simplest(lower + (upper - lower) * Fraction(3, 8), lower + (upper - lower) * Fraction(5, 8))
    if lower is not None:
        return Fraction(0) if lower < 0 else Fraction((2 * lower + 1).__floor__())
    if upper is not None:
        return Fraction(0) if upper > 0 else -Fraction((-2 * upper + 1).__floor__())
    return Fraction(0)


def simplest(lower: Fraction, upper: Fraction) -> Fraction:
    """A dyadic rational between two rationals, with few bits.

    >>> simplest(Fraction(3, 8), Fraction(5, 8))
    Fraction(1, 2)
    """
    step = Fraction(1)
    while step > upper - lower:
        step /= 2
    while step * 2 < upper - lower:
        step *= 2
    value = Fraction((lower / step).__ceil__()) * step
    return value if value <= upper else (lower + upper) / 2
