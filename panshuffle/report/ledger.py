"""The ledger on the page: a map of all statements, each of them with its verdict and its steps, and the errata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from panshuffle.latex.sentences import claim, in_print, prose, witness
from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import class_of, classified, in_paper_order
from panshuffle.proofs.ledger import NUMBERED, number_of, section_of
from panshuffle.proofs.paper import items
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement, supports
from panshuffle.proofs.verdict import COLUMN, HERE, NONE, VERDICTS, StepResult, Verdict
from panshuffle.template import filled

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


def colour_of(statement: Statement, verdict: Verdict) -> str:
    """What came of a statement: how bad, if it is not so as printed; green only where nothing beneath it is cited."""
    found = class_of(verdict.verdict, statement.severity)
    return LEANING if found == "proved" and verdict.tier == "cited" else found


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
            number_of(statement),
            statement.kind in NUMBERED,
            needs,
            in_print(plain(statement.where)),
        )
        found.setdefault("abstract" if statement.where.startswith("the abstract") else number, []).append(one)
    order = ["abstract", *titles, BESIDE]
    named = {**titles, "abstract": "Abstract", BESIDE: "Beside the paper"}
    return [Section(number, named[number], tuple(found[number])) for number in order if number in found]


def legend(found: list[Section]) -> list[tuple[str, str]]:
    """The colours that occur, worst first, with their meaning."""
    there = {place.colour for section in found for place in section.places}
    return [(colour, words) for colour, words in WORDS.items() if colour in there]


def where_of(statement: Statement) -> str:
    """The section of the paper that a statement is in, in words."""
    return plain(statement.where).partition(",")[0]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The map of all statements, with what each rests on, and its legend."""
    found = sections(known, verdicts)
    return filled("panshuffle.report", "graph.html", sections=found, legend=legend(found))


def statements(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """All statements by section, in the order of the paper, each with its proof folded under it, and their filters."""
    groups = [
        (section, [(known[place.slug], verdicts[place.slug]) for place in section.places])
        for section in sections(known, verdicts)
    ]
    return filled("panshuffle.report", "statements.html", groups=groups, filters=filters(known, verdicts), **SHOWN)


def filters(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> tuple[tuple[str, str, list[str]], ...]:
    """What one can choose by: the name, its words, and the values that there are."""
    sections = dict.fromkeys(where_of(known[slug]) for slug in verdicts)
    forms = dict.fromkeys(form_of(known[slug], verdict) for slug, verdict in verdicts.items())
    classes = {class_of(verdict.verdict, known[slug].severity) for slug, verdict in verdicts.items()}
    return (
        ("verdict", "verdict", [name for name in VERDICTS if any(v.verdict == name for v in verdicts.values())]),
        ("severity", "severity", [name for name in SEVERITIES if name in classes]),
        ("here", "decided here", [name for name in HERE if any(v.here == name for v in verdicts.values())]),
        ("kernel", "by Coq", [name for name in COLUMN if any(v.kernel == name for v in verdicts.values())]),
        ("form", "form", list(forms)),
        ("section", "section", list(sections)),
    )


def errata(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """What is not so as printed, by severity: the witness, the repair, and what survives."""
    severities = [
        (name, SEVERITIES[name], [(known[slug], verdicts[slug]) for slug in slugs])
        for name, slugs in classified(known, verdicts).items()
        if name in SEVERITIES
    ]
    return filled("panshuffle.report", "errata.html", severities=severities, **SHOWN)


def evidence(verdict: Verdict) -> str:
    """The two columns of evidence, where there is any."""
    here = f"here: {verdict.here}" + (f" ({verdict.provers})" if verdict.here != NONE else "")
    return "" if verdict.verdict in ("cited", "definition") else f"{here}, kernel: {verdict.kernel}"


def formula_of(step: StepResult) -> Markup:
    """What a step claims: a formula, or the name of what the kernel or an enumeration checks."""
    return (
        Markup("<code>{}</code>").format(step.text)
        if step.prover in ("kernel", "exhaustive", "scope")
        else claim(step.text)
    )


SHOWN: dict[str, object] = {
    shown.__name__: shown
    for shown in (prose, plain, witness, formula_of, form_of, where_of, colour_of, evidence, supports, number_of)
}
"""What the templates of the ledger call."""
