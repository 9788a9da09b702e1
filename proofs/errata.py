"""The errata page, made from the ledger: what of the paper does not hold as printed, why, and what holds instead."""

from __future__ import annotations

from collections.abc import Mapping

from proofs.statement import Statement
from proofs.verdict import Verdict

HEAD = """# Errata

This page is made from the ledger by `panshuffle verify --errata docs/errata.md`; a test compares the two.
Each entry is a statement of *Connecting Robust Shuffle Privacy and Pan-Privacy* that does not hold exactly as printed,
with a witness that `panshuffle verify` computes anew. *repaired* means that the repair was checked too; *refuted* that
only the failure was.
"""


SHARPER = """## Looser than need be

Statements that hold, but for which the ledger proves more.
"""


def errata(statements: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The page: a table of all entries, each of them in full, and the sharper statements beside the paper's."""
    wrong = [slug for slug, verdict in verdicts.items() if verdict.verdict in ("refuted", "repaired")]
    rows = [f"| [{slug}](#{slug}) | {cell(statements[slug].where)} | {verdicts[slug].verdict} |" for slug in wrong]
    table = "\n".join(["| statement | where | verdict |", "|---|---|---|", *rows])
    entries = [entry(slug, statements[slug], verdicts[slug]) for slug in wrong]
    return "\n".join([HEAD, table, "", *entries, SHARPER, sharper(statements, verdicts), ""])


def sharper(statements: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The table of what is proved beside the paper's statements."""
    found = [
        slug for slug, verdict in verdicts.items() if statements[slug].kind == "sharper" and verdict.verdict == "proved"
    ]
    rows = [f"| {slug} | {cell(statements[slug].where)} | {cell(statements[slug].printed)} |" for slug in found]
    return "\n".join(["| statement | where | what holds |", "|---|---|---|", *rows])


def entry(slug: str, statement: Statement, verdict: Verdict) -> str:
    """One erratum in full."""
    lines = [f"## {slug}", "", f"*Where*: {statement.where}" + (f" (`{statement.label}`)" if statement.label else "")]
    lines += ["", f"*Printed*: {statement.printed}"]
    lines += ["", f"*Witness*: {verdict.witness}"]
    lines += ["", f"*Why it fails*: {statement.why}"] if statement.why else []
    if statement.repair:
        lines += [
            "",
            f"*Repair* ({'checked' if verdict.verdict == 'repaired' else 'described'}): {statement.repair.says}",
        ]
    lines += ["", f"*What is above it*: {statement.survives}"] if statement.survives else []
    return "\n".join([*lines, ""])


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return text.replace("|", "\\|")
