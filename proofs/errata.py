"""The errata page, made from the ledger: what of the paper does not hold as printed, why, and what holds instead."""

from __future__ import annotations

from collections.abc import Mapping

from panshuffle.proofs.classes import CONVENTION, classified
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import Verdict

HEAD = """# Errata

This page is made from the ledger by `panshuffle verify --errata docs/errata.md`; a test compares the two.
Each entry is a statement of *Connecting Robust Shuffle Privacy and Pan-Privacy* that does not hold exactly as printed,
with a witness that `panshuffle verify` computes anew. They are sorted by how much they matter, and stand in the order
of the paper within each class. *repaired* means that the repair was checked for all its parameters, too; *refuted* that
only the failure was, or the repair for a finite range alone. What is a mere convention is no error, and comes last.
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
    return "\n".join([HEAD, number, "", table, "", *entries, SHARPER, sharper(statements, found.get("proved", [])), ""])


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
        return f"proved for {verdict.coverage}"
    checked = statement.repair.checked if statement.repair else ""
    return f"checked for {checked}" if checked else "described"


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return text.replace("|", "\\|")
