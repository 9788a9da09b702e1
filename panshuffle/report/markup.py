"""Elements of a page as text: everything that is not markup is escaped."""

from __future__ import annotations

import re
from html import escape

GREEK = {
    "eps": "ε",
    "epsilon": "ε",
    "delta": "δ",
    "gamma": "γ",
    "lam": "λ",
    "lambda": "λ",
    "alpha": "α",
    "beta": "β",
    "sigma": "σ",
    "tau": "τ",
    "mu": "μ",
    "theta": "θ",
    "Delta": "Δ",
    "pi": "π",
}
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}
WORD = re.compile(r"[A-Za-z]+|<=|>=|!=|->")
POWER = re.compile(r"\^(\([^()]{1,40}\)|[A-Za-z0-9εδγλαβστμθ']+|-[0-9]+)")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str | bool | None) -> Markup:
    """An element; an attribute's trailing underscore is dropped and inner ones become hyphens.

    >>> tag("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    parts = []
    for key, value in attributes.items():
        label = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(f" {label}")
        elif value is not None and value is not False:
            parts.append(f' {label}="{escape(str(value))}"')
    body = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{name}{''.join(parts)}>{body}</{name}>")


def joined(parts: list[Markup]) -> Markup:
    """Markup one after the other."""
    return Markup("\n".join(parts))


def prose(text: str) -> Markup:
    """A sentence of the ledger with its letters as the paper has them: eps as a Greek letter, ^ as a superscript.

    >>> prose("e^eps <= 2")
    'e<sup>ε</sup> ≤ 2'
    """
    written = WORD.sub(lambda match: GREEK.get(match.group(), SIGNS.get(match.group(), match.group())), text)
    safe = escape(written)

    def raised(match: re.Match[str]) -> str:
        inner = match.group(1)
        return f"<sup>{inner[1:-1] if inner.startswith('(') else inner}</sup>"

    return Markup(POWER.sub(raised, safe))


def table(header: list[str], rows: list[list[str]], caption: str) -> Markup:
    """A table with a caption and a header row, in a box that scrolls sideways on a narrow screen."""
    head = tag("tr", *(tag("th", cell, scope="col") for cell in header))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", joined(body)))
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption)
