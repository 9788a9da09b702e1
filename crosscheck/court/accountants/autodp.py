"""autodp: Renyi accounting, as its tutorials compose mechanisms."""

from __future__ import annotations

from crosscheck.court.question import DELTA, Question

NAME = "autodp"
PACKAGE = "autodp"
IMPORTS = ("autodp.mechanism_zoo", "autodp.transformer_zoo")
PROMISE = "upper bound"

MECHANISMS = {
    "gaussian": "GaussianMechanism({sigma!r}{options})",
    "discrete-gaussian": "DiscreteGaussianMechanism({sigma!r}{options})",
    "randomized-response": "RandresponseMechanism(1 - {p!r}{options})",
}


def script(question: Question) -> str | None:
    """The program."""
    return program(question, "Composition", "")


def program(question: Question, composition: str, options: str) -> str | None:
    """The program with one of autodp's ways to compose."""
    if question.family not in MECHANISMS:
        return None
    method = "approx_delta" if question.quantity == DELTA else "approxDP"
    mechanism = MECHANISMS[question.family].format(**dict(question.letters), options=options)
    return (
        f"from autodp.mechanism_zoo import {mechanism.partition('(')[0]}\n"
        f"from autodp.transformer_zoo import {composition}\n"
        f"law = {composition}()([{mechanism}], [{question.k}])\n"
        f"upper = law.{method}({question.at!r})\n"
    )
