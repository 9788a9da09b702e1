"""The workers of this machine: one process a core, each asked one question at a time, replaced when it dies."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from panshuffle.exact.child import Child, Ended, Late, own_pipes
from panshuffle.study.answering import StudyOutcome, answer_text

PIPE_SECONDS = 60.0  # how long a line may take through a pipe, once the other side writes or waits for it
Result = tuple[str, StudyOutcome | None]
"""A question's line and its outcome; None if the worker died over it."""


class Worker:
    """One process and the question that it has."""

    def __init__(self, code: str) -> None:
        self.child = Child.of_module("panshuffle.study.workers", code)
        self.question: str | None = None

    def give(self, text: str) -> None:
        """Hands it a question.  *Raises* `Ended` if it died while it was idle."""
        self.child.send((json.dumps(text) + "\n").encode(), PIPE_SECONDS)
        self.question = text

    def result(self) -> StudyOutcome | None:
        """The outcome that it has begun to write; None if it has died."""
        self.question = None
        with suppress(Late, Ended):
            found: StudyOutcome = json.loads(self.child.line(PIPE_SECONDS))
            return found
        return None


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
            self.staff[number].give(text)
        except Ended:
            self.replace(number)
            self.staff[number].give(text)

    def take(self, seconds: float) -> list[Result]:
        """The results that came in; a worker that died is replaced."""
        busy = {worker.child.out: number for number, worker in enumerate(self.staff) if worker.question is not None}
        poll = select.poll()
        for pipe in busy:
            poll.register(pipe, select.POLLIN)
        return [self.result(busy[pipe]) for pipe, _ in (poll.poll(1000 * seconds) if busy else [])]

    def result(self, number: int) -> Result:
        """The result of a worker that has one, or has died."""
        question, found = self.staff[number].question or "", self.staff[number].result()
        if found is None:
            self.replace(number)
        return question, found

    def replace(self, number: int) -> None:
        """Puts a new worker in the place of one that died."""
        self.staff[number].child.end()
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
            worker.child.end()


def main(parent: str, code: str) -> None:
    """Answers questions until there are no more."""
    questions, answers = own_pipes(parent)
    for text in questions:
        answers.write(json.dumps(answer_text(json.loads(text), code)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
