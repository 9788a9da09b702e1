"""A protocol of which something is asked, and the view that the question is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exact.errors import InputError, ParameterError, shortened
from exact.views.view import View
from panshuffle.card import AnyCard, card
from panshuffle.question import Question
from panshuffle.setting import Part

OWN = ("pmf", "randomizer")
"""What stands in place of a protocol's name for what somebody brings along in a file."""


def refuse_file(question: Question) -> None:
    """*Raises* `InputError` for a file beside a protocol of the paper."""
    if question.has("file"):
        raise InputError(f"--file has no meaning for {question.subject}: it belongs to {' and '.join(OWN)}")


@dataclass(frozen=True)
class Viewed:
    """A protocol of which something is asked: its card, its record and its view."""

    card: AnyCard
    record: object
    view: View
    parameters: Mapping[str, str]


def viewed(question: Question, part: Part) -> Viewed:
    """The protocol with its view.  *Raises* `InputError` for what has no meaning."""
    found = card(question.subject)
    setting = found.setting(question.letters, part)
    record = found.record_of(found.assumed(question.letters, part))
    if part.t is not None:
        check_time(part.t, found.runner(record).rows)
    given = question.letters.given
    derived = {letter: shortened(value) for letter, value in found.derived(record).items() if letter not in given}
    return Viewed(found, record, found.view(record, setting), {**given, **derived})


def check_time(t: int, length: int) -> None:
    """*Raises* `ParameterError` for a time outside the stream."""
    if not 0 <= t <= length:
        raise ParameterError("t", t, f"a whole number from 0 to {length}, the length of the stream")
