"""Third zoo: noise that pools have in common."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

from tests.blind_second_laws import (
    binomial_law,
    common_part,
    moved,
    poisson_law,
)
from tests.blind_second_pools import sums
from tests.blind_third_slips import (
    Joint,
    joint_evidence,
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    POOLS,
    Bug,
)
from tests.blind_zoo_draws import (
    bernoulli,
    binomial,
    bits,
    divergence,
    poisson,
)
from tests.blind_zoo_online import machine


def doubled_number(self, x, rng):
    """One number per user, doubled modulo 1 from pool to pool."""
    u, messages = rng.random(), []
    for j in range(1, self.labels + 1):
        messages += [(j, int(x == j)), (j, int(u < self.flip))]
        u = 2 * u % 1
    return messages


def doubled_evidence(scene: str, runs: int) -> float:
    right = machine(scene)
    cells, noise = 4 << right.labels, {}
    for cell in range(cells):
        u, key = Fraction(2 * cell + 1, 2 * cells), []
        for _ in range(right.labels):
            key.append(int(u < right.p))
            u = 2 * u % 1
        noise[tuple(key)] = noise.get(tuple(key), 0.0) + 1 / cells
    held = tuple(right.people.count(j) for j in range(1, right.labels + 1))
    return joint_evidence([{held: 1.0}] + [noise] * len(right.people), right.coordinates(), runs)


def split_evenly(self, x, rng):
    """A user's noise bits for all pools are drawn together and dealt out in turn."""
    total, k = poisson(rng, self.mean * self.labels), self.labels
    return [(j, bit) for j in range(1, k + 1) for bit in (int(x == j), *bits(rng, (total + k - j) // k))]


def split_evenly_evidence(scene: str, runs: int) -> float:
    """What the size of each pool says alone."""
    right = machine(scene)
    k, users = right.labels, len(right.people)
    total, size = poisson_law(float(right.mean) * k), poisson_law(float(right.mean) * users)
    return runs * sum(
        divergence(sums(*[moved(total, lambda v, j=j: (v + k - j) // k)] * users), size) for j in range(1, k + 1)
    )


def coins_pile_up(self, rng):
    counters, coins = [], 0
    for _ in range(self.k):
        coins += binomial(rng, self.lam, self.chance)
        counters.append(coins)
    return counters


def sliding_shares(self, x, rng):
    """The free shares of pool j + 1 are those of pool j, moved on by one bit."""
    word = bits(rng, self.labels + self.m - 2)
    messages = []
    for j in range(1, self.labels + 1):
        free = word[j - 1 : j + self.m - 2]
        messages += [(j, bit) for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]
    return messages


def sliding_evidence(scene: str, runs: int) -> float:
    """What the pools 1 and 2 say, and the pools 3 and 4."""
    right, total = machine(scene), 0.0
    for j in (1, 3):
        parts = []
        for x in right.people:
            part: Joint = {}
            chances = [0.5 if x == i else right.p_prime for i in (j, j + 1)]
            for word in product((0, 1), repeat=right.m):
                for coins in product((0, 1), repeat=2):
                    mass = math.prod(p if c else 1 - p for p, c in zip(chances, coins, strict=True)) / 2**right.m
                    free = [sum(word[i : i + right.m - 1]) for i in (0, 1)]
                    key = tuple(f + (c + f) % 2 for f, c in zip(free, coins, strict=True))
                    part[key] = part.get(key, 0.0) + mass
            parts.append(part)
        total += joint_evidence(parts, right.coordinates()[j - 1 : j + 1], runs)
    return total


def wrong_stride(self, rng):
    """noise[i + j] instead of noise[i * k + j]."""
    noise = [self.noise(rng) for _ in range(len(self.people) * self.labels)]
    return [
        [pair for j in range(self.labels) for pair in ((j + 1, int(x == j + 1)), (j + 1, noise[i + j]))]
        for i, x in enumerate(self.people)
    ]


def flips_reversed(self, rng):
    flips = [bernoulli(rng, self.flip) for _ in self.people]
    return [[(1, x[0] ^ flip), (2, x[1] ^ back)] for x, flip, back in zip(self.people, flips, flips[::-1], strict=True)]


def flips_reversed_evidence(scene: str, runs: int) -> float:
    right, parts = machine(scene), []
    for x, back in zip(right.people, right.people[::-1], strict=True):
        parts.append({(x[0], back[1]): 1 - right.flip, (1 - x[0], 1 - back[1]): right.flip})
    return joint_evidence(parts, right.coordinates(), runs)


BUGS: tuple[Bug, ...] = (
    slip(
        "histogram-doubled-number",
        "histogram-uneven",
        POOLS,
        "one uniform number per user, doubled modulo 1 from pool to pool",
        300,
        doubled_evidence("histogram-uneven", 300),
        user=doubled_number,
    ),
    slip(
        "uniformity-dealt-in-turn",
        "uniformity",
        POOLS,
        "a user's noise bits are drawn for all pools together and dealt out in turn",
        100,
        split_evenly_evidence("uniformity", 100),
        user=split_evenly,
    ),
    slip(
        "pan-histogram-coins-pile-up",
        "pan-histogram",
        POOLS,
        "the count of coins is not set back between counters, so each has the noise of those before",
        64,
        CERTAIN,
        initial=coins_pile_up,
    ),
    slip(
        "distinct-sliding-shares",
        "distinct",
        POOLS,
        "the free shares of the pools are overlapping windows of one word",
        2000,
        sliding_evidence("distinct", 2000),
        user=sliding_shares,
    ),
    slip(
        "histogram-wrong-stride",
        "histogram",
        POOLS,
        "noise[i + j] for noise[i * k + j]: neighbouring pools share all noise bits but one",
        64,
        64 * 2 * common_part(binomial_law(7, 0.5), binomial_law(1, 0.5)),
        vectors=wrong_stride,
    ),
    slip(
        "two-bit-flips-reversed",
        "two-bit-sum",
        POOLS,
        "the flips of the second bits are those of the first bits, from the last user to the first",
        400,
        flips_reversed_evidence("two-bit-sum", 400),
        vectors=flips_reversed,
    ),
)
