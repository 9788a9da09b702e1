"""`panshuffle accuracy`: the exact error of a protocol, or the probability of the tester's answer."""

from __future__ import annotations

import argparse

from panshuffle.options import add_json, add_question


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "accuracy")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from panshuffle.answers.accuracy import resolve

    resolve(args.question)().show(args.json)
    return 0
