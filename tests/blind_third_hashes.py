"""Third zoo: hash functions and partitions of another law."""

from __future__ import annotations

from tests.blind_third_slips import (
    slip,
)
from tests.blind_zoo_bug import (
    HASH,
    Bug,
)


def b_is_a(self, rng):
    self.a = self.b = rng.randrange(1, self.q)


def masked(self, x, rng):
    return 1 + ((self.a * (x - 1) + self.b) % self.q & (self.labels - 1))


def wrong_modulus_first(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.labels % self.q


def hashes_the_user(self, rng):
    self.publish(rng)
    return [self.user(self.encoded(i, rng), rng) for i, _ in enumerate(self.people, start=1)]


def new_key_half_way(self, rng):
    self.publish(rng)
    vectors = []
    for i, x in enumerate(self.people):
        if i == len(self.people) // 2:
            self.publish(rng)
        vectors.append(self.user(self.encoded(x, rng), rng))
    return vectors


def rest_in_last(self, rng):
    """Groups of k // k_hat elements; the elements that are left over are all in the last group."""
    size = self.k // self.k_hat
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]
    rng.shuffle(self.groups)
    self.groups += [self.k_hat] * (self.k - len(self.groups))


def one_padding_element(self, x, rng):
    place = rng.randrange(len(self.groups))
    return self.groups[place if place > self.k else x - 1]


def permuted_blocks(self, rng):
    self.groups = []
    while len(self.groups) < self.k:
        block = list(range(1, self.k_hat + 1))
        rng.shuffle(block)
        self.groups += block


def no_empty_group(self, rng):
    """Partitions that leave a group without any sample are drawn again."""
    while True:
        self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(-(-self.k // self.k_hat))]
        rng.shuffle(self.groups)
        if len({self.groups[x - 1] for x in self.people}) == self.k_hat:
            return


BUGS: tuple[Bug, ...] = (
    slip("hash-b-is-a", "hashed-wide", HASH, "b is a: one random number for both", 20000, publish=b_is_a),
    slip(
        "hash-mask",
        "hashed",
        HASH,
        "& (k' - 1) for mod k', though k' = 9 is no power of 2: two values are left",
        400,
        encoded=masked,
    ),
    slip(
        "hash-modulus-order",
        "hashed-wide",
        HASH,
        "mod k' comes before mod q, so elements that differ by 9 always collide",
        400,
        encoded=wrong_modulus_first,
    ),
    slip(
        "hash-of-user",
        "hashed",
        HASH,
        "the user's number is hashed, not the element",
        5000,
        vectors=hashes_the_user,
    ),
    slip(
        "hash-new-key-half-way",
        "hashed",
        HASH,
        "the hash function changes after half of the users",
        10000,
        vectors=new_key_half_way,
    ),
    slip(
        "partition-rest-in-last",
        "compressed-padded",
        HASH,
        "groups of k // k_hat elements, with the rest in the last group and no padding",
        1000,
        publish=rest_in_last,
    ),
    slip(
        "padding-off-by-one",
        "compressed-padded",
        HASH,
        "place > k for place >= k: one of the two padding places is never used",
        20000,
        encoded=one_padding_element,
    ),
    slip(
        "partition-permuted-blocks",
        "compressed",
        HASH,
        "each block of k_hat neighbours is permuted, so neighbours never share a group",
        3000,
        publish=permuted_blocks,
    ),
    slip(
        "partition-no-empty-group",
        "compressed",
        HASH,
        "partitions that leave a group without any sample are drawn again",
        20000,
        publish=no_empty_group,
    ),
)
