"""The dependency graph of the statements as SVG: who rests on whom, coloured by the weakest evidence beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from crosscheck.template import filled

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 184, 26, 14, 58, 12
WIDEST_ROW = 8
SWEEPS = 6
LONGEST_NAME = 24


@dataclass(frozen=True)
class Node:
    """A statement: its slug, the class that colours it, a letter for its evidence, and what it rests on."""

    slug: str
    status: str
    letter: str
    words: str
    needs: tuple[str, ...]


def layers(nodes: Mapping[str, Node]) -> list[list[str]]:
    """The statements in rows: each above all that it rests on; long rows are folded."""
    depth: dict[str, int] = {}

    def height(slug: str) -> int:
        if slug not in depth:
            depth[slug] = 0
            depth[slug] = max((height(other) + 1 for other in nodes[slug].needs if other in nodes), default=0)
        return depth[slug]

    rows: dict[int, list[str]] = {}
    for slug in nodes:
        rows.setdefault(height(slug), []).append(slug)
    return sorted_rows([rows[level] for level in sorted(rows)], nodes)


def sorted_rows(rows: list[list[str]], nodes: Mapping[str, Node]) -> list[list[str]]:
    """The rows, each in the order of the mean place of its neighbours, a few times down and up."""
    users: dict[str, list[str]] = {slug: [] for slug in nodes}
    for slug, node in nodes.items():
        for other in node.needs:
            if other in users:
                users[other].append(slug)
    for sweep in range(SWEEPS):
        place = {slug: i / max(1, len(row) - 1) for row in rows for i, slug in enumerate(row)}
        near = users if sweep % 2 else {slug: [o for o in node.needs if o in nodes] for slug, node in nodes.items()}

        def mean(slug: str, near: Mapping[str, Sequence[str]] = near, place: Mapping[str, float] = place) -> float:
            return sum(place[o] for o in near[slug]) / len(near[slug]) if near[slug] else place[slug]

        rows = [sorted(row, key=lambda slug: (mean(slug), slug)) for row in rows]
    return rows


def folded(rows: list[list[str]]) -> list[list[str]]:
    """Rows of at most so many statements."""
    result = []
    for row in rows:
        parts = -(-len(row) // WIDEST_ROW)
        size = -(-len(row) // parts)
        result += [row[i : i + size] for i in range(0, len(row), size)]
    return result


def places(rows: list[list[str]]) -> tuple[dict[str, tuple[int, int]], int, int]:
    """The corner of each box, and the size of the picture; what rests on nothing is at the bottom."""
    shown = folded(rows)
    width = max(len(row) for row in shown) * (WIDTH + GAP_X) + 2 * MARGIN
    where = {}
    for level, row in enumerate(reversed(shown)):
        left = (width - len(row) * (WIDTH + GAP_X) + GAP_X) // 2
        for i, slug in enumerate(row):
            where[slug] = (left + i * (WIDTH + GAP_X), MARGIN + level * (HEIGHT + GAP_Y))
    return where, width, MARGIN * 2 + len(shown) * (HEIGHT + GAP_Y) - GAP_Y


@dataclass(frozen=True)
class Edge:
    """The line from a statement down to one that it rests on."""

    above: str
    below: str
    path: str


@dataclass(frozen=True)
class Box:
    """A statement at its place."""

    node: Node
    x: int
    y: int
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def name(self) -> str:
        """The slug, cut where it is long."""
        slug = self.node.slug
        return slug if len(slug) <= LONGEST_NAME else slug[: LONGEST_NAME - 1] + "…"


def picture(nodes: Mapping[str, Node]) -> Markup:
    """The graph; every box is a link to its statement."""
    where, width, height = places(layers(nodes))
    edges = [edge(slug, other, where) for slug in where for other in nodes[slug].needs if other in where]
    boxes = [Box(nodes[slug], *place) for slug, place in where.items()]
    return filled("panshuffle.report", "graph.svg", width=width, height=height, edges=edges, boxes=boxes)


def edge(slug: str, other: str, where: Mapping[str, tuple[int, int]]) -> Edge:
    """The line from a statement down to one that it rests on, as a curve that leaves and arrives upright."""
    (x1, y1), (x2, y2) = where[slug], where[other]
    a, b = (x1 + WIDTH // 2, y1 + HEIGHT), (x2 + WIDTH // 2, y2)
    middle = (a[1] + b[1]) // 2
    return Edge(slug, other, f"M{a[0]},{a[1]} C{a[0]},{middle} {b[0]},{middle} {b[0]},{b[1]}")
