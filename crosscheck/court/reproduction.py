"""The smallest case with the same ruling, and the program that shows it without anything of ours."""

from __future__ import annotations

import platform
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.family import DELTA, Case
from panshuffle.crosscheck.court.isolation import IsolatedAccountant
from panshuffle.crosscheck.court.ruling import UNSOUND, Ruling, rulings_of
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.exact.errors import InputError

MOST_TRIALS = 60  # of one search: as many as it takes to bisect 10^18
MOST_SECONDS = 30.0  # of one search


@dataclass(frozen=True)
class Reproduction:
    """An unsound reply to a small case, and the program that gets it."""

    ruling: Ruling
    program: str
    trials: int
    truth_program: str | None = None
    report: str = ""

    @property
    def file_name(self) -> str:
        """A name for the program."""
        case = self.ruling.question
        words = [self.ruling.accountant, case.family.name, case.quantity, self.ruling.side]
        return "".join(c if c.isalnum() else "_" for c in "-".join(words)) + ".py"

    def files(self) -> dict[str, str]:
        """The files that a maintainer gets: the call, the truth by hand where there is one, and a text."""
        stem = self.file_name.removesuffix(".py")
        truth = {} if self.truth_program is None else {f"{stem}_truth.py": self.truth_program}
        return {self.file_name: self.program, **truth, f"{stem}.md": self.report}


def reproduction_of(ruling: Ruling, accountant: Accountant, isolated: IsolatedAccountant) -> Reproduction:
    """The smallest unsound case that is found within a limited number of trials and seconds.

    Doubles are rounded where that keeps it unsound; each whole number is bisected between its least value and where
    the reply is unsound, so that one less was tried and is not, unless the limits ended the search.
    """
    search = Search(ruling, accountant, isolated)
    names = list(numbers_of(ruling.question))
    for name in names:
        search.shorten(name)
    for name in 2 * names:
        search.bisect(name)
    best = unsound_ruling(search.best.question, ruling, accountant, isolated) if search.trials else None
    ruling = best or ruling
    case, program = ruling.question, program_of(ruling, accountant)
    eps = case.at if case.quantity == DELTA else float(ruling.claim or 0)
    by_hand = case.family.by_hand
    truth = by_hand(case, max(eps, 0.0)) if by_hand is not None and ruling.side == "upper" else None
    return Reproduction(ruling, program, search.trials, truth, report_of(ruling, accountant, program, truth))


def report_of(ruling: Ruling, accountant: Accountant, program: str, truth: str | None) -> str:
    """The text of a report to those who maintain an accountant."""
    case = ruling.question
    where = f" ({accountant.checkout.repository})" if accountant.checkout else ""
    lines = [
        f"# The {ruling.side} bound on {case.quantity} is on the wrong side of the truth: {case}",
        "",
        f"Version: {accountant.name} {accountant.version}{where}.",
        f"What is promised: {accountant.documented or accountant.promise}.",
        f"What it says: {case.quantity} {'at most' if ruling.side == 'upper' else 'at least'} {ruling.claim}.",
        f"Why that is not so: {ruling.said}. {harm_of(ruling)}".rstrip(),
        "",
        *fenced("The call:", program),
    ]
    if truth is not None:
        lines += ["", *fenced("A lower bound of the truth, with fractions alone:", truth)]
    return "\n".join(lines) + "\n"


def harm_of(ruling: Ruling) -> str:
    """How large the harm is, in a sentence."""
    if ruling.times is None:
        return ""
    if ruling.question.quantity == DELTA:
        return f"The truth is {ruling.times} times the claim."
    return f"At that eps the true delta is {ruling.times} times the target."


def fenced(title: str, program: str) -> list[str]:
    """A program as a block of Markdown."""
    return [title, "", "```python", program.rstrip(), "```"]


class Search:
    """A search for a smaller case with an unsound reply on the same side."""

    def __init__(self, ruling: Ruling, accountant: Accountant, isolated: IsolatedAccountant) -> None:
        self.best, self.accountant, self.isolated = ruling, accountant, isolated
        self.trials, self.end = 0, time.monotonic() + MOST_SECONDS

    def shorten(self, name: str) -> None:
        """Rounds a double, if that keeps the ruling."""
        value = numbers_of(self.best.question)[name]
        if isinstance(value, float):
            any(self.holds(with_number(self.best.question, name, option)) for option in shorter(value))

    def bisect(self, name: str) -> None:
        """Makes a whole number smaller, down to one whose predecessor is no longer unsound."""
        high = numbers_of(self.best.question)[name]
        if isinstance(high, float):
            return
        low = (1 if name == "k" else int(self.best.question.family.smallest[name])) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.holds(with_number(self.best.question, name, middle)) else (middle, high)

    def holds(self, case: Case) -> bool:
        """Whether the reply to this case is unsound too, which then is the best so far."""
        if self.trials >= MOST_TRIALS or time.monotonic() > self.end:
            return False
        self.trials += 1
        again = unsound_ruling(case, self.best, self.accountant, self.isolated, confirm=False)
        self.best = again or self.best
        return again is not None


def numbers_of(case: Case) -> dict[str, float]:
    """What can be made smaller: where the curve is read, the number of runs, and the letters."""
    return {"at": case.at, "k": case.k, **dict(case.letters)}


def with_number(case: Case, name: str, value: float) -> Case:
    """The case with another value of a number."""
    given = numbers_of(case) | {name: value}
    return case.family.case(case.quantity, given.pop("at"), int(given.pop("k")), **given)


def unsound_ruling(
    case: Case, like: Ruling, accountant: Accountant, isolated: IsolatedAccountant, confirm: bool = True
) -> Ruling | None:
    """The ruling on the same side of a smaller case, where it is unsound too."""
    try:
        truth = Truth(case, confirm)
        if accountant.script(case) is None:
            return None
        if case.quantity == DELTA and not truth.value.lower > 0:
            return None
        rulings = rulings_of(truth, like.accountant, isolated.ask(case), accountant.promise)
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
    case, truth = ruling.question, Truth(ruling.question)
    lower, upper = truth.text
    claim = f"{case.quantity} {'at most' if ruling.side == 'upper' else 'at least'} {ruling.claim}"
    lines = [
        f"{accountant.name} {accountant.version}, Python {platform.python_version()}.",
        *([f"Run it in a checkout of {accountant.checkout.address}."] if accountant.checkout else []),
        f"The question: {case}.",
        f"What is meant: {truth.family.says}.",
        f"The answer of the program below: {claim}.",
        f"The truth, certified: {case.quantity} = {lower if lower == upper else f'[{lower}, {upper}]'}.",
    ]
    if case.quantity != DELTA:
        lines.append(f"In other words, {ruling.said}; the target is {case.at!r}.")
    lines.append(f"How it is computed: {truth.family.first_method}; and again: {truth.family.second_method}.")
    wrapped = (textwrap.wrap(line, 110, initial_indent="# ", subsequent_indent="#   ") for line in lines)
    comments = "\n".join(part for parts in wrapped for part in parts)
    return f"{comments}\n{accountant.script(case)}print({ruling.side})\n"
