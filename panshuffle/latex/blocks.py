"""A paper as HTML: its paragraphs and what stands between them, and the lines in these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from html import escape

from latex2mathml import commands
from latex2mathml.symbols_parser import convert_symbol
from markupsafe import Markup
from pylatexenc import latexwalker as tex
from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db
from pylatexenc.macrospec import LatexContextDb

from panshuffle.latex import KNOWN
from panshuffle.latex.document import (
    BLANK_LINE,
    Node,
    Nodes,
    arguments,
    children,
    content,
    cut,
    inside,
    is_display,
    is_environment,
    is_macro,
    keys,
    options,
    own_labels,
    plain,
    starred,
    taken,
)
from panshuffle.latex.formulas import Filled, formula
from panshuffle.proofs.paper import ENVIRONMENTS, NUMBERED

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
        inner = ""
        for sign, part in taken(node):
            if part is not None:
                latex = self.latex(content(part), filled)
                inner += {"[": f"[{latex}]", "*": "*"}.get(sign, f"{{{latex}}}")
        if not name.isalpha() or name in math_commands() or convert_symbol(f"\\{name}") is not None:
            return rf"\{name}{inner}{'' if inner else ' '}" if name[0].isalpha() else rf"\{name}"
        self.unknown[name] += 1
        return filled.mark(f'<mtext class="unknown">\\{escape(name)}</mtext>') + inner


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


Notes = Callable[[Sequence[str]], Markup]
"""What stands in the margin beside the things with these keys."""
SECTIONS = ("section", "subsection", "subsubsection")
LISTS = {"enumerate": "ol", "itemize": "ul", "description": "ul"}
TABLES = ("tabular", "tabular*", "array", "array*", "tabularx")
PLAIN_BLOCKS = ("center", "minipage", "quote", "flushleft", "flushright", "document", "small")
HEADS = {"KwIn": "Input:", "KwOut": "Output:", "KwData": "Data:", "KwResult": "Result:", "Parameters": "Parameters:"}
BREAK = None
"""The end of a paragraph."""
LOOPS = {"For": "For", "ForEach": "For each", "ForAll": "For all", "While": "While"}
LOOPS |= {"If": "If", "uIf": "If", "ElseIf": "Else if"}


class Blocks(Line):
    """One paper on its way to a page.

    `notes` says what stands beside the things with some keys, `beside` what stands beside a paragraph, by its number;
    `paragraphs` are those so far, each with the key of its section.
    """

    def __init__(
        self,
        body: Nodes,
        numbers: Mapping[str, str],
        notes: Notes,
        beside: Callable[[int], Markup] = lambda _: Markup(""),
    ) -> None:
        super().__init__(numbers, body)
        self.keys = keys(body)
        self.margin = notes
        self.beside = beside
        self.paragraphs: list[tuple[str, str]] = []
        self.levels = [0, 0, 0]
        self.appendix = False
        self.equations = 0
        self.headings: list[tuple[int, str, str]] = []

    def blocks(self, nodes: Nodes) -> Markup:
        """Paragraphs, and what stands between them."""
        found: list[str] = []
        words: list[str] = []

        def end_paragraph() -> None:
            text = "".join(words).strip()
            if text:
                self.paragraphs.append((self.headings[-1][1] if self.headings else "", text))
                found.append(f"{self.beside(len(self.paragraphs) - 1)}<p>{text}</p>")
            words.clear()

        for node in with_breaks(nodes):
            if node is BREAK:
                end_paragraph()
            elif is_display(node) or isinstance(node, tex.LatexEnvironmentNode) or is_macro(node, *SECTIONS):
                end_paragraph()
                found.append(self.heading(node) if isinstance(node, tex.LatexMacroNode) else self.environment(node))
            elif is_macro(node, "appendix", "label", "paragraph"):
                words.append(self.mark(node))
            elif has_block(node):
                end_paragraph()
                found.append(self.blocks(inner_of(node)))
            else:
                words.append(self.shown(node))
        end_paragraph()
        return Markup("\n".join(map(str, found)))

    def mark(self, node: Node) -> str:
        """A place in the text: a label, a heading in a line, or the beginning of the appendix."""
        if node.macroname == "appendix":
            self.appendix, self.levels = True, [0, 0, 0]
            return ""
        if node.macroname == "paragraph":
            return f"<b>{self.inline(arguments(node)[0])}</b> "
        label = plain(arguments(node)[0])
        return f'<a id="{escape(anchor(label))}"></a>{self.margin([label])}'

    def heading(self, node: Node) -> str:
        """The heading of a section, with what is said of the section itself beside it."""
        depth, title = SECTIONS.index(node.macroname), self.inline(arguments(node)[0])
        if starred(node):
            return f"<h{depth + 2}>{title}</h{depth + 2}>"
        self.levels[depth:] = [self.levels[depth] + 1, 0, 0][: 3 - depth]
        parts = [f"{level}" for level in self.levels if level]
        number = ".".join([chr(ord("A") + self.levels[0] - 1), *parts[1:]] if self.appendix else parts)
        key = f"section-{number}"
        self.headings.append((depth, key, f"{number} {title}"))
        text = f'<h{depth + 2} id="{anchor(key)}"><span class="number">{number}</span> {title}</h{depth + 2}>'
        return f"{text}{self.margin([key])}"

    def environment(self, node: Node) -> str:
        """An environment, by its name; what is not known is shown by its contents."""
        if is_display(node):
            return self.display(node)
        name, option = node.environmentname, next(iter(options(node)), None)
        if name in ENVIRONMENTS:
            return self.statement(node, option)
        if name == "proof":
            title = self.inline(option) if option else "Proof"
            inner = self.blocks(node.nodelist)
            return f'<div class="proof"><p class="head"><em>{title}.</em></p>{inner}<p class="end">∎</p></div>'
        if name in LISTS:
            return self.items(node, option)
        if name in TABLES:
            return self.table(node)
        if name.startswith(("figure", "table")):
            return self.figure(node)
        if name == "thebibliography":
            return self.bibliography(node)
        if name == "abstract":
            beside = self.margin(["abstract"])
            return f'<section class="abstract"><h2>Abstract</h2>{beside}{self.blocks(node.nodelist)}</section>'
        if name not in PLAIN_BLOCKS:
            self.unknown[f"begin{{{name}}}"] += 1
        return str(self.blocks(node.nodelist))

    def statement(self, node: Node, option: Nodes | None) -> str:
        """A theorem, a definition or an algorithm, with the verdicts on it beside it."""
        name, named = node.environmentname, self.keys.get(node.pos, ())
        beside = self.margin(named)
        number = self.numbers.get(named[0], name.capitalize()) if named else name.capitalize()
        title = f" ({self.inline(option)})" if option and name != "algorithm" else ""
        if name == "algorithm":
            caption, inner = self.caption(node), self.pseudocode(node.nodelist)
            title = f". {caption}" if caption else ""
        else:
            inner = str(self.blocks(without(node.nodelist, "label")))
        head = f'<p class="head"><b>{escape(number)}</b>{title}</p>'
        return f'<section class="printed {name}"{identity(named)}>{beside}{head}{inner}</section>'

    def caption(self, node: Node) -> str:
        """The caption that stands in an environment."""
        return "".join(self.inline(arguments(child)[0]) for child in node.nodelist if is_macro(child, "caption"))

    def figure(self, node: Node) -> str:
        """A figure with its number."""
        named = tuple(own_labels(node))
        number = self.numbers.get(named[0], "Figure") if named else "Figure"
        caption = f"<figcaption><b>{escape(number)}.</b> {self.caption(node)}</figcaption>"
        beside, inner = self.margin(named), self.blocks(without(node.nodelist, "label", "caption"))
        return f"<figure{identity(named)}>{beside}{inner}{caption}</figure>"

    def items(self, node: Node, option: Nodes | None) -> str:
        """A list."""
        (_, before), *entries = cut(node.nodelist, r"\item")
        first, shown = self.blocks(before), ""
        for item, nodes in entries:
            names = "".join(f"<b>{self.inline(name)}</b> " for name in options(item))
            shown += f"<li>{names}{self.blocks(nodes)}</li>"
        roman = option is not None and any(is_macro(part, "Roman") for part in inside(option))
        kind = LISTS[node.environmentname] + (' type="I"' if roman else "")
        return f"{first}<{kind}>{shown}</{LISTS[node.environmentname]}>"

    def bibliography(self, node: Node) -> str:
        """The bibliography."""
        _, *found = cut(node.nodelist, r"\bibitem")
        named = [(f"cite.{plain(arguments(item)[0])}", self.inline(nodes)) for item, nodes in found]
        items = "".join(f'<li id="{escape(anchor(key))}">{words}</li>' for key, words in named)
        return f'<section class="sources"><h2>References</h2><ol>{items}</ol></section>'

    def display(self, node: Node) -> str:
        """A display, line by line, with its numbers and remarks."""
        named = self.keys.get(node.pos, ())
        numbered = is_environment(node, *NUMBERED)
        self.formulas += 1
        shown = []
        for row in rows(node.nodelist):
            tags, labels, silent, steps = remarks(row)
            beside = "".join(f"<span>{self.inline(tag)}</span>" for tag in tags)
            if steps or (numbered and not silent):
                self.equations += 1
                beside = f"<span>({self.equations})</span>"
            ids = "".join(f'<a id="{escape(anchor(label))}"></a>' for label in labels if label not in named[:1])
            cells = "".join(f"<td>{self.formula(cell, block=True)}</td>" for _, cell in cut(row, "&"))
            shown.append(f'<tr>{cells}<td class="beside">{ids}{beside}</td></tr>')
        place = f'{identity(named)}{" tabindex=0" if shown else ""} role="group" aria-label="formula"'
        aligned = " aligned" if is_environment(node, "align", "align*") else ""
        body = f'<div class="display{aligned}"{place}><table>{"".join(shown)}</table></div>'
        return f"{self.margin(named)}{body}"

    def table(self, node: Node) -> str:
        """A table in a box that scrolls sideways where it is too wide."""
        covered: dict[int, int] = {}
        shown = []
        for row in rows(node.nodelist):
            cells = []
            for column, (_, cell) in enumerate(cut(row, "&")):
                if covered.get(column, 0):
                    covered[column] -= 1
                    continue
                down, across = spans(cell)
                covered[column] = down - 1
                over = (f' rowspan="{down}"' if down > 1 else "") + (f' colspan="{across}"' if across > 1 else "")
                cells.append((over, self.inline(cell).strip()))
            if any(text for _, text in cells):
                shown.append(f"<tr>{''.join(f'<td{over}>{text}</td>' for over, text in cells)}</tr>")
        box = 'class="scroll" tabindex="0" role="region" aria-label="table"'
        return f'<div {box}><table class="grid">{"".join(shown)}</table></div>'

    def pseudocode(self, nodes: Nodes) -> str:
        """The lines of an algorithm; a blank line, a semicolon command or a block ends one."""
        found: list[str] = []
        words: list[str] = []

        def end_line(after: str = "") -> None:
            text = "".join(words).strip()
            if text or after:
                found.append(f"<li>{text}{after}</li>")
            words.clear()

        for node in with_breaks(nodes):
            name = node.macroname if isinstance(node, tex.LatexMacroNode) else ""
            given = arguments(node)
            if node is BREAK or name in (";", "BlankLine"):
                end_line()
            elif name in LOOPS:
                end_line()
                words.append(f"<b>{LOOPS[name]}</b> {self.inline(given[0])}:")
                end_line(self.pseudocode(given[1]))
            elif name == "Else":
                end_line()
                words.append("<b>Else:</b>")
                end_line(self.pseudocode(given[0]))
            elif name in HEADS:
                end_line()
                text = self.inline(given[0]) if given else ""
                found.append(f'<li class="head"><b>{HEADS[name]}</b> {text}</li>')
            elif name in ("Return", "KwRet"):
                words.append(f"<b>Return</b> {self.inline(given[0]) if given else ''}")
            elif name not in ("caption", "label"):
                words.append(self.shown(node))
        end_line()
        return f'<ol class="lines">{"".join(found)}</ol>'


def identity(named: Sequence[str]) -> str:
    """The name of the place of an environment."""
    return f' id="{escape(anchor(named[0]))}" data-keys="{escape(" ".join(named))}"' if named else ""


def with_breaks(nodes: Nodes) -> Iterator[Node]:
    """The nodes, with the ends of paragraphs between them."""
    for node in nodes:
        if not isinstance(node, tex.LatexCharsNode):
            yield node
            continue
        first, *more = BLANK_LINE.split(node.chars)
        yield tex.LatexCharsNode(chars=first)
        for part in more:
            yield BREAK
            yield tex.LatexCharsNode(chars=part)


def inner_of(node: Node) -> Nodes:
    """What stands in a group, or in the last argument of a command."""
    if isinstance(node, tex.LatexMacroNode) and arguments(node) and node.macroname not in ("footnote", "thanks"):
        return arguments(node)[-1]
    return node.nodelist if isinstance(node, tex.LatexGroupNode) else ()


def has_block(node: Node) -> bool:
    """Whether something in braces holds more than a line."""
    inner = inner_of(node)
    own = any(isinstance(child, tex.LatexEnvironmentNode) or is_display(child) for child in inner)
    return own or any(map(has_block, inner))


def without(nodes: Nodes, *names: str) -> Nodes:
    """The nodes of an environment without the commands of these names."""
    return [node for node in nodes if not is_macro(node, *names)]


def rows(nodes: Nodes) -> list[Nodes]:
    """The lines of a table or display."""
    lines = [line for _, line in cut(nodes, r"\\")]
    return [line for line in lines if any(not hasattr(node, "chars") or node.chars.strip() for node in line)]


def spans(cell: Nodes) -> tuple[int, int]:
    """How many rows and columns a cell reaches over."""
    commands = {node.macroname: plain(arguments(node)[0]) for node in cell if is_macro(node, "multirow", "multicolumn")}
    down, across = (commands.get(name, "") for name in ("multirow", "multicolumn"))
    return (int(down) if down.isdigit() else 1), (int(across) if across.isdigit() else 1)


def remarks(line: Nodes) -> tuple[list[Nodes], list[str], bool, bool]:
    """What stands beside a line of a display: tags and labels, whether it has no number, whether it gets one."""
    commands = list(inside(line))
    steps = any(is_macro(node, "stepcounter") for node in commands)
    tags = [arguments(node)[0] for node in commands if is_macro(node, "tag") and not steps]
    labels = [plain(arguments(node)[0]) for node in commands if is_macro(node, "label")]
    return tags, labels, any(is_macro(node, "nonumber", "notag", "tag") for node in commands), steps
