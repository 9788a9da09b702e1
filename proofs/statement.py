"""A statement of the paper, and the verdict on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from symbolic.answer import Answer, Status


@dataclass(frozen=True)
class Statement:
    """What is printed, where, and the checker that decides it anew each time.

    `repair` says what holds or runs in its place.  A repair without a checker of its own is a description,
    and the verdict stays *refuted*.
    """

    label: str | None
    where: str
    printed: str
    check: Callable[[], Answer]
    repair: str | None = None
    check_repair: Callable[[], Answer] | None = None
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The outcome of checking a statement."""

    slug: str
    statement: Statement
    verdict: str
    tier: str
    witness: str | None
    seconds: float


def check_statement(slug: str, statement: Statement) -> Verdict:
    """The verdict: proved, refuted, repaired (refuted, and the repair proved) or open."""
    start = perf_counter()
    printed = statement.check()
    verdict = "open" if printed.status is Status.UNDECIDED else printed.status.value
    if verdict == "refuted" and statement.check_repair is not None:
        repaired = statement.check_repair()
        verdict = "repaired" if repaired.status is Status.PROVED else "open"
    return Verdict(slug, statement, verdict, printed.tier, printed.witness, perf_counter() - start)
