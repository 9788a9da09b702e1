"""Independent losses, many of them alike: their masses, the sums that a tilt makes of them, and its weights as doubles.

The letters are those of `mean_gain`: p the masses under `upper`, M(s) the sum of p e^(s loss), c the tilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import fsum, log, sqrt
from operator import mul

import numpy as np
import numpy.typing as npt
from flint import arb
from panshuffle.exact.laws.double_law import Doubles

UNIT = 2.0**-53
NEGLIGIBLE = 2.0**-64

Kind = tuple[Sequence[arb], Sequence[arb], int]
"""Positive masses under `upper`, centred losses, and how many losses are of this kind."""


@dataclass(frozen=True, slots=True)
class Atoms:
    """Masses under `upper` and centred losses, as balls, and roughly the logarithms of the masses and the losses."""

    masses: Sequence[arb]
    losses: Sequence[arb]
    log_masses: Doubles
    near: Doubles
    uses: int

    @classmethod
    def of(cls, masses: Sequence[arb], losses: Sequence[arb], uses: int) -> Atoms:
        """The atoms with these positive masses and these losses."""
        logs = np.array([float(mass.log().mid()) for mass in masses])
        return cls(masses, losses, logs, np.array([float(loss.mid()) for loss in losses]), uses)

    def cumulant(self, s: float) -> float:
        """Roughly log M(s)."""
        exponents = self.log_masses + s * self.near
        top = float(exponents.max())
        return top + log(float(np.exp(exponents - top).sum()))

    def tilted(self, s: float) -> list[arb]:
        """p e^(s loss) for every atom; their sum is M(s)."""
        tilt = arb(s)
        return [mass * (tilt * loss).exp() for mass, loss in zip(self.masses, self.losses, strict=True)]

    def extent(self) -> float:
        """Roughly the largest difference of two losses."""
        return float(self.near.max() - self.near.min())

    def silent(self, share: Share) -> float:
        """The tilted weight of the atoms whose loss is exactly 0."""
        return fsum(weight for i, weight in zip(share.kept, share.weights, strict=True) if self.losses[i].is_zero())

    def moments(self, s: float) -> tuple[float, float]:
        """Roughly the mean and the variance of the loss under the tilt."""
        exponents = self.log_masses + s * self.near
        weights = np.exp(exponents - exponents.max())
        weights /= weights.sum()
        mean = float((weights * self.near).sum())
        return mean, float((weights * (self.near - mean) ** 2).sum())

    def share(self, c: float) -> Share:
        """The tilted weights."""
        balls = self.tilted(c)
        total = sum(balls, arb(0))
        shares = [ball / total for ball in balls]
        weights = np.array([float(share.mid()) for share in shares])
        kept = np.flatnonzero(weights > NEGLIGIBLE / len(weights))
        doubt = float(sum((share.rad() for share in shares), arb(0)).upper().mid())
        return Share(weights[kept], kept, 2 * doubt + 4 * UNIT + 2 * NEGLIGIBLE, total)


@dataclass(frozen=True, slots=True)
class Total:
    """All losses: of several kinds, independent of each other."""

    kinds: tuple[Atoms, ...]
    h: int

    @classmethod
    def of(cls, kinds: Sequence[Kind], h: int = 1) -> Total:
        """The losses of these kinds."""
        return cls(tuple(Atoms.of(*kind) for kind in kinds), h)

    @property
    def uses(self) -> int:
        """k."""
        return sum(kind.uses for kind in self.kinds)

    def cumulant(self, s: float) -> float:
        """Roughly log M(s)^k."""
        return fsum(kind.uses * kind.cumulant(s) for kind in self.kinds)

    def moments(self, s: float) -> tuple[float, float]:
        """Roughly the mean and the variance of the sum under the tilt."""
        found = [(kind.uses, kind.moments(s)) for kind in self.kinds]
        return fsum(uses * mean for uses, (mean, _) in found), fsum(uses * spread for uses, (_, spread) in found)

    def spread(self, s: float) -> float:
        """Roughly the standard deviation of the sum under the tilt, and never 0."""
        return sqrt(self.moments(s)[1]) + 1e-9

    def reach(self, c: float, goal: float, sign: int) -> tuple[float, float]:
        """(A, b): roughly the least A that Chernoff's bound with exponent b gives R[sign * t > A] <= e^-goal."""
        here = self.cumulant(c)
        exponents = [2.0 ** (i / 4) * sqrt(2 * goal) / self.spread(c) for i in range(-12, 9)]
        return min(((self.cumulant(c + sign * b) - here + goal) / b, b) for b in exponents)

    def generating(self, s: float) -> arb:
        """M(s)^k."""
        return product(sum(kind.tilted(s), arb(0)) ** kind.uses for kind in self.kinds)

    def extent(self) -> float:
        """Roughly the largest difference of two losses of one kind."""
        return max(kind.extent() for kind in self.kinds)

    def largest(self) -> arb:
        """The largest value of the sum, from above."""
        found = ((kind.uses, max(kind.losses, key=lambda loss: loss.upper())) for kind in self.kinds)
        return sum((uses * loss.upper() for uses, loss in found), arb(0))


def product(factors: Iterable[arb]) -> arb:
    """The product of some balls."""
    return reduce(mul, factors, arb(1))


@dataclass(frozen=True, slots=True)
class Share:
    """The tilted weights of one kind as floats with a bound on their total error, which atoms they are of, and M(c)."""

    weights: Doubles
    kept: npt.NDArray[np.int64]
    error: float
    whole: arb


@dataclass(frozen=True, slots=True)
class Tilt:
    """The tilt c, the tilted weights of every kind, and C = M(c)^k."""

    c: float
    shares: tuple[Share, ...]
    constant: arb
