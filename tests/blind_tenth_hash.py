"""Hashes and partitions that are constant, private, or of the wrong range."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from random import Random

import numpy as np

from tests.blind_zoo_bug import HASH, Bug, bug, run_by_run
from tests.blind_zoo_draws import poisson_masses
from tests.blind_zoo_online import machine

SAMPLES = 10_000
"""Of what the users' labels are, for evidences."""
WIDTH = 48
"""More ones than this are as good as impossible in a pool of the compressed scenes."""


def kullback_leibler(wrong, right):
    return float(np.sum(wrong[wrong > 0] * np.log(wrong[wrong > 0] / right[wrong > 0])))


def labels_of(wrong, rng):
    wrong.publish(rng)
    return [wrong.encoded(x, rng) for x in wrong.people]


@lru_cache(maxsize=256)
def parities(labels: int, occupied: frozenset[int], low: float):
    """The law of the parities of all pools where the users' elements have these labels."""
    law = np.ones(1)
    for j in range(1, labels + 1):
        odd = 0.5 if j in occupied else low
        law = np.outer(law, [1 - odd, odd]).ravel()
    return law


def occupied_sets(wrong, coefficients):
    """How often which labels are taken, over all these coefficients of the hash."""
    sets = Counter()
    for wrong.a, wrong.b in coefficients:
        sets[frozenset(wrong.encoded(x, None) for x in wrong.people)] += 1
    return sets


def all_coefficients(wrong):
    return product(range(1, wrong.q), range(wrong.q))


def parity_law(wrong, sets):
    low, total = float(1 / (2 * wrong.exp_eps)), sets.total()
    return sum(count / total * parities(wrong.labels, occupied, low) for occupied, count in sets.items())


def hash_evidence(scene, runs, coefficients=all_coefficients, **changes):
    """From the parities alone."""
    right, wrong = machine(scene), machine(scene, **changes)
    wrong_law = parity_law(wrong, occupied_sets(wrong, coefficients(wrong)))
    return runs * kullback_leibler(wrong_law, parity_law(right, occupied_sets(right, all_coefficients(right))))


def hash_of_each_user_evidence(scene, runs):
    """From the parities alone: all users' labels are independent."""
    right = machine(scene)
    chances, sets = Counter(1 + v % right.labels for v in range(right.q)), Counter({frozenset(): 1})
    for _ in right.people:
        taken = Counter()
        for (occupied, count), (label, chance) in product(sets.items(), chances.items()):
            taken[occupied | {label}] += count * chance
        sets = taken
    right_law = parity_law(right, occupied_sets(right, all_coefficients(right)))
    return runs * kullback_leibler(parity_law(right, sets), right_law)


def ones_law(wrong, counts):
    """The law of the ones of the pools where the users' labels are counted so."""
    noise = np.array(poisson_masses(float(wrong.mean) * len(wrong.people) / 2)[:WIDTH])
    law = np.ones(1)
    for count in counts:
        shifted = np.zeros(WIDTH)
        shifted[count:] = noise[: WIDTH - count]
        law = np.outer(law, shifted).ravel()
    return law


def sampled_counts(wrong):
    counts = Counter()
    for i in range(SAMPLES):
        tally = Counter(labels_of(wrong, Random(i)))
        counts[tuple(tally[j] for j in range(1, wrong.labels + 1))] += 1 / SAMPLES
    return counts


def partition_law(wrong):
    return sum(share * ones_law(wrong, counts) for counts, share in sampled_counts(wrong).items())


def partition_evidence(scene, runs, **changes):
    """From the ones alone."""
    return runs * kullback_leibler(partition_law(machine(scene, **changes)), partition_law(machine(scene)))


def constant_partition_evidence(scene, runs):
    """The mean over the partitions that may have been drawn first."""
    right = machine(scene)
    law, counted = partition_law(right), sampled_counts(right)
    return runs * sum(share * kullback_leibler(ones_law(right, counts), law) for counts, share in counted.items())


def hash_never_drawn(self, rng):
    self.a, self.b = 1, 0


def hash_without_offset(self, rng):
    self.a, self.b = rng.randrange(1, self.q), 0


def modulo_one_label_less(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.q % (self.labels - 1)


def hash_of_each_user(self, x, rng):
    self.publish(rng)
    return 1 + (self.a * (x - 1) + self.b) % self.q % self.labels


def blocks_of_neighbours(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]


def own_group_always(self, x, rng):
    return self.groups[x - 1]


def partition_of_the_process(self, rng):
    """Public randomness was drawn before the first run."""


def partition_drawn_once(wrong, rng, i):
    if i == 0:
        super(type(wrong), wrong).publish(rng)
    return wrong.run(rng)


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-hash-never-drawn",
        "hashed",
        HASH,
        "The coefficients of the hash keep their defaults a = 1, b = 0: an element's label is its number mod k'.",
        1000,
        evidence=hash_evidence("hashed", 1000, lambda wrong: [(1, 0)]),
        publish=hash_never_drawn,
    ),
    bug(
        "tenth-hash-without-offset",
        "hashed-wide",
        HASH,
        "The offset b of the hash is left out, so only the hundred multiples are drawn.",
        3000,
        evidence=hash_evidence("hashed-wide", 3000, lambda wrong: product(range(1, wrong.q), [0])),
        publish=hash_without_offset,
    ),
    bug(
        "tenth-hash-misses-last-label",
        "hashed-wide",
        HASH,
        "The hash is reduced mod k' - 1 instead of k', so no element ever has the last label.",
        1500,
        evidence=hash_evidence("hashed-wide", 1500, encoded=modulo_one_label_less),
        encoded=modulo_one_label_less,
    ),
    bug(
        "tenth-hash-of-each-user",
        "hashed",
        HASH,
        "Each user draws its own hash, so users with the same element have different labels.",
        15_000,
        evidence=hash_of_each_user_evidence("hashed", 15_000),
        encoded=hash_of_each_user,
    ),
    bug(
        "tenth-partition-of-neighbours",
        "compressed",
        HASH,
        "The list of groups is never shuffled: the partition is made of blocks of neighbouring elements in every run.",
        500,
        evidence=partition_evidence("compressed", 500, publish=blocks_of_neighbours),
        publish=blocks_of_neighbours,
    ),
    bug(
        "tenth-padding-never-drawn",
        "compressed-padded",
        HASH,
        "The elements that pad the domain to a multiple of k-hat are never drawn: users always send their own group.",
        3000,
        evidence=partition_evidence("compressed-padded", 3000, encoded=own_group_always),
        encoded=own_group_always,
    ),
    run_by_run(
        "tenth-partition-kept-for-all-runs",
        "compressed",
        HASH,
        "The partition is drawn when the process starts and used for all runs instead of being drawn for each.",
        500,
        partition_drawn_once,
        evidence=constant_partition_evidence("compressed", 500),
        publish=partition_of_the_process,
    ),
)
