"""The scope prover: a printed algorithm can run only if every name is defined before it is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from panshuffle.symbolic.decision import Decision, Status

TIER = "exact rational computation"


@dataclass(frozen=True)
class Line:
    """A line of pseudocode: its text, the names it uses and the names it defines."""

    text: str
    uses: frozenset[str]
    defines: frozenset[str]


def line(text: str, uses: str = "", defines: str = "") -> Line:
    """A line, with names separated by white space."""
    return Line(text, frozenset(uses.split()), frozenset(defines.split()))


def check_scope(inputs: Iterable[str], lines: Sequence[Line]) -> Decision:
    """Proved if each line uses only inputs (names, or a text of them) and names that an earlier line defines.

    >>> check_scope(["x"], [line("y <- x + z", uses="x z", defines="y")]).witness
    'line 1 (y <- x + z) uses z, which nothing defines'
    """
    known = set(inputs.split() if isinstance(inputs, str) else inputs)
    for number, step in enumerate(lines, start=1):
        missing = sorted(step.uses - known)
        if missing:
            reason = f"line {number} ({step.text}) uses {', '.join(missing)}, which nothing defines"
            return Decision(Status.REFUTED, TIER, reason)
        known |= step.defines
    return Decision(Status.PROVED if lines else Status.UNDECIDED, TIER)
