"""An upper bound on the delta of a k-fold composition from a pair of laws on a grid that dominates it.

An outcome with masses (p, q) and loss between two grid points is the merging of two outcomes at these points, with
masses that add up to p and to q; merging is post-processing, so the split pair has no smaller delta, however often it
is run.  What is below the window is moved up to its lowest point, and what is above it counts as infinite loss: both
only add to delta.  On the grid, delta is the mean of (1 - e^(eps - T))_+ plus the mass of infinite loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

from flint import arb, arb_poly, ctx

from crosscheck.court.distinguisher import BITS, Grid
from exact.numbers.real import Real


@dataclass(frozen=True)
class Losses:
    """The law of the sum of the losses of some runs, from the grid point `first` on, and a bound on the rest."""

    first: int
    masses: list[arb]
    infinite: arb

    def joined(self, other: Losses, window: tuple[int, int]) -> Losses:
        """The sum of both, with what leaves the window moved up."""
        product = (arb_poly(self.masses) * arb_poly(other.masses)).coeffs()
        first = self.first + other.first
        start, stop = max(window[0] - first, 0), max(window[1] - first, 1)
        kept = product[start:stop] or [arb(0)]
        kept[0] += sum(product[:start], arb(0))
        beyond = sum(product[stop:], arb(0)).nonnegative_part()
        return Losses(first + start, kept, self.infinite + other.infinite + beyond)


def dominating_delta(upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], k: int, exp_eps: Real) -> arb:
    """A certified upper bound on delta at e^eps of k runs; mass of `upper` that is not listed has infinite loss.

    *Holds when* the floats are the losses to within half a step of the grid (caller).
    """
    grid = Grid.of(upper, losses, k, exp_eps)
    with ctx.workprec(BITS):
        one = split(upper, lower, losses, grid.step, grid.window(1))
        total = powers(one, k, grid.window)
        factor, delta = exp_eps.ball_here(), total.infinite
        for cell, mass in enumerate(total.masses, total.first):
            delta += mass.nonnegative_part() * (1 - factor * (-arb(grid.step) * cell).exp()).nonnegative_part()
        return delta.upper()


def split(
    upper: Sequence[arb], lower: Sequence[arb], losses: Sequence[float], step: float, window: tuple[int, int]
) -> Losses:
    """One run on the grid."""
    first, stop = window
    masses, listed = [arb(0)] * (stop - first), arb(0)
    points = [(-arb(step) * cell).exp() for cell in range(first, stop)]
    for p, q, loss in zip(upper, lower, losses, strict=True):
        cell = floor(loss / step) - first
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


def powers(one: Losses, k: int, window: Callable[[int], tuple[int, int]]) -> Losses:
    """The sum of k runs by repeated doubling."""
    total, runs = one, 1
    for bit in bin(k)[3:]:
        total, runs = total.joined(total, window(2 * runs)), 2 * runs
        if bit == "1":
            total, runs = total.joined(one, window(runs + 1)), runs + 1
    return total
