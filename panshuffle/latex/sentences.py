"""Sentences of the ledger as markup and as LaTeX; `proofs.sentences` has them as plain text."""

from __future__ import annotations

import re
from functools import cache
from html import escape

from markupsafe import Markup

from panshuffle.latex import KNOWN
from panshuffle.latex.formulas import formula
from panshuffle.proofs.paper import items

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
