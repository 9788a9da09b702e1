"""What stands in the margin: for each thing that the paper prints, the statements on it and their verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from panshuffle.latex.sentences import GREEK
from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import CONVENTION, class_of, in_paper_order, place
from panshuffle.proofs.ledger import section_of
from panshuffle.proofs.paper import ENVIRONMENTS, items, section_number
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.verdict import WRONG, Verdict
from panshuffle.report.ledger import SHOWN
from panshuffle.report.numbers import tight_rows, value_of
from panshuffle.template import filled

PACKAGE = "panshuffle.annotated"
ABSTRACT = "abstract"
BESIDE = ""
"""The key of what is about nothing that the paper prints."""


@dataclass(frozen=True)
class Bound:
    """A number that the paper's bound asks for, the exact one beside it, and the command that gives both."""

    words: str
    exact: str
    paper: str
    command: str


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
            one = Bound(row.words, value_of(answer), printed, f"panshuffle {row.command}")
            found[slug] = (*found.get(slug, ()), one)
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
