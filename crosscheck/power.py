"""How many runs it takes to find a parameter that is off, and what was not looked at: computed, not guessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np
from panshuffle.crosscheck.doubles import ends_of, ratios
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.reference.model import Laws, Reference


@dataclass(frozen=True)
class Power:
    """A parameter that is off by so many percent, up or down, is found in about so many runs; None where in none."""

    name: str
    percent: float
    runs: int | None


def gain_of(law: MassTable, other: MassTable) -> float:
    """The mean gain of the bet on another law in a run that follows it: about how far that diverges from the law."""
    masses = np.zeros(len(law.masses) + 1)
    low = ends_of(other)[0]
    first, last = max(law.first, other.first), min(law.first + len(law.masses), other.first + len(other.masses))
    if first < last:
        masses[first - law.first : last - law.first] = low[first - other.first : last - other.first]
    beyond = max(0.0, float(low.sum() - masses.sum()))
    tail = max(float(ends_of(law)[1][-1]), 1e-300)
    return float(masses @ ratios(law, other)) + beyond * log(1e-3 + beyond / tail)


def gain(reference: Reference, laws: Laws) -> float:
    """The same over all coordinates of a run: their sum where they are independent, or the best of the others."""
    joint, best = 0.0, 0.0
    for i, (law, other) in enumerate(zip(reference.laws, laws, strict=True)):
        if other is not law and i not in reference.aside:
            value = gain_of(law, other)
            joint, best = (joint, max(best, value)) if i in reference.dependent else (joint + value, best)
    return max(joint, best)


def powers(reference: Reference, need: float) -> tuple[Power, ...]:
    """The runs after which the bet on each parameter that is slightly off is expected to have won enough."""
    found: dict[tuple[str, float], list[int | None]] = {}
    for near in reference.near:
        value = gain(reference, near.laws)
        runs = ceil(need / value) if value > 0 else None
        found.setdefault((near.name, abs(near.percent)), []).append(runs)
    return tuple(
        Power(name, percent, None if None in runs else max(run for run in runs if run is not None))
        for (name, percent), runs in found.items()
    )


def power_sentence(powers: Sequence[Power]) -> str:
    """What would have been found in how many runs, parameter by parameter."""
    names = dict.fromkeys(power.name for power in powers)
    return "; ".join(f"{name} off by {', '.join(of_name(powers, name))}" for name in names)


def of_name(powers: Iterable[Power], name: str) -> list[str]:
    """For one parameter, how much it is off and the runs that it takes."""
    mine = sorted((power for power in powers if power.name == name), key=lambda power: -power.percent)
    return [f"{power.percent:g} % in {in_runs(power.runs)}" for power in mine]


def in_runs(runs: int | None) -> str:
    """So many runs, in words."""
    return "no number of runs" if runs is None else f"{runs:,} run{'s' if runs > 1 else ''}"
