"""The SMT prover: each goal of a claim as a text, on which no two solvers may contradict each other.

There is a process for each solver, which loads it once and puts each text to a copy of itself: every text meets a
solver that has just been loaded, so an answer does not depend on the texts before it.
"""

from __future__ import annotations

import atexit
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from typing import NamedTuple

from panshuffle.exact.child import Child, Ended, Late
from panshuffle.symbolic import decision
from panshuffle.symbolic.claim import Claim, Relation, sides
from panshuffle.symbolic.decision import Decision, Disagreement, NoAnswer, Status, TooSlow
from panshuffle.symbolic.exp_log_facts import Informed
from panshuffle.symbolic.point import admits, points, rational_at, undefined_at, violation
from panshuffle.symbolic.smt_text import Encoder, Goal, NoEncoding, goal_text, goals, is_opaque, is_polynomial, variable
from panshuffle.symbolic.term import ONE, ZERO, parts


class SolverEnded(NoAnswer):
    """A solver's process ended without an answer, as when it is killed or has no memory left."""


class Server:
    """A process that answers the texts that it is sent, one after the other."""

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.child = Child.of_module("panshuffle.symbolic.smt_solver", solver)

    def answer(self, text: str, limit: int) -> list[str]:
        """The lines of the answer to a text.

        *Raises* `SolverEnded` where there is none, `TooSlow` at the outer guard.
        """
        try:
            lines: list[str] = self.child.ask([text, limit], decision.GUARD_SECONDS)
        except Late:
            self.child.end()
            raise TooSlow from None
        except Ended:
            lines = ["its process is gone"]
        except BaseException:  # its answer would be taken for that to the next text
            self.child.end()
            raise
        if lines[0] not in ("sat", "unsat", "unknown"):
            self.child.end()
            raise SolverEnded(f"{self.solver} ended without an answer ({lines[0]})")
        return lines


SERVERS: dict[str, Server] = {}
"""The servers of this process, by solver."""


def server(solver: str) -> Server:
    """The server of a solver in this process, started when it is first asked for, or again after it ended."""
    found = SERVERS.get(solver)
    if found is None or not found.child.running:
        if found is not None:
            found.child.end()
        SERVERS[solver] = found = Server(solver)
    return found


@atexit.register
def end_servers() -> None:
    """Ends the servers of this process."""
    for found in SERVERS.values():
        found.child.end()
    SERVERS.clear()


TIER, ONE_SOLVER = "two SMT solvers", "one SMT solver"
MOST_WORK = {"z3": 20_000_000, "cvc5": 150_000}
"""How much work each solver may count for one goal (its option rlimit)."""
MOST_INFORMED = {"z3": 400_000, "cvc5": 7_500}
"""How much for a text with facts: the counts stand still while a solver works on polynomials of high degree."""
LIMITS = {solver: most for solver, most in MOST_WORK.items() if find_spec(solver) is not None}
"""The solvers that are installed: cvc5 has no wheel for some systems, and what z3 alone decides says so."""
MOST_POINTS = 120


class Reply(NamedTuple):
    """What a solver said: sat, unsat or unknown, and a model near which a counterexample may be."""

    answer: str
    model: Mapping[str, Fraction]


def check_smt(claim: Claim, limits: Mapping[str, int] = LIMITS, alone: bool = False) -> Decision:
    """Proved if the solvers find no counterexample, refuted with a rational one that is evaluated exactly.

    Of exponentials, logarithms and symbolic powers they know what `exp_log_facts` says.  All solvers must agree; where
    one `alone` will do while the other finds no answer, the tier says so.  Hypotheses that no point is known to fulfil
    leave the claim undecided.  The witness is the first of simple points, z3's model and cvc5's.  *Raises*
    `Disagreement`, `SolverEnded`, `TooSlow`.

    >>> from panshuffle.symbolic.claim import claim
    >>> check_smt(claim("x^2 + y^2 >= 2*x*y", x="(-inf, inf)", y="(-inf, inf)")).status
    <Status.PROVED: 'proved'>
    >>> check_smt(claim("1/x >= 1", x="[0, 1]")).witness
    'at x = 0: a term is not defined, because x != 0 fails'
    """
    undecided = Decision(Status.UNDECIDED, TIER if len(limits) == len(MOST_WORK) else ONE_SOLVER)
    if not claim.conclusion or not all(undefined_at(end, {}) is True for end in claim.ends):
        return undecided
    witness = first_violation(claim, islice(points(claim), MOST_POINTS))
    if witness is None:
        found = decide(claim, limits)
        if isinstance(found, int):
            enough = found == len(limits) or (alone and found > 0)
            tier = TIER if found == len(MOST_WORK) else ONE_SOLVER
            return Decision(Status.PROVED, tier) if enough and satisfiable(claim, limits) else undecided
        witness = found
    return Decision(Status.REFUTED, undecided.tier, witness)


def satisfiable(claim: Claim, limits: Mapping[str, int] = LIMITS) -> bool:
    """Whether some point is in the domains and fulfils what is given, by evaluation there.

    Where only irrational points do, both solvers must have one, of hypotheses without exp, log and symbolic powers: a
    solver's exponential is just some number.
    """
    if any(admits(claim, point) for point in islice(points(claim), MOST_POINTS)):
        return True
    impossible = Relation(ONE, "<=", ZERO)
    try:
        whole = any(domain.integer for domain in claim.variables.values())
        text = goal_text(Encoder(claim, whole), Goal(claim.given, impossible))
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


def decide(claim: Claim, limits: Mapping[str, int] = LIMITS) -> int | str:
    """How many solvers prove every goal, 0 if none is known to, or a witness in words."""
    agreed = len(limits)
    for goal in goals(claim):
        found = decide_goal(claim, goal, limits)
        if isinstance(found, str) or not found:
            return found
        agreed = min(agreed, found)
    return agreed


def decide_goal(claim: Claim, goal: Goal, limits: Mapping[str, int]) -> int | str:
    """How many solvers prove a goal in one of its texts, or a witness in words.  *Raises* `Disagreement`."""
    most = 0
    for text, informed in texts_of(claim, goal):
        within = {solver: min(limit, MOST_INFORMED[solver]) for solver, limit in limits.items()} if informed else limits
        answers: list[str] = []
        for answer, model in ask(text, within):
            answers.append(answer)
            witness = first_violation(claim, neighbours(claim, model)) if answer == "sat" else None
            if witness is not None:
                return witness
        if {"sat", "unsat"} <= set(answers):
            raise Disagreement(text)
        most = max(most, answers.count("unsat"))
        if most == len(limits):
            break
    return most


def texts_of(claim: Claim, goal: Goal) -> Iterator[tuple[str, bool]]:
    """The texts of a goal, whole numbers as reals at first; where exp or log occurs also with what is known of them."""
    mixed = any(domain.integer for domain in claim.variables.values())
    terms = (*sides((*goal.given, goal.relation)), *claim.ends)
    opaque = any(is_opaque(part) for term in terms for part in parts(term))
    for informed, more in ((False, False), (True, False), (True, True)) if opaque else ((False, False),):
        for whole in (False, True) if mixed and not informed else (False,):
            encoder = Informed(claim, whole, more=more) if informed else Encoder(claim, whole)
            with suppress(NoEncoding):
                yield goal_text(encoder, goal), informed


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
