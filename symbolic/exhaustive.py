"""The exhaustive prover: a claim over a finite family, decided case by case in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from panshuffle.symbolic.decision import Decision, Status

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
