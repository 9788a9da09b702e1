"""The ball prover: inequalities in at most two real variables with exp, log and powers, by Arb on boxes.

*Exactness*: every comparison rests on enclosures by Arb, on exact rationals or on the normal form of
`symbolic.form`; what is not decided within the budget is undecided.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import ctx
from panshuffle.symbolic.ball_box import CONSTANTS, PRECISION, Box, Side, constant_sign, enclosure, rational_near
from panshuffle.symbolic.ball_sign import Prover, all_bases, powers, replaced, sample_sign, without_logarithms
from panshuffle.symbolic.claim import Claim, Domain, Relation, operation_conditions, operations, sides
from panshuffle.symbolic.decision import Budget, Decision, Exhausted, Status
from panshuffle.symbolic.form import (
    ZERO_FORM,
    Algebra,
    Base,
    Form,
    Unfit,
    add,
    negative,
    number,
    variable,
)
from panshuffle.symbolic.point import Point, Unclear, Undefined, admits, ball_at, first_failure, in_domain
from panshuffle.symbolic.ranges import cut, range_of, whole_ends
from panshuffle.symbolic.term import MINUS_ONE, ZERO, Apply, Number, Term, constant, minus, parts, substitute, symbols

# Witnesses against a claim: rational points, found by search and confirmed by certified values.

NEAR = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30, 40)
SHARES = tuple(Fraction(i, 24) for i in range(1, 24))
SIMPLE = (1, 2, 3, 4, 6, 10, 16, 64)
STARTS = 3
ROUNDS = 3
SECTIONS = 48
LARGEST_PLANE = 26
GOLDEN = Fraction(89, 144)
FINEST = 1 << 70
MOST_POINTS = 2_000


def inner(domain: Domain) -> Domain:
    """The domain with rational ends; an irrational end is moved inward by less than 2^-80.  *Raises* `Unfit`."""
    lower, upper = (
        None if end is None else Number(rational_near(CONSTANTS.form(end), up=up))
        for end, up in ((domain.lower, True), (domain.upper, False))
    )
    return replace(domain, lower=lower, upper=upper)


def candidates(where: Domain) -> list[Fraction]:
    """Rationals of a domain with rational ends, the most telling first: ends, simple ones, near the ends, far out."""
    lower, upper = (end.value if isinstance(end, Number) else None for end in (where.lower, where.upper))
    values: list[Fraction] = [end for end in (lower, upper) if end is not None]
    if lower is not None and upper is not None:
        length = upper - lower
        values += [lower + length * share for share in (Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), *SHARES)]
        values += [lower + length / 10**k for k in NEAR] + [upper - length / 10**k for k in NEAR]
    else:
        steps = [Fraction(10) ** k for k in itertools.chain(*((k, -k) for k in range(41)))]
        steps += [Fraction(i, 4) for i in range(1, 24)]
        anchor = lower if lower is not None else upper if upper is not None else Fraction(0)
        values += [anchor] if lower is None and upper is None else []
        values += [anchor + step for step in steps] if upper is None else []
        values += [anchor - step for step in steps] if lower is None else []
    values += [Fraction(i) for i in range(-3, 12)]
    if where.integer:
        values = [Fraction(value.__floor__()) for value in values]
    return [value for value in dict.fromkeys(values) if in_domain(value, where) is True]


@dataclass(frozen=True)
class Search:
    """A search for a point where a claim fails; a unit of its budget is an operation at a point."""

    claim: Claim
    ranges: dict[str, Domain]
    budget: Budget
    operations: int

    def points(self) -> Iterator[dict[str, Fraction]]:
        """The points to try first."""
        lists = [candidates(where) for where in self.ranges.values()]
        if len(lists) > 1:
            lists = [thinned(values) for values in lists]
        for values in itertools.product(*lists):
            yield dict(zip(self.ranges, values, strict=True))

    def allowed(self, point: Point) -> bool:
        """Whether a point is in the domains and certainly fulfils what is given."""
        return admits(replace(self.claim, variables=self.ranges), point)

    def failing(self, point: Point) -> str | None:
        """Why the claim fails at a point, if it certainly does.  *Raises* `Exhausted`."""
        self.budget.spend(self.operations)
        return first_failure(self.claim.conclusion, point) if self.allowed(point) else None

    def witness(self) -> str | None:
        """Why the claim fails, at the first point that is found."""
        reasons = (self.failing(point) for point in self.trials())
        return next((reason for reason in reasons if reason is not None), None)

    def trials(self) -> Iterator[dict[str, Fraction]]:
        """Simple points, then those below the points where a side or a condition is nearest to failing."""
        tried = []
        for point in self.points():
            tried.append(point)
            yield point
        for target in targets(self.claim) if self.ranges else ():
            scored = sorted(((self.score(target, point), i) for i, point in enumerate(tried)), key=lambda pair: pair[0])
            starts = spread([tried[i] for value, i in scored if value < float("inf")])
            for start in starts:
                yield from self.descent(target, start, tried)

    def descent(self, target: Target, start: Point, tried: list[dict[str, Fraction]]) -> Iterator[dict[str, Fraction]]:
        """Better and better points by sections along each variable in turn, and simple rationals near the last."""
        point = dict(start)
        for _ in range(ROUNDS if len(point) > 1 else 1):
            for name in point:
                point = self.section(target, point, name, tried)
                yield point
        for largest in SIMPLE:
            yield {name: value.limit_denominator(largest) for name, value in point.items()}

    def section(
        self, target: Target, point: dict[str, Fraction], name: str, tried: list[dict[str, Fraction]]
    ) -> dict[str, Fraction]:
        """A better point along one variable."""
        places = sorted({other[name] for other in tried} | {point[name]})
        at = places.index(point[name])
        low, high = places[max(at - 1, 0)], places[min(at + 1, len(places) - 1)]
        for _ in range(SECTIONS):
            if high - low <= Fraction(1, FINEST):
                break
            one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            first = self.score(target, {**point, name: one}) < self.score(target, {**point, name: two})
            low, high = (low, rounded(two, high - low)) if first else (rounded(one, high - low), high)
        return {**point, name: rounded((low + high) / 2, max(high - low, Fraction(1, FINEST)))}

    def score(self, target: Target, point: Point) -> float:
        """The value of a target, +inf where it has none.  *Raises* `Exhausted`."""
        self.budget.spend(self.operations)
        value = target(point)
        return float("inf") if math.isnan(value) else value


def rounded(value: Fraction, scale: Fraction) -> Fraction:
    """A rational with few digits that differs from another by much less than a scale."""
    return value.limit_denominator(max(1, int(4096 / scale)))


def thinned(values: list[Fraction]) -> list[Fraction]:
    """Few enough values that all pairs of them are quickly tried."""
    if len(values) <= LARGEST_PLANE:
        return values
    head, rest = values[:8], values[8:]
    step = len(rest) / (LARGEST_PLANE - 8)
    return head + [rest[int(i * step)] for i in range(LARGEST_PLANE - 8)]


def spread(points: list[dict[str, Fraction]]) -> list[dict[str, Fraction]]:
    """The best point and some others from the upper part of the list."""
    generator = random.Random(20)
    others = points[1 : max(12, len(points) // 8)]
    return points[:1] + generator.sample(others, min(len(others), STARTS - 1))


Target = Callable[[Point], float]


def targets(claim: Claim) -> list[Target]:
    """What to make small in order to find a failure: the gap of each relation, the size of each condition."""
    conditions = dict.fromkeys(condition for relation in claim.conclusion for condition in relation.conditions())
    return [gap_of(one) for one in (*claim.conclusion, *(one for one in conditions if symbols(one.left)))]


def gap_of(relation: Relation) -> Target:
    """right - left relative to their sizes, oriented so that a failure is small; for search only."""
    difference: Term = Apply("-", (relation.right, relation.left))
    if relation.relation in (">=", ">"):
        difference = Apply("*", (MINUS_ONE, difference))

    def gap(point: Point) -> float:
        with ctx.workprec(128):
            try:
                value = ball_at(difference, point)
                size = abs(ball_at(relation.left, point)) + abs(ball_at(relation.right, point))
                value = abs(value) if relation.relation in ("!=", "=") else value
                return float((value / (size + value.abs_upper() + 1)).mid()) if size.is_finite() else float("inf")
            except (Unclear, Undefined):
                return float("inf")

    return gap


def search_of(claim: Claim, budget: Budget) -> Search | None:
    """The search for a claim; None where an end of a domain is not a number."""
    try:
        ranges = {name: inner(domain) for name, domain in claim.variables.items()}
    except (Unfit, ArithmeticError):
        return None
    return Search(claim, ranges, budget, operations(claim))


def has_point(claim: Claim) -> bool:
    """Whether some rational point certainly is in the domains and fulfils what is given."""
    search = search_of(claim, Budget(0))
    if search is None:
        return False
    return any(search.allowed(point) for point in itertools.islice(search.points(), MOST_POINTS))


def find_witness(claim: Claim, budget: Budget) -> str | None:
    """Why a claim fails, with a rational point; None if none is found within the budget."""
    search = search_of(claim, budget)
    try:
        return None if search is None else search.witness()
    except Exhausted:
        return None


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
        for j, (base, exponent) in enumerate(monomial):
            rest = Form((((*monomial[:j], *monomial[j + 1 :]), weight),))
            sign = enclosure(rest, box).sign()
            for part in in_factor(algebra, base, exponent, old, new, box):
                yield Relaxed(sign * part.slope, add(others, algebra.multiply(rest, part.form)), part.positive)


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
    degrees = [exponent for base, exponent in powers(form, in_exponentials=True) if base.text == name]
    if side.lower is None or side.lower.rational != 0 or side.upper is None or not degrees:
        return None
    units = {Form(tuple((monomial, Fraction(1)) for monomial, _ in degree.terms)) for degree in degrees}
    unit = units.pop()
    if units or len(unit.terms) != 1 or unit.rational is not None or name in unit.symbols:
        return None
    if enclosure(unit, box).sign() <= 0:
        return None
    fresh = f"@{name}"
    try:
        root = algebra.power(variable(fresh), algebra.power(unit, number(-1)))
        moved = replaced(algebra, form, {name: algebra.multiply(side.upper, root)}, lambda part, relation: True)
        return moved, fresh, Side(ZERO_FORM, number(1))
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
            return prover.holds(goal, prover.box, strict, *effort)
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
        """The goal in the variable (x/u)^m, for each x that occurs in that way only."""
        box = self.prover.box
        for name in sorted(goal.symbols):
            result = scaled_power(self.prover.algebra, goal, name, box)
            if result is not None:
                form, fresh, side = result
                sides = {fresh if x == name else x: side if x == name else old for x, old in box.sides.items()}
                prover = Prover(Box(sides), self.budget)
                prover.smooth.update(base.text for base in all_bases(form))
                yield prover, form

    def everywhere(self, term: Term, relation: str, efforts: int = CONDITION_EFFORTS) -> bool:
        """Whether term >= 0, > 0 or != 0 is proved on the whole domain, given that the term is defined there."""
        if relation == "!=":
            return self.everywhere(self.oriented(term), ">", efforts)
        if not self.inside(term, relation == ">", efforts):
            return False
        return relation == ">=" or all(
            self.on_face(substitute(term, {name: end_of(self.domains[name], upper)}), name, efforts)
            for name, upper in self.closed_faces(term)
        )

    def on_face(self, term: Term, name: str, efforts: int) -> bool:
        """Whether term > 0 is proved on a closed face, where a variable has a value."""
        rest = {other: domain for other, domain in self.domains.items() if other != name}
        return Proof(rest, self.budget).everywhere(term, ">", efforts)

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


# Claims.

TIER = "ball computation"
UNITS = 600_000
SEARCH_UNITS = 1_000_000
FEW_INTEGERS = 400
FIRST_INTEGERS = 24


def check_inequality(
    claim: Claim, units: int = UNITS, search_units: int = SEARCH_UNITS, spent: Budget | None = None
) -> Decision:
    """Proved, refuted with a rational witness, or undecided once these units of proof and of search are used up.

    What is given between a variable and a constant narrows its domain.  Other hypotheses are used against witnesses
    only: a proof does without them.  A claim about no point at all is undecided.  `spent` is a budget of proof in
    place of `units`, for a caller who wants to know how much was used.

    >>> from panshuffle.symbolic.claim import claim
    >>> check_inequality(claim("2^g / (2^g - 1) <= 2/g", g="(0, 1]")).status
    <Status.PROVED: 'proved'>
    >>> check_inequality(claim("x/x <= 1", x="[0, 1]")).witness
    'at x = 0: a term is not defined, because x != 0 fails'
    """
    with ctx.workprec(PRECISION), suppress(Exhausted, Unfit, ArithmeticError, ValueError, RecursionError):
        narrowed = with_bases(tightened(claim))
        witness = find_witness(narrowed, Budget(search_units))
        if witness is not None:
            return Decision(Status.REFUTED, TIER, witness)
        if is_proved(narrowed, spent or Budget(units)) and has_point(narrowed):
            return Decision(Status.PROVED, TIER)
    return Decision(Status.UNDECIDED, TIER)


def is_proved(claim: Claim, budget: Budget) -> bool:
    """Whether every relation of the claim is proved.  *Raises* `Exhausted`, `Unfit`."""
    for name, domain in claim.variables.items():
        if domain.integer:
            return integers_proved(claim, name, domain, budget)
        is_closed = not (domain.lower_open or domain.upper_open)
        if is_closed and domain.lower is not None and domain.lower == domain.upper:
            return is_proved(at_value(claim, name, domain.lower), budget)
    proof = Proof(claim.variables, budget)
    if not all(map(proof.is_defined, sides(claim.relations))):
        return False
    return all(relation_proved(relation, proof) for relation in claim.conclusion)


def with_bases(claim: Claim) -> Claim:
    """The claim that says, too, that a base is positive where its exponent is not a constant.

    A value in place of a variable makes such an exponent constant; what must hold of the base stays the same.
    """
    terms = sides(claim.conclusion)
    powers = [part for term in terms for part in parts(term) if isinstance(part, Apply) and part.operator == "^"]
    bases = dict.fromkeys(power.arguments[0] for power in powers if constant(power.arguments[1]) is None)
    unsure = [base for base in bases if not range_of(base, claim.variables).positive]
    added = [Relation(base, ">", ZERO) for base in unsure]
    return replace(claim, conclusion=(*claim.conclusion, *added))


def relation_proved(relation: Relation, proof: Proof) -> bool:
    """Whether a relation between two terms that are defined is proved."""
    if relation.relation == "=":
        return False
    ends = (relation.left, relation.right) if relation.relation in (">=", ">") else (relation.right, relation.left)
    kind = {"<=": ">=", "<": ">"}.get(relation.relation, relation.relation)
    return proof.everywhere(Apply("-", ends), kind, len(EFFORTS))


def tightened(claim: Claim) -> Claim:
    """The claim with given relations between a variable and a constant as part of its domains."""
    variables, kept = dict(claim.variables), list[Relation]()
    for relation in claim.given:
        bound = next(((x, sign, end) for x, sign, end in relation.readings() if constant(end) is not None), None)
        domain = cut(variables[bound[0]], bound[1], bound[2]) if bound and bound[1] not in ("=", "!=") else None
        if bound is None or domain is None:
            kept.append(relation)
        else:
            variables[bound[0]] = domain
    return replace(claim, variables=variables, given=tuple(kept))


def at_value(claim: Claim, name: str, value: Term) -> Claim:
    """The claim at one value of a variable."""
    variables = {other: domain for other, domain in claim.variables.items() if other != name}
    given, conclusion = (tuple(r.at({name: value}) for r in part) for part in (claim.given, claim.conclusion))
    return Claim(variables, given, conclusion)


def integers_proved(claim: Claim, name: str, domain: Domain, budget: Budget) -> bool:
    """As `is_proved`, for whole values of a variable: one by one if they are few, else the first and the rest."""
    for end in domain.ends:
        constant_form(end)  # an end that is no number is refused
    lower, upper = whole_ends(domain)
    if lower is None or (upper is not None and upper < lower):
        hull = replace(domain, integer=False)
        return lower is None and is_proved(with_domain(claim, name, hull), budget)
    last = upper if upper is not None and upper - lower < FEW_INTEGERS else lower + FIRST_INTEGERS
    if not all(is_proved(at_value(claim, name, Number(Fraction(n))), budget) for n in range(lower, last + 1)):
        return False
    if last == upper:
        return True
    rest = Domain(Number(Fraction(last + 1)), None if upper is None else Number(Fraction(upper)), False, upper is None)
    return is_proved(with_domain(claim, name, rest), budget)


def with_domain(claim: Claim, name: str, domain: Domain) -> Claim:
    """The claim with another domain for one variable."""
    return replace(claim, variables={**claim.variables, name: domain})
