"""Medians of interleaved runs, so that a slow moment of the machine hits all contestants alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

LEAST_SECONDS = 0.02
MOST_REPEATS = 64
WARMING = 4

Task = Callable[[int], object]


def repeats_of(task: Task) -> int:
    """How many calls make one sample long enough for the clock; the first call also warms everything up."""
    task(0)
    started = perf_counter()
    task(0)
    return max(1, min(MOST_REPEATS, round(LEAST_SECONDS / max(perf_counter() - started, 1e-9))))


def sample(task: Task, repeats: int, first: int) -> float:
    """Seconds a call; every call gets another number, so that no cache answers it, and no garbage is collected."""
    gc.collect()
    for _ in range(min(repeats - 1, WARMING)):
        task(0)  # what ran before has emptied the processor's caches
    gc.disable()
    try:
        started = perf_counter()
        for i in range(first, first + repeats):
            task(i)
        return (perf_counter() - started) / repeats
    finally:
        gc.enable()


def medians(tasks: Mapping[str, Task], rounds: int) -> dict[str, float]:
    """The median seconds a call of every task over the given number of interleaved rounds."""
    repeats = {name: repeats_of(task) for name, task in tasks.items()}
    samples: dict[str, list[float]] = {name: [] for name in tasks}
    for turn in range(rounds):
        for name, task in tasks.items():
            samples[name].append(sample(task, repeats[name], 1 + turn * repeats[name]))
    return {name: median(seconds) for name, seconds in samples.items()}
