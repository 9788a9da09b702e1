"""How strongly coordinates depend on each other, and runs on earlier ones, given whatever laws the coordinates have.

For the diagnosis only: a mistake in the law of a coordinate is no sign of dependence, however often pairs agree by it.
All values are in nats, and rough.
"""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
from panshuffle.crosscheck.columns import Columns
from panshuffle.crosscheck.doubles import Doubles, Whole, ends_of
from panshuffle.crosscheck.pool_bets import CENTRED, Pools, Signs
from panshuffle.crosscheck.reuse_bets import Reuse
from panshuffle.crosscheck.run_bets import Lags

RARELY = 0.02  # of the runs, at either end, that are not looked at for gaps
NEARLY_ALL = 0.9
LEAST_FILLED = 5  # outcomes, of fewer of which nothing is said


def information(cells: Whole) -> Doubles:
    """N times the mutual information of tables of two by two, less what chance gives in the mean."""
    table = cells.reshape(len(cells), 2, 2).astype(np.float64)
    total = np.maximum(table.sum(axis=(1, 2), keepdims=True), 1.0)
    expected = table.sum(axis=2, keepdims=True) * table.sum(axis=1, keepdims=True) / total
    terms = np.where(table > 0, table * np.log(np.maximum(table, 1e-300) / np.maximum(expected, 1e-300)), 0.0)
    return np.asarray(terms.sum(axis=(1, 2)) - 0.5)


def over_chance(cells: Whole) -> float:
    """The evidence of the best table of some, and of all of them together."""
    if not len(cells):
        return 0.0
    each = information(cells)
    return max(float(each.max()) - log(len(each)), agreement(cells))


def agreement(cells: Whole) -> float:
    """Half the squared number of deviations by which all tables together agree too often, given their margins."""
    table = cells.astype(np.float64)
    total = np.maximum(table.sum(axis=1), 1.0)
    first, second = (table[:, 0] + table[:, 1]) / total, (table[:, 0] + table[:, 2]) / total
    expected = total * (first * second + (1 - first) * (1 - second))
    variance = total * 4 * first * (1 - first) * second * (1 - second)
    excess = (table[:, 0] + table[:, 3] - expected).sum()
    return float(excess**2 / (2 * variance.sum())) if variance.sum() > 0 else 0.0


def between_pools(pools: Pools) -> float:
    """The evidence that coordinates of a run depend on each other."""
    found = 0.0
    for signs in (pools.sides, pools.even):
        found = max(found, of_signs(pools, signs))
    return max(found, equal_noise(pools))


def of_signs(pools: Pools, signs: Signs) -> float:
    """The same from one feature of each coordinate."""
    if not pools.pairs:
        return 0.0
    a, b = np.array(pools.pairs).T
    return over_chance(signs.cells(a, b))


def equal_noise(pools: Pools) -> float:
    """The same from noise that is equal in two coordinates more often than their observed laws give."""
    best = 0.0
    for i, gap in enumerate(pools.gaps):
        for j, hits in enumerate(pools.equal[i].tolist()):
            met = int(pools.both_here[i][j])
            first, second = (pools.columns.counts[pools.indices[place]] for place in (j, j + gap))
            by = int(pools.firsts[j + gap] - pools.firsts[j])
            p = sum(count * second[x + by] for x, count in first.items()) / max(1, first.total() * second.total())
            if met and hits > met * p:
                rest = (met - hits) * log((met - hits) / (met * (1 - p))) if hits < met and p < 1 else 0.0
                best = max(best, hits * log(hits / (met * p)) + rest - log(10 * len(pools.pairs))) if p > 0 else best
    return best


def between_runs(lags: Lags) -> float:
    """The evidence that coordinates depend on those of the runs shortly before."""
    tables = [
        np.stack([lags.low_low, lags.low_met - lags.low_low, lags.high_low, lags.high_met - lags.high_low], axis=2)
    ]
    cells = np.concatenate(tables).reshape(-1, 4)
    each = over_chance(cells) if lags.indices else 0.0
    by_lag = [agreement(tables[0][i]) for i in range(len(tables[0]))] if lags.indices else [0.0]
    return max(each, after_windows(lags), *by_lag)


def after_windows(lags: Lags) -> float:
    """The same from how many of some runs before were on one side: N times the mutual information, less chance."""
    best = 0.0
    for window, (lows, met) in lags.after.items():
        table = np.stack([lows, met - lows]).astype(np.float64)
        total = np.maximum(table.sum(axis=(0, 1)), 1.0)
        expected = table.sum(axis=0, keepdims=True) * table.sum(axis=1, keepdims=True) / total
        terms = np.where(table > 0, table * np.log(np.maximum(table, 1e-300) / np.maximum(expected, 1e-300)), 0.0)
        found = terms.sum(axis=(0, 1)) - window / 2
        best = max(best, float(found.max(initial=0.0)) - log(len(found) or 1) - 1.0)
    return best


def reused(columns: Columns, reuse: Reuse, bound: bool) -> float:
    """The evidence that runs, or stretches of noise, come again more often than the observed laws give.

    Where the coordinates of a run are `bound` to each other a run has no more outcomes than its most varied coordinate.
    """
    repeats = reuse.repeats
    logs = [collision(columns, i) for i in repeats.indices]
    each = min(logs, default=0.0) if bound else sum(logs)
    found = surprise(repeats.tilt.hits, np.exp(min(0.0, each)) * columns.runs**2 / 2)
    for sequence, width in [(reuse.together, max(1, len(logs))), *((one, 1) for one in reuse.alone)]:
        if sequence is not None:
            pairs = len(sequence.symbols) ** 2 / (2 * sequence.length)
            found = max(found, surprise(sequence.tilt.hits, np.exp(sequence.length / width * each) * pairs))
    return found


def surprise(hits: int, expected: float) -> float:
    """About -ln of the chance of so many rare events where so many are expected; 0 where they are no surprise."""
    expected = max(expected, 1e-300)
    return hits * log(hits / expected) - hits + expected if hits > 2 * expected else 0.0


def freshness(columns: Columns) -> float:
    """How many outcomes the most varied coordinate has, over how many it should have: 1 where runs are new."""
    shares = []
    for i in columns.random:
        high = ends_of(columns.laws[i])[1]
        seen = columns.counts[i].total()
        expected = float((1 - (1 - np.minimum(1.0, high)) ** seen).sum())
        shares.append(len(columns.counts[i]) / max(1.0, expected))
    return min(1.0, max(shares, default=1.0))


def filled(columns: Columns) -> bool:
    """Whether the most varied coordinate takes nearly every outcome between its rare ones, as draws from a law do."""
    counts = max((columns.counts[i] for i in columns.random), key=len, default=Counter[int]())
    values = np.sort(np.repeat(list(counts), list(counts.values()))) if counts else np.zeros(0)
    low, high = (values[round(share * (len(values) - 1))] for share in (RARELY, 1 - RARELY)) if len(values) else (0, 0)
    usual = sum(low <= x <= high for x in counts)
    return usual >= LEAST_FILLED and bool(usual > NEARLY_ALL * (high - low + 1))


def sums_with_right_mean(columns: Columns) -> set[str]:
    """The names of those sums of coordinates whose means are right: what else is off in others says nothing."""
    found = set()
    for i in columns.reference.sums:
        law, counts, runs = columns.laws[i], columns.counts[i], columns.counts[i].total()
        off = sum(x * count for x, count in counts.items()) - runs * law.mean()
        if off**2 <= CENTRED**2 * runs * law.variance():
            found.add(columns.names[i])
    return found


def collision(columns: Columns, i: int) -> float:
    """ln of the chance that two draws from the observed law of a coordinate are equal."""
    counts = columns.counts[i]
    total = counts.total()
    return log(sum(count * count for count in counts.values()) / total**2) if total else 0.0
