"""The annotated paper as one self-contained page: its text, and in the margin the verdicts on what it states."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from panshuffle.annotated.matching import COUNTED, Matches, check_paper, lost, matched, page_words
from panshuffle.last_run import verdicts_of
from panshuffle.latex.blocks import Blocks
from panshuffle.latex.document import Document, read
from panshuffle.latex.document import plain as letters
from panshuffle.latex.sentences import GREEK
from panshuffle.ledger_text import form_of
from panshuffle.output import destination, located, progress, read_text
from panshuffle.proofs import paper
from panshuffle.proofs.classes import CONVENTION, class_of, in_paper_order, place
from panshuffle.proofs.ledger import section_of, statements
from panshuffle.proofs.paper import ENVIRONMENTS, items, section_number
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import WRONG, Verdict
from panshuffle.question import Json
from panshuffle.report.ledger import SHOWN
from panshuffle.report.numbers import tight_rows, value_of
from panshuffle.report.page import PACKAGE as REPORT
from panshuffle.template import filled, kept

PACKAGE = "panshuffle.annotated"
ABSTRACT = "abstract"
BESIDE = ""
"""The key of what is about nothing that the paper prints."""


Bound = dict[str, str]
"""A number that the paper's bound asks for, the exact one beside it, and the command that gives both."""


@dataclass(frozen=True)
class Note:
    """A statement in the margin, with the verdict on it and exact numbers beside its bound."""

    statement: Statement
    verdict: Verdict
    bounds: tuple[Bound, ...] = field(default=())

    @property
    def kind(self) -> str:
        """The class that colours it: how bad it is, or the verdict."""
        return class_of(self.verdict.verdict, self.statement.severity)

    @property
    def wrong(self) -> bool:
        """Whether it is an error of the paper; a convention is none."""
        return self.verdict.verdict in WRONG and self.kind != CONVENTION

    @property
    def head(self) -> str:
        """What came of it, in a few words."""
        if self.verdict.verdict in WRONG:
            return "a convention" if self.kind == CONVENTION else self.kind
        forms = {"sharper": "sharper, proved", "not printed": f"{self.verdict.verdict}, beside the paper"}
        words = {
            "proved": "holds as printed",
            "checked": "holds, checked on a finite range",
            "definition": "implemented and tested",
        }
        return forms.get(form_of(self.statement, self.verdict), words.get(self.verdict.verdict, self.verdict.verdict))


def bounds() -> dict[str, tuple[Bound, ...]]:
    """The exact numbers beside the paper's bounds, by the statement that the bound is from."""
    found: dict[str, tuple[Bound, ...]] = {}
    for row, answer in tight_rows():
        slug, printed = (answer.paper.slug, answer.paper.value) if answer.paper is not None else (row.slug, "")
        if slug:
            one = {"words": row.words, "exact": value_of(answer), "paper": printed}
            found[slug] = (*found.get(slug, ()), one | {"command": f"panshuffle {row.command}"})
    return found


def notes(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> dict[str, list[Note]]:
    """The notes by the ledger's key of what they are about; what covers several things is at the first of them."""
    numbers = bounds()
    found: dict[str, list[Note]] = {}
    for slug in in_paper_order(known, verdicts):
        note = Note(known[slug], verdicts[slug], numbers.get(slug, ()))
        found.setdefault(key_of(known[slug]), []).append(note)
    return found


def key_of(statement: Statement) -> str:
    """The ledger's key of what a statement is about.

    It is its label if it covers that, else the first theorem or algorithm that it covers, else the first display; a
    statement that covers nothing stands where its words say, and at its label if that is in the same section.
    """
    there = place(statement)
    if there < 0:
        return ABSTRACT
    if there >= len(items()):
        return BESIDE
    order = {item.key: number for number, item in enumerate(items())}
    here, named = items()[int(there)], order.get(statement.label or "")
    if statement.label and statement.label in statement.covers:
        return statement.label
    covered = sorted(
        (key for key in statement.covers if items()[order[key]].kind in ENVIRONMENTS), key=order.__getitem__
    )
    if covered:
        return covered[0]
    same = named is not None and section_number(named) == section_number(there)
    return statement.label if here.kind == "section" and same and statement.label else here.key


def elsewhere(known: Mapping[str, Statement]) -> dict[str, list[str]]:
    """The statements that cover a thing, by its key, where their note stands at another."""
    found: dict[str, list[str]] = {}
    for slug, statement in known.items():
        for key in statement.covers:
            if key != key_of(statement):
                found.setdefault(key, []).append(slug)
    return found


def shown(named: Sequence[Note], others: Sequence[str]) -> Markup:
    """The notes on one thing: the worst first; those that stand elsewhere as links."""
    if not named and not others:
        return Markup("")
    ordered = sorted(named, key=lambda note: (not note.wrong, note.statement.kind in ("sharper", "worst neighbour")))
    return filled(PACKAGE, "note.html", notes=ordered, others=others, **SHOWN)


WORD = re.compile(r"[a-z]{4,}")
FEWEST_WORDS, SHARE = 4, 0.6
"""So many words of four letters or more, and this part of them in one paragraph, tell which it is."""


def words_of(text: str) -> set[str]:
    """The longer words of a text, formulas apart."""
    plain = re.sub(r"<math.*?</math>|<[^>]*>", " ", text, flags=re.DOTALL).lower()
    return set(WORD.findall(plain)) - set(GREEK)


def spoken_of(statement: Statement, paragraphs: Sequence[tuple[str, str]]) -> int | None:
    """The number of the paragraph with most words of a printed sentence, in its section; None where none has enough."""
    wanted = words_of(plain(statement.printed))
    section = f"section-{section_of(statement)}"
    if len(wanted) < FEWEST_WORDS or statement.kind in ("worst neighbour", "sharper", "fact"):
        return None
    scores = [
        (len(wanted & words_of(text)) / len(wanted), -number)
        for number, (key, text) in enumerate(paragraphs)
        if key == section
    ]
    best, place = max(scores, default=(0.0, 0))
    return -place if best >= SHARE else None


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
        "title": Markup(writer.inline(tree.title) or "The paper, annotated"),
        "authors": Markup(writer.inline(tree.author)),
        "body": writer.blocks(tree.body),
        "footnotes": writer.notes(),
        "headings": [(depth, key, Markup(text)) for depth, key, text in writer.headings],
    }
    everything = "{authors} {body} {footnotes}".format(**text)
    missing, unheard = sorted(lost(copy.source, everything).elements()), sorted(writer.unknown)
    said: dict[str, Json] = {
        "matched": copy.matches.environments,
        "missing": [item.key for item in copy.matches.missing],
        "unknown": [item.key for item in copy.matches.unknown],
        "errata": sum(note.verdict.witness is not None for note in margin.given),
        "unplaced": [note.verdict.slug for note in margin.left()],
        "words": sum(page_words(everything).values()),
        "lost": [*missing],
        "formulas": writer.formulas,
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
        heading=letters(tree.title) or "the paper",
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
