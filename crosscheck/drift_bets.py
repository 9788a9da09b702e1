"""Bets that scores are off as they were in the runs before: in a few of them, if a law moves, or in all of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import MARGINAL, Bet
from panshuffle.crosscheck.columns import MISSING, Columns
from panshuffle.crosscheck.doubles import Doubles, Flags, Whole, lowered, mean_of
from panshuffle.crosscheck.pool_bets import EVERY
from panshuffle.crosscheck.reference.model import RUNS
from panshuffle.crosscheck.scores import scores_of

WINDOWS = (8, 32, 128)
"""The runs before, whose mean score is bet to go on; beside them, all of them."""
PRIOR = 8  # runs with the score 0 that are supposed to have come before all others
DEGREES = {0: "mean", 1: "spread"}
STEP = 1 / 16
MOST = 1.0
"""Tilts are multiples of the step up to here."""
DOUBT = 0.5  # of the deviation of a mean over a window, which is taken off it


class Drift:
    """The scores of the last runs, and for each window and coordinate what the bets came to."""

    def __init__(self, columns: Columns, degree: int) -> None:
        self.columns, self.indices, self.degree = columns, columns.random, degree
        self.scores = [scores_of(columns.laws[i]) for i in self.indices]
        self.values = [one.gentle(degree) for one in self.scores]
        self.grid = np.arange(-round(MOST / STEP), round(MOST / STEP) + 1) * STEP
        self.costs = [one.cost(self.grid[:, None] * value) for one, value in zip(self.scores, self.values, strict=True)]
        self.joint = np.array([i not in columns.dependent for i in self.indices], dtype=bool)
        self.recent: Doubles = np.zeros((max(WINDOWS), len(self.indices)))
        self.total, self.met, self.runs = np.zeros(len(self.indices)), np.zeros(len(self.indices)), 0
        self.gains, self.sizes = (np.zeros((len(WINDOWS) + 1, len(self.indices))) for _ in range(2))

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if not self.indices:
            return
        values = rows[:, self.indices]
        here = values != MISSING
        parts = zip(self.values, self.scores, values.T, strict=True)
        fresh = np.stack([value[one.cells(column)] for value, one, column in parts], axis=1) * here
        scores = np.concatenate([self.recent, fresh])
        sums = np.cumsum(np.concatenate([np.zeros((1, len(self.indices))), scores]), axis=0)
        start, number = len(self.recent), len(rows)
        for i, window in enumerate(WINDOWS):
            means = (sums[start:-1] - sums[start - window : -1 - window]) / window
            self.bet(i, tilts(means, np.full((number, 1), DOUBT / np.sqrt(window))), fresh, here)
        before = (PRIOR + self.runs + np.arange(number, dtype=np.float64))[:, None]
        means = (self.total + sums[start:-1] - sums[start]) / before
        self.bet(len(WINDOWS), tilts(means, DOUBT / np.sqrt(before)), fresh, here)
        self.total += fresh.sum(axis=0)
        self.met += here.sum(axis=0)
        self.recent = scores[-max(WINDOWS) :]
        self.runs += number

    def bet(self, i: int, places: Whole, fresh: Doubles, here: Flags) -> None:
        """The bets of one window on some more runs, at these places of the grid."""
        spent = np.stack([cost[place] for cost, place in zip(self.costs, places.T, strict=True)], axis=1)
        gain = np.where(here, (places * STEP - MOST) * fresh - spent, 0.0)
        self.gains[i] += gain.sum(axis=0)
        self.sizes[i] += np.abs(gain).sum(axis=0) + 4 * np.abs(spent).sum(axis=0) + len(fresh)

    def excess(self) -> Doubles:
        """For each coordinate, by how much the best window of few runs is better than the best lasting tilt."""
        parts = zip(self.total, self.met, self.costs, strict=True)
        lasting = np.array([float((self.grid * total - met * cost).max()) for total, met, cost in parts])
        return np.asarray(self.gains[:-1].max(axis=0) - lasting)

    def moving(self) -> Iterator[Bet]:
        """The law moves: each coordinate alone, and all independent ones together."""
        logs = lowered(self.gains, self.sizes)[:-1]
        words = f"its {DEGREES[self.degree]} is off in the same direction as in the runs before"
        for j, i in enumerate(self.indices):
            yield Bet(RUNS, self.columns.names[i], words, arb(mean_of(logs[:, j])))
        if self.joint.sum() > 1:
            yield Bet(RUNS, EVERY, words, arb(mean_of(logs[:, self.joint].sum(axis=1))))

    def lasting(self) -> Iterator[Bet]:
        """All independent coordinates together, each off in its own direction."""
        if self.joint.sum() > 1:
            logs = lowered(self.gains, self.sizes)[-1]
            words = f"have another {DEGREES[self.degree]}, each in its own direction"
            yield Bet(MARGINAL, EVERY, words, arb(float(logs[self.joint].sum())), alone=False)


def tilts(means: Doubles, doubt: Doubles) -> Whole:
    """The places in the grid of what means suggest, by a part of their error nearer to 0 than they are."""
    sure = np.sign(means) * np.maximum(0.0, np.abs(means) - doubt)
    return np.asarray(np.rint((np.clip(sure, -MOST, MOST) + MOST) / STEP), dtype=np.int64)
