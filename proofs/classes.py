"""The classes that the ledger is counted and sorted by: how bad, if wrong; how far shown, if not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from panshuffle.proofs.paper import position
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import WRONG, Verdict

CLASSES = (*SEVERITIES, "open", "checked", "proved", "cited", "definition")
HEADS = {
    **{name: f"not true as printed, {name}: {words}" for name, words in SEVERITIES.items()},
    "open": "open: undecided",
    "checked": "checked: for a finite range of parameters, without a proof beyond it",
    "proved": "proved: as printed, or as said where it is not in the paper",
    "cited": "cited: taken from elsewhere, not checked",
    "definition": "definitions: implemented and tested",
}
CONVENTION = "convention"
Key = tuple[str, str, str]


def class_of(verdict: str, severity: str) -> str:
    """The class of a statement: its severity if it is not true as printed, else its verdict."""
    return severity if verdict in WRONG and severity in SEVERITIES else "open" if verdict in WRONG else verdict


def place(statement: Statement) -> float:
    """Where in the paper a statement stands."""
    return position(statement.covers, statement.where, statement.label)


def in_paper_order(known: Mapping[str, Statement], slugs: Iterable[str]) -> list[str]:
    """Some statements in the order of the paper; what is not in it comes last."""
    return sorted(slugs, key=lambda slug: (place(known[slug]), slug))


def classified(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> dict[str, list[str]]:
    """The slugs of each class that has any, in paper order, the classes worst first."""
    found: dict[str, list[str]] = {name: [] for name in CLASSES}
    for slug in in_paper_order(known, verdicts):
        found[class_of(verdicts[slug].verdict, known[slug].severity)].append(slug)
    return {name: slugs for name, slugs in found.items() if slugs}


def counts(rows: Iterable[Key]) -> dict[Key, int]:
    """How many statements have each verdict, severity and coverage, worst first."""
    found = Counter(rows)
    return {key: found[key] for key in sorted(found, key=lambda key: (CLASSES.index(class_of(key[0], key[1])), key))}


def count_table(rows: Iterable[Key]) -> str:
    """The counts as a table of a document."""
    lines = ["| verdict | severity | coverage | statements |", "|---|---|---|---|"]
    lines += [f"| {v} | {s or '—'} | {c or '—'} | {n} |" for (v, s, c), n in counts(rows).items()]
    return "\n".join(lines)
