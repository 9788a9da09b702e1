"""What the first runs show one after another, for the diagnosis: patterns that counts of outcomes do not keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from panshuffle.crosscheck.columns import MISSING, Columns
from panshuffle.crosscheck.doubles import Doubles, Whole
from panshuffle.crosscheck.likelihood import law_likelihood, only_chance, saturated
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.pool_bets import kinds_of
from panshuffle.crosscheck.reference.model import POOLS, RUNS, STATE

MOST_KEPT = 4096
FEWEST = 64  # runs, of fewer of which nothing is said
SAME = 0.2  # of a variance: less is no difference
FAR = 4.0  # times the right variance: outcomes that stray so far are no draws of noise
GROWN, LINE = 50.0, 0.95  # times the right variance, and the correlation with the number of the run, of what grows
PARTLY = 0.7  # of the variance that independent runs differ by: with less a part of the coins comes again
STUCK = 0.3  # of the runs, that are equal to the one before: more than chance makes where a law is not narrow
SORTED = 3  # pools whose noise may be in order by chance in one run of six
UNEQUAL = 0.1  # of the neighbours, at the least: else the noise is the same in all pools
STRETCHES = (8, 32, 128)
"""Runs in a row whose mean is looked at."""
EVEN = 0.3  # of how they should spread: less is no chance where there are enough of them
ENOUGH = 12
Pattern = tuple[str, str, tuple[str, ...]]
"""The cause, its area, and others that it may lie in as well."""


class FirstRuns:
    """The coordinates of the first runs."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.rows: Whole = np.zeros((0, len(columns.laws)), dtype=np.int64)

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if len(self.rows) < MOST_KEPT:
            self.rows = np.concatenate([self.rows, rows[: MOST_KEPT - len(self.rows)]])

    def evened(self) -> str | None:
        """The coordinate whose mean over runs in a row is always about the same, where there is one."""
        for i in self.columns.random:
            values = self.rows[:, i][self.rows[:, i] != MISSING].astype(np.float64)
            for length in STRETCHES:
                if len(values) >= ENOUGH * length and 0 <= spread_of_means(values, length) < EVEN:
                    return self.columns.names[i]
        return None

    def pattern(self) -> Pattern | None:
        """The first pattern that the runs show, if they show one."""
        whole = self.rows[(self.rows != MISSING).all(axis=1)]
        tests: Sequence[Callable[[Whole], Pattern | None]] = (self.in_order, self.stale, self.adding_up)
        return next(filter(None, (test(whole) for test in tests)), None) if len(whole) >= FEWEST else None

    def in_order(self, rows: Whole) -> Pattern | None:
        """The noise of all pools is sorted in every run."""
        columns = self.columns
        kinds = kinds_of([columns.names[i] for i in columns.independent]) or {"": [*range(len(columns.independent))]}
        for kind, places in kinds.items():
            indices = [columns.independent[place] for place in places]
            laws = [columns.laws[i] for i in indices]
            if len(indices) < SORTED or len({len(law.masses) for law in laws}) > 1:
                continue
            steps = np.diff(rows[:, indices] - np.array([law.first for law in laws]), axis=1)
            if ((steps >= 0).all() or (steps <= 0).all()) and (steps != 0).mean() > UNEQUAL:
                return f"the noise of the pools is sorted in every run{f': {kind}' if kind else ''}", POOLS, ()
        return None

    def stale(self, rows: Whole) -> Pattern | None:
        """A state goes with the output of the run before or after it, and not with that of its own run."""
        names = self.columns.names
        for i, name in enumerate(names[:-1]):
            if not (name.endswith("state") and names[i + 1] == f"{name.removesuffix('state')}output - state"):
                continue
            output, law = rows[:, i] + rows[:, i + 1], self.columns.laws[i + 1]
            if rows[:, i + 1].var() <= law.variance() or fits(rows[:, i + 1], law):
                continue
            for words, rest in (("before", output[:-1] - rows[1:, i]), ("after", output[1:] - rows[:-1, i])):
                if fits(rest, law):
                    return f"{name}: it is that of the run {words}: it goes with the output of that run", STATE, (RUNS,)
        return None

    def adding_up(self, rows: Whole) -> Pattern | None:
        """The noise of earlier runs stays, or a part of their coins."""
        again = float((rows[1:] == rows[:-1]).all(axis=1).mean())
        for i in self.columns.random:
            law, values, name = self.columns.laws[i], rows[:, i].astype(np.float64), self.columns.names[i]
            right, step = law.variance(), np.diff(values)
            if right and values.var() > GROWN * right and abs(np.corrcoef(values, np.arange(len(values)))[0, 1]) > LINE:
                return f"{name}: it grows from run to run: what is kept of a run is not set back", RUNS, (STATE,)
            if not right or correlated(*successive(step)) or not correlated(*successive(values)):
                continue
            if values.var() > FAR * right and abs(step.var() / right - 1) < SAME:
                return f"{name}: the noise adds up from run to run, and is never cleared", RUNS, (STATE,)
            if (step >= 0).all() or (step <= 0).all():
                return f"the runs are sorted: {name} never falls, or never rises, from run to run", RUNS, ()
            if again > STUCK and not correlated(*successive(values[np.append(True, step != 0)])):
                return (
                    f"{100 * again:.0f} % of the runs are the run before again: one seed for some runs or workers",
                    RUNS,
                    (),
                )
            if abs(values.var() / right - 1) < SAME and step.var() < 2 * PARTLY * right:
                share = 100 * (1 - step.var() / (2 * right))
                return f"{name}: about {share:.0f} % of the coins of a run are those of the run before", RUNS, ()
        return None


def spread_of_means(values: Doubles, length: int) -> float:
    """The variance of the means of so many values in a row, 1 where they are independent; -1 for none."""
    number = len(values) // length
    if number < 2 or values.std() == 0:
        return -1.0
    means = values[: number * length].reshape(number, length).mean(axis=1)
    return float(means.var(ddof=1) * length / values.var())


def successive(values: Doubles) -> tuple[Doubles, Doubles]:
    """Each value but the first, and the one before it."""
    return values[1:], values[:-1]


def fits(values: Whole, law: MassTable) -> bool:
    """Whether the values look like draws from a law."""
    counts = Counter(values.tolist())
    return only_chance(saturated(counts) - law_likelihood(counts, law), len(counts) - 1)


def correlated(first: Doubles, second: Doubles) -> bool:
    """Whether two rows of numbers go together, up or down, more than by chance."""
    spread = first.std() * second.std()
    share = ((first - first.mean()) * (second - second.mean())).mean() / spread if spread else 0.0
    return bool(abs(share) > 6 / np.sqrt(len(first)))
