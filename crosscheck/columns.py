"""The runs, coordinate by coordinate, as far as they have to be remembered: how often each outcome was met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from panshuffle.crosscheck.doubles import Whole
from panshuffle.crosscheck.reference.model import Reference

MISSING = -(2**62)
"""Stands for a coordinate that a run does not have: another outcome of public randomness has others."""
MOST_COORDINATES = 192  # coordinates that are looked at alone and in pairs; of more, as many from both ends


class Columns:
    """The number of runs, and the counts of every coordinate."""

    def __init__(self, reference: Reference) -> None:
        self.reference, self.laws, self.names = reference, reference.laws, reference.names
        self.dependent, self.runs = reference.dependent, 0
        self.counts = [Counter[int]() for _ in self.laws]
        chosen = list(range(len(self.laws)))
        if len(chosen) > MOST_COORDINATES:
            chosen = chosen[: MOST_COORDINATES // 2] + chosen[-MOST_COORDINATES // 2 :]
        self.left_out = len(self.laws) - len(chosen)
        self.random = [i for i in chosen if len(self.laws[i].masses) > 1]
        self.independent = [i for i in self.random if i not in self.dependent]

    def add(self, rows: Whole) -> None:
        """Some more runs, one a row."""
        self.runs += len(rows)
        for counter, column in zip(self.counts, rows.T, strict=True):
            values, times = np.unique(column, return_counts=True)
            for value, count in zip(values.tolist(), times.tolist(), strict=True):
                if value != MISSING:
                    counter[value] += count

    def impossible(self) -> Iterator[tuple[int, int, int]]:
        """(coordinate, outcome, times) of outcomes that the law excludes."""
        for i, law in enumerate(self.laws):
            for x, count in self.counts[i].items():
                if not law.possible(x):
                    yield i, x, count
