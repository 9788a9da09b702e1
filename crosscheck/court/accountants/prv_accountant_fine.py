"""prv-accountant with eps_error=0.001, for compositions that are asked for eps: slower, and close to its limits."""

from __future__ import annotations

from crosscheck.court.accountants.prv_accountant import IMPORTS, PACKAGE, PROMISE, program
from crosscheck.court.question import EPSILON, Question

__all__ = ["IMPORTS", "NAME", "PACKAGE", "PROMISE", "script"]

NAME = "prv-accountant-fine"


def script(question: Question) -> str | None:
    """The program."""
    return program(question, 0.001) if question.quantity == EPSILON and question.k > 1 else None
