"""Finite families decided case by case, and the text of an algorithm, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from panshuffle.symbolic.decision import Decision, Status

# The exhaustive prover: a claim over a finite family, decided case by case in exact arithmetic.

Case = TypeVar("Case")

TIER = "exact rational computation"


def check_all(
    claim: Callable[[Case], bool | None], family: Iterable[Case], describe: Callable[[Case], str] = str
) -> Decision:
    """Proved if the claim holds for every case of the family, refuted with the first case where it fails.

    An empty family is undecided: it says nothing.  So is one with a case where the claim is neither True nor False.

    >>> check_all(lambda n: n * n >= n, range(-3, 4)).status
    <Status.PROVED: 'proved'>
    >>> check_all(lambda n: n * n > n, range(2, -1, -1)).witness
    '1'
    """
    cases, decided = 0, True
    for case in family:
        cases += 1
        holds = claim(case)
        if holds is False:
            return Decision(Status.REFUTED, TIER, describe(case))
        decided = decided and holds is True
    return Decision(Status.PROVED if cases and decided else Status.UNDECIDED, TIER)


# The scope prover: a printed algorithm can run only if every name is defined before it is used.


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
