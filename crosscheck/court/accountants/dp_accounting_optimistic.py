"""dp-accounting with pessimistic_estimate=False, the rounding that gives a lower estimate."""

from __future__ import annotations

from crosscheck.court.accountants.dp_accounting import IMPORTS, PACKAGE, program
from crosscheck.court.question import Question

__all__ = ["IMPORTS", "NAME", "PACKAGE", "PROMISE", "script"]

NAME = "dp-accounting-optimistic"
PROMISE = "lower estimate"


def script(question: Question) -> str | None:
    """The program."""
    return program(question, "lower", options=", pessimistic_estimate=False")
