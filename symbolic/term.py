"""Terms over declared variables: what a claim is made of.

Nothing is simplified when a term is read: x/x stays a quotient, so that a prover sees where it is not defined.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.exact.errors import InputError, shortened

FUNCTIONS = ("exp", "log", "sqrt")
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "^",
}
DECIMAL = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?", re.ASCII | re.IGNORECASE)
LONGEST_TEXT = 5_000
DEEPEST = 120
LARGEST_EXPONENT = 4_000
LARGEST_POWER_BITS = 100_000


class TermError(InputError):
    """A text that is not a term or a claim."""


@dataclass(frozen=True)
class Number:
    """A rational constant."""

    value: Fraction


@dataclass(frozen=True)
class Symbol:
    """A declared variable."""

    name: str


@dataclass(frozen=True)
class Apply:
    """An operator (+ - * / ^) or a function (exp, log, sqrt) with its arguments."""

    operator: str
    arguments: tuple[Term, ...]


Term = Number | Symbol | Apply
Functions = Callable[[str, list[Term]], Term]


ZERO, ONE, MINUS_ONE = (Number(Fraction(value)) for value in (0, 1, -1))


def parse_term(text: str) -> Term:
    """The term that a text denotes: decimals and fractions exactly, + - * / ^, exp, log (natural), sqrt.

    >>> parse_term("2^g") == Apply("^", (Number(Fraction(2)), Symbol("g")))
    True
    >>> parse_term("0.1")
    Number(value=Fraction(1, 10))
    """
    return from_syntax(syntax(text), text)


def syntax(text: str) -> ast.expr:
    """The syntax tree of a text.  *Raises* `TermError`."""
    if len(text) > LONGEST_TEXT:
        raise TermError(f"a claim of {len(text)} characters is too long: at most {LONGEST_TEXT} are read")
    source = " ".join(text.replace("^", "**").split())
    if "#" in source:
        raise TermError(f"{shortened(text)!r} is not a term: '#' has no meaning here")
    try:
        body = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise TermError(f"{shortened(text)!r} is not a term: write + - * / ^, exp, log, sqrt") from None
    if depth(body) > DEEPEST:
        raise TermError(f"{shortened(text)!r} is not read: its operations are nested more than {DEEPEST} deep")
    return body


def depth(node: ast.AST) -> int:
    """How deep a syntax tree is."""
    found, level = 0, [node]
    while level:
        found += 1
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
    return found


def from_syntax(node: ast.expr, text: str, functions: Functions | None = None) -> Term:
    """The term of a syntax tree; `functions` makes a term of a function's name and its arguments."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        source = ast.get_source_segment(" ".join(text.replace("^", "**").split()), node)
        return Number(literal(source or str(node.value)))
    if isinstance(node, ast.Name):
        return Symbol(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = from_syntax(node.operand, text, functions)
        return inner if isinstance(node.op, ast.UAdd) else minus(inner)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        sides = (from_syntax(side, text, functions) for side in (node.left, node.right))
        return Apply(OPERATORS[type(node.op)], tuple(sides))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        arguments = [from_syntax(argument, text, functions) for argument in node.args]
        if functions is not None:
            return functions(node.func.id, arguments)
        if len(arguments) == 1:
            return applied(node.func.id, arguments[0], text)
    raise TermError(f"{shortened(text)!r} is not a term: write + - * / ^, exp, log, sqrt")


def literal(source: str) -> Fraction:
    """The rational that a number's text denotes.  *Raises* `TermError` for an exponent that is absurd.

    >>> literal("1.5e-3")
    Fraction(3, 2000)
    """
    _, _, exponent = source.lower().partition("e")
    if not DECIMAL.fullmatch(source):
        raise TermError(f"{shortened(source)!r} is not a number: write decimal digits, as in 12, 0.5 or 1e-9")
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise TermError(f"{shortened(source)} is not read: the exponent of a number is at most {LARGEST_EXPONENT}")
    return Fraction(source)


def applied(function: str, argument: Term, text: str) -> Term:
    """A function of a term.  *Raises* `TermError` for a function that is not known."""
    if function not in FUNCTIONS:
        raise TermError(f"{shortened(text)!r} is not a term: {function} is not one of {', '.join(FUNCTIONS)}")
    return Apply(function, (argument,))


def minus(term: Term) -> Term:
    """-term; a constant stays a constant."""
    return Number(-term.value) if isinstance(term, Number) else Apply("*", (MINUS_ONE, term))


def plus(left: Term, right: Term) -> Term:
    """left + right, without a summand 0."""
    return right if left == ZERO else left if right == ZERO else Apply("+", (left, right))


def times(left: Term, right: Term) -> Term:
    """left * right, without a factor 1, and 0 if one of them is 0."""
    if ZERO in (left, right):
        return ZERO
    return right if left == ONE else left if right == ONE else Apply("*", (left, right))


def symbols(term: Term) -> frozenset[str]:
    """The variables that occur."""
    return frozenset(part.name for part in parts(term) if isinstance(part, Symbol))


def parts(term: Term) -> Iterator[Term]:
    """The term and everything inside it."""
    yield term
    if isinstance(term, Apply):
        for argument in term.arguments:
            yield from parts(argument)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with terms in place of variables."""
    if isinstance(term, Symbol):
        return values.get(term.name, term)
    if isinstance(term, Apply):
        return Apply(term.operator, tuple(substitute(argument, values) for argument in term.arguments))
    return term


def constant(term: Term) -> Fraction | None:
    """The rational that a term without variables and functions is, if it is one and defined.

    >>> constant(parse_term("(1 - 1/3)^2"))
    Fraction(4, 9)
    """
    if isinstance(term, Number):
        return term.value
    if not isinstance(term, Apply) or term.operator in FUNCTIONS:
        return None
    values = [constant(argument) for argument in term.arguments]
    if any(value is None for value in values):
        return None
    left, right = (value for value in values if value is not None)
    return combine(term.operator, left, right)


def combine(operator: str, left: Fraction, right: Fraction) -> Fraction | None:
    """A rational operation, None where it is undefined or not rational."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right if right else None
    if right.denominator != 1 or (left == 0 and right < 0):
        return None
    if left in (0, 1, -1):
        return Fraction(1) if right == 0 else left ** (2 - int(right) % 2)
    bits = max(left.numerator.bit_length(), left.denominator.bit_length())
    return left ** int(right) if bits * abs(right) <= LARGEST_POWER_BITS else None


def text_of(term: Term) -> str:
    """The term as text, with every operation in parentheses.

    >>> text_of(parse_term("2*x + 1"))
    '((2 * x) + 1)'
    """
    if isinstance(term, Number):
        return str(term.value) if term.value.denominator == 1 and term.value >= 0 else f"({term.value})"
    if isinstance(term, Symbol):
        return term.name
    texts = [text_of(argument) for argument in term.arguments]
    return f"{term.operator}({texts[0]})" if term.operator in FUNCTIONS else f"({texts[0]} {term.operator} {texts[1]})"
