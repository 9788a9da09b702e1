"""Both pools of P_UT that a changed user touches, as one view: delta as a mean over four Poisson counts.

With O, Z independent Pois(mu), a pool shows (x, y) = (O + 1, Z) under `upper` and (O, Z + 1) under `lower`; the other
pool shows the same with ones and zeros exchanged, so the pair is the pool taken twice.

Legend: X1, X2, Y1, Y2 independent Pois(mu), pi their mass; A = X1 X2, B = Y1 Y2, which have one law; E = e^eps.

*Formula*: as pi(x-1) = pi(x) x/mu, the two counts of a pool have pi(x) pi(y) times x/mu under `upper` and y/mu under
`lower`, so that
    delta = E[(A - E B)_+] / mu^2 = (the chance that B is 0) + E[(A - E B)_+; B > 0] / mu^2.
Counts beyond some window add between 0 and their chance under `upper`, where X is one more than a Poisson count.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement, islice
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.laws.integer_law import UNIT, DoubleLaw, Doubles, around_mass
from panshuffle.exact.laws.noise import (
    PoissonLaw,
    poisson_lower_ball,
    poisson_mass_ball,
    poisson_masses,
    poisson_upper_ball,
    walk,
    working_bits,
)
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_delta
from panshuffle.exact.real import Real, log, scaled_bounds, sqrt

SMALL_MEAN, LARGEST_MEAN = 20, 150
COARSE_PRECISION, SORTED_PRECISION = 64, 128
"""Up to the second one extended precision is enough."""
LEAST_THRESHOLD_BITS = 4096
HUGE_LOG = 1 << 20
"""An e^eps beyond e^(2^20) is not written out: the means that are allowed are far below it."""


def poisson_pair_delta(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair.

    Balls over all products give every digit for small means; extended precision gives about thirteen for means up to
    some thousands; products on a lattice give three to five beyond.
    """
    if is_beyond(mu, exp_eps, precision):
        return beyond_all_ratios(mu, precision)
    if mu <= SMALL_MEAN or (precision > SORTED_PRECISION and mu <= LARGEST_MEAN):
        return poisson_pair_whole(mu, exp_eps, precision)

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


def no_product(mu: Real) -> arb:
    """The chance that B is 0, at the working precision."""
    empty = (-mu.ball_here()).exp()
    return 2 * empty - empty * empty


def beyond_all_ratios(mu: Real, precision: int) -> arb:
    """delta where only an empty y tells `upper` from `lower`.

    Beyond E that is all but the chance of x1 or x2 >= sqrt(E) >= b = 16 mu + 4 precision + 64 >= 16 mu, where
    P[Pois(mu) >= b - 1] <= (e mu/(b-1))^(b-1) <= 4^-(b-1).
    """
    with ctx.workprec(precision + 32):
        count = 16 * mu.ball_here() + 4 * precision + 63
        return no_product(mu) + arb(0).union(2 * (-count * arb(4).log()).exp())


def poisson_pair_whole(mu: Real, exp_eps: Real, precision: int) -> arb:
    """The same by summing over all products, in balls.

    Where so many bits of E don't tell whether a > E b, the two are so close that all such pairs together matter less
    than one of these bits.
    """
    masses, tail = poisson_masses(mu, precision + 8)
    bits = max(LEAST_THRESHOLD_BITS, 4 * precision)
    low, _ = scaled_bounds(exp_eps, bits)
    with ctx.workprec(precision + 32):
        law: dict[int, arb] = {}
        for x, y in combinations_with_replacement(range(1, len(masses)), 2):
            law[x * y] = law.get(x * y, arb(0)) + masses[x] * masses[y] * (1 if x == y else 2)
        values = sorted(law)
        chances = [law[value] for value in values]
        above = list(accumulate(reversed(chances), initial=arb(0)))[::-1]
        sizes = [value * chance for value, chance in zip(values, chances, strict=True)]
        sums = list(accumulate(reversed(sizes), initial=arb(0)))[::-1]
        factor, total = exp_eps.ball_here(), arb(0)
        for value, chance, size in zip(values, chances, sizes, strict=True):
            first = bisect_right(values, low * value >> bits)
            total += chance * sums[first] - factor * size * above[first]
        left_out = 2 * masses[-1] + 4 * tail
        return no_product(mu) + total / mu.ball_here() ** 2 + arb(0).union(left_out) + arb(0, arb(2) ** (8 - bits))


# All products in extended precision, for means of some thousands.
#
# Rounding, with u the unit roundoff of the extended type: masses are known to a relative error of 2^-60 (the number of
# products is limited so that none is a subnormal double).  A sum from the largest product on is a running sum within a
# block of b products plus a running sum over c blocks, all terms non-negative, so its relative error is at most
# (b + c + 4)u on top; the final sum is pairwise.  The relative errors are multiplied by gain and cost and added to both
# ends.  Whether a > E b is decided in whole numbers.


Extended = npt.NDArray[np.longdouble]
Whole = npt.NDArray[np.int64]

BLOCK, PART = 1024, 1 << 17
MARGIN_BITS = 60
MOST_PRODUCTS = 3_000_000
"""They take a second and 300 MB."""
LEAST_ESTIMATE = 1e-280
LARGEST_SORTED_EXP_EPS = 1 << 40
EXTENDED_BITS, DOUBT_BITS = 128, 1200
STEP_BITS = 16
"""How far out counts reach is a multiple of this, so that neighbouring points of a curve share them."""


@dataclass(frozen=True)
class Products:
    """The products of two counts by falling size, their masses, and sums of these and of their sizes from the largest.

    `outside` bounds what counts without products add to delta.
    """

    values: Whole
    masses: Extended
    above: Extended
    sizes_above: Extended
    outside: arb


@lru_cache(maxsize=256)
def poisson_pair_sorted(mu: Real, exp_eps: Real, estimate: float) -> arb | None:
    """An enclosure of delta at e^eps to about thirteen digits; None where there would be too many products.

    `estimate` is a value near delta, which only decides how far out the counts reach.
    """
    if not estimate > LEAST_ESTIMATE or exp_eps > LARGEST_SORTED_EXP_EPS:
        return None
    least = MARGIN_BITS - log2(estimate)
    for bits in (STEP_BITS * -(-least // STEP_BITS), least):
        first, last = reach(mu, bits)
        if (last - first + 2) ** 2 <= 2 * MOST_PRODUCTS:
            break
    else:
        return None
    products = products_of(mu, first, last)
    gains, costs, error = sums(products, exp_eps)
    with ctx.workprec(EXTENDED_BITS):
        factor, square = exp_eps.ball_here(), mu.ball_here() ** 2
        value = exact_of(gains) - factor * exact_of(costs)
        spread = error * (exact_of(gains) + factor * exact_of(costs)).upper() / square
        doubt = (spread + arb(2) ** (64 - DOUBT_BITS)).upper() * arb(0, 1)
        return no_product(mu) + value / square + doubt + arb(0).union(products.outside)


def reach(mu: Real, bits: float) -> tuple[int, int]:
    """The counts, from 1 on, outside of which Pois(mu) has a mass of about 2^-bits."""
    mean = mu.floor()
    spread = int((1.4 * bits * (mean + bits / 3)) ** 0.5) + 8
    return max(1, mean - spread), mean + spread


def extended(ball: arb) -> np.longdouble:
    """The middle of a ball as two doubles added: exact to 2^-60 in extended precision."""
    high = float(ball.mid())
    return np.longdouble(high) + np.longdouble(float((ball.mid() - arb(high)).mid()))


def exact_of(value: np.longdouble) -> arb:
    """An extended number as an exact ball."""
    high = float(value)
    return arb(high) + arb(float(value - np.longdouble(high)))


@lru_cache(maxsize=1)
def products_of(mu: Real, first: int, last: int) -> Products:
    """The products of the counts of a window, in order."""
    bits = working_bits(EXTENDED_BITS, last)
    with ctx.workprec(bits):
        balls = list(islice(walk(PoissonLaw(mu.accurate_ball(bits)), first, 1), last + 1 - first))
    before, beyond = (
        tail(mu, x, EXTENDED_BITS) for tail, x in ((poisson_lower_ball, first - 1), (poisson_upper_ball, last + 1))
    )
    if any(ball.rel_accuracy_bits() < 80 for ball in balls):
        raise ArithmeticError("the masses of a Poisson law lost their accuracy")
    masses, counts = np.array([*map(extended, balls)], dtype=np.longdouble), np.arange(first, last + 1)
    rows, columns = (part.astype(np.int32) for part in np.triu_indices(len(counts)))
    values = counts[rows] * counts[columns]
    order = np.argsort(-values, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    chances = masses[rows] * masses[columns] * np.where(rows == columns, 1, 2)
    with ctx.workprec(EXTENDED_BITS):
        outside = 4 * beyond + 2 * balls[-1] + (4 * before if first > 1 else 0)
    return Products(values, chances, running(chances), running(chances * values), outside)


def sums(products: Products, exp_eps: Real) -> tuple[np.longdouble, np.longdouble, float]:
    """(gains, costs, error): the mean of A and of B where A > E B, and their relative error."""
    gains, costs = np.longdouble(0), np.longdouble(0)
    edges, falling = floors(products.values, exp_eps), -products.values
    for start in range(0, len(edges), PART):
        part = slice(start, start + PART)
        count = np.searchsorted(falling, -edges[part], side="left")
        gains += (products.masses[part] * products.sizes_above[count]).sum()
        costs += (products.masses[part] * products.values[part] * products.above[count]).sum()
    unit = float(np.finfo(np.longdouble).eps)
    error = (BLOCK + len(edges) / BLOCK + 100) * unit + 8 * 2.0**-60
    return gains, costs, error


def floors(values: Whole, exp_eps: Real) -> Whole:
    """The integer part of E b for each of the values, which fall, or any number that is at least the largest value."""
    e, most = exp_eps.fraction, int(values[0])
    if e is not None and e.numerator * most < 1 << 62:
        exact: Whole = values * e.numerator // e.denominator
        return exact
    scaled = np.minimum(values * extended(exp_eps.ball(EXTENDED_BITS)), np.longdouble(most + 1))
    found: Whole = np.floor(scaled).astype(np.int64)
    low, _ = scaled_bounds(exp_eps, DOUBT_BITS)
    for i in np.flatnonzero(abs(scaled - np.rint(scaled)) < 8 * (most + 1) * np.finfo(np.longdouble).eps):
        value = int(values[i])
        edge = low * value >> DOUBT_BITS if e is None else e.numerator * value // e.denominator
        found[i] = min(edge, most + 1)
    return found


def running(values: Extended) -> Extended:
    """Sums of the first 0, 1, 2, ... values, by blocks."""
    count = -(-len(values) // BLOCK)
    padded = np.zeros(count * BLOCK, dtype=np.longdouble)
    padded[: len(values)] = values
    within = padded.reshape(count, BLOCK).cumsum(axis=1)
    before = np.concatenate([[np.longdouble(0)], within[:, -1].cumsum()[:-1]])
    within += before[:, None]
    return np.concatenate([[np.longdouble(0)], within.ravel()[: len(values)]])


# The products on a lattice of logarithms, for every mean: a certified interval.
#
# Legend: the places of the lattice are a g^i, h = log g.
#
# *Above.*  (A - E B)_+ is convex in each of the four counts, so delta does not fall if the mass of each count is
# divided between the two places around it such that its mean is kept.  Then each product is at a place, and A - E B is
# positive from some distance of the two places on: of the sums over distances from k on, that for the right k is the
# largest.
# *Below.*  P(S) - E Q(S) for the event S that the places at or below the counts are at least k apart in all, for any k.
# Both differ from delta in second order of h.  The place of a product is the sum of two: its law is a convolution,
# which does not depend on E.
#
# *Rounding*, with u = 2^-53: masses and tails of Pois(mu) have a relative error of at most `error`.  The logarithm of
# count/mu comes from their difference, so that a count's share of a place is off by less than some 20 u times the
# number of places, which is below 2^15; `SHARE` more is given to both places and to their neighbours.  A sum of n
# products of positive doubles has a relative error of n u, however it is added up.  What lies outside of the window
# counts in full, against the bound.  Products that underflow are wrong by less than 1e-320 each, which 1e-300 covers;
# no answer below 1e-250 is taken from the lattice.


PLACES = (1 << 10, 1 << 14)
"""Enough to decide most comparisons, and as many as take a fraction of a second."""
SHARE, TILE = 1e-9, 1 << 12
WINDOWS = (200, 900)
"""A window leaves out about 2^-bits; the second one is for a small delta."""
ROUGH, GRID_BITS = 64, 32
LEAST, UNDERFLOW = 1e-250, 1e-300
MOST_PRECISION = 256
LARGEST_LATTICE_MEAN = 10**10
FAR_MEAN = 10**7
"""Beyond this mean a delta that can't be on the lattice is bounded at once: one pool's takes long there."""
LARGEST_LATTICE_EXP_EPS = 1 << 20
WORKING_BITS = 96


@dataclass(frozen=True)
class Lattice:
    """The law of the place of two counts' product: divided between places for a bound from above, else rounded down.

    `sizes` have the mean of the product at each place, in units of mu^2; `error` is the relative error of all sums.
    """

    step: float
    above: Doubles
    sizes_above: Doubles
    below: Doubles
    sizes_below: Doubles
    error: float
    outside: float

    def bounds(self, e_low: float, e_high: float) -> tuple[float, float]:
        """Bounds of delta without the chance that B is 0, for an E between these."""
        near = int(np.floor(np.log(e_low) / self.step))
        low = max(self.gain(k, self.below, self.sizes_below, e_high, -1) for k in range(near - 1, near + 4))
        high = max(self.gain(k, self.above, self.sizes_above, e_low, 1) for k in range(near - 1, near + 4))
        return max(low, 0.0), min(max(high, 0.0) + self.outside, 1.0)

    def gain(self, distance: int, chances: Doubles, sizes: Doubles, factor: float, sign: int) -> float:
        """The mean of A - E B where their places are at least so far apart, rounded up or down."""
        size = len(chances) - max(distance, 0)
        if size <= 0:
            return 0.0
        tails = [np.cumsum(part[::-1])[::-1][max(distance, 0) :] for part in (sizes, chances)]
        gains, costs = float((chances[:size] * tails[0]).sum()), float((sizes[:size] * tails[1]).sum())
        return gains * (1 + sign * self.error) - factor * costs * (1 - sign * self.error)


@lru_cache(maxsize=4)
def lattice_of(mu: Real, bits: int, places: int) -> Lattice:
    """The lattice with this number of places for one count, and a window that leaves out 2^-bits."""
    window, centre = window_of(mu, bits), max(mu.floor(), 1)
    counts = np.arange(window.first, window.first + len(window.masses), dtype=np.float64)
    logs = np.log1p((counts - centre) / centre)
    step = float(logs[-1] - logs[0]) / places
    at = np.floor((logs - logs[0]) / step).astype(np.int64)
    share = (np.expm1(logs - (logs[0] + step * at)) / np.expm1(step)).clip(0, 1)
    divided = np.zeros(places + 4)
    for shift, part in enumerate((0 * share, 1 - share, share, 0 * share)):
        divided += np.bincount(at + shift, window.masses * (part + SHARE), places + 4)
    rounded = np.bincount(at, window.masses, places + 1).astype(np.float64)
    means = np.bincount(at, window.masses * (counts / float(mu)), places + 1).astype(np.float64)
    above = twice(divided)
    powers = np.exp(2 * (logs[0] - step) + step * np.arange(len(above))) * (centre / float(mu)) ** 2
    error = 4 * window.error + (8 * len(counts) + 8 * places + 64) * UNIT
    below, sizes_below = twice(rounded), twice(means)
    return Lattice(step, above, above * powers, below, sizes_below, error, window.outside)


def twice(masses: Doubles) -> Doubles:
    """The law of a sum of two; by parts so short that no library takes threads, which wait on a busy machine."""
    found = np.zeros(2 * len(masses) - 1)
    for start in range(0, len(masses), TILE):
        part = np.convolve(masses[start : start + TILE], masses)
        found[start : start + len(part)] += part
    return found


@lru_cache(maxsize=2)
def window_of(mu: Real, bits: int) -> DoubleLaw:
    """Masses of Pois(mu) from 1 on; `outside` bounds what counts without masses add to delta, about 2^-bits."""
    mean, size = mu.floor(), 0.7 * bits
    start, least = max(mean, 1), mean - int((2 * size * mean) ** 0.5)
    first, last = max(1, least - 2), mean + int(size / 3 + (size * size / 9 + 2 * size * mean) ** 0.5) + 2
    ball = poisson_mass_ball(mu, start, WORKING_BITS)
    ups, downs = np.arange(start + 1, last + 1, dtype=np.float64), np.arange(start, first, -1, dtype=np.float64)
    masses = around_mass(ball, float(mu) / ups, downs / float(mu))
    outside = 2 * (poisson_upper_ball(mu, last, WORKING_BITS) + poisson_upper_ball(mu, last + 1, WORKING_BITS))
    if first > 1:
        outside += 4 * poisson_lower_ball(mu, first - 1, WORKING_BITS)
    return DoubleLaw(first, masses, (6 * len(masses) + 16) * UNIT, float(outside.upper()) * 1.01)


def poisson_pair_bounds(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair of pools.

    Outside the range of the lattice it is the interval from one pool's delta to twice one pool's at eps/2.  At a low
    precision a delta that is too small for the near window is only known to be that small.
    """
    if mu > FAR_MEAN and (far := far_bound(mu, exp_eps)) < LEAST:
        return far
    if not (mu > LARGEST_LATTICE_MEAN or exp_eps > LARGEST_LATTICE_EXP_EPS):
        rough = precision <= ROUGH
        low, high = lattice_bounds(mu, exp_eps, rough)
        if low > LEAST or rough:
            with ctx.workprec(WORKING_BITS):
                return no_product(mu) + arb(max(low - UNDERFLOW, 0.0)).union(arb(high + UNDERFLOW))
    return between_pools(mu, exp_eps, min(precision, MOST_PRECISION))


def lattice_bounds(mu: Real, exp_eps: Real, rough: bool = False) -> tuple[float, float]:
    """(lower, upper): roughly from few places, or with a wider window where delta is very small."""
    e_low, e_high = (end / 2**GRID_BITS for end in scaled_bounds(exp_eps, GRID_BITS))  # exact: below 2^53 / 2^32
    low, high = 0.0, 1.0
    for bits in WINDOWS[:1] if rough else WINDOWS:
        found = lattice_of(mu, bits, PLACES[not rough]).bounds(e_low, e_high)
        low, high = max(low, found[0]), min(high, found[1])
        if low > 2.0 ** (-bits + 60):
            break
    return low, high


def far_bound(mu: Real, exp_eps: Real) -> arb:
    """From delta at infinite eps to the chance that a count is off by the factor r = E^(1/4), by Chernoff's inequality.

    Where x1, x2 <= r mu and y1, y2 >= mu/r, x1*x2 <= E*y1*y2.  A count beyond s mu, on the side of s away from 1, has
    a probability of at most e^(-mu (s ln s - s + 1)); x is the noise and one more.
    """
    with ctx.workprec(WORKING_BITS):
        mean, factor = mu.ball_here(), exp_eps.ball_here().root(4)
        chances = [(-mean * (s * s.log() - s + 1)).exp() for s in ((factor - 1 / mean).max(arb(1)), 1 / factor)]
        return no_product(mu).union((2 * sum(chances, arb(0))).upper().min(arb(1)))


@lru_cache(maxsize=256)
def between_pools(mu: Real, exp_eps: Real, precision: int) -> arb:
    """From one pool's delta, or that at infinite eps if it is more, to twice one pool's at eps/2, by composition."""
    one, half = poisson_pool_delta(mu, exp_eps, precision), poisson_pool_delta(mu, sqrt(exp_eps), precision)
    with ctx.workprec(precision):
        return one.max(no_product(mu)).union(2 * half)
