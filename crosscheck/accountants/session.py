"""An accountant in a process of its own, which loads it once and forks for every question, so that it breaks nothing.

Here is the side that asks, and `python -m panshuffle.crosscheck.accountants.session PARENT NAME SECONDS`, the side that
answers: questions as JSON lines, one JSON line for each.  What comes first asks only whether it is ready.  Whatever the
accountant prints is dropped; a copy that hangs is killed, with its group.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import warnings
from fractions import Fraction
from functools import partial
from typing import SupportsFloat, TypedDict, cast

from panshuffle.crosscheck.accountants.adapters import Accountant, accountant_named
from panshuffle.crosscheck.accountants.grades import FAILED, REFUSED
from panshuffle.crosscheck.accountants.questions import Question
from panshuffle.exact.child import Child, Ended, Late, in_copy, own_pipes
from panshuffle.exact.errors import InputError

LOADING_SECONDS = 60.0  # how long an accountant may take to be imported; the slowest takes a few seconds
GRACE_SECONDS = 10.0  # how much longer than its own time limit the process itself may take, on a busy machine
MEGABYTES = 4096  # of memory for one answer, as much as a small machine has
LONGEST = 300  # characters of what an accountant says that are kept: a few lines
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A copy of a process has none of its threads, so that a numerical library must not rely on any."""
SIDES = ("upper", "lower")
REFUSALS = (ValueError, NotImplementedError)


class Reply(TypedDict, total=False):
    """What came of a question: the ends by side, as texts (none: it was not asked), or a verdict and what was said."""

    ends: dict[str, str]
    verdict: str
    says: str
    seconds: float


class Session:
    """One accountant behind a time limit and a memory limit for every question."""

    def __init__(self, accountant: Accountant, seconds: float) -> None:
        if not hasattr(os, "fork"):
            raise InputError("accountants need an operating system that can fork, such as Linux or macOS")
        self.seconds = seconds
        self.over: Reply | None = None
        self.child = Child.of_module(__name__, accountant.reference, str(seconds), **ONE_THREAD)
        first = self.reply(None, LOADING_SECONDS)
        if "verdict" in first:
            self.end(first)

    def ask(self, question: Question) -> Reply:
        """What it says to a question; the same failure again where its process has ended."""
        return self.over or self.reply(vars(question), self.seconds + GRACE_SECONDS)

    def reply(self, request: object, seconds: float) -> Reply:
        """What the process answers within a time; one that answers nothing is ended."""
        try:
            found: Reply = self.child.ask(request, seconds)
            return found
        except Late:
            found = {"verdict": FAILED, "says": f"no sign of life within {seconds:g} seconds"}
        except Ended:
            found = {"verdict": FAILED, "says": "its process ended"}
        self.end(found)
        return found

    def end(self, why: Reply) -> None:
        """Ends the process."""
        self.over = why
        self.child.end()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *problem: object) -> None:
        if self.over is None:
            self.end({"verdict": FAILED, "says": "it is closed"})


def main(parent: str, name: str, seconds: str) -> None:
    """Answers questions until there are no more."""
    requests, replies = own_pipes(parent)
    requests.readline()
    warnings.simplefilter("ignore")
    try:
        accountant = accountant_named(name)
        accountant.load()
        first = Reply()
    except BaseException as problem:
        first = {"verdict": FAILED, "says": f"it can't be imported: {type(problem).__name__}: {problem}"[:LONGEST]}
    replies.write(json.dumps(first) + "\n")
    for line in requests if not first else ():
        question = Question(**json.loads(line))
        replies.write(json.dumps(forked(accountant, question, float(seconds))) + "\n")


def forked(accountant: Accountant, question: Question, seconds: float) -> Reply:
    """The answer of a copy of this process, or what became of it."""
    start = time.perf_counter()
    try:
        found, status = in_copy(partial(limited, accountant, question, seconds), seconds, foreign=True)
    except Late:
        return {"verdict": FAILED, "says": f"no answer within {seconds:g} seconds", "seconds": seconds}
    if isinstance(found, dict):
        return cast(Reply, found)
    says = f"its process ended with status {status} and no answer"
    return {"verdict": FAILED, "says": says, "seconds": time.perf_counter() - start}


def limited(accountant: Accountant, question: Question, seconds: float) -> Reply:
    """The answer with limited memory, and with an alarm that ends this process even if nobody waits."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(seconds) + 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    start = time.perf_counter()
    try:
        answer = accountant.answer(question)
    except BaseException as problem:
        kind = type(problem).__name__
        verdict = REFUSED if isinstance(problem, REFUSALS) or kind == "OpenDPException" else FAILED
        return {"verdict": verdict, "says": f"{kind}: {problem}"[:LONGEST], "seconds": time.perf_counter() - start}
    seconds = time.perf_counter() - start
    ends = {} if answer is None else answer if isinstance(answer, dict) else {"upper": answer}
    texts = {side: text for side, value in ends.items() if (text := text_of(value)) is not None and side in SIDES}
    if len(texts) < len(ends):
        return {"verdict": FAILED, "says": f"{answer!r} is no number"[:LONGEST], "seconds": seconds}
    return {"ends": texts, "seconds": seconds}


def text_of(value: object) -> str | None:
    """A number as text that keeps it exactly: whole numbers and p/q as they are, else the shortest double."""
    if isinstance(value, (bool, str, bytes)) or value is None:
        return None
    try:
        return str(value) if isinstance(value, (int, Fraction)) else repr(float(cast(SupportsFloat, value)))
    except (TypeError, ValueError, OverflowError):
        return None


if __name__ == "__main__":
    main(*sys.argv[1:])
