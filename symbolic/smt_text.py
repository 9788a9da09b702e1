"""Claims as SMT-LIB texts in nonlinear real arithmetic: unsatisfiable exactly where there is no counterexample.

Division and roots are fresh variables with the equation that defines them (q d = n; s^3 = x with s >= 0), in a goal
that comes after the goal that d is not 0 and x not negative; SMT-LIB's own division by 0 never occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from panshuffle.symbolic.claim import Claim, Domain, Relation, definedness, sides
from panshuffle.symbolic.point import enclosure_at, rational_at, undefined_at
from panshuffle.symbolic.ranges import ball_end, ends_of, range_of
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, parts, symbols, text_of

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


@dataclass
class Encoder:
    """The texts of terms, with the fresh variables that they need."""

    claim: Claim
    whole: bool = False
    """Whether integers are integers; else they are reals."""
    names: dict[Term, str] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)
    degrees: dict[Term, int] = field(default_factory=dict)
    heading: tuple[str, ...] = ()

    def prepare(self, relations: Sequence[Relation]) -> None:
        """Finds the one root of each base that all its powers are powers of."""
        for part in (part for term in (*sides(relations), *self.claim.ends) for part in parts(term)):
            if isinstance(part, Apply):
                base, exponent = part.arguments[0], exponent_of(part)
                if exponent is not None and exponent.denominator > 1:
                    self.degrees[base] = lcm(self.degrees.get(base, 1), exponent.denominator)

    def facts(self) -> Iterable[str]:
        """What else is known of the terms."""
        return ()

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


def goal_text(encoder: Encoder, goal: Goal) -> str:
    """The SMT-LIB text of a goal, its relation negated."""
    encoder.prepare([*goal.given, goal.relation])
    asserted = [encoder.relation(relation) for relation in goal.given]
    asserted.append(f"(not {encoder.relation(goal.relation)})")
    domains = [line for name in encoder.claim.variables for line in encoder.domain(name)]
    facts = list(encoder.facts())
    mixed = any(map(encoder.integer, encoder.claim.variables.values()))
    lines = [
        *encoder.heading,
        f"; {goal.relation}",
        f"(set-logic {'QF_NIRA' if mixed else 'QF_NRA'})",
        *encoder.declarations(),
    ]
    lines += [f"(assert {text})" for text in (*domains, *encoder.constraints, *facts, *asserted)]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


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
