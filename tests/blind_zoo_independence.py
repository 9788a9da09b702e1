"""Bugs that make pools or counters depend on each other."""

from __future__ import annotations

from math import log

from tests.blind_zoo_bug import POOLS, Bug, bug, run_by_run
from tests.blind_zoo_draws import bernoulli, binomial, bits, poisson


def zsum_bits(coins_of):
    """A histogram's user whose noise bits in all pools are `coins_of(self, rng)`."""

    def user(self, x, rng):
        coins = coins_of(self, rng)
        return [p for j in range(1, self.labels + 1) for p in ((j, int(x == j)), (j, coins[j - 1]))]

    return user


def equal(self, rng):
    return [bernoulli(rng, self.flip)] * self.labels


def complementary(self, rng):
    coins = bits(rng, self.labels)
    coins[1] = 1 - coins[0]
    return coins


def far_apart(self, rng):
    coins = bits(rng, self.labels)
    coins[-1] = coins[0] if rng.random() < 0.5 else coins[-1]
    return coins


def three_wise(self, rng):
    coins = bits(rng, self.labels)
    coins[4] = coins[0] ^ coins[2]
    return coins


def even_parity(self, rng):
    coins = bits(rng, self.labels)
    coins[-1] = sum(coins[:-1]) % 2
    return coins


def distinct_coins(self, x, rng):
    """P_DE where one uniform number decides the coins of all pools."""
    u = rng.random()
    coins = [int(u < (0.5 if x == j else self.p_prime)) for j in range(1, self.labels + 1)]
    return [(j, bit) for j in range(1, self.labels + 1) for bit in self.shares(coins[j - 1], rng)]


def distinct_shares(self, x, rng):
    """P_DE where the free shares of a user are the same in all pools."""
    free = bits(rng, self.m - 1)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]


def tester_counts(self, x, rng):
    count = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, count))]


def tester_bits(self, x, rng):
    noise = bits(rng, poisson(rng, self.mean))
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *noise)]


def tester_mirrored(self, x, rng):
    noise = [bits(rng, poisson(rng, self.mean)) for _ in range(self.labels)]
    noise[1] = [1 - bit for bit in noise[0]]
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *noise[j - 1])]


def tester_multinomial(self, rng):
    """The noise bits of all pools are thrown into random pools: their total is fixed."""
    vectors = [[(j, int(x == j)) for j in range(1, self.labels + 1)] for x in self.people]
    total = int(self.lam) * self.labels
    return [*vectors, [(rng.randrange(self.labels) + 1, rng.getrandbits(1)) for _ in range(total)]]


def shifted_from_last_run(self, rng, i):
    """The noise of pool j + 1 is that which pool j had in the run before."""
    old = self.__dict__.get("old")
    noise = [[bernoulli(rng, self.flip) for _ in self.people] for _ in range(self.labels)]
    if old:
        noise[1:] = old[:-1]
    self.old = noise
    self.vectors = lambda _: [
        [p for j in range(1, self.labels + 1) for p in ((j, int(x == j)), (j, noise[j - 1][place]))]
        for place, x in enumerate(self.people)
    ]
    return self.run(rng)


def one_pool_again(self, rng, i):
    """The noise of the third counter at the start is kept from run to run."""
    made = self.run(rng)
    self.third = self.__dict__.get("third", made["state"][2])
    return {"state": [*made["state"][:2], self.third, *made["state"][3:]], "output": made["output"]}


def mirrored_counters(self, rng):
    first = binomial(rng, self.lam, 0.5)
    return [first, self.lam - first, *(binomial(rng, self.lam, 0.5) for _ in range(self.k - 2))]


def overlapping_words(self, rng):
    """Counter j counts bits j, ..., j + lam - 1 of one word."""
    word = rng.getrandbits(self.lam + 2 * self.k)
    return [(word >> 2 * j & (1 << self.lam) - 1).bit_count() for j in range(self.k)]


def same_after(self, state, rng):
    noise = binomial(rng, self.lam, 0.5)
    return [count + noise for count in state]


def pool(name: str, scene: str, runs: int, cause: str, evidence=None, **changes) -> Bug:
    return bug(name, scene, POOLS, cause, runs, evidence, **changes)


BUGS: tuple[Bug, ...] = (
    pool("pools-equal", "histogram", 300, "one noise bit serves all pools of a user", user=zsum_bits(equal)),
    pool(
        "pools-complementary",
        "histogram",
        300,
        "a user's noise in the second pool is the complement of the first",
        user=zsum_bits(complementary),
    ),
    pool(
        "pools-far-apart",
        "histogram",
        2000,
        "half of the time the noise of the last pool is that of the first",
        user=zsum_bits(far_apart),
    ),
    pool(
        "pools-three-wise",
        "histogram",
        500,
        "the noise of pool 5 is the exclusive or of those of pools 1 and 3",
        user=zsum_bits(three_wise),
        evidence=500 * log(2),
    ),
    pool(
        "pools-even-parity",
        "histogram",
        500,
        "a user's noise bits have an even sum",
        user=zsum_bits(even_parity),
        evidence=500 * log(2),
    ),
    pool(
        "pools-one-uniform",
        "distinct",
        10000,
        "one uniform number decides a user's coins in all pools",
        user=distinct_coins,
    ),
    pool(
        "pools-one-uniform-hashed",
        "hashed",
        20000,
        "one uniform number decides a user's coins in all pools",
        user=distinct_coins,
    ),
    pool(
        "pools-same-shares",
        "distinct",
        500,
        "the free shares of a user are the same in all pools",
        user=distinct_shares,
    ),
    pool(
        "pools-same-shares-few",
        "distinct-few-messages",
        500,
        "the free share of a user is the same in all pools",
        user=distinct_shares,
    ),
    pool(
        "pools-same-counts",
        "uniformity",
        300,
        "a user adds the same number of noise bits to all pools",
        user=tester_counts,
    ),
    pool("pools-same-bits", "uniformity", 200, "a user adds the same noise bits to all pools", user=tester_bits),
    pool(
        "pools-mirrored",
        "uniformity-default",
        300,
        "the noise of the second pool is the first's with bits negated",
        user=tester_mirrored,
    ),
    pool(
        "pools-fixed-total",
        "uniformity-default",
        300,
        "the noise bits of all pools have a fixed total",
        vectors=tester_multinomial,
    ),
    run_by_run(
        "pools-shifted-runs",
        "histogram",
        POOLS,
        "the noise of a pool is that of its neighbour in the run before",
        500,
        shifted_from_last_run,
    ),
    run_by_run(
        "pools-counter-kept",
        "pan-histogram-start",
        POOLS,
        "the third counter's first noise is never drawn again",
        300,
        one_pool_again,
    ),
    pool(
        "counters-equal",
        "pan-histogram",
        64,
        "all counters start with the same noise",
        initial=lambda self, rng: [binomial(rng, self.lam, 0.5)] * self.k,
    ),
    pool(
        "counters-mirrored",
        "pan-histogram",
        200,
        "the second counter starts with lam less the first's noise",
        initial=mirrored_counters,
    ),
    pool(
        "counters-overlap",
        "pan-histogram",
        300,
        "the counters' noise comes from overlapping parts of one word",
        initial=overlapping_words,
    ),
    pool(
        "counters-same-after", "pan-histogram", 64, "the final noise is drawn once for all counters", output=same_after
    ),
    pool(
        "two-bits-one-flip",
        "two-bit-sum",
        2000,
        "both bits of a user are flipped together",
        user=lambda self, x, rng: [
            (j, bit ^ flip) for flip in [bernoulli(rng, self.flip)] for j, bit in enumerate(x, start=1)
        ],
    ),
    pool(
        "two-bits-never-both",
        "two-bit-sum",
        20000,
        "never are both bits of a user flipped",
        user=lambda self, x, rng: [
            (j, bit ^ int(self.flip * (j - 1) <= u < self.flip * j))
            for u in [rng.random()]
            for j, bit in enumerate(x, start=1)
        ],
    ),
)
