"""Bets that a coordinate copies, or opposes, what it was any number of runs before: all distances at once.

For a distance d the bet goes on as long as runs come; distances have the weights 1/(d(d + 1)), so that those not yet
reached, which are worth 1 each, have 1/N together after N runs.  Agreements are counted by Fourier transforms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import Bet, median_of
from panshuffle.crosscheck.columns import MISSING, Columns
from panshuffle.crosscheck.doubles import SLACK, Doubles, Flags, Whole, ends_of, places_of
from panshuffle.crosscheck.pool_bets import enclosed
from panshuffle.crosscheck.reference.model import RUNS

MOST_RUNS = 2**16  # runs whose distances are looked at
MOST_VALUES = 96  # outcomes, over all coordinates that are looked at, each of which takes a transform
MOST_COORDINATES = 8
ROUNDING = 1e-6  # more than what a transform of some ten thousand prices rounds off
COPIES = (1.1, 1.5, 4.0, 50.0)
SIDES = (0.5, 0.8, 1.25, 2.0)


class AnyLag:
    """The first coordinates with few outcomes, as long as they fit."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.indices: list[int] = []
        room = MOST_VALUES
        for i in columns.independent:
            high = ends_of(columns.laws[i])[1]
            room -= int((high > 1e-4).sum()) + 1
            if room >= 0 and len(self.indices) < MOST_COORDINATES:
                self.indices.append(i)
        self.values: Whole = np.zeros((0, len(self.indices)), dtype=np.int64)

    def add(self, rows: Whole) -> None:
        """Some more runs; those with a missing coordinate can't be compared."""
        fresh = rows[:, self.indices][: MOST_RUNS - len(self.values)]
        if len(fresh):
            self.values = np.concatenate([self.values, fresh])

    def bets(self) -> Iterator[Bet]:
        """For each coordinate, one on equal values and one on equal sides of the middle."""
        for j, i in enumerate(self.indices):
            column, name = self.values[:, j], self.columns.names[i]
            known = column != MISSING
            yield lag_bet(name, "equal to that of", *self.copied(i, column, known))
            yield lag_bet(name, "on the same side as that of", *self.sided(i, column, known))

    def copied(self, i: int, column: Whole, known: Flags) -> tuple[Doubles, Doubles]:
        """For every distance, how often a value came again, and what the bets on that cost."""
        law = self.columns.laws[i]
        likely = law.first + np.flatnonzero(ends_of(law)[1][:-1] > 1e-4)
        hits = sum((matches(column == value, column == value) for value in likely.tolist()), np.zeros(len(column)))
        listed = np.isin(column, likely) & known
        high = np.minimum(1.0, ends_of(law)[1][places_of(law, column)])
        prices = [np.log1p((w - 1) * np.where(listed, high, 0.0)) for w in COPIES]
        return gains(hits, COPIES, [spent(price, known) for price in prices])

    def sided(self, i: int, column: Whole, known: Flags) -> tuple[Doubles, Doubles]:
        """For every distance, how often a value was on the same side of the middle, and what the bets on that cost."""
        law = self.columns.laws[i]
        cut = median_of(law)
        low, high = enclosed(law.up_to(cut))
        below, above = (column <= cut) & known, (column > cut) & known
        hits = matches(below, below) + matches(above, above)
        costs = []
        for w in SIDES:
            p, q = (high, 1 - low + 1e-15) if w > 1 else (low, max(0.0, 1 - high - 1e-15))
            prices = np.where(below, np.log1p((w - 1) * p), np.log1p((w - 1) * q)) * known.astype(np.float64)
            costs.append(spent(np.asarray(prices, dtype=np.float64), known))
        return gains(hits, SIDES, costs)


def matches(before: Flags, after: Flags) -> Doubles:
    """For every distance d, at how many places `before` holds there and `after` holds d places on."""
    size = 2 * len(before)
    product = np.fft.rfft(after.astype(np.float64), size) * np.conj(np.fft.rfft(before.astype(np.float64), size))
    return np.round(np.fft.irfft(product, size)[: len(before)])


def spent(prices: Doubles, known: Flags) -> Doubles:
    """For every distance d, the prices of all places that have a known place d places on."""
    if known.all():
        return np.concatenate([[0.0], np.cumsum(prices)])[::-1][: len(prices)]
    size = 2 * len(prices)
    product = np.fft.rfft(known.astype(np.float64), size) * np.conj(np.fft.rfft(prices, size))
    return np.fft.irfft(product, size)[: len(prices)] + ROUNDING


def gains(hits: Doubles, odds: tuple[float, ...], costs: list[Doubles]) -> tuple[Doubles, Doubles]:
    """ln of the e-value of every distance, and the hits."""
    logs = np.array([hits * np.log(w) - cost for w, cost in zip(odds, costs, strict=True)])
    logs -= SLACK * (np.abs(logs) + 2 * len(hits))
    top = logs.max(axis=0)
    return top + np.log(np.exp(logs - top).mean(axis=0)), hits


def lag_bet(name: str, words: str, logs: Doubles, hits: Doubles) -> Bet:
    """The mixture over all distances."""
    runs = len(logs)
    if runs < 2:
        return Bet(RUNS, name, f"{words} an earlier run", arb(0))
    distances = np.arange(1, runs, dtype=np.float64)
    weighed = logs[1:] - np.log(distances) - np.log(distances + 1)
    best = int(np.argmax(weighed))
    value = float(np.logaddexp(np.logaddexp.reduce(weighed), -np.log(runs))) - SLACK * runs
    event = f"{words} {best + 1} run{'s' if best else ''} before"
    return Bet(RUNS, name, event, arb(value), f"{int(hits[best + 1])} of {runs - best - 1}")
