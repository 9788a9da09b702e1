"""The annotated paper as one self-contained page."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from panshuffle.annotated.margin import ABSTRACT, BESIDE, Note, elsewhere, notes, shown, spoken_of
from panshuffle.annotated.matching import COUNTED, Matches, check_paper, lost, matched, page_words
from panshuffle.last_run import verdicts_of
from panshuffle.latex.blocks import Blocks
from panshuffle.latex.document import Document, plain, read
from panshuffle.output import destination, located, progress, read_text
from panshuffle.proofs import paper
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.paper import items
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import Verdict
from panshuffle.question import Json
from panshuffle.report.page import PACKAGE as REPORT
from panshuffle.template import filled, kept

PACKAGE = "panshuffle.annotated"
LEGEND = {
    **SEVERITIES,
    "proved": "holds as printed",
    "cited": "taken from elsewhere",
    "definition": "implemented and tested",
}


@dataclass(frozen=True)
class Annotated:
    """The page, what was matched, and what is said of it on the command line."""

    page: str
    matches: Matches
    said: dict[str, Json]


class Margin:
    """The notes on a source, each given out once: where the source has what they are about."""

    def __init__(self, found: dict[str, list[Note]], also: dict[str, list[str]], matches: Matches) -> None:
        self.found = found
        self.also = also
        self.keys = {**matches.keys, ABSTRACT: ABSTRACT}
        self.asked: set[str] = set()
        self.given: list[Note] = []
        self.quoted: dict[int, list[Note]] = {}

    def settle(self, paragraphs: Sequence[tuple[str, str]]) -> None:
        """Moves a note on a section to the paragraph that it speaks of, where the words tell which that is."""
        sections = [item.key for item in items() if item.kind == "section"]
        for key, group in self.found.items():
            for note in [note for note in group if key in sections]:
                place = spoken_of(note.statement, paragraphs)
                if place is not None:
                    group.remove(note)
                    self.quoted.setdefault(place, []).append(note)

    def __call__(self, named: Sequence[str]) -> Markup:
        """What stands beside things with these keys of the source."""
        known = [self.keys[key] for key in named if key in self.keys and self.keys[key] not in self.asked]
        self.asked.update(known)
        here = [note for key in known for note in self.found.get(key, [])]
        self.given += here
        return shown(here, [slug for key in known for slug in self.also.get(key, [])])

    def beside(self, paragraph: int) -> Markup:
        """What stands beside a paragraph."""
        here = self.quoted.get(paragraph, [])
        self.given += here
        return shown(here, [])

    def left(self) -> list[Note]:
        """The notes that found no place."""
        given = {note.verdict.slug for note in self.given}
        groups = [group for key, group in self.found.items() if key != BESIDE]
        return [note for group in groups for note in group if note.verdict.slug not in given]


@dataclass(frozen=True)
class Copy:
    """A copy of the paper's source: its text, its tree, what it prints, and what of that the ledger knows."""

    source: str
    tree: Document
    there: list[paper.Item]
    matches: Matches


def copy_of(text: str) -> Copy:
    """A source, read.  *Raises* `InputError` for one that is damaged, or is not this paper's."""
    source = text.replace("\r\n", "\n").replace("\r", "\n")
    tree = read(source)
    there = paper.read(source)
    matches = matched(there)
    check_paper(there, matches)
    return Copy(source, tree, there, matches)


def annotated(copy: Copy, known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Annotated:
    """The page for a copy of the paper, and what is to be said of it.

    The text is written twice: the paragraphs of the first time tell which of them a note on a section speaks of.
    """
    tree, numbers = copy.tree, {item.key: item.number for item in copy.there}
    margin = Margin(notes(known, verdicts), elsewhere(known), copy.matches)
    first = Blocks(tree.body, numbers, lambda _: Markup(""))
    first.blocks(tree.body)
    margin.settle(first.paragraphs)
    writer = Blocks(tree.body, numbers, margin, margin.beside)
    text = {
        "title": Markup(writer.line.inline(tree.title) or "The paper, annotated"),
        "authors": Markup(writer.line.inline(tree.author)),
        "body": writer.blocks(tree.body),
        "footnotes": writer.line.notes(),
        "headings": [(depth, key, Markup(text)) for depth, key, text in writer.headings],
    }
    everything = "{authors} {body} {footnotes}".format(**text)
    missing, unheard = sorted(lost(copy.source, everything).elements()), sorted(writer.line.unknown)
    said: dict[str, Json] = {
        "matched": copy.matches.environments,
        "missing": [item.key for item in copy.matches.missing],
        "unknown": [item.key for item in copy.matches.unknown],
        "errata": sum(note.verdict.witness is not None for note in margin.given),
        "unplaced": [note.verdict.slug for note in margin.left()],
        "words": sum(page_words(everything).values()),
        "lost": [*missing],
        "formulas": writer.line.formulas,
        "unknown_commands": [*unheard],
    }
    errors = sum(note.wrong for note in margin.given)
    lists = [
        ("In the ledger, but not found in this source", [words(item) for item in copy.matches.missing]),
        ("In this source, but not in the ledger", [words(item) for item in copy.matches.unknown]),
        ("Commands that nothing is known of, shown by their name", [f"\\{name}" for name in unheard]),
        ("Words of the source that this page does not show", missing),
    ]
    beside = margin.found.get(BESIDE, [])
    page = filled(
        PACKAGE,
        "annotated.html",
        shared=kept(REPORT, "static/shared.css"),
        style=kept(PACKAGE, "static/annotated.css"),
        script=kept(PACKAGE, "static/annotated.js"),
        heading=plain(tree.title) or "the paper",
        text=text,
        legend=LEGEND.items(),
        counts=said | {"errors": errors, "known": sum(item.kind in COUNTED for item in items())},
        lost=missing,
        lists=[(title, entries) for title, entries in lists if entries],
        beside=aside("On what this source does not print", margin.left()) + aside("Beside the paper", beside),
    )
    return Annotated(page, copy.matches, said)


def run(args: argparse.Namespace) -> int:
    """Writes the page with the verdicts of the last run; status 1 where a word of the source is not on it."""
    source = read_text(args.paper)
    with located(args.paper):
        copy = copy_of(source)
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        found = annotated(copy, known, verdicts_of(known, advance, args.anew))
        stream.write(found.page)
    result = {"page": args.output, **found.said}
    print(json.dumps(result) if args.json else sentence(result, [item.key for item in found.matches.missing]))
    return int(bool(result["lost"]))


def sentence(result: dict[str, Json], missing: list[str]) -> str:
    """What was done, in words."""
    lost = result["lost"]
    found = "{page}: {matched} environments and displays matched, {errata} errata in place; ".format(**result)
    found += f"{result['words']} words and {result['formulas']} formulas, "
    found += f"but without {lost}" if lost else "none lost"
    return found + (f"\nnot found in the source: {', '.join(missing)}" if missing else "")


def aside(title: str, group: Sequence[Note]) -> Markup:
    """Notes that stand beside nothing, under a heading."""
    return Markup("<h3>{}</h3>{}").format(title, shown(group, [])) if group else Markup("")


def words(item: paper.Item) -> str:
    """Something that the paper prints, in words."""
    return f"{item.number or item.kind} ({item.key}), in “{item.section}”"
