"""The macros that a source defines for itself, and TeX's conditionals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from panshuffle.latex.tokens import Token

DEFINING = ("newcommand", "renewcommand", "providecommand", "DeclareMathOperator")
CONDITIONS = ("ifnum", "ifx", "iftrue", "iffalse", "ifmmode", "ifdefined", "if", "ifdim", "ifcase", "ifodd")


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
