"""Elements of a page as text: everything that is not markup is escaped."""

from __future__ import annotations

from html import escape

from markupsafe import Markup

from panshuffle.template import escaped


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


def table(header: list[str], rows: list[list[str]], caption: str) -> Markup:
    """A table with a caption and a header row, in a box that scrolls sideways on a narrow screen."""
    head = tag("tr", *(tag("th", cell, scope="col") for cell in header))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", joined(body)))
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption)
