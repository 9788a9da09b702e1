"""The tester's probabilities in floating point, for searches only: nothing here decides anything.

P[X < x] is read off the characteristic function at half-integer multiples of a small step (Davies 1973).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log, sqrt

import numpy as np
import numpy.typing as npt
from panshuffle.exact.accuracy.uniformity import Statistic
from panshuffle.exact.laws.double_law import Doubles

PERIOD, FREQUENCIES = 40.0, 320


def poisson_float(mu: float) -> tuple[int, Doubles]:
    """The masses of Pois(mu) eight standard deviations around its mean, and where they begin."""
    reach = 8 * sqrt(mu) + 20
    first = max(0, int(mu - reach))
    x = np.arange(first, int(mu + reach) + 1, dtype=np.float64)
    if mu <= 0:
        return 0, np.ones(1)
    logs = -mu + x * log(mu) - np.array([lgamma(v + 1) for v in x])
    return first, np.exp(logs)


def count_float(nu: float, lam: float) -> tuple[Doubles, Doubles]:
    """The values and masses of W = 2c + P - Q."""
    (c0, c), (p0, p) = poisson_float(nu), poisson_float(lam / 2)
    twice = np.zeros(2 * len(c) - 1)
    twice[::2] = c
    masses = np.convolve(np.convolve(twice, p), p[::-1])
    first = 2 * c0 + p0 - (p0 + len(p) - 1)
    return np.arange(first, first + len(masses), dtype=np.float64), masses


@dataclass(frozen=True)
class Spectrum:
    """Mean and standard deviation of Z', and its characteristic function where it is read, in standard units."""

    mean: float
    sd: float
    half: Doubles
    phi: npt.NDArray[np.complex128]

    def chance_above(self, tau: float) -> float:
        """P[Z' > tau], to a few digits."""
        t = self.half * (2 * np.pi / PERIOD)
        turned = self.phi * np.exp(-1j * t * ((tau - self.mean) / self.sd))
        return float(min(1.0, max(0.0, 0.5 + np.sum(turned.imag / self.half) / np.pi)))

    def upper_quantile(self, chance: float) -> float:
        """About the least tau with P[Z' > tau] <= chance."""
        low, high = self.mean - 5 * self.sd, self.mean + 10 * self.sd
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.chance_above(middle) > chance else (low, middle)
        return high


@lru_cache(maxsize=8)
def spectrum(of: Statistic) -> Spectrum:
    """The spectrum of Z'."""
    mu, lam = float(of.m / of.k), float(of.lam)
    parts, mean, variance = [], 0.0, 0.0
    for p, count in of.law:
        w, masses = count_float(float(of.m * p), lam)
        masses = masses / masses.sum()
        x = ((w / 2 - mu) ** 2 - w / 2) / mu
        centre = float(np.dot(masses, x))
        x = x - centre
        mean, variance = mean + count * centre, variance + count * float(np.dot(masses, x * x))
        parts.append((x, masses, count))
    half: Doubles = np.linspace(0.5, FREQUENCIES - 0.5, FREQUENCIES, dtype=np.float64)
    phi = np.ones(FREQUENCIES, dtype=np.complex128)
    for x, masses, count in parts:
        phi *= np.exp(1j * np.outer(half * (2 * np.pi / PERIOD), x / sqrt(variance))).dot(masses) ** count
    return Spectrum(mean, sqrt(variance), half, phi)
