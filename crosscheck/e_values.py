"""Evidence against a law that stays valid however often one looks: e-values of sequences of independent runs.

Under the law, each value below is the value of a martingale that starts at 1 and is not negative, after as many runs as
were counted; so is every mixture with weights of sum 1.  By Ville's inequality such a martingale ever reaches 1/alarm
with probability at most `alarm`, whatever the number of runs and whenever somebody looks and goes on.
All values are logarithms, rounded down: of an enclosed probability the end that is against an alarm counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx, fmpq, fmpz
from panshuffle.crosscheck.mass_tables import BITS

SHARE = 1000  # one part in so many of the law is mixed into an alternative
LEAST_LOGARITHM = -10_000  # stands for the logarithm of 0: a probability of 0 is at most e^-10000


@lru_cache(maxsize=4096)
def log_factorial(n: int) -> arb:
    """ln n!."""
    with ctx.workprec(BITS):
        return arb(fmpz(n + 1)).lgamma()


def log_upper(p: arb) -> arb:
    """ln of the upper end of an enclosed probability, which is above ln 0 by a finite amount."""
    top = p.upper()
    if not top > 0:
        return arb(LEAST_LOGARITHM)
    return top.log() if top < 1 else arb(0)


def split(count: int, runs: int, p: arb) -> arb:
    """An event of probability p that happened `count` times: 1/((runs + 1) P[Bin(runs, p) = count]).

    It is the likelihood under a uniformly random probability, over the likelihood under p.

    >>> float(split(0, 3, arb(0.5)).exp())
    2.0
    """
    return spread((count, runs - count), (p, 1 - p))


def spread(counts: Sequence[int], masses: Sequence[arb]) -> arb:
    """Cells that were met so often: the likelihood under a uniformly random law (Dirichlet), over that of the masses.

    >>> round(float(spread((1, 1), (arb(0.5), arb(0.5))).exp()), 6)
    0.666667
    """
    with ctx.workprec(BITS):
        runs, cells = sum(counts), len(counts)
        value = log_factorial(cells - 1) - log_factorial(runs + cells - 1)
        for count, mass in zip(counts, masses, strict=True):
            if count:
                value += log_factorial(count) - count * log_upper(mass)
        return value


def log_ratio(p: arb, q: arb) -> arb:
    """ln((1 - 1/1000) q/p + 1/1000), rounded down."""
    bottom, top = q.lower(), p.upper()
    least = arb(1) / SHARE
    if not bottom > 0:
        return least.log()
    if not top > 0:
        return arb(-LEAST_LOGARITHM)
    return ((1 - least) * bottom / top + least).log()


def mixed(parts: Iterable[tuple[Fraction, arb]]) -> arb:
    """ln of the weighted sum of e-values that are given by their logarithms."""
    with ctx.workprec(BITS):
        return sum((arb(fmpq(w.numerator, w.denominator)) * value.exp() for w, value in parts), arb(0)).log()


def threshold(alarm: Fraction) -> arb:
    """ln(1/alarm)."""
    with ctx.workprec(BITS):
        return -arb(fmpq(alarm.numerator, alarm.denominator)).log()


def frequency_divergence(count: int, runs: int, mass: arb) -> arb:
    """N * KL(count/N, p) at the end p of the enclosure of the mass that is next to the observed frequency.

    Infinite for an outcome that the law excludes; 0 where the frequency lies within the enclosure.
    """
    frequency = arb(fmpq(count, runs))
    if not (frequency > mass or frequency < mass):
        return arb(0)
    p = mass.upper() if frequency > mass else mass.lower()
    total = arb(0)
    for seen, q in ((count, p), (runs - count, 1 - p)):
        if seen and not q > 0:
            return arb.pos_inf()
        if seen:
            total += seen * (arb(fmpq(seen, runs)) / q).log()
    return total
