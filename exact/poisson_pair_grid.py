"""The pair of Poisson pools for large means: a certified interval from a grid of likelihood ratios.

Write SP(t), SQ(t) for the probability under `upper` and `lower` that a pool's ratio x/y exceeds t, and
H(e) = SP(e) - e*SQ(e), the pool's curve, which is convex.  With r the ratio of the second pool,
    delta(E) = sum over its cells of upper(cell) * H(E/r).
Between two ratios s < t, H lies below its chord over any interval that contains [E/t, E/s], and above the line
SP(c) - e*SQ(c) for every c.  Both are linear in 1/r, and the sum of upper(cell)/r over cells is that of lower(cell).
So the two bounds of a bucket (s, t] need its two masses only, and they differ in second order of its width.

Rounding: masses and tails of Pois(mu) are enclosed by balls and converted to the nearest double (relative error at
most 2^-52); SP and SQ are sums of n non-negative products of them, so each has a relative error of at most
(n + 4) * 2^-52 however it is added up.  The bounds are evaluated with ends that are widened by that much.  Products
that underflow are wrong by less than 1e-320 each, which 1e-300 covers; no answer below 1e-250 is taken from the grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from exact.laws.noise import poisson_lower_ball, poisson_mass_ball, poisson_upper_ball
from exact.numbers.real import Real, scaled_bounds, sqrt
from exact.pairs.opposite_shifts import poisson_pool_delta

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

GRID_BITS = 32
COARSE, FINE = 150, 1500
NEAR, FAR = 200, 900
LEAST, UNDERFLOW = 1e-250, 1e-300
MOST_PRECISION = 256
LARGEST_MEAN = 1 << 21
LARGEST_EXP_EPS = 64
WORKING = 96


@dataclass(frozen=True)
class Window:
    """Masses and upper tails of Pois(mu) on first, ..., first + len - 1, as doubles, and what lies outside."""

    counts: npt.NDArray[np.int64]
    masses: Doubles
    tails: Doubles
    outside: float
    error: float


def poisson_pair_grid(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair of pools: a coarse grid up to 64 bits, a fine one beyond.

    Outside the range of the grid it is the interval from one pool's delta to twice one pool's at eps/2.
    """
    if not (mu > LARGEST_MEAN or exp_eps > LARGEST_EXP_EPS):
        low, high = grid_bounds(mu, exp_eps, COARSE if precision <= 64 else FINE)
        if low > LEAST:
            with ctx.workprec(WORKING):
                return arb(low - UNDERFLOW).union(arb(high + UNDERFLOW))
    return between_pools(mu, exp_eps, min(precision, MOST_PRECISION))


@lru_cache(maxsize=256)
def between_pools(mu: Real, exp_eps: Real, precision: int) -> arb:
    """From one pool's delta, or that at infinite eps if it is more, to twice one pool's at eps/2, by composition."""
    one, half = poisson_pool_delta(mu, exp_eps, precision), poisson_pool_delta(mu, sqrt(exp_eps), precision)
    with ctx.workprec(precision):
        empty = (-mu.ball_here()).exp()
        return one.max(2 * empty - empty * empty).union(2 * half)


@lru_cache(maxsize=256)
def grid_bounds(mu: Real, exp_eps: Real, buckets: int) -> tuple[float, float]:
    """(lower, upper) on a grid of so many buckets, with a wider window where delta is very small."""
    low, high = bounds(window_of(mu, NEAR), float(mu), exp_eps, buckets, 20)
    if low < 2.0 ** (-NEAR + 60):
        return bounds(window_of(mu, FAR), float(mu), exp_eps, buckets, 45)
    return low, high


@lru_cache(maxsize=4)
def window_of(mu: Real, bits: int) -> Window:
    """A window outside of which Pois(mu) has a mass of about 2^-bits."""
    import numpy as np

    mean = mu.floor()
    spread = int((1.4 * bits * (mean + bits)) ** 0.5) + bits
    first, last = max(0, mean - spread), mean + spread
    with ctx.workprec(WORKING):
        center = mu.ball_here()
        mass = poisson_mass_ball(mu, first, WORKING)
        masses = []
        for x in range(first, last + 1):
            masses.append(mass)
            mass = mass * center / (x + 1)
        beyond = poisson_upper_ball(mu, last + 1, WORKING)
        before = poisson_lower_ball(mu, first - 1, WORKING)
        tails, total = [], beyond
        for mass in reversed(masses):
            total = total + mass
            tails.append(total)
        outside = float((beyond + before).upper().mid()) * 1.01
    if not all(ball.rel_accuracy_bits() > 60 for ball in (masses[0], masses[-1], tails[-1], tails[0])):
        raise ArithmeticError("the masses of a Poisson law lost their accuracy")
    doubles = np.array([float(ball.mid()) for ball in masses])
    upper = np.array([*(float(ball.mid()) for ball in reversed(tails)), 0.0])
    counts = np.arange(first, last + 1, dtype=np.int64)
    return Window(counts, doubles, upper, outside, (len(masses) + 8) * 2.0**-52)


def exceedances(window: Window, ratios: Any) -> tuple[Doubles, Doubles]:
    """(SP, SQ) at ratios k/2^32, each within the window's relative error and its outside mass."""
    import numpy as np

    upper, lower = np.empty(len(ratios)), np.empty(len(ratios))
    for i, ratio in enumerate(ratios):
        scaled = ratio * window.counts
        upper[i] = (window.masses * tail_at(window, scaled >> GRID_BITS)).sum()
        lower[i] = (window.masses * tail_at(window, ((scaled + ratio) >> GRID_BITS) + 1)).sum()
    return upper, lower


def tail_at(window: Window, thresholds: Any) -> Any:
    """P[Pois >= threshold] for each threshold; that of the window's first below it, and 0 above it."""
    thresholds -= window.counts[0]
    return window.tails[thresholds.clip(0, len(window.masses))]


def bounds(window: Window, mean: float, exp_eps: Real, buckets: int, reach: int) -> tuple[float, float]:
    """(lower, upper) bound of delta, both rounded outward; the nodes reach so many deviations beyond E and 1."""
    import numpy as np

    scale = 1 << GRID_BITS
    e_low, e_high = (end / scale for end in scaled_bounds(exp_eps, GRID_BITS))  # exact: below 2^53 / 2^32
    root, deviation = e_low**0.5, (2.0 / mean) ** 0.5
    half = reach * deviation + 0.5 * np.log(e_high)
    dense = 2 * deviation  # nodes are closest where both pools share the loss, at the root of E
    offsets = dense * np.sinh(np.linspace(-1, 1, buckets + 1) * np.arcsinh(half / dense))
    nodes = np.unique((np.exp(offsets) * root * scale).astype(np.int64))
    if int(nodes[-1]) * int(window.counts[-1] + 2) >= 1 << 62 or int(nodes[-1]) >= 1 << 52:
        return 0.0, 1.0  # products or quotients would leave their exact range
    outer_low = np.floor(e_low * scale / (nodes[1:] / scale)).astype(np.int64) - 4
    outer_high = np.ceil(e_high * scale / (nodes[:-1] / scale)).astype(np.int64) + 4
    middle = (outer_low + outer_high) // 2
    error, outside = window.error, window.outside
    upper, lower = exceedances(window, nodes)
    return (
        lower_bound(window, (upper, lower), middle, (e_low, e_high), error, outside),
        upper_bound(window, (upper, lower), (outer_low, outer_high), (e_low, e_high), error, outside),
    )


def lower_bound(window: Window, at_nodes: Any, middle: Any, e: Any, error: float, outside: float) -> float:
    """The sum over buckets of upper * SP(c) - E * lower * SQ(c): a set's advantage, so a lower bound for any c."""
    upper, lower = at_nodes
    inner_upper, inner_lower = exceedances(window, middle)
    masses = upper[:-1] * (1 - error) - upper[1:] * (1 + error) - 4 * outside
    losses = lower[:-1] * (1 + error) - lower[1:] * (1 - error) + 4 * outside
    gains = masses.clip(0) * inner_upper * (1 - error)
    costs = e[1] * (1 + error) * losses * (inner_lower * (1 + error) + 4 * outside)
    parts = gains - costs
    rounding = 8 * 2.0**-52 * float((gains + costs).sum()) * len(parts)
    return float(parts.sum()) - rounding


def upper_bound(window: Window, at_nodes: Any, outer: Any, e: Any, error: float, outside: float) -> float:
    """The sum over buckets of the chord's value; what lies beyond the nodes counts in full, or with H at the end."""
    upper, lower = at_nodes
    (low_sp, low_sq), (high_sp, high_sq) = exceedances(window, outer[0]), exceedances(window, outer[1])
    a, b = outer[0] / (1 << GRID_BITS), outer[1] / (1 << GRID_BITS)
    slack = 4 * outside
    at_b = curve_upper(high_sp, high_sq, b, error, slack)
    at_a = curve_upper(low_sp, low_sq, a, error, slack).clip(at_b)
    masses = upper[:-1] * (1 + error) - upper[1:] * (1 - error) + slack
    costs = (lower[:-1] * (1 - error) - lower[1:] * (1 + error) - slack).clip(0)
    weights = ((e[0] * costs * (1 - error) - a * masses * (1 + error)) / (b - a)).clip(0) * (1 - error)
    parts = masses * at_a - (at_a - at_b) * weights
    beyond = upper[-1] * (1 + error) + at_a[0] + slack
    rounding = 16 * 2.0**-52 * float((masses * at_a).sum() + (at_a * weights).sum()) * len(parts)
    return float(parts.sum() + beyond) + rounding


def curve_upper(sp: Any, sq: Any, at: Any, error: float, slack: float) -> Any:
    """H from above at double arguments that are exact."""
    return (sp * (1 + error) + slack - at * sq * (1 - error) * (1 - 2.0**-50)).clip(0)
