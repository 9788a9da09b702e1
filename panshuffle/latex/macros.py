"""Macros and conditions of a LaTeX source, expanded: what is left is plain LaTeX, which a parser reads."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from panshuffle.exact.errors import InputError
from panshuffle.latex import KNOWN

TOKEN = re.compile(r"%[^\n]*(?:\n[ \t]*)?|\\(?:[A-Za-z]+|.)|[ \t\n]+|.", re.DOTALL)
DEFINING, CONDITIONS, SILENT, BUILT_IN = (
    [f"\\{name}" for name in KNOWN["macros"][names].split()]
    for names in ("defining", "conditions", "silent", "built_in")
)
"""What defines a macro, what is a condition, what is left out; what there is already, where a source provides it."""
MOST_EXPANSIONS = 50_000
"""More expansions than any paper needs: a macro that calls itself is stopped here."""

OPENING, CLOSING = ("{", r"\begin"), ("}", r"\end")
DEEPEST = 80
"""Environments and groups inside each other; deeper is damage, or an attack on the stack."""


class Token(NamedTuple):
    """One token as LaTeX, and where it starts in the file; -1 for one that a macro made."""

    text: str
    start: int = -1

    @property
    def is_space(self) -> bool:
        """Whether it is white space."""
        return self.text[:1] in (" ", "\t", "\n")

    @property
    def is_word(self) -> bool:
        """Whether it is a command in letters, after which spaces do not count."""
        return self.text[:1] == "\\" and self.text[-1].isalpha()


END = Token("")


class Macro(NamedTuple):
    """A macro: how many arguments it takes, what the first is where it is left out, and what it stands for."""

    arity: int
    default: Sequence[Token] | None
    body: Sequence[Token]


def at_line(source: str, place: int, words: str) -> InputError:
    """A sentence about a source, with the line that it is about."""
    return InputError(f"line {source.count(chr(10), 0, place) + 1}: {words}")


def tokens(source: str) -> list[Token]:
    r"""The tokens of a source; comments, and the spaces after a command in letters, are left out.

    >>> [token.text for token in tokens(r"\eps {x} % no")]
    ['\\eps', '{', 'x', '}', ' ']
    """
    found: list[Token] = []
    for match in TOKEN.finditer(source):
        token = Token(match[0], match.start())
        swallowed = token.is_space and bool(found) and found[-1].is_word and token.text.count("\n") < 2
        if not token.text.startswith("%") and not swallowed:
            found.append(token)
    return found


def expanded(source: str) -> tuple[str, list[int]]:
    r"""A source without its macros and comments, in the branches that TeX takes; and where each letter comes from.

    *Raises* `InputError`, with the line, where an argument has no end or groups are too deep.

    >>> expanded(r"\newcommand{\x}[1]{<#1>}\x{a} % no")[0]
    '<a> '
    """
    pieces, places, last, depth = list[str](), list[int](), 0, 0
    for here, after in pairwise([*Expander(source).rest(), END]):
        last, depth = max(last, here.start), depth + (here.text in OPENING) - (here.text in CLOSING)
        if depth > DEEPEST:
            raise at_line(source, last, "groups are nested too deeply")
        # a command at the end of a macro does not grow into the word after it
        pieces.append(here.text + " " * (here.is_word and after.text.isalpha()))
        places += [last] * len(pieces[-1])
    return "".join(pieces), places


class Expander:
    """One pass over the tokens, with the macros that are known so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.waiting = deque(tokens(source))
        self.macros: dict[str, Macro] = {}
        self.expansions = 0
        self.last = 0

    def rest(self) -> list[Token]:
        """What is left of the source, expanded."""
        found: list[Token] = []
        while (token := self.take()) != END:
            command = token.text
            if command in self.macros:
                self.expand(self.macros[command])
            elif command in DEFINING + CONDITIONS + SILENT:
                self.skip_space()
                if command in DEFINING:
                    self.define(command)
                elif command in CONDITIONS:
                    self.condition(command)
            elif command == r"\else":
                self.skip_branch(to_else=False)
            else:
                found.append(token)
        return found

    def take(self) -> Token:
        """The next token; at the end, one that says so."""
        token = self.waiting.popleft() if self.waiting else END
        self.last = max(self.last, token.start)
        return token

    def next(self) -> Token:
        """The token that would be taken."""
        return self.waiting[0] if self.waiting else END

    def skip_space(self) -> None:
        """Leaves out spaces."""
        while self.next().is_space:
            self.take()

    def expand(self, macro: Macro) -> None:
        """Puts what a macro stands for in front."""
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS:
            raise at_line(self.source, self.last, "the macros of the file never end")
        given = [self.option() or macro.default] if macro.default is not None else []
        given += [self.argument() for _ in range(macro.arity - len(given))]
        made: list[Token] = []
        body = iter(macro.body)
        for token in body:
            digit = next(body, END).text if token.text == "#" else ""
            if digit.isdigit() and 0 < int(digit) <= len(given):
                made += given[int(digit) - 1] or ()
            elif not digit:
                made.append(token._replace(start=-1))
        self.waiting.extendleft(reversed(made))

    def argument(self) -> list[Token]:
        """The tokens of the next argument, without its braces."""
        self.skip_space()
        token = self.take()
        if token == END:
            raise at_line(self.source, self.last, "the file ends where an argument is missing")
        return self.until(lambda _, depth: depth < 0, "an argument") if token.text == "{" else [token]

    def option(self) -> list[Token] | None:
        """The tokens of an option in square brackets, None where there is none."""
        place = int(self.next().is_space)
        if len(self.waiting) <= place or self.waiting[place].text != "[":
            return None
        self.skip_space()
        self.take()
        return self.until(lambda text, depth: text == "]" and not depth, "an option")

    def until(self, stops: Callable[[str, int], bool], inside: str) -> list[Token]:
        """The tokens up to one, which is taken, by its text and the depth of braces there."""
        found: list[Token] = []
        depth = 0
        while (token := self.take()) != END:
            depth += (token.text == "{") - (token.text == "}")
            if stops(token.text, depth):
                return found
            found.append(token)
        raise at_line(self.source, self.last, f"the file ends inside {inside}")

    def define(self, kind: str) -> None:
        """Learns a macro; one that is only provided does not replace another."""
        if self.next().text == "*":
            self.take()
        name, arity = "".join(token.text for token in self.argument()).strip(), 0
        if kind == r"\DeclareMathOperator":
            self.macros[name] = Macro(0, None, [*tokens(r"\operatorname{"), *self.argument(), Token("}")])
            return
        while self.next().text == "#":
            self.take()
            self.take()
            arity += 1
        count, default = (self.option(), self.option()) if kind != r"\def" else (None, None)
        arity = int(count[0].text) if count and count[0].text.isdigit() else arity
        macro = Macro(arity, default, self.argument())
        if kind != r"\providecommand" or not (name in self.macros or name in BUILT_IN):
            self.macros[name] = macro

    def condition(self, name: str) -> None:
        """Goes on in the branch that TeX takes; what can't be decided here counts as true."""
        holds = name != r"\iffalse"
        if name == r"\ifx":
            holds = self.operand() == self.operand()
        elif name == r"\ifnum":
            left, sign, right = self.number(), self.take().text, self.number()
            holds = {"<": left < right, ">": left > right}.get(sign, left == right)
        if not holds:
            self.skip_branch(to_else=True)

    def operand(self) -> str:
        """One side of a comparison of tokens; a name that nothing defines is like one that does nothing."""
        token = self.take()
        if token.text != r"\csname":
            return token.text
        name = "\\" + "".join(part.text for part in self.until(lambda text, _: text == r"\endcsname", "a name"))
        return name if name in self.macros else r"\relax"

    def number(self) -> int:
        """A number of a condition, macros expanded; 0 where none stands."""
        digits = ""
        while (token := self.next()) != END:
            if token.text in self.macros:
                self.expand(self.macros[self.take().text])
            elif token.text.isdigit() or (token.is_space and not digits):
                digits += self.take().text.strip()
            else:
                break
        if digits and self.next().is_space:
            self.take()
        return int(digits or 0)

    def skip_branch(self, to_else: bool) -> None:
        """Leaves out the tokens up to the end of a condition, or up to its other branch."""
        depth = 0
        while (token := self.take()) != END:
            depth += (token.text in CONDITIONS) - (token.text == r"\fi")
            if depth < 0 or (token.text == r"\else" and depth == 0 and to_else):
                return
