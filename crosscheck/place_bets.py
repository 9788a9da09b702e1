"""Bets that each place of the messages holds a one as often as it did in the runs before.

The messages are uncovered one after another: given those before, the chance of a one is known.  How much likelier it is
bet to be at each place follows from earlier runs alone.
"""

from __future__ import annotations

import numpy as np
from panshuffle.crosscheck.doubles import SLACK, Doubles, Whole

MOST = 256  # places from the first on
FIRST = 16  # runs after which tilts are chosen for the first time
SELDOM = 4  # tilts are chosen again when a quarter as many runs have come as there were
LARGEST = 2.0


class Places:
    """For each place how many ones there were too many, the tilt that follows, and what the bets came to."""

    def __init__(self) -> None:
        self.off, self.spread, self.tilt = (np.zeros(MOST) for _ in range(3))
        self.gain, self.size = 0.0, 0.0
        self.shown, self.next = 0, FIRST

    def add(self, bits: Whole) -> None:
        """The messages of one more run."""
        x = bits[:MOST].astype(np.float64)
        left = bits.sum() - (np.cumsum(x) - x)
        chance = left / (len(bits) - np.arange(len(x)))
        tilt = self.tilt[: len(x)]
        spent = np.log1p(np.expm1(tilt) * chance)
        self.gain += float((x * tilt - spent).sum())
        self.size += float(np.abs(tilt).sum() + np.abs(spent).sum()) + len(x)
        self.off[: len(x)] += x - chance
        self.spread[: len(x)] += chance * (1 - chance)
        self.shown += 1
        if self.shown >= self.next:
            self.tilt, self.next = self.suggested(), self.shown + max(1, self.shown // SELDOM)

    def suggested(self) -> Doubles:
        """The tilts that would have been best so far, nearer to 0 by the part of them that is chance."""
        known = self.spread > 0
        spread = np.where(known, self.spread, 1.0)
        signs, places = float((self.off[known] ** 2 / spread[known]).sum()), int(known.sum())
        sure = max(0.0, 1 - places / signs) if signs > 0 else 0.0
        return np.asarray(np.clip(sure * np.where(known, self.off, 0.0) / spread, -LARGEST, LARGEST))

    def log_e(self) -> float:
        """What the bets came to, rounded down."""
        return self.gain - SLACK * self.size
