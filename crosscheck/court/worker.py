"""The process in which one accountant works: it loads it once, and forks for every case.

`python -m panshuffle.crosscheck.court.worker PARENT REFERENCE SECONDS MEGABYTES` reads cases as JSON lines and writes
one JSON line for each: {"claims": {"upper": text}, "seconds": s}, or {"verdict": ..., "said": ...}.  What comes first
asks only whether it is ready.  Whatever the accountant prints is dropped; a copy that hangs is killed, with its group.
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
from typing import SupportsFloat, cast

from panshuffle.crosscheck.court.accountant import Accountant, accountant_of, function_of
from panshuffle.crosscheck.court.family import Case, Reply, case_from_json, modules
from panshuffle.exact.child import Late, in_copy, own_pipes

LONGEST = 300  # characters of what an accountant says that are kept: a few lines
SIDES = ("upper", "lower")
REFUSALS = (ValueError, NotImplementedError)
REFUSAL_NAMES = ("OpenDPException", "Refusal")


def claims_of(accountant: Accountant, case: Case) -> dict[str, object] | None:
    """What the accountant says, by side; None where it has nothing to say."""
    if accountant.file is not None:
        said = function_of(accountant.reference)(SimpleNamespace(**case.as_json()))
        return said if isinstance(said, dict) or said is None else {"upper": said}
    program = accountant.script(case)
    if program is None:
        return None
    names: dict[str, object] = {}
    exec(compile(program, "the question", "exec"), names)
    return {side: names[side] for side in SIDES if side in names}


def number_text(value: object) -> str | None:
    """A number as text that keeps it exactly: whole numbers and p/q as they are, else the shortest double."""
    if isinstance(value, (bool, str, bytes)) or value is None:
        return None
    try:
        return str(value) if isinstance(value, (int, Fraction)) else repr(float(cast(SupportsFloat, value)))
    except (TypeError, ValueError, OverflowError):
        return None


def reply_to(accountant: Accountant, case: Case) -> Reply:
    """The reply to one case, computed here and now."""
    start = time.perf_counter()
    try:
        claims = claims_of(accountant, case)
    except BaseException as problem:
        name = type(problem).__name__
        refused = isinstance(problem, REFUSALS) or name in REFUSAL_NAMES
        said = f"{name}: {problem}"[:LONGEST]
        return {"verdict": "refused" if refused else "crashed", "said": said, "seconds": time.perf_counter() - start}
    seconds = time.perf_counter() - start
    if claims is None:
        return {"verdict": "refused", "said": "it gave no answer", "seconds": seconds}
    texts = {side: number_text(value) for side, value in claims.items() if side in SIDES}
    numbers = {side: text for side, text in texts.items() if text is not None}
    if not numbers or numbers != texts:
        return {"verdict": "no number", "said": repr(claims)[:LONGEST], "seconds": seconds}
    return {"claims": numbers, "seconds": seconds}


def limited_reply(accountant: Accountant, case: Case, seconds: float, megabytes: int) -> Reply:
    """The reply with limited memory, and with an alarm that ends this process even if nobody waits."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(seconds) + 2)
    limit = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return reply_to(accountant, case)


def forked(accountant: Accountant, case: Case, seconds: float, megabytes: int) -> Reply:
    """The reply of a copy of this process, or what became of it."""
    start = time.perf_counter()
    try:
        reply, status = in_copy(partial(limited_reply, accountant, case, seconds, megabytes), seconds, foreign=True)
    except Late:
        return {"verdict": "timed out", "said": f"no answer within {seconds:g} seconds", "seconds": seconds}
    if isinstance(reply, dict):
        return cast(Reply, reply)
    said = f"its process ended with status {status} and no answer"
    return {"verdict": "crashed", "said": said, "seconds": time.perf_counter() - start}


def load(accountant: Accountant) -> None:
    """Imports what the accountant needs, once."""
    warnings.simplefilter("ignore")
    if accountant.file is not None:
        sys.path.insert(0, str(Path(accountant.file).parent))
        function_of(accountant.reference)
    if accountant.folder is not None:
        sys.path.insert(0, accountant.folder)
    for name in accountant.imports:
        import_module(name)


def main(parent: str, reference: str, seconds: str, megabytes: str) -> None:
    """Serves cases until there are no more."""
    requests, replies = own_pipes(parent)
    requests.readline()
    modules()  # before the folder of a user's file is on the path
    try:
        accountant = accountant_of(reference)
        load(accountant)
    except BaseException as problem:
        said = f"it can't be imported: {type(problem).__name__}: {problem}"[:LONGEST]
        replies.write(json.dumps({"verdict": "crashed", "said": said}) + "\n")
        return
    replies.write(json.dumps({"ready": True}) + "\n")
    for line in requests:
        case = case_from_json(json.loads(line))
        replies.write(json.dumps(forked(accountant, case, float(seconds), int(megabytes))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
