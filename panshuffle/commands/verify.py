"""`panshuffle verify`: check the statements of the paper, each anew."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proofs.statement import Statement
    from proofs.verdict import StepResult, Verdict

VERDICTS = ("proved", "repaired", "refuted", "cited", "definition", "open")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("slug", metavar="SLUG", nargs="*", help="statements to check (default: all)")
    parser.add_argument("--explain", action="store_true", help="print hypotheses, steps, witness and repair in full")
    parser.add_argument("--kernel", action="store_true", help="run the proof kernel (Coq) anew, too")
    parser.add_argument("--errata", metavar="FILE", help="write the errata page")
    parser.add_argument("--json", action="store_true", help="print one array, one object a statement")


def run(args: argparse.Namespace) -> int:
    """Checks the statements; status 0 if every one comes out as it is pinned and none that must hold is open."""
    from proofs.check import check_ledger, closure
    from proofs.ledger import statements
    from proofs.paper import uncovered
    from proofs.pins import differences, machinery_differences, missing
    from proofs.selftest import faults

    known = statements()
    args.slug = [slug for text in args.slug for slug in named(text, known)]
    if args.kernel:
        run_kernel()
    with progress(len(closure(args.slug or known))) as advance:
        verdicts = check_ledger(args.slug or list(known), advance)
    shown = {slug: verdicts[slug] for slug in args.slug} if args.slug else verdicts
    problems = faults() + machinery_differences() + differences(known, verdicts)
    if not args.slug:
        problems += missing(known) + uncovered(key for statement in known.values() for key in statement.covers)
    problems += [f"{slug}: {verdict.problem}" for slug, verdict in verdicts.items() if verdict.problem]
    problems += [f"{slug} is open" for slug, verdict in verdicts.items() if is_open(known[slug], verdict)]
    show(args, known, shown)
    for line in problems:
        print(f"panshuffle verify: {line}", file=sys.stderr)
    return int(bool(problems))


def is_open(statement: Statement, verdict: Verdict) -> bool:
    """Whether a statement is open that must not be: only prose and figures may."""
    return verdict.verdict == "open" and statement.kind not in ("prose", "figure")


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


def named(text: str, known: dict[str, Statement]) -> list[str]:
    """The statements that a slug, or a label of the paper with or without its prefix, names.

    *Raises* `InputError` for one that names none, with the slug that is most like it.
    """
    from difflib import get_close_matches

    from exact.errors import InputError

    if text in known:
        return [text]
    labels = {slug: statement.label or "" for slug, statement in known.items()}
    found = [slug for slug, label in labels.items() if text in (label, label.partition(":")[2])]
    if not found:
        near = get_close_matches(text, [*known, *filter(None, labels.values())], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        count = f"`panshuffle verify` lists all {len(known)} statements"
        raise InputError(f"slug = {text} is not in the ledger: {count}{hint}")
    return found


def show(args: argparse.Namespace, known: dict[str, Statement], verdicts: dict[str, Verdict]) -> None:
    """Prints the answer in the form that was asked for, and writes the errata page."""
    from panshuffle.output import destination

    if args.errata:
        from proofs.errata import errata

        with destination(args.errata) as stream:
            stream.write(errata(known, verdicts))
    if args.json:
        print(
            json.dumps(
                [as_json(known[slug], verdict) for slug, verdict in verdicts.items()], indent=2, ensure_ascii=False
            )
        )
    elif args.explain:
        print("\n\n".join(explanation(known[slug], verdict) for slug, verdict in verdicts.items()))
    else:
        print_table(known, verdicts)


def as_json(statement: Statement, verdict: Verdict) -> dict[str, Any]:
    """One object of the JSON answer."""
    from dataclasses import asdict

    return {
        "slug": verdict.slug,
        "label": statement.label,
        "kind": statement.kind,
        "where": statement.where,
        "printed": statement.printed,
        "hypotheses": list(statement.hypotheses),
        "verdict": verdict.verdict,
        "form": form_of(statement, verdict),
        "tier": verdict.tier,
        "rests_on": list(statement.rests_on),
        "witness": verdict.witness,
        "repair": statement.repair.says if statement.repair else None,
        "cited": statement.cited,
        "steps": [asdict(step) for step in verdict.steps],
        "repair_steps": [asdict(step) for step in verdict.repair_steps],
        "twins": [asdict(twin) for twin in verdict.twins],
        "covers": list(statement.covers),
        "seconds": round(verdict.seconds, 6),
    }


def explanation(statement: Statement, verdict: Verdict) -> str:
    """The verdict in full."""
    lines = [f"{verdict.slug}: {verdict.verdict}", f"  where      {statement.where}"]
    lines += [f"  given      {hypothesis}" for hypothesis in statement.hypotheses]
    lines += [f"  printed    {statement.printed}", f"  evidence   {verdict.tier}"]
    lines += [f"  step       {line}" for line in step_lines(verdict.steps)]
    lines += [f"  witness    {verdict.witness}"] if verdict.witness else []
    lines += [f"  why        {statement.why}"] if statement.why else []
    lines += [f"  repair     {statement.repair.says}"] if statement.repair else []
    lines += [f"  repaired   {line}" for line in step_lines(verdict.repair_steps)]
    lines += [f"  above it   {statement.survives}"] if statement.survives else []
    lines += [f"  cited      {statement.cited}"] if statement.cited else []
    lines += [f"  defined in {statement.implementation}"] if statement.implementation else []
    lines += [f"  rests on   {', '.join(statement.rests_on)}"] if statement.rests_on else []
    lines += [f"  twin       {line}" for line in step_lines(verdict.twins)]
    return "\n".join(lines)


def step_lines(steps: tuple[StepResult, ...]) -> list[str]:
    """Steps in words: what is decided, by whom, and what came of it."""
    return [
        f"{step.says} [{step.prover}: {step.status}]" + (f" ({step.text})" if step.text != step.says else "")
        for step in steps
    ]


def print_table(known: dict[str, Statement], verdicts: dict[str, Verdict]) -> None:
    """The table and the count of each verdict."""
    width = max(len(slug) for slug in verdicts)
    for slug, verdict in verdicts.items():
        support = ", ".join(known[slug].rests_on)
        note = verdict.witness or (f"rests on {support}" if support else known[slug].cited or "")
        cells = f"{slug:<{width}}  {verdict.verdict:<10}  {form_of(known[slug], verdict):<11}  {verdict.tier:<26}"
        print(f"{cells}  {verdict.seconds:6.2f} s  {shorten(note)}".rstrip())
    counts = {name: sum(verdict.verdict == name for verdict in verdicts.values()) for name in VERDICTS}
    print(f"{len(verdicts)} statements: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count))


def form_of(statement: Statement, verdict: Verdict) -> str:
    """Which form of the statement the verdict is on: the printed one, its repair, or one that is not in the paper."""
    if statement.kind == "sharper":
        return "sharper"
    if statement.kind == "worst neighbour" or (statement.kind == "fact" and not statement.covers):
        return "not printed"
    return "repaired" if verdict.verdict == "repaired" else "as printed"


def shorten(text: str, width: int = 90) -> str:
    """A text that fits a line of the table."""
    return text if len(text) <= width else text[: width - 1] + "…"
