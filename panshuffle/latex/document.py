"""A LaTeX source as a tree: pylatexenc reads it, once its macros are expanded; and what its environments are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pylatexenc import latexwalker as tex
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec

from panshuffle.exact.errors import InputError
from panshuffle.latex import KNOWN
from panshuffle.latex.macros import expanded
from panshuffle.proofs.paper import DISPLAYS, ENVIRONMENTS

Node = Any
"""A node of pylatexenc, which has no types."""
Nodes = Sequence[Node]
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


def nodes_of(latex: str) -> Nodes:
    """The nodes of expanded LaTeX.  *Raises* `InputError` for what pylatexenc can't read."""
    try:
        found, _, _ = tex.LatexWalker(latex, latex_context=context(), tolerant_parsing=False).get_latex_nodes()
    except tex.LatexWalkerParseError as problem:
        raise InputError(f"the source can't be read: {problem.msg}") from None
    return [node for node in found if node is not None]


def read(source: str) -> Document:
    """The tree of a LaTeX source.  *Raises* `InputError`, with the line, for one whose parts are not closed."""
    found = nodes_of(expanded(source))
    parts = {node.macroname: arguments(node)[0] for node in found if is_macro(node, "title", "author")}
    body = next((node.nodelist for node in found if is_environment(node, "document")), found)
    return Document(parts.get("title", ()), parts.get("author", ()), body)


def is_macro(node: Node, *names: str) -> bool:
    """Whether a node is one of these commands."""
    return isinstance(node, tex.LatexMacroNode) and node.macroname in names


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
