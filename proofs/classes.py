"""The classes that the ledger is counted and sorted by, and the errata page that is made from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from panshuffle.proofs.paper import position
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import DECIDED, HERE, KERNEL, RECORDED, STEPS, WHOLE, WRONG, Verdict

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
Row = tuple[str, str, str, str]
"""Verdict, severity, how much was decided here, and what the kernel says."""


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


def count_table(rows: Iterable[Row]) -> str:
    """By verdict and severity, worst first: how many are decided here, and how many on the record alone, as a table."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for verdict, severity, here, kernel in rows:
        held = counts.setdefault((verdict, severity), Counter())
        on_record = verdict in ("proved", "repaired") and here not in (WHOLE, STEPS) and kernel == RECORDED
        held.update(["all", here] + ["on record"] * on_record)
    grades = ("all", *HERE, "on record")
    columns = [f"here: {name}" for name in HERE]
    lines = [f"| verdict | severity | statements | {' | '.join(columns)} | on a recorded run alone |"]
    lines.append("|---" * (len(grades) + 2) + "|")
    for verdict, severity in sorted(counts, key=lambda key: (CLASSES.index(class_of(*key)), key)):
        held = counts[verdict, severity]
        lines.append(f"| {verdict} | {severity or '—'} | {' | '.join(str(held[name] or '—') for name in grades)} |")
    return "\n".join(lines)


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


# The errata page, made from the ledger: what of the paper does not hold as printed, why, and what holds instead.

HEAD = """# Errata

This page is made from the ledger by `panshuffle verify --errata docs/errata.md`; a test compares the two.
Each entry is a statement of *Connecting Robust Shuffle Privacy and Pan-Privacy* that does not hold exactly as printed,
with a witness that `panshuffle verify` computes, or else that of a theorem in Coq. They are sorted by how much they
matter, and stand in the order of the paper within each class. *repaired* means that the repair was proved for all its
parameters, too; *refuted* that only the failure was, or the repair for a finite range alone. What is a mere convention
is no error, and comes last.
"""
SHARPER = """## Looser than need be

Statements that hold, but for which the ledger proves more.
"""


def errata(statements: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The page: a table of all entries, each of them in full, and the sharper statements beside the paper's."""
    found = classified(statements, verdicts)
    wrong = {severity: found[severity] for severity in SEVERITIES if severity in found}
    rows = [row(slug, statements, verdicts) for slugs in wrong.values() for slug in slugs]
    errors = sum(len(slugs) for severity, slugs in wrong.items() if severity != CONVENTION)
    number = f"{errors} errors, and {len(wrong.get(CONVENTION, []))} conventions that are none."
    table = "\n".join(["| statement | where | severity | verdict |", "|---|---|---|---|", *rows])
    entries = []
    for severity, slugs in wrong.items():
        entries += [f"## {severity.capitalize()}: {SEVERITIES[severity]}", ""]
        entries += [entry(slug, statements[slug], verdicts[slug]) for slug in slugs]
    beyond = sharper(statements, found.get("proved", []))
    return plain("\n".join([HEAD, number, "", table, "", *entries, SHARPER, beyond, ""]))


def row(slug: str, statements: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The line of an entry in the table."""
    statement = statements[slug]
    return f"| [{slug}](#{slug}) | {cell(statement.where)} | {statement.severity} | {verdicts[slug].verdict} |"


def sharper(statements: Mapping[str, Statement], proved: list[str]) -> str:
    """The table of what is proved beside the paper's statements."""
    found = [slug for slug in proved if statements[slug].kind == "sharper"]
    rows = [f"| {slug} | {cell(statements[slug].where)} | {cell(statements[slug].printed)} |" for slug in found]
    return "\n".join(["| statement | where | what holds |", "|---|---|---|", *rows])


def entry(slug: str, statement: Statement, verdict: Verdict) -> str:
    """One erratum in full."""
    lines = [f"### {slug}", "", f"*Where*: {statement.where}" + (f" (`{statement.label}`)" if statement.label else "")]
    lines += ["", f"*Printed*: {statement.printed}"]
    lines += ["", f"*Read as*: {statement.reading}"] if statement.reading else []
    lines += ["", f"*Witness*: {verdict.witness}"]
    lines += ["", f"*Why it fails*: {statement.why}"] if statement.why else []
    if statement.repair:
        lines += ["", f"*Repair* ({how(statement, verdict)}): {statement.repair.says}"]
    lines += ["", f"*What is above it*: {statement.survives}"] if statement.survives else []
    return "\n".join([*lines, ""])


def how(statement: Statement, verdict: Verdict) -> str:
    """How far the repair is checked, in words."""
    if verdict.verdict == "repaired":
        return "proved for all parameters"
    checked = statement.repair.checked if statement.repair else ""
    return f"checked for {checked}" if checked else "described"


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return text.replace("|", "\\|")
