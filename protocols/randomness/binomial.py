"""Exact draws from Bin(n, p)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb
from panshuffle.exact.parameters import check_between, check_count
from panshuffle.exact.real import Real, scaled_bounds
from panshuffle.protocols.randomness.bernoulli import WORD, Sampler, bernoulli_sampler
from panshuffle.protocols.randomness.bits import BitSource
from panshuffle.protocols.randomness.rejection import LogMass, sample_log_concave

LARGEST_SPLIT = 1 << 20


@lru_cache(maxsize=1024)
def binomial_sampler(n: int, p: Real) -> Sampler:
    """The sampler of Bin(n, p): by the digits of p for n up to about a million, by rejection beyond."""
    check_count("n", n, least=0)
    check_between("p", p, Fraction(0), Fraction(1))
    lower, upper = scaled_bounds(p, WORD)
    if p.fraction in (0, 1):
        constant = n if p.fraction else 0
        return lambda source: constant
    if n > LARGEST_SPLIT:
        mode, log_mass = ((n + 1) * p).floor(), log_mass_binomial(n, p)
        return lambda source: sample_log_concave(mode, 0, n, log_mass, source)
    if upper - lower <= 1:
        rest = p * (1 << WORD) - lower
        return lambda source: sample_by_digits(n, lower, rest, source)
    single = bernoulli_sampler(p)
    return lambda source: sum(single(source) for _ in range(n))


def sample_by_digits(n: int, digits: int, rest: Real, source: BitSource) -> int:
    """Bin(n, p) by comparing n uniform numbers with p, one binary digit at a time, all at once.

    p = (digits + rest) / 2^WORD with 0 <= rest <= 1.  Of the numbers that agree with p so far, those
    whose next bit is below p's digit are successes and those above it are failures, so about 2n bits
    are used; what agrees with all digits is a success with probability `rest` each.
    """
    successes, undecided = 0, n
    for position in range(WORD - 1, -1, -1):
        if not undecided:
            return successes
        ones = source.getrandbits(undecided).bit_count()
        if digits >> position & 1:
            successes, undecided = successes + undecided - ones, ones
        else:
            undecided -= ones
    single = bernoulli_sampler(rest)
    return successes + sum(single(source) for _ in range(undecided))


def log_mass_binomial(n: int, p: Real) -> LogMass:
    """x -> ln of the mass of Bin(n, p) at x, for 0 < p < 1."""
    failure = 1 - p

    def log_mass(x: int) -> arb:
        choices = arb(n + 1).lgamma() - arb(x + 1).lgamma() - arb(n - x + 1).lgamma()
        return choices + p.ball_here().log() * x + failure.ball_here().log() * (n - x)

    return log_mass
