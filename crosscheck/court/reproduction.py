"""The smallest case with the same ruling, and the program that shows it without anything of ours."""

from __future__ import annotations

import platform
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from crosscheck.court.accountant import Accountant
from crosscheck.court.case import DELTA, Case
from crosscheck.court.isolation import IsolatedAccountant
from crosscheck.court.ruling import UNSOUND, Ruling, rulings_of
from crosscheck.court.truth import Truth
from exact.errors import InputError

MOST_TRIALS = 60
MOST_SECONDS = 30.0
"""The limits of one search: every whole number up to 10^18 can be bisected once."""


@dataclass(frozen=True)
class Reproduction:
    """An unsound answer to a small question, and the program that gets it."""

    ruling: Ruling
    program: str
    trials: int

    @property
    def file_name(self) -> str:
        """A name for the program."""
        question = self.ruling.question
        words = [self.ruling.accountant, question.family.name, question.quantity, self.ruling.side]
        return "".join(c if c.isalnum() else "_" for c in "-".join(words)) + ".py"


def reproduction_of(ruling: Ruling, accountant: Accountant, isolated: IsolatedAccountant) -> Reproduction:
    """The smallest unsound question that is found within a limited number of trials and seconds.

    Doubles are rounded where that keeps it unsound; each whole number is bisected between its least value and where
    the answer is unsound, so that one less was tried and is not, unless the limits ended the search.
    """
    search = Search(ruling, accountant, isolated)
    for place in places(ruling.question):
        search.shorten(place)
    for place in 2 * places(ruling.question):
        search.bisect(place)
    best = unsound_ruling(search.best.question, ruling, accountant, isolated) if search.trials else None
    return Reproduction(best or ruling, program_of(best or ruling, accountant), search.trials)


class Search:
    """A search for a smaller question that is answered unsoundly on the same side."""

    def __init__(self, ruling: Ruling, accountant: Accountant, isolated: IsolatedAccountant) -> None:
        self.best, self.accountant, self.isolated = ruling, accountant, isolated
        self.trials, self.end = 0, time.monotonic() + MOST_SECONDS

    def shorten(self, place: str) -> None:
        """Rounds a double, if that keeps the ruling."""
        value = value_at(self.best.question, place)
        if isinstance(value, float):
            any(self.holds(with_value(self.best.question, place, option)) for option in shorter(value))

    def bisect(self, place: str) -> None:
        """Makes a whole number smaller, down to one whose predecessor is no longer unsound."""
        value = value_at(self.best.question, place)
        if isinstance(value, float):
            return
        low = (1 if place == "k" else int(self.best.question.family.smallest[place])) - 1
        high = value
        while high - low > 1:
            middle = (low + high) // 2
            if self.holds(with_value(self.best.question, place, middle)):
                high = middle
            else:
                low = middle

    def holds(self, question: Case) -> bool:
        """Whether the answer to this question is unsound too, which then is the best so far."""
        if self.trials >= MOST_TRIALS or time.monotonic() > self.end:
            return False
        self.trials += 1
        again = unsound_ruling(question, self.best, self.accountant, self.isolated, confirm=False)
        self.best = again or self.best
        return again is not None


def places(question: Case) -> list[str]:
    """What can be made smaller: where the curve is read, the number of runs, and the letters."""
    return ["at", "k", *(letter for letter, _ in question.letters)]


def value_at(question: Case, place: str) -> float:
    """The value at a place."""
    return {"at": question.at, "k": question.k, **dict(question.letters)}[place]


def with_value(question: Case, place: str, value: float) -> Case:
    """The question with another value at a place."""
    if place == "at":
        return replace(question, at=value)
    if place == "k":
        return replace(question, k=int(value))
    return replace(question, letters=tuple((name, value if name == place else old) for name, old in question.letters))


def unsound_ruling(
    question: Case, like: Ruling, accountant: Accountant, isolated: IsolatedAccountant, confirm: bool = True
) -> Ruling | None:
    """The ruling on the same side of a smaller question, where it is unsound too."""
    try:
        truth = Truth(question, confirm)
        if accountant.script(question) is None:
            return None
        if question.quantity == DELTA and not truth.value.lower > 0:
            return None
        rulings = rulings_of(truth, like.accountant, isolated.ask(question))
    except (InputError, ArithmeticError):
        return None
    return next((one for one in rulings if one.side == like.side and one.verdict == UNSOUND), None)


def shorter(value: float) -> Iterator[float]:
    """A double rounded to fewer digits.

    >>> list(shorter(7.4378))
    [7.0, 7.4]
    """
    for digits in (1, 2):
        option = float(f"{value:.{digits - 1}e}")
        if len(repr(option)) < len(repr(value)) and option > 0:
            yield option


def program_of(ruling: Ruling, accountant: Accountant) -> str:
    """The program, with the truth and how it is computed in comments; it can be pasted into a bug report."""
    question, truth = ruling.question, Truth(ruling.question)
    lower, upper = truth.text
    claim = f"{question.quantity} {'at most' if ruling.side == 'upper' else 'at least'} {ruling.claim}"
    lines = [
        f"{accountant.name} {accountant.version}, Python {platform.python_version()}.",
        f"The question: {question}.",
        f"What is meant: {truth.family.says}.",
        f"The answer of the program below: {claim}.",
        f"The truth, certified: {question.quantity} = {lower if lower == upper else f'[{lower}, {upper}]'}.",
    ]
    if question.quantity != DELTA:
        lines.append(f"In other words, {ruling.said}; the target is {question.at!r}.")
    lines.append(f"How it is computed: {truth.family.first_method}; and again: {truth.family.second_method}.")
    wrapped = (textwrap.wrap(line, 110, initial_indent="# ", subsequent_indent="#   ") for line in lines)
    comments = "\n".join(part for parts in wrapped for part in parts)
    return f"{comments}\n{accountant.script(question)}print({ruling.side})\n"
