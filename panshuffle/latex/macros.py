"""Macros and conditions of a LaTeX source, expanded: what is left is plain LaTeX, which a parser reads."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from panshuffle.exact.errors import InputError
from panshuffle.latex import KNOWN

TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*)?)|\\(?P<command>[A-Za-z]+|.|\n)"
    r"|(?P<space>[ \t\n]+)|(?P<dollars>\$\$?)|(?P<open>\{)|(?P<close>\})|(?P<char>.)",
    re.DOTALL,
)
DEFINING, CONDITIONS, SILENT, BUILT_IN = (
    KNOWN["macros"][name].split() for name in ("defining", "conditions", "silent", "built_in")
)
"""What defines a macro, what is a condition, what is left out; what there is already, where a source provides it."""
MOST_EXPANSIONS = 50_000
"""More expansions than any paper needs: a macro that calls itself is stopped here."""
DEEPEST = 80
"""Environments and groups inside each other; deeper is damage, or an attack on the stack."""


class Token(NamedTuple):
    """One token: its kind, its text, and where it starts in the file; -1 for one that a macro made."""

    kind: str
    text: str
    start: int = -1

    @property
    def source(self) -> str:
        """The token as LaTeX."""
        return f"\\{self.text}" if self.kind == "command" else self.text


END = Token("end", "")


class Macro(NamedTuple):
    """A macro: how many arguments it takes, what the first is where it is left out, and what it stands for."""

    arity: int
    default: Sequence[Token] | None
    body: Sequence[Token]


def tokens(source: str) -> list[Token]:
    r"""The tokens of a source; comments, and the spaces after a command in letters, are left out.

    >>> [token.source for token in tokens(r"\eps {x} % no")]
    ['\\eps', '{', 'x', '}', ' ']
    """
    found: list[Token] = []
    for match in TOKEN.finditer(source):
        kind = match.lastgroup or "char"
        after_word = bool(found) and found[-1].kind == "command" and found[-1].text.isalpha()
        if kind != "comment" and not (kind == "space" and after_word and match[kind].count("\n") < 2):
            found.append(Token(kind, match[kind], match.start()))
    return found


def expanded(source: str) -> str:
    r"""A source without its macros and comments, in the branches that TeX takes.

    *Raises* `InputError`, with the line, for one whose groups, formulas or environments are not closed.

    >>> expanded(r"\newcommand{\x}[1]{<#1>}\x{a} % no")
    '<a> '
    """
    expander = Expander(source)
    found = expander.rest()
    check_closed(expander, found)
    pieces = [token.source for token in found]
    for place, (here, after) in enumerate(pairwise(found)):
        if here.kind == "command" and here.text[-1].isalpha() and after.kind == "char" and after.text.isalpha():
            pieces[place] += " "  # a command at the end of a macro does not grow into the word after it
    return "".join(pieces)


class Expander:
    """One pass over the tokens, with the macros that are known so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.waiting = deque(tokens(source))
        self.macros: dict[str, Macro] = {}
        self.expansions = 0
        self.last = 0

    def fail(self, words: str, at: int | None = None) -> InputError:
        """A sentence about the source, with the line that it is about."""
        return InputError(f"line {self.source.count(chr(10), 0, self.last if at is None else at) + 1}: {words}")

    def rest(self) -> list[Token]:
        """What is left of the source, expanded."""
        found: list[Token] = []
        while (token := self.take()).kind != "end":
            command = token.text if token.kind == "command" else ""
            if command in self.macros:
                self.expand(self.macros[command])
            elif command in DEFINING + CONDITIONS + SILENT:
                self.skip_space()
                if command in DEFINING:
                    self.define(command)
                elif command in CONDITIONS:
                    self.condition(command)
            elif command == "else":
                self.skip_branch(to_else=False)
            else:
                found.append(token)
        return found

    def take(self) -> Token:
        """The next token; at the end, one that says so."""
        token = self.waiting.popleft() if self.waiting else END
        self.last = max(self.last, token.start)
        return token

    def skip_space(self) -> None:
        """Leaves out spaces."""
        while self.waiting and self.waiting[0].kind == "space":
            self.take()

    def follows(self, source: str) -> bool:
        """Whether this token is next; if so, it is taken."""
        return bool(self.waiting) and self.waiting[0].source == source and bool(self.take())

    def expand(self, macro: Macro) -> None:
        """Puts what a macro stands for in front."""
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS:
            raise self.fail("the macros of the file never end")
        given = [self.option() or macro.default] if macro.default is not None else []
        given += [self.argument() for _ in range(macro.arity - len(given))]
        made: list[Token] = []
        body = iter(macro.body)
        for token in body:
            digit = next(body, END).text if token.source == "#" else ""
            if digit.isdigit() and 0 < int(digit) <= len(given):
                made += given[int(digit) - 1] or ()
            elif not digit:
                made.append(token._replace(start=-1))
        self.waiting.extendleft(reversed(made))

    def argument(self) -> list[Token]:
        """The tokens of the next argument, without its braces."""
        self.skip_space()
        token = self.take()
        if token.kind == "end":
            raise self.fail("the file ends where an argument is missing")
        return self.until(lambda _, depth: depth < 0, "an argument") if token.kind == "open" else [token]

    def option(self) -> list[Token] | None:
        """The tokens of an option in square brackets, None where there is none."""
        place = int(bool(self.waiting) and self.waiting[0].kind == "space")
        if len(self.waiting) <= place or self.waiting[place].source != "[":
            return None
        self.skip_space()
        self.take()
        return self.until(lambda token, depth: token.source == "]" and not depth, "an option")

    def until(self, stops: Callable[[Token, int], bool], inside: str) -> list[Token]:
        """The tokens up to one, which is taken, by the token and the depth of braces there."""
        found: list[Token] = []
        depth = 0
        while (token := self.take()).kind != "end":
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if stops(token, depth):
                return found
            found.append(token)
        raise self.fail(f"the file ends inside {inside}")

    def word(self) -> str:
        """The letters of an argument."""
        return "".join(token.text for token in self.argument())

    def define(self, kind: str) -> None:
        """Learns a macro; one that is only provided does not replace another."""
        self.follows("*")
        name, arity = self.word(), 0
        if kind == "DeclareMathOperator":
            self.macros[name] = Macro(0, None, tokens(rf"\operatorname{{{self.word()}}}"))
            return
        while self.follows("#"):
            self.take()
            arity += 1
        count, default = (self.option(), self.option()) if kind != "def" else (None, None)
        arity = int(count[0].text) if count and count[0].text.isdigit() else arity
        macro = Macro(arity, default, self.argument())
        if kind != "providecommand" or not (name in self.macros or name in BUILT_IN):
            self.macros[name] = macro

    def condition(self, name: str) -> None:
        """Goes on in the branch that TeX takes; what can't be decided here counts as true."""
        holds = name != "iffalse"
        if name == "ifx":
            holds = self.operand() == self.operand()
        elif name == "ifnum":
            left, sign, right = self.number(), self.take().text, self.number()
            holds = {"<": left < right, ">": left > right}.get(sign, left == right)
        if not holds:
            self.skip_branch(to_else=True)

    def operand(self) -> str:
        """One side of a comparison of tokens; a name that nothing defines is like one that does nothing."""
        token = self.take()
        if token.source != r"\csname":
            return token.source
        name = "".join(part.text for part in self.until(lambda part, _: part.source == r"\endcsname", "a name"))
        return f"\\{name if name in self.macros else 'relax'}"

    def number(self) -> int:
        """A number of a condition, macros expanded; 0 where none stands."""
        digits = ""
        while self.waiting:
            token = self.waiting[0]
            if token.kind == "command" and token.text in self.macros:
                self.expand(self.macros[self.take().text])
            elif token.text.isdigit() or (token.kind == "space" and not digits):
                digits += self.take().text.strip()
            else:
                break
        if digits and self.waiting and self.waiting[0].kind == "space":
            self.take()
        return int(digits or 0)

    def skip_branch(self, to_else: bool) -> None:
        """Leaves out the tokens up to the end of a condition, or up to its other branch."""
        depth = 0
        while (token := self.take()).kind != "end":
            depth += token.kind == "command" and token.text in CONDITIONS
            depth -= token.source == r"\fi"
            if depth < 0 or (token.source == r"\else" and depth == 0 and to_else):
                return


def check_closed(expander: Expander, found: Sequence[Token]) -> None:
    """*Raises* `InputError` where a group, a formula or an environment is not closed, or closes nothing."""
    opened: list[tuple[str, int]] = []
    for place, token in enumerate(found):
        name = named(found, place) if token.source in (r"\begin", r"\end") else ""
        if token.source == r"\end":
            if not opened:
                raise expander.fail(rf"\end{{{name}}} closes nothing", token.start)
            if opened[-1][0] != name:
                raise expander.fail(rf"\begin{{{opened[-1][0]}}} is closed by \end{{{name}}}", opened[-1][1])
            opened.pop()
        elif token.kind == "close":
            if not opened or opened[-1][0] != "{":
                raise expander.fail("a closing brace closes nothing", token.start)
            opened.pop()
        elif token.kind == "dollars" and opened and opened[-1][0] == token.text:
            opened.pop()
        elif name or token.kind in ("open", "dollars"):
            opened.append((name or token.text, token.start))
        formulas = [start for kind, start in opened if "$" in kind]
        if formulas and token.kind == "space" and token.text.count("\n") > 1:
            raise expander.fail("a formula is not closed", formulas[-1])
        if len(opened) > DEEPEST:
            raise expander.fail("groups are nested too deeply", token.start)
    if opened:
        name, start = opened[-1]
        if name == "{":
            raise expander.fail("the file ends inside a group or an environment")
        words = "a formula is not closed" if "$" in name else rf"\begin{{{name}}} is never closed"
        raise expander.fail(words, start)


def named(found: Sequence[Token], place: int) -> str:
    """The name of the environment that begins or ends at a place."""
    name = ""
    for token in found[place + 1 : place + DEEPEST]:
        if token.kind == "close":
            break
        name += token.text.strip() if token.kind != "open" else ""
    return name
