"""The identity prover: an equation holds on a domain because two algebra systems reduce both sides to the same form.

The first is our own normal form, here; the second is `symbolic.algebra`, on sympy's polynomials.  Each proves by itself
that every term is defined; what neither can prove is undecided, and a contradiction between them is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from panshuffle.symbolic.budget import Budget, Exhausted
from panshuffle.symbolic.claim import Claim, Domain, Relation, definedness, operations
from panshuffle.symbolic.decision import Decision, Disagreement, Status
from panshuffle.symbolic.form import Unfit, add, negative, polynomial
from panshuffle.symbolic.identity_form import Former
from panshuffle.symbolic.identity_sign import ends_of
from panshuffle.symbolic.point import admits, candidates, points, rational_at, violation
from panshuffle.symbolic.rational import rational_roots
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, substitute, symbols

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
    for number, relation in enumerate(claim.given):
        needed += [(claim.given[:number], condition) for condition in relation.conditions()]
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
    for point in islice(trial_points(claim, budget), MOST_POINTS):
        try:
            budget.spend(units)
        except Exhausted:
            return None
        for name, term in reversed(meanings):
            value = rational_at(term, point)
            point[name] = point[name] if value is None else value
        if violation(claim, point) is not None:
            return point
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
