"""Both pools of P_UT that a changed user touches, as one view.

With O, Z independent Pois(mu), a pool shows (x, y) = (O + 1, Z) under `upper` and (O, Z + 1) under `lower`, with
likelihood ratio x/y; the other pool shows the same with ones and zeros exchanged.  So the pair is the pool taken
twice, and an event of the pair is x1*x2 > E*y1*y2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from flint import arb, ctx
from panshuffle.exact.laws.noise import poisson_masses
from panshuffle.exact.numbers.real import Real, log, scaled_bounds

SMALL_MEAN, LARGEST_MEAN = 20, 150
COARSE_PRECISION, SORTED_PRECISION = 64, 128
"""Up to the second one extended precision is enough."""
FIRST_BITS, LEAST_THRESHOLD_BITS = 128, 4096
HUGE_LOG = 1 << 20
"""An e^eps beyond e^(2^20) is not written out: the means that are allowed are far below it."""


def ordered_cells(size: int) -> list[tuple[int, int]]:
    """The cells (x, y) with 0 <= x, y <= size, without (0, 0), by falling ratio x/y.

    Quotients of integers below 2^20 differ by more than a double's rounding, and equal ones round alike, so
    doubles order them exactly.
    """
    if size >= 1 << 20:
        raise ValueError("too many cells to order by doubles")
    cells = [(x, y) for x in range(size + 1) for y in range(size + 1) if x or y]
    return sorted(cells, key=lambda cell: cell[0] / cell[1] if cell[1] else float("inf"), reverse=True)


def poisson_pair_delta(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair.

    Balls over all cells give every digit for small means; extended precision gives about thirteen for means up to
    some thousands; a table of one pool's curve gives three to five beyond.
    """
    if is_beyond(mu, exp_eps, precision):
        return beyond_all_ratios(mu, precision)
    if mu <= SMALL_MEAN or (precision > SORTED_PRECISION and mu <= LARGEST_MEAN):
        return poisson_pair_cells(mu, exp_eps, precision)
    from panshuffle.exact.pairs.poisson_pair_sorted import poisson_pair_sorted
    from panshuffle.exact.pairs.poisson_pair_table import poisson_pair_bounds

    rough = poisson_pair_bounds(mu, exp_eps, COARSE_PRECISION)
    if precision <= COARSE_PRECISION and mu > LARGEST_MEAN:
        return rough
    near = rough if rough > 0 else poisson_pair_bounds(mu, exp_eps, precision)
    found = poisson_pair_sorted(mu, exp_eps, float(near.mid()))
    return poisson_pair_bounds(mu, exp_eps, precision) if found is None else found


def is_beyond(mu: Real, exp_eps: Real, precision: int) -> bool:
    """Whether a finite ratio above E needs a count that hardly ever happens: x1*x2 > E, with y1, y2 >= 1."""
    bits = log(exp_eps).ball(64)
    return bits > HUGE_LOG or bits > 2 * log(16 * mu + 4 * precision + 64).ball(64)


def beyond_all_ratios(mu: Real, precision: int) -> arb:
    """delta where only an empty y tells `upper` from `lower`.

    Beyond E that is all but the chance of x1 or x2 >= sqrt(E) >= b = 16 mu + 4 precision + 64 >= 16 mu, where
    P[Pois(mu) >= b - 1] <= (e mu/(b-1))^(b-1) <= 4^-(b-1).
    """
    with ctx.workprec(precision + 32):
        empty, count = (-mu.ball_here()).exp(), 16 * mu.ball_here() + 4 * precision + 63
        return 2 * empty - empty * empty + arb(0).union(2 * (-count * arb(4).log()).exp())


def poisson_pair_cells(mu: Real, exp_eps: Real, precision: int) -> arb:
    """The same by summing over all cells.

    For each cell of one pool the other pool contributes the cells of ratio above E*y/x, which are a prefix of
    the order; both run monotonically, so the work after ordering is linear.  Each of the four counts leaves out
    a tail, which adds at most its mass under `upper` and takes away at most E times its mass under `lower`.
    """
    masses, tail = poisson_masses(mu, precision)
    cells = ordered_cells(len(masses))
    with ctx.workprec(precision + 32):
        padded = [arb(0), *masses, arb(0)]
        upper = [padded[x] * padded[y + 1] for x, y in cells]
        lower = [padded[x + 1] * padded[y] for x, y in cells]
        above_upper = list(accumulate(upper, initial=arb(0)))
        above_lower = list(accumulate(lower, initial=arb(0)))
        factor = exp_eps.ball_here()
        total = arb(0)
        for cell, prefix in zip(range(len(cells)), prefixes(cells, exp_eps, precision), strict=True):
            total += upper[cell] * above_upper[prefix] - factor * lower[cell] * above_lower[prefix]
        left_out = 4 * tail + arb(2) ** (8 - threshold_bits(precision))
        return total + (-factor * left_out).union(left_out)


def prefixes(cells: Sequence[tuple[int, int]], exp_eps: Real, precision: int) -> list[int]:
    """For each cell (x2, y2) in order, how many cells (x1, y1) satisfy x1*x2 > E*y1*y2.

    The number falls as the ratio of (x2, y2) does.  The first bits of E, which settle almost all, are looked up once.
    """
    low, high = scaled_bounds(exp_eps, FIRST_BITS)
    result, count = [], len(cells)
    for x2, y2 in cells:
        while count:
            x1, y1 = cells[count - 1]
            left, right = x1 * x2, y1 * y2
            shifted = left << FIRST_BITS
            if shifted > high * right or (shifted > low * right and exceeds(left, right, exp_eps, precision)):
                break
            count -= 1
        result.append(count)
    return result


def threshold_bits(precision: int) -> int:
    """How many bits of E a threshold is compared with."""
    return max(LEAST_THRESHOLD_BITS, 4 * precision)


def exceeds(left: int, right: int, exp_eps: Real, precision: int = 0) -> bool:
    """left > E*right for whole numbers; what `threshold_bits` do not settle is not counted.

    Such cells are so close to a tie that all of them together matter less than 2^-threshold_bits.
    """
    bits = FIRST_BITS
    while bits <= 2 * threshold_bits(precision):
        low, high = scaled_bounds(exp_eps, bits)
        if left << bits > high * right:
            return True
        if left << bits <= low * right:
            return False
        bits *= 2
    return False
