"""dp-accounting, composed with tail_mass_truncation=0, which its documentation offers for small deltas."""

from __future__ import annotations

from crosscheck.court.accountants.dp_accounting import IMPORTS, PACKAGE, program
from crosscheck.court.question import Question

__all__ = ["IMPORTS", "NAME", "PACKAGE", "PROMISE", "script"]

NAME = "dp-accounting-untruncated"
PROMISE = "upper bound"


def script(question: Question) -> str | None:
    """The program; without a composition it is the one of dp-accounting, which need not be asked twice."""
    if question.k == 1 and question.family != "poisson-pair":
        return None
    return program(question, "upper", truncation=", tail_mass_truncation=0")
