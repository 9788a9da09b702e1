"""`panshuffle accuracy`: the exact error of a protocol, or the probability of the tester's answer."""

from __future__ import annotations

import argparse

from panshuffle.options import add_question
from panshuffle.showing import add_json, asked, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "accuracy")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    show(asked("accuracy", args), args.json)
    return 0
