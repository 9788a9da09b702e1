"""The options that say where a privacy curve is read."""

from __future__ import annotations

import argparse


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options that say where the curve is read."""
    group = parser.add_argument_group("where the curve is read")
    group.add_argument("--at-eps", metavar="X", help="delta at this epsilon")
    group.add_argument("--at-exp-eps", metavar="X", help="delta at this e^epsilon")
    group.add_argument("--at-delta", metavar="X", help="epsilon at this delta")
