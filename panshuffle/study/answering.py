"""The answer to one question: what the command prints with `--json`, or the sentence with which it refuses."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from time import perf_counter
from typing import Any, TypedDict

from exact.errors import InputError, Undecided
from panshuffle.study.questions import Question
from panshuffle.study.sources import Watch

ONE_AT_A_TIME = threading.Lock()
"""The standard output of a process, and the precision of its balls, belong to one question at a time."""
OTHER_CODE = (
    "a worker has other sources of panshuffle, or other versions of python-flint and numpy, than this study: they were "
    "changed while it ran, or the worker is older than the change; what is stored is safe, run the same command again"
)


class Outcome(TypedDict):
    """What came of a question: the command's object or an error; whether it may be stored; a reason to stop."""

    answer: dict[str, Any] | None
    error: str | None
    seconds: float
    lasting: bool
    stop: str | None


@cache
def watch() -> Watch:
    """The watch on the sources that this process has loaded."""
    return Watch()


def answer_text(text: str, code: str) -> Outcome:
    """The outcome of a question in its canonical line, by the version of the code that is asked for and no other."""
    with ONE_AT_A_TIME:
        if watch().version == code:
            found = outcome(Question.of(text))
            if watch().confirm():
                return found
    return Outcome(answer=None, error=None, seconds=0.0, lasting=False, stop=OTHER_CODE)


def outcome(question: Question) -> Outcome:
    """The outcome of a question; what goes wrong inside is an error, too, but not one to keep."""
    begun = perf_counter()
    answer, error, lasting = None, None, True
    try:
        answer = verdict(question) if question.quantity == "verify" else printed(question)
    except (InputError, Undecided) as problem:
        error = str(problem)
    except Exception as problem:
        error, lasting = f"an error inside panshuffle: {type(problem).__name__}: {problem}", False
    return Outcome(answer=answer, error=error, seconds=perf_counter() - begun, lasting=lasting, stop=None)


def printed(question: Question) -> dict[str, Any]:
    """The object that the command prints."""
    run: Callable[..., int] = import_module(f"panshuffle.commands.{question.quantity}").run
    with redirect_stdout(io.StringIO()) as text:
        run(question.namespace())
    found: dict[str, Any] = json.loads(text.getvalue().splitlines()[-1])
    return found


def verdict(question: Question) -> dict[str, Any]:
    """The verdict on one statement and on all that it rests on, checked in this process.

    *Raises* `InputError` for an unknown slug, and where a verdict is not the one that is pinned.
    """
    from panshuffle.commands.verify import as_json
    from proofs.check import check_slug, closure
    from proofs.ledger import statements
    from proofs.pins import differences
    from proofs.verdict import resting

    slug = str(question.options["slug"])
    known = statements()
    if slug not in known:
        raise InputError(f"slug = {slug} is not in the ledger: `panshuffle verify` lists all statements")
    verdicts = resting({name: check_slug(name) for name in closure([slug])}, known)
    problems = differences(known, verdicts)
    problems += [f"{name}: {found.problem}" for name, found in verdicts.items() if found.problem]
    if problems:
        raise InputError("; ".join(problems))
    return as_json(known[slug], verdicts[slug])
