"""Pools with Poisson-many fair bits: P_UT."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from panshuffle.crosscheck.mass_tables import (
    MassTable,
    bernoulli,
    binomial,
    mixture,
    normal,
    point,
    poisson,
    repeated,
    stretched,
)
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, NOISE, POOLS
from panshuffle.crosscheck.reference.bit_pools import DEAR, ZERO
from panshuffle.crosscheck.reference.mistakes import LARGEST_SHAPE, Masses, geometric, image
from panshuffle.crosscheck.reference.mistakes import poisson as poisson_masses
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MOST,
    Bug,
    Fit,
    Laws,
    Reference,
    WrongAnalyzer,
    fixed,
    pool_laws,
    wrong_analyzers_of,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import threshold, threshold_as_printed
from panshuffle.exact.real import HALF, Real, real, sqrt
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM, Uniformity

ONE = real(1)
MOST_BITS = 40  # noise bits of a user up to which mistakes in their number are tried
MOST_AWAY = 6  # users by which the number of those who take part may be off
LARGEST_MEAN = 10**9  # a larger mean is no mistake that anybody makes by accident, and its law is too long to list


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

    def laws(self) -> Laws:
        """(zeros, ones) of each pool."""
        zeros, ones = (noise_of(self.kind, self.users, self.mean, chance) for chance in (1 - self.chance, self.chance))
        laws = {c: (zeros.moved(self.data(c, 0)), ones.moved(self.data(c, 1))) for c in set(self.counts)}
        return pool_laws([laws[c] for c in self.counts])

    def otherwise(self) -> Iterator[PoolSetting]:
        """The same with some users more or fewer."""
        for users in range(max(1, self.users - MOST_AWAY), self.users + MOST_AWAY + 1):
            if users != self.users:
                yield replace(self, users=users)

    def diagnosis_only_mistakes(self) -> Iterator[Bug]:
        """Other numbers of noise bits, and bits that depend on each other."""
        for kind, (name, _) in KINDS.items():
            yield self.mutated(name, NOISE, kind=kind)
        for name, bits in (("the noise zeros", (1, 0)), ("the noise ones", (0, 1))):
            zeros, ones = (noise_of(self.kind, self.users, self.mean, HALF) if bit else point(0) for bit in bits)
            pools = [(zeros.moved(self.data(c, 0)), ones.moved(self.data(c, 1))) for c in self.counts]
            yield fixed(f"only {name} are added", NOISE, *pool_laws(pools))

    def fitted_mistakes(self, n: int) -> tuple[Fit, ...]:
        """Data that is lost or inverted for some users."""

        def lost(share: Real) -> Laws:
            return self.sent((1 - share, ZERO), (ZERO, 1 - share))

        def inverted(share: Real) -> Laws:
            return self.sent((1 - share, share), (share, 1 - share))

        def forgotten(share: Real) -> Laws:
            return self.sent((1 - share, ZERO), (share, ONE))

        words = {"the data is not sent": lost, "the bit is inverted": inverted, "a bit 1 is sent as 0": forgotten}
        return tuple(
            Fit(f"for about {{:.0%}} of the users {name}", ZERO, Fraction(0), Fraction(1), laws, DATA, price=DEAR)
            for name, laws in words.items()
        )

    def sent(self, ones: tuple[Real, Real], zeros: tuple[Real, Real]) -> Laws:
        """The laws where (a holder, another user) sends a one, and a zero, with these chances."""
        noise = [noise_of(self.kind, self.users, self.mean, chance) for chance in (1 - self.chance, self.chance)]

        def law(count: int, bit: int) -> MassTable:
            holders, others = (zeros, ones)[bit]
            return noise[bit].plus(binomial(count, holders)).plus(binomial(self.users - count, others))

        laws = {c: (law(c, 0), law(c, 1)) for c in set(self.counts)}
        return pool_laws([laws[c] for c in self.counts])

    def knobs(self) -> tuple[Fit, ...]:
        """Noise bits that are not fair."""
        return (self.knob("chance that a noise bit is 1", self.chance, "chance", LEAST, MOST),)

    def data(self, count: int, bit: int) -> int:
        """The messages of this kind that come from the data."""
        return count * self.holder[bit] + (self.users - count) * self.other[bit]


KINDS: dict[str, tuple[str, Callable[[int, Real], MassTable]]] = {
    "geometric": ("a geometric number of noise bits in place of a Poisson number", binomial),
    "least": ("each user adds at least one noise bit", binomial),
    "rounded": ("a fixed number of noise bits, lam/n rounded down or up at random", binomial),
    "capped": ("each user adds at most one noise bit", binomial),
    "divided": ("the number of noise bits is Pois(lam) divided by n and rounded down, not Pois(lam/n)", binomial),
    "alike": ("a user's noise bits for a pool are all the same", lambda n, p: stretched(bernoulli(p), n)),
    "evened": (
        "a user's noise bits for a pool are evened out: half of them are 1",
        lambda n, p: binomial(n % 2, p).moved(n // 2),
    ),
}
"""By kind of mistake its name, and the ones among so many noise bits; for the diagnosis only."""


def number_of_bits(kind: str, mean: Real, users: int) -> Masses:
    """How many noise bits a user adds to a pool."""
    if kind == "geometric":
        return geometric(float(mean), LARGEST_SHAPE)
    if kind == "rounded":
        low = mean.floor()
        return {low: 1 - float(mean - low), low + 1: float(mean - low)}
    if kind == "divided":
        return image(poisson_masses(float(mean) * users, LARGEST_SHAPE), lambda x: x // users)
    law = poisson_masses(float(mean), LARGEST_SHAPE)
    least, most = {"least": (1, LARGEST_SHAPE), "capped": (0, 1)}.get(kind, (0, LARGEST_SHAPE))
    return image(law, lambda x: min(max(x, least), most))


def bits_of_user(kind: str, mean: Real, chance: Real, users: int) -> MassTable:
    """The noise bits of one value that a user adds to a pool.  *Raises* `InputError` where they are too many."""
    if mean > MOST_BITS:
        raise InputError("a user adds too many noise bits for their law to be listed")
    ones = KINDS[kind][1]
    return mixture([(mass, ones(x, chance)) for x, mass in number_of_bits(kind, mean, users).items()])


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
    if kind == "normal":
        total = float(users * mean * chance)
        return normal(total, max(total, 1e-9))
    if kind == "none":
        return poisson(real(0))
    if kind in KINDS:
        return repeated(bits_of_user(kind, mean, chance, users), users)
    return poisson(users * mean * chance)


def uniformity(record: Uniformity, data: Sequence[int]) -> Reference:
    """P_UT."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Noisy(len(data), counts, record.noise_mean)
    knobs = (noise_fit(record.n, record.lam, lambda mean: replace(good, mean=mean).laws()), *good.knobs())
    bugs = noisy_bugs(good, record.n, record.lam)
    wrong_analyzers = (*wrong_testers(record), wrong_users(record, len(data)))
    return pool_reference(good, record.k, bugs, answer_of(record), wrong_analyzers, knobs=knobs, zeros=True, n=record.n)


def answer_of(record: Uniformity) -> Callable[[Run], str]:
    """What A_UT answers to the pools of a run."""
    return lambda run: record.analyze_pools(run.pools_up_to(record.k))


def noise_fit(n: int, lam: Real, laws: Callable[[Real], Laws]) -> Fit:
    """lam, looked for within a factor of eight, by the laws for a user's mean lam/n."""
    most = Fraction(lam.ceil())
    return Fit("lam", lam, most / 64, 8 * most, lambda value: laws(value / n))


def noisy_bugs(good: Noisy, n: int, lam: Real) -> Iterator[Bug]:
    """Mistakes of P_UT's randomizer."""
    if good.users * lam < LARGEST_MEAN and n > 1:
        yield good.mutated("lam is not divided by n: each user adds Pois(lam)", NOISE, mean=lam)
    if n != good.users:
        words = "lam is divided by the users who take part, not by n, or those who left still send noise"
        yield good.mutated(words, DROPOUTS, mean=lam / good.users)
        yield from good.everyone(n)
    for users in (good.users - 1, good.users + 1):
        if users >= max(good.counts):
            yield good.mutated("one user too many or too few sends messages", DROPOUTS, users=users)
    yield from noise_bugs(good)
    yield good.mutated("the bits are inverted", DATA, holder=(1, 0), other=(0, 1))
    yield good.mutated("the data is left out: everyone sends 0", DATA, holder=(1, 0))
    yield good.mutated("only ones are sent: the zeros of the data are missing", DATA, other=(0, 0))
    yield good.mutated("the data is not sent at all", DATA, holder=(0, 0), other=(0, 0))
    yield good.mutated("the data is sent twice", DATA, holder=(0, 2), other=(2, 0))
    yield good.mutated("the data is counted as a one and a zero", DATA, holder=(1, 1))
    yield good.mutated("a one of the data is sent twice", DATA, holder=(0, 2))
    yield from good.label_bugs()


def noise_bugs(good: Noisy) -> Iterator[Bug]:
    """Mistakes in the noise bits."""
    yield good.mutated("no noise bits", NOISE, kind="none")
    yield good.mutated("one noise bit too many for each user: Pois(lam/n) + 1", NOISE, kind="plus")
    yield good.mutated("twice as much noise: Pois(lam/n) bits of each kind", NOISE, mean=2 * good.mean)
    yield good.mutated("half as much noise", NOISE, mean=good.mean / 2)
    yield good.mutated("the noise bits are all 1", NOISE, chance=real(1))
    yield good.mutated("the noise bits are all 0", NOISE, chance=real(0))
    for chance in ("1/4", "1/3", "2/3", "3/4"):
        yield good.mutated("the noise bits are not fair", NOISE, chance=real(chance))
    at_most_one = "Bernoulli in place of Poisson: a user adds at most one noise bit to a pool"
    yield good.mutated(at_most_one, NOISE, kind="bernoulli")
    yield good.mutated(
        "a fixed number of noise bits, lam/n rounded, in place of a Poisson number", NOISE, kind="constant"
    )
    yield good.mutated("Gaussian in place of Poisson noise", NOISE, kind="normal")
    yield good.mutated("all users have the same coins", POOLS, kind="same")


def wrong_testers(record: Uniformity) -> tuple[WrongAnalyzer, ...]:
    """Likely mistakes of A_UT: what they answer to the pools."""
    other = {UNIFORM: NOT_UNIFORM, NOT_UNIFORM: UNIFORM}
    printed = replace(record, tau=threshold_as_printed(record.k, record.lam, record.m, real("1/4")))
    mistakes: dict[str, Callable[[list[tuple[int, int]]], str]] = {
        "the answers are exchanged": lambda pools: other[record.analyze_pools(pools)],
        "the counts are rounded down to whole numbers": lambda pools: decision(record, pools, floor),
        "half of the noise is rounded down": lambda pools: decision(record, pools, ceil),
        "the sum of the counts is not subtracted from the squares": lambda pools: decision(
            record, pools, less=lambda counts: 0
        ),
        "only the last count is subtracted from the squares": lambda pools: decision(
            record, pools, less=lambda counts: counts[-1]
        ),
        "only the first count is subtracted from the squares": lambda pools: decision(
            record, pools, less=lambda counts: counts[0]
        ),
        "the sum of the counts is added to the squares": lambda pools: decision(
            record, pools, less=lambda counts: -sum(counts)
        ),
        "n is not taken off the size of a pool, so that the data counts as noise": lambda pools: decision(
            record, pools, data=0
        ),
        "the noise is not subtracted from the counts": lambda pools: decision(record, pools, noise=0),
        "the statistic leaves out the last pool": lambda pools: decision(record, pools[:-1]),
        "the statistic leaves out the first pool": lambda pools: decision(record, pools[1:]),
        "the statistic is the term of the last pool only": lambda pools: decision(record, pools[-1:]),
        "the statistic is the term of the first pool only": lambda pools: decision(record, pools[:1]),
        "the centre m/k is rounded down": lambda pools: decision(
            record, pools, centre=real((record.m / record.k).floor())
        ),
        "the centre m/k is left out": lambda pools: decision(record, pools, centre=ZERO),
        'equality counts otherwise: at the threshold the answer is "not uniform", >= in place of >': lambda pools: (
            decision(record, pools, ties=True)
        ),
        "the statistic is not scaled by k/m": lambda pools: decision(record, pools, scale=real(1)),
    }
    for words, tau in other_thresholds(record):
        mistakes[words] = replace(record, tau=tau).analyze_pools
    mistakes["the printed threshold (for alpha = 1/4) in place of the one given"] = printed.analyze_pools
    return wrong_analyzers_of(mistakes, lambda run: run.pools_up_to(record.k))


def other_thresholds(record: Uniformity) -> Iterator[tuple[str, Real]]:
    """Mistakes in the repaired threshold, the mean of the statistic and a root of its variance."""
    mean = record.k**2 * record.lam / (4 * record.m)
    root = threshold(record.k, record.lam, record.m) - mean
    yield "the threshold has the variance where its root belongs", mean + root**2
    yield "the threshold is the mean of the statistic alone", mean
    yield "the threshold leaves the mean of the statistic out", root
    yield "the threshold has a root that is too small by the factor 2 within it", mean + root / sqrt(real(2))
    yield "the threshold is half as large", record.tau / 2
    yield "the threshold is twice as large", 2 * record.tau


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
