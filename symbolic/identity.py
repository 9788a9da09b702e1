"""The identity prover: an equation holds on a domain because two algebra systems reduce both sides to the same form.

The first is our own normal form, here; the second is `symbolic.algebra`, on sympy's polynomials.  Each proves by itself
that every term is defined; what neither can prove is undecided, and a contradiction between them is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from flint import arb, ctx
from panshuffle.symbolic.claim import Claim, Domain, Relation, definedness, operations
from panshuffle.symbolic.decision import Budget, Decision, Disagreement, Exhausted, Status
from panshuffle.symbolic.form import (
    Algebra,
    Base,
    Form,
    Unfit,
    add,
    bases_of,
    common_unit,
    expanded_sums,
    is_whole,
    least_exponent,
    negative,
    number,
    polynomial,
    rational_roots,
    scale,
)
from panshuffle.symbolic.interval import INFINITY, MINUS_INFINITY, WHOLE, Interval, point, point_of
from panshuffle.symbolic.point import admits, candidates, enclosure_at, points, rational_at, undefined_at, violation
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, substitute, symbols

# Sign analysis: an interval, with open and closed ends, that holds every value of a term on a claim's domain.

PRECISION = 128
SMALLEST_EXPONENT = -6_400
"""An end that is nearer to 0 than 2 to this power is not written as a rational."""


@dataclass(frozen=True)
class End:
    """An end of a domain: its value (None is infinite) and whether the end is outside."""

    value: Fraction | None
    is_open: bool = True


def ends_of(domain: Domain) -> tuple[End, End]:
    """The ends of a domain, rounded outward where they are irrational."""
    ends: list[End] = []
    for term, is_open, is_lower in ((domain.lower, domain.lower_open, True), (domain.upper, domain.upper_open, False)):
        exact = None if term is None else rational_at(term, {})
        if exact is not None:
            ends.append(whole_end(exact, is_open, is_lower) if domain.integer else End(exact, is_open))
        elif term is not None and undefined_at(term, {}) is True:
            ends.append(ball_end(enclosure_at(term, {}), is_lower))
        else:
            ends.append(End(None))
    lower, upper = ends
    return lower, upper


def ball_end(ball: arb, is_lower: bool) -> End:
    """The lower or upper end of a ball as a rational; infinite where the ball is not finite or its end is huge."""
    if not ball.is_finite() or abs(ball) > arb(10) ** 300:
        return End(None)
    mantissa, exponent = (ball.lower() if is_lower else ball.upper()).man_exp()
    if int(exponent) < SMALLEST_EXPONENT:
        return End(None)
    return End(Fraction(int(mantissa)) * Fraction(2) ** int(exponent), False)


def whole_end(value: Fraction, is_open: bool, is_lower: bool) -> End:
    """The first whole number inside an end."""
    if is_open and value.denominator == 1:
        return End(value + (1 if is_lower else -1), False)
    return End(Fraction(ceil(value) if is_lower else floor(value)), False)


def range_of(term: Term, variables: Mapping[str, Domain]) -> Interval:
    """An interval that holds every value of a term where it is defined.

    >>> from panshuffle.symbolic.claim import claim
    >>> from panshuffle.symbolic.term import parse_term
    >>> range_of(parse_term("exp(x) - 1"), claim("x > 0", x="(0, inf)").variables).positive
    True
    """
    with ctx.workprec(PRECISION):
        return enclosed(term, variables)


def enclosed(term: Term, variables: Mapping[str, Domain]) -> Interval:
    """As `range_of`, at the working precision."""
    if isinstance(term, Number):
        return point_of(term.value)
    if isinstance(term, Symbol):
        return interval_of(variables[term.name])
    if not symbols(term):
        return constant_interval(term)
    return combined(term, [enclosed(argument, variables) for argument in term.arguments])


def interval_of(domain: Domain) -> Interval:
    """The interval of a domain."""
    lower, upper = ends_of(domain)
    low = MINUS_INFINITY if lower.value is None else point_of(lower.value).lower
    high = INFINITY if upper.value is None else point_of(upper.value).upper
    return Interval(low, high, lower.is_open, upper.is_open)


def constant_interval(term: Term) -> Interval:
    """An interval around a constant; everything where it may be undefined."""
    exact = rational_at(term, {})
    if exact is not None:
        return point_of(exact)
    return point(enclosure_at(term, {})) if undefined_at(term, {}) is True else WHOLE


def combined(term: Apply, ranges: list[Interval]) -> Interval:
    """The range of an operation from those of its arguments."""
    first = ranges[0]
    if term.operator == "exp":
        return first.exp()
    if term.operator == "log":
        return first.log()
    if term.operator == "sqrt":
        return first.power(point_of(Fraction(1, 2)))
    second = ranges[1]
    if term.operator == "+":
        return first + second
    if term.operator == "-":
        return first + -second
    if term.operator == "*":
        return first.whole_power(2) if term.arguments[0] == term.arguments[1] else first * second
    if term.operator == "/":
        return first * second.reciprocal()
    exponent = constant(term.arguments[1])
    if exponent is not None and exponent.denominator == 1:
        return first.whole_power(int(exponent))
    return first.power(second)


# The identity prover's forms: rules that hold at every point at which a term is defined, its ends included.
#
# b^x = exp(x log b) for b > 0; logarithms and roots split into factors that are proved positive, or not negative.

Factors = list[tuple[Base, Form]]


class Former(Algebra):
    """Brings terms over declared variables to normal form within a budget: one unit a product of two monomials."""

    largest_expanded = 200
    most_monomials = 20_000

    def __init__(self, variables: Mapping[str, Domain], budget: Budget) -> None:
        super().__init__(self.is_positive)
        self.variables = variables
        self.budget = budget
        self.known: dict[Term, Form] = {}

    def range(self, term: Term) -> Interval:
        """An interval that holds every value of the term."""
        return range_of(term, self.variables)

    def form(self, term: Term) -> Form:
        """The normal form of a term, which equals it wherever it is defined.  *Raises* `Unfit`."""
        if term not in self.known:
            self.known[term] = self.fresh_form(term)
        return self.known[term]

    def fresh_form(self, term: Term) -> Form:
        """The normal form, computed."""
        if isinstance(term, Apply) and term.operator == "log":
            return self.logarithm_of(term.arguments[0])
        if isinstance(term, Apply) and term.operator == "sqrt":
            return self.root_of(term.arguments[0], Fraction(1, 2))
        if isinstance(term, Apply) and term.operator == "^":
            base, exponent = term.arguments
            value = constant(exponent)
            if value is None:
                return self.exponential(self.multiply(self.form(exponent), self.logarithm_of(base)))
            return self.root_of(base, value) if value.denominator != 1 else self.power(self.form(base), number(value))
        return super().form(term)

    def root_of(self, base: Term, exponent: Fraction) -> Form:
        """base^exponent for a base that is not negative and an exponent that is not whole."""
        if isinstance(base, Apply) and base.operator in ("*", "/"):
            left, right = base.arguments
            if self.range(right).positive or (base.operator == "*" and self.range(left).positive):
                other = self.root_of(right, exponent if base.operator == "*" else -exponent)
                return self.multiply(self.root_of(left, exponent), other)
        return self.power(self.form(base), number(exponent))

    def logarithm_of(self, term: Term) -> Form:
        """log of a positive term: the sum of the logarithms of its factors."""
        if isinstance(term, Apply) and term.operator in ("*", "/"):
            left, right = term.arguments
            if self.range(left).positive or self.range(right).positive:
                other = self.logarithm_of(right)
                return add(self.logarithm_of(left), other if term.operator == "*" else negative(other))
        return self.logarithm(self.form(term))

    def expanded(self, left: Form, right: Form) -> Form:
        """The product of two forms, paid for.  *Raises* `Unfit` where the budget is used up."""
        try:
            self.budget.spend(len(left.terms) * len(right.terms))
        except Exhausted:
            raise Unfit("the normal form takes too much work") from None
        return super().expanded(left, right)

    def factored(self, form: Form) -> tuple[Fraction, Factors, Form]:
        """(content, factors, rest): those that are positive, or all factors of a monomial, where none is negative."""
        content = common_unit(weight for _, weight in form.terms)
        monomial, weight = form.terms[0]
        if len(form.terms) == 1 and weight > 0 and all(self.is_nonnegative(*factor) for factor in monomial):
            return content, list(monomial), number(1)
        least = [(base, least_exponent(form, base)) for base in bases_of(form) if self.is_positive(base)]
        common = [(base, exponent) for base, exponent in least if exponent.rational != 0]
        return content, common, scale(self.divided(form, common), 1 / content)

    def divided(self, form: Form, common: Factors) -> Form:
        """The form without common powers of its monomials."""
        inverse = [(base, negative(exponent)) for base, exponent in common]
        return add(*(self.product((*monomial, *inverse), weight) for monomial, weight in form.terms))

    def is_positive(self, base: Base) -> bool:
        """Whether a base is surely above 0."""
        if base.kind == "variable":
            return self.range(Symbol(base.text)).positive
        inside = base.form.rational if base.kind == "log" and base.form is not None else None
        return base.kind in ("number", "e") or (inside is not None and inside > 1)

    def is_nonnegative(self, base: Base, exponent: Form) -> bool:
        """Whether a base, which is defined to this power, is surely not below 0."""
        if base.kind == "variable" and self.range(Symbol(base.text)).nonnegative:
            return True
        return not is_whole(exponent) or self.is_positive(base)

    def cleared(self, form: Form) -> Form:
        """The form times powers of all sums that divide it, which are not 0 where it is defined."""
        for base in bases_of(form):
            least = least_exponent(form, base) if base.kind == "sum" else number(0)
            if any(weight < 0 for _, weight in least.terms):
                return self.cleared(self.divided(form, [(base, least)]))
        plain = expanded_sums(self, form) if form.terms else form
        return plain if plain == form else self.cleared(plain)

    def vanishes(self, form: Form) -> bool:
        """Whether a form is 0 once its divisors are multiplied away."""
        return not self.cleared(form).terms


TWO_SYSTEMS = "two algebra systems"
ONE_SYSTEM = "one algebra system"
MOST_POINTS = 4_000
TRIALS = 50
LARGEST_DEGREE = 40
UNITS = 400_000
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
IMPLIES = {"!=": ("!=", "<", ">"), ">": (">",), ">=": (">=", ">", "=")}


def check_identity(claim: Claim, units: int = UNITS, second: Callable[[], Claim] | None = None) -> Decision:
    """Proved if every equation of the conclusion holds by normal form, refuted with a rational point.

    The tier says whether both systems decided it.  `second` gives the second system's own form of the claim, where a
    derivative or a moment was found in another way.  `units` bounds the products of monomials in the normal form and,
    once more, the operations of the search.  *Raises* `Disagreement`.

    >>> from panshuffle.symbolic.claim import claim
    >>> check_identity(claim("(x^2 - 1)/(x - 1) = x + 1", x="(1, 2]"))
    Decision(status=<Status.PROVED: 'proved'>, tier='two algebra systems', witness=None)
    >>> check_identity(claim("x/x = 1", x="[0, 1]")).witness
    'at x = 0: a term is not defined, because x != 0 fails'
    """
    if any(relation.relation != "=" for relation in claim.conclusion) or not claim.conclusion:
        return Decision(Status.UNDECIDED, ONE_SYSTEM)
    found = decide(claim, units)
    proved, fails = second_opinion(second or (lambda: claim), found, second is not None)
    text = ", ".join(map(str, claim.conclusion))
    if isinstance(found, dict):
        witness = violation(claim, found)
        if proved or fails is False:
            raise Disagreement(f"{text}: the second algebra system does not see that it fails {witness}")
        return Decision(Status.REFUTED, TWO_SYSTEMS if fails else ONE_SYSTEM, witness)
    if found and fails:
        raise Disagreement(f"{text}: the first algebra system proves it, and the second sees it fail")
    status = Status.PROVED if found or proved else Status.UNDECIDED
    return Decision(status, TWO_SYSTEMS if found and proved else ONE_SYSTEM)


def second_opinion(
    form: Callable[[], Claim], found: dict[str, Fraction] | bool | None, own: bool
) -> tuple[bool, bool | None]:
    """Whether the second system proves a claim, and whether it sees it fail, after what the first found.

    It looks at the first one's counterexample or, where the first has a proof and it has none, at simple points.  With
    a form of its `own`, a point where that form alone is not defined says nothing.
    """
    from panshuffle.symbolic.algebra import FAILURES, holds_at, proves

    try:
        claim = form()
    except FAILURES:
        return False, None
    proved = proves(claim, islice(points(claim), MOST_POINTS))
    if isinstance(found, dict):
        holds = holds_at(claim, found, own)
        return proved, None if holds is None else not holds
    doubtful = found is True and not proved
    seen = doubtful and any(holds_at(claim, point, own) is False for point in islice(points(claim), TRIALS))
    return proved, seen or None


def decide(claim: Claim, units: int) -> dict[str, Fraction] | bool | None:
    """What our normal form says: True, a point where the claim fails, or None."""
    former = Former(claim.variables, Budget(units))
    try:
        if defined(claim, former) and all(same(relation, claim, former) for relation in claim.conclusion):
            return True if has_point(claim) else None
    except (Unfit, RecursionError):
        pass
    return search(claim, Budget(units))


def has_point(claim: Claim) -> bool:
    """Whether some rational point is in the domains and fulfils what is given: a claim about none is empty."""
    return any(admits(claim, point) for point in islice(points(claim), MOST_POINTS))


def defined(claim: Claim, former: Former) -> bool:
    """Whether every term is proved to be defined, each hypothesis under those before it."""
    needed: list[tuple[tuple[Relation, ...], Relation]] = []
    needed += [((), condition) for end in claim.ends for condition in definedness(end)]
    for place, relation in enumerate(claim.given):
        needed += [(claim.given[:place], condition) for condition in relation.conditions()]
    needed += [(claim.given, condition) for relation in claim.conclusion for condition in relation.conditions()]
    return all(discharged(condition, given, former) for given, condition in needed)


def discharged(condition: Relation, given: Sequence[Relation], former: Former) -> bool:
    """Whether a condition (a term > 0, >= 0 or != 0) holds on the whole domain."""
    inner = former.range(condition.left)
    if inner.positive or (condition.relation == ">=" and inner.nonnegative):
        return True
    if condition.relation == "!=" and inner.negative:
        return True
    return any(follows(condition, known, former) for known in given) or by_shift(condition, former)


def follows(condition: Relation, known: Relation, former: Former) -> bool:
    """Whether a hypothesis says what a condition asks for."""
    one, other = (known.left, known.right), (known.right, known.left)
    return any(
        relation in IMPLIES[condition.relation] and equal(condition.left, Apply("-", sides), former)
        for sides, relation in ((one, known.relation), (other, FLIPPED[known.relation]))
    )


def equal(left: Term, right: Term, former: Former) -> bool:
    """Whether two terms have the same normal form."""
    if left == right:
        return True
    try:
        return former.vanishes(add(former.form(left), negative(former.form(right))))
    except Unfit:
        return False


def by_shift(condition: Relation, former: Former) -> bool:
    """Whether the sign is plain after the variables are measured from an end of their domains.

    With x = a + t for x >= a (or x = b - t for x <= b) and t >= 0, a polynomial in t without negative coefficients is
    not negative, and positive if its constant is.
    """
    for from_upper in (False, True):
        moves: dict[str, Term] = {}
        shifted: dict[str, Domain] = {}
        for name in sorted(symbols(condition.left)):
            lower, upper = ends_of(former.variables[name])
            first, second = (upper, lower) if from_upper else (lower, upper)
            end = first if first.value is not None else second
            if end.value is None:
                return False
            sign = Fraction(1 if end is lower else -1)
            moves[name] = Apply("+", (Number(end.value), Apply("*", (Number(sign), Symbol(name)))))
            shifted[name] = Domain(Number(Fraction(0)), None, end.is_open)
        if plain_sign(condition, moves, Former(shifted, former.budget)):
            return True
    return False


def plain_sign(condition: Relation, moves: dict[str, Term], former: Former) -> bool:
    """Whether the coefficients of a shifted term show that a condition holds."""
    try:
        terms = polynomial(former.form(substitute(condition.left, moves)))
    except Unfit:
        return False
    signs = {weight > 0 for _, weight in terms}
    if len(signs) != 1 or (False in signs and condition.relation != "!="):
        return False
    strict = any(all(former.range(Symbol(name)).positive for name in powers) for powers, _ in terms)
    return condition.relation == ">=" or strict


def same(relation: Relation, claim: Claim, former: Former) -> bool:
    """Whether both sides have the same normal form, with variables that a hypothesis defines replaced."""
    left, right = relation.left, relation.right
    for name, term in definitions(claim):
        left, right = substitute(left, {name: term}), substitute(right, {name: term})
    return equal(left, right, former)


def definitions(claim: Claim) -> Iterator[tuple[str, Term]]:
    """Variables that hypotheses define, such as d in d = nu - mu, in an order in which to replace them."""
    replaced: list[tuple[str, Term]] = []
    for relation in claim.given:
        for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
            meaning = other
            for name, term in replaced:
                meaning = substitute(meaning, {name: term})
            if relation.relation != "=" or not isinstance(one, Symbol) or one.name in dict(replaced):
                continue
            if one.name not in symbols(meaning):
                replaced.append((one.name, meaning))
                yield one.name, meaning
                break


def search(claim: Claim, budget: Budget) -> dict[str, Fraction] | None:
    """A rational point where the claim fails; an operation at a point is a unit."""
    meanings = list(definitions(claim))
    units = operations(claim)
    for trial in islice(trial_points(claim, budget), MOST_POINTS):
        try:
            budget.spend(units)
        except Exhausted:
            return None
        for name, term in reversed(meanings):
            value = rational_at(term, trial)
            trial[name] = trial[name] if value is None else value
        if violation(claim, trial) is not None:
            return trial
    return None


def trial_points(claim: Claim, budget: Budget) -> Iterator[dict[str, Fraction]]:
    """Points where a term may be undefined, then simple points."""
    former = Former(claim.variables, budget)
    for relation in claim.conclusion:
        for condition in relation.conditions():
            yield from zeros(condition.left, claim, former)
    yield from points(claim)


def zeros(term: Term, claim: Claim, former: Former) -> Iterator[dict[str, Fraction]]:
    """Points at which a term is 0: one variable solved for, the others at simple values."""
    for name in sorted(symbols(term)):
        others = {other: candidates(domain) for other, domain in claim.variables.items() if other != name}
        if not all(others.values()):
            continue
        for index in range(6):
            point = {other: values[index % len(values)] for other, values in others.items()}
            for root in roots_of(substitute(term, {o: Number(v) for o, v in point.items()}), former):
                yield {n: root if n == name else point[n] for n in claim.variables}


def roots_of(term: Term, former: Former) -> list[Fraction]:
    """The rational roots of a term that is a polynomial in one variable, of small degree, over another."""
    try:
        terms = polynomial(former.cleared(former.form(term)))
    except (Unfit, RecursionError):
        return []
    coefficients = [Fraction(0)] * (LARGEST_DEGREE + 1)
    for powers, weight in terms:
        exponent = sum(powers.values(), Fraction(0))
        if len(powers) > 1 or exponent.denominator != 1 or not 0 <= exponent <= LARGEST_DEGREE:
            return []
        coefficients[int(exponent)] = weight
    return rational_roots(coefficients) if terms else []
