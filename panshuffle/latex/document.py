"""A LaTeX source as a tree: pylatexenc reads it, once its macros are expanded; and what its environments are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pylatexenc import latexwalker as tex
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec

from panshuffle.latex import KNOWN
from panshuffle.latex.macros import at_line, expanded
from panshuffle.proofs.paper import DISPLAYS, ENVIRONMENTS

Node = Any
"""A node of pylatexenc, which has no types."""
Nodes = Sequence[Node]
BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
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
        unclosed = (node.pos for node in inside(found) if isinstance(node, tex.LatexMathNode) and has_gap(node))
        for place in unclosed:
            raise at_line(source, places[place], "a formula is not closed")
    except tex.LatexWalkerParseError as problem:
        opened = [place for _, place, *_ in problem.open_contexts or ()]
        place = opened[0] if opened else problem.pos
        raise at_line(source, places[min(place, len(places) - 1)], problem.msg) from None
    parts = {node.macroname: arguments(node)[0] for node in found if is_macro(node, "title", "author")}
    body = next((node.nodelist for node in found if is_environment(node, "document")), found)
    return Document(parts.get("title", ()), parts.get("author", ()), body)


def has_gap(node: Node) -> bool:
    """Whether there is an empty line in a formula, which TeX does not allow."""
    return any(isinstance(part, tex.LatexCharsNode) and BLANK_LINE.search(part.chars) for part in node.nodelist)


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
