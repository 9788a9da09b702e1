"""Pseudocode of algorithm2e as nested lists."""

from __future__ import annotations

from panshuffle.latex.inline import Inline
from panshuffle.latex.nodes import Command, Nodes, Paragraph

HEADS = {"KwIn": "Input:", "KwOut": "Output:", "KwData": "Data:", "KwResult": "Result:", "Parameters": "Parameters:"}
LOOPS = {"For": "For", "ForEach": "For each", "ForAll": "For all", "While": "While"}
LOOPS |= {"If": "If", "uIf": "If", "ElseIf": "Else if"}


def lines(nodes: Nodes, line: Inline) -> str:
    """The lines of an algorithm; a blank line, a semicolon command or a block ends one."""
    found: list[str] = []
    words: list[str] = []

    def end_line(after: str = "") -> None:
        text = "".join(words).strip()
        if text or after:
            found.append(f"<li>{text}{after}</li>")
        words.clear()

    for node in nodes:
        if isinstance(node, Paragraph) or (isinstance(node, Command) and node.name in (";", "BlankLine")):
            end_line()
        elif not isinstance(node, Command):
            words.append(line.shown(node))
        elif node.name in LOOPS:
            end_line()
            words.append(f"<b>{LOOPS[node.name]}</b> {line.inline(node.arguments[0])}:")
            end_line(lines(node.arguments[1], line))
        elif node.name == "Else":
            end_line()
            words.append("<b>Else:</b>")
            end_line(lines(node.arguments[0], line))
        elif node.name in HEADS:
            end_line()
            text = line.inline(node.arguments[0]) if node.arguments else ""
            found.append(f'<li class="head"><b>{HEADS[node.name]}</b> {text}</li>')
        elif node.name in ("Return", "KwRet"):
            words.append(f"<b>Return</b> {line.inline(node.arguments[0]) if node.arguments else ''}")
        elif node.name not in ("caption", "label"):
            words.append(line.shown(node))
    end_line()
    return f'<ol class="lines">{"".join(found)}</ol>'
