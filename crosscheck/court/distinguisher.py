"""A lower bound on the delta of a k-fold composition from explicit events, by convolution in balls.

Round the loss of each run to a grid, in whatever way, and let T be the sum of the k rounded losses.  {T >= t} is an
event, so P[T >= t] - E Q[T >= t] <= delta for every t; both probabilities come from the two laws on the grid.  The
rounding costs little: it misplaces only tuples whose gain is almost 0.  A tuple some of whose partial sums (over 2, 4,
8, ... runs) leave a window counts as outside of the event, under both laws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from flint import arb, arb_poly, ctx

from exact.numbers.real import Real

BITS = 256
CELLS = 40_000
DEVIATIONS = 13.0


@dataclass(frozen=True)
class Sums:
    """The masses under the two laws of the rounded sum of some runs, from the grid point `first` on."""

    first: int
    upper: arb_poly
    lower: arb_poly

    def joined(self, other: Sums, window: tuple[int, int]) -> Sums:
        """The sum of both, cut to the window."""
        first = self.first + other.first
        start, stop = max(window[0] - first, 0), max(window[1] - first, 0)
        return Sums(
            first + start,
            arb_poly((self.upper * other.upper).coeffs()[start:stop]),
            arb_poly((self.lower * other.lower).coeffs()[start:stop]),
        )


@dataclass(frozen=True)
class Grid:
    """A grid for the losses, and windows for their sums; floats choose it, and nothing rests on them."""

    step: float
    spread: float
    k: int
    eps: float

    @classmethod
    def of(cls, upper: Sequence[arb], losses: Sequence[float], k: int, exp_eps: Real) -> Grid:
        """The grid for k runs that are read at e^eps."""
        weights = [float(mass) for mass in upper]
        mean = sum(w * loss for w, loss in zip(weights, losses, strict=True))
        spread = sqrt(max(sum(w * loss**2 for w, loss in zip(weights, losses, strict=True)) - mean**2, 1e-30))
        return cls(2 * DEVIATIONS * spread * sqrt(k) / CELLS, spread, k, float(exp_eps.ball(64).log()))

    def window(self, runs: int) -> tuple[int, int]:
        """The grid points around where so many of the k runs are if all of them reach eps."""
        middle, reach = runs / self.k * (self.eps + 1), DEVIATIONS * self.spread * sqrt(runs)
        return int((middle - reach) / self.step) - 2, int((middle + reach) / self.step) + 2


def best_gain(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], k: int, exp_eps: Real) -> arb:
    """A certified lower bound on delta at e^eps of k runs; the losses need not be right, only then is it a good one."""
    grid = Grid.of(upper, losses, k, exp_eps)
    with ctx.workprec(BITS):
        total = powers(gridded(upper, lower, losses, grid.step, grid.window(1)), k, grid.window)
        factor, best = exp_eps.ball_here(), arb(0)
        above, below = suffix_sums(total.upper.coeffs()), suffix_sums(total.lower.coeffs())
        middle = int(grid.eps / grid.step) - total.first
        for t in range(max(middle - 3, 0), min(middle + 4, len(above), len(below))):
            best = best.max((above[t] - factor * below[t]).lower())
        return best.lower()


def gridded(
    upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], step: float, window: tuple[int, int]
) -> Sums:
    """One run: the masses of the outcomes whose rounded loss is each grid point of the window."""
    size = window[1] - window[0]
    above, below = [arb(0)] * size, [arb(0)] * size
    for p, q, loss in zip(upper, lower, losses, strict=True):
        cell = round(loss / step) - window[0]
        if 0 <= cell < size:
            above[cell] += p
            below[cell] += q
    return Sums(window[0], arb_poly(above), arb_poly(below))


def powers(one: Sums, k: int, window: Callable[[int], tuple[int, int]]) -> Sums:
    """The sum of k runs by repeated doubling."""
    total, runs = one, 1
    for bit in bin(k)[3:]:
        total, runs = total.joined(total, window(2 * runs)), 2 * runs
        if bit == "1":
            total, runs = total.joined(one, window(runs + 1)), runs + 1
    return total


def suffix_sums(masses: Sequence[arb]) -> list[arb]:
    """The sums from each place to the end."""
    found = [arb(0)]
    for mass in reversed(masses):
        found.append(found[-1] + mass)
    return found[:0:-1]
