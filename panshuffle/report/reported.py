"""What a card asks the report to show: a row of the table of tight values, or a figure; and where it stands there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TightRow:
    """A row: its place, what it is about, and the command, with {} for the protocol's name."""

    place: int
    words: str
    command: str


@dataclass(frozen=True)
class Drawing:
    """A figure: its place, title and axes, the values of X, and for each line its label, command and what is read.

    In a command {} stands for the protocol's name and X for the value; "upper" or "paper" is what is read.
    """

    place: int
    slug: str
    title: str
    x: str
    y: str
    xs: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...]
    log_x: bool = False
    log_y: bool = True


Reported = TightRow | Drawing
EXACT, PAPER = "upper", "paper"
