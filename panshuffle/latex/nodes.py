"""What a LaTeX source is made of, once its macros are expanded: a tree of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from panshuffle.proofs.paper import DISPLAYS, ENVIRONMENTS


@dataclass(frozen=True)
class Text:
    """Letters as they stand in the source."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """The end of a paragraph."""


@dataclass(frozen=True)
class Group:
    """What stands in braces."""

    nodes: Nodes


@dataclass(frozen=True)
class Command:
    """A command with what its signature takes: whether it is starred, its options and its arguments."""

    name: str
    arguments: tuple[Nodes, ...] = ()
    options: tuple[Nodes | None, ...] = ()
    starred: bool = False


@dataclass(frozen=True)
class Environment:
    """What stands between begin and end, or between dollars, and its place in the source (-1 for a macro's)."""

    name: str
    nodes: Nodes
    option: Nodes | None = None
    arguments: tuple[Nodes, ...] = ()
    start: int = -1
    end: int = -1


Node = Text | Paragraph | Group | Command | Environment
Nodes = tuple[Node, ...]
INLINE = "$"
UNNUMBERED = ("$$", "display")
"""A display between double dollars or in square brackets; `proofs.paper` calls them so."""


def is_display(node: Environment) -> bool:
    """Whether a node is a formula on a line of its own."""
    return node.name in (*DISPLAYS, *UNNUMBERED, "gather*", "equation*", "multline", "multline*")


def inside(nodes: Nodes) -> Iterator[Node]:
    """All nodes of a tree, each before those in it."""
    for node in nodes:
        yield node
        if isinstance(node, Group | Environment):
            yield from inside(node.nodes)
        if isinstance(node, Environment) and node.option:
            yield from inside(node.option)
        if isinstance(node, Command):
            for part in (*node.arguments, *node.options):
                yield from inside(part or ())


def own_labels(node: Environment) -> list[str]:
    """The labels that name an environment or display itself, not one inside it."""
    found: list[str] = []

    def look(nodes: Nodes) -> None:
        for child in nodes:
            if isinstance(child, Command):
                if child.name == "label":
                    found.append(plain(child.arguments[0]))
                for part in child.arguments:
                    look(part)
            elif isinstance(child, Group) or (
                isinstance(child, Environment) and not is_display(child) and child.name not in ENVIRONMENTS
            ):
                look(child.nodes)

    look(node.nodes)
    return found


def plain(nodes: Nodes) -> str:
    """The letters of some nodes, without commands."""
    return "".join(node.text for node in inside(nodes) if isinstance(node, Text)).strip()


def keys(nodes: Nodes) -> dict[int, tuple[str, ...]]:
    """The keys of environments and displays by where they start: their labels, else their kind and its count.

    They are those of `proofs.paper.read` on the same source: counted in the order in which they end.
    """
    counts: dict[str, int] = {}
    found: dict[int, tuple[str, ...]] = {}
    listed = [n for n in inside(nodes) if isinstance(n, Environment) and n.start >= 0]
    for node in sorted(listed, key=lambda node: node.end):
        shown = (*DISPLAYS, *UNNUMBERED)
        kind = node.name if node.name in ENVIRONMENTS else "display" if node.name in shown else ""
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
            found[node.start] = tuple(own_labels(node)) or (f"{kind}-{counts[kind]}",)
        elif node.name.startswith("figure"):
            found[node.start] = tuple(own_labels(node))
    return found
