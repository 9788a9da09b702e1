"""Pools with Poisson-many fair bits: P_UT."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any

from crosscheck.reference.model import (
    DATA,
    DROPOUTS,
    LABELS,
    NOISE,
    Fit,
    Laws,
    Reference,
    Slip,
    overwritten,
    pool_laws,
    pool_names,
    shifted_labels,
    zero_based,
    zeros_and_ones,
)
from crosscheck.reference.parity_pools import bug_list, stretched
from crosscheck.runs import Run
from crosscheck.tables import Table, binomial, normal, poisson
from exact.numbers.real import HALF, Real, real
from exact.parameters import threshold_as_printed
from protocols.uniformity import NOT_UNIFORM, UNIFORM, Uniformity

LARGEST_MEAN = 10**9


@dataclass(frozen=True)
class Noisy:
    """Users of whom counts[j] hold j; `mean` is the expected number of noise bits of a user in a pool.

    `zeros` and `ones` say how many messages a user who does not hold the element, and one who does, sends of each kind.
    """

    users: int
    counts: tuple[int, ...]
    mean: Real
    chance: Real = HALF
    kind: str = "poisson"
    holder: tuple[int, int] = (0, 1)
    other: tuple[int, int] = (1, 0)

    def laws(self) -> Laws:
        """(zeros, ones) of each pool."""
        zeros, ones = (noise_of(self.kind, self.users, self.mean, chance) for chance in (1 - self.chance, self.chance))
        laws = {c: (zeros.moved(self.data(c, 0)), ones.moved(self.data(c, 1))) for c in set(self.counts)}
        return pool_laws([laws[c] for c in self.counts])

    def data(self, count: int, bit: int) -> int:
        """The messages of this kind that come from the data."""
        return count * self.holder[bit] + (self.users - count) * self.other[bit]


@lru_cache(maxsize=256)
def noise_of(kind: str, users: int, mean: Real, chance: Real) -> Table:
    """The noise bits of one value in a pool, each of which has this value with the given chance."""
    if kind == "bernoulli":
        return binomial(users, chance * (mean if mean < 1 else real(1)))
    if kind == "constant":
        return binomial(users * (mean + HALF).floor(), chance)
    if kind == "same":
        return stretched(poisson(mean * chance), users)
    if kind == "plus":
        return poisson(users * mean * chance).plus(binomial(users, chance))
    if kind == "normal":
        total = float(users * mean * chance)
        return normal(total, max(total, 1e-9))
    if kind == "none":
        return poisson(real(0))
    return poisson(users * mean * chance)


def uniformity(record: Uniformity, data: list[int]) -> Reference:
    """P_UT."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Noisy(len(data), counts, record.noise_mean)
    return Reference(
        pool_names(record.k, ("zeros", "ones")),
        tuple(good.laws()),
        zeros_and_ones(record.k),
        (0,) * (1 + 2 * record.k),
        (*bug_list(noisy_bugs(good, record.n, record.lam)), overwritten(good.laws()), zero_based(good.laws(), False)),
        lambda run: record.analyze_pools([run.pool(j) for j in range(1, record.k + 1)]),
        (*tester_slips(record), present_slip(record, len(data))),
        fit=noise_fit(good, record.n, record.lam),
    )


def noise_fit(good: Any, n: int, lam: Real) -> Fit:
    """lam, looked for within a factor of eight."""
    most = Fraction(lam.ceil())
    return Fit("lam", lam, most / 64, 8 * most, lambda value: replace(good, mean=value / n).laws())


def noisy_bugs(good: Noisy, n: int, lam: Real) -> Iterator[tuple[str, str, Noisy]]:
    """Mistakes of P_UT's randomizer."""
    if good.users * lam < LARGEST_MEAN and n > 1:
        yield "lam is not divided by n: each user adds Pois(lam)", NOISE, replace(good, mean=lam)
    if n != good.users:
        yield "lam is divided by the users who take part, not by n", NOISE, replace(good, mean=lam / good.users)
        for extra in {0, 1, len(good.counts)}:
            counts = tuple(c + (n - good.users) * (j == extra) for j, c in enumerate(good.counts, start=1))
            yield "the dropouts are missing: all n users send messages", DROPOUTS, replace(good, users=n, counts=counts)
    for users in (good.users - 1, good.users + 1):
        if users >= max(good.counts):
            yield "one user too many or too few sends messages", DROPOUTS, replace(good, users=users)
    yield "no noise bits", NOISE, replace(good, kind="none")
    yield "one noise bit too many for each user: Pois(lam/n) + 1", NOISE, replace(good, kind="plus")
    yield "twice as much noise: Pois(lam/n) bits of each kind", NOISE, replace(good, mean=2 * good.mean)
    yield "half as much noise", NOISE, replace(good, mean=good.mean / 2)
    yield "the noise bits are all 1", NOISE, replace(good, chance=real(1))
    yield "the noise bits are all 0", NOISE, replace(good, chance=real(0))
    for chance in ("1/4", "1/3", "2/3", "3/4"):
        yield "the noise bits are not fair", NOISE, replace(good, chance=real(chance))
    yield (
        "Bernoulli in place of Poisson: a user adds at most one noise bit to a pool",
        NOISE,
        replace(good, kind="bernoulli"),
    )
    yield (
        "a fixed number of noise bits, lam/n rounded, in place of a Poisson number",
        NOISE,
        replace(good, kind="constant"),
    )
    yield "Gaussian in place of Poisson noise", NOISE, replace(good, kind="normal")
    yield "all users have the same coins", NOISE, replace(good, kind="same")
    yield "the bits are inverted", DATA, replace(good, holder=(1, 0), other=(0, 1))
    yield "the data is left out: everyone sends 0", DATA, replace(good, holder=(1, 0))
    yield "only ones are sent: the zeros of the data are missing", DATA, replace(good, other=(0, 0))
    yield "the data is not sent at all", DATA, replace(good, holder=(0, 0), other=(0, 0))
    yield "the data is sent twice", DATA, replace(good, holder=(0, 2), other=(2, 0))
    yield "the data is counted as a one and a zero", DATA, replace(good, holder=(1, 1))
    for name, shifted in shifted_labels(good.counts):
        yield name, LABELS, replace(good, counts=tuple(shifted))


def tester_slips(record: Uniformity) -> tuple[Slip, ...]:
    """Likely mistakes of A_UT."""

    def pools(run: Run) -> list[tuple[int, int]]:
        return [run.pool(j) for j in range(1, record.k + 1)]

    def other(answer: str) -> str:
        return UNIFORM if answer == NOT_UNIFORM else NOT_UNIFORM

    def printed(run: Run) -> Any:
        alpha = real("1/4")
        changed = replace(record, tau=threshold_as_printed(record.k, record.lam, record.m, alpha))
        return changed.analyze_pools(pools(run))

    return (
        Slip("the answers are exchanged", lambda run: other(record.analyze_pools(pools(run)))),
        Slip("the counts are rounded down to whole numbers", lambda run: decision(record, pools(run), floor)),
        Slip("half of the noise is rounded down", lambda run: decision(record, pools(run), ceil)),
        Slip(
            "the sum of the counts is not subtracted from the squares", lambda run: decision(record, pools(run), less=0)
        ),
        Slip("the noise is not subtracted from the counts", lambda run: decision(record, pools(run), noise=0)),
        Slip("the printed threshold (for alpha = 1/4) in place of the one given", printed),
    )


def present_slip(record: Uniformity, users: int) -> Slip:
    """The analyzer that takes those who take part for n."""
    changed = replace(record, n=users)

    def output(run: Run) -> Any:
        return decision(changed, [run.pool(j) for j in range(1, record.k + 1)])

    return Slip("the users who take part are subtracted from the messages, not n", output)


def decision(
    record: Uniformity,
    pools: list[tuple[int, int]],
    rounded: Callable[[Fraction], int] | None = None,
    less: int = 1,
    noise: int = 1,
) -> str:
    """The tester's answer with a mistake in its statistic."""
    counts = [ones - noise * Fraction(zeros + ones - record.n, 2) for zeros, ones in pools]
    counts = counts if rounded is None else [Fraction(rounded(c)) for c in counts]
    centre = record.m / record.k
    squares = sum(c * c for c in counts) - 2 * centre * sum(counts) + record.k * centre**2
    statistic = record.k / record.m * (squares - less * sum(counts))
    return NOT_UNIFORM if statistic > record.tau else UNIFORM
