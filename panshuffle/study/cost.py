"""What a question costs, about: good enough to begin with the long ones and to say how much time is left."""

from __future__ import annotations

from functools import lru_cache
from math import log10, sqrt

from panshuffle.card import card
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.question import Question

SHARE = {"calibrate": 1.0, "privacy": 0.1, "accuracy": 0.5}
SEARCH = 20.0
"""An eps at a delta is found by reading the curve that often, about."""
WHOLE = {"verify": 2.0, "plan": 3.0}
"""What is about no single protocol."""
LEAST = 0.01


def cost(question: Question) -> float:
    """Seconds, about: the card says what a calibration at eps = 1 and delta = 1e-6 takes."""
    if question.kind in WHOLE:
        return WHOLE[question.kind]
    known = card(question.subject)
    base = known.seconds * SHARE[question.kind]
    if question.kind == "privacy" and question.has("at-delta"):
        base *= SEARCH
    eps = number(question, "at-eps", 1.0)
    delta = number(question, "at-delta", 1e-6)
    digits = 1 + log10(1 / delta) if 0 < delta < 1 else 1.0
    size = sqrt(max(number(question, "k", 100.0) / 100, 1.0)) if question.kind == "accuracy" else 1.0
    users = max(number(question, "n", 1.0) / 100, 1.0) if known.slower_with_users else 1.0
    hardness = sqrt(min(max(1 / eps, 1.0), 1e3)) if eps > 0 else 1.0
    return max(base * digits / 7 * hardness * size * min(users, 100.0), LEAST)


def number(question: Question, name: str, otherwise: float) -> float:
    """An option as a float, which is for ordering only."""
    return float_of(question.get(name), otherwise)


@lru_cache(10_000)
def float_of(text: str | None, otherwise: float) -> float:
    """A text as a float, or another where it is absent or no number."""
    try:
        return otherwise if text is None else float(real(text))
    except (InputError, ArithmeticError):
        return otherwise
