"""`panshuffle curve`: the certified curve of delta over eps, as CSV or as a picture."""

from __future__ import annotations

import argparse
import json

from panshuffle.answers.curve import resolve
from panshuffle.output import check_ending, destination
from panshuffle.plotting import curve_figure, save
from panshuffle.question import Question


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check_ending("output", args.output, (".csv", ".svg", ".png"))
    found = resolve(Question.parsed("curve", args))()
    if args.output is not None and not args.output.endswith(".csv"):
        save(curve_figure(args.protocol, found.parameters, found.rows), args.output)
    elif args.json:
        print(json.dumps(found.as_dict()))
    else:
        with destination(args.output) as stream:
            stream.write(f"{found}\n")
    return 0
