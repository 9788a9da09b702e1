"""`panshuffle privacy`: the certified delta at an eps, or eps at a delta."""

from __future__ import annotations

import argparse

from panshuffle.options import add_certificate, add_json, add_question


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_question(parser, "privacy")
    add_certificate(parser, "a certificate")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from panshuffle.answers.privacy import resolve

    resolve(args.question)().show(args.json, args.certificate)
    return 0
