"""`panshuffle export`: the exact pair of laws behind an answer, as JSON or CSV."""

from __future__ import annotations

import argparse
import json

from panshuffle.answers.export import resolve
from panshuffle.output import check_ending, destination
from panshuffle.question import Question


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check_ending("output", args.output, (".json", ".csv"))
    found = resolve(Question.parsed("export", args))()
    as_json = args.json if args.output is None else args.output.endswith(".json")
    with destination(args.output) as stream:
        stream.write(found.json_text() if as_json else str(found))
    if args.output is None:
        return 0
    if args.json:
        print(json.dumps(found.about | {"output": args.output, **found.size}))
    else:
        print(f"{args.output}: {found.summary}")
    return 0
