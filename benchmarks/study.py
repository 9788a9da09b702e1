"""Questions a second of a study on one process and on two, and how long a worker takes to start.

`python benchmarks/study.py` prints all of it, measured in one run; `--questions N` changes the size.
"""

from __future__ import annotations

import argparse
import sys
from tempfile import TemporaryDirectory
from time import perf_counter

from panshuffle.question import Question
from panshuffle.study.engine import code_version, outcomes, workers_here
from panshuffle.study.store import Store

ROUNDS = 3


def questions_of(count: int, eps: str) -> list[str]:
    """Calibrations whose answers are around l = 10^4 at eps = 1/10, all different."""
    deltas = [f"{1000 + i}e-12" for i in range(count)]
    return [Question.of("calibrate", "binomial", {"at-eps": eps, "at-delta": delta}).json for delta in deltas]


def rate(count: int, processes: int, code: str) -> float:
    """Questions a second, each stored as it arrives, once the workers have started."""
    with TemporaryDirectory() as folder, workers_here(processes) as client, Store(folder, code) as store:
        list(outcomes(client, questions_of(4 * processes, "1"), code))
        begun = perf_counter()
        for text, found in outcomes(client, questions_of(count, "1/10"), code):
            store.put(text, found)
        return count / (perf_counter() - begun)


def start_up(code: str) -> float:
    """Seconds from nothing to a worker's first answer."""
    begun = perf_counter()
    with workers_here(1) as client:
        list(outcomes(client, questions_of(1, "1"), code))
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
