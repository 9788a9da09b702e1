"""Claims of the ledger as native MathML."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape

from markupsafe import Markup

from panshuffle.exact.errors import InputError
from panshuffle.prose.tokens import GREEK
from panshuffle.report.markup import tag
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, parse_term

RELATION = re.compile(r"\s*(<=|>=|!=|<|>|=)\s*")
SHOWN = {"<=": "≤", ">=": "≥", "!=": "≠"}
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
EVERY = "for every constant:"
DOMAIN = re.compile(r"(\w+) in (integer )?([\[(])(.+), (.+)([\])])")


def formula(text: str) -> Markup:
    """A claim as it stands in the ledger, its domains included; plain code where it is no formula.

    >>> print(formula("x <= 2"))
    <math><mrow><mi>x</mi><mo>≤</mo><mn>2</mn></mrow></math>
    """
    try:
        conclusion, _, domains = text.partition("  for  ")
        words, shown = opening(conclusion)
        if not domains:
            return Markup(f"{words}<math>{shown}</math>")
        return Markup(f"{words}<math>{shown}</math> for {', '.join(domain(part) for part in split(domains))}")
    except (InputError, RecursionError):
        return tag("code", text)


def opening(text: str) -> tuple[str, str]:
    """The words before a claim, and the claim: a relation, a derivative or a moment."""
    if text.startswith(EVERY):
        return f"{EVERY} ", relation(text.removeprefix(EVERY).strip())
    slope = re.fullmatch(r"d/d(\w+) (.+)", text)
    if slope:
        left, _, right = slope.group(2).partition(" = ")
        sign = f"<mfrac><mi>d</mi><mrow><mi>d</mi>{symbol(slope.group(1))}</mrow></mfrac>"
        return "", f"<mrow>{sign}{term(parse_term(left), 3)}<mo>=</mo>{term(parse_term(right), 0)}</mrow>"
    moment = re.fullmatch(r"value = (E|Var)\[(.+)\]: value = (.+)", text)
    if moment:
        kind, inside, value = moment.groups()
        mean = f"<mi>{kind}</mi><mo>[</mo>{term(parse_term(inside), 0)}<mo>]</mo>"
        return "", f"<mrow>{mean}<mo>=</mo>{term(parse_term(value), 0)}</mrow>"
    return "", relation(text)


def split(domains: str) -> list[str]:
    """The parts of a list of domains and hypotheses, cut at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(domains):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(domains[start:position].strip())
            start = position + 1
    return [*parts, domains[start:].strip()]


def domain(text: str) -> str:
    """The domain of a variable, or a hypothesis."""
    match, drawn = DOMAIN.fullmatch(text), re.fullmatch(r"(\w+) ~ (\w+)\((.+)\)", text)
    if drawn is not None:
        inside = "<mo>,</mo>".join(term(parse_term(part), 0) for part in split(drawn.group(3)))
        law = f"<mi>{drawn.group(2)}</mi><mo>(</mo>{inside}<mo>)</mo>"
        return f"<math><mrow>{symbol(drawn.group(1))}<mo>∼</mo>{law}</mrow></math>"
    if match is None:
        return f"<math>{relation(text)}</math>"
    name, whole, left, lower, upper, right = match.groups()
    ends = f"{end(lower)}<mo>,</mo>{end(upper)}"
    inside = f"<mo>{left}</mo>{ends}<mo>{right}</mo>"
    kind = "<mo>∩</mo><mi>ℤ</mi>" if whole else ""
    return f"<math><mrow>{symbol(name)}<mo>∈</mo>{inside}{kind}</mrow></math>"


def end(text: str) -> str:
    """An end of an interval."""
    infinite = {"inf": "<mi>∞</mi>", "-inf": "<mrow><mo>−</mo><mi>∞</mi></mrow>"}
    return infinite.get(text.strip()) or term(parse_term(text.strip()), 0)


def relation(text: str) -> str:
    """A chain of relations.  *Raises* `InputError` for a text that is none."""
    parts = RELATION.split(text)
    signs = [f"<mo>{escape(SHOWN.get(sign, sign))}</mo>" for sign in parts[1::2]] + [""]
    shown = [term(parse_term(part), 0) + sign for part, sign in zip(parts[::2], signs, strict=True)]
    return f"<mrow>{''.join(shown)}</mrow>"


def term(value: Term, outer: int) -> str:
    """A term; in brackets where the operator around it binds more tightly."""
    if isinstance(value, Number):
        return number(value.value, outer)
    if isinstance(value, Symbol):
        return symbol(value.name)
    name, arguments = value.operator, value.arguments
    if name in ("exp", "log", "sqrt"):
        return function(name, arguments[0])
    if name == "*" and arguments[0] == Number(Fraction(-1)):
        name, arguments = "-", arguments[1:]
    inner = PRECEDENCE[name]
    if len(arguments) == 1:
        shown = f"<mrow><mo>{'−' if name == '-' else name}</mo>{term(arguments[0], 3)}</mrow>"
    else:
        shown = binary(name, *arguments)
    fraction = name == "/" and len(arguments) == 2
    needs = inner < outer and not (fraction and outer <= 2)
    return f"<mrow><mo>(</mo>{shown}<mo>)</mo></mrow>" if needs else shown


def binary(name: str, left: Term, right: Term) -> str:
    """Two terms and the operator between them."""
    if name == "/":
        return f"<mfrac><mrow>{term(left, 0)}</mrow><mrow>{term(right, 0)}</mrow></mfrac>"
    if name == "^":
        return f"<msup><mrow>{term(left, 5)}</mrow><mrow>{term(right, 0)}</mrow></msup>"
    sign = {"*": "<mo>⁢</mo>" if quiet(right) else "<mo>·</mo>", "-": "<mo>−</mo>", "+": "<mo>+</mo>"}[name]
    own = PRECEDENCE[name]
    return f"<mrow>{term(left, own)}{sign}{term(right, own + 1)}</mrow>"


def quiet(value: Term) -> bool:
    """Whether a product needs no dot before this factor."""
    return not isinstance(value, Number) and not (isinstance(value, Apply) and isinstance(value.arguments[0], Number))


def function(name: str, argument: Term) -> str:
    """exp as a power of e, a root, or ln."""
    inner = term(argument, 0)
    if name == "sqrt":
        return f"<msqrt>{inner}</msqrt>"
    if name == "exp":
        return f"<msup><mi>e</mi><mrow>{inner}</mrow></msup>"
    return f"<mrow><mi>ln</mi><mo>(</mo>{inner}<mo>)</mo></mrow>"


def number(value: Fraction, outer: int) -> str:
    """A rational number."""
    if value.denominator == 1:
        sign = f"<mrow><mo>−</mo><mn>{-value.numerator}</mn></mrow>" if value < 0 else f"<mn>{value.numerator}</mn>"
        return f"<mrow><mo>(</mo>{sign}<mo>)</mo></mrow>" if value < 0 and outer > 1 else sign
    shown = f"<mfrac><mn>{abs(value.numerator)}</mn><mn>{value.denominator}</mn></mfrac>"
    shown = f"<mrow><mo>−</mo>{shown}</mrow>" if value < 0 else shown
    return f"<mrow><mo>(</mo>{shown}<mo>)</mo></mrow>" if outer > 2 or (value < 0 and outer > 1) else shown


def symbol(name: str) -> str:
    """A variable; a number at its end is an index."""
    match = re.fullmatch(r"([A-Za-z_]+?)_?([0-9]+)", name)
    if match:
        return f"<msub>{symbol(match.group(1))}<mn>{match.group(2)}</mn></msub>"
    return f"<mi>{GREEK.get(name, name)}</mi>"
