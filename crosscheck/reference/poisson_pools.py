"""Pools with Poisson-many fair bits: P_UT."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import floor

from panshuffle.crosscheck.mass_tables import (
    MassTable,
    binomial,
    poisson,
    stretched,
)
from panshuffle.crosscheck.reference.areas import DATA, NOISE, POOLS
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MOST,
    Bug,
    Fit,
    Laws,
    Reference,
    WrongAnalyzer,
    wrong_analyzers_of,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.parameters import threshold_as_printed
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM, Uniformity

ZERO, ONE = real(0), real(1)


@dataclass(frozen=True)
class Noisy(PoolSetting):
    """`mean` is the expected number of noise bits of a user in a pool, each of which is one with the given chance.

    `holder` and `other` say how many (zeros, ones) a user who holds the element, and one who does not, sends besides.
    """

    mean: Real
    chance: Real = HALF
    kind: str = "poisson"
    holder: tuple[int, int] = (0, 1)
    other: tuple[int, int] = (1, 0)

    def pool(self, count: int) -> tuple[MassTable, MassTable]:
        """(zeros, ones)."""
        zeros, ones = (noise_of(self.kind, self.users, self.mean, chance) for chance in (1 - self.chance, self.chance))
        return zeros.moved(self.data(count, 0)), ones.moved(self.data(count, 1))

    def knobs(self) -> tuple[Fit, ...]:
        """Noise bits that are not fair."""
        return (self.knob("chance that a noise bit is 1", self.chance, "chance", LEAST, MOST),)

    def data(self, count: int, bit: int) -> int:
        """The messages of this kind that come from the data."""
        return count * self.holder[bit] + (self.users - count) * self.other[bit]


@lru_cache(maxsize=256)
def noise_of(kind: str, users: int, mean: Real, chance: Real) -> MassTable:
    """The noise bits of one value in a pool, each of which has this value with the given chance."""
    if kind == "bernoulli":
        return binomial(users, chance * (mean if mean < 1 else real(1)))
    if kind == "constant":
        return binomial(users * (mean + HALF).floor(), chance)
    if kind == "same":
        return stretched(poisson(mean * chance), users)
    if kind == "plus":
        return poisson(users * mean * chance).plus(binomial(users, chance))
    return poisson(users * mean * chance)


def uniformity(record: Uniformity, data: Sequence[int]) -> Reference:
    """P_UT."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Noisy(len(data), counts, record.noise_mean)
    knobs = (noise_fit(record.n, record.lam, lambda mean: replace(good, mean=mean).laws()), *good.knobs())
    bugs = noisy_bugs(good, record.n)
    wrong_analyzers = (*wrong_testers(record), wrong_users(record, len(data)))
    return pool_reference(good, record.k, bugs, answer_of(record), wrong_analyzers, knobs=knobs, zeros=True)


def answer_of(record: Uniformity) -> Callable[[Run], str]:
    """What A_UT answers to the pools of a run."""
    return lambda run: record.analyze_pools(run.pools_up_to(record.k))


def noise_fit(n: int, lam: Real, laws: Callable[[Real], Laws]) -> Fit:
    """lam, looked for within a factor of eight, by the laws for a user's mean lam/n."""
    most = Fraction(lam.ceil())
    return Fit("lam", lam, most / 64, 8 * most, lambda value: laws(value / n))


def noisy_bugs(good: Noisy, n: int) -> Iterator[Bug]:
    """Mistakes of P_UT's randomizer."""
    yield from good.dropout_bugs(n)
    yield from noise_bugs(good)
    yield good.mutated("the bits are inverted", DATA, holder=(1, 0), other=(0, 1))
    yield good.mutated("the data is left out: everyone sends 0", DATA, holder=(1, 0))
    yield from good.label_bugs()


def noise_bugs(good: Noisy) -> Iterator[Bug]:
    """Mistakes in the noise bits."""
    yield good.mutated("one noise bit too many for each user: Pois(lam/n) + 1", NOISE, kind="plus")
    at_most_one = "Bernoulli in place of Poisson: a user adds at most one noise bit to a pool"
    yield good.mutated(at_most_one, NOISE, kind="bernoulli")
    fixed_number = "a fixed number of noise bits, lam/n rounded, in place of a Poisson number"
    yield good.mutated(fixed_number, NOISE, kind="constant")
    yield good.mutated("all users have the same coins", POOLS, kind="same")


def wrong_testers(record: Uniformity) -> tuple[WrongAnalyzer, ...]:
    """Likely mistakes of A_UT: what they answer to the pools."""
    other = {UNIFORM: NOT_UNIFORM, NOT_UNIFORM: UNIFORM}
    printed = replace(record, tau=threshold_as_printed(record.k, record.lam, record.m, real("1/4")))
    mistakes: dict[str, Callable[[list[tuple[int, int]]], str]] = {
        "the answers are exchanged": lambda pools: other[record.analyze_pools(pools)],
        "the counts are rounded down to whole numbers": lambda pools: decision(record, pools, floor),
        "the sum of the counts is not subtracted from the squares": lambda pools: decision(
            record, pools, less=lambda counts: 0
        ),
        "n is not taken off the size of a pool, so that the data counts as noise": lambda pools: decision(
            record, pools, data=0
        ),
        "the noise is not subtracted from the counts": lambda pools: decision(record, pools, noise=0),
        "the statistic leaves out the last pool": lambda pools: decision(record, pools[:-1]),
        'equality counts otherwise: at the threshold the answer is "not uniform", >= in place of >': lambda pools: (
            decision(record, pools, ties=True)
        ),
        "the statistic is not scaled by k/m": lambda pools: decision(record, pools, scale=real(1)),
    }
    mistakes["the printed threshold (for alpha = 1/4) in place of the one given"] = printed.analyze_pools
    return wrong_analyzers_of(mistakes, lambda run: run.pools_up_to(record.k))


def wrong_users(record: Uniformity, users: int) -> WrongAnalyzer:
    """The analyzer that takes those who take part for n."""
    changed = replace(record, n=users)
    words = "the users who take part are subtracted from the messages, not n"
    return WrongAnalyzer(words, lambda run: decision(changed, run.pools_up_to(record.k)))


def decision(
    record: Uniformity,
    pools: list[tuple[int, int]],
    rounded: Callable[[Fraction], int] | None = None,
    less: Callable[[list[Fraction]], Fraction | int] = sum,
    noise: int = 1,
    data: int = 1,
    scale: Real | None = None,
    centre: Real | None = None,
    ties: bool = False,
) -> str:
    """The tester's answer with a mistake in its statistic, or where a statistic at the threshold is too large."""
    counts = [ones - noise * Fraction(zeros + ones - data * record.n, 2) for zeros, ones in pools]
    counts = counts if rounded is None else [Fraction(rounded(c)) for c in counts]
    centre = record.m / record.k if centre is None else centre
    squares = sum(c * c for c in counts) - 2 * centre * sum(counts) + len(counts) * centre**2
    statistic = (scale or record.k / record.m) * (squares - less(counts))
    return NOT_UNIFORM if statistic > record.tau or (ties and statistic >= record.tau) else UNIFORM
