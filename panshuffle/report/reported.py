"""What a card asks the report to show: a row of the table of tight values, or a figure; and where it stands there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TightRow:
    """A row: its place, what it is about, and the command, with {} for the protocol's name.

    `slug` is the statement that the number stands beside where the paper prints no number of its own.
    """

    place: int
    words: str
    command: str
    slug: str = ""


@dataclass(frozen=True)
class Drawing:
    """A figure: its place, title and axes, the values of X, and for each line its label, command and what is read.

    In a command {} stands for the protocol's name and X for the value.  What is read of the answer is EXACT, both ends
    of it; THRESHOLD, the same, of what the paper prints; or PAPER, the paper's bound.  A line that reads FORMULA has an
    expression in X in place of a command: a bound that the paper prints.  `seen` says what the picture shows.
    """

    place: int
    slug: str
    title: str
    x: str
    y: str
    xs: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...]
    seen: str = ""
    log_x: bool = False
    log_y: bool = True


EXACT, THRESHOLD, PAPER, FORMULA = "exact", "threshold", "paper", "formula"


def beside_paper(command: str, exact: str = "exact (certified)") -> tuple[tuple[str, str, str], ...]:
    """The lines of a command's answer and of the paper's bound beside it."""
    return (exact, command, EXACT), ("the paper's bound", command, PAPER)


Reported = TightRow | Drawing
