"""`panshuffle calibrate`: the least noise that meets a target, with both witnesses."""

from __future__ import annotations

import argparse

from panshuffle.options import add_question
from panshuffle.showing import add_certificate, add_json, asked, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "calibrate")
    add_certificate(parser, "both witnesses")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    show(asked("calibrate", args), args.json, args.certificate)
    return 0
