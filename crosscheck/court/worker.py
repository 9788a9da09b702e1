"""The process in which one accountant works: it loads it once, and forks for every question.

`python -m crosscheck.court.worker PARENT REFERENCE SECONDS MEGABYTES` reads questions as JSON lines and writes one JSON
line for each: {"claims": {"upper": text}, "seconds": s}, or {"verdict": ..., "said": ...}.  What comes first asks only
whether it is ready.  Whatever the accountant prints is dropped; a copy that hangs is killed, with its group.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
import warnings
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from crosscheck.court.accountant import Accountant, adapter, function_of
from crosscheck.court.question import Question
from exact.child import Late, in_copy, own_pipes

LONGEST = 300
REFUSALS = (ValueError, NotImplementedError)
REFUSAL_NAMES = ("OpenDPException", "Refusal")


def claims_of(reference: str, question: Question) -> dict[str, Any] | None:
    """What the accountant says, by side; None where it has nothing to say."""
    if ".py:" in reference:
        shown = SimpleNamespace(**{**question.as_json(), "letters": dict(question.letters)})
        answer = function_of(reference)(shown)
        return answer if isinstance(answer, dict) or answer is None else {"upper": answer}
    program = Accountant("", reference).script(question)
    if program is None:
        return None
    names: dict[str, Any] = {}
    exec(compile(program, "the question", "exec"), names)
    return {side: names[side] for side in ("upper", "lower") if side in names}


def number_text(value: Any) -> str | None:
    """A number as text that keeps it exactly: whole numbers and p/q as they are, else the shortest double."""
    if isinstance(value, (bool, str, bytes)) or value is None:
        return None
    try:
        return str(value) if isinstance(value, (int, Fraction)) else repr(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


def answer_of(reference: str, question: Question) -> dict[str, Any]:
    """The reply to one question, computed here and now."""
    start = time.perf_counter()
    try:
        claims = claims_of(reference, question)
    except BaseException as problem:
        name = type(problem).__name__
        refused = isinstance(problem, REFUSALS) or name in REFUSAL_NAMES
        said = f"{name}: {problem}"[:LONGEST]
        return {"verdict": "refused" if refused else "crashed", "said": said, "seconds": time.perf_counter() - start}
    seconds = time.perf_counter() - start
    if claims is None:
        return {"verdict": "refused", "said": "it gave no answer", "seconds": seconds}
    texts = {side: number_text(value) for side, value in claims.items() if side in ("upper", "lower")}
    if not texts or None in texts.values():
        return {"verdict": "no number", "said": repr(claims)[:LONGEST], "seconds": seconds}
    return {"claims": texts, "seconds": seconds}


def limited_answer(reference: str, question: Question, seconds: float, megabytes: int) -> dict[str, Any]:
    """The reply with limited memory, and with an alarm that ends this process even if nobody waits."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(seconds) + 2)
    limit = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return answer_of(reference, question)


def forked(reference: str, question: Question, seconds: float, megabytes: int) -> dict[str, Any]:
    """The reply of a copy of this process, or what became of it."""
    start = time.perf_counter()
    try:
        reply, status = in_copy(partial(limited_answer, reference, question, seconds, megabytes), seconds)
    except Late:
        return {"verdict": "timed out", "said": f"no answer within {seconds:g} seconds", "seconds": seconds}
    if isinstance(reply, dict):
        return reply
    said = f"its process ended with status {status} and no answer"
    return {"verdict": "crashed", "said": said, "seconds": time.perf_counter() - start}


def load(reference: str) -> None:
    """Imports what the accountant needs, once."""
    warnings.simplefilter("ignore")
    if ".py:" in reference:
        sys.path.insert(0, str(Path(reference.rpartition(":")[0]).parent))
        function_of(reference)
        return
    for name in adapter(reference).IMPORTS:
        import_module(name)


def main(parent: str, reference: str, seconds: str, megabytes: str) -> None:
    """Serves questions until there are no more."""
    requests, replies = own_pipes(parent)
    requests.readline()
    try:
        load(reference)
    except BaseException as problem:
        said = f"it can't be imported: {type(problem).__name__}: {problem}"[:LONGEST]
        replies.write(json.dumps({"verdict": "crashed", "said": said}) + "\n")
        return
    replies.write(json.dumps({"ready": True}) + "\n")
    for line in requests:
        question = Question.from_json(json.loads(line))
        replies.write(json.dumps(forked(reference, question, float(seconds), int(megabytes))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
