"""`panshuffle verify`: check the statements of the paper, each anew."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from proofs.statement import Statement
    from proofs.verdict import Verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "slug",
        metavar="SLUG",
        nargs="*",
        help="statements to check, by slug, label or printed number such as 'Theorem 3.2' (default: all, and all anew)",
    )
    parser.add_argument("--section", metavar="N", help="the statements of a section, such as 4 or A.2")
    parser.add_argument("--search", metavar="WORDS", help="list the statements with these words; nothing is checked")
    parser.add_argument("--list", action="store_true", help="list the statements as pinned; nothing is checked")
    parser.add_argument("--explain", action="store_true", help="print hypotheses, steps, witness and repair in full")
    parser.add_argument("--anew", action="store_true", help="check what the statements rest on anew, too")
    parser.add_argument("--kernel", action="store_true", help="run the proof kernel (Coq) anew, too")
    parser.add_argument("--errata", metavar="FILE", help="write the errata page")
    parser.add_argument("--json", action="store_true", help="print one array, one object a statement")


def run(args: argparse.Namespace) -> int:
    """Checks the statements; status 0 if every one comes out as it is pinned and none that must hold is open."""
    from proofs.check import workers
    from proofs.ledger import modules

    if args.list or args.search is not None:
        listed(chosen(args) or list(modules()), args.json)
        return 0
    if args.kernel:
        run_kernel()
    with workers() as pool:
        return check(args, chosen(args), pool)


def chosen(args: argparse.Namespace) -> list[str] | None:
    """The statements that are asked for, None for all."""
    from proofs.finding import in_section, named, search

    parts = [named(text) for text in args.slug]
    parts += [in_section(args.section)] if args.section is not None else []
    parts += [search(args.search)] if args.search is not None else []
    return list(dict.fromkeys(slug for part in parts for slug in part)) if parts else None


def check(args: argparse.Namespace, asked: list[str] | None, pool: ProcessPoolExecutor) -> int:
    """Checks statements and shows what came of it."""
    from proofs.check import check_ledger, closure, unsettled
    from proofs.ledger import modules, statement
    from proofs.paper import uncovered
    from proofs.pins import differences, machinery_differences, missing
    from proofs.selftest import faults

    known = {slug: statement(slug) for slug in closure(modules() if asked is None else asked)}
    wanted = list(known) if asked is None or args.anew or args.kernel else unsettled(asked, known)
    tested = pool.submit(faults)
    with progress(len(wanted)) as advance:
        verdicts = check_ledger(wanted, advance, pool)
    problems = tested.result() + machinery_differences() + differences(known, verdicts)
    if asked is None:
        problems += missing(known) + uncovered(key for statement in known.values() for key in statement.covers)
    problems += [f"{slug}: {verdict.problem}" for slug, verdict in verdicts.items() if verdict.problem]
    problems += [f"{slug} is open" for slug, verdict in verdicts.items() if verdict.verdict == "open"]
    show(args, known, {slug: verdicts[slug] for slug in asked or wanted})
    for line in problems:
        print(f"panshuffle verify: {line}", file=sys.stderr)
    return int(bool(problems))


def run_kernel() -> None:
    """Runs the kernel, for this process and those that it starts.  *Raises* `InputError` without Coq."""
    from proofs.kernel.state import check_now

    check_now(lambda line: print(line, file=sys.stderr))


@contextmanager
def progress(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on the terminal, if there is one."""
    from panshuffle.output import shows_progress

    if total < 2 or not shows_progress():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=total)
        yield lambda: bar.advance(task)


def show(args: argparse.Namespace, known: Mapping[str, Statement], verdicts: dict[str, Verdict]) -> None:
    """Prints the answer in the form that was asked for, and writes the errata page."""
    from panshuffle.ledger_text import explanation, print_table, verdict_dict
    from panshuffle.output import destination

    if args.errata:
        from proofs.errata import errata

        with destination(args.errata) as stream:
            stream.write(errata(known, verdicts))
    if args.json:
        rows = [verdict_dict(known[slug], verdict) for slug, verdict in verdicts.items()]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    elif args.explain:
        print("\n\n".join(explanation(known[slug], verdict) for slug, verdict in verdicts.items()))
    else:
        print_table(known, verdicts)


def listed(slugs: list[str], as_objects: bool) -> None:
    """Prints the statements as pinned, without checking them."""
    from panshuffle.ledger_text import print_list
    from proofs.finding import section_of
    from proofs.ledger import statement
    from proofs.pins import pins

    known = {slug: statement(slug) for slug in slugs}
    if not as_objects:
        print_list(known, pins())
        return
    rows = [
        {"slug": slug, "label": s.label, "where": s.where, "section": section_of(s), "printed": s.printed}
        | {name: pins().get(slug, {}).get(name) for name in ("verdict", "severity", "coverage", "tier")}
        for slug, s in known.items()
    ]
    print(json.dumps(rows, indent=2, ensure_ascii=False))
