"""The judgment of the court: every accountant is put every case, and what it says is judged."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from panshuffle.crosscheck.court.accountant import Accountant, known
from panshuffle.crosscheck.court.family import Case
from panshuffle.crosscheck.court.isolation import MEGABYTES, IsolatedAccountant
from panshuffle.crosscheck.court.reproduction import Reproduction, reproduction_of
from panshuffle.crosscheck.court.ruling import NOT_ASKED, UNSOUND, Ruling, rulings_of
from panshuffle.crosscheck.court.truth import Truth

Progress = Callable[[Sequence[Accountant], str], Iterable[Accountant]]


def silent(items: Sequence[Accountant], what: str) -> Iterable[Accountant]:
    """The items, without a sign of progress."""
    return items


@dataclass(frozen=True)
class Judgment:
    """All rulings, the truths they rest on, and the minimal reproductions of what was unsound."""

    accountants: Sequence[Accountant]
    missing: Sequence[Accountant]
    truths: Sequence[Truth]
    rulings: Sequence[Ruling]
    reproductions: Sequence[Reproduction]
    seconds: float

    def of(self, case: Case) -> list[Ruling]:
        """The rulings on all replies to one case."""
        return [one for one in self.rulings if one.question == case]

    @property
    def how_to_install(self) -> str | None:
        """One sentence on what is missing and how to get it, or None."""
        ways = dict.fromkeys(one.how_to_get for one in self.missing)
        named = {way: ", ".join(one.name for one in self.missing if one.how_to_get == way) for way in ways}
        return "; ".join(f"not here: {names} ({way})" for way, names in named.items()) or None

    def as_json(self) -> dict[str, object]:
        """The judgment as JSON."""
        return {
            "python": platform.python_version(),
            "limits": {"seconds": self.seconds, "megabytes": MEGABYTES},
            "accountants": [
                {"name": one.name, "version": one.version, "promise": one.promise}
                | {"documented": one.documented, "note": one.note}
                for one in self.accountants
            ],
            "missing": [{"name": one.name, "get": one.how_to_get} for one in self.missing],
            "questions": [self.case_json(truth) for truth in self.truths],
            "reproductions": [
                {"name": one.file_name, "question": one.ruling.question.as_json(), "program": one.program}
                | {"truth_program": one.truth_program, "report": one.report}
                | one.ruling.as_json()
                for one in self.reproductions
            ],
        }

    def case_json(self, truth: Truth) -> dict[str, object]:
        """One case, its truth and the rulings on it."""
        lower, upper = truth.text
        return {
            "name": truth.question.name,
            "question": truth.question.as_json(),
            "truth": {"lower": lower, "upper": upper, "agreed": truth.agreed},
            "methods": [truth.family.first_method, truth.family.second_method],
            "rulings": [one.as_json() for one in self.of(truth.question)],
        }


def judgment(
    cases: Sequence[Case],
    accountants: Sequence[Accountant] | None = None,
    seconds: float = 60.0,
    shrink: bool = True,
    progress: Progress = silent,
) -> Judgment:
    """What every accountant says to every case, judged; by default those that are installed.

    *Raises* `InputError` for a case that is not allowed.
    """
    wanted = list(known().values()) if accountants is None else list(accountants)
    present = [one for one in wanted if one.version is not None]
    truths = [Truth(case) for case in cases]
    rulings, reproductions = list[Ruling](), list[Reproduction]()
    for accountant in progress(present, "hearing the accountants"):
        heard, found = hearing(accountant, truths, seconds, shrink)
        rulings += heard
        reproductions += found
    missing = [one for one in wanted if one.version is None]
    return Judgment(present, missing, truths, rulings, reproductions, seconds)


def hearing(
    accountant: Accountant, truths: Sequence[Truth], seconds: float, shrink: bool
) -> tuple[list[Ruling], list[Reproduction]]:
    """The rulings on one accountant, and a reproduction for each family, quantity and side on which it is unsound."""
    rulings, reproductions = list[Ruling](), dict[tuple[str, str, str], Reproduction]()
    with IsolatedAccountant(accountant, seconds) as isolated:
        for truth in truths:
            if accountant.script(truth.question) is None:
                rulings.append(Ruling(truth.question, accountant.name, "upper", NOT_ASKED))
                continue
            rulings += rulings_of(truth, accountant.name, isolated.ask(truth.question), accountant.promise)
        for one in rulings:
            key = (one.question.family.name, one.question.quantity, one.side)
            if shrink and one.verdict == UNSOUND and key not in reproductions:
                reproductions[key] = reproduction_of(one, accountant, isolated)
    return rulings, list(reproductions.values())
