"""`panshuffle curve`: the certified curve of delta over eps, as CSV or as a picture."""

from __future__ import annotations

import argparse

from panshuffle.options import add_json, add_options

ENDINGS = (".csv", ".svg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_options(parser, "curve")
    parser.add_argument("-o", "--output", metavar="FILE", help="FILE.csv, FILE.svg or FILE.png (default: CSV, printed)")
    add_json(parser, "print one JSON object with the rows")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    import json

    from exact.errors import InputError
    from panshuffle.answers.curve import resolve
    from panshuffle.output import destination
    from panshuffle.question import Question

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise InputError(f"output = {args.output} is not allowed: output must end in .csv, .svg or .png")
    found = resolve(Question.parsed("curve", args))()
    if args.output is not None and not args.output.endswith(".csv"):
        from panshuffle.figure import draw_curve

        draw_curve(args.output, args.protocol, found.parameters, found.rows)
    elif args.json:
        print(json.dumps(found.as_dict()))
    else:
        with destination(args.output) as stream:
            stream.write(f"{found}\n")
    return 0
