"""Evidence against a law that stays valid however often one looks: e-values of sequences of independent runs.

Under the law, each value below is the value of a martingale that starts at 1 and is not negative, after as many runs as
were counted; so is every mixture with weights of sum 1.  By Ville's inequality such a martingale ever reaches 1/alarm
with probability at most `alarm`, whatever the number of runs and whenever somebody looks and goes on.
All values are logarithms in floating point, lowered by more than their rounding: of an enclosed probability the end
that is against an alarm counts.

The likelihoods of counts at the end are for the diagnosis, where nothing is decided by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lgamma, log

import numpy as np
import numpy.typing as npt
from flint import arb, ctx, fmpq
from panshuffle.crosscheck.mass_tables import BITS, MassTable

Doubles = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SHARE = 1000  # one part in so many of the law is mixed into an alternative
LEAST_LOGARITHM = -10_000  # stands for the logarithm of 0: a probability of 0 is at most e^-10000
SLACK = 1e-12  # of all terms together: more than a hundred times what their rounding comes to
TINIEST = 1e-307  # stands for a smaller probability, so that no product or quotient leaves the range of doubles
GENTLE = (0.5, 0.8, 0.95, 1.05, 1.25, 2.0)  # how many times as likely an event that should be frequent is bet to be
RARE = (1.2, 2.0, 10.0, 1e3, 1e6, 1e12, 1e24)
"""The same for an event that should be rare: one of probability 1e-30 has to decide at once."""


def lowered(value: Doubles | float, size: Doubles | float) -> Doubles:
    """The logarithm less its rounding, given at least the sum of the absolute values of its terms and their number."""
    return np.asarray(value - SLACK * (size + 1.0))


def log_upper(p: Doubles) -> Doubles:
    """ln of upper ends of probabilities; that of 0 is -10000, which is above it."""
    return np.where(p > 0, np.log(np.clip(p, TINIEST, 1.0)), float(LEAST_LOGARITHM))


def log_factorial(counts: Whole) -> Doubles:
    """ln n! of whole numbers."""
    values, places = np.unique(counts, return_inverse=True)
    return np.array([lgamma(n + 1) for n in values.tolist()], dtype=np.float64)[places].reshape(counts.shape)


def spreads(counts: Whole, masses: Doubles) -> Doubles:
    """For each row, cells that were met so often: a uniformly random law against upper ends of the masses.

    >>> float(np.exp(spreads(np.array([[1, 1]]), np.array([[0.5, 0.5]])))[0]) <= 2 / 3
    True
    """
    runs, cells = counts.sum(axis=1), counts.shape[1]
    terms = log_factorial(counts) - np.where(counts > 0, counts * log_upper(masses), 0.0)
    most = log_factorial(runs + cells - 1)
    value = lgamma(cells) - most + terms.sum(axis=1)
    return lowered(value, most + np.abs(terms).sum(axis=1) + runs)


def splits(hits: Whole, runs: Whole, low: Doubles, high: Doubles) -> Doubles:
    """For each event, met so often in so many runs: a uniformly random probability against one between these ends."""
    masses = np.stack([np.minimum(1.0, high), np.minimum(1.0, 1 - low + 1e-15)], axis=1)
    return spreads(np.stack([hits, runs - hits], axis=1), masses)


def spread(counts: Sequence[int], masses: Sequence[arb]) -> float:
    """Cells that were met so often: the likelihood under a uniformly random law (Dirichlet), over that of the masses.

    >>> round(float(np.exp(spread((1, 1), (arb(0.5), arb(0.5))))), 6)
    0.666667
    """
    return float(spreads(np.array([counts]), ends(masses)[1][None, :])[0])


def split(count: int, runs: int, p: arb) -> float:
    """An event of probability p that happened `count` times: 1/((runs + 1) P[Bin(runs, p) = count]).

    It is the likelihood under a uniformly random probability, over the likelihood under p.

    >>> round(float(np.exp(split(0, 3, arb(0.5)))), 6)
    2.0
    """
    with ctx.workprec(BITS):
        return spread((count, runs - count), (p, 1 - p))


def mean_of(logs: Doubles) -> float:
    """ln of the mean of e-values that are given by their logarithms."""
    top = float(logs.max())
    return top + log(float(np.exp(logs - top).mean())) - SLACK


def mixed(parts: Iterable[tuple[Fraction, float]]) -> float:
    """ln of the weighted sum of e-values that are given by their logarithms."""
    logs = np.array([value + log(weight) for weight, value in parts])
    return float(lowered(mean_of(logs) + log(len(logs)), abs(float(logs.max()))))


def threshold(alarm: Fraction) -> float:
    """ln(1/alarm), rounded up."""
    return (log(alarm.denominator) - log(alarm.numerator)) + SLACK * log(alarm.denominator)


def frequency_divergence(count: int, runs: int, mass: arb) -> arb:
    """N * KL(count/N, p) at the end p of the enclosure of the mass that is next to the observed frequency.

    Infinite for an outcome that the law excludes; 0 where the frequency lies within the enclosure.
    """
    frequency = arb(fmpq(count, runs))
    if not (frequency > mass or frequency < mass):
        return arb(0)
    p = mass.upper() if frequency > mass else mass.lower()
    total = arb(0)
    for seen, q in ((count, p), (runs - count, 1 - p)):
        if seen and not q > 0:
            return arb.pos_inf()
        if seen:
            total += seen * (arb(fmpq(seen, runs)) / q).log()
    return total


class Tilt:
    """Events with known probabilities q that may change, and bets that an event is so many times as likely.

    The e-value after some events is the mean over the odds w of the product of w^[it happened]/(1 + (w - 1) q); it is a
    martingale if every q is the probability given all that came before.
    """

    def __init__(self, odds: Sequence[float] = GENTLE) -> None:
        self.odds = np.array(odds)
        self.costs = np.zeros(len(odds))
        self.hits, self.trials, self.expected = 0, 0, 0.0

    def add(self, hits: int, low: Doubles, high: Doubles, times: Whole | None = None) -> None:
        """Some more events, of which so many happened; each q by its ends, and how often it was met."""
        counts = np.ones(len(high), dtype=np.int64) if times is None else times
        ends = np.where(self.odds[:, None] > 1, np.minimum(1.0, high), np.maximum(0.0, low))
        self.costs += np.log1p((self.odds[:, None] - 1) * ends) @ counts
        self.add_sums(hits, int(counts.sum()), float(high @ counts))

    def add_sums(self, hits: int, trials: int, expected: float) -> None:
        """The numbers that are shown."""
        self.hits, self.trials, self.expected = self.hits + int(hits), self.trials + trials, self.expected + expected

    def log_e(self) -> float:
        """ln of the e-value."""
        gains = self.hits * np.log(self.odds)
        return mean_of(lowered(gains - self.costs, np.abs(gains) + np.abs(self.costs) + self.trials))


class OneShot:
    """All is staked on one run, the i-th with probability 1/(i(i + 1)), at given e-values of the runs."""

    def __init__(self) -> None:
        self.won, self.runs = -np.inf, 0
        self.best = (-np.inf, 0)

    def add(self, logs: Doubles) -> None:
        """ln of the e-values of some more runs."""
        numbers = np.arange(self.runs + 1, self.runs + len(logs) + 1, dtype=np.float64)
        self.runs += len(logs)
        top = int(np.argmax(logs))
        self.best = max(self.best, (float(logs[top]), int(numbers[top])))
        staked = logs - np.log(numbers) - np.log(numbers + 1)
        self.won = float(np.logaddexp(self.won, np.logaddexp.reduce(staked))) - SLACK

    def log_e(self) -> float:
        """ln of what the runs so far have made of it, and what waits for later ones."""
        return float(np.logaddexp(self.won, -log(self.runs + 1))) - SLACK


class Tilts:
    """As many tilts side by side, each of which meets at most one event at a time."""

    def __init__(self, number: int, odds: Sequence[float]) -> None:
        self.odds, self.costs = np.array(odds), np.zeros((number, len(odds)))
        self.hits, self.trials, self.expected = (np.zeros(number) for _ in range(3))

    def add(self, places: Whole, happened: Flags, q: Doubles) -> None:
        """One more event at each of these places, with its probability."""
        ends = np.where(self.odds > 1, q[:, None] * (1 + 1e-15), q[:, None] * (1 - 1e-15))
        self.costs[places] += np.log1p((self.odds - 1) * np.minimum(1.0, ends))
        self.hits[places] += happened
        self.trials[places] += 1
        self.expected[places] += q

    def logs(self) -> list[float]:
        """ln of each e-value."""
        gains = self.hits[:, None] * np.log(self.odds)
        sizes = np.abs(gains) + np.abs(self.costs) + self.trials[:, None]
        return [mean_of(row) for row in lowered(gains - self.costs, sizes)]


@lru_cache(maxsize=4096)
def ends_of(law: MassTable) -> tuple[Doubles, Doubles]:
    """The lower and the upper ends of the masses of a law; in one more place those of an outcome not listed.

    At one precision, whoever asks: outcomes are told apart by these ends, so they must be the same each time.
    """
    with ctx.workprec(BITS):
        low, high = ends([*law.masses, law.tail])
        return np.append(low[:-1], 0.0), high


def ends(probabilities: Sequence[arb]) -> tuple[Doubles, Doubles]:
    """The ends of some enclosed probabilities, rounded outward."""
    return np.array([lower_end(p) for p in probabilities]), np.array([upper_end(p) for p in probabilities])


def upper_end(mass: arb) -> float:
    """A double that is no less than a mass: 0 only where that is 0."""
    return 0.0 if mass.is_zero() else max(TINIEST, float(mass.upper()) * (1 + 1e-15))


def lower_end(mass: arb) -> float:
    """A double that is no more than a mass."""
    return max(0.0, float(mass.lower()) * (1 - 1e-15))


def places_of(law: MassTable, values: Whole) -> Whole:
    """Where values stand in `ends_of` of their law."""
    place = values - law.first
    return np.where((place < 0) | (place >= len(law.masses)), len(law.masses), place)


@lru_cache(maxsize=16384)
def ratios(law: MassTable, other: MassTable) -> Doubles:
    """ln((1 - 1/1000) q/p + 1/1000) of every outcome that the law lists, and of all others in one more place."""
    high = ends_of(law)[1]
    low = np.zeros(len(high))
    first, last = max(law.first, other.first), min(law.first + len(law.masses), other.first + len(other.masses))
    if first < last:
        low[first - law.first : last - law.first] = ends_of(other)[0][first - other.first : last - other.first]
    return log_odds(low, high)


def log_odds(low: Doubles, high: Doubles) -> Doubles:
    """ln((1 - 1/1000) q/p + 1/1000) for lower ends of q and upper ends of p."""
    share, sure = 1 / SHARE, (low > 0) & (high <= 0)
    quotient = np.minimum(np.divide(low, np.maximum(high, TINIEST)), 1e280)
    return np.where(sure, -float(LEAST_LOGARITHM), np.log((1 - share) * quotient + share))


FLOOR = 1e-12
"""Stands for the mass of an outcome that a law excludes, so that one such outcome does not rule the law out."""
Counts = Sequence[Counter[int]]


def law_likelihood(counter: Counter[int], law: MassTable) -> float:
    """ln of the likelihood of one coordinate's counts."""
    if not counter:
        return 0.0
    listed = range(law.first, law.first + len(law.masses))  # of a law in a search only what was seen is looked at
    masses = [upper_end(law.masses[x - law.first] if x in listed else law.tail) for x in counter]
    return float(np.log(np.maximum(masses, FLOOR)) @ np.array(list(counter.values()), dtype=np.float64))


def saturated(counter: Counter[int]) -> float:
    """The largest likelihood that any law gives, less what it gains from fitting chance.

    That is half a nat for each outcome, and about one more for each that was met once: it may as well not have been.
    """
    runs = counter.total()
    if not runs:
        return 0.0
    once = sum(count == 1 for count in counter.values())
    return sum(count * log(count / runs) for count in counter.values()) - (len(counter) - 1) / 2 - once


def moments(counts: Counter[int]) -> tuple[float, float]:
    """The mean and the variance that were seen."""
    runs = max(1, counts.total())
    mean = sum(x * count for x, count in counts.items()) / runs
    return mean, sum((x - mean) ** 2 * count for x, count in counts.items()) / runs
