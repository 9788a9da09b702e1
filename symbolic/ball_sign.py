"""The sign of a form on a box: from enclosures, slopes, faces and factors, and by splitting the box."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod

from panshuffle.symbolic.ball_box import (
    Box,
    Side,
    constant_sign,
    enclosure,
    middle,
    sample_points,
    side_interval,
    value_at,
)
from panshuffle.symbolic.decision import Budget, Exhausted
from panshuffle.symbolic.form import (
    UNIT,
    ZERO_FORM,
    Algebra,
    Base,
    Factor,
    Form,
    Unfit,
    add,
    bases_of,
    exponent_of,
    factors_of,
    is_whole,
    negative,
    number,
    power_of,
    scale,
)
from panshuffle.symbolic.interval import sign_of

# Derivatives of forms, and what becomes of a form when variables are replaced.

Check = Callable[[Form, str], bool]


def derivative(algebra: Algebra, form: Form, name: str) -> Form:
    """The derivative by one variable, where every base of an exponent that is not whole is positive.

    *Formula* (b^e)' = b^e * (e' * log b + e * b'/b), for each factor of each monomial.
    """
    if name not in form.symbols:
        return ZERO_FORM
    parts: list[Form] = []
    for monomial, weight in form.terms:
        whole = Form(((monomial, weight),))
        for base, exponent in monomial:
            rate = logarithmic_derivative(algebra, base, exponent, name)
            if rate.terms:
                parts.append(algebra.multiply(whole, rate))
    return add(ZERO_FORM, *parts)


def logarithmic_derivative(algebra: Algebra, base: Base, exponent: Form, name: str) -> Form:
    """The derivative of base^exponent, divided by base^exponent."""
    parts: list[Form] = []
    if name in exponent.symbols:
        slope = derivative(algebra, exponent, name)
        parts.append(algebra.multiply(slope, algebra.base_logarithm(base)))
    if name in base.symbols:
        parts.append(algebra.multiply(exponent, base_rate(algebra, base, name)))
    return add(ZERO_FORM, *parts)


def base_rate(algebra: Algebra, base: Base, name: str) -> Form:
    """b'/b for a base b that contains the variable."""
    itself = algebra.product([(base, number(-1))], Fraction(1))
    if base.kind == "variable":
        return itself
    slope = derivative(algebra, base.inside(), name)
    if base.kind == "log":
        return algebra.multiply(slope, algebra.power(base.inside(), number(-1)), itself)
    return algebra.multiply(slope, itself)


def replaced(algebra: Algebra, form: Form, values: Mapping[str, Form], check: Check) -> Form:
    """The form with forms in place of variables, which is its continuous extension where every check holds.

    *Raises* `Unfit` where a divisor, an argument of a logarithm or a base does not pass the check.
    """
    if not form.symbols & values.keys():
        return form
    parts: list[Form] = []
    for monomial, weight in form.terms:
        factors = [replaced_factor(algebra, base, exponent, values, check) for base, exponent in monomial]
        parts.append(scale(algebra.multiply(*factors), weight))
    return add(ZERO_FORM, *parts)


def replaced_factor(algebra: Algebra, base: Base, exponent: Form, values: Mapping[str, Form], check: Check) -> Form:
    """base^exponent with forms in place of variables."""
    degree = replaced(algebra, exponent, values, check)
    inside = replaced_base(algebra, base, values, check)
    if is_whole(exponent) and exponent.rational is not None:
        if exponent.rational < 0 and not check(inside, "!="):
            raise Unfit("a divisor may be 0")
        return algebra.power(inside, degree)
    if inside.rational == 0:
        if not check(degree, ">"):
            raise Unfit("0 to a power that may not be positive")
        return ZERO_FORM
    if not check(inside, ">"):
        raise Unfit("a base may not be positive")
    return algebra.power(inside, degree)


def replaced_base(algebra: Algebra, base: Base, values: Mapping[str, Form], check: Check) -> Form:
    """A base with forms in place of variables."""
    if base.kind == "variable":
        return values.get(base.text) or power_of(base)
    if base.kind == "number":
        return number(base.number)
    if base.kind == "e":
        return algebra.exponential(number(1))
    inside = replaced(algebra, base.inside(), values, check)
    if base.kind == "sum":
        return inside
    if not check(inside, ">"):
        raise Unfit("a logarithm of what may not be positive")
    return algebra.logarithm(inside)


# Another form of the same goal, without logarithms.


def without_logarithms(algebra: Algebra, form: Form) -> Form | None:
    """A form with the sign of this one: e^form - 1, if that takes away logarithms; else None."""
    alone = (monomial[0] for monomial, _ in form.terms if len(monomial) == 1)
    if not any(base.kind == "log" and exponent.rational == 1 for base, exponent in alone):
        return None
    try:
        result = add(algebra.exponential(form), number(-1))
    except Unfit:
        return None
    return None if any(base.kind == "log" for base in all_bases(result)) else result


def all_bases(form: Form) -> Iterator[Base]:
    """The bases of a form and of everything inside it."""
    return (base for base, _ in powers(form, in_exponentials=True))


def powers(form: Form, in_exponentials: bool = False) -> Iterator[tuple[Base, Form]]:
    """Every base with its exponent, at any depth; in exponents of e only if that is asked for."""
    for monomial, _ in form.terms:
        for base, exponent in monomial:
            yield base, exponent
            if in_exponentials or base.kind != "e":
                yield from powers(exponent, in_exponentials)
            if base.form is not None:
                yield from powers(base.form, in_exponentials)


# The sign of a form on an open box: enclosures, factors, slopes and subdivision.
#
# Every rule is a sufficient condition, so that `holds` may say False of what is true, never True of what is false.
# A form is smooth on the box on which a `Prover` is made: the caller has shown that there every divisor has one sign
# and every base of an exponent that is not whole and every argument of a logarithm is positive.

SURE_DEPTH, SURE_BOXES = 2, 8
TEXT_OF_A_UNIT = 64
DERIVATIVE = 8
"""How many evaluations a derivative or a face of a form costs, about."""


class Prover:
    """Proves signs of forms that are smooth on a box within a budget: a unit is an evaluation of a short form."""

    def __init__(self, box: Box, budget: Budget) -> None:
        self.box = box
        self.budget = budget
        self.algebra = Algebra(self.positive)
        self.slope_boxes = 1
        self.face_boxes = 4
        self.smooth: set[str] = set()
        self.signs: dict[str, int] = {}
        self.proved: set[tuple[str, str, bool]] = set()
        self.failed: dict[tuple[str, str, bool], tuple[int, int]] = {}
        self.false: set[tuple[str, str]] = set()

    def positive(self, base: Base) -> bool:
        """Whether enclosures show that a base is positive on the whole box."""
        if base.kind in ("number", "e"):
            return True
        form = base_form(base)
        return base.symbols <= self.box.sides.keys() and enclosure(form, self.box).sign() > 0

    def base_sign(self, base: Base) -> int:
        """The strict sign of a base on the whole box, 0 if it has none or none is found."""
        known = self.signs.get(base.text)
        if known is None:
            known = self.signs[base.text] = 0
            try:
                known = self.found_sign(base_form(base), self.box)
            finally:
                self.signs.pop(base.text, None)
            self.signs[base.text] = known
        return known

    def found_sign(self, form: Form, box: Box) -> int:
        """1 or -1 if a form is proved to have that strict sign on a box, else 0."""
        box = box.only(form.symbols)
        if self.holds(form, box, True, SURE_DEPTH, SURE_BOXES):
            return 1
        return -1 if self.holds(negative(form), box, True, SURE_DEPTH, SURE_BOXES) else 0

    def spend(self, form: Form, times: int = 1) -> None:
        """Pays for some evaluations of a form.  *Raises* `Exhausted`."""
        self.budget.spend(times * (1 + len(form.text) // TEXT_OF_A_UNIT))

    def holds(self, form: Form, box: Box, strict: bool, depth: int, boxes: int) -> bool:
        """Whether form >= 0 (form > 0 if `strict`) is proved on an open box.

        `depth` limits how many slopes are taken, `boxes` into how many parts the box is split.
        """
        waiting = [box.only(form.symbols)]
        count = 0
        while waiting:
            part = waiting.pop()
            if self.settled(form, part, strict, depth):
                continue
            count += 1
            if count > boxes or self.is_false(form, part) or not part.sides:
                return False
            name, at, halves = split(part)
            cut = self.face(form, part, name, at) if strict else None
            if strict and (cut is None or not self.holds(cut, part.without(name), True, depth, boxes)):
                return False
            waiting += halves
        return True

    def is_false(self, form: Form, box: Box) -> bool:
        """Whether form >= 0 fails at a sample point."""
        key = (form.text, box.key())
        if key in self.false:
            return True
        for values in sample_points(box):
            self.spend(form)
            if sign_of(value_at(form, values)) < 0:
                self.false.add(key)
                return True
        return False

    def settled(self, form: Form, box: Box, strict: bool, depth: int) -> bool:
        """Whether form >= 0 (form > 0) is proved on a box without splitting it."""
        self.spend(form)
        if not form.symbols:
            sign = constant_sign(form)
            return sign is not None and (sign > 0 or (sign == 0 and not strict))
        if shown(form, box, strict):
            return True
        box = box.only(form.symbols)
        key = (form.text, box.key(), strict)
        if key in self.proved:
            return True
        effort = (depth, self.face_boxes)
        old = self.failed.get(key, (-1, 0))
        if old[0] >= effort[0] and old[1] >= effort[1]:
            return False
        self.failed[key] = effort
        try:
            result = not self.is_false(form, box) and self.by_factors(form, box, strict, depth)
        except Exhausted:
            self.failed.pop(key, None)
            raise
        if result:
            self.proved.add(key)
        return result

    def by_factors(self, form: Form, box: Box, strict: bool, depth: int) -> bool:
        """Whether the factors of a form have signs that make it positive."""
        try:
            factors = factors_of(self.algebra, form, lambda base: self.sign_on(base, box))
        except Unfit:
            factors = [(form, 1)]
        if len(factors) == 1 and factors[0][1] == 1:
            found = self.by_slopes(factors[0][0], box, strict, depth)
        else:
            found = self.by_signs(factors, box, strict, depth)
        if found or depth <= 0:
            return found
        if any(self.by_slopes(variant, box, strict, depth) for variant in self.variants(form, box)):
            return True
        plain = without_logarithms(self.algebra, form)
        if plain is not None and self.settled(plain, box, strict, depth):
            return True
        ratio = self.ratio(factors[0][0], box) if len(factors) == 1 else None
        return ratio is not None and self.settled(ratio, box, strict, depth - 1)

    def ratio(self, form: Form, box: Box) -> Form | None:
        """log a - log b for a form a - b of two positive monomials with powers whose exponents are not constant."""
        if len(form.terms) != 2 or form.terms[0][1] * form.terms[1][1] >= 0:
            return None
        exponents = [exponent for monomial, _ in form.terms for base, exponent in monomial if base.kind != "e"]
        if all(exponent.rational is not None for exponent in exponents):
            return None
        above, below = sorted(form.terms, key=lambda term: -term[1])
        if any(enclosure(Form((part,)), box).sign() != sign for part, sign in ((above, 1), (below, -1))):
            return None
        try:
            larger = self.algebra.logarithm(Form((above,)))
            return add(larger, negative(self.algebra.logarithm(negative(Form((below,))))))
        except Unfit:
            return None

    def variants(self, form: Form, box: Box) -> list[Form]:
        """Forms with the sign of this one: itself, and divided by the coefficient of a logarithm."""
        found = [form]
        for base in bases_of(form):
            if base.kind == "log":
                try:
                    weight = self.coefficient_of(form, base)
                    sign = 0 if weight.rational is not None else self.found_sign(weight, box)
                    inverse = self.algebra.power(scale(weight, Fraction(sign)), number(-1)) if sign else UNIT
                    isolated = self.isolated(form, base, weight, inverse, sign)
                except Unfit:
                    continue
                found += [isolated] if sign else []
        return found

    def coefficient_of(self, form: Form, base: Base) -> Form:
        """What a logarithm is multiplied by, if it occurs in the first degree only.  *Raises* `Unfit`."""
        parts: list[Form] = []
        for monomial, weight in form.terms:
            degree = exponent_of(monomial, base)
            if degree.rational == 0:
                continue
            if degree.rational != 1:
                raise Unfit("a power of a logarithm")
            parts.append(Form(((tuple(factor for factor in monomial if factor[0].text != base.text), weight),)))
        return add(*parts)

    def isolated(self, form: Form, base: Base, weight: Form, inverse: Form, sign: int) -> Form:
        """form/|weight| for form = weight * log + rest, so that a slope takes the logarithm away."""
        logarithm = base_form(base)
        rest = add(form, negative(self.algebra.multiply(weight, logarithm)))
        return add(scale(logarithm, Fraction(sign)), self.algebra.multiply(rest, inverse))

    def sign_on(self, base: Base, box: Box) -> int:
        """The strict sign of a base on a part of the box."""
        sign = enclosure(base_form(base), box).sign()
        if sign or base.kind == "variable":
            return sign
        return self.base_sign(base) if base.text in self.smooth else self.found_sign(base_form(base), box)

    def by_signs(self, factors: list[Factor], box: Box, strict: bool, depth: int) -> bool:
        """Whether a product is positive because each factor has one sign."""
        signs = [(form, degree, sample_sign(form, box)) for form, degree in factors if strict or degree % 2]
        if prod(sign if degree % 2 else abs(sign) for _, degree, sign in signs) <= 0:
            return False
        return all(self.settled(form if sign > 0 else negative(form), box, strict, depth) for form, _, sign in signs)

    def by_slopes(self, form: Form, box: Box, strict: bool, depth: int) -> bool:
        """Whether a form is positive because it is so on a face from which it increases, or is concave between two."""
        if shown(form, box, strict):
            return True
        if depth <= 0 or not form.symbols:
            return self.settled(form, box, strict, depth) if not form.symbols else False
        box = box.only(form.symbols)
        return any(self.by_slope(form, box, name, strict, depth) for name in sorted(box.sides))

    def by_slope(self, form: Form, box: Box, name: str, strict: bool, depth: int) -> bool:
        """As `by_slopes`, for one variable."""
        self.spend(form, DERIVATIVE)
        try:
            slope = derivative(self.algebra, form, name)
        except Unfit:
            return False
        side = box.sides[name]
        if side.lower is not None and self.from_face(form, slope, box, name, side.lower, strict, depth):
            return True
        if side.upper is not None and self.from_face(form, negative(slope), box, name, side.upper, strict, depth):
            return True
        return self.concave(form, slope, box, name, strict, depth)

    def from_face(self, form: Form, slope: Form, box: Box, name: str, end: Form, strict: bool, depth: int) -> bool:
        """Whether a form is positive on a face and increases from there."""
        if self.is_false(slope, box.only(slope.symbols)):
            return False
        at_face = self.face(form, box, name, end)
        if at_face is None or not self.face_holds(at_face, box, name, False, depth):
            return False
        strict_slope = strict and not self.face_holds(at_face, box, name, True, depth)
        return self.holds(slope, box, strict_slope, depth - 1, self.slope_boxes)

    def concave(self, form: Form, slope: Form, box: Box, name: str, strict: bool, depth: int) -> bool:
        """Whether a form is positive on two opposite faces and concave between them."""
        side = box.sides[name]
        if side.lower is None or side.upper is None:
            return False
        try:
            bend = negative(derivative(self.algebra, slope, name))
        except Unfit:
            return False
        if self.is_false(bend, box.only(bend.symbols)):
            return False
        for end in (side.lower, side.upper):
            at_face = self.face(form, box, name, end)
            if at_face is None or not self.face_holds(at_face, box, name, False, depth):
                return False
        return self.holds(bend, box, strict, depth - 1, self.slope_boxes)

    def face_holds(self, form: Form, box: Box, name: str, strict: bool, depth: int) -> bool:
        """Whether form >= 0 (form > 0) is proved on the face of a box."""
        return self.holds(form, box.without(name), strict, depth, self.face_boxes)

    def face(self, form: Form, box: Box, name: str, end: Form) -> Form | None:
        """The continuous extension of a form to a face of a box, None where none is found."""
        rest = box.without(name)

        def check(part: Form, relation: str) -> bool:
            if relation == ">":
                return self.holds(part, rest, True, SURE_DEPTH, SURE_BOXES)
            return self.found_sign(part, rest) != 0

        self.spend(form, DERIVATIVE)
        try:
            return replaced(self.algebra, form, {name: end}, check)
        except Unfit:
            return None


def split(box: Box) -> tuple[str, Form, list[Box]]:
    """A variable, where to cut it, and the two halves."""
    name = max(box.sides, key=lambda other: width(box.sides[other]))
    side = box.sides[name]
    at = number(middle(side))
    return name, at, [box.with_side(name, Side(at, side.upper)), box.with_side(name, Side(side.lower, at))]


def base_form(base: Base) -> Form:
    """A base as a form."""
    return base.inside() if base.kind == "sum" else power_of(base)


def shown(form: Form, box: Box, strict: bool) -> bool:
    """Whether an enclosure shows form >= 0 (form > 0) on a box."""
    values = enclosure(form, box)
    return values.sign() > 0 or (not strict and bool(values.lower >= 0))


def sample_sign(form: Form, box: Box) -> int:
    """The sign of a form at a sample point where that is clear, else 0; for search only."""
    signs = (sign_of(value_at(form, values)) for values in sample_points(box))
    return next((sign for sign in signs if sign), 0)


def width(side: Side) -> float:
    """How urgent it is to cut a side; for search only."""
    values = side_interval(side)
    if not values.lower.is_finite() and not values.upper.is_finite():
        return 8.0
    if not values.upper.is_finite() or not values.lower.is_finite():
        end = values.lower if values.lower.is_finite() else values.upper
        return 4.0 / (1.0 + abs(float(end)))
    return float(values.upper - values.lower)
