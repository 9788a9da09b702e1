"""`panshuffle verify`: check the statements of the paper, in this run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor

from panshuffle.errata import page
from panshuffle.last_run import keep
from panshuffle.ledger_text import explanation, print_list, print_table, verdict_dict
from panshuffle.output import destination, progress
from panshuffle.proofs.check import check_ledger, closure, unsettled, workers
from panshuffle.proofs.ledger import in_section, modules, named, number_of, search, section_of, statement
from panshuffle.proofs.paper import uncovered
from panshuffle.proofs.pins import COLUMNS, differences, missing, pins
from panshuffle.proofs.root import differences_from_root
from panshuffle.proofs.selftest import faults
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.verdict import Verdict


def run(args: argparse.Namespace) -> int:
    """Checks the statements; status 0 if every one comes out as it is pinned and none that must hold is open."""
    if args.list or args.search is not None:
        listed(chosen(args) or list(modules()), args.json)
        return 0
    if args.kernel:
        from panshuffle.proofs.kernel.checker import check_now

        check_now(lambda line: print(line, file=sys.stderr))  # for this process and those that it starts
    with workers() as pool:
        return check(args, chosen(args), pool)


def chosen(args: argparse.Namespace) -> list[str] | None:
    """The statements that are asked for, None for all."""
    parts = [named(text) for text in args.slug]
    parts += [in_section(args.section)] if args.section is not None else []
    parts += [search(args.search)] if args.search is not None else []
    return list(dict.fromkeys(slug for part in parts for slug in part)) if parts else None


def check(args: argparse.Namespace, asked: list[str] | None, pool: ProcessPoolExecutor) -> int:
    """Checks statements and shows what came of it."""
    known = {slug: statement(slug) for slug in closure(modules() if asked is None else asked)}
    wanted = list(known) if asked is None or args.anew or args.kernel else unsettled(asked, known)
    tested = pool.submit(faults)
    with progress("checking", len(wanted)) as (_, advance):
        verdicts = check_ledger(wanted, advance, pool)
    problems = tested.result() + differences_from_root() + differences(known, verdicts)
    if asked is None:
        problems += missing(known) + uncovered(key for one in known.values() for key in one.covers)
    problems += [f"{slug}: {plain(verdict.problem)}" for slug, verdict in verdicts.items() if verdict.problem]
    problems += [f"{slug} is open" for slug, verdict in verdicts.items() if verdict.verdict == "open"]
    if asked is None:
        keep(verdicts)
    show(args, known, {slug: verdicts[slug] for slug in asked or wanted})
    for line in problems:
        print(f"panshuffle verify: {line}", file=sys.stderr)
    return int(bool(problems))


def show(args: argparse.Namespace, known: Mapping[str, Statement], verdicts: dict[str, Verdict]) -> None:
    """Prints the answer in the form that was asked for, and writes the errata page."""
    if args.errata:
        with destination(args.errata) as stream:
            stream.write(page(known, verdicts))
    if args.json:
        rows = [verdict_dict(known[slug], verdict) for slug, verdict in verdicts.items()]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    elif args.explain or args.steps or args.coq:
        pages = [explanation(known[slug], verdict, args.steps, args.coq) for slug, verdict in verdicts.items()]
        print("\n\n".join(pages))
    else:
        print_table(known, verdicts)


def listed(slugs: list[str], as_objects: bool) -> None:
    """Prints the statements as pinned, without checking them."""
    known = {slug: statement(slug) for slug in slugs}
    if not as_objects:
        print_list(known, pins())
        return
    rows = [
        {"slug": slug, "number": number_of(s), "label": s.label, "where": s.where, "section": section_of(s)}
        | {"printed": s.printed}
        | {name: pins().get(slug, {}).get(name) for name in ("verdict", "severity", *COLUMNS)}
        for slug, s in known.items()
    ]
    print(json.dumps(rows, indent=2, ensure_ascii=False))
