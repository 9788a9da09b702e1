"""Scores of outcomes, and bets that they are tilted: in the mean, against each other, and from run to run.

A score is a function of an outcome with one value h for all outcomes of a cell between two cuts.  If a cell has mass p,
the product over runs of e^(t h)/sum p e^(t h) is a martingale for every t, also for one that is chosen from what
came before; upper ends of the masses only lower it.  Which scores and which t are taken is a matter of power alone,
so they are found in floating point; exponents stay below 8, and doubles are lowered by more than their rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import arb, ctx
from panshuffle.crosscheck.doubles import Doubles, Whole, lowered, mean_of
from panshuffle.crosscheck.mass_tables import BITS, MassTable

LEVELS = (0.001, 0.003, 0.01, 0.02, 0.04, *(i / 10 for i in range(1, 10)), 0.96, 0.98, 0.99, 0.997, 0.999)
"""Cuts are made near these quantiles: nine in the middle, and five in each tail."""
DEGREES = 4
"""Scores are about the first orthogonal polynomials of the law: mean, spread, skewness and tails."""
LARGEST = 4.0
"""Scores are cut there: under the law they have mean 0 and variance 1 about."""
GENTLE = 2.5
"""Scores that are multiplied are cut there."""
SIZES = (0.05, 0.1, 0.2, 0.4, 0.8)
"""How far the mean of a score is bet to be off, in its deviations: each twice the one before."""
TILTS = np.array([*(-size for size in reversed(SIZES)), *SIZES])


@lru_cache(maxsize=4096)
def cut_points(law: MassTable) -> list[int]:
    """Outcomes near the quantiles of a law, found in floating point: any cut is valid."""
    total, points, levels = 0.0, set(), list(LEVELS)
    for x, mass in enumerate(law.masses, start=law.first):
        total += float(mass.mid())
        while levels and total >= levels[0]:
            points.add(x)
            levels.pop(0)
    last = law.first + len(law.masses) - 1
    return sorted(point for point in points if point < last or law.tail > 0)


@lru_cache(maxsize=4096)
def cell_masses(law: MassTable) -> tuple[arb, ...]:
    """The masses of the cells between the cuts."""
    with ctx.workprec(BITS):
        sums = [law.up_to(x) for x in cut_points(law)]
        return tuple(high - low for low, high in zip([arb(0), *sums], [*sums, arb(1)], strict=True))


@dataclass(frozen=True)
class Scores:
    """The cuts, upper ends of the masses of the cells, and for each degree the scores of the cells."""

    cuts: Whole
    high: Doubles
    values: Doubles

    def gentle(self, degree: int = 0) -> Doubles:
        """A score, cut where a product of two of them is still small; 0 where there are not so many cells."""
        return np.clip(self.values[degree], -GENTLE, GENTLE) if len(self.values) > degree else np.zeros(len(self.high))

    def cells(self, outcomes: Whole) -> Whole:
        """The cells of some outcomes."""
        return np.asarray(np.searchsorted(self.cuts, outcomes, side="left"))

    def cost(self, tilted: Doubles) -> Doubles:
        """ln of the mean of e^x at the most, for rows of exponents x of the cells."""
        return np.asarray(np.log(np.exp(tilted) @ self.high))

    def shapes(self, counts: Whole) -> list[float]:
        """For each degree, the bets that the mean of the score is off in cells that were met so often."""
        runs, logs = int(counts.sum()), []
        for row in self.values:
            gains, spent = TILTS * float(row @ counts), self.cost(TILTS[:, None] * row)
            size = np.abs(TILTS) * float(np.abs(row) @ counts) + runs * (np.abs(spent) + 1)
            logs.append(mean_of(lowered(gains - runs * spent, size)))
        return logs


@lru_cache(maxsize=4096)
def scores_of(law: MassTable) -> Scores:
    """The scores of a law."""
    cuts = np.array(cut_points(law), dtype=np.int64)
    masses = cell_masses(law)
    high = np.array([min(1.0, float(mass.upper()) * (1 + 1e-15)) for mass in masses])
    weights = np.maximum(np.array([float(mass.mid()) for mass in masses]), 1e-12)
    centres = middles(law, cuts)
    mean = weights @ centres / weights.sum()
    deviation = max(1e-9, float(np.sqrt(weights @ (centres - mean) ** 2 / weights.sum())))
    degrees = min(DEGREES, len(masses) - 1)
    powers = np.vander((centres - mean) / deviation, degrees + 1, increasing=True)
    basis = np.linalg.qr(powers * np.sqrt(weights)[:, None])[0] / np.sqrt(weights)[:, None]
    signs = np.where(basis[-1] < 0, -1.0, 1.0)
    return Scores(cuts, high, np.clip((basis * signs).T[1:], -LARGEST, LARGEST))


def middles(law: MassTable, cuts: Whole) -> Doubles:
    """About the mean outcome of each cell."""
    masses = np.array([max(0.0, float(mass.mid())) for mass in law.masses])
    outcomes = law.first + np.arange(len(masses))
    cells = np.searchsorted(cuts, outcomes, side="left")
    weight = np.bincount(cells, weights=masses, minlength=len(cuts) + 1)
    total = np.bincount(cells, weights=masses * (outcomes - law.first), minlength=len(cuts) + 1)
    ends = np.append(cuts, cuts[-1] + 1 if len(cuts) else law.first) - law.first
    return np.where(weight > 0, total / np.maximum(weight, 1e-300), ends) + law.first


@lru_cache(maxsize=65536)
def pair_costs(first: MassTable, second: MassTable) -> Doubles:
    """For each tilt t, ln E[e^(t h h')] at the most, for the first scores of two independent outcomes."""
    a, b = scores_of(first), scores_of(second)
    products = np.outer(a.gentle(), b.gentle())
    return np.array([float(np.log(a.high @ np.exp(t * products) @ b.high)) for t in TILTS])


@lru_cache(maxsize=4096)
def next_costs(law: MassTable, other: MassTable) -> Doubles:
    """The same given the cell of the first outcome: for each cell, and for each tilt t."""
    a, b = scores_of(law), scores_of(other)
    return np.stack([b.cost(t * np.outer(a.gentle(), b.gentle())) for t in TILTS], axis=1)
