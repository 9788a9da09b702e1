"""The pair of Poisson pools by its cells in whole numbers, to any number of digits for means of some thousands.

As in `exact.pairs.poisson_pair`, an event of the pair is x1*x2 > E*y1*y2.  By falling ratio x/y, the cells of one pool
that belong to a cell of the other are a prefix of the order, which grows with the ratio of that cell: one walk along
both orders sums all pairs, and no more than a part of the cells is held as whole numbers at a time.

Masses are whole multiples of u = 2^-scale, wrong by at most 2u each.  A sum over all pairs of cells of products of four
masses is then wrong by at most 4 * 2u * (number of counts), as the three other masses of a product sum to at most 1.
Pairs of cells close to the threshold are left out as in `exact.pairs.poisson_pair_sorted`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx, fmpz
from panshuffle.exact.laws.noise import poisson_window
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.pairs.poisson_pair_sorted import (
    CLOSE,
    LARGEST_SORTED_EXP_EPS,
    LEAST_ESTIMATE,
    Indices,
    Places,
    by_falling_ratio,
    close_mass,
    prefixes,
    reach,
    ties_only,
)

Whole = npt.NDArray[np.object_]

MOST_CELLS = 2_500_000
"""They take two or three seconds."""
MARGIN_BITS = 16
HELD = 1 << 22
"""So many bits of masses are held as whole numbers at a time, about."""


@dataclass(frozen=True)
class WholeCells:
    """The cells of a window by falling ratio: minus their ratios, and where their counts' masses stand."""

    masses: Whole
    minus_ratios: npt.NDArray[np.float64]
    rows: Indices
    columns: Indices
    outside: arb

    def laws(self, places: slice) -> tuple[Whole, Whole]:
        """The masses of some cells under both laws."""
        rows, columns = self.rows[places], self.columns[places]
        return self.masses[rows] * self.masses[columns + 1], self.masses[rows + 1] * self.masses[columns]

    def upper(self, scale: int) -> npt.NDArray[np.float64]:
        """The masses of all cells under `upper`, about."""
        masses = np.array([float(Fraction(mass, 1 << scale)) for mass in self.masses], dtype=np.float64)
        found: npt.NDArray[np.float64] = masses[self.rows] * masses[self.columns + 1]
        return found


def poisson_pair_whole(mu: Real, exp_eps: Real, estimate: float, precision: int) -> arb | None:
    """An enclosure of delta at e^eps to about so many bits; None where there would be too many cells.

    `estimate` is a value near delta, which only decides how far out the cells reach and how fine their masses are.
    """
    if not estimate > LEAST_ESTIMATE or exp_eps > LARGEST_SORTED_EXP_EPS:
        return None
    bits = precision + MARGIN_BITS - log2(estimate) + log2(float(exp_eps))
    first, last = reach(mu, bits)
    if (last - first + 3) ** 2 > MOST_CELLS:
        return None
    scale = int(bits) + (last - first + 3).bit_length() + 4
    cells = whole_cells(mu, first, last, scale)
    least, most = prefixes(cells.minus_ratios, exp_eps)
    close = 0.0 if ties_only(exp_eps, last) else close_mass(cells.upper(scale), least, most)
    if close is None:
        return None
    gains, costs = summed(cells, least)
    with ctx.workprec(4 * scale):
        factor = exp_eps.ball_here()
        value = (arb(fmpz(gains)) - factor * arb(fmpz(costs))) * arb(2) ** (-4 * scale)
    with ctx.workprec(precision + MARGIN_BITS):
        rounding = 8 * (1 + factor) * (last - first + 3) * arb(2) ** -scale
        left_out = 8 * (1 + factor) * cells.outside
        return value + arb(0, 1) * (rounding + left_out).upper() + arb(0).union(arb(2 * CLOSE) * arb(close))


@lru_cache(maxsize=1)
def whole_cells(mu: Real, first: int, last: int, scale: int) -> WholeCells:
    """The cells of a window, in order, with masses in units of 2^-scale."""
    balls, before, beyond = poisson_window(mu, first, last, scale + 32)
    with ctx.workprec(scale + 32):
        scaled = [ball * arb(2) ** scale for ball in balls]
        if any(ball.rad() > 1 for ball in scaled):
            raise ArithmeticError("the masses of a Poisson law lost their accuracy")
        whole = [0, *(int(ball.mid().floor().unique_fmpz() or 0) for ball in scaled), 0]
        masses = np.empty(len(whole), dtype=object)
        masses[:] = whole
    minus_ratios, rows, columns = by_falling_ratio(first, len(whole) - 1)
    return WholeCells(masses, minus_ratios, rows, columns, before + beyond)


def summed(cells: WholeCells, prefix: Places) -> tuple[int, int]:
    """The masses of the pair's event under both laws: each cell times the sums over its prefix."""
    gains = costs = 0
    for places, above_upper, above_lower in walk(cells, prefix):
        upper, lower = cells.laws(places)
        gains += int((upper * above_upper).sum())
        costs += int((lower * above_lower).sum())
    return gains, costs


def walk(cells: WholeCells, prefix: Places) -> Iterator[tuple[slice, Whole, Whole]]:
    """Parts of the cells, the last ones first, with the sums of both laws over the prefix of each."""
    rising = prefix[::-1]  # the smaller the ratio, the fewer cells of the other pool belong to it
    size, done, known = len(rising), 0, 0
    part = 1 + HELD // max(map(int, cells.masses)).bit_length()
    upper, lower = 0, 0
    while done < size:
        stop = min(done + part, size, int(np.searchsorted(rising, known + part, side="right")))
        reached = int(rising[stop - 1]) if stop > done else known + part
        sums = [np.add.accumulate(np.concatenate([[0], law])) for law in cells.laws(slice(known, reached))]
        above_upper, above_lower = upper + sums[0], lower + sums[1]
        if stop > done:
            at = rising[done:stop][::-1] - known
            yield slice(size - stop, size - done), above_upper[at], above_lower[at]
        upper, lower = above_upper[-1], above_lower[-1]
        done, known = stop, reached
