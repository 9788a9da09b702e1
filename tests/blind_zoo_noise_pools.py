"""Bugs in the noise of users: the wrong law, the wrong users, or a share that is not there."""

from __future__ import annotations

import math

from tests.blind_zoo_bug import NOISE, Bug, bug, run_by_run
from tests.blind_zoo_draws import bernoulli, binomial, bits, geometric, poisson


def row(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, NOISE, cause, runs, evidence, **changes)


def each(name: str, scene: str, runs: int, cause: str, one) -> Bug:
    return run_by_run(name, scene, NOISE, cause, runs, one)


def one_coin_for_all(self, rng):
    coin = self.noise(rng)
    return [[(1, x), (1, coin)] for x in self.people]


def fixed_number_of_ones(self, rng):
    ones = round(len(self.people) * self.flip)
    return [[(1, x), (1, int(i < ones))] for i, x in enumerate(self.people)]


def zsum_where(adds):
    """P^zsum whose noise bit is 0 for the users that `adds` refuses."""
    return lambda self, x, rng: [(1, x), (1, self.noise(rng) if adds(self, x, rng) else 0)]


def first_user_silent(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    vectors[0] = [(j, bit if place % 2 == 0 else 0) for place, (j, bit) in enumerate(vectors[0])]
    return vectors


def tester_noise(draw, coin=lambda rng: rng.getrandbits(1), at=lambda x, j: True):
    """R_UT with another number of noise bits, another coin, or noise in some pools only."""

    def user(self, x, rng):
        return [
            (j, bit)
            for j in range(1, self.labels + 1)
            for bit in (int(x == j), *(coin(rng) for _ in range(draw(self, rng) if at(x, j) else 0)))
        ]

    return user


def poisson_count(self, rng):
    return poisson(rng, self.mean)


def noise_for_one_user(self, rng):
    total = [(j, bit) for j in range(1, self.labels + 1) for bit in bits(rng, poisson(rng, self.mean))]
    return [[(j, int(x == j)) for j in range(1, self.labels + 1)] for x in self.people] + [total]


def exact_total(self, rng):
    vectors = [[(j, int(x == j)) for j in range(1, self.labels + 1)] for x in self.people]
    return [*vectors, [(j, bit) for j in range(1, self.labels + 1) for bit in bits(rng, int(self.lam))]]


def fair_replacement(self, x, rng):
    return [(1, rng.getrandbits(1) if bernoulli(rng, self.flip) else x) for _ in range(self.m)]


def one_flip(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip))] * self.m


def only_ones_flip(self, x, rng):
    return [(1, x & (1 - bernoulli(rng, self.flip))) for _ in range(self.m)]


def pool_of_its_own(self, x, rng):
    """The histogram where the third pool has another coin."""
    chances = [self.flip] * 2 + [0.9 * self.flip] + [self.flip] * (self.labels - 3)
    return [p for j in range(1, self.labels + 1) for p in ((j, int(x == j)), (j, bernoulli(rng, chances[j - 1])))]


def silent_pool_of_holder(self, x, rng):
    return [p for j in range(1, self.labels + 1) for p in ((j, int(x == j)), (j, self.noise(rng) if x != j else 0))]


def drifting(slope):
    def one(self, rng, i):
        self.flip = float(self.p) * (1 + slope * i)
        return self.run(rng)

    return one


def alternating(by):
    def one(self, rng, i):
        self.flip = float(self.p) + (by if i % 2 else -by)
        return self.run(rng)

    return one


def sometimes_none(share, **quiet):
    def one(self, rng, i):
        kept = {name: self.__dict__[name] for name in quiet}
        if rng.random() < share:
            self.__dict__.update(quiet)
        made = self.run(rng)
        self.__dict__.update(kept)
        return made

    return one


BUGS: tuple[Bug, ...] = (
    row(
        "zsum-only-holders-add-noise",
        "binary-sum",
        500,
        "users with 0 add no noise",
        user=zsum_where(lambda s, x, r: x),
    ),
    row(
        "zsum-only-zeros-add-noise",
        "binary-sum",
        500,
        "users with 1 add no noise",
        user=zsum_where(lambda s, x, r: not x),
    ),
    row(
        "zsum-lazy-users",
        "binary-sum",
        10000,
        "a user forgets the noise one time in twenty",
        user=zsum_where(lambda s, x, r: r.random() > 0.05),
    ),
    row(
        "zsum-one-coin-for-all",
        "binary-sum",
        500,
        "the noise bit is drawn once and sent by all users",
        vectors=one_coin_for_all,
    ),
    row(
        "zsum-fixed-number", "binary-sum-large", 300, "exactly np of the noise bits are 1", vectors=fixed_number_of_ones
    ),
    row("zsum-first-user-silent", "histogram", 500, "the first user's noise bits are all 0", vectors=first_user_silent),
    each("zsum-drift", "binary-sum", 5000, "p grows by a part in 50000 from run to run", drifting(2e-5)),
    each(
        "zsum-alternating",
        "binary-sum-large",
        2000,
        "p is 0.05 too large in odd runs and too small in even ones",
        alternating(0.05),
    ),
    each(
        "zsum-sometimes-none",
        "binary-sum-large",
        2000,
        "in one run of a hundred there is no noise",
        sometimes_none(0.01, flip=0.0),
    ),
    row(
        "tester-fixed-count",
        "uniformity",
        64,
        "each user adds exactly lam/n bits to a pool",
        user=tester_noise(lambda self, rng: 2),
    ),
    row("tester-exact-total", "uniformity", 64, "exactly lam noise bits are added to each pool", vectors=exact_total),
    row(
        "tester-noise-of-one-user",
        "uniformity",
        64,
        "the noise of one user is there, that of the others is not",
        vectors=noise_for_one_user,
    ),
    row(
        "tester-binomial-count",
        "uniformity",
        500,
        "a user's number of noise bits is Bin(4, 1/2) for Pois(2)",
        user=tester_noise(lambda self, rng: binomial(rng, 4, 0.5)),
    ),
    row(
        "tester-geometric-count",
        "uniformity",
        500,
        "a user's number of noise bits is geometric",
        user=tester_noise(lambda self, rng: geometric(rng, 2 / 3)),
    ),
    row(
        "tester-capped-count",
        "uniformity",
        4000,
        "a user adds at most 5 noise bits to a pool",
        user=tester_noise(lambda self, rng: min(5, poisson(rng, self.mean))),
    ),
    row(
        "tester-unfair-bits",
        "uniformity",
        2000,
        "the noise bits are 1 with probability 0.52",
        user=tester_noise(poisson_count, coin=lambda rng: int(rng.random() < 0.52)),
    ),
    row(
        "tester-equal-bits",
        "uniformity",
        300,
        "all noise bits that a user sends to a pool are equal",
        user=lambda self, x, rng: [
            (j, bit)
            for j in range(1, self.labels + 1)
            for bit in (int(x == j), *[rng.getrandbits(1)] * poisson(rng, self.mean))
        ],
    ),
    row(
        "tester-noise-beside-zeros",
        "uniformity-default",
        300,
        "a user adds no noise to the pool of their sample",
        user=tester_noise(poisson_count, at=lambda x, j: x != j),
    ),
    row(
        "tester-noise-beside-ones",
        "uniformity-default",
        64,
        "a user adds noise to the pool of their sample only",
        user=tester_noise(poisson_count, at=lambda x, j: x == j),
    ),
    row(
        "tester-alternate-bits",
        "compressed",
        500,
        "a user's noise bits in a pool alternate, starting with 0",
        user=lambda self, x, rng: [
            (j, bit)
            for j in range(1, self.labels + 1)
            for bit in (int(x == j), *(i % 2 for i in range(poisson(rng, self.mean))))
        ],
    ),
    row(
        "copies-fair-replacement",
        "poisson-binomial-dropouts",
        2000,
        "a fair bit replaces the bit with probability p",
        user=fair_replacement,
    ),
    row("copies-one-flip", "poisson-binomial", 500, "one flip serves all copies of a user", user=one_flip),
    row("copies-only-ones-flip", "poisson-binomial", 200, "zeros are never flipped", user=only_ones_flip),
    row(
        "or-holders-send-one",
        "distinct",
        300,
        "a holder shares the bit 1, not a fair one",
        coin=lambda self, x, j, rng: 1 if x == j else bernoulli(rng, self.p_prime),
    ),
    row(
        "or-holders-as-others",
        "distinct-few-messages",
        300,
        "holders flip with p' as everyone does",
        coin=lambda self, x, j, rng: bernoulli(rng, self.p_prime),
    ),
    row(
        "or-others-silent",
        "distinct-few-messages",
        1000,
        "users who do not hold an element share 0",
        coin=lambda self, x, j, rng: rng.getrandbits(1) if x == j else 0,
    ),
    row(
        "histogram-third-pool",
        "histogram-uneven",
        1000,
        "the coin of the third pool is 10 % too small",
        user=pool_of_its_own,
        evidence=1000 * 7 * (0.675 * math.log(0.9) + 0.325 * math.log(1.3)),
    ),
    row(
        "histogram-holder-silent",
        "histogram-uneven",
        500,
        "a user adds no noise to the pool of their element",
        user=silent_pool_of_holder,
    ),
)
