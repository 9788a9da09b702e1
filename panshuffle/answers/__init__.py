"""From a question to its answer: `resolve` checks it and fills in what is not said, calling the result computes."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from panshuffle.answer import Answer
from panshuffle.question import Question


def resolve(question: Question) -> Callable[[], Answer]:
    """The question, checked as far as that takes no time; calling it gives the answer.  *Raises* `InputError`."""
    find: Callable[[], Answer] = import_module(f"panshuffle.answers.{question.kind}").resolve(question)
    return find


def answer(question: Question) -> Answer:
    """The answer.  *Raises* `InputError` for what is not allowed, `Undecided` for what no precision decides."""
    return resolve(question)()
