"""Sentences and claims of the ledger as markup and as LaTeX; `proofs.sentences` has them as plain text."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from html import escape

from markupsafe import Markup

from panshuffle.exact.errors import InputError
from panshuffle.latex import KNOWN
from panshuffle.latex.formulas import formula
from panshuffle.proofs.paper import items
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, parse_term

KINDS = "Theorem|Lemma|Claim|Fact|Corollary|Definition|Algorithm|Equation|Figure"
GREEK: dict[str, str] = KNOWN["signs"]
RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}
TYPED = re.compile(
    r"\b(?P<base>[A-Za-z]|10)(?P<sign>\^|_(?=\w\b))(?P<script>-?\w+)\b|\b(?P<digits>\d+(?:\.\d+)?)e(?P<ten>-?)0*(?P<power>\d+)\b"
    r"|[A-Za-z]+|<=|>=|!=|->"
)
"""What of a formula that was typed, such as that of a computed witness, is set as one."""
COMMANDS = {sign: rf"\{name}" for name, sign in GREEK.items() if name != "lam"} | {"ε": r"\varepsilon"}
SPECIAL = KNOWN["special"] | {sign: f"${command}$" for sign, command in COMMANDS.items()}


@cache
def numbers() -> dict[str, str]:
    """The printed numbers by label, without the label's prefix."""
    found = [(item.key.partition(":")[2], item.number) for item in items() if ":" in item.key]
    return {name: number for name, number in found if name and number and not number.startswith("Section")}


@cache
def labels() -> re.Pattern[str]:
    """A kind and a label; the longer labels first."""
    names = "|".join(re.escape(name) for name in sorted(numbers(), key=len, reverse=True))
    return re.compile(rf"\b(?:{KINDS}) ({names})(?![\w-])")


def in_print(text: str) -> str:
    """A sentence with the paper's numbers in place of its labels.

    >>> in_print("proof of Theorem ikos, first line")
    'proof of Theorem 3.2, first line'
    """
    return labels().sub(lambda match: numbers()[match[1]], text)


@cache
def prose(sentence: str) -> Markup:
    r"""A sentence with its formulas typeset.

    >>> print(prose(r"at most $e^{\varepsilon}$"))
    at most <math><mrow><msup><mi>e</mi><mrow><mi>ε</mi></mrow></msup></mrow></math>
    """
    pieces = in_print(sentence).split("$")
    shown = [formula(piece, large=True) if place % 2 else words(piece) for place, piece in enumerate(pieces)]
    return Markup("").join(shown)


def words(text: str) -> Markup:
    """Words outside of formulas; the letters and powers of a formula that was typed are set."""
    found, written = Markup(""), 0
    for match in TYPED.finditer(text):
        shown = typed(match)
        if shown is not None:
            found += Markup(escape(text[written : match.start()], quote=False)) + shown
            written = match.end()
    return found + Markup(escape(text[written:], quote=False))


def typed(match: re.Match[str]) -> Markup | str | None:
    """A typed letter, relation, power or index; None for a word."""
    if match["base"]:
        script = COMMANDS.get(GREEK.get(match["script"], ""), match["script"])
        return formula(f"{match['base']}{match['sign']}{{{script}}}")
    if match["digits"]:
        return formula(rf"{match['digits']}\times 10^{{{match['ten']}{match['power']}}}")
    return GREEK.get(match[0]) or RELATIONS.get(match[0])


def latex(sentence: str) -> str:
    r"""A sentence as LaTeX.

    >>> print(latex(r"5 % of $e^{\varepsilon}$"))
    5 \% of $e^{\varepsilon}$
    """
    pieces = in_print(sentence).split("$")
    return "".join(f"${piece}$" if place % 2 else escaped(piece) for place, piece in enumerate(pieces))


def escaped(text: str) -> str:
    """Words outside of formulas; what ASCII does not have is written by a command."""
    found = re.sub(r"[A-Za-z]+|<=|>=|!=|->", lambda match: {**GREEK, **RELATIONS}.get(match[0], match[0]), text)
    return "".join(SPECIAL.get(letter, letter if letter.isascii() or letter.isalpha() else "?") for letter in found)


RELATION = re.compile(r"\s*(<=|>=|!=|<|>|=)\s*")
SHOWN = {"<=": r"\le ", ">=": r"\ge ", "!=": r"\ne "}
PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
EVERY = "for every constant:"
JOINED = re.compile(r"((?:^|\b)(?:at|with|and|for|if|in|is|the|to|or) |, (?:and )?|: |; | is \w+| and | with |\.$)")
"""What stands between the relations of a witness."""
LONG = re.compile(r"\d{25}")
DOMAIN = re.compile(r"(\w+) in (integer )?([\[(])(.+), (.+)([\])])")
ENDS = {"inf": r"\infty", "-inf": r"-\infty"}


def claim(text: str) -> Markup:
    """A claim as it stands in the ledger, its domains included; plain code where it is no formula.

    >>> print(claim("x <= 2"))
    <math><mrow><mi>x</mi><mo>≤</mo><mn>2</mn></mrow></math>
    """
    try:
        conclusion, _, domains = text.partition("  for  ")
        words, shown = opening(conclusion)
        given = ", ".join(formula(domain(part)) for part in split(domains)) if domains else ""
        return Markup(f"{words}{formula(shown, large=True)}" + (f" for {given}" if given else ""))
    except (InputError, RecursionError):
        return Markup(f"<code>{escape(text)}</code>")


def witness(text: str) -> Markup:
    """A witness: a sentence of the ledger, or what a prover found, whose relations are set where they are claims.

    >>> print(witness("at x = 2: it fails"))
    at <math><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow></math>: it fails
    """
    if "$" in text:
        return prose(text)
    pieces = JOINED.split(text)
    return Markup("").join(prose(piece) if place % 2 else related(piece) for place, piece in enumerate(pieces))


def related(piece: str) -> Markup:
    """A relation, or words; one with a long number stays text, which a line may break."""
    try:
        return formula(relation(piece)) if RELATION.search(piece) and not LONG.search(piece) else prose(piece)
    except InputError:
        return prose(piece)


def opening(text: str) -> tuple[str, str]:
    """The words before a claim, and the claim: a relation, a derivative or a moment."""
    if text.startswith(EVERY):
        return f"{EVERY} ", relation(text.removeprefix(EVERY).strip())
    slope = re.fullmatch(r"d/d(\w+) (.+)", text)
    if slope:
        left, _, right = slope[2].partition(" = ")
        return "", rf"\frac{{d}}{{d{symbol(slope[1])}}}{read(left, 3)}={read(right)}"
    moment = re.fullmatch(r"value = (E|Var)\[(.+)\]: value = (.+)", text)
    if moment:
        return "", rf"\mathrm{{{moment[1]}}}\left[{read(moment[2])}\right]={read(moment[3])}"
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
    """The domain of a variable, its law, or a hypothesis."""
    drawn, match = re.fullmatch(r"(\w+) ~ (\w+)\((.+)\)", text), DOMAIN.fullmatch(text)
    if drawn is not None:
        return rf"{symbol(drawn[1])}\sim \mathrm{{{drawn[2]}}}({','.join(map(read, split(drawn[3])))})"
    if match is None:
        return relation(text)
    name, whole, left, lower, upper, right = match.groups()
    ends = ",".join(ENDS.get(end.strip()) or read(end.strip()) for end in (lower, upper))
    return rf"{symbol(name)}\in {left}{ends}{right}" + (r"\cap \mathbb{Z}" if whole else "")


def relation(text: str) -> str:
    """A chain of relations.  *Raises* `InputError` for a text that is none."""
    parts = RELATION.split(text)
    return "".join(SHOWN.get(part, part) if place % 2 else read(part) for place, part in enumerate(parts))


def read(text: str, outer: int = 0) -> str:
    """A term as LaTeX."""
    return term(parse_term(text), outer)


def term(value: Term, outer: int) -> str:
    """A term; in brackets where the operator around it binds more tightly."""
    if isinstance(value, Number):
        return number(value.value, outer)
    if isinstance(value, Symbol):
        return symbol(value.name)
    name, arguments = value.operator, value.arguments
    if name in ("exp", "log", "sqrt"):
        inner = term(arguments[0], 0)
        return {"exp": f"e^{{{inner}}}", "sqrt": rf"\sqrt{{{inner}}}"}.get(name, rf"\ln {bracketed(inner)}")
    if name == "*" and arguments[0] == Number(Fraction(-1)):
        name, arguments = "-", arguments[1:]
    shown = f"{name}{term(arguments[0], 3)}" if len(arguments) == 1 else binary(name, *arguments)
    is_fraction = name == "/" and len(arguments) == 2
    return bracketed(shown) if PRECEDENCE[name] < outer and not (is_fraction and outer <= 2) else shown


def bracketed(latex: str) -> str:
    """LaTeX in brackets, which grow with what is tall."""
    return rf"\left({latex}\right)" if r"\frac" in latex or r"\sqrt" in latex else f"({latex})"


def binary(name: str, left: Term, right: Term) -> str:
    """Two terms and the operator between them."""
    if name == "/":
        return rf"\frac{{{term(left, 0)}}}{{{term(right, 0)}}}"
    if name == "^":
        return f"{term(left, 5)}^{{{term(right, 0)}}}"
    quiet = not isinstance(right, Number) and not (isinstance(right, Apply) and isinstance(right.arguments[0], Number))
    sign = {"*": "" if quiet else r"\cdot "}.get(name, name)
    return f"{term(left, PRECEDENCE[name])}{sign} {term(right, PRECEDENCE[name] + 1)}"


def number(value: Fraction, outer: int) -> str:
    """A rational number."""
    sign, over = "-" * (value < 0), value.denominator
    shown = sign + (str(abs(value.numerator)) if over == 1 else rf"\frac{{{abs(value.numerator)}}}{{{over}}}")
    return bracketed(shown) if (value < 0 and outer > 1) or (over > 1 and outer > 2) else shown


def symbol(name: str) -> str:
    """A variable; a number at its end is an index."""
    match = re.fullmatch(r"([A-Za-z_]+?)_?([0-9]+)", name)
    if match:
        return f"{symbol(match[1])}_{{{match[2]}}}"
    shown = COMMANDS.get(GREEK.get(name, ""), name)
    return f"{shown} " if shown.startswith("\\") else shown if len(shown) == 1 else rf"\mathrm{{{shown}}}"
