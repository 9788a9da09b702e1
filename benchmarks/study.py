"""Questions a second of a study on one process and on two, and how long a worker takes to start.

`python benchmarks/study.py` prints all of it, measured in one run; `--questions N` changes the size.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from panshuffle.question import Question
from panshuffle.study.session import Session
from panshuffle.study.sources import code_version
from panshuffle.study.store import Store
from panshuffle.study.study_file import Entry
from panshuffle.study.workers import Workers, local_workers

ROUNDS = 3


def questions_of(count: int) -> list[Entry]:
    """Calibrations whose answers are around l = 10^4, all different."""
    deltas = [f"{1000 + i}e-12" for i in range(count)]
    return [Entry(Question.of("calibrate", "binomial", {"at-eps": "1/10", "at-delta": delta})) for delta in deltas]


def warm(workers: Workers) -> None:
    """Lets every worker load its modules."""
    for i in range(workers.capacity):
        workers.give(Entry(Question.of("calibrate", "binomial", {"at-eps": "1", "at-delta": f"1e-{i + 2}"})).text)
    left = workers.capacity
    while left:
        left -= len(workers.take(1.0))


def rate(count: int, processes: int, code: str) -> float:
    """Questions a second, each stored as it arrives, once the workers have started."""
    questions = questions_of(count)
    with TemporaryDirectory() as folder, local_workers(processes, code) as workers:
        warm(workers)
        store = Store(str(Path(folder) / "store"), code)
        session = Session(store)
        begun = perf_counter()
        with store.opened():
            session.answer(session.read(questions), workers, lambda question: None)
        return count / (perf_counter() - begun)


def start_up(code: str) -> float:
    """Seconds from nothing to a worker's first answer."""
    begun = perf_counter()
    with local_workers(1, code) as workers:
        warm(workers)
        return perf_counter() - begun


def main() -> None:
    """Prints the rates, the best of three rounds each, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200)
    count = parser.parse_args().questions
    code = code_version()
    sys.stdout.write(f"a worker's first answer after {start_up(code):.2f} s\n")
    rounds = [(rate(count, 1, code), rate(count, 2, code)) for _ in range(ROUNDS)]
    for one, two in rounds:
        sys.stdout.write(f"one process: {one:.1f} questions a second, two: {two:.1f}, {two / one:.2f} times as many\n")
    one, two = (max(rates) for rates in zip(*rounds, strict=True))
    sys.stdout.write(f"best of {ROUNDS}: {two / one:.2f} times as many\n")


if __name__ == "__main__":
    main()
