"""`panshuffle verify`: check the statements of the paper, each anew."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proofs.statement import Verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("slug", metavar="SLUG", nargs="*", help="statements to check (default: all)")
    parser.add_argument("--explain", action="store_true", help="print what was checked, the witness and the repair")
    parser.add_argument("--json", action="store_true", help="print one array, one object a statement")


def run(args: argparse.Namespace) -> int:
    """Checks the statements; status 0 if none is open, 1 otherwise."""
    from panshuffle.output import with_progress
    from proofs.statement import check_statement

    chosen = select(args.slug)
    verdicts = [check_statement(slug, chosen[slug]) for slug in with_progress(list(chosen), "checking")]
    if args.json:
        print(json.dumps([as_json(verdict) for verdict in verdicts], indent=2, ensure_ascii=False))
    elif args.explain:
        print("\n\n".join(explanation(verdict) for verdict in verdicts))
    else:
        print_table(verdicts)
    return int(any(verdict.verdict == "open" for verdict in verdicts))


def select(slugs: list[str]) -> dict[str, Any]:
    """The statements that were asked for.  *Raises* `InputError` for a slug that is not in the ledger."""
    from exact.errors import InputError
    from proofs.ledger import statements

    known = statements()
    for slug in slugs:
        if slug not in known:
            raise InputError(f"slug = {slug} is not in the ledger: it must be one of {', '.join(known)}")
    return {slug: known[slug] for slug in slugs} if slugs else known


def as_json(verdict: Verdict) -> dict[str, Any]:
    """One object of the JSON answer."""
    statement = verdict.statement
    return {
        "slug": verdict.slug,
        "label": statement.label,
        "where": statement.where,
        "printed": statement.printed,
        "verdict": verdict.verdict,
        "tier": verdict.tier,
        "rests_on": list(statement.rests_on),
        "witness": verdict.witness,
        "repair": statement.repair,
        "seconds": round(verdict.seconds, 6),
    }


def explanation(verdict: Verdict) -> str:
    """The verdict in full."""
    statement = verdict.statement
    lines = [
        f"{verdict.slug}: {verdict.verdict}",
        f"  where    {statement.where}",
        f"  printed  {statement.printed}",
        f"  evidence {verdict.tier}",
    ]
    lines += [f"  witness  {verdict.witness}"] if verdict.witness else []
    lines += [f"  repair   {statement.repair}"] if statement.repair else []
    return "\n".join(lines)


def print_table(verdicts: list[Verdict]) -> None:
    """The table and the count of each verdict."""
    width = max(len(verdict.slug) for verdict in verdicts)
    for verdict in verdicts:
        print(f"{verdict.slug:<{width}}  {verdict.verdict:<8}  {verdict.witness or ''}")
    names = ("proved", "repaired", "refuted", "cited", "open")
    counts = {name: sum(verdict.verdict == name for verdict in verdicts) for name in names}
    print(f"{len(verdicts)} statements: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count))
