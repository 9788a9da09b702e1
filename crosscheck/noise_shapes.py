"""Noise of another law in place of the right one, whatever the protocol: for the diagnosis, in floating point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import takewhile
from math import exp

import numpy as np
from panshuffle.crosscheck.doubles import Doubles, ends_of
from panshuffle.crosscheck.mass_tables import MassTable, listed, normal
from panshuffle.crosscheck.reference.model import Laws
from panshuffle.exact.real import Real

LARGEST = 4000
"""Outcomes of a law that is reshaped: more would take too long for a word."""
FAR = 1e-9  # a geometric or Poisson law is listed until less than this is left
SEEN = 1e-13  # outcomes of less mass, at the ends of a law, are left out
BITS = range(2, 17)  # of a number that wraps around
Masses = dict[int, float]


@lru_cache(maxsize=4096)
def core(law: MassTable) -> tuple[int, Doubles]:
    """The first outcome that is ever met, and the masses from there to the last one."""
    masses = ends_of(law)[1][:-1]
    met = np.nonzero(masses > SEEN)[0]
    return law.first + int(met[0]), masses[met[0] : met[-1] + 1]


def geometric(mean: float, most: int) -> Masses:
    """The number of failures before a success, with this mean."""
    ratio = mean / (1 + mean)
    return {i: (1 - ratio) * ratio**i for i in takewhile(lambda i: ratio**i > FAR, range(most))}


def poisson(mean: float, most: int) -> Masses:
    """Pois(mean)."""
    masses, mass = Masses(), exp(-mean)
    for i in range(most):
        masses[i] = mass
        mass *= mean / (i + 1)
        if i > mean and mass < FAR:
            break
    return masses


def uniform(first: int, masses: Doubles) -> Masses:
    """Every number from 0 to the largest of the noise equally often."""
    size = first + len(masses)
    return dict.fromkeys(range(size), 1 / size)


def mapped(first: int, masses: Doubles, function: Callable[[int], int]) -> Masses:
    """The law of a function of the noise."""
    return image(dict(enumerate(masses.tolist(), start=first)), function)


def of_two(function: Callable[[Doubles], Doubles]) -> Callable[[int, Doubles], Masses]:
    """The larger or the smaller of two draws, by a function of the chances to lie at or below each outcome."""

    def masses_of(first: int, masses: Doubles) -> Masses:
        below = function(np.minimum(1.0, np.cumsum(masses)))
        return dict(enumerate(np.diff(below, prepend=0.0).tolist(), start=first))

    return masses_of


def summed(first: int, masses: Doubles, sign: int = 1) -> Masses:
    """Two draws of the noise, added or the second one subtracted."""
    start = 2 * first if sign > 0 else 1 - len(masses)
    return dict(enumerate(np.convolve(masses, masses[::sign]).tolist(), start=start))


def mean_of(first: int, masses: Doubles) -> float:
    """The mean of the noise."""
    return float(first + np.arange(len(masses)) @ masses)


SHAPES: dict[str, Callable[[int, Doubles], Masses]] = {
    "geometric noise of the same mean": lambda first, masses: geometric(mean_of(first, masses), LARGEST),
    "Poisson noise of the same mean": lambda first, masses: poisson(mean_of(first, masses), LARGEST),
    "Poisson noise of the same mean, cut off at the largest number": lambda first, masses: image(
        poisson(mean_of(first, masses), LARGEST), lambda x: min(x, first + len(masses) - 1)
    ),
    "uniform noise on all numbers that the right noise takes": uniform,
    "the same noise is added twice": lambda first, masses: mapped(first, masses, lambda x: 2 * x),
    "two draws of the noise are added": summed,
    "the noise is a difference of two draws": lambda first, masses: summed(first, masses, -1),
    "the noise is subtracted": lambda first, masses: mapped(first, masses, lambda x: -x),
    "half of the noise is added, rounded down": lambda first, masses: mapped(first, masses, lambda x: x // 2),
    "the mean of two draws is added, rounded down": lambda first, masses: image(
        summed(first, masses), lambda x: x // 2
    ),
    "the larger of two draws": of_two(lambda below: below**2),
    "the smaller of two draws": of_two(lambda below: 1 - (1 - below) ** 2),
}
"""By name, the law of the noise above the least outcome, from that of the right noise."""


def image(masses: Masses, function: Callable[[int], int]) -> Masses:
    """The law of a function of a number."""
    found = Masses()
    for x, mass in masses.items():
        found[function(x)] = found.get(function(x), 0.0) + mass
    return found


def reshaped(laws: Laws) -> Iterator[tuple[str, Laws]]:
    """The laws with each shape in place of the noise above their least outcome; those without one stay."""
    for name, shape in SHAPES.items():
        yield name, each(laws, partial(moved, shape=shape))
    yield "Gaussian noise, rounded down", each(laws, rounded_down)
    for bits in BITS:
        for name, low in ((f"0..{2**bits - 1}", 0), (f"{-(2 ** (bits - 1))}..{2 ** (bits - 1) - 1}", 2 ** (bits - 1))):
            yield f"numbers wrap around to {name}", each(laws, partial(wrapped, size=2**bits, low=low))


def each(laws: Laws, change: Callable[[MassTable], MassTable]) -> Laws:
    """The laws after a change, which is made once where several coordinates have one law."""
    changed = {law: change(law) for law in dict.fromkeys(laws)}
    return tuple(changed[law] for law in laws)


def moved(law: MassTable, shape: Callable[[int, Doubles], Masses]) -> MassTable:
    """The shape above the least outcome of a law, or the law where that is not known or too long."""
    if law.least is None or len(law.masses) < 3:
        return law
    first, masses = core(law)
    if len(masses) > LARGEST:
        return law
    return listed({law.least + x: mass for x, mass in shape(first - law.least, masses).items()})


MEANS = {"Poisson": poisson, "geometric": geometric}


def scaled(laws: Laws, shape: Callable[[float, int], Masses], factor: Real) -> Laws:
    """The laws with noise of one shape and so many times the mean in place of theirs."""
    times = float(factor)
    other = partial(moved, shape=lambda first, masses: shape(times * mean_of(first, masses), LARGEST))
    return each(laws, other)


def mirrored(law: MassTable) -> MassTable:
    """The difference of two draws from a law of numbers from 0 on that come from u and 1 - u, one random number."""
    masses = core(law)[1]
    below = np.minimum(1.0, np.cumsum(masses))
    edges = np.unique(np.concatenate([[0.0, 1.0], below, 1 - below]))
    middles = (edges[1:] + edges[:-1]) / 2
    values = np.searchsorted(below, middles) - np.searchsorted(below, 1 - middles)
    found = Masses()
    for x, mass in zip(values.tolist(), np.diff(edges).tolist(), strict=True):
        found[x] = found.get(x, 0.0) + mass
    return listed(found)


def rounded_down(law: MassTable) -> MassTable:
    """Gaussian noise of the same mean and variance, rounded down, in place of any noise."""
    first, masses = core(law)
    if not 3 <= len(masses) <= LARGEST:
        return law
    mean = mean_of(first, masses)
    variance = float(((np.arange(len(masses)) + first - mean) ** 2) @ masses)
    return normal(mean - 0.5, variance)


def wrapped(law: MassTable, size: int, low: int) -> MassTable:
    """The law of what is left of a number that wraps around at size - low, or the law where none gets there."""
    first, masses = core(law)
    inside = masses[max(0, -low - first) : max(0, size - low - first)]
    if len(masses) > LARGEST or not FAR < float(inside.sum()) < 1 - FAR:
        return law
    return listed(mapped(first, masses, lambda x: (x + low) % size - low))
