"""Exact draws from Pois(mu)."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from flint import arb, ctx
from panshuffle.exact.parameters import check_positive
from panshuffle.exact.real import Real, ball_bounds, finite
from panshuffle.protocols.randomness.bernoulli import WORD, Sampler
from panshuffle.protocols.randomness.bits import BitSource
from panshuffle.protocols.randomness.rejection import LogMass, sample_log_concave

LARGEST_TABLE_MEAN = 4096

Table = tuple[list[int], list[int]]


@lru_cache(maxsize=1024)
def poisson_sampler(mu: Real) -> Sampler:
    """The sampler of Pois(mu): by inversion from a table for small means, by rejection beyond."""
    check_positive("mu", mu)
    if mu <= LARGEST_TABLE_MEAN:
        first = cumulative_table(mu, WORD)
        return lambda source: sample_by_inversion(mu, first, source)
    mode, log_mass = mu.floor(), log_mass_poisson(mu)
    return lambda source: sample_log_concave(mode, 0, None, log_mass, source)


def sample_by_inversion(mu: Real, table: Table, source: BitSource) -> int:
    """The outcome i with F(i-1) <= U < F(i) for a uniform U.

    `table` is the one for the first word of U; a U that it does not settle is looked up again with
    more bits.
    """
    bits, u = WORD, source.getrandbits(WORD)
    while True:
        lower, upper = table
        outcome = bisect_right(lower, u)
        if outcome < len(lower) and (outcome == 0 or upper[outcome - 1] <= u):
            return outcome
        bits, u = bits + WORD, u << WORD | source.getrandbits(WORD)
        table = cumulative_table(mu, bits)


def cumulative_table(mu: Real, bits: int) -> Table:
    """(lower, upper) with lower[i] <= F(i) * 2^bits <= upper[i] for Pois(mu), until the masses fall below 2^-bits."""
    lower: list[int] = []
    upper: list[int] = []
    mean = finite(mu.ball, bits + 64)
    with ctx.workprec(bits + 64):
        mass, total = (-mean).exp(), arb(0)
        while not lower or len(lower) <= mean or mass > arb(2) ** (-bits - 8):
            total += mass
            low, high = ball_bounds(total, bits)
            lower.append(max(low, lower[-1]) if lower else low)
            upper.append(high)
            mass = mass * mean / len(lower)
    return lower, upper


def log_mass_poisson(mu: Real) -> LogMass:
    """x -> ln of the mass of Pois(mu) at x."""

    def log_mass(x: int) -> arb:
        mean = mu.ball_here()
        return mean.log() * x - mean - arb(x + 1).lgamma()

    return log_mass
