"""The ball prover: inequalities in at most two real variables with exp, log and powers, by Arb on boxes.

*Exactness*: every comparison rests on enclosures by Arb, on exact rationals or on the normal form of
`symbolic.form`; what is not decided within the budget is undecided.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from flint import ctx
from panshuffle.symbolic.ball_box import PRECISION, rational_near
from panshuffle.symbolic.ball_proof import EFFORTS, Proof, constant_form
from panshuffle.symbolic.ball_search import find_witness, has_point, range_of
from panshuffle.symbolic.budget import Budget, Exhausted
from panshuffle.symbolic.claim import Claim, Domain, Relation, sides
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.form import Unfit
from panshuffle.symbolic.identity_sign import range_of as sign_range
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, parts

TIER = "ball computation"
UNITS = 600_000
SEARCH_UNITS = 1_000_000
FEW_INTEGERS = 400
FIRST_INTEGERS = 24


def check_inequality(claim: Claim, units: int = UNITS, search_units: int = SEARCH_UNITS) -> Decision:
    """Proved, refuted with a rational witness, or undecided after so many units of proof and of search.

    What is given between a variable and a constant narrows its domain.  Other hypotheses are used against witnesses
    only: a proof does without them.  A claim about no point at all is undecided.

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
        if is_proved(narrowed, Budget(units)) and has_point(narrowed):
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
    """The claim that says in so many words that a base is positive where its exponent is not a constant.

    A value in place of a variable makes such an exponent constant; what must hold of the base stays the same.
    """
    terms = sides(claim.conclusion)
    powers = [part for term in terms for part in parts(term) if isinstance(part, Apply) and part.operator == "^"]
    bases = dict.fromkeys(power.arguments[0] for power in powers if constant(power.arguments[1]) is None)
    unsure = [base for base in bases if not sign_range(base, claim.variables).positive]
    added = [Relation(base, ">", Number(Fraction(0))) for base in unsure]
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
        bound = bound_of(relation)
        if bound is None:
            kept.append(relation)
        else:
            name, kind, value = bound
            variables[name] = cut(variables[name], kind, value)
    return replace(claim, variables=variables, given=tuple(kept))


def bound_of(relation: Relation) -> tuple[str, str, Fraction] | None:
    """(x, relation, c) if the relation is x <= c, c <= x or the like with a rational c."""
    turn = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}
    if relation.relation not in turn:
        return None
    for one, other, kind in (
        (relation.left, relation.right, relation.relation),
        (relation.right, relation.left, turn[relation.relation]),
    ):
        value = constant(other)
        if isinstance(one, Symbol) and value is not None:
            return one.name, kind, value
    return None


def cut(domain: Domain, kind: str, value: Fraction) -> Domain:
    """The part of a domain that fulfils x <= value, x < value, x >= value or x > value."""
    where = range_of(domain)
    is_open = kind in ("<", ">")
    if kind in ("<=", "<"):
        if where.upper is None or value < where.upper or (value == where.upper and is_open):
            return replace(domain, upper=Number(value), upper_open=is_open)
        return domain
    if where.lower is None or value > where.lower or (value == where.lower and is_open):
        return replace(domain, lower=Number(value), lower_open=is_open)
    return domain


def at_value(claim: Claim, name: str, value: Term) -> Claim:
    """The claim at one value of a variable."""
    variables = {other: domain for other, domain in claim.variables.items() if other != name}
    given, conclusion = (tuple(r.at({name: value}) for r in part) for part in (claim.given, claim.conclusion))
    return Claim(variables, given, conclusion)


def integers_proved(claim: Claim, name: str, domain: Domain, budget: Budget) -> bool:
    """As `is_proved`, for whole values of a variable: one by one if they are few, else the first and the rest."""
    lower, upper = integer_ends(domain)
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


def integer_ends(domain: Domain) -> tuple[int | None, int | None]:
    """Integers between which all integers of a domain lie, None where there is no end."""
    lower, upper = (None if end is None else constant_form(end) for end in (domain.lower, domain.upper))
    low = None if lower is None else rational_near(lower, up=False)
    high = None if upper is None else rational_near(upper, up=True)
    first = None if low is None else low.__floor__() + 1 if domain.lower_open else low.__ceil__()
    last = None if high is None else high.__ceil__() - 1 if domain.upper_open else high.__floor__()
    return first, last


def with_domain(claim: Claim, name: str, domain: Domain) -> Claim:
    """The claim with another domain for one variable."""
    return replace(claim, variables={**claim.variables, name: domain})
