"""The answer to one question as JSON, or the sentence with which it is refused."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from typing import TypedDict

from panshuffle.answer import Json
from panshuffle.answers import answer as answered
from panshuffle.answers import resolve
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.question import Question
from panshuffle.study.sources import Watch
from panshuffle.study.study_file import Entry

ONE_AT_A_TIME = threading.Lock()
"""The precision of a process's balls belongs to one question at a time."""
OTHER_CODE = (
    "a worker has other sources of panshuffle, or other versions of python-flint and numpy, than this study: they were "
    "changed while it ran, or the worker is older than the change; what is stored is safe, run the same command again"
)


class StudyOutcome(TypedDict):
    """What came of a question: the command's object or an error; whether it may be stored; a reason to stop."""

    answer: dict[str, Json] | None
    error: str | None
    seconds: float
    lasting: bool
    stop: str | None


@cache
def watch() -> Watch:
    """The watch on the sources that this process has loaded."""
    return Watch()


def answer_text(text: str, code: str) -> StudyOutcome:
    """The outcome of a question in its canonical line, by the version of the code that is asked for and no other."""
    with ONE_AT_A_TIME:
        if watch().version == code:
            found = outcome(Question.of_json(text))
            if watch().confirm():
                return found
    return StudyOutcome(answer=None, error=None, seconds=0.0, lasting=False, stop=OTHER_CODE)


def check_questions(path: str, entries: Sequence[Entry]) -> None:
    """*Raises* `InputError`, with the entry of the file, for the first question that would be refused.

    Every question is resolved: its numbers, its target, the record of its protocol.  What comes out only by computing,
    such as a target that nothing meets, is a row of the table.
    """
    for entry in entries:
        try:
            resolve(entry.question)
        except (InputError, Undecided) as problem:
            raise InputError(f"{path}: {entry.where}: {problem}") from None


def outcome(question: Question) -> StudyOutcome:
    """The outcome of a question; what goes wrong inside is an error, too, but not one to keep."""
    begun = processor_seconds()
    answer, error, lasting = None, None, True
    try:
        answer = answered(question).as_dict()
    except (InputError, Undecided) as problem:
        error = str(problem)
    except Exception as problem:
        error, lasting = f"an error inside panshuffle: {type(problem).__name__}: {problem}", False
    return StudyOutcome(answer=answer, error=error, seconds=processor_seconds() - begun, lasting=lasting, stop=None)


def processor_seconds() -> float:
    """What this process and those that it has started took so far, however busy the machine is."""
    return sum(os.times()[:4])
