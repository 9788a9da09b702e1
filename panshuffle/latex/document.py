"""A LaTeX source as a tree: its macros are expanded, pylatexenc reads what is left; and the names in it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pylatexenc import latexwalker as tex
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec

from panshuffle.exact.errors import InputError
from panshuffle.latex import KNOWN
from panshuffle.proofs.paper import DISPLAYS, ENVIRONMENTS

TOKEN = re.compile(r"%[^\n]*(?:\n[ \t]*)?|\\(?:[A-Za-z]+|.)|[ \t\n]+|.", re.DOTALL)
DEFINING, CONDITIONS, SILENT, BUILT_IN = (
    [f"\\{name}" for name in KNOWN["macros"][names].split()]
    for names in ("defining", "conditions", "silent", "built_in")
)
"""What defines a macro, what is a condition, what is left out; what there is already, where a source provides it."""
MOST_EXPANSIONS = 50_000
"""More expansions than any paper needs: a macro that calls itself is stopped here."""

OPENS, CLOSES = ("{", r"\begin"), ("}", r"\end")
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
        last, depth = max(last, here.start), depth + (here.text in OPENS) - (here.text in CLOSES)
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


Node = Any
"""A node of pylatexenc, which has no types."""
Nodes = Sequence[Node]
BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
OPENING = re.compile(r"\\begin\{[^}]*\}|\\.|\$\$?|.")
"""What opens something that has to be closed."""
FULL_DISPLAYS = (*DISPLAYS, "gather*", "equation*", "multline", "multline*")


def context() -> LatexContextDb:
    """What pylatexenc is to know of commands and environments."""
    known = tex.get_default_latex_context_db()
    macros = [MacroSpec(name, args_parser=taken) for taken, names in KNOWN["takes"].items() for name in names.split()]
    math = [EnvironmentSpec(name, is_math_mode=True) for name in FULL_DISPLAYS]
    given = {**dict.fromkeys((*ENVIRONMENTS, *KNOWN["line"]["optional"].split()), "["), **KNOWN["environments"]}
    others = [EnvironmentSpec(name, args_parser=taken) for name, taken in given.items()]
    known.add_context_category("panshuffle", macros=macros, environments=[*math, *others], prepend=True)
    return known


@dataclass(frozen=True)
class Document:
    """A paper as its source has it: title and authors, as nodes, and the body."""

    title: Nodes
    author: Nodes
    body: Nodes


def read(source: str) -> Document:
    """The tree of a LaTeX source.  *Raises* `InputError`, with the line, for what pylatexenc can't read."""
    latex, places = expanded(source)
    try:
        found, _, _ = tex.LatexWalker(latex, latex_context=context(), tolerant_parsing=False).get_latex_nodes()
        for node in inside(found):  # TeX allows no empty line in a formula
            parts = node.nodelist if isinstance(node, tex.LatexMathNode) else ()
            if any(BLANK_LINE.search(getattr(part, "chars", "")) for part in parts):
                raise at_line(source, places[node.pos], "a formula is not closed")
    except tex.LatexWalkerParseError as problem:
        opened = [place for _, place, *_ in problem.open_contexts or ()]
        place, words = opened[0] if opened else problem.pos, problem.msg
        if opened and words.startswith("Unexpected end of stream"):
            words = f"{OPENING.findall(latex, place)[0]} is never closed"
        raise at_line(source, places[min(place, len(places) - 1)], words) from None
    parts = {node.macroname: arguments(node)[0] for node in found if is_macro(node, "title", "author")}
    body = next((node.nodelist for node in found if is_environment(node, "document")), found)
    return Document(parts.get("title", ()), parts.get("author", ()), body)


def is_macro(node: Node, *names: str) -> bool:
    """Whether a node is one of these commands, or any command."""
    return isinstance(node, tex.LatexMacroNode) and (not names or node.macroname in names)


def is_environment(node: Node, *names: str) -> bool:
    """Whether a node is one of these environments."""
    return isinstance(node, tex.LatexEnvironmentNode) and node.environmentname in names


def is_display(node: Node) -> bool:
    """Whether a node is a formula on a line of its own."""
    return is_environment(node, *FULL_DISPLAYS) or is_bare_display(node)


def is_bare_display(node: Node) -> bool:
    """Whether a node is a display between double dollars or in square brackets."""
    return isinstance(node, tex.LatexMathNode) and bool(node.displaytype == "display")


def kind_of(node: Node) -> str:
    """The kind that `proofs.paper` lists a node under; empty for what it does not list."""
    if is_environment(node, *ENVIRONMENTS):
        return str(node.environmentname)
    return "display" if is_environment(node, *DISPLAYS) or is_bare_display(node) else ""


def taken(node: Node) -> list[tuple[str, Node]]:
    """What a command or environment takes, each with the sign of its kind: a star, a bracket or a brace."""
    parsed = getattr(node, "nodeargd", None)
    if parsed is None or not parsed.argnlist:
        return []
    return list(zip(parsed.argspec, parsed.argnlist, strict=False))


def content(node: Node) -> Nodes:
    """What stands in a group, or the node itself."""
    return node.nodelist if isinstance(node, tex.LatexGroupNode) else [] if node is None else [node]


def arguments(node: Node) -> list[Nodes]:
    """The arguments in braces."""
    return [content(part) for sign, part in taken(node) if sign == "{"]


def options(node: Node) -> list[Nodes]:
    """The options in square brackets that are given."""
    return [content(part) for sign, part in taken(node) if sign == "[" and part is not None]


def starred(node: Node) -> bool:
    """Whether a command has a star."""
    return any(sign == "*" and part is not None for sign, part in taken(node))


def children(node: Node) -> Nodes:
    """What stands in a node: its contents and what it takes."""
    given = [part for _, part in taken(node) if part is not None]
    return [*given, *(getattr(node, "nodelist", None) or [])]


def inside(nodes: Nodes) -> Iterator[Node]:
    """All nodes of a tree, each before those in it."""
    for node in nodes:
        yield node
        yield from inside(children(node))


def plain(nodes: Nodes) -> str:
    """The letters of some nodes, without commands."""
    return "".join(node.chars for node in inside(nodes) if isinstance(node, tex.LatexCharsNode)).strip()


def cut(nodes: Nodes, mark: str) -> list[tuple[Node | None, list[Node]]]:
    r"""The nodes in parts, each with the mark that it stands behind: a command such as \item, or a sign."""
    found: list[tuple[Node | None, list[Node]]] = [(None, [])]
    for node in nodes:
        if (is_macro(node) and f"\\{node.macroname}" == mark) or getattr(node, "specials_chars", "") == mark:
            found.append((node, []))
        else:
            found[-1][1].append(node)
    return found


def own_labels(node: Node) -> list[str]:
    """The labels that name an environment or display itself, not one inside it."""
    found = []
    for child in children(node):
        if is_macro(child, "label"):
            found.append(plain(arguments(child)[0]))
        elif not is_display(child) and not is_environment(child, *ENVIRONMENTS):
            found += own_labels(child)
    return found


def keys(nodes: Nodes) -> dict[int, tuple[str, ...]]:
    """The keys of environments and displays by where they start: their labels, else their kind and its count.

    They are those of `proofs.paper.read` on the same source: counted in the order in which they end.
    """
    counts: dict[str, int] = {}
    found: dict[int, tuple[str, ...]] = {}
    for node in sorted(inside(nodes), key=lambda node: node.pos + node.len):
        kind = kind_of(node)
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
            found[node.pos] = tuple(own_labels(node)) or (f"{kind}-{counts[kind]}",)
        elif isinstance(node, tex.LatexEnvironmentNode) and node.environmentname.startswith("figure"):
            found[node.pos] = tuple(own_labels(node))
    return found
