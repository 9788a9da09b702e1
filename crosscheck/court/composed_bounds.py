"""Bounds on the delta of a k-fold composition from both sides, by convolution in balls on a grid of losses.

From below: round the loss of each run to the grid, in whatever way, and let T be the sum of the k rounded losses.
{T >= t} is an event, so P[T >= t] - E Q[T >= t] <= delta for every t; both probabilities come from the two laws on the
grid.  The rounding costs little: it misplaces only tuples whose gain is almost 0.  A tuple some of whose partial sums
(over 2, 4, 8, ... runs) leave a window counts as outside of the event, under both laws.

From above: an outcome with masses (p, q) and loss between two grid points is the merging of two outcomes at these
points, with masses that add up to p and to q; merging is post-processing, so the split pair has no smaller delta,
however often it is run.  What is below the window is moved up to its lowest point, and what is above it counts as
infinite loss: both only add to delta.  On the grid, delta is the mean of (1 - e^(eps - T))_+ plus the mass of infinite
loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import floor, sqrt
from typing import TypeVar

from flint import arb, arb_poly, ctx
from panshuffle.crosscheck.court.family import PRECISION
from panshuffle.exact.real import Real

CELLS = 40_000
"""Grid points of the whole window: a finer grid is slower, and a coarser one loses more than a part in a hundred."""
DEVIATIONS = 13.0
"""Half of the window, in standard deviations: of a normal law less than 1e-37 is outside, and that is accounted for."""
Window = tuple[int, int]


@dataclass(frozen=True)
class Sums:
    """The masses under the two laws of the rounded sum of some runs, from the grid point `first` on."""

    first: int
    upper: arb_poly
    lower: arb_poly

    def joined(self, other: Sums, window: Window) -> Sums:
        """The sum of both, cut to the window."""
        first = self.first + other.first
        start, stop = max(window[0] - first, 0), max(window[1] - first, 0)
        above, below = (self.upper * other.upper).coeffs()[start:stop], (self.lower * other.lower).coeffs()[start:stop]
        return Sums(first + start, arb_poly(above), arb_poly(below))


@dataclass(frozen=True)
class Losses:
    """The law of the sum of the losses of some runs, from the grid point `first` on, and a bound on the rest."""

    first: int
    masses: list[arb]
    infinite: arb

    def joined(self, other: Losses, window: Window) -> Losses:
        """The sum of both, with what leaves the window moved up."""
        product = (arb_poly(self.masses) * arb_poly(other.masses)).coeffs()
        first = self.first + other.first
        start, stop = max(window[0] - first, 0), max(window[1] - first, 1)
        kept = product[start:stop] or [arb(0)]
        kept[0] += sum(product[:start], arb(0))
        beyond = sum(product[stop:], arb(0)).nonnegative_part()
        return Losses(first + start, kept, self.infinite + other.infinite + beyond)


S = TypeVar("S", Sums, Losses)


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

    def window(self, runs: int) -> Window:
        """The grid points around where so many of the k runs are if all of them reach eps."""
        middle, reach = runs / self.k * (self.eps + 1), DEVIATIONS * self.spread * sqrt(runs)
        return int((middle - reach) / self.step) - 2, int((middle + reach) / self.step) + 2


def powers(one: S, k: int, window: Callable[[int], Window]) -> S:
    """The sum of k runs by repeated doubling."""
    total, runs = one, 1
    for bit in bin(k)[3:]:
        total, runs = total.joined(total, window(2 * runs)), 2 * runs
        if bit == "1":
            total, runs = total.joined(one, window(runs + 1)), runs + 1
    return total


def best_gain(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], k: int, exp_eps: Real) -> arb:
    """A certified lower bound on delta at e^eps of k runs; the losses need not be right, only then is it a good one."""
    grid = Grid.of(upper, losses, k, exp_eps)
    with ctx.workprec(PRECISION):
        total = powers(gridded(upper, lower, losses, grid), k, grid.window)
        factor, best = exp_eps.ball_here(), arb(0)
        above, below = (list(accumulate(law.coeffs()[::-1]))[::-1] for law in (total.upper, total.lower))
        middle = int(grid.eps / grid.step) - total.first
        for t in range(max(middle - 3, 0), min(middle + 4, len(above), len(below))):
            best = best.max((above[t] - factor * below[t]).lower())
        return best.lower()


def gridded(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], grid: Grid) -> Sums:
    """One run: the masses of the outcomes whose rounded loss is each grid point of the window."""
    first, stop = grid.window(1)
    above, below = [arb(0)] * (stop - first), [arb(0)] * (stop - first)
    for p, q, loss in zip(upper, lower, losses, strict=True):
        cell = round(loss / grid.step) - first
        if 0 <= cell < stop - first:
            above[cell] += p
            below[cell] += q
    return Sums(first, arb_poly(above), arb_poly(below))


def dominating_delta(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], k: int, exp_eps: Real) -> arb:
    """A certified upper bound on delta at e^eps of k runs; mass of `upper` that is not listed has infinite loss.

    *Holds when* the floats are the losses to within half a step of the grid (caller).
    """
    grid = Grid.of(upper, losses, k, exp_eps)
    with ctx.workprec(PRECISION):
        total = powers(split(upper, lower, losses, grid), k, grid.window)
        factor, delta = exp_eps.ball_here(), total.infinite
        for cell, mass in enumerate(total.masses, total.first):
            delta += mass.nonnegative_part() * (1 - factor * (-arb(grid.step) * cell).exp()).nonnegative_part()
        return delta.upper()


def split(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], grid: Grid) -> Losses:
    """One run on the grid."""
    first, stop = grid.window(1)
    masses, listed = [arb(0)] * (stop - first), arb(0)
    points = [(-arb(grid.step) * cell).exp() for cell in range(first, stop)]
    for p, q, loss in zip(upper, lower, losses, strict=True):
        cell = floor(loss / grid.step) - first
        if cell >= stop - first - 2:
            continue
        listed += p
        if cell < 0:
            masses[1] += p
            continue
        near = (q - p * points[cell + 1]) / (points[cell] - points[cell + 1])
        if near >= 0 and near <= p:
            masses[cell] += near
            masses[cell + 1] += p - near
        else:
            masses[cell + 2] += p
    return Losses(first, masses, (1 - listed).nonnegative_part())
