"""The ledger as a map: every statement in its section of the paper, by what came of it, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from panshuffle.proofs.classes import class_of, in_paper_order
from panshuffle.proofs.ledger import section_of
from panshuffle.proofs.paper import items
from panshuffle.proofs.statement import SEVERITIES, Statement, supports
from panshuffle.proofs.verdict import Verdict
from panshuffle.prose.references import in_print

MAIN = ("theorem", "lemma", "claim", "corollary", "fact", "algorithm", "definition", "figure")
"""The kinds that a map shows at once; the others unfold."""
LEANING = "leaning"
BESIDE = "0"
WORDS = {
    **SEVERITIES,
    "open": "undecided",
    "checked": "holds on a finite range",
    "proved": "holds, and all beneath it is proved",
    LEANING: "proved, on something that is cited",
    "cited": "taken from elsewhere",
    "definition": "implemented and tested",
}
"""What the colours mean, worst first."""


@dataclass(frozen=True)
class Place:
    """A statement on the map: its slug, its colour, its number in print or its kind, and what it rests on."""

    slug: str
    colour: str
    name: str
    main: bool
    needs: tuple[str, ...]
    where: str


@dataclass(frozen=True)
class Section:
    """A section of the paper with its statements."""

    number: str
    title: str
    places: tuple[Place, ...]

    @property
    def main(self) -> list[Place]:
        """The theorems and what else is shown at once."""
        return [place for place in self.places if place.main]

    @property
    def rest(self) -> list[Place]:
        """Steps, displays and sentences."""
        return [place for place in self.places if not place.main]


def colour_of(statement: Statement, verdict: Verdict) -> str:
    """What came of a statement: how bad, if it is not so as printed; green only where nothing beneath it is cited."""
    found = class_of(verdict.verdict, statement.severity)
    return LEANING if found == "proved" and verdict.tier == "cited" else found


def name_of(statement: Statement) -> str:
    """The number of the first thing with a number that a statement covers, or of its label; else its kind."""
    numbers = {item.key: item.number for item in items()}
    named = [*statement.covers, *([statement.label] if statement.label and statement.kind in MAIN else [])]
    named = ["fig:results"] if statement.kind == "figure" else named
    return next((numbers[key] for key in named if numbers.get(key)), statement.kind)


def sections(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> list[Section]:
    """The sections of the paper that have statements, in its order; what is beside the paper comes last."""
    titles = {
        item.number.removeprefix("Section "): item.section.replace("\\&", "&")
        for item in items()
        if item.key.startswith("section-")
    }
    found: dict[str, list[Place]] = {}
    for slug in in_paper_order(known, verdicts):
        statement, number = known[slug], section_of(known[slug])
        needs = tuple(name for name in dict.fromkeys(supports(statement)) if name in verdicts)
        one = Place(
            slug,
            colour_of(statement, verdicts[slug]),
            name_of(statement),
            statement.kind in MAIN,
            needs,
            in_print(statement.where),
        )
        found.setdefault("abstract" if statement.where.startswith("the abstract") else number, []).append(one)
    order = ["abstract", *titles, BESIDE]
    named = {**titles, "abstract": "Abstract", BESIDE: "Beside the paper"}
    return [Section(number, named[number], tuple(found[number])) for number in order if number in found]


def legend(found: list[Section]) -> list[tuple[str, str]]:
    """The colours that occur, worst first, with their meaning."""
    there = {place.colour for section in found for place in section.places}
    return [(colour, words) for colour, words in WORDS.items() if colour in there]
