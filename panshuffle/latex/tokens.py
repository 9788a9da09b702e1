"""LaTeX source as tokens, each with its place in the file; comments are left out; and macros, which stand for some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*)?)|\\(?P<command>[A-Za-z]+|.|\n)"
    r"|(?P<par>[ \t]*\n[ \t]*(?:\n[ \t]*)+)|(?P<space>[ \t\n]+)"
    r"|(?P<dollars>\$\$?)|(?P<open>\{)|(?P<close>\})|(?P<char>.)",
    re.DOTALL,
)

DEFINING = ("newcommand", "renewcommand", "providecommand", "DeclareMathOperator")
CONDITIONS = ("ifnum", "ifx", "iftrue", "iffalse", "ifmmode", "ifdefined", "if", "ifdim", "ifcase", "ifodd")


class Token(NamedTuple):
    """One token: its kind, its text, and where it starts and ends in the file; -1 for one that a macro made."""

    kind: str
    text: str
    start: int = -1
    end: int = -1


def tokens(source: str) -> Iterator[Token]:
    r"""The tokens of a source; the spaces after a command in letters belong to it.

    >>> [token.text for token in tokens(r"\eps  x % no")]
    ['eps', 'x', ' ']
    """
    after_word = False
    for match in TOKEN.finditer(source.replace("\r\n", "\n")):
        kind = match.lastgroup or "char"
        if kind == "comment" or (kind == "space" and after_word):
            continue
        text = " " if kind == "space" else match[kind]
        after_word = kind == "command" and text.isalpha()
        yield Token(kind, text, match.start(), match.end())


@dataclass(frozen=True)
class Macro:
    """A macro: how many arguments it takes, what the first is where it is left out, and what it stands for."""

    arity: int
    default: tuple[Token, ...] | None
    body: tuple[Token, ...]

    def filled(self, arguments: Sequence[Sequence[Token]]) -> list[Token]:
        """The body with the arguments in their places; its tokens have no place in the file."""
        found: list[Token] = []
        waiting = iter(self.body)
        for token in waiting:
            if token.text == "#" and token.kind == "char":
                digit = next(waiting, None)
                if digit is not None and digit.text.isdigit() and 0 < int(digit.text) <= len(arguments):
                    found += arguments[int(digit.text) - 1]
            else:
                found.append(Token(token.kind, token.text))
        return found
