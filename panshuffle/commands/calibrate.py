"""`panshuffle calibrate`: the least noise that meets a target, with both witnesses."""

from __future__ import annotations

import argparse

from panshuffle.options import add_certificate, add_json, add_question


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "calibrate")
    add_certificate(parser, "both witnesses")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from panshuffle.answers.calibrate import resolve

    resolve(args.question)().show(args.json, args.certificate)
    return 0
