"""A line of LaTeX as HTML: letters, accents, emphasis, references, citations, footnotes and formulas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from html import escape

from latex2mathml import commands
from latex2mathml.symbols_parser import convert_symbol
from markupsafe import Markup
from pylatexenc import latexwalker as tex
from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db
from pylatexenc.macrospec import LatexContextDb

from panshuffle.latex import KNOWN
from panshuffle.latex.document import Node, Nodes, arguments, children, content, inside, is_macro, options, plain, taken
from panshuffle.latex.formulas import Filled, formula

STYLES = {"emph": "em", "textit": "em", "textbf": "b", "texttt": "code", "underline": "u"}
SIGNS = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "~": "\u00a0"}
WORDS = {" ": " ", "\n": " ", ",": "\u202f", "and": " · ", "/": "", "@": "", "-": "\u00ad", "quad": "\u2003",
         "S": "§", "LaTeX": "LaTeX", "TeX": "TeX"}  # fmt: skip
PLAIN = KNOWN["line"]["plain"].split()
SILENT = frozenset(KNOWN["line"]["silent"].split())
"""Commands that put no word on a page."""
LEFT_OUT, UNMARKED, REFERRING, IN_WORDS = (
    KNOWN["formula"][name].split() for name in ("left_out", "unmarked", "referring", "words")
)
ADDRESS = re.compile(r"(https?://|mailto:)[^\s\"<>]*")
NAME = re.compile(r"[A-Za-z]+")
HARD_SPACE = "\u00a0"


@cache
def letters() -> LatexContextDb:
    """What pylatexenc knows of commands that stand for letters."""
    return get_default_latex_context_db()


@cache
def math_commands() -> frozenset[str]:
    """The commands that latex2mathml knows by name."""
    listed = [value for value in vars(commands).values() if isinstance(value, str | Collection)]
    texts = [text for value in listed for text in ([value] if isinstance(value, str) else value)]
    return frozenset(text[1:] for text in texts if isinstance(text, str) and text.startswith("\\"))


def anchor(key: str) -> str:
    """The name of the place on the page of something that the paper prints."""
    return f"at-{key}"


def link(key: str, text: str) -> str:
    """A link to a place on the page."""
    return f'<a href="#{escape(anchor(key))}">{escape(text)}</a>'


class Line:
    """What a line needs to know: the numbers of labels, the sources, the footnotes, and what was not understood."""

    def __init__(self, numbers: Mapping[str, str], body: Nodes) -> None:
        self.numbers = numbers
        self.unknown: Counter[str] = Counter()
        self.footnotes: list[Nodes] = []
        self.formulas = 0
        bibliography = [node for node in inside(body) if is_macro(node, "bibitem")]
        self.sources = {plain(arguments(node)[0]): next(iter(options(node)), ()) for node in bibliography}

    def inline(self, nodes: Nodes) -> str:
        """Nodes in one line."""
        return "".join(self.shown(node) for node in nodes)

    def shown(self, node: Node) -> str:
        """One node in a line."""
        if isinstance(node, tex.LatexCharsNode):
            return typeset(node.chars)
        if isinstance(node, tex.LatexSpecialsNode):
            return " " if node.specials_chars.isspace() else SIGNS.get(node.specials_chars, escape(node.specials_chars))
        if isinstance(node, tex.LatexMathNode):
            self.formulas += 1
            return self.formula(node.nodelist)
        return self.command(node) if isinstance(node, tex.LatexMacroNode) else self.inline(children(node))

    def command(self, node: Node) -> str:
        """A command in a line: of emphasis, a reference, a footnote, an address, silent, a letter, or unknown."""
        name, given = node.macroname, arguments(node)
        if name in STYLES:
            return f"<{STYLES[name]}>{self.inline(given[0])}</{STYLES[name]}>"
        if name in ("ref", "eqref", "autoref", "cref", "Cref", "pageref"):
            return self.reference(plain(given[0]), name)
        if name.lower().startswith("cite") and given:
            return self.citation(node)
        if name in ("footnote", "thanks"):
            self.footnotes.append(given[0])
            number = len(self.footnotes)
            return f'<sup class="mark"><a href="#note-{number}" id="mark-{number}">{number}</a></sup>'
        if name in ("href", "url"):  # nothing follows it by itself
            target = "".join(node.latex_verbatim() for node in given[0])
            shown = escape(target) if name == "url" else self.inline(given[-1])
            return f'<a href="{escape(target)}" rel="noreferrer">{shown}</a>' if ADDRESS.fullmatch(target) else shown
        if name == "\\":
            return "<br>"
        if name in WORDS or name in SILENT:
            return WORDS.get(name, "")
        if name in PLAIN:
            return self.inline(given[-1])
        if name == "ensuremath":
            return self.formula(given[0])
        known = letters().get_macro_spec(name)
        stands_for = known.simplify_repl if known is not None and known.macroname else None
        if "%" in str(stands_for):
            return self.formula([node])
        if stands_for is not None:
            return escape(LatexNodes2Text().nodelist_to_text([node]), quote=False)
        self.unknown[name] += 1
        return f'<code class="unknown">\\{escape(name)}</code>' + "".join(map(self.inline, given))

    def reference(self, label: str, kind: str) -> str:
        """The number of what a label names, as a link; the label itself where nothing has it."""
        number = self.numbers.get(label)
        if number is None:
            return f'<span class="unknown">[{escape(label)}]</span>'
        shown = number if kind in ("autoref", "cref", "Cref") else number.rpartition(" ")[2]
        return link(label, f"({shown})" if kind == "eqref" else shown)

    def citation(self, node: Node) -> str:
        """A citation: numbers in brackets, with the authors before them where they are part of the sentence."""
        places = {key: number for number, key in enumerate(self.sources, 1)}
        named = [key.strip() for key in plain(arguments(node)[0]).split(",")]
        shown = ", ".join(link(f"cite.{key}", str(places.get(key, key))) for key in named)
        note = next((option for option in reversed(options(node)) if option), None)
        inner = f"[{shown}{', ' + self.inline(note) if note else ''}]"
        authors = self.inline(self.sources.get(named[0], ())).partition("(")[0].strip() or escape(named[0])
        return f"{authors} {inner}" if node.macroname in ("citet", "Citet", "citeauthor") else inner

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

    def formula(self, nodes: Nodes, block: bool = False) -> Markup:
        """A formula."""
        filled = Filled()
        return formula(self.latex(nodes, filled), filled, block)

    def latex(self, nodes: Nodes, filled: Filled) -> str:
        """A formula as LaTeX that latex2mathml knows; marks stand for words, names and what nothing is known of."""
        return "".join(self.part(node, filled) for node in nodes)

    def part(self, node: Node, filled: Filled) -> str:
        """One node of a formula as such LaTeX."""
        if isinstance(node, tex.LatexGroupNode):
            return f"{{{self.latex(node.nodelist, filled)}}}"
        if isinstance(node, tex.LatexEnvironmentNode):
            taking = "".join(part.latex_verbatim() for _, part in taken(node) if part is not None)
            name, inner = node.environmentname, self.latex(node.nodelist, filled)
            return rf"\begin{{{name}}}{taking}{inner}\end{{{name}}}"
        if not isinstance(node, tex.LatexMacroNode):
            return str(node.latex_verbatim())
        name, given = node.macroname, arguments(node)
        if name in LEFT_OUT:
            return ""
        if (name in IN_WORDS and given) or (name == "mathrm" and not NAME.fullmatch(node_text(given))):
            words = self.inline(given[0]) if name not in REFERRING else self.shown(node)
            return filled.mark(f"<mtext>{spaced(words)}</mtext>")
        if name in UNMARKED:
            return f"{{{self.latex(given[-1], filled)}}}"
        inner = "".join(
            braced(sign, self.latex(content(part), filled)) for sign, part in taken(node) if part is not None
        )
        if not name.isalpha() or name in math_commands() or convert_symbol(f"\\{name}") is not None:
            return rf"\{name}{inner}{'' if inner else ' '}" if name[0].isalpha() else rf"\{name}"
        self.unknown[name] += 1
        return filled.mark(f'<mtext class="unknown">\\{escape(name)}</mtext>') + inner


def braced(sign: str, latex: str) -> str:
    """An argument or option in its signs."""
    return {"[": f"[{latex}]", "*": "*"}.get(sign, f"{{{latex}}}")


def node_text(given: list[Nodes]) -> str:
    """The letters of a name; empty where there is more than letters."""
    alone = bool(given) and all(isinstance(part, tex.LatexCharsNode) for part in given[-1])
    return "".join(part.chars for part in given[-1]).strip() if alone else ""


def spaced(words: str) -> str:
    """Words whose outer spaces are kept."""
    left, right = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return HARD_SPACE * bool(left) + words.strip() + HARD_SPACE * bool(right)


def typeset(text: str) -> str:
    """Letters with their quotation marks and dashes."""
    found = escape(text, quote=False)
    for sign, shown in SIGNS.items():
        found = found.replace(sign, shown)
    return found
