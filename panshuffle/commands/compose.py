"""`panshuffle compose`: several mechanisms on the same data, each used several times."""

from __future__ import annotations

import argparse

from panshuffle.answers.compose import resolve
from panshuffle.question import Question


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    args.protocol = " + ".join(args.parts)
    return resolve(Question.parsed("compose", args))().show(args.json)
