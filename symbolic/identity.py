"""The identity prover: an equation holds on a domain because two algebra systems reduce both sides to the same form.

The first is our own normal form, here; the second is sympy (`symbolic.algebra`).  That every term is defined is shown
by intervals, by hypotheses and by the ball prover.  What is proved is tried in balls at points of the domain; a
contradiction between any of these is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice

import sympy
from flint import ctx
from panshuffle.symbolic.algebra import FAILURES, at_definitions, fails_at, limited, proves, to_sympy
from panshuffle.symbolic.ball import is_proved
from panshuffle.symbolic.ball_box import PRECISION as BALLS
from panshuffle.symbolic.claim import FLIPPED, Claim, Domain, Relation, definedness, definitions, operations
from panshuffle.symbolic.decision import Budget, Decision, Disagreement, Exhausted, Status
from panshuffle.symbolic.form import (
    Algebra,
    Base,
    Form,
    Unfit,
    add,
    bases_of,
    common_unit,
    content_of,
    expanded_sums,
    is_whole,
    least_exponent,
    negative,
    number,
    scale,
)
from panshuffle.symbolic.interval import Interval, sign_of
from panshuffle.symbolic.point import (
    Unclear,
    Undefined,
    admits,
    ball_at,
    candidates,
    points,
    rational_at,
    violation,
)
from panshuffle.symbolic.ranges import PRECISION, range_of
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, substitute, symbols

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
        common = self.common(form)
        return content, common, scale(self.divided(form, common), 1 / content)

    def common(self, form: Form) -> Factors:
        """The common powers of all monomials with positive bases."""
        least = [(base, least_exponent(form, base)) for base in bases_of(form) if self.is_positive(base)]
        return [(base, exponent) for base, exponent in least if exponent.rational != 0]

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
GUARDED, MOST_GUARDED = 64, 400
"""At how many points what is proved is evaluated in balls, and how many points are tried for that."""
UNITS = 400_000
CONDITION_UNITS = 4_000
"""How much work balls do to show that a term is defined."""
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
    own = second_form(claim, second)
    proofs = proved_by(claim, units, own)
    if proofs:
        tier = TWO_SYSTEMS if len(proofs) == 2 else ONE_SYSTEM
        return Decision(Status.PROVED if has_point(claim, own) else Status.UNDECIDED, tier)
    found = search(claim, Budget(units))
    if found is None:
        return Decision(Status.UNDECIDED, ONE_SYSTEM)
    fails = None if own is None else fails_at(own, found, second is not None)
    if fails is False:
        raise Disagreement(f"{text_of_conclusion(claim)}: sympy does not see that it fails {violation(claim, found)}")
    return Decision(Status.REFUTED, TWO_SYSTEMS if fails else ONE_SYSTEM, violation(claim, found))


def second_form(claim: Claim, second: Callable[[], Claim] | None) -> Claim | None:
    """The claim as the second system has it; None where that has no answer."""
    try:
        return claim if second is None else second()
    except FAILURES:
        return None


def proved_by(claim: Claim, units: int, own: Claim | None) -> list[str]:
    """Which systems prove a claim, the terms of which have to be shown to be defined."""
    former = Former(claim.variables, Budget(units))
    try:
        if not defined(claim, former):
            return []
    except (Unfit, RecursionError):
        return []
    proofs = []
    with suppress(Unfit, RecursionError):
        if all(same(relation, claim, former) for relation in claim.conclusion):
            proofs.append("forms")
    if own is not None and proves(own):
        proofs.append("sympy")
    return proofs


def has_point(claim: Claim, own: Claim | None = None) -> bool:
    """Whether a claim that is proved is about some rational point, a claim about none being empty.

    *Raises* `Disagreement` where it fails, in balls, at one of the first points that it is about, or its other form.
    """
    tried = 0
    for place, trial in enumerate(islice(points(claim), MOST_POINTS)):
        if tried == GUARDED or (tried and place > MOST_GUARDED):
            break
        if admits(claim, trial):
            tried += 1
            fails = any(differs(relation, trial) is not False for relation in claim.conclusion)
            if fails or (own is not None and any(differs(relation, trial) for relation in own.conclusion)):
                where = ", ".join(f"{name} = {value}" for name, value in trial.items())
                raise Disagreement(f"{text_of_conclusion(claim)} is proved by an algebra system, and fails at {where}")
    return tried > 0


def differs(equation: Relation, point: Mapping[str, Fraction]) -> bool | None:
    """Whether balls show that the sides of an equation differ at a point; None where one is not defined there."""
    with ctx.workprec(2 * PRECISION):
        try:
            left = ball_at(equation.left, point)
            return equation.left != equation.right and sign_of(left - ball_at(equation.right, point)) != 0
        except Undefined:
            return None
        except Unclear:
            return False


def text_of_conclusion(claim: Claim) -> str:
    """The relations of a conclusion."""
    return ", ".join(map(str, claim.conclusion))


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
    return any(follows(condition, known, former) for known in given) or by_balls(condition, former)


def follows(condition: Relation, known: Relation, former: Former) -> bool:
    """Whether a hypothesis says what a condition asks for: their terms differ by a rational factor."""
    try:
        asked, told = former.form(condition.left), former.form(Apply("-", (known.left, known.right)))
        if not asked.terms or not told.terms:
            return False
        factor = content_of(asked) / content_of(told)
        relation = known.relation if factor > 0 else FLIPPED[known.relation]
        return relation in IMPLIES[condition.relation] and former.vanishes(add(asked, scale(told, -factor)))
    except Unfit:
        return False


def by_balls(condition: Relation, former: Former) -> bool:
    """Whether the ball prover shows a condition with little work."""
    with ctx.workprec(BALLS), suppress(Exhausted, Unfit, ArithmeticError, ValueError, RecursionError):
        names = symbols(condition.left)
        domains = {name: domain for name, domain in former.variables.items() if name in names}
        return is_proved(Claim(domains, (), (condition,)), Budget(CONDITION_UNITS))
    return False


def same(relation: Relation, claim: Claim, former: Former) -> bool:
    """Whether both sides have the same normal form, with variables that a hypothesis defines replaced."""
    left, right = (at_definitions(side, definitions(claim)) for side in (relation.left, relation.right))
    return left == right or former.vanishes(add(former.form(left), negative(former.form(right))))


def search(claim: Claim, budget: Budget) -> dict[str, Fraction] | None:
    """A rational point where the claim fails; an operation at a point is a unit."""
    meanings = list(definitions(claim))
    units = operations(claim)
    for trial in islice(trial_points(claim), MOST_POINTS):
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


def trial_points(claim: Claim) -> Iterator[dict[str, Fraction]]:
    """Points where a term may be undefined, then simple points."""
    for relation in claim.conclusion:
        for condition in relation.conditions():
            yield from zeros(condition.left, claim)
    yield from points(claim)


def zeros(term: Term, claim: Claim) -> Iterator[dict[str, Fraction]]:
    """Points at which a term is 0: one variable solved for, the others at simple values."""
    for name in sorted(symbols(term)):
        others = {other: candidates(domain) for other, domain in claim.variables.items() if other != name}
        if not all(others.values()):
            continue
        for index in range(6):
            point = {other: values[index % len(values)] for other, values in others.items()}
            for root in roots_of(substitute(term, {o: Number(v) for o, v in point.items()}), name):
                yield {n: root if n == name else point[n] for n in claim.variables}


def roots_of(term: Term, name: str) -> list[Fraction]:
    """The rational roots of a term that is a polynomial in one variable, of small degree, over another."""
    try:
        above, _ = sympy.fraction(sympy.together(to_sympy(term)))
        roots = sympy.ground_roots(sympy.Poly(limited(above), sympy.Symbol(name), domain="QQ"))
    except FAILURES:
        return []
    return sorted(Fraction(int(root.p), int(root.q)) for root in roots)
