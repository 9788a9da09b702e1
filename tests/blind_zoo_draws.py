"""Draws of the zoo's own implementations on Python's generator, their laws, and generators that are weak."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from random import Random

import numpy as np

Law = dict[int, float]
"""Value -> mass."""
SMALLEST = 1e-280
"""Masses of a Poisson law below this are left out: a double would soon lose them."""


@lru_cache(maxsize=1024)
def binomial_masses(l: int, p: float) -> tuple[float, ...]:
    if p in (0, 1):
        return tuple(float(i == (l if p else 0)) for i in range(l + 1))
    top = math.lgamma(l + 1)
    return tuple(
        math.exp(top - math.lgamma(i + 1) - math.lgamma(l - i + 1) + i * math.log(p) + (l - i) * math.log1p(-p))
        for i in range(l + 1)
    )


@lru_cache(maxsize=1024)
def poisson_masses(mean: float) -> tuple[float, ...]:
    if mean == 0:
        return (1.0,)
    masses: list[float] = []
    while len(masses) <= mean or masses[-1] > SMALLEST:
        i = len(masses)
        masses.append(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)))
    return tuple(masses)


@lru_cache(maxsize=2048)
def table(masses: tuple[float, ...]) -> list[float]:
    return list(accumulate(masses))[:-1]


def inverse(rng: Random, masses: tuple[float, ...]) -> int:
    return bisect_right(table(masses), rng.random())


def bernoulli(rng: Random, p: float) -> int:
    return int(rng.random() < p)


def bits(rng: Random, count: int) -> list[int]:
    word = rng.getrandbits(count) if count else 0
    return [word >> i & 1 for i in range(count)]


def binomial(rng: Random, l: int, p: float) -> int:
    if p == 0.5:
        return rng.getrandbits(l).bit_count() if l else 0
    return inverse(rng, binomial_masses(l, float(p)))


def poisson(rng: Random, mean: float) -> int:
    return inverse(rng, poisson_masses(float(mean)))


def geometric(rng: Random, r: float) -> int:
    """Mass (1 - r) r^g at g = 0, 1, ..."""
    return int(math.log(1 - rng.random()) / math.log(r)) if r else 0


def shifted(law: Law, by: int) -> Law:
    return {value + by: mass for value, mass in law.items()}


def as_law(masses: tuple[float, ...]) -> Law:
    return dict(enumerate(masses))


def convolved(first: Law, second: Law) -> Law:
    least = min(first) + min(second)
    places, masses = np.array(list(second)) - least, np.array(list(second.values()))
    total = np.zeros(max(first) + max(second) - least + 1)
    met = np.zeros(len(total), dtype=bool)
    for a, p in first.items():
        total[places + a] += p * masses
        met[places + a] = True
    return {x + least: total[x].item() for x in np.flatnonzero(met).tolist()}


def entropy(law: Law) -> float:
    return -sum(p * math.log(p) for p in law.values() if p > 0)


def divergence(wrong: Law, right: Law) -> float:
    """KL(wrong || right) in nats, where wrong is conditioned on what the right law allows."""
    both = [(p, right[value]) for value, p in wrong.items() if p > 0 and right.get(value, 0.0) > 0]
    total = sum(p for p, _ in both)
    return max(0.0, sum(p / total * math.log(p / total / q) for p, q in both))


def impossible(wrong: Law, right: Law) -> float:
    """The mass of the values that the right law does not allow."""
    return sum(p for value, p in wrong.items() if right.get(value, 0.0) == 0)


class Coarse(Random):
    """Fractions with few bits: `random() < p` is then true with p rounded up."""

    width = 8

    def random(self) -> float:
        return super().getrandbits(self.width) / (1 << self.width)

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


class LowBits(Random):
    """The linear congruential generator of old C libraries, used by its low bits, whose periods are 2, 4, 8, ..."""

    word = 0

    def step(self) -> int:
        self.word = (self.word * 1103515245 + 12345) % (1 << 31)
        return self.word

    def random(self) -> float:
        return (self.step() % (1 << 15)) / (1 << 15)

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(0, k, 8):
            total = total << 8 | self.step() % 256
        return total % (1 << k)


class Randu(Random):
    """RANDU: three successive numbers lie on fifteen planes."""

    word = 1

    def step(self) -> int:
        self.word = self.word * 65539 % (1 << 31)
        return self.word

    def random(self) -> float:
        return self.step() / (1 << 31)

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(k):
            total = total << 1 | self.step() >> 30
        return total


class ShortPeriod(Random):
    """A shift register of 16 bits: after 65535 words everything repeats."""

    word = 0xACE1

    def step(self) -> int:
        self.word ^= self.word << 7 & 0xFFFF
        self.word ^= self.word >> 9
        self.word ^= self.word << 8 & 0xFFFF
        return self.word

    def random(self) -> float:
        return (self.step() << 16 | self.step()) / (1 << 32)

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(0, k, 16):
            total = total << 16 | self.step()
        return total % (1 << k)


class SmallState(Random):
    """A linear congruential generator of 12 bits: after 4096 words everything repeats."""

    word = 0

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(0, k, 12):
            self.word = (self.word * 1229 + 351) % 4096
            total = total << 12 | self.word
        return total % (1 << k)

    def random(self) -> float:
        return self.getrandbits(24) / (1 << 24)


class Sticky(Random):
    """A buffer without a lock: one word in eight is handed out twice."""

    last = 0.0

    def random(self) -> float:
        if super().getrandbits(3):
            self.last = super().random()
        return self.last

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


class Biased(Random):
    """A hardware source whose bits are 1 a little too often, not whitened."""

    share = 0.51

    def random(self) -> float:
        return self.getrandbits(32) / (1 << 32)

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(k):
            total = total << 1 | (super().random() < self.share)
        return total
