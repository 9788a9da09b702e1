"""The negative binomial mechanism, whose run is one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log, sqrt

from flint import ctx
from panshuffle.crosscheck.mass_tables import (
    BITS,
    MassTable,
    around,
    binomial,
    image,
    listed,
    normal,
    point,
    poisson,
    recurrence,
    repeated,
)
from panshuffle.crosscheck.reference.model import ANALYZER, DATA, LEAST, MOST, NOISE, Bug, Fit, Reference, fixed
from panshuffle.crosscheck.reference.released import moments, most_likely, released
from panshuffle.exact.laws.negative_binomial import mass_ball
from panshuffle.exact.numbers.real import HALF, Real, real, scaled_bounds
from panshuffle.protocols.negative_binomial import NegativeBinomial

TABLES = (7, 8, 10, 15, 16, 20, 25, 30, 31, 32, 50, 63, 64, 100, 127, 128)
"""Where a table, or a number of few bits, may end."""
BEYOND = 1e-4  # mass beyond the end of a table that may be seen
PRICE = 2.0  # nats that one of them has to be better by than a mistake that has no number
MOST_FITTED = 200  # mean tosses up to which other roundings are tried
Named = tuple[str, str, MassTable]


def reference(record: NegativeBinomial, data: Sequence[int]) -> Reference:
    """f(x) + NB(l, p)."""
    l, p, total = record.l, record.p, sum(data)

    def laws(success: Real) -> tuple[MassTable, ...]:
        return (negative_binomial(l, success).moved(total),)

    bugs = (*wrong_noise(l, p, total), *wrong_data(negative_binomial(l, p), total, len(data)))

    def drawn(successes: Real) -> tuple[MassTable, ...]:
        return (negative_binomial((successes + HALF).floor(), p).moved(total),)

    chance, number = (
        Fit("p", p, LEAST, MOST, laws),
        Fit("l", real(l), Fraction(0), Fraction(4 * l + 1), drawn, whole=True),
    )
    found = released(laws(p)[0], (fixed(name, area, table) for name, area, table in bugs), chance, number)
    return replace(
        found,
        suspects=lambda counts: (
            *(rounded_draws(l, float(p), total) if 0 < l * (1 / float(p)) < MOST_FITTED else ()),
            *both_wrong(counts[0], total),
        ),
    )


def both_wrong(counts: Counter[int], total: int) -> Iterator[Bug]:
    """Another l and another p, those that give the mean and the variance that were seen."""
    mean, variance = moments(counts)
    mean -= total
    if not 0 < mean < variance:
        return
    yield most_likely(counts, total, mean**2 / (variance - mean), negative_binomial, lambda l: l / (l + mean))


def rounded_draws(l: int, p: float, total: int) -> Iterator[Bug]:
    """Geometric draws whose logarithms are rounded to the nearest number or up, or that are one random number."""
    failure = 1 - p
    steps = range(1, 1 + int(30 / -log(failure)) if failure > 0 else 1)
    nearest = listed({0: 1 - sqrt(failure), **{x: failure ** (x - 0.5) * p for x in steps}})
    yield fixed(
        "the geometric draws are rounded to the nearest number, not down", NOISE, repeated(nearest, l).moved(total)
    )
    for most in TABLES:
        if BEYOND < failure ** (most + 1) < 1 - BEYOND:
            short = listed({x: failure**x * p / (1 - failure ** (most + 1)) for x in range(most + 1)})
            words = f"no geometric draw is more than {most}, as of a table that ends there"
            yield replace(fixed(words, NOISE, repeated(short, l).moved(total)), price=PRICE)
    up = listed({x: failure ** (x - 1) * p for x in steps} or {0: 1.0})
    yield fixed("the geometric draws are rounded up, not down", NOISE, repeated(up, l).moved(total))


def negative_binomial(l: int, p: Real) -> MassTable:
    """NB(l, p), from about its mode outward; all mass at 0 where there is no noise.

    >>> negative_binomial(2, HALF).mass(1).contains(0.25)
    True
    """
    if l == 0 or p.fraction == 1:
        return point(0)
    centre = max(0, scaled_bounds((l - 1) * (1 - p) / p, 0)[0])
    with ctx.workprec(BITS):
        failure = (1 - p).ball_here()
        up = recurrence(centre, None, lambda x: failure * (x + l) / (x + 1))
        down = recurrence(centre, 0, lambda x: x / (failure * (x + l - 1)))
        return around(centre, mass_ball(l, p, centre, BITS), up, down, 0, None)


def wrong_noise(l: int, p: Real, total: int) -> Iterator[Named]:
    """Mistakes in the noise."""
    noise = negative_binomial(l, p)
    yield "the tosses are counted, not the failures: l too many", NOISE, noise.moved(total + l)
    for other in (l - 1, l + 1):
        yield "off by one in l", NOISE, negative_binomial(other, p).moved(total)
    for other in {l // 2, 2 * l} - {0, l - 1, l, l + 1}:
        yield "a wrong number of successes, a simple multiple of l", NOISE, negative_binomial(other, p).moved(total)
    if l > 2:
        yield "one geometric draw in place of l", NOISE, negative_binomial(1, p).moved(total)
    if l > 1:
        multiple = image(negative_binomial(1, p), lambda x: l * x)
        yield "one geometric draw, times l", NOISE, multiple.moved(total)
    yield "binomial in place of negative binomial noise", NOISE, binomial(l, p).moved(total)
    yield "the noise is subtracted", NOISE, noise.negated().moved(total)
    yield "no noise", NOISE, point(total)
    yield "wrong coin: p/2 in place of p", NOISE, negative_binomial(l, p / 2).moved(total)
    yield "wrong coin: p = 1/2", NOISE, negative_binomial(l, HALF).moved(total)
    if p.fraction == 1:
        return
    yield "p and 1 - p are exchanged", NOISE, negative_binomial(l, 1 - p).moved(total)
    mean = l * (1 - p) / p
    yield "Poisson noise of the same mean", NOISE, poisson(mean).moved(total)
    yield "Gaussian noise of the same variance, rounded", NOISE, normal(total + float(mean), float(mean / p))
    yield "the output is de-biased by l(1 - p)/p", ANALYZER, noise.moved(total - (mean + HALF).floor())


def wrong_data(noise: MassTable, total: int, n: int) -> Iterator[Named]:
    """Mistakes in the sum."""
    yield "the data is left out", DATA, noise
    yield "the data is counted twice", DATA, noise.moved(2 * total)
    yield "the zeros are counted", DATA, noise.moved(n - total)
    for by in (-1, 1):
        yield "the sum is off by one", DATA, noise.moved(total + by)
