"""Sequences: a closed form by induction, and a limit that no value reaches."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from panshuffle.symbolic.claim import Claim, Domain, Relation, check_declared, parse_domain
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.identity import ONE_SYSTEM, TWO_SYSTEMS, check_identity
from panshuffle.symbolic.term import ONE, ZERO, Apply, Number, Symbol, Term, TermError, parse_term, substitute, symbols

# The induction prover: a closed form of a sequence, from its first value and its step.

FIRST_CASES = 25
PREVIOUS = "previous"
TERM = "x"
"""The number of a term of a series."""


def check_induction(
    closed: str, first: str, step: str, start: int = 0, variable: str = "n", **domains: str
) -> Decision:
    """Proved if f(n) = closed for every whole n >= start, where f(start) = first and f(n + 1) = step.

    `step` is a term in n and `previous`, which stands for f(n).  The base and the step are proved by normal form for
    all values of the other variables in their domains; refuted with the first n where the closed form fails.

    >>> check_induction("n*(n+1)/2", first="0", step="previous + n + 1").status
    <Status.PROVED: 'proved'>
    >>> check_induction("n^2", first="0", step="previous + n + 1").witness
    'n = 2: at the constants: 4 = 3 is false'
    """
    return induction(parse_term(closed), parse_term(first), parse_term(step), start, variable, parsed(domains))


def parsed(domains: Mapping[str, str]) -> dict[str, Domain]:
    """Domains from their texts."""
    return {name: parse_domain(text) for name, text in domains.items()}


def induction(form: Term, base: Term, move: Term, start: int, variable: str, others: Mapping[str, Domain]) -> Decision:
    """As `check_induction`, of terms and domains."""
    if not isinstance(start, int):
        raise TermError(f"start = {start} is not a whole number")
    check_names(form, base, move, variable, others)
    whole = Domain(Number(Fraction(start)), None, integer=True)
    later = substitute(form, {variable: Apply("+", (Symbol(variable), ONE))})
    steps = (
        equation(at(form, variable, start), at(base, variable, start), others),
        equation(later, substitute(move, {PREVIOUS: form}), {variable: whole, **others}),
        equation(form, form, {variable: whole, **others}),
    )
    answers = [check_identity(claim) for claim in steps]
    if all(answer.status is Status.PROVED for answer in answers):
        return Decision(Status.PROVED, TWO_SYSTEMS if all(a.tier == TWO_SYSTEMS for a in answers) else ONE_SYSTEM)
    return first_failure(form, base, move, start, variable, others)


def check_sum(closed: str, summand: str, start: int = 0, variable: str = "n", **domains: str) -> Decision:
    """Proved if the sum of a summand in n over start, ..., n is the closed form for every n >= start.

    >>> check_sum("n^2", summand="2*n - 1", start=1).status
    <Status.PROVED: 'proved'>
    """
    term, n = parse_term(summand), Symbol(variable)
    if PREVIOUS in symbols(term):
        raise TermError(f"the name {PREVIOUS} is taken: it stands for the sum so far")
    following = substitute(term, {variable: Apply("+", (n, ONE))})
    step = Apply("+", (Symbol(PREVIOUS), following))
    return induction(parse_term(closed), at(term, variable, start), step, start, variable, parsed(domains))


def check_series(closed: str, first: str, ratio: str, rate: str, trials: str = "", **domains: str) -> Decision:
    """Proved if the sum over x = 0, 1, 2, ... of terms t(x) is the closed form, t(0) = first, t(x + 1) = t(x) ratio.

    The ratio has to be rate/(x + 1), for the exponential series, or (trials - x) rate/(x + 1), trials a whole number,
    for the binomial theorem: then the sum is first * exp(rate) or first * (1 + rate)^trials.

    >>> check_series("exp(c)", first="1", ratio="c/(x + 1)", rate="c", c="[0, inf)").status
    <Status.PROVED: 'proved'>
    >>> check_series("2^n", first="1", ratio="(n - x)/(x + 1)", rate="1", trials="n", n="integer [0, inf)").status
    <Status.PROVED: 'proved'>
    """
    if TERM in domains:
        raise TermError(f"the name {TERM} is taken: it counts the terms")
    variables = parsed(domains)
    inside = {**variables, TERM: Domain(ZERO, None, integer=True)}
    texts = {"closed": closed, "first": first, "ratio": ratio, "rate": rate}
    form, start, step, c = (parse_term(text) for text in texts.values())
    check_declared(symbols(form) | symbols(start) | symbols(c), variables)
    check_declared(symbols(step), inside)
    count = parse_term(trials or "1")
    if trials and not is_count_variable(count, variables):
        raise TermError(f"trials = {trials} is not a variable that ranges over whole numbers from 0 on")
    weight = Apply("*", (c, Apply("-", (count, Symbol(TERM))))) if trials else c
    total = Apply("^", (Apply("+", (ONE, c)), count)) if trials else Apply("exp", (c,))
    steps = check_identity(equation(step, Apply("/", (weight, Apply("+", (Symbol(TERM), ONE)))), inside))
    answer = check_identity(equation(form, Apply("*", (start, total)), variables))
    if steps.status is not Status.PROVED:
        return Decision(Status.UNDECIDED, ONE_SYSTEM)
    tier = TWO_SYSTEMS if steps.tier == answer.tier == TWO_SYSTEMS else ONE_SYSTEM
    return Decision(answer.status, tier, answer.witness)


def is_count_variable(term: Term, variables: Mapping[str, Domain]) -> bool:
    """Whether a term is a variable that ranges over whole numbers from 0 or more on."""
    domain = variables.get(term.name) if isinstance(term, Symbol) else None
    lower = domain.lower if domain and domain.integer else None
    return isinstance(lower, Number) and lower.value >= 0


def check_names(form: Term, base: Term, move: Term, variable: str, domains: Mapping[str, Domain]) -> None:
    """*Raises* `TermError` for a name without a domain, and for one that is to mean two things."""
    if variable in domains:
        raise TermError(f"the variable {variable} of the induction has its domain from the induction")
    if PREVIOUS in (variable, *domains) or PREVIOUS in symbols(form) | symbols(base):
        raise TermError(f"the name {PREVIOUS} is taken: it stands for the value before, in the step alone")
    check_declared(symbols(form) | symbols(base) | (symbols(move) - {PREVIOUS}), {variable, *domains})


def equation(left: Term, right: Term, variables: Mapping[str, Domain]) -> Claim:
    """The claim that two terms are equal."""
    return Claim(variables, (), (Relation(left, "=", right),))


def at(term: Term, variable: str, n: int) -> Term:
    """The term at a whole number."""
    return substitute(term, {variable: Number(Fraction(n))})


def first_failure(
    form: Term, base: Term, move: Term, start: int, variable: str, others: Mapping[str, Domain]
) -> Decision:
    """Refuted with the first n at which the closed form, right before n, differs from the sequence, else undecided."""
    value = at(base, variable, start)
    for n in range(start, start + FIRST_CASES):
        answer = check_identity(equation(at(form, variable, n), value, others))
        if answer.status is Status.REFUTED:
            return Decision(Status.REFUTED, answer.tier, f"{variable} = {n}: {answer.witness}")
        if answer.status is Status.UNDECIDED:
            break
        value = substitute(at(move, variable, n), {PREVIOUS: at(form, variable, n)})
    return Decision(Status.UNDECIDED, ONE_SYSTEM)
