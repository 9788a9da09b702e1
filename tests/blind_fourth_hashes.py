"""Fourth zoo: hash functions and partitions."""

from __future__ import annotations

from tests.blind_zoo_bug import (
    HASH,
    bug,
    run_by_run,
)


def flat(vectors):
    return [message for vector in vectors for message in vector]


# --- the hash or partition ---------------------------------------------------------------------------------------


def mask(self, rng):
    self.mask = rng.getrandbits(6)


def counted_b(m, rng, i):
    m.turn = i
    return m.run(rng)


def b_of_turn(self, rng):
    self.a, self.b = rng.randrange(1, self.q), self.turn % self.q


def fresh_table(self, rng):
    self.a, self.b, self.places = rng.randrange(1, self.q), rng.randrange(self.q), {}


def probed(self, x, rng):
    place = (self.a * (x - 1) + self.b) % self.q % self.labels
    while self.places.setdefault(place, x) != x:
        place = (place + 1) % self.labels
    return 1 + place


def hashed_twice(self, x, rng):
    for _ in range(2):
        x = 1 + (self.a * (x - 1) + self.b) % self.q % self.labels
    return x


def few_steps(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]
    for i in range(len(self.groups) - 1, len(self.groups) - 1 - self.k_hat, -1):
        j = rng.randrange(i + 1)
        self.groups[i], self.groups[j] = self.groups[j], self.groups[i]


def folded(self, rng):
    names = list(range(1, self.k_hat + 1))
    rng.shuffle(names)
    self.groups = names + names[::-1]


def swapped_pair(self, rng):
    if not hasattr(self, "groups"):
        self.groups = [1, 1, 2, 2, 3, 3]
        rng.shuffle(self.groups)
    i, j = rng.sample(range(6), 2)
    self.groups[i], self.groups[j] = self.groups[j], self.groups[i]


def counted_groups(self, rng):
    """Blocks of k_hat elements, not k/k_hat."""
    self.groups = [1 + i // self.k_hat for i in range(self.k)]
    rng.shuffle(self.groups)


def one_place(self, rng):
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(-(-self.k // self.k_hat))]
    rng.shuffle(self.groups)
    self.place = rng.randrange(len(self.groups))


def by_one_place(self, x, rng):
    return self.groups[self.place if self.place >= self.k else x - 1]


HASHES = (
    bug(
        "fourth-hash-mask",
        "hashed",
        HASH,
        "the hash is (x XOR a random mask) mod k'",
        2000,
        publish=mask,
        encoded=lambda self, x, rng: 1 + (x ^ self.mask) % self.labels,
    ),
    run_by_run(
        "fourth-hash-counted-b",
        "hashed-wide",
        HASH,
        "b is the number of the run, not random",
        5000,
        counted_b,
        publish=b_of_turn,
    ),
    bug(
        "fourth-hash-probed",
        "hashed-wide",
        HASH,
        "colliding elements are moved on to the next free label",
        2500,
        publish=fresh_table,
        encoded=probed,
    ),
    bug("fourth-hash-twice", "hashed-wide", HASH, "the element is hashed twice: h(h(x))", 5000, encoded=hashed_twice),
    bug(
        "fourth-hash-few-steps",
        "compressed-padded",
        HASH,
        "the partition's shuffle stops after k_hat swaps",
        500,
        publish=few_steps,
    ),
    bug("fourth-hash-folded", "compressed", HASH, "elements x and k+1-x always share a group", 3000, publish=folded),
    run_by_run(
        "fourth-hash-swapped-pair",
        "compressed",
        HASH,
        "from run to run only two elements change groups",
        1000,
        lambda m, rng, i: m.run(rng),
        publish=swapped_pair,
    ),
    bug(
        "fourth-hash-group-size",
        "compressed",
        HASH,
        "groups have k_hat elements, not k/k_hat: the third is empty",
        500,
        publish=counted_groups,
    ),
    bug(
        "fourth-hash-padding-once",
        "compressed-padded",
        HASH,
        "whether padding replaces elements is drawn once for all users",
        1000,
        publish=one_place,
        encoded=by_one_place,
    ),
)


BUGS = HASHES
