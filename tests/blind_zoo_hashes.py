"""Bugs in the public hash function or partition."""

from __future__ import annotations

from random import Random

from tests.blind_zoo_bug import HASH, Bug, bug, run_by_run


def mapped(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, HASH, cause, runs, evidence, **changes)


def fixed_hash(self, rng, i):
    """The hash function is drawn in the first run and kept."""
    if i == 0:
        self.pair = rng.randrange(1, self.q), rng.randrange(self.q)
    self.publish = lambda _: self.__dict__.update(a=self.pair[0], b=self.pair[1])
    return self.run(rng)


def fixed_partition(self, rng, i):
    if i == 0:
        self.seed = rng.getrandbits(64)
    right = type(self).__mro__[1].publish
    self.publish = lambda _: right(self, Random(self.seed))
    return self.run(rng)


def slow_hash(every):
    """The hash function is drawn anew only every so many runs."""

    def one(self, rng, i):
        if i % every == 0:
            self.pair = rng.randrange(1, self.q), rng.randrange(self.q)
        self.publish = lambda _: self.__dict__.update(a=self.pair[0], b=self.pair[1])
        return self.run(rng)

    return one


def hash_with(a=None, b=None):
    def publish(self, rng):
        self.a, self.b = a(self, rng) if a else rng.randrange(1, self.q), b(self, rng) if b else rng.randrange(self.q)

    return publish


def hash_per_user(self, x, rng):
    """Every user draws a hash function of their own."""
    return 1 + (rng.randrange(1, self.q) * (x - 1) + rng.randrange(self.q)) % self.q % self.labels


def partition(make):
    """Another way to make the groups."""

    def publish(self, rng):
        self.groups = make(self, rng)

    return publish


def independent_groups(self, rng):
    return [rng.randrange(self.k_hat) + 1 for _ in range(-(-self.k // self.k_hat) * self.k_hat)]


def in_turn(self, rng):
    return [i % self.k_hat + 1 for i in range(-(-self.k // self.k_hat) * self.k_hat)]


def labels_only(self, rng):
    """Groups are blocks of neighbours, only their names are random."""
    size = -(-self.k // self.k_hat)
    return [j for j in rng.sample(range(1, self.k_hat + 1), self.k_hat) for _ in range(size)]


def unbalanced(self, rng):
    groups = [1] * (self.k - self.k_hat + 1) + list(range(2, self.k_hat + 1))
    return rng.sample(groups, len(groups))


def rotated(self, rng):
    size, start = -(-self.k // self.k_hat), rng.randrange(self.k)
    groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]
    return groups[start:] + groups[:start]


def naive(self, rng):
    groups = [j for j in range(1, self.k_hat + 1) for _ in range(-(-self.k // self.k_hat))]
    for i in range(len(groups)):
        j = rng.randrange(len(groups))
        groups[i], groups[j] = groups[j], groups[i]
    return groups


def private_partition(self, rng):
    """Every user makes a partition of their own."""
    right = type(self).__mro__[1]
    vectors = []
    for x in self.people:
        right.publish(self, rng)
        vectors.append(self.user(self.encoded(x, rng), rng))
    return vectors


BUGS: tuple[Bug, ...] = (
    run_by_run("hash-kept", "hashed", HASH, "the hash function is drawn once and kept for all runs", 2000, fixed_hash),
    run_by_run(
        "hash-kept-wide", "hashed-wide", HASH, "the hash function is drawn once and kept for all runs", 500, fixed_hash
    ),
    run_by_run(
        "hash-kept-for-a-while",
        "hashed-wide",
        HASH,
        "the hash function changes only every fifty runs",
        3000,
        slow_hash(50),
    ),
    mapped(
        "hash-zero-slope", "hashed-wide", 1000, "a = 0, so all elements collide", publish=hash_with(a=lambda s, r: 0)
    ),
    mapped("hash-no-shift", "hashed-wide", 2000, "b = 0", publish=hash_with(b=lambda s, r: 0)),
    mapped(
        "hash-slope-one",
        "hashed-wide",
        5000,
        "a = 1: differences of elements are kept",
        publish=hash_with(a=lambda s, r: 1),
    ),
    mapped(
        "hash-small-slope",
        "hashed-wide",
        10000,
        "a is drawn from 1..9",
        publish=hash_with(a=lambda s, r: 1 + r.randrange(9)),
    ),
    mapped("hash-mod-k", "hashed-wide", 1000, "x mod k' is the hash", encoded=lambda self, x, rng: 1 + x % self.labels),
    mapped("hash-modulus-small", "hashed", 5000, "the prime is the least one above k', not above k", q=11),
    mapped(
        "hash-last-value-unused",
        "hashed-wide",
        2000,
        "values are taken mod k' - 1",
        encoded=lambda self, x, rng: 1 + (self.a * (x - 1) + self.b) % self.q % (self.labels - 1),
    ),
    mapped(
        "hash-from-zero",
        "hashed-wide",
        2000,
        "the 1 is not added, so value 0 has no pool",
        encoded=lambda self, x, rng: (self.a * (x - 1) + self.b) % self.q % self.labels,
    ),
    mapped("hash-per-user", "hashed", 20000, "every user draws a hash function of their own", encoded=hash_per_user),
    mapped(
        "hash-not-applied",
        "hashed-wide",
        1000,
        "elements above k' are reported as k'",
        encoded=lambda self, x, rng: min(x, self.labels),
    ),
    run_by_run(
        "partition-kept", "compressed", HASH, "the partition is drawn once and kept for all runs", 1000, fixed_partition
    ),
    mapped("partition-in-turn", "compressed", 300, "element x is in group x mod k_hat", publish=partition(in_turn)),
    mapped(
        "partition-named-blocks",
        "compressed",
        2000,
        "groups are blocks of neighbours with random names",
        publish=partition(labels_only),
    ),
    mapped(
        "partition-independent",
        "compressed",
        5000,
        "every element draws its group alone",
        publish=partition(independent_groups),
    ),
    mapped(
        "partition-unbalanced",
        "compressed",
        1000,
        "the first group has all elements but two",
        publish=partition(unbalanced),
    ),
    mapped(
        "partition-rotated", "compressed", 2000, "the partition is rotated, not shuffled", publish=partition(rotated)
    ),
    mapped(
        "partition-naive",
        "compressed-padded",
        10000,
        "the partition is shuffled by naive swaps",
        publish=partition(naive),
    ),
    mapped(
        "partition-per-user", "compressed", 1000, "every user draws a partition of their own", vectors=private_partition
    ),
    mapped(
        "partition-not-padded",
        "compressed-padded",
        2000,
        "users never take a padding element",
        encoded=lambda self, x, rng: self.groups[x - 1],
    ),
    mapped(
        "partition-padding-even",
        "compressed-padded",
        2000,
        "a user takes a padding element half of the time",
        encoded=lambda self, x, rng: self.groups[rng.randrange(self.k, 9) if rng.getrandbits(1) else x - 1],
    ),
    mapped(
        "partition-last-group",
        "compressed-padded",
        1000,
        "padding elements are all in the last group",
        encoded=lambda self, x, rng: self.k_hat if rng.randrange(9) >= 7 else self.groups[x - 1],
    ),
)
