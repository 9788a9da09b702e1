"""`panshuffle report`: the living erratum as one self-contained page."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the page, FILE.html")
    parser.add_argument("--json", action="store_true", help="print one JSON object: what was written")


def run(args: argparse.Namespace) -> int:
    """Checks the ledger anew, asks for every number, and writes the page; the seconds go to a file beside it."""
    from exact.errors import ParameterError
    from panshuffle.figure import pyplot
    from panshuffle.output import destination
    from panshuffle.report.page import page
    from proofs.check import check_ledger
    from proofs.ledger import statements

    if not args.output.endswith(".html"):
        raise ParameterError("output", args.output, "a name that ends in .html")
    pyplot()
    clock = Clock()
    known = statements()
    with destination(args.output) as stream, progress(len(known)) as (step, advance):
        step("checking the ledger")
        verdicts = check_ledger(list(known), advance)
        clock.note("the ledger")

        def part(title: str) -> None:
            clock.note(title)
            step(title)

        stream.write(page(known, verdicts, part))
    times = str(Path(args.output).with_suffix(".times.json"))
    with destination(times) as stream:
        stream.write(
            json.dumps(clock.seconds | {"statements": {v.slug: v.seconds for v in verdicts.values()}}, indent=1)
        )
    counts = {verdict.verdict for verdict in verdicts.values()}
    result = {"page": args.output, "times": times, "statements": len(verdicts), "verdicts": sorted(counts)}
    print(json.dumps(result) if args.json else f"{args.output}: {len(verdicts)} statements; times in {times}")
    return int("open" in counts)


class Clock:
    """How long the parts took."""

    def __init__(self) -> None:
        from time import perf_counter

        self.now = perf_counter
        self.last, self.seconds = perf_counter(), dict[str, object]()

    def note(self, what: str) -> None:
        """The seconds since the last note."""
        self.seconds[what], self.last = round(self.now() - self.last, 3), self.now()


@contextmanager
def progress(total: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """What is being done, and a bar for the ledger, on the terminal if there is one."""
    from panshuffle.output import shows_progress

    if not shows_progress():
        yield (lambda _: None), (lambda: None)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("report", total=total)
        yield (lambda words: bar.update(task, description=words[:60])), (lambda: bar.advance(task))
