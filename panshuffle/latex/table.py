"""Tables of LaTeX as HTML, with cells that reach over several rows and columns."""

from __future__ import annotations

from panshuffle.latex.inline import Inline
from panshuffle.latex.mathml import rows
from panshuffle.latex.nodes import Command, Environment, Node, Nodes, Text, plain


def table(node: Environment, line: Inline) -> str:
    """A table in a box that scrolls sideways where it is too wide."""
    covered: dict[int, int] = {}
    shown = []
    for row in rows(node.nodes):
        cells = []
        for column, cell in enumerate(split(row)):
            if covered.get(column, 0):
                covered[column] -= 1
                continue
            down, across = spans(cell)
            covered[column] = down - 1
            over = (f' rowspan="{down}"' if down > 1 else "") + (f' colspan="{across}"' if across > 1 else "")
            cells.append((over, line.inline(cell).strip()))
        if any(text for _, text in cells):
            shown.append(f"<tr>{''.join(f'<td{over}>{text}</td>' for over, text in cells)}</tr>")
    box = 'class="scroll" tabindex="0" role="region" aria-label="table"'
    return f'<div {box}><table class="grid">{"".join(shown)}</table></div>'


def split(row: Nodes) -> list[Nodes]:
    """The cells of a row."""
    found: list[list[Node]] = [[]]
    for node in row:
        if not isinstance(node, Text):
            found[-1].append(node)
            continue
        for place, part in enumerate(node.text.split("&")):
            if place:
                found.append([])
            found[-1].append(Text(part))
    return [tuple(cell) for cell in found]


def spans(cell: Nodes) -> tuple[int, int]:
    """How many rows and columns a cell reaches over."""
    commands = {node.name: plain(node.arguments[0]) for node in cell if isinstance(node, Command) and node.arguments}
    down, across = (commands.get(name, "") for name in ("multirow", "multicolumn"))
    return (int(down) if down.isdigit() else 1), (int(across) if across.isdigit() else 1)
