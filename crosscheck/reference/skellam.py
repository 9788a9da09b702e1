"""The Skellam sum, whose run is one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb, ctx
from panshuffle.crosscheck.mass_tables import (
    ABSURD,
    BITS,
    CHEAP,
    SMALLEST,
    MassTable,
    image,
    mixture,
    normal,
    point,
    poisson,
    symmetric_geometric,
)
from panshuffle.crosscheck.noise_shapes import mirrored
from panshuffle.crosscheck.reference.model import DROPOUTS, NOISE, POOLS, Bug, Fit, Reference, fixed
from panshuffle.crosscheck.reference.negative_binomial import Named, wrong_data
from panshuffle.crosscheck.reference.poisson_pools import noise_fit
from panshuffle.crosscheck.reference.released import released
from panshuffle.exact.laws.skellam import LARGEST_VARIANCE, beyond, masses, reach
from panshuffle.exact.numbers.real import HALF, Real, exp, real, sqrt
from panshuffle.protocols.skellam import Skellam

ZERO = Fraction(0)
DIVIDED = "the noise is divided among those who take part"
TWICE = "the noise is scaled twice by the share of users who take part"


def reference(record: Skellam, data: Sequence[int]) -> Reference:
    """The sum of the bits plus the noise of those who take part."""
    total, users = sum(data), len(data)
    noise = skellam(record.noise(users))
    bugs = (*wrong_noise(record, noise, total, users), *wrong_data(noise, total, users))
    fit = noise_fit(record.n, record.lam, lambda mean: (skellam(mean * users).moved(total),))
    found = released(noise.moved(total), (fixed(name, area, table) for name, area, table in bugs), fit)
    half = poisson(record.noise(users) / 2)

    def suspects(_: Sequence[Counter[int]]) -> Iterator[Bug]:
        yield fixed("both draws of the noise come from one random number", POOLS, mirrored(half).moved(total))
        for mean in (record.noise(users) / 2, record.noise(users), record.lam):
            signed = mixture([(Fraction(1, 2), law) for law in (poisson(mean), poisson(mean).negated())])
            yield fixed("one Poisson draw with a random sign, not a difference of two", NOISE, signed.moved(total))
        double = poisson(2 * record.noise(users))
        yield fixed("noise in half units, rounded down", NOISE, halved(double).moved(total))

    def cut_off(most: Real) -> tuple[MassTable]:
        draw = image(half, lambda x: min(x, (most + HALF).floor()))
        return (draw.plus(draw.negated()).moved(total),)

    most = Fraction(4 * half.mean() + 20)
    table = Fit(
        "each Poisson draw is cut off at {:.0f}, as by a table that ends there",
        real(most),
        ZERO,
        most,
        cut_off,
        whole=True,
    )
    return replace(found, suspects=suspects, doubts=(*found.doubts, table))


def halved(double: MassTable) -> MassTable:
    """Half of a difference of two draws, rounded down: for the diagnosis only."""
    return image(double.plus(double.negated()), lambda x: x // 2)


def skellam(v: Real) -> MassTable:
    """The law with variance v.

    >>> skellam(real(1)).mass(-1).str(6, radius=False)
    '0.207910'
    """
    far = reach(v, 0, ABSURD)
    found = masses(v, 0, (far if far <= CHEAP else reach(v, 0, SMALLEST)) + 1, BITS)
    with ctx.workprec(BITS):
        tail = (2 * beyond(found[-2], found[-1])).upper()
    return MassTable(2 - len(found), (*found[-2:0:-1], *found[:-1]), tail, None, None)


def wrong_noise(record: Skellam, noise: MassTable, total: int, users: int) -> Iterator[Named]:
    """Mistakes in the noise."""
    v = record.noise(users)
    for name, other in other_variances(record, v, users):
        if other <= LARGEST_VARIANCE:
            yield name, DROPOUTS if name in (DIVIDED, TWICE) else NOISE, skellam(other).moved(total)
    yield "one Poisson draw, not a difference", NOISE, poisson(v / 2).moved(total)
    yield "the two Poisson draws are added", NOISE, poisson(v).moved(total)
    yield "one Poisson draw, subtracted", NOISE, poisson(v / 2).negated().moved(total)
    yield "one Poisson draw less its mean, rounded", NOISE, poisson(v).moved(total - (v + HALF).floor())
    yield "Gaussian noise of the same variance, rounded", NOISE, normal(total, float(v))
    ratio = exp(-sqrt(real(2) / v))
    yield "geometric noise of about the same variance", NOISE, symmetric_geometric(ratio).moved(total)
    yield "negative noise is set to 0", NOISE, positive_part(noise).moved(total)
    yield "no noise", NOISE, point(total)


def other_variances(record: Skellam, v: Real, users: int) -> Iterator[tuple[str, Real]]:
    """Mistakes that leave the noise of its kind, and the variance that it then has."""
    yield "Pois(lam/n) in place of Pois(lam/2n): twice the variance", 2 * v
    yield "half the noise", v / 2
    if v.fraction != 1:
        yield "lam is taken for a standard deviation", v * v
    if users < record.n:
        yield DIVIDED, record.lam
        yield TWICE, v * users / record.n
    if users > 1:
        yield "one user adds noise", v / users
        yield "every user adds all of the noise", record.lam * users


def positive_part(noise: MassTable) -> MassTable:
    """The law of max(0, X), without the tail: for alternatives only."""
    below = -noise.first
    with ctx.workprec(BITS):
        return MassTable(0, (sum(noise.masses[: below + 1], arb(0)), *noise.masses[below + 1 :]), noise.tail, 0, None)
