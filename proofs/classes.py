"""The classes that the ledger is counted and sorted by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from panshuffle.proofs.paper import position
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import DECIDED, KERNEL, STEPS, WHOLE, WRONG, Verdict

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


def class_of(verdict: str, severity: str) -> str:
    """The class of a statement: its severity if it is not true as printed, else its verdict."""
    return severity if verdict in WRONG and severity in SEVERITIES else "open" if verdict in WRONG else verdict


def place(statement: Statement) -> float:
    """Where in the paper a statement stands."""
    return position(statement.covers, plain(statement.where), statement.label)


def in_paper_order(known: Mapping[str, Statement], slugs: Iterable[str]) -> list[str]:
    """Some statements in the order of the paper; what is not in it comes last."""
    return sorted(slugs, key=lambda slug: (place(known[slug]), slug))


def classified(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> dict[str, list[str]]:
    """The slugs of each class that has any, in paper order, the classes worst first."""
    found: dict[str, list[str]] = {name: [] for name in CLASSES}
    for slug in in_paper_order(known, verdicts):
        found[class_of(verdicts[slug].verdict, known[slug].severity)].append(slug)
    return {name: slugs for name, slugs in found.items() if slugs}


def opening(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> list[str]:
    """The first lines of a run: what needs a correction, what was decided on this machine, what stands on a record."""
    classes = Counter(class_of(verdict.verdict, known[slug].severity) for slug, verdict in verdicts.items())
    wrong = [f"{classes[name]} {name}" for name in SEVERITIES if classes[name]]
    decided = [verdict for verdict in verdicts.values() if verdict.verdict in DECIDED]
    grades = Counter(verdict.here for verdict in decided)
    lines = [f"{sum(classes[name] for name in SEVERITIES)} of {many(len(verdicts))} need a correction"]
    lines[0] += f" ({', '.join(wrong)})." if wrong else "."
    here = grades[WHOLE] + grades[STEPS]
    lines.append(
        f"{here} of the {len(decided)} that are neither cited nor definitions were decided on this machine now: "
        f"{grades[WHOLE]} whole, {grades[STEPS]} step by step."
    )
    on_record = sum(verdict.on_record for verdict in decided)
    if on_record:
        stand = "stands" if on_record == 1 else "stand"
        lines.append(f"{on_record} {stand} on a recorded run of Coq, which `make kernel` repeats.")
    now = sum(verdict.kernel == KERNEL for verdict in decided)
    was = "was" if now == 1 else "were"
    return [*lines, f"{now} {was} checked by Coq in this run, too."] if now else lines


def many(number: int) -> str:
    """A number of statements."""
    return f"{number} statement" + "s" * (number != 1)
