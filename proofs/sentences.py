r"""Sentences of the ledger: their formulas are LaTeX between dollar signs, and this is the plain text of it.

A formula is shown as one types it.  Spaces are those of the LaTeX; an index of one digit without braces is glued to its
letter, `p_0` is p0 and `p_{0}` is p_0; braces that do nothing in LaTeX stand for parentheses, `2^{{-t}}` is 2^(-t).
"""

from __future__ import annotations

import re
from functools import cache

NAMES = {
    "varepsilon": "eps", "le": "<=", "ge": ">=", "ne": "!=", "sim": "~", "to": "->", "gets": "<-", "circ": "o",
    "bmod": "mod", "cdot": "*", "dots": "...", "times": "x", "left": "", "right": "", ",": "", "{": "{", "}": "}",
    "lfloor": "floor(", "rfloor": ")", "lceil": "ceil(", "rceil": ")", "|": "||", "mid": "|", "pm": "+-",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
"""What commands are typed as; others by their own names."""
TOKEN = re.compile(r"\\(?P<command>[A-Za-z]+|.)|(?P<letter>.)", re.DOTALL)
SINGLE = re.compile(r"-?[A-Za-z]+\d*'*|-?\d+(?:\.\d+)?|-?[A-Za-z]+\d*_\w+|\|\w+\|")
"""What needs no parentheses as a power."""
FACTOR = re.compile(r"[A-Za-z]+\^(?:\^\w+)?|[A-Za-z]*\d*'*(?:_\w+)?(?:\^-?\w+'*)?|\d+(?:\.\d+)?(?:\^-?\w+'*)?")
"""What needs no parentheses under a bar, beside what has its own."""
JOINING = ("+", "-", "<", ">", "=", ",", "~")


@cache
def plain(sentence: str) -> str:
    r"""A sentence with its formulas as one types them.

    >>> plain(r"at most $\frac{2^{\gamma}}{2^{\gamma} - 1} \le \sqrt{2/\gamma}$, it says")
    'at most 2^gamma/(2^gamma - 1) <= sqrt(2/gamma), it says'
    """
    pieces = sentence.split("$")
    return "".join(Plain(piece).rest() if place % 2 else piece for place, piece in enumerate(pieces))


class Plain:
    """One pass over a formula."""

    def __init__(self, latex: str) -> None:
        self.tokens = [(match.lastgroup or "", match[match.lastgroup or 0]) for match in TOKEN.finditer(latex)]
        self.place = 0

    def rest(self) -> str:
        """The plain text up to the end, or to the brace that closes the group."""
        found = ""
        while self.place < len(self.tokens):
            kind, text = self.tokens[self.place]
            self.place += 1
            if kind == "command":
                found += self.command(text)
            elif text == "}":
                break
            elif text == "{":
                inner = self.rest()
                found += inner if inner == "," else f"({inner})"
            elif text in "^_":
                found += self.script(text)
            else:
                found += text
        return found

    def argument(self) -> str:
        """The plain text of the next group, or letter."""
        kind, text = self.tokens[self.place]
        self.place += 1
        if kind == "command":
            return self.command(text)
        return self.rest() if text == "{" else text

    def command(self, name: str) -> str:
        """A command with what it takes."""
        if name == "frac":
            above, below = self.argument(), self.argument()
            return f"{above if is_product(above) else f'({above})'}/{below if is_factor(below) else f'({below})'}"
        if name == "sqrt":
            return f"sqrt({self.argument()})"
        if name == "hat":
            return f"{self.argument()}^"
        if name in ("mathrm", "text"):
            return self.argument()
        if name == "log" and self.tokens[self.place : self.place + 2] == [("letter", "_"), ("letter", "2")]:
            self.place += 2
            return "log2"
        return NAMES.get(name, name)

    def script(self, sign: str) -> str:
        """An index or a power."""
        glued = self.tokens[self.place][1]
        inner = self.argument()
        if sign == "_" and glued.isdigit():
            return inner
        bare = SINGLE.fullmatch(inner) or is_fenced(inner) or is_called(inner.removeprefix("-"))
        return f"{sign}{inner if bare else f'({inner})'}"


def is_fenced(text: str) -> bool:
    """Whether a text has parentheses around all of it."""
    return text.startswith("(") and text.endswith(")") and -1 not in depths(text[1:-1])


def depths(text: str) -> list[int]:
    """How deep in brackets each letter is."""
    found, depth = [], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        found.append(depth)
    return found


def is_product(text: str) -> bool:
    """Whether a text needs no parentheses over a bar."""
    return not any(letter in JOINING and not depth for letter, depth in zip(text[1:], depths(text)[1:], strict=True))


def is_factor(text: str) -> bool:
    """Whether a text needs no parentheses under a bar."""
    return bool(FACTOR.fullmatch(text)) or is_called(re.sub(r"\^-?\w+$", "", text))


def is_called(text: str) -> bool:
    """Whether a text is what stands in parentheses, with or without a name before it."""
    return is_fenced(re.sub(r"^[A-Za-z]+\d*", "", text))
