"""The words of a line of LaTeX as HTML: letters, accents, emphasis, references, citations, footnotes and formulas."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from html import escape

from markupsafe import Markup

from panshuffle.latex.mathml import Formula
from panshuffle.latex.nodes import INLINE, Command, Environment, Group, Node, Nodes, Text, inside, plain
from panshuffle.latex.symbols import COMBINING, LARGE, LETTERS, NAMES, OPERATORS, SILENT, WORDS, pairs

STYLES = pairs("emph:em textit:em textbf:b texttt:code underline:u textsc:span textsf:span")
SIGNS = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("~", "\u00a0"))
WITHOUT_MARK = ["textrm", "text", "mbox", "makebox", "textcolor", "fbox", "colorbox", "multirow", "multicolumn"]
ADDRESS = re.compile(r"(https?://|mailto:)[^\s\"<>]*")
MATH_ONLY = frozenset([*LETTERS, *OPERATORS, *LARGE, *NAMES, "frac", "sqrt", "vec", "hat"])
"""Commands that belong into formulas; outside of one they are shown as one."""


def anchor(key: str) -> str:
    """The name of the place on the page of something that the paper prints."""
    return f"at-{key}"


def link(key: str, text: str) -> str:
    """A link to a place on the page."""
    return f'<a href="#{escape(anchor(key))}">{escape(text)}</a>'


class Inline:
    """What a line needs to know: the numbers of labels, the sources, the footnotes, and what was not understood."""

    def __init__(self, numbers: Mapping[str, str], body: Nodes) -> None:
        self.numbers = numbers
        self.unknown: Counter[str] = Counter()
        self.footnotes: list[Nodes] = []
        self.formulas = 0
        self.sources = {
            plain(node.arguments[0]): ((node.options[0] or ()) if node.options else ())
            for node in inside(body)
            if isinstance(node, Command) and node.name == "bibitem"
        }
        self.formula = Formula(self.not_known, self.inline)

    def not_known(self, name: str) -> None:
        """Keeps the name of a command that nothing is known of."""
        self.unknown[name] += 1

    def inline(self, nodes: Nodes) -> str:
        """Nodes in one line."""
        return "".join(self.shown(node) for node in nodes)

    def shown(self, node: Node) -> str:
        """One node in a line."""
        if isinstance(node, Text):
            return typeset(node.text)
        if isinstance(node, Group):
            return self.inline(node.nodes)
        if isinstance(node, Environment):
            self.formulas += node.name == INLINE
            return self.formula.inline(node.nodes) if node.name == INLINE else self.inline(node.nodes)
        return self.command(node) if isinstance(node, Command) else " "

    def command(self, node: Command) -> str:
        """A command in a line."""
        name = node.name
        if name in STYLES:
            return f"<{STYLES[name]}>{self.inline(node.arguments[0])}</{STYLES[name]}>"
        if name in COMBINING and node.arguments:
            text = self.inline(node.arguments[0])
            return unicodedata.normalize("NFC", text[:1].replace("ı", "i") + COMBINING[name] + text[1:])
        if name in ("ref", "eqref", "autoref", "cref", "Cref", "pageref"):
            return self.reference(plain(node.arguments[0]), name)
        if name.lower().startswith("cite"):
            return self.citation(node)
        if name in ("footnote", "thanks"):
            self.footnotes.append(node.arguments[0])
            number = len(self.footnotes)
            return f'<sup class="mark"><a href="#note-{number}" id="mark-{number}">{number}</a></sup>'
        if name in ("href", "url"):
            return self.address(node)
        if name in WORDS:
            return escape(WORDS[name])
        if name == "\\":
            return "<br>"
        return self.other(node)

    def other(self, node: Command) -> str:
        """A command without words of its own: silent, a formula, or unknown."""
        name = node.name
        if name == "ensuremath":
            return self.formula.inline(node.arguments[0])
        if name in WITHOUT_MARK:
            return self.inline(node.arguments[-1])
        if name in SILENT or name in ("caption", "tag", "left", "right"):
            return ""
        if name in MATH_ONLY:
            return self.formula.inline((node,))
        self.not_known(name)
        return f'<code class="unknown">\\{escape(name)}</code>' + "".join(self.inline(part) for part in node.arguments)

    def reference(self, label: str, kind: str) -> str:
        """The number of what a label names, as a link; the label itself where nothing has it."""
        number = self.numbers.get(label)
        if number is None:
            return f'<span class="unknown">[{escape(label)}]</span>'
        shown = number if kind in ("autoref", "cref", "Cref") else number.rpartition(" ")[2]
        return link(label, f"({shown})" if kind == "eqref" else shown)

    def citation(self, node: Command) -> str:
        """A citation: numbers in brackets, with the authors before them where they are part of the sentence."""
        places = {key: number for number, key in enumerate(self.sources, 1)}
        named = [key.strip() for key in plain(node.arguments[0]).split(",")]
        shown = ", ".join(link(f"cite.{key}", str(places.get(key, key))) for key in named)
        note = next((option for option in reversed(node.options) if option), None)
        inner = f"[{shown}{', ' + self.inline(note) if note else ''}]"
        return f"{self.authors(named[0])} {inner}" if node.name in ("citet", "Citet", "citeauthor") else inner

    def authors(self, key: str) -> str:
        """The authors of a source in short, as its label has them."""
        return self.inline(self.sources.get(key, ())).partition("(")[0].strip() or escape(key)

    def address(self, node: Command) -> str:
        """A link to elsewhere, which nothing follows by itself."""
        target, shown = plain(node.arguments[0]), self.inline(node.arguments[-1])
        return f'<a href="{escape(target)}" rel="noreferrer">{shown}</a>' if ADDRESS.fullmatch(target) else shown

    def notes(self) -> Markup:
        """The footnotes; one may hold others."""
        found, number = [], 0
        while number < len(self.footnotes):
            text = self.inline(self.footnotes[number])
            number += 1
            back = f'<a href="#mark-{number}" aria-label="back to the text">↩</a>'
            found.append(f'<li id="note-{number}">{text} {back}</li>')
        listed = f'<section class="footnotes" aria-label="Footnotes"><ol>{"".join(found)}</ol></section>'
        return Markup(listed if found else "")


def typeset(text: str) -> str:
    """Letters with their quotation marks and dashes."""
    found = escape(text, quote=False)
    for sign, shown in SIGNS:
        found = found.replace(sign, shown)
    return found
