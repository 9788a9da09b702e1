"""Public randomness that is not what it should be: fixed, private, or with a wrong range."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from random import Random

import numpy as np

from tests.blind_zoo_bug import HASH, bug
from tests.blind_zoo_draws import poisson_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import HashedDistinctElements

SAMPLES = 2000
DRAWS = 6000


def hash_written_in_the_code(self, rng):
    self.a, self.b = 37, 11


def bucket_by_own_hash(self, x, rng):
    self.publish(rng)
    return HashedDistinctElements.encoded(self, x, rng)


def bucket_without_the_last(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.q % (self.labels - 1)


def groups_drawn_one_by_one(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [rng.randrange(self.k_hat) + 1 for _ in range(self.k_hat * size)]


def group_without_padding(self, x, rng):
    return self.groups[x - 1]


def occupancies(machine_):
    """How many users each label has -> its share of `DRAWS` drawings of the public randomness and the encoding."""
    rng, tally = Random(5), Counter()
    for _ in range(DRAWS):
        machine_.publish(rng)
        users = Counter(machine_.encoded(x, rng) for x in machine_.people)
        tally[tuple(users[j] for j in range(1, machine_.labels + 1))] += 1
    return {pattern: count / DRAWS for pattern, count in tally.items()}


def all_hashes(machine_):
    """The same, exactly, over all pairs (a, b)."""
    tally = Counter()
    for a, b in product(range(1, machine_.q), range(machine_.q)):
        machine_.a, machine_.b = a, b
        users = Counter(machine_.encoded(x, None) for x in machine_.people)
        tally[tuple(users[j] for j in range(1, machine_.labels + 1))] += 1
    return {pattern: count / tally.total() for pattern, count in tally.items()}


def own_hashes(machine_):
    """Users who draw their own hashes fall into buckets independently."""
    each = Counter(1 + value % machine_.labels for value in range(machine_.q))
    shares, law = [each[j] / machine_.q for j in range(1, machine_.labels + 1)], {(0,) * machine_.labels: 1.0}
    for _ in machine_.people:
        grown = Counter()
        for (pattern, p), (j, share) in product(law.items(), enumerate(shares)):
            grown[(*pattern[:j], pattern[j] + 1, *pattern[j + 1 :])] += p * share
        law = grown
    return law


def hashed_scores(machine_):
    """Logarithms of the masses of a pool's ones, for each number of users whose bucket it is."""
    n, table = len(machine_.people), []
    for users in range(n + 1):
        law = machine_.pool_law([0.5] * users + [machine_.p_prime] * (n - users))
        table.append([math.log(law[ones]) for ones in range(n * machine_.m + 1)])
    scores = np.array(table)
    return lambda patterns, pools: scores[patterns, [ones for _, ones in pools]]


def compressed_scores(machine_):
    n, masses = len(machine_.people), np.log(poisson_masses(float(machine_.lam) / 2))

    def log_mass(count):
        return np.where(count < 0, -np.inf, masses[np.maximum(count, 0)])

    def scores(patterns, pools):
        zeros, ones = np.array(pools).T
        return log_mass(zeros - n + patterns) + log_mass(ones - patterns)

    return scores


def log_mixture(law, scores):
    weights, patterns = np.log(list(law.values())), np.array(list(law))
    return lambda pools: float(np.logaddexp.reduce(weights + scores(patterns, pools).sum(axis=1)))


def mixture_evidence(wrong, wrong_law, right_law, scores, runs):
    """Estimated from a sample of runs; right/wrong - 1 has the mean zero, and serves to make the estimate sharper."""
    log_wrong, log_right = log_mixture(wrong_law, scores), log_mixture(right_law, scores)
    sample = [list(run["pools"].values()) for run in wrong.runs(Random(7), SAMPLES)]
    ratios = np.array([log_wrong(pools) - log_right(pools) for pools in sample])
    ratios = ratios[np.isfinite(ratios)]
    control = np.expm1(-ratios)
    slope = np.cov(ratios, control)[0, 1] / control.var()
    return runs * float((ratios - slope * control).mean())


def hashed_evidence(scene, runs, law=all_hashes, **changes):
    wrong, right = machine(scene, **changes), machine(scene)
    return mixture_evidence(wrong, law(wrong), all_hashes(right), hashed_scores(right), runs)


def compressed_evidence(scene, runs, **changes):
    wrong, right = machine(scene, **changes), machine(scene)
    return mixture_evidence(wrong, occupancies(wrong), occupancies(right), compressed_scores(right), runs)


BUGS = (
    bug(
        "eleventh-hash-constants-in-the-code",
        "hashed-wide",
        HASH,
        "The constants a and b of the hash are written in the code instead of drawn for each run.",
        300,
        hashed_evidence("hashed-wide", 300, occupancies, publish=hash_written_in_the_code),
        publish=hash_written_in_the_code,
    ),
    bug(
        "eleventh-every-user-draws-a-hash",
        "hashed",
        HASH,
        "Every user draws a hash of the own, so that equal elements fall into different buckets.",
        6000,
        hashed_evidence("hashed", 6000, own_hashes, encoded=bucket_by_own_hash),
        encoded=bucket_by_own_hash,
    ),
    bug(
        "eleventh-hash-modulo-k-not-a-prime",
        "hashed-wide",
        HASH,
        "The hash is computed modulo k = 100 instead of modulo a prime.",
        3000,
        hashed_evidence("hashed-wide", 3000, q=100),
        q=100,
    ),
    bug(
        "eleventh-last-bucket-never-hit",
        "hashed",
        HASH,
        "The hash is reduced modulo the number of buckets minus 1, so that the last bucket is always empty.",
        2000,
        hashed_evidence("hashed", 2000, encoded=bucket_without_the_last),
        encoded=bucket_without_the_last,
    ),
    bug(
        "eleventh-groups-drawn-one-by-one",
        "compressed",
        HASH,
        "Each element's group is drawn by itself, so that the groups of the partition have different sizes.",
        3000,
        compressed_evidence("compressed", 3000, publish=groups_drawn_one_by_one),
        publish=groups_drawn_one_by_one,
    ),
    bug(
        "eleventh-padding-of-the-domain-never-drawn",
        "compressed-padded",
        HASH,
        "The users never replace their element by one of those that pad the domain to a multiple of the groups.",
        3000,
        compressed_evidence("compressed-padded", 3000, encoded=group_without_padding),
        encoded=group_without_padding,
    ),
)
