"""Formulas of sentences as LaTeX."""

from __future__ import annotations

import re

from panshuffle.prose import expression as tree
from panshuffle.prose.references import in_print
from panshuffle.prose.sentence import parts
from panshuffle.prose.tokens import GREEK

COMMANDS = {shown: rf"\{name} " for name, shown in GREEK.items() if name not in ("eps", "lam", "epsilon")} | {
    "ε": r"\varepsilon "
}
SIGNS = {
    "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "∼": r"\sim ", "→": r"\to ", "←": r"\gets ",
    "∈": r"\in ", "∘": r"\circ ", "−": "-", "·": r"\cdot ", "×": r"\times ", "∑": r"\sum ",
    "∏": r"\prod ", "…": r"\dots ", "mod": r"\bmod ", "": " ",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {letter: f"\\{letter}" for letter in "#$%&_{}"}
KNOWN = ("ln", "log", "exp", "min", "max")
UNICODE = {"“": "``", "”": "''", "’": "'", "–": "--", "—": "---", "\u00a0": "~"}
UNICODE |= {"²": "$^2$", "³": "$^3$", "×": r"$\times$", "√": r"$\surd$"}
OTHER = re.compile(r"[^\x00-\x7f]")
GREEK_WORD = re.compile(r"[A-Za-z]+|<=|>=|!=|->")


def sentence(text: str) -> str:
    r"""A sentence of the ledger as LaTeX.

    >>> print(sentence("5 % of e^eps"))
    5 \% of $e^{\varepsilon }$
    """
    return "".join(words(part) if isinstance(part, str) else f"${formula(part)}$" for part in parts(in_print(text)))


def words(text: str) -> str:
    """Words outside of formulas; what ASCII does not have is written by a command."""
    found = "".join(SPECIAL.get(letter, letter) for letter in text)
    found = GREEK_WORD.sub(lambda match: greek(match.group()), found)
    return OTHER.sub(lambda match: other(match.group()), found).replace("<", "$<$").replace(">", "$>$")


def greek(word: str) -> str:
    """A Greek letter by its command; another word as it is."""
    signs = {"<=": r"$\le$", ">=": r"$\ge$", "!=": r"$\ne$", "->": r"$\to$"}
    return f"${COMMANDS[GREEK[word]].strip()}$" if word in GREEK else signs.get(word, word)


def other(letter: str) -> str:
    """A letter that is not in ASCII."""
    if letter in COMMANDS:
        return f"${COMMANDS[letter].strip()}$"
    if letter in SIGNS:
        return f"${SIGNS[letter].strip()}$"
    return UNICODE.get(letter, letter if letter.isalpha() else "?")


def formula(found: tree.Expression) -> str:
    """A formula as LaTeX."""
    if isinstance(found, tree.Number):
        return found.text.replace(",", "{,}")
    if isinstance(found, tree.Name):
        return COMMANDS.get(found.text, found.text)
    if isinstance(found, tree.Word):
        return f"\\{found.text} " if found.text in KNOWN else rf"\mathrm{{{found.text}}}"
    if isinstance(found, tree.Sign):
        return SIGNS.get(found.text, found.text)
    if isinstance(found, tree.Row):
        return "".join(map(formula, found.parts))
    if isinstance(found, tree.Fraction):
        return rf"\frac{{{formula(found.above)}}}{{{formula(found.below)}}}"
    if isinstance(found, tree.Root):
        return rf"\sqrt{{{formula(found.inner)}}}"
    if isinstance(found, tree.Hatted):
        return rf"\hat{{{formula(found.inner)}}}"
    if isinstance(found, tree.Fenced):
        left, right = (rf"\{sign}" if sign in "{}" else sign for sign in (found.left, found.right))
        grown = any(isinstance(part, tree.Fraction | tree.Root) for part in tree.inside(found.inner))
        return rf"\left{left}{formula(found.inner)}\right{right}" if grown else f"{left}{formula(found.inner)}{right}"
    return scripted(found)


def scripted(found: tree.Scripted) -> str:
    """A base with its index, power and primes."""
    base = formula(found.base) if isinstance(found.base, tree.Leaf) else f"{{{formula(found.base)}}}"
    power = (r"\prime" * found.primes) + (formula(found.above) if found.above is not None else "")
    return (
        base + (f"_{{{formula(found.below)}}}" if found.below is not None else "") + (f"^{{{power}}}" if power else "")
    )
