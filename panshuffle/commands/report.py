"""`panshuffle report`: the living erratum as one self-contained page."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

from panshuffle.exact.errors import ParameterError
from panshuffle.last_run import verdicts_of
from panshuffle.output import destination, progress
from panshuffle.plotting import pyplot
from panshuffle.proofs.ledger import statements
from panshuffle.report.page import page


def run(args: argparse.Namespace) -> int:
    """Writes the page with the verdicts of the last run and with every number; the seconds go to a file beside it."""
    if not args.output.endswith(".html"):
        raise ParameterError("output", args.output, "a name that ends in .html")
    pyplot()
    seconds, marks = dict[str, object](), [perf_counter()]
    known = statements()
    with destination(args.output) as stream, progress("report", len(known)) as (step, advance):
        step("checking the ledger")
        verdicts = verdicts_of(known, advance, args.anew)

        def part(title: str, said: bool = True) -> None:
            marks.append(perf_counter())
            seconds[title] = round(marks[-1] - marks[-2], 3)
            if said:
                step(title)

        part("the ledger", said=False)
        stream.write(page(known, verdicts, part))
    times = str(Path(args.output).with_suffix(".times.json"))
    with destination(times) as stream:
        stream.write(json.dumps(seconds | {"statements": {v.slug: v.seconds for v in verdicts.values()}}, indent=1))
    counts = {verdict.verdict for verdict in verdicts.values()}
    result = {"page": args.output, "times": times, "statements": len(verdicts), "verdicts": sorted(counts)}
    print(json.dumps(result) if args.json else f"{args.output}: {len(verdicts)} statements; times in {times}")
    return int("open" in counts)
