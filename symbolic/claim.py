"""A claim: a relation between two terms, for all values of the variables in their domains."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from panshuffle.exact.errors import shortened
from panshuffle.symbolic.term import (
    ZERO,
    Apply,
    Functions,
    Symbol,
    Term,
    TermError,
    constant,
    from_syntax,
    parse_term,
    parts,
    substitute,
    symbols,
    syntax,
    text_of,
)

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.Eq: "=",
    ast.NotEq: "!=",
}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "=": "!=", "!=": "="}
INTERVAL = re.compile(r"\s*(integer\s+)?([\[(])(.+),(.+)([\])])\s*")


@dataclass(frozen=True)
class Domain:
    """An interval of the reals or, with `integer`, the integers in it; None is an infinite end."""

    lower: Term | None
    upper: Term | None
    lower_open: bool = False
    upper_open: bool = False
    integer: bool = False

    @property
    def ends(self) -> list[Term]:
        """The ends that are not infinite."""
        return [end for end in (self.lower, self.upper) if end is not None]


@dataclass(frozen=True)
class Relation:
    """left <relation> right, with one of <= < >= > = != between them."""

    left: Term
    relation: str
    right: Term

    def __str__(self) -> str:
        return f"{text_of(self.left)} {self.relation} {text_of(self.right)}"

    @property
    def symbols(self) -> frozenset[str]:
        """The variables that occur."""
        return symbols(self.left) | symbols(self.right)

    def at(self, values: Mapping[str, Term]) -> Relation:
        """The relation with terms in place of variables."""
        return Relation(substitute(self.left, values), self.relation, substitute(self.right, values))

    def readings(self) -> Iterator[tuple[str, str, Term]]:
        """(x, sign, term) for each way to read the relation as one between a variable and a term without it."""
        for one, sign, other in (
            (self.left, self.relation, self.right),
            (self.right, FLIPPED[self.relation], self.left),
        ):
            if isinstance(one, Symbol) and one.name not in symbols(other):
                yield one.name, sign, other

    def conditions(self) -> list[Relation]:
        """What must hold for both sides to be defined."""
        return [*definedness(self.left), *definedness(self.right)]


@dataclass(frozen=True)
class Claim:
    """For all values of the variables in their domains that fulfil every `given`: the conclusion.

    A conclusion with several relations, such as a <= b <= c, claims each of them.  A claim says that every term in it
    is defined, too: x/x = 1 on [0, 1] is false.
    """

    variables: Mapping[str, Domain]
    given: tuple[Relation, ...]
    conclusion: tuple[Relation, ...]

    @property
    def relations(self) -> tuple[Relation, ...]:
        """What is given, and the conclusion."""
        return (*self.given, *self.conclusion)

    @property
    def ends(self) -> list[Term]:
        """The ends of all domains that are not infinite."""
        return [end for domain in self.variables.values() for end in domain.ends]


def claim(conclusion: str, given: tuple[str, ...] = (), /, **domains: str) -> Claim:
    """The claim that texts denote.

    *Raises* `TermError` for a text that cannot be read and for a variable without a domain.

    >>> claim("2^g / (2^g - 1) <= 2/g", g="(0, 1]").variables["g"].lower_open
    True
    >>> claim("x >= 0", x="integer [0, inf)").variables["x"].integer
    True
    >>> claim("x >= y", x="[0, 1]")
    Traceback (most recent call last):
    panshuffle.symbolic.term.TermError: the variable y has no domain
    """
    variables = {named(name): parse_domain(text) for name, text in domains.items()}
    relations = parse_relations(conclusion)
    hypotheses = tuple(relation for text in given for relation in parse_relations(text))
    for relation in (*relations, *hypotheses):
        check_declared(relation.symbols, variables)
    return Claim(variables, hypotheses, relations)


def check_declared(names: Iterable[str], variables: Iterable[str]) -> None:
    """*Raises* `TermError` for the first name that is no variable with a domain."""
    for name in sorted(set(names) - set(variables)):
        raise TermError(f"the variable {name} has no domain")


def operations(claim: Claim) -> int:
    """How many terms there are in a claim, one inside the other."""
    return sum(1 for side in sides(claim.relations) for _ in parts(side))


def sides(relations: Iterable[Relation]) -> list[Term]:
    """The terms that relations relate."""
    return [side for relation in relations for side in (relation.left, relation.right)]


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


def named(name: str) -> str:
    """The name of a variable, as it is written in a term.  *Raises* `TermError` for what no term can contain."""
    node = syntax(name)
    if not isinstance(node, ast.Name) or node.id != name:
        raise TermError(f"{name!r} is not the name of a variable")
    return name


def parse_relations(text: str, functions: Functions | None = None) -> tuple[Relation, ...]:
    """The relations of a chain: a <= b < c is two of them; `functions` as for `from_syntax`."""
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", text)
    node = syntax(plain)
    if not isinstance(node, ast.Compare) or any(type(operator) not in RELATIONS for operator in node.ops):
        raise TermError(f"{shortened(text)!r} is not a claim: it must relate terms by <=, <, >=, >, = or !=")
    terms = [from_syntax(part, plain, functions) for part in (node.left, *node.comparators)]
    names = [RELATIONS[type(operator)] for operator in node.ops]
    return tuple(Relation(a, name, b) for a, name, b in zip(terms, names, terms[1:], strict=False))


def parse_domain(text: str) -> Domain:
    """The domain that a text such as "(0, 1]", "[1, inf)" or "integer [1, inf)" denotes.

    >>> parse_domain("(0, log(2)]").upper_open
    False
    """
    match = INTERVAL.fullmatch(text)
    if match is None:
        raise TermError(f"{text!r} is not a domain: write an interval such as (0, 1] or integer [1, inf)")
    integer, opening, low, high, closing = match.groups()
    lower, upper = (None if end.strip() in ("inf", "-inf") else parse_term(end.strip()) for end in (low, high))
    if (lower is None and low.strip() != "-inf") or (upper is None and high.strip() != "inf"):
        raise TermError(f"{text!r} is not a domain: it begins with inf or ends with -inf")
    if (lower is None and opening == "[") or (upper is None and closing == "]"):
        raise TermError(f"{text!r} is not a domain: an infinite end is open")
    found = Domain(lower, upper, opening == "(", closing == ")", integer is not None)
    if any(symbols(end) for end in found.ends):
        raise TermError(f"{text!r} is not a domain: its ends must be constants")
    return found


def definedness(term: Term) -> list[Relation]:
    """What must hold for the term to be defined as a real number.

    Divisors are not 0; logarithms are of positive numbers; roots of numbers that are not negative; a power has a
    positive base, or a base that is not negative and a positive constant exponent, or a constant whole exponent (with a
    base that is not 0 if it is negative).  0^0 with the constant exponent 0 is 1.  An exponent is constant if it is
    written without variables and functions: (-1)^n is not defined, whatever n is.  Every prover follows this rule.

    >>> [str(condition) for condition in definedness(parse_term("log(x) / (x^2 - 1)"))]
    ['((x ^ 2) - 1) != 0', 'x > 0']
    """
    found = [condition for part in parts(term) for condition in operation_conditions(part)]
    return [condition for condition in found if not evident(condition)]


def operation_conditions(term: Term) -> list[Relation]:
    """What must hold for one operation on defined terms to be defined, evident conditions included."""
    if not isinstance(term, Apply):
        return []
    last = term.arguments[-1]
    if term.operator == "^":
        return power_conditions(*term.arguments)
    needed = {"/": "!=", "log": ">", "sqrt": ">="}.get(term.operator)
    return [] if needed is None else [Relation(last, needed, ZERO)]


def power_conditions(base: Term, exponent: Term) -> list[Relation]:
    """What must hold for base^exponent to be defined."""
    value = constant(exponent)
    if value is not None and value.denominator == 1:
        return [Relation(base, "!=", ZERO)] if value < 0 else []
    if value is not None and value > 0:
        return [Relation(base, ">=", ZERO)]
    return [Relation(base, ">", ZERO)]


def evident(condition: Relation) -> bool:
    """Whether a condition on a constant plainly holds."""
    value = constant(condition.left)
    if value is None:
        return False
    return value > 0 or (value < 0 and condition.relation == "!=") or (value == 0 and condition.relation == ">=")
