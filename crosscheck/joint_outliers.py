"""Single runs that are absurd as a whole, though no coordinate is: all pools high, all low, or all far out."""

from __future__ import annotations

from functools import lru_cache
from math import exp, sqrt

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import OUTLIER, Bet
from panshuffle.crosscheck.columns import MISSING, Columns
from panshuffle.crosscheck.doubles import SLACK, TINIEST, OneShot, Whole, places_of, ratios
from panshuffle.crosscheck.mass_tables import MassTable, listed

SHAPES = (
    *(("all high", 1.0, slope) for slope in (1.0, 3.0, 8.0)),
    *(("all low", 1.0, -slope) for slope in (1.0, 3.0, 8.0)),
    *(("all far from the middle", power, 0.0) for power in (1 / 2, 1 / 8)),
)
"""Laws in proportion to p(x)^power e^(slope x/deviation), under which outliers of all coordinates are likely: slight
slopes for many coordinates, steep ones for few."""


@lru_cache(maxsize=4096)
def leaning(law: MassTable, power: float, slope: float) -> MassTable:
    """The law of such a shape."""
    masses = np.array([max(0.0, float(mass.mid())) for mass in law.masses])
    x = np.arange(len(masses))
    mean = float(masses @ x)
    deviation = max(sqrt(max(0.0, float(masses @ (x - mean) ** 2))), 1e-9)
    logs = np.where(masses > 0, power * np.log(np.maximum(masses, TINIEST)) + slope * (x - mean) / deviation, -np.inf)
    weights = np.exp(logs - logs.max())
    scaled = weights / weights.sum() * (1 - 1e-9)
    return listed({law.first + i: mass for i, mass in enumerate(scaled.tolist())})


class JointOutliers:
    """All is staked on one run, and there on all its independent coordinates."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.indices = [i for i, law in enumerate(columns.laws) if i not in columns.dependent and len(law.masses) > 1]
        self.shots = [OneShot() for _ in SHAPES]

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if len(self.indices) < 2:
            return
        for shot, (_, power, slope) in zip(self.shots, SHAPES, strict=True):
            logs, size = np.zeros(len(rows)), np.zeros(len(rows))
            for i in self.indices:
                law = self.columns.laws[i]
                terms = ratios(law, leaning(law, power, slope))[places_of(law, rows[:, i])]
                terms = np.where(rows[:, i] == MISSING, 0.0, terms)
                logs, size = logs + terms, size + np.abs(terms)
            shot.add(logs - SLACK * (size + len(self.indices)))

    def bets(self) -> list[Bet]:
        """One for each shape."""
        if len(self.indices) < 2:
            return []
        found = []
        for shot, (shape, _, _) in zip(self.shots, SHAPES, strict=True):
            score, run = shot.best
            chance = f"{exp(-max(0.0, min(score, 700.0))):.1e}"
            found.append(Bet(OUTLIER, "all coordinates", f"{shape} in run {run}", arb(shot.log_e()), "1", chance))
        return found
