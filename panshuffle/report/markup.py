"""Elements of a page as text: everything that is not markup is escaped."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

from crosscheck.template import escaped

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
INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))"
POWER = re.compile(rf"\^(\({INNER}{{1,80}}\)|\|[a-z]\||-?[A-Za-z0-9εδγλαβστμθ]+'*(?:\([a-z]\))?)")
HAT = re.compile(r"([kα])\^(?![A-Za-z0-9(|εδγλαβστμθ-])")


def tag(name: str, *children: str, **attributes: str | bool | None) -> Markup:
    """An element; an attribute's trailing underscore is dropped and inner ones become hyphens.

    >>> print(tag("p", "1 < 2", class_="note"))
    <p class="note">1 &lt; 2</p>
    """
    parts = []
    for key, value in attributes.items():
        label = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(f" {label}")
        elif value is not None and value is not False:
            parts.append(f' {label}="{escape(str(value))}"')
    body = "".join(map(escaped, children))
    return Markup(f"<{name}{''.join(parts)}>{body}</{name}>")


def joined(parts: list[Markup]) -> Markup:
    """Markup one after the other."""
    return Markup("\n".join(parts))


def prose(text: str) -> Markup:
    """A sentence of the ledger with its letters as the paper has them: eps as a Greek letter, ^ as a superscript.

    >>> print(prose("e^eps <= 2"))
    e<sup>ε</sup> ≤ 2
    >>> print(prose("e^eps' > 2^-m(n)"))
    e<sup>ε'</sup> &gt; 2<sup>-m(n)</sup>
    """
    written = WORD.sub(lambda match: GREEK.get(match.group(), SIGNS.get(match.group(), match.group())), text)
    return Markup(POWER.sub(raised, HAT.sub("\\1\u0302", escape(written, quote=False))))


def raised(match: re.Match[str]) -> str:
    """A superscript, with those inside it."""
    inner = match.group(1)
    return f"<sup>{POWER.sub(raised, inner[1:-1] if inner.startswith('(') else inner)}</sup>"


def table(header: list[str], rows: list[list[str]], caption: str) -> Markup:
    """A table with a caption and a header row, in a box that scrolls sideways on a narrow screen."""
    head = tag("tr", *(tag("th", cell, scope="col") for cell in header))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", joined(body)))
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption)
