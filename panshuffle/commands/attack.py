"""`panshuffle attack`: the optimal distinguisher of two neighbours as an event, and a run of it on samples."""

from __future__ import annotations

import argparse

from panshuffle.options import add_certificate, add_json, add_question


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "attack")
    add_certificate(parser, "the lower bound")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0, or 1 where the samples contradict the exact probabilities."""
    from panshuffle.answers.attack import resolve

    found = resolve(args.question)()
    found.show(args.json, args.certificate)
    return int(not found.consistent)
