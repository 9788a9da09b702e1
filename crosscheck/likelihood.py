"""Likelihoods of counts in floating point: for the diagnosis, where nothing is decided by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

import numpy as np
from panshuffle.crosscheck.doubles import upper_end
from panshuffle.crosscheck.mass_tables import MassTable

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


def only_chance(rest: float, freedom: int) -> bool:
    """Whether what a law leaves unexplained, in nats, is no more than some deviations of half a chi-squared law."""
    return rest <= 2.5 * sqrt(2 * freedom) + 5
