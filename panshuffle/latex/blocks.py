"""The paragraphs of a paper as HTML: sections, statements, proofs, lists, displays, tables and sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from markupsafe import Markup

from panshuffle.latex.algorithm import lines
from panshuffle.latex.inline import Inline, anchor
from panshuffle.latex.mathml import remarks, rows
from panshuffle.latex.nodes import (
    INLINE,
    Command,
    Environment,
    Group,
    Node,
    Nodes,
    Paragraph,
    is_display,
    keys,
    own_labels,
    plain,
)
from panshuffle.latex.table import table
from panshuffle.proofs.paper import ENVIRONMENTS, NUMBERED

Notes = Callable[[Sequence[str]], Markup]
"""What stands in the margin beside the things with these keys."""
SECTIONS = ("section", "subsection", "subsubsection")
LISTS = {"enumerate": "ol", "itemize": "ul", "description": "ul"}


class Blocks:
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
        self.keys = keys(body)
        self.numbers = numbers
        self.notes = notes
        self.beside = beside
        self.paragraphs: list[tuple[str, str]] = []
        self.line = Inline(numbers, body)
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

        for node in nodes:
            if isinstance(node, Paragraph):
                end_paragraph()
            elif (isinstance(node, Environment) and node.name != INLINE) or (
                isinstance(node, Command) and node.name in SECTIONS
            ):
                end_paragraph()
                found.append(self.environment(node) if isinstance(node, Environment) else self.heading(node))
            elif isinstance(node, Command) and node.name in ("appendix", "label", "paragraph"):
                words.append(self.mark(node))
            elif has_block(node):
                end_paragraph()
                found.append(self.blocks(inner_of(node)))
            else:
                words.append(self.line.shown(node))
        end_paragraph()
        return Markup("\n".join(map(str, found)))

    def mark(self, node: Command) -> str:
        """A place in the text: a label, a heading in a line, or the beginning of the appendix."""
        if node.name == "appendix":
            self.appendix, self.levels = True, [0, 0, 0]
            return ""
        if node.name == "paragraph":
            return f"<b>{self.line.inline(node.arguments[0])}</b> "
        label = plain(node.arguments[0])
        return f'<a id="{escape(anchor(label))}"></a>{self.notes([label])}'

    def heading(self, node: Command) -> str:
        """The heading of a section, with what is said of the section itself beside it."""
        depth, title = SECTIONS.index(node.name), self.line.inline(node.arguments[0])
        if node.starred:
            return f"<h{depth + 2}>{title}</h{depth + 2}>"
        self.levels[depth:] = [self.levels[depth] + 1, 0, 0][: 3 - depth]
        parts = [f"{level}" for level in self.levels if level]
        number = ".".join([chr(ord("A") + self.levels[0] - 1), *parts[1:]] if self.appendix else parts)
        key = f"section-{number}"
        self.headings.append((depth, key, f"{number} {title}"))
        text = f'<h{depth + 2} id="{anchor(key)}"><span class="number">{number}</span> {title}</h{depth + 2}>'
        return f"{text}{self.notes([key])}"

    def environment(self, node: Environment) -> str:
        """An environment, by its name; what is not known is shown by its contents."""
        if is_display(node):
            return self.display(node)
        if node.name in ENVIRONMENTS:
            return self.statement(node)
        if node.name == "proof":
            title = self.line.inline(node.option) if node.option else "Proof"
            inner = self.blocks(node.nodes)
            return f'<div class="proof"><p class="head"><em>{title}.</em></p>{inner}<p class="end">∎</p></div>'
        if node.name in LISTS:
            return self.items(node)
        if node.name.rstrip("*") in ("tabular", "array", "tabularx"):
            return table(node, self.line)
        if node.name.startswith(("figure", "table")):
            return self.figure(node)
        if node.name == "thebibliography":
            return self.sources(node)
        if node.name == "abstract":
            beside = self.notes(["abstract"])
            return f'<section class="abstract"><h2>Abstract</h2>{beside}{self.blocks(node.nodes)}</section>'
        if node.name not in ("center", "minipage", "quote", "flushleft", "flushright", "document", "small"):
            self.line.not_known(f"begin{{{node.name}}}")
        return str(self.blocks(node.nodes))

    def statement(self, node: Environment) -> str:
        """A theorem, a definition or an algorithm, with the verdicts on it beside it."""
        named = self.keys.get(node.start, ())
        beside = self.notes(named)
        number = self.numbers.get(named[0], node.name.capitalize()) if named else node.name.capitalize()
        title = f" ({self.line.inline(node.option)})" if node.option and node.name != "algorithm" else ""
        if node.name == "algorithm":
            caption, inner = self.caption(node), lines(node.nodes, self.line)
            title = f". {caption}" if caption else ""
        else:
            inner = str(self.blocks(without(node.nodes, "label")))
        head = f'<p class="head"><b>{escape(number)}</b>{title}</p>'
        return f'<section class="printed {node.name}"{self.identity(named)}>{beside}{head}{inner}</section>'

    def identity(self, named: Sequence[str]) -> str:
        """The name of the place of an environment."""
        return f' id="{escape(anchor(named[0]))}" data-keys="{escape(" ".join(named))}"' if named else ""

    def caption(self, node: Environment) -> str:
        """The caption that stands in an environment."""
        found = [child for child in node.nodes if isinstance(child, Command) and child.name == "caption"]
        return self.line.inline(found[0].arguments[0]) if found else ""

    def figure(self, node: Environment) -> str:
        """A figure with its number."""
        named = tuple(own_labels(node))
        number = self.numbers.get(named[0], "Figure") if named else "Figure"
        caption = f"<figcaption><b>{escape(number)}.</b> {self.caption(node)}</figcaption>"
        beside, inner = self.notes(named), self.blocks(without(node.nodes, "label", "caption"))
        return f"<figure{self.identity(named)}>{beside}{inner}{caption}</figure>"

    def items(self, node: Environment) -> str:
        """A list."""
        entries: list[tuple[str, list[Node]]] = [("", [])]
        for child in node.nodes:
            if isinstance(child, Command) and child.name == "item":
                named = (self.line.inline(option) for option in child.options if option)
                entries.append(("".join(f"<b>{name}</b> " for name in named), []))
            else:
                entries[-1][1].append(child)
        roman = node.option is not None and any(isinstance(n, Command) and n.name == "Roman" for n in node.option)
        kind = LISTS[node.name] + (' type="I"' if roman else "")
        shown = "".join(f"<li>{names}{self.blocks(tuple(nodes))}</li>" for names, nodes in entries[1:])
        return f"{self.blocks(tuple(entries[0][1]))}<{kind}>{shown}</{LISTS[node.name]}>"

    def sources(self, node: Environment) -> str:
        """The bibliography."""
        found: list[tuple[str, list[str]]] = []
        for child in node.nodes:
            if isinstance(child, Command) and child.name == "bibitem":
                found.append((plain(child.arguments[0]), []))
            elif found:
                found[-1][1].append(self.line.shown(child))
        items = "".join(f'<li id="{escape(anchor(f"cite.{key}"))}">{"".join(words)}</li>' for key, words in found)
        return f'<section class="sources"><h2>References</h2><ol>{items}</ol></section>'

    def display(self, node: Environment) -> str:
        """A display, line by line, with its numbers and remarks."""
        named = self.keys.get(node.start, ())
        self.line.formulas += 1
        shown = []
        for line in rows(node.nodes):
            tags, labels, silent, steps = remarks(line)
            beside = "".join(f"<span>{self.line.inline(tag)}</span>" for tag in tags)
            if steps or (node.name in NUMBERED and not silent):
                self.equations += 1
                beside = f"<span>({self.equations})</span>"
            ids = "".join(f'<a id="{escape(anchor(label))}"></a>' for label in labels if label not in named[:1])
            cells = "".join(f"<td>{cell}</td>" for cell in self.line.formula.display(line))
            shown.append(f'<tr>{cells}<td class="beside">{ids}{beside}</td></tr>')
        identity = f'{self.identity(named)}{" tabindex=0" if shown else ""} role="group" aria-label="formula"'
        aligned = " aligned" if node.name.startswith("align") else ""
        body = f'<div class="display{aligned}"{identity}><table>{"".join(shown)}</table></div>'
        return f"{self.notes(named)}{body}"


def inner_of(node: Node) -> Nodes:
    """What stands in a group, or in the last argument of a command."""
    if isinstance(node, Command) and node.arguments and node.name not in ("footnote", "thanks"):
        return node.arguments[-1]
    return node.nodes if isinstance(node, Group) else ()


def has_block(node: Node) -> bool:
    """Whether something in braces holds more than a line."""
    inner = inner_of(node)
    return any(isinstance(child, Environment) and child.name != INLINE for child in inner) or any(map(has_block, inner))


def without(nodes: Nodes, *names: str) -> Nodes:
    """The nodes of an environment without the commands of these names."""
    return tuple(node for node in nodes if not (isinstance(node, Command) and node.name in names))
