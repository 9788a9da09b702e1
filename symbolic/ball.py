"""The ball prover: inequalities in at most two real variables with exp, log and powers, by Arb on boxes.

*Exactness*: every comparison rests on enclosures by Arb, on exact rationals or on the normal form of
`symbolic.form`; what is not decided within the budget is undecided.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import ctx
from panshuffle.symbolic.ball_box import CONSTANTS, PRECISION, rational_near
from panshuffle.symbolic.ball_proof import EFFORTS, Proof, constant_form
from panshuffle.symbolic.claim import Claim, Domain, Relation, operations, sides
from panshuffle.symbolic.decision import Budget, Decision, Exhausted, Status
from panshuffle.symbolic.form import Unfit
from panshuffle.symbolic.point import Point, Unclear, Undefined, ball_at, first_failure, holds_at
from panshuffle.symbolic.ranges import cut, whole_ends
from panshuffle.symbolic.ranges import range_of as sign_range
from panshuffle.symbolic.term import MINUS_ONE, ZERO, Apply, Number, Term, constant, parts, symbols

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


@dataclass(frozen=True)
class Range:
    """The rationals of a domain: ends (None is infinite), whether they are excluded, whether only integers count."""

    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool
    upper_open: bool
    integer: bool

    def holds(self, value: Fraction) -> bool:
        """Whether a rational is in the domain."""
        if self.integer and value.denominator != 1:
            return False
        if self.lower is not None and (value < self.lower or (value == self.lower and self.lower_open)):
            return False
        return self.upper is None or value < self.upper or (value == self.upper and not self.upper_open)


def range_of(domain: Domain) -> Range:
    """The rationals of a domain; an irrational end is moved inward by less than 2^-80.  *Raises* `Unfit`."""
    lower = None if domain.lower is None else rational_near(CONSTANTS.form(domain.lower), up=True)
    upper = None if domain.upper is None else rational_near(CONSTANTS.form(domain.upper), up=False)
    return Range(lower, upper, domain.lower_open, domain.upper_open, domain.integer)


def candidates(where: Range) -> list[Fraction]:
    """Rationals of a domain, the most telling first: ends, simple ones, near the ends, far out."""
    lower, upper = where.lower, where.upper
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
    return [value for value in dict.fromkeys(values) if where.holds(value)]


@dataclass(frozen=True)
class Search:
    """A search for a point where a claim fails; a unit of its budget is an operation at a point."""

    claim: Claim
    ranges: dict[str, Range]
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
        if not all(self.ranges[name].holds(value) for name, value in point.items()):
            return False
        return all(holds_at(relation, point) is True for relation in self.claim.given)

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
            starts = spread([tried[i] for value, i in scored if value < float("inf")], self.ranges)
            for start in starts[:STARTS]:
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


def spread(points: list[dict[str, Fraction]], ranges: dict[str, Range]) -> list[dict[str, Fraction]]:
    """The best point and some others from the upper part of the list."""
    generator = random.Random(20)
    others = points[1 : max(12, len(points) // 8)]
    return points[:1] + generator.sample(others, min(len(others), STARTS - 1)) if points and ranges else points[:1]


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
        ranges = {name: range_of(domain) for name, domain in claim.variables.items()}
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
    unsure = [base for base in bases if not sign_range(base, claim.variables).positive]
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
