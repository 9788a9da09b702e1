"""Second zoo: pools, shares and coins that ought to be independent and are not."""

from __future__ import annotations

import math

from tests.blind_second_laws import binomial_law, common_part, poisson_law, same_evidence
from tests.blind_zoo_bug import POOLS, Bug, bug
from tests.blind_zoo_draws import Law, bernoulli, bits, entropy, poisson
from tests.blind_zoo_online import machine


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, POOLS, cause, runs, evidence, **changes)


def sent(x, noise):
    """A histogram's messages with these noise bits, one a pool."""
    return [pair for j, bit in enumerate(noise, start=1) for pair in ((j, int(x == j)), (j, bit))]


def one_bit_for_all(self, x, rng):
    return sent(x, [self.noise(rng)] * self.labels)


def first_for_last(self, x, rng):
    noise = [self.noise(rng) for _ in range(self.labels)]
    return sent(x, [*noise[:-1], noise[0]])


def complements(self, x, rng):
    noise = [self.noise(rng) for _ in range(self.labels)]
    return sent(x, [noise[0], 1 - noise[0], *noise[2:]])


def even_parity(self, x, rng):
    """The last noise bit makes the number of a user's noise ones even."""
    noise = bits(rng, self.labels - 1)
    return sent(x, [*noise, sum(noise) % 2])


def one_in_three_alike(self, x, rng):
    noise = [self.noise(rng) for _ in range(self.labels)]
    return sent(x, [noise[0], noise[0] if bernoulli(rng, 1 / 3) else noise[1], *noise[2:]])


def one_user_shares(self, rng):
    """The first user has one noise bit for the pools 1 and 2, all others have their own."""
    vectors = [self.user(x, rng) for x in self.people]
    noise = vectors[0][1][1]
    vectors[0][3] = (2, noise)
    return vectors


def one_number(self, x, rng):
    """One uniform number is compared with p for both bits."""
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def one_flip_at_most(self, x, rng):
    u = rng.random()
    return [(1, x[0] ^ (u < self.flip)), (2, x[1] ^ (u > 1 - self.flip))]


def flips_linked(self, x, rng):
    """The second coin is the first one again, one time in four."""
    first = bernoulli(rng, self.flip)
    second = first if bernoulli(rng, 0.25) else bernoulli(rng, self.flip)
    return [(1, x[0] ^ first), (2, x[1] ^ second)]


def same_shares(self, x, rng):
    """The free shares are drawn once for all pools."""
    free = bits(rng, self.m - 1)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]


def same_flip(self, x, rng):
    """The coin of all elements that a user does not hold is tossed once."""
    flip = bernoulli(rng, self.p_prime)
    return [
        (j, bit) for j in range(1, self.labels + 1) for bit in self.shares(rng.getrandbits(1) if x == j else flip, rng)
    ]


def same_count(self, x, rng):
    """The number of noise bits is drawn once for all pools."""
    count = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, count))]


def same_noise(self, x, rng):
    noise = bits(rng, poisson(rng, self.mean))
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *noise)]


def total_fixed(self, rng):
    """All pools together have exactly lam k noise bits, spread at random."""
    vectors = [[(j, int(x == j)) for j in range(1, self.labels + 1)] for x in self.people]
    total = round(float(self.mean) * len(self.people) * self.labels)
    for bit in bits(rng, total):
        vectors[rng.randrange(len(vectors))].append((1 + rng.randrange(self.labels), bit))
    return vectors


def as_many_zeros(self, x, rng):
    """The noise bits of a pool alternate, from a fair start."""
    messages = []
    for j in range(1, self.labels + 1):
        start = rng.getrandbits(1)
        messages += [(j, int(x == j)), *((j, (start + i) % 2) for i in range(poisson(rng, self.mean)))]
    return messages


def two_pools(users: list[dict[tuple[int, int], float]], runs: int) -> float:
    """The information between two pools to which each user adds a pair of ones of a law of their own."""
    total = {(0, 0): 1.0}
    for law in users:
        longer: dict[tuple[int, int], float] = {}
        for (a, b), p in total.items():
            for (x, y), q in law.items():
                longer[a + x, b + y] = longer.get((a + x, b + y), 0.0) + p * q
        total = longer
    first: Law = {}
    second: Law = {}
    for (a, b), p in total.items():
        first[a], second[b] = first.get(a, 0.0) + p, second.get(b, 0.0) + p
    return runs * same_evidence(total, first, second)


def flipped(scene: str, both: float, runs: int) -> float:
    """The information between the two bits' pools where both bits of a user are flipped with this probability."""
    right = machine(scene)
    flips = {(1, 1): both, (1, 0): right.flip - both, (0, 1): right.flip - both, (0, 0): 1 - 2 * right.flip + both}
    return two_pools([{(x ^ f, y ^ g): p for (f, g), p in flips.items()} for x, y in right.people], runs)


def entropy_of(scene: str, places: int, runs: int) -> float:
    """The evidence where so many coordinates say again what the first one says."""
    return runs * places * entropy(machine(scene).coordinates()[0])


BUGS: tuple[Bug, ...] = (
    wrong(
        "pools-one-noise-bit",
        "histogram",
        "one noise bit for all pools of a user",
        64,
        entropy_of("histogram", 4, 64),
        user=one_bit_for_all,
    ),
    wrong(
        "pools-first-for-last",
        "histogram-uneven",
        "the last pool reuses the noise of the first",
        64,
        entropy_of("histogram-uneven", 1, 64),
        user=first_for_last,
    ),
    wrong(
        "pools-complements",
        "histogram",
        "the noise of pool 2 is the complement of that of pool 1",
        64,
        entropy_of("histogram", 1, 64),
        user=complements,
    ),
    wrong(
        "pools-even-parity",
        "histogram",
        "a user's noise ones are even in number",
        100,
        100 * math.log(2),
        user=even_parity,
    ),
    wrong(
        "pools-partly-alike",
        "histogram-dropouts",
        "a third of the noise bits of pool 2 are those of pool 1",
        500,
        two_pools([{(1, 1): 14 / 27, (1, 0): 4 / 27, (0, 1): 4 / 27, (0, 0): 5 / 27}] * 6, 500),
        user=one_in_three_alike,
    ),
    wrong(
        "pools-one-user-shares",
        "histogram",
        "one user has one noise bit for two pools",
        2500,
        2500 * common_part(binomial_law(1, 0.5), binomial_law(7, 0.5)),
        vectors=one_user_shares,
    ),
    wrong(
        "two-bit-one-coin",
        "two-bit-sum",
        "one coin flips both bits",
        300,
        flipped("two-bit-sum", 0.25, 300),
        user=one_number,
    ),
    wrong(
        "two-bit-one-coin-dropouts",
        "two-bit-sum-dropouts",
        "one coin flips both bits",
        300,
        flipped("two-bit-sum-dropouts", 0.1, 300),
        user=one_number,
    ),
    wrong(
        "two-bit-one-flip",
        "two-bit-sum",
        "never both bits are flipped",
        8000,
        flipped("two-bit-sum", 0.0, 8000),
        user=one_flip_at_most,
    ),
    wrong(
        "two-bit-linked",
        "two-bit-sum",
        "the second coin is the first one, one time in four",
        15000,
        flipped("two-bit-sum", 0.25 * (0.25 + 0.75 * 0.25), 15000),
        user=flips_linked,
    ),
    wrong(
        "distinct-same-shares", "distinct", "the free shares are drawn once for all pools", 200, None, user=same_shares
    ),
    wrong(
        "distinct-same-shares-few",
        "distinct-few-messages",
        "the free share is drawn once for all pools",
        200,
        None,
        user=same_shares,
    ),
    wrong(
        "distinct-same-flip",
        "distinct",
        "one coin for all elements that a user does not hold",
        5000,
        None,
        user=same_flip,
    ),
    wrong("hashed-same-shares", "hashed", "the free share is drawn once for all pools", 100, None, user=same_shares),
    wrong(
        "pan-distinct-same-shares",
        "pan-distinct-odd",
        "the free shares are drawn once for all pools",
        200,
        None,
        user=same_shares,
    ),
    wrong(
        "uniformity-same-count",
        "uniformity",
        "the number of noise bits is drawn once for all pools",
        64,
        64 * 3 * entropy(poisson_law(20)),
        user=same_count,
    ),
    wrong(
        "uniformity-same-noise",
        "uniformity-default",
        "the noise bits are drawn once for all pools",
        64,
        64 * 4 * entropy(poisson_law(4)),
        user=same_noise,
    ),
    wrong(
        "uniformity-total-fixed",
        "uniformity",
        "all pools together have exactly lam k noise bits",
        64,
        -64 * math.log(poisson_law(80)[80]),
        vectors=total_fixed,
    ),
    wrong(
        "uniformity-bits-alternate",
        "uniformity-dropouts",
        "a user's noise bits alternate",
        400,
        None,
        user=as_many_zeros,
    ),
    wrong(
        "compressed-same-count",
        "compressed",
        "the number of noise bits is drawn once for all groups",
        64,
        64 * 2 * entropy(poisson_law(15)),
        user=same_count,
    ),
    wrong(
        "pan-uniformity-same-count",
        "pan-uniformity",
        "the number of noise bits is drawn once for all pools",
        64,
        None,
        user=same_count,
    ),
)
