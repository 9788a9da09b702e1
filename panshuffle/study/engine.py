"""Who answers the questions of a study: workers of Dask's scheduler, each by one version of the code and no other.

The version is a hash of the installed sources, and of the versions of what the digits may depend on: changed code is
never served an old answer.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from threading import current_thread, main_thread
from types import ModuleType
from typing import TYPE_CHECKING, TypedDict

from panshuffle.answer import answer as answered
from panshuffle.answer import resolve
from panshuffle.card import card
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.output import located
from panshuffle.question import Json, Question
from panshuffle.study.study_file import Entry

if TYPE_CHECKING:
    from distributed import Client, Future

PACKAGES = ("panshuffle", *(f"panshuffle.{name}" for name in ("exact", "symbolic", "proofs", "protocols")))
ARITHMETIC = ("python-flint", "numpy")
"""Packages of others whose version is part of the code's: the digits of an enclosure may depend on them."""
SUFFIXES = (".py", ".json", ".toml", ".v")
ONE_AT_A_TIME = threading.Lock()
"""The precision of a process's balls belongs to one question at a time."""
OTHER_CODE = (
    "a worker has other sources of panshuffle, or other versions of python-flint and numpy, than this study: they were "
    "changed while it ran, or the worker is older than the change; what is stored is safe, run the same command again"
)
LOADED: dict[int, str] = {}
"""The version of the sources when this process had loaded a number of modules; they are loaded when they are needed."""


class StudyOutcome(TypedDict):
    """What came of a question: the command's object or an error, the seconds, and whether it may be stored."""

    answer: dict[str, Json] | None
    error: str | None
    seconds: float
    lasting: bool


@cache
def folders() -> dict[str, Path]:
    """The folders in which our packages are installed."""
    return {name.replace(".", "/"): Path(next(iter(import_module(name).__path__))) for name in PACKAGES}


def code_version() -> str:
    """A hash of all our sources as they are now, and of the versions of the arithmetic."""
    digest = sha256("\n".join(f"{name} {version(name)}" for name in ARITHMETIC).encode())
    sources = {
        f"{package}/{path.relative_to(folder).as_posix()}": path
        for package, folder in folders().items()
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES and not path.name.startswith(".")
    }
    for name in sorted(sources):
        digest.update(f"\n{name} ".encode() + sha256(sources[name].read_bytes()).digest())
    return digest.hexdigest()[:16]


def confirm(code: str) -> None:
    """*Raises* `InputError` unless everything that is loaded is of this version: a mixture answers nothing."""
    if len(sys.modules) not in LOADED:
        try:
            LOADED[len(sys.modules)] = code_version()
        except OSError:  # a source that is being replaced
            LOADED[len(sys.modules)] = ""
    if set(LOADED.values()) != {code}:
        raise InputError(OTHER_CODE)


def answer_text(text: str, code: str) -> StudyOutcome:
    """The outcome of a question in its canonical line, by the version of the code that is asked for and no other."""
    with ONE_AT_A_TIME:
        confirm(code)
        found = outcome(Question.of_json(text))
        confirm(code)
        return found


def check_questions(path: str, entries: Sequence[Entry]) -> None:
    """*Raises* `InputError`, with the entry of the file, for the first question that would be refused.

    Every question is resolved: its numbers, its target, the record of its protocol.  What comes out only by computing,
    such as a target that nothing meets, is a row of the table.
    """
    for entry in entries:
        with located(f"{path}: {entry.where}"):
            resolve(entry.question)


def outcome(question: Question) -> StudyOutcome:
    """The outcome of a question; what goes wrong inside is an error, too, but not one to keep."""
    begun = sum(os.times()[:4])  # what this process and those that it has started took, however busy the machine is
    answer, error, lasting = None, None, True
    try:
        answer = answered(question).as_dict()
    except (InputError, Undecided) as problem:
        error = str(problem)
    except Exception as problem:
        error, lasting = f"an error inside panshuffle: {type(problem).__name__}: {problem}", False
    return StudyOutcome(answer=answer, error=error, seconds=sum(os.times()[:4]) - begun, lasting=lasting)


CONNECT_SECONDS = 10
ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")
MOST_DEATHS = 3
DIED = f"the worker died {MOST_DEATHS} times over this question: it was killed, or the memory was used up"
SILENT = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio", "concurrent")
SETTINGS = {
    "logging": dict.fromkeys(SILENT, "critical"),  # what goes wrong is one sentence of ours
    "distributed.scheduler.allowed-failures": MOST_DEATHS - 1,
    "distributed.worker.daemon": False,  # the provers start processes of their own
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def distributed() -> ModuleType:
    """The module `distributed`, which keeps its log to itself.  *Raises* `InputError` where it is missing."""
    try:
        import dask

        dask.config.set(SETTINGS)
        module, _ = import_module("distributed"), import_module("cryptography")
    except ImportError:
        raise InputError("a study needs dask.distributed: install the extra panshuffle[study]") from None
    return module


def cost(question: Question) -> float:
    """Seconds, very roughly, to begin with the long questions: the card says what a calibration takes."""
    return 3.0 if question.kind in ("plan", "verify") else card(question.subject).seconds


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ending:
    """Requests to end this process, obeyed while its workers run: not while they start, and not while they end.

    Where Dask is interrupted in either, workers are left over, or complain that this process is gone.  A second request
    is obeyed at once.
    """

    def __init__(self) -> None:
        self.asked, self.allowed = 0, False

    def note(self, number: int, _: object) -> None:
        """Takes a request."""
        again, self.asked = self.asked > 0, number
        self.obey(self.allowed or again)

    def obey(self, allowed: bool) -> None:
        """Leaves the block that is running if that was asked for and is allowed from now on."""
        self.allowed = allowed
        if self.asked and allowed:
            self.allowed = False
            raise KeyboardInterrupt if self.asked == signal.SIGINT else SystemExit(128 + self.asked)


@contextmanager
def workers_here(count: int) -> Iterator[Client]:
    """A client of processes on this machine, ended with the block."""
    module, ending = distributed(), Ending()
    # certificates of this run alone: nobody else on this machine can hand the workers anything
    here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "security": module.Security.temporary()}
    here |= {"n_workers": count, "threads_per_worker": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    numbers = (signal.SIGINT, signal.SIGTERM) if current_thread() is main_thread() else ()  # only it may ask for them
    before = {number: signal.signal(number, ending.note) for number in numbers}
    try:
        with (
            module.LocalCluster(protocol="tls", **here) as cluster,
            module.Client(cluster, set_as_default=False) as client,
        ):
            try:
                ending.obey(allowed=True)
                yield client
            finally:
                ending.allowed = False
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    ending.obey(allowed=True)


@contextmanager
def workers_at(address: str) -> Iterator[Client]:
    """A client of the scheduler at an address.  *Raises* `InputError` where there is none, or it has no workers."""
    module = distributed()
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"scheduler = {address} is not allowed: scheduler must be an address such as tcp://10.0.0.1:8786"
        )
    try:
        client = module.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(f"scheduler = {address}: no scheduler answers there ({reason})") from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        yield client
    except TimeoutError:
        raise InputError(f"scheduler = {address}: the scheduler has no workers") from None
    finally:
        client.close(timeout=2)


def outcomes(client: Client, questions: Sequence[str], code: str) -> Iterator[tuple[str, StudyOutcome]]:
    """The questions with what came of them, as they are answered, begun in this order.

    A question whose worker dies is asked again, three times in all.  *Raises* `InputError` where the scheduler is gone,
    or a worker can't answer or has other code.
    """
    module = distributed()
    waiting, asked = iter(questions), dict[str, str]()
    answered = module.as_completed(loop=client.loop)

    def hand_out() -> None:  # one to each thread: where a worker dies, it is clear over which
        for question in islice(waiting, max(sum(client.nthreads().values()) - len(asked), not asked)):
            future = client.submit(answer_text, question, code, pure=False)
            asked[future.key] = question
            answered.add(future)

    hand_out()
    for future in answered:
        found, question = outcome_of(future, module), asked.pop(future.key)
        hand_out()
        yield question, found


def outcome_of(future: Future, module: ModuleType) -> StudyOutcome:
    """What came of a question that was handed out."""
    if future.status == "finished":
        found: StudyOutcome = future.result()
        return found
    problem = future.exception() if future.status == "error" else None
    if isinstance(problem, module.KilledWorker):
        return StudyOutcome(answer=None, error=DIED, seconds=0.0, lasting=False)
    if problem is None:
        raise InputError("the scheduler is gone; what is stored is safe, run the same command again")
    if isinstance(problem, InputError):
        raise problem
    raise InputError(f"a worker can't answer: {type(problem).__name__}: {problem}")
