"""Questions that would be refused, noticed before the work starts."""

from __future__ import annotations

from collections.abc import Sequence

from exact.errors import InputError, Undecided
from panshuffle.answers import resolve
from panshuffle.study.study_file import Entry


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
