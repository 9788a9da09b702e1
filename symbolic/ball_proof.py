"""Proofs on a whole domain: changes of variables, simpler goals, and what a form does at the ends of the domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.symbolic.ball_box import CONSTANTS, Box, Side, constant_sign, enclosure
from panshuffle.symbolic.ball_sign import Prover, all_bases, changed, powers, rewritten, sample_sign, without_logarithms
from panshuffle.symbolic.claim import Domain, Relation, operation_conditions
from panshuffle.symbolic.decision import Budget, Exhausted
from panshuffle.symbolic.form import (
    ZERO_FORM,
    Algebra,
    Base,
    Form,
    Monomial,
    Unfit,
    add,
    negative,
    number,
    variable,
)
from panshuffle.symbolic.point import Unclear, Undefined, ball_at
from panshuffle.symbolic.term import ZERO, Apply, Term, minus, parts, substitute, symbols

# Stronger goals that are simpler: one power is replaced by another that is proved to be on the right side of it.

Factor = tuple[Base, Form]
Holds = Callable[[Form, bool], bool]


@dataclass(frozen=True)
class Relaxed:
    """A form with another power in one place: its slope there, and what must be positive for it to be smooth."""

    slope: int
    form: Form
    positive: tuple[Form, ...] = ()


def relaxations(algebra: Algebra, form: Form, box: Box, holds: Holds) -> Iterator[Form]:
    """Forms that are proved to be at most this one, by replacing a^x by b^x for some bases a and b.

    `holds(goal, strict)` says whether goal >= 0 (goal > 0) is proved on the box.
    """
    for old, new in exchanges(form):
        try:
            gap = add(algebra.product([old], Fraction(1)), negative(algebra.product([new], Fraction(1))))
            options = list(replacements(algebra, form, old, new, box))
        except Unfit:
            continue
        for option in options:
            ordered = gap if option.slope > 0 else negative(gap)
            if option.slope and holds(ordered, False) and all(holds(part, True) for part in option.positive):
                yield option.form


def exchanges(form: Form) -> Iterator[tuple[Factor, Factor]]:
    """Pairs of powers with one exponent that is not constant: a sum, and a variable to put in its place."""
    found = {(base.text, exponent.text): (base, exponent) for base, exponent in powers(form)}
    for base, exponent in found.values():
        if base.kind != "sum" or exponent.rational is not None:
            continue
        for other, degree in found.values():
            if other.kind == "variable" and degree == exponent:
                yield (base, exponent), (other, exponent)


def replacements(algebra: Algebra, form: Form, old: Factor, new: Factor, box: Box) -> Iterator[Relaxed]:
    """The form with `new` in place of `old`, for each single place where `old` occurs."""
    for i, (monomial, weight) in enumerate(form.terms):
        others = Form((*form.terms[:i], *form.terms[i + 1 :]))
        for part in in_monomial(algebra, monomial, weight, old, new, box):
            yield Relaxed(part.slope, add(others, part.form), part.positive)


def in_monomial(
    algebra: Algebra, monomial: Monomial, weight: Fraction, old: Factor, new: Factor, box: Box
) -> Iterator[Relaxed]:
    """As `replacements`, in one monomial."""
    for i, (base, exponent) in enumerate(monomial):
        rest = Form((((*monomial[:i], *monomial[i + 1 :]), weight),))
        sign = enclosure(rest, box).sign()
        for part in in_factor(algebra, base, exponent, old, new, box):
            yield Relaxed(sign * part.slope, algebra.multiply(rest, part.form), part.positive)


def in_factor(algebra: Algebra, base: Base, exponent: Form, old: Factor, new: Factor, box: Box) -> Iterator[Relaxed]:
    """As `replacements`, in base^exponent."""
    if base.text == old[0].text and exponent == old[1]:
        yield Relaxed(1, algebra.product([new], Fraction(1)))
        return
    if base.form is None or (base.kind == "log" and exponent.rational != 1):
        return
    slope = 1 if base.kind == "log" else enclosure(exponent, box).sign()
    for part in replacements(algebra, base.form, old, new, box):
        inside = algebra.logarithm(part.form) if base.kind == "log" else part.form
        yield Relaxed(slope * part.slope, algebra.power(inside, exponent), (*part.positive, base.form, part.form))


def scaled_power(algebra: Algebra, form: Form, name: str, box: Box) -> tuple[Form, str, Side] | None:
    """The form with t = (x/u)^m in place of x on (0, u); None where x occurs otherwise than as x^(k*m), m > 0."""
    side = box.sides[name]
    degrees = [exponent for base, exponent in powers(form) if base.text == name]
    if side.lower is None or side.lower.rational != 0 or side.upper is None or not degrees or not degrees[0].terms:
        return None
    unit = Form(((degrees[0].terms[0][0], Fraction(1)),))
    if unit.rational is not None or name in unit.symbols or enclosure(unit, box).sign() <= 0:
        return None
    fresh, upper = f"@{name}", side.upper

    def rule(base: Base, exponent: Form) -> Form | None:
        if base.text != name:
            return None
        if len(exponent.terms) != 1 or Form(((exponent.terms[0][0], Fraction(1)),)) != unit:
            raise Unfit("the variable occurs in another power")
        power = algebra.power(variable(fresh), number(exponent.terms[0][1]))
        return algebra.multiply(power, algebra.power(upper, exponent))

    try:
        return rewritten(algebra, form, name, rule), fresh, Side(ZERO_FORM, number(1))
    except Unfit:
        return None


# The sign of a term on a whole domain: what must hold for it to be smooth, its interior, its closed faces.
#
# A term that is defined on a domain is continuous there, so that term >= 0 inside gives term >= 0 on the closed ends;
# term > 0 is proved on every closed face as well.

EFFORTS = (
    (0, 1, 1, 4),
    (1, 2, 1, 4),
    (2, 4, 1, 4),
    (2, 16, 2, 8),
    (3, 16, 4, 8),
    (4, 32, 4, 16),
    (4, 128, 8, 32),
    (5, 512, 16, 64),
    (6, 4096, 32, 256),
    (7, 65536, 64, 1024),
)
CONDITION_EFFORTS = 7
RELAX_AT = 2
RELAXED_EFFORT = (4, 8)
FIRST_PART = 4_000
RELAXED_PART = 120_000


class Proof:
    """Proves signs of terms on a domain."""

    def __init__(self, domains: Mapping[str, Domain], budget: Budget) -> None:
        self.domains = dict(domains)
        self.budget = budget
        self.prover = Prover(box_of(domains), budget)
        self.known: dict[tuple[Term, bool], bool] = {}
        self.faces: dict[tuple[str, bool], Proof] = {}

    def form(self, term: Term) -> Form:
        """The form of a term.  *Raises* `Unfit`."""
        return self.prover.algebra.form(term)

    def inside(self, term: Term, strict: bool, efforts: int = CONDITION_EFFORTS) -> bool:
        """Whether a term is proved to be smooth and >= 0 (> 0) in the interior of the domain."""
        key = (term, strict)
        if key not in self.known:
            try:
                self.known[key] = self.is_smooth(term) and self.goal(self.form(term), strict, efforts)
            except Unfit:
                self.known[key] = False
        return self.known[key]

    def is_smooth(self, term: Term) -> bool:
        """Whether a term is proved to be defined and to have all derivatives in the interior."""
        inner = (part for part in reversed(list(parts(term))) if isinstance(part, Apply))
        if not all(self.is_fulfilled(condition, part) for part in inner for condition in operation_conditions(part)):
            return False
        self.prover.smooth.update(base.text for base in all_bases(self.form(term)))
        return True

    def is_fulfilled(self, condition: Relation, part: Apply) -> bool:
        """Whether a condition of an operation is proved inside, strictly; a root or power of 0 is smooth, too."""
        if condition.relation == "!=":
            return self.inside(self.oriented(condition.left), True)
        if part.operator != "log" and self.form(condition.left).rational == 0:
            return part.operator == "sqrt" or self.inside(part.arguments[1], True)
        return self.inside(condition.left, True)

    def oriented(self, term: Term) -> Term:
        """The term or its negative, whichever is positive at a point inside."""
        return minus(term) if sample_sign(self.form(term), self.prover.box) < 0 else term

    def goal(self, form: Form, strict: bool, efforts: int) -> bool:
        """Whether a smooth form is proved to be >= 0 (> 0) inside, with more and more effort."""
        options = self.options(form)
        for i, (depth, boxes, slope_boxes, face_boxes) in enumerate(EFFORTS[:efforts]):
            if i == RELAX_AT:
                options += self.relaxed_options(form)
            for prover, goal in options:
                prover.slope_boxes, prover.face_boxes = slope_boxes, face_boxes
                if self.attempt(prover, goal, strict, (depth, boxes), FIRST_PART * 2**i):
                    return True
        return False

    def attempt(self, prover: Prover, goal: Form, strict: bool, effort: tuple[int, int], units: int) -> bool:
        """Whether a goal is proved with a part of the budget.  *Raises* `Exhausted` for the whole of it only."""
        prover.budget = part = self.budget.part(units)
        try:
            return prover.subdivided(goal, prover.box.only(goal.symbols), strict, *effort)
        except Exhausted as used_up:
            if used_up.budget is not part:
                raise
            return False
        finally:
            prover.budget = self.budget

    def options(self, form: Form) -> list[tuple[Prover, Form]]:
        """The goal in several forms, each with the prover for its variables."""
        found = [(self.prover, form)]
        plain = without_logarithms(self.prover.algebra, form)
        if plain is not None:
            found.append((self.prover, plain))
        return [*found, *(other for _, goal in found for other in self.changed_goals(goal))]

    def relaxed_options(self, form: Form) -> list[tuple[Prover, Form]]:
        """Stronger goals, in which one power is replaced by a simpler one, each with its prover."""
        prover = self.prover
        found: list[tuple[Prover, Form]] = []

        def holds(part: Form, strict: bool) -> bool:
            return self.attempt(prover, part, strict, RELAXED_EFFORT, RELAXED_PART)

        for goal in relaxations(prover.algebra, form, prover.box, holds):
            prover.smooth.update(base.text for base in all_bases(goal))
            found += [(prover, goal), *self.changed_goals(goal)]
        return found

    def changed_goals(self, goal: Form) -> Iterator[tuple[Prover, Form]]:
        """The goal in the variable e^(-c*x) or (x/u)^m, for each x that occurs in that way only."""
        box = self.prover.box
        for name in sorted(goal.symbols):
            ways = ((change, change(self.prover.algebra, goal, name, box)) for change in (changed, scaled_power))
            change, result = next((way for way in ways if way[1] is not None), (changed, None))
            if result is not None:
                form, fresh, side = result
                sides = {fresh if x == name else x: side if x == name else old for x, old in box.sides.items()}
                prover = Prover(Box(sides), self.budget)
                again = change(prover.algebra, goal, name, box)
                form = form if again is None else again[0]
                prover.smooth.update(base.text for base in all_bases(form))
                yield prover, form

    def face(self, name: str, upper: bool) -> Proof:
        """The proof on a closed face."""
        if (name, upper) not in self.faces:
            rest = {other: domain for other, domain in self.domains.items() if other != name}
            self.faces[name, upper] = Proof(rest, self.budget)
        return self.faces[name, upper]

    def everywhere(self, term: Term, relation: str, efforts: int = CONDITION_EFFORTS) -> bool:
        """Whether term >= 0, > 0 or != 0 is proved on the whole domain, given that the term is defined there."""
        if relation == "!=":
            return self.everywhere(self.oriented(term), ">", efforts)
        if not self.inside(term, relation == ">", efforts):
            return False
        return relation == ">=" or all(
            self.face(name, upper).everywhere(substitute(term, {name: end_of(self.domains[name], upper)}), ">", efforts)
            for name, upper in self.closed_faces(term)
        )

    def closed_faces(self, term: Term) -> list[tuple[str, bool]]:
        """The closed ends of the variables of a term: the variable, and whether it is the upper end."""
        ends = [(name, upper) for name in sorted(symbols(term)) for upper in (False, True)]
        domains = self.domains
        return [(n, upper) for n, upper in ends if not (domains[n].upper_open if upper else domains[n].lower_open)]

    def is_defined(self, term: Term) -> bool:
        """Whether a term is proved to be defined on the whole domain."""
        conditions = (condition for part in reversed(list(parts(term))) for condition in operation_conditions(part))
        return all(self.everywhere(condition.left, condition.relation) for condition in conditions)


def end_of(domain: Domain, upper: bool) -> Term:
    """An end of a domain that is closed there."""
    end = domain.upper if upper else domain.lower
    return ZERO if end is None else end


def box_of(domains: Mapping[str, Domain]) -> Box:
    """The interior of a domain.  *Raises* `Unfit` where an end is not a clear constant or the interior is empty."""
    sides: dict[str, Side] = {}
    for name, domain in domains.items():
        lower, upper = (None if end is None else constant_form(end) for end in (domain.lower, domain.upper))
        if lower is not None and upper is not None and constant_sign(add(upper, negative(lower))) != 1:
            raise Unfit("a domain has no clear interior")
        sides[name] = Side(lower, upper)
    return Box(sides)


def constant_form(term: Term) -> Form:
    """The form of a constant that is certainly defined.  *Raises* `Unfit`."""
    try:
        ball_at(term, {})
    except (Unclear, Undefined):
        raise Unfit("a constant is not clearly defined") from None
    return CONSTANTS.form(term)
