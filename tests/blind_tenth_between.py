"""Runs that depend on each other: seeds, forks, caches, and a weak generator."""

from __future__ import annotations

import math
from itertools import islice
from random import Random

from tests.blind_zoo_bug import BETWEEN, Bug, copied, passed_on, run_by_run
from tests.blind_zoo_draws import bernoulli, entropy
from tests.blind_zoo_online import machine

RUNS_IN_A_SECOND = 4
WORKERS = 4
SEEDS = 256
LIFE_OF_CACHE = 10


def seeded_with_the_second(wrong, rng, i):
    if i % RUNS_IN_A_SECOND == 0:
        wrong.second = rng.getrandbits(32)
    return wrong.run(Random(wrong.second))


def forked_workers(runs, rng, count):
    return list(islice(runs, count // WORKERS)) * WORKERS


def seeded_with_one_byte(wrong, rng, i):
    return wrong.run(Random(rng.randrange(SEEDS)))


def copies_of_one_byte(runs):
    return runs - SEEDS * (1 - (1 - 1 / SEEDS) ** runs)


def next_word(word):
    return (word * 1103515245 + 12345) % (1 << 31)


def shares_with_low_bits(self, u, rng):
    self.word = next_word(self.word)
    free = [self.word >> i & 1 for i in range(self.m - 1)]
    return [*free, (u + sum(free)) % 2]


def started_from_word(wrong, rng, i):
    if i == 0:
        wrong.word = rng.getrandbits(31)
    return wrong.run(rng)


def low_bits_evidence(scene, runs):
    """The ones are determined by the low bits at the start: the mean of what each start costs."""
    right = machine(scene)
    law, period, cost = right.coordinates()[0], 1 << right.m - 1, 0.0
    for start in range(period):
        word, ones = start, 0
        for x in right.people:
            word = next_word(word)
            free = (word % period).bit_count()
            ones += free + (x + free) % 2
        cost -= math.log(law[ones]) / period
    return runs * cost


def cached_noise(wrong, rng, i):
    if i % LIFE_OF_CACHE == 0:
        wrong.cached = wrong.noise(rng)
    return {"output": wrong.value() + wrong.cached}


def antithetic_coins(wrong, rng, i):
    wrong.coins = wrong.coins ^ ((1 << wrong.l) - 1) if i % 2 else rng.getrandbits(wrong.l)
    return {"output": wrong.value() + wrong.coins.bit_count()}


def users_seeded_by_sum(self, rng):
    return [
        [(1, x), (1, bernoulli(Random(self.base + self.number + user), self.flip))]
        for user, x in enumerate(self.people)
    ]


def numbered_run(wrong, rng, i):
    if i == 0:
        wrong.base = rng.getrandbits(48)
    wrong.number = i
    return wrong.run(rng)


def seeds_by_sum_evidence(scene, runs):
    """At least this: a run draws one new bit only."""
    right = machine(scene)
    return runs * (entropy(right.coordinates()[0]) - entropy({0: 1 - right.flip, 1: right.flip}))


BUGS: tuple[Bug, ...] = (
    run_by_run(
        "tenth-seeded-with-the-second",
        "pan-sum-end",
        BETWEEN,
        "The generator is seeded with the time in seconds, and four runs that start in one second are equal.",
        600,
        seeded_with_the_second,
        evidence=copied("pan-sum-end", 600 * (1 - 1 / RUNS_IN_A_SECOND)),
    ),
    passed_on(
        "tenth-forked-workers-repeat",
        "uniformity-dropouts",
        BETWEEN,
        "Four workers are forked after the generator was seeded, so each makes the same runs as the first.",
        1200,
        forked_workers,
        evidence=copied("uniformity-dropouts", 1200 * (1 - 1 / WORKERS)),
    ),
    run_by_run(
        "tenth-seed-of-one-byte",
        "histogram-uneven",
        BETWEEN,
        "Each run is seeded with a single byte of entropy, so there are only 256 different runs.",
        800,
        seeded_with_one_byte,
        evidence=copied("histogram-uneven", copies_of_one_byte(800)),
    ),
    run_by_run(
        "tenth-free-bits-from-low-bits",
        "modular",
        BETWEEN,
        "The free bits are the low bits of C's old rand(), which come again after eight draws, in every run.",
        500,
        started_from_word,
        evidence=low_bits_evidence("modular", 500),
        shares=shares_with_low_bits,
    ),
    run_by_run(
        "tenth-noise-cached",
        "binomial-formula",
        BETWEEN,
        "The function that draws the noise is memoized, and the cache is emptied only after every ten runs.",
        500,
        cached_noise,
        evidence=copied("binomial-formula", 500 * (1 - 1 / LIFE_OF_CACHE)),
    ),
    run_by_run(
        "tenth-antithetic-runs",
        "binomial",
        BETWEEN,
        "Antithetic sampling was left on from the simulation: every second run takes the complement of the coins.",
        400,
        antithetic_coins,
        evidence=copied("binomial", 400 / 2),
    ),
    run_by_run(
        "tenth-seed-is-run-plus-user",
        "binary-sum",
        BETWEEN,
        "A user's generator is seeded with base + run + user, so a user repeats its neighbour's bit of the run before.",
        1000,
        numbered_run,
        evidence=seeds_by_sum_evidence("binary-sum", 1000),
        vectors=users_seeded_by_sum,
    ),
)
