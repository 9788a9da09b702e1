"""Noise of another law in place of the right one, whatever the protocol: for the diagnosis, in floating point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp

from crosscheck.mass_tables import MassTable, listed
from crosscheck.reference.model import Laws

LARGEST = 2000
"""Outcomes of a law that is reshaped: more would take too long for a word."""
FAR = 1e-9  # a geometric or Poisson law is listed until less than this is left


def geometric(mean: float, most: int) -> dict[int, float]:
    """The number of failures before a success, with this mean."""
    ratio = mean / (1 + mean)
    return {i: (1 - ratio) * ratio**i for i in range(most) if ratio**i > FAR}


def poisson(mean: float, most: int) -> dict[int, float]:
    """Pois(mean)."""
    masses, mass = dict[int, float](), exp(-mean)
    for i in range(most):
        masses[i] = mass
        mass *= mean / (i + 1)
        if i > mean and mass < FAR:
            break
    return masses


def uniform(law: MassTable, base: int) -> dict[int, float]:
    """Every number of the right noise equally often."""
    size = law.first + len(law.masses) - base
    return dict.fromkeys(range(size), 1 / size)


def doubled(law: MassTable, base: int) -> dict[int, float]:
    """Twice the right noise."""
    return {2 * (law.first + i - base): float(mass.mid()) for i, mass in enumerate(law.masses)}


SHAPES: dict[str, Callable[[MassTable, int], dict[int, float]]] = {
    "geometric noise of the same mean": lambda law, base: geometric(law.mean() - base, LARGEST),
    "Poisson noise of the same mean": lambda law, base: poisson(law.mean() - base, LARGEST),
    "uniform noise on all numbers that the right noise takes": uniform,
    "the same noise is added twice": doubled,
}


def reshaped(laws: Laws) -> Iterator[tuple[str, Laws]]:
    """The laws with each shape in place of the noise above their least outcome; those without one stay."""
    for name, shape in SHAPES.items():
        yield name, tuple(moved(law, shape) for law in laws)
    twice = tuple(law.plus(law.moved(-law.least)) if suits(law) and law.least is not None else law for law in laws)
    yield "two draws of the noise are added", twice


def suits(law: MassTable) -> bool:
    """Whether a law is that of noise above a least outcome, and not too long."""
    return law.least is not None and 2 < len(law.masses) <= LARGEST


def moved(law: MassTable, shape: Callable[[MassTable, int], dict[int, float]]) -> MassTable:
    """The shape above the least outcome of a law, or the law."""
    if not suits(law) or law.least is None:
        return law
    base = law.least
    return listed({base + x: mass for x, mass in shape(law, base).items()})
