"""The SMT prover: nonlinear real arithmetic, one SMT-LIB text given to z3 and to cvc5; both must say unsat."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from panshuffle.symbolic.claim import Claim, Relation
from panshuffle.symbolic.decision import Decision, Disagreement, Status
from panshuffle.symbolic.point import admits, points, rational_at, undefined_at, violation
from panshuffle.symbolic.smt_server import server
from panshuffle.symbolic.smt_text import Goal, NoEncoding, goal_text, goals, is_polynomial, variable
from panshuffle.symbolic.term import Number

TIER = "two SMT solvers"
LIMITS = {"z3": 20_000_000, "cvc5": 150_000}
"""How much work each solver may count for one goal (its option rlimit)."""
MOST_POINTS = 120


class Reply(NamedTuple):
    """What a solver said: sat, unsat or unknown, and a model near which a counterexample may be."""

    answer: str
    model: Mapping[str, Fraction]


def check_smt(claim: Claim, limits: Mapping[str, int] = LIMITS) -> Decision:
    """Proved if both solvers find no counterexample, refuted with a rational one that is evaluated exactly.

    An exponential, a logarithm or a symbolic power is just some number.  Hypotheses that no point is known to fulfil
    leave the claim undecided.  The witness is the first of simple points, z3's model and cvc5's.  *Raises*
    `Disagreement`, `SolverEnded`, `TooSlow`.

    >>> from panshuffle.symbolic.claim import claim
    >>> check_smt(claim("x^2 + y^2 >= 2*x*y", x="(-inf, inf)", y="(-inf, inf)")).status
    <Status.PROVED: 'proved'>
    >>> check_smt(claim("1/x >= 1", x="[0, 1]")).witness
    'at x = 0: a term is not defined, because x != 0 fails'
    """
    if not claim.conclusion or not all(undefined_at(end, {}) is True for end in claim.ends):
        return Decision(Status.UNDECIDED, TIER)
    witness = first_violation(claim, islice(points(claim), MOST_POINTS))
    if witness is None:
        found = decide(claim, limits)
        if found is True and satisfiable(claim, limits):
            return Decision(Status.PROVED, TIER)
        witness = found if isinstance(found, str) else None
    return Decision(Status.UNDECIDED if witness is None else Status.REFUTED, TIER, witness)


def satisfiable(claim: Claim, limits: Mapping[str, int] = LIMITS) -> bool:
    """Whether some point is in the domains and fulfils what is given, by evaluation there.

    Where only irrational points do, both solvers must have one, of hypotheses without exp, log and symbolic powers: a
    solver's exponential is just some number.
    """
    if any(admits(claim, point) for point in islice(points(claim), MOST_POINTS)):
        return True
    impossible = Relation(Number(Fraction(1)), "<=", Number(Fraction(0)))
    try:
        whole = any(domain.integer for domain in claim.variables.values())
        text = goal_text(claim, Goal(claim.given, impossible), whole)
    except NoEncoding:
        return False
    models = [model for answer, model in ask(text, limits) if answer == "sat"]
    if any(admits(claim, point) for model in models for point in neighbours(claim, model)):
        return True
    ends = [end for domain in claim.variables.values() if domain.integer for end in domain.ends]
    as_they_are = all(rational_at(end, {}) is not None for end in ends)
    return is_polynomial(claim) and as_they_are and len(models) == len(limits)


def first_violation(claim: Claim, trials: Iterable[Mapping[str, Fraction]]) -> str | None:
    """How the claim fails at the first of some points where it surely does, in words."""
    found = (violation(claim, point) for point in trials)
    return next((words for words in found if words is not None), None)


def decide(claim: Claim, limits: Mapping[str, int] = LIMITS) -> bool | str | None:
    """True if every goal is proved, a witness in words, or None."""
    mixed = any(domain.integer for domain in claim.variables.values())
    for goal in goals(claim):
        found = decide_goal(claim, goal, limits, False)
        if found is None and mixed:
            found = decide_goal(claim, goal, limits, True)
        if found is not True:
            return found
    return True


def decide_goal(claim: Claim, goal: Goal, limits: Mapping[str, int], whole: bool) -> bool | str | None:
    """True if both solvers prove a goal, a witness in words, or None.  *Raises* `Disagreement`."""
    try:
        text = goal_text(claim, goal, whole)
    except NoEncoding:
        return None
    answers: list[str] = []
    for answer, model in ask(text, limits):
        answers.append(answer)
        witness = first_violation(claim, neighbours(claim, model)) if answer == "sat" else None
        if witness is not None:
            return witness
    if {"sat", "unsat"} <= set(answers):
        raise Disagreement(text)
    return True if answers == ["unsat"] * len(LIMITS) else None


def ask(text: str, limits: Mapping[str, int]) -> Generator[Reply, None, None]:
    """The solvers' replies, always in one order, each when it is asked for."""
    for solver, limit in limits.items():
        lines = server(solver).answer(text, limit)
        pairs = [line.split() for line in lines[1:] if line.startswith(variable(""))]
        yield Reply(lines[0], {name: Fraction(value) for name, value in pairs})


def neighbours(claim: Claim, model: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """A model's point, simpler points near it, and points a little beside it."""
    point = {name: model.get(variable(name), Fraction(0)) for name in claim.variables}
    for largest in (1, 10, 1_000, 10**6, 10**12):
        yield {name: value.limit_denominator(largest) for name, value in point.items()}
    yield point
    for size in (10**3, 10**6, 10**9):
        for sign in (1, -1):
            yield {name: value * (1 + Fraction(sign, size)) for name, value in point.items()}
            for moved in point:
                factor = 1 + Fraction(sign, size)
                yield {name: value * factor if name == moved else value for name, value in point.items()}
