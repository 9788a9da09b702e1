"""The SMT prover: a claim of polynomial arithmetic as SMT-LIB texts, on which two solvers must agree."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from math import lcm
from typing import NamedTuple

from panshuffle.exact.child import Child, Ended, Late
from panshuffle.symbolic import decision
from panshuffle.symbolic.claim import Claim, Domain, Relation, definedness, sides
from panshuffle.symbolic.decision import Decision, Disagreement, NoAnswer, Status, TooSlow
from panshuffle.symbolic.point import admits, enclosure_at, points, rational_at, undefined_at, violation
from panshuffle.symbolic.ranges import ball_end, ends_of, range_of
from panshuffle.symbolic.term import ONE, ZERO, Apply, Number, Symbol, Term, constant, parts, symbols, text_of

# Claims as SMT-LIB 2 texts in nonlinear real arithmetic: unsatisfiable exactly where there is no counterexample.
#
# Division and roots are fresh variables with the equation that defines them (q d = n; s^3 = x with s >= 0), in a goal
# that comes after the goal that d is not 0 and x not negative; SMT-LIB's own division by 0 never occurs.

LARGEST_POWER = 40
LARGEST_BITS = 14_000
NOT_EQUAL = "!="


class NoEncoding(Exception):
    """A term that has no text within the limits."""


@dataclass(frozen=True)
class Goal:
    """A relation to be proved under hypotheses."""

    given: tuple[Relation, ...]
    relation: Relation


def goals(claim: Claim) -> list[Goal]:
    """What there is to prove: every term is defined, inner terms first, and each relation of the conclusion."""
    found: list[Goal] = []
    for number, relation in enumerate(claim.given):
        found += [Goal(claim.given[:number], condition) for condition in conditions(relation)]
    for relation in claim.conclusion:
        found += [Goal(claim.given, condition) for condition in conditions(relation)]
        found.append(Goal(claim.given, relation))
    return [goal for number, goal in enumerate(found) if not repeated(goal, found[:number])]


def conditions(relation: Relation) -> list[Relation]:
    """What must hold for both sides to be defined, inner terms first."""
    return [*reversed(definedness(relation.left)), *reversed(definedness(relation.right))]


def repeated(goal: Goal, before: Sequence[Goal]) -> bool:
    """Whether an earlier goal has the same relation and no more hypotheses."""
    return any(
        earlier.relation == goal.relation and goal.given[: len(earlier.given)] == earlier.given for earlier in before
    )


def is_polynomial(claim: Claim) -> bool:
    """Whether the domains and hypotheses have no exp, no log and no power with an exponent that is not a number.

    >>> from panshuffle.symbolic.claim import claim
    >>> is_polynomial(claim("x >= 0", ("sqrt(x)/2 = 1",), x="[0, 9]")), is_polynomial(claim("x >= 0", x="[0, exp(1)]"))
    (True, False)
    """
    return not any(is_opaque(part) for term in (*sides(claim.given), *claim.ends) for part in parts(term))


def is_opaque(term: Term) -> bool:
    """Whether a solver knows nothing of what a term means."""
    if not isinstance(term, Apply) or term.operator not in ("exp", "log", "^"):
        return False
    return exponent_of(term) is None


def goal_text(claim: Claim, goal: Goal, whole: bool = False) -> str:
    """The SMT-LIB text of a goal, its relation negated; integers are integers only with `whole`."""
    encoder = Encoder(claim, whole)
    encoder.prepare([*goal.given, goal.relation])
    asserted = [encoder.relation(relation) for relation in goal.given]
    asserted.append(f"(not {encoder.relation(goal.relation)})")
    domains = [line for name in claim.variables for line in encoder.domain(name)]
    kind = "QF_NIRA" if whole and any(domain.integer for domain in claim.variables.values()) else "QF_NRA"
    lines = [f"; {goal.relation}", f"(set-logic {kind})", *encoder.declarations()]
    lines += [f"(assert {text})" for text in (*domains, *encoder.constraints, *asserted)]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


@dataclass
class Encoder:
    """The texts of terms, with the fresh variables that they need."""

    claim: Claim
    whole: bool
    names: dict[Term, str] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    degrees: dict[Term, int] = field(default_factory=dict)

    def prepare(self, relations: Sequence[Relation]) -> None:
        """Finds the one root of each base that all its powers are powers of."""
        for part in (part for term in (*sides(relations), *self.claim.ends) for part in parts(term)):
            if isinstance(part, Apply):
                base, exponent = part.arguments[0], exponent_of(part)
                if exponent is not None and exponent.denominator > 1:
                    self.degrees[base] = lcm(self.degrees.get(base, 1), exponent.denominator)

    def declarations(self) -> Iterator[str]:
        """A line for each variable."""
        for name, domain in self.claim.variables.items():
            yield f"(declare-const {variable(name)} {'Int' if self.integer(domain) else 'Real'})"
        for term, name in self.names.items():
            yield f"; {name} stands for {text_of(term)}"
            yield f"(declare-const {name} Real)"

    def integer(self, domain: Domain) -> bool:
        """Whether a variable is declared as an integer."""
        return self.whole and domain.integer

    def domain(self, name: str) -> Iterator[str]:
        """What a variable's domain says, with irrational ends as they are."""
        domain = self.claim.variables[name]
        lower, upper = ends_of(domain)
        for term, end, is_open, sign in (
            (domain.lower, lower, domain.lower_open, ">"),
            (domain.upper, upper, domain.upper_open, "<"),
        ):
            if end.value is not None and (domain.integer or (term is not None and rational_at(term, {}) is not None)):
                yield f"({sign if end.is_open else sign + '='} {self.text(Symbol(name))} {decimal(end.value)})"
            elif term is not None:
                yield f"({sign if is_open else sign + '='} {self.text(Symbol(name))} {self.text(term)})"

    def relation(self, relation: Relation) -> str:
        """The text of a relation."""
        left, right = self.text(relation.left), self.text(relation.right)
        if relation.relation == NOT_EQUAL:
            return f"(not (= {left} {right}))"
        return f"({relation.relation} {left} {right})"

    def text(self, term: Term) -> str:
        """The text of a term."""
        value = constant(term)
        if value is not None:
            return decimal(value)
        if isinstance(term, Symbol):
            domain = self.claim.variables[term.name]
            return f"(to_real {variable(term.name)})" if self.integer(domain) else variable(term.name)
        if not isinstance(term, Apply):
            raise NoEncoding(text_of(term))
        exponent = exponent_of(term)
        if exponent is not None:
            return self.power(term, exponent)
        if term.operator == "/":
            return self.quotient(term, *term.arguments)
        if is_opaque(term):
            return self.opaque(term)
        return f"({term.operator} {' '.join(map(self.text, term.arguments))})"

    def quotient(self, term: Term, above: Term, below: Term) -> str:
        """above / below."""
        divisor = constant(below)
        if divisor:
            return f"(* {decimal(1 / divisor)} {self.text(above)})"
        texts = self.text(above), self.text(below)
        return self.fresh(term, lambda name: [f"(= (* {name} {texts[1]}) {texts[0]})"])

    def power(self, term: Apply, exponent: Fraction) -> str:
        """base^exponent for a rational exponent."""
        base = term.arguments[0]
        degree = self.degrees.get(base, 1)
        count = exponent * degree
        if exponent == 0:
            return "1.0"
        if count.denominator != 1:
            raise NoEncoding(text_of(term))
        root = self.root(base, degree)
        positive = repeat(root, abs(int(count)))
        return positive if exponent > 0 else self.fresh(term, lambda name: [f"(= (* {name} {positive}) 1.0)"])

    def root(self, base: Term, degree: int) -> str:
        """The root of a base."""
        inner = self.text(base)
        if degree == 1:
            return inner
        key = Apply("^", (base, Number(Fraction(1, degree))))
        return self.fresh(key, lambda name: [f"(>= {name} 0.0)", f"(= {repeat(name, degree)} {inner})"])

    def opaque(self, term: Term) -> str:
        """A variable for a term of which nothing is known but the range of its values."""

        def enclosure(name: str) -> list[str]:
            if symbols(term):
                found = range_of(term, self.claim.variables)
                balls = [(found.lower, found.lower_open), (found.upper, found.upper_open)]
            else:
                balls = [(enclosure_at(term, {}), False)] * 2 if undefined_at(term, {}) is True else []
            lines = []
            for (ball, is_open), sign in zip(balls, "><", strict=False):
                value = ball_end(ball, sign == ">").value if ball.is_finite() else None
                if value is not None:
                    lines.append(f"({sign}{'' if is_open else '='} {name} {decimal(value)})")
            return lines

        return self.fresh(term, enclosure)

    def fresh(self, term: Term, constrain: Callable[[str], list[str]]) -> str:
        """The fresh variable of a term."""
        if term not in self.names:
            self.names[term] = name = f"t!{len(self.names) + 1}"
            self.constraints += constrain(name)
        return self.names[term]


def variable(name: str) -> str:
    """A variable's name in SMT-LIB, where it can be no function or keyword of a solver; two names never become one.

    >>> variable("a_1")
    'v_a__1'
    """
    coded = {letter: f"_u{ord(letter)}_" for letter in name if not (letter.isalnum() and letter.isascii())}
    return "v_" + "".join("__" if letter == "_" else coded.get(letter, letter) for letter in name)


def exponent_of(term: Apply) -> Fraction | None:
    """The rational exponent of a root or power, if it is one."""
    if term.operator == "sqrt":
        return Fraction(1, 2)
    return constant(term.arguments[1]) if term.operator == "^" else None


def repeat(text: str, count: int) -> str:
    """A power as a product."""
    if count > LARGEST_POWER:
        raise NoEncoding(f"the power {count} of {text}")
    return text if count == 1 else f"(* {' '.join([text] * count)})"


def decimal(value: Fraction) -> str:
    """A rational in SMT-LIB.  *Raises* `NoEncoding` for one with too many digits.

    >>> decimal(Fraction(-1, 3))
    '(- (/ 1.0 3.0))'
    """
    above, below = abs(value.numerator), value.denominator
    if max(above, below).bit_length() > LARGEST_BITS:
        raise NoEncoding("a number has too many digits")
    text = f"{above}.0" if below == 1 else f"(/ {above}.0 {below}.0)"
    return f"(- {text})" if value < 0 else text


# The solvers' processes: one for each solver, which loads it once and puts each text to a copy of itself.
#
# Every text meets a solver that has just been loaded, so an answer does not depend on the texts before it.


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
LIMITS = {solver: most for solver, most in MOST_WORK.items() if find_spec(solver) is not None}
"""The solvers that are installed: cvc5 has no wheel for some systems, and what z3 alone decides says so."""
MOST_POINTS = 120


class Reply(NamedTuple):
    """What a solver said: sat, unsat or unknown, and a model near which a counterexample may be."""

    answer: str
    model: Mapping[str, Fraction]


def check_smt(claim: Claim, limits: Mapping[str, int] = LIMITS) -> Decision:
    """Proved if the solvers find no counterexample, refuted with a rational one that is evaluated exactly.

    An exponential, a logarithm or a symbolic power is just some number.  Hypotheses that no point is known to fulfil
    leave the claim undecided.  The witness is the first of simple points, z3's model and cvc5's.  *Raises*
    `Disagreement`, `SolverEnded`, `TooSlow`.

    >>> from panshuffle.symbolic.claim import claim
    >>> check_smt(claim("x^2 + y^2 >= 2*x*y", x="(-inf, inf)", y="(-inf, inf)")).status
    <Status.PROVED: 'proved'>
    >>> check_smt(claim("1/x >= 1", x="[0, 1]")).witness
    'at x = 0: a term is not defined, because x != 0 fails'
    """
    tier = TIER if len(limits) == len(MOST_WORK) else ONE_SOLVER
    if not claim.conclusion or not all(undefined_at(end, {}) is True for end in claim.ends):
        return Decision(Status.UNDECIDED, tier)
    witness = first_violation(claim, islice(points(claim), MOST_POINTS))
    if witness is None:
        found = decide(claim, limits)
        if found is True and satisfiable(claim, limits):
            return Decision(Status.PROVED, tier)
        witness = found if isinstance(found, str) else None
    return Decision(Status.UNDECIDED if witness is None else Status.REFUTED, tier, witness)


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
    """True if the solvers prove a goal, a witness in words, or None.  *Raises* `Disagreement`."""
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
    return True if answers == ["unsat"] * len(limits) else None


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
