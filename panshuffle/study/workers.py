"""The workers of this machine: one process a core, each asked one question at a time, replaced when it dies."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Protocol

from panshuffle.study.answering import Outcome, answer_text

Result = tuple[str, Outcome | None]
"""A question's line and its outcome; None if the worker died over it."""


class Crew(Protocol):
    """Whoever answers questions: processes of this machine, or a cluster."""

    @property
    def capacity(self) -> int:
        """How many questions to hand out at a time."""

    def give(self, text: str) -> None:
        """Hands out a question."""

    def take(self, seconds: float) -> list[Result]:
        """The results that came in, after at most so many seconds."""


def serve(connection: Connection, code: str) -> None:
    """Answers questions until the other end is closed; ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            connection.send(answer_text(connection.recv(), code))


def end_with_parent() -> None:
    """Ends this process when its parent has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Worker:
    """One process and the question that it has."""

    def __init__(self, code: str) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, code), daemon=True)
        self.process.start()
        theirs.close()
        self.question: str | None = None

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.join()


class Workers:
    """So many processes of this machine."""

    def __init__(self, count: int, code: str) -> None:
        self.code = code
        self.capacity = count
        self.staff = [Worker(code) for _ in range(count)]

    def give(self, text: str) -> None:
        """Hands a question to a worker that has none."""
        number = next(number for number, worker in enumerate(self.staff) if worker.question is None)
        try:
            self.staff[number].connection.send(text)
        except OSError:  # it died while it was idle
            self.replace(number)
            self.staff[number].connection.send(text)
        self.staff[number].question = text

    def take(self, seconds: float) -> list[Result]:
        """The results that came in; a worker that died is replaced."""
        busy = [worker.connection for worker in self.staff if worker.question is not None]
        ready = wait(busy, seconds) if busy else []
        return [self.result(number) for number, worker in enumerate(self.staff) if worker.connection in ready]

    def result(self, number: int) -> Result:
        """The result of a worker that has one, or has died."""
        worker = self.staff[number]
        question, worker.question = worker.question or "", None
        try:
            return question, worker.connection.recv()
        except (EOFError, OSError):
            self.replace(number)
            return question, None

    def replace(self, number: int) -> None:
        """Puts a new worker in the place of one that died."""
        self.staff[number].end()
        self.staff[number] = Worker(self.code)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def local_workers(count: int, code: str) -> Iterator[Workers]:
    """So many workers, ended with the block."""
    workers = Workers(count, code)
    try:
        yield workers
    finally:
        for worker in workers.staff:
            worker.end()
