"""The battery: what every accountant is asked.  Quick questions are those that `--quick` keeps."""

from __future__ import annotations

from dataclasses import dataclass

from crosscheck.court.question import DELTA, EPSILON, Question
from exact.errors import InputError


@dataclass(frozen=True)
class Problem:
    """A question, and whether it is among the quick ones."""

    question: Question
    quick: bool


def asked(family: str, quantity: str, at: float, k: int = 1, quick: bool = False, **letters: float) -> Problem:
    """One row of the battery."""
    return Problem(Question(family, tuple(letters.items()), k, quantity, at), quick)


HALF_EPS = 0.3775406687981454  # the double next to 1/(1 + e^0.5): eps_0 = 0.5 but for rounding

BATTERY = (
    asked("binomial", DELTA, 0.2, quick=True, l=1000),
    asked("binomial", DELTA, 1.0, l=1000),
    asked("binomial", EPSILON, 1e-6, quick=True, l=1000),
    asked("binomial", EPSILON, 0.0, quick=True, l=2000),
    asked("binomial", DELTA, 0.01, l=10**6),
    asked("binomial", DELTA, 0.001, l=10**8),
    asked("binomial", DELTA, 3.1e-7, quick=True, l=10**15),
    asked("binomial", DELTA, 0.5, k=2, l=100),
    asked("binomial", DELTA, 0.2, k=2, quick=True, l=10**4),
    asked("binomial", DELTA, 0.015, k=2, l=10**6),
    asked("binomial", DELTA, 5.0, k=256, l=1000),
    asked("binomial", EPSILON, 1e-6, k=256, l=1000),
    asked("binomial", DELTA, 10.0, k=4096, quick=True, l=10**4),
    asked("binomial", EPSILON, 1e-12, k=4096, l=10**4),
    asked("poisson-pool", DELTA, 0.5, quick=True, mu=100.0),
    asked("poisson-pool", DELTA, 0.1, mu=5000.0),
    asked("poisson-pool", EPSILON, 1e-6, mu=100.0),
    asked("poisson-pair", DELTA, 1.0, quick=True, mu=10.0),
    asked("parity-pool", DELTA, 0.5, quick=True, users=10, holders=1, m=3, q=0.9),
    asked("randomized-response", DELTA, 10.0, k=20, quick=True, p=0.25),
    asked("randomized-response", EPSILON, 1e-6, k=20, p=0.25),
    asked("randomized-response", DELTA, 90.0, k=200, quick=True, p=HALF_EPS),
    asked("randomized-response", EPSILON, 1e-13, k=200, p=HALF_EPS),
    asked("geometric", DELTA, 5.0, k=30, a=0.5),
    asked("geometric", EPSILON, 1e-6, k=30, quick=True, a=0.5),
    asked("gaussian", DELTA, 2.9, k=10, quick=True, sigma=5.0),
    asked("gaussian", EPSILON, 1e-6, k=10, quick=True, sigma=5.0),
    asked("gaussian", DELTA, 20.0, sigma=1.0),
    asked("gaussian", EPSILON, 1e-13, k=10**4, quick=True, sigma=100.0),
    asked("gaussian", EPSILON, 1e-18, k=100, sigma=20.0),
    asked("discrete-gaussian", DELTA, 0.5, quick=True, sigma=10.0),
    asked("discrete-gaussian", DELTA, 5.0, k=64, sigma=10.0),
    asked("discrete-gaussian", EPSILON, 1e-6, k=64, sigma=10.0),
)


def chosen(names: list[str] | None, quick: bool) -> list[Question]:
    """The questions of these families or with these names; all, or the quick ones, where nothing is named.

    *Raises* `InputError` for a name that matches nothing.
    """
    offered = [problem.question for problem in BATTERY if problem.quick or not quick]
    if not names:
        return offered
    for name in names:
        if not any(name in (question.family, question.name) for question in offered):
            families = ", ".join(dict.fromkeys(question.family for question in offered))
            raise InputError(f"problem = {name} is not known: it must be a question's full name or one of {families}")
    return [question for question in offered if question.family in names or question.name in names]
