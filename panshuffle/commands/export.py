"""`panshuffle export`: the exact pair of laws behind an answer, as JSON or CSV."""

from __future__ import annotations

import argparse
import json

from panshuffle.options import add_json, add_options

ENDINGS = (".json", ".csv")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_options(parser, "export")
    parser.add_argument("-o", "--output", metavar="FILE", help="FILE.json or FILE.csv (default: CSV, printed)")
    add_json(parser, "print JSON, or what was written, instead")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from exact.errors import InputError
    from panshuffle.answers.export import resolve
    from panshuffle.output import destination
    from panshuffle.question import Question

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise InputError(f"output = {args.output} is not allowed: output must end in .json or .csv")
    found = resolve(Question.parsed("export", args))()
    as_json = args.json if args.output is None else args.output.endswith(".json")
    with destination(args.output) as stream:
        stream.write(found.json_text() if as_json else str(found))
    if args.output is None:
        return 0
    if args.json:
        print(json.dumps(found.about() | {"output": args.output, **found.size()}))
    else:
        print(f"{args.output}: {len(found.pair.outcomes)} outcomes ({found.outcome}), {found.kind} masses")
    return 0
