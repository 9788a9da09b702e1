"""autodp: the analytical Fourier accountant, by characteristic functions."""

from __future__ import annotations

from crosscheck.court.accountants.autodp import PACKAGE, program
from crosscheck.court.question import Question

__all__ = ["IMPORTS", "NAME", "PACKAGE", "PROMISE", "script"]

NAME = "autodp-phi"
IMPORTS = ("autodp.mechanism_zoo", "autodp.transformer_zoo")
PROMISE = "estimate"


def script(question: Question) -> str | None:
    """The program."""
    if question.family not in ("gaussian", "randomized-response"):
        return None
    return program(question, "ComposeAFA", ", phi_off=False")
