"""Second zoo: hash functions that are not universal or not random, and partitions that are uneven or not public."""

from __future__ import annotations

from random import Random

from tests.blind_zoo_bug import CERTAIN, HASH, Bug, bug
from tests.blind_zoo_draws import bernoulli


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, HASH, cause, runs, evidence, **changes)


def linear(pick):
    """h(x) = ((a (x - 1) + b) mod q) mod k' with (a, b) picked otherwise."""

    def publish(self, rng):
        self.a, self.b = pick(self, rng)

    return publish


def shift_only(self, rng):
    return 1, rng.randrange(self.q)


def no_shift(self, rng):
    return rng.randrange(1, self.q), 0


def nothing_random(self, rng):
    return 17, 5


def zero_allowed(self, rng):
    return (0 if bernoulli(rng, 0.1) else rng.randrange(1, self.q)), rng.randrange(self.q)


def few_multipliers(self, rng):
    return rng.choice((1, 2, 3)), rng.randrange(self.q)


def powers_of_two(self, rng):
    return 1 << rng.randrange(4), rng.randrange(self.q)


def one_of_sixteen(self, rng):
    return linear_pair(self, Random(rng.getrandbits(4)))


def linear_pair(self, rng):
    return rng.randrange(1, self.q), rng.randrange(self.q)


def hashed_per_user(self, x, rng):
    """Each user draws a hash function of their own."""
    a, b = linear_pair(self, rng)
    return 1 + (a * (x - 1) + b) % self.q % self.labels


def last_value_unused(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.q % (self.labels - 1)


def half_of_values(self, x, rng):
    return 1 + 2 * ((self.a * (x - 1) + self.b) % self.q % ((self.labels + 1) // 2))


def remainder_only(self, x, rng):
    return 1 + x % self.labels


def sum_of_digits(self, x, rng):
    return 1 + (sum(map(int, str(x))) + self.b) % self.labels


def collisions_avoided(self, rng):
    """Functions under which two users' elements collide are thrown away."""
    while True:
        self.a, self.b = linear_pair(self, rng)
        if len({self.encoded(x, rng) for x in self.people}) == len(set(self.people)):
            return


def in_order(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]


def in_turn(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = list(range(1, self.k_hat + 1)) * size


def fixed(self, rng):
    in_order(self, rng)
    Random(7).shuffle(self.groups)


def rotated(self, rng):
    in_order(self, rng)
    place = rng.randrange(len(self.groups))
    self.groups = self.groups[place:] + self.groups[:place]


def group_of_each(self, rng):
    """Each element draws its group, so that groups have different sizes."""
    size = -(-self.k // self.k_hat)
    self.groups = [1 + rng.randrange(self.k_hat) for _ in range(self.k_hat * size)]


def first_group_larger(self, rng):
    in_order(self, rng)
    self.groups[-1] = 1
    rng.shuffle(self.groups)


def two_elements_together(self, rng):
    """The shuffle leaves out the last place, so k and its neighbour are in one group too often."""
    in_order(self, rng)
    head = self.groups[:-1]
    rng.shuffle(head)
    self.groups = [*head, self.groups[-1]]


def any_place(self, rng):
    """Swaps with any place: some partitions come more often."""
    in_order(self, rng)
    for i in range(len(self.groups)):
        j = rng.randrange(len(self.groups))
        self.groups[i], self.groups[j] = self.groups[j], self.groups[i]


def one_of_four(self, rng):
    in_order(self, rng)
    Random(rng.getrandbits(2)).shuffle(self.groups)


def partition_per_user(self, x, rng):
    groups = list(self.groups)
    rng.shuffle(groups)
    return groups[x - 1]


def no_padding(self, x, rng):
    return self.groups[x - 1]


def always_padding_first(self, x, rng):
    """The padding element is always the first one."""
    place = rng.randrange(len(self.groups))
    return self.groups[self.k if place >= self.k else x - 1]


def padding_replaced_by_uniform(self, x, rng):
    """With the padding's probability the sample is replaced by a uniform element of the domain."""
    place = rng.randrange(len(self.groups))
    return self.groups[rng.randrange(self.k) if place >= self.k else x - 1]


def padding_by_a_coin(self, x, rng):
    """Half of the samples are replaced by padding, whatever the sizes."""
    padding = bernoulli(rng, 0.5)
    return self.groups[rng.randrange(self.k, len(self.groups)) if padding else x - 1]


def merged(self, x, rng):
    """The last group is counted as the first."""
    place = rng.randrange(len(self.groups))
    group = self.groups[place if place >= self.k else x - 1]
    return 1 if group == self.k_hat else group


BUGS: tuple[Bug, ...] = (
    wrong("hash-shift-only", "hashed", "a is always 1", 2000, publish=linear(shift_only)),
    wrong("hash-no-shift", "hashed-wide", "b is always 0", 2000, publish=linear(no_shift)),
    wrong("hash-fixed", "hashed", "the hash function is the same in every run", 500, publish=linear(nothing_random)),
    wrong(
        "hash-fixed-wide",
        "hashed-wide",
        "the hash function is the same in every run",
        300,
        publish=linear(nothing_random),
    ),
    wrong("hash-a-zero", "hashed", "a is 0 in one run of ten: everything collides", 3000, publish=linear(zero_allowed)),
    wrong("hash-few-multipliers", "hashed-wide", "a is 1, 2 or 3", 3000, publish=linear(few_multipliers)),
    wrong("hash-powers-of-two", "hashed", "a is a power of 2", 5000, publish=linear(powers_of_two)),
    wrong("hash-one-of-sixteen", "hashed-wide", "sixteen hash functions", 1000, publish=linear(one_of_sixteen)),
    wrong("hash-per-user", "hashed", "each user has a hash function of their own", 3000, encoded=hashed_per_user),
    wrong("hash-last-unused", "hashed-wide", "values are taken modulo k' - 1", 1500, encoded=last_value_unused),
    wrong("hash-half-of-values", "hashed", "only odd labels are used", 1000, encoded=half_of_values),
    wrong("hash-remainder", "hashed", "x mod k', without any randomness", 500, encoded=remainder_only),
    wrong("hash-digits", "hashed-wide", "the sum of the digits plus b", 2000, encoded=sum_of_digits),
    wrong(
        "hash-collisions-avoided",
        "hashed-wide",
        "functions with collisions are drawn again",
        4000,
        publish=collisions_avoided,
    ),
    wrong("hash-q-composite", "hashed", "q = k, which is no prime", 20000, q=40),
    wrong("hash-too-few-values", "hashed-wide", "one hash value too few", 64, CERTAIN, labels=8),
    wrong("partition-in-order", "compressed", "groups of neighbours, not shuffled", 200, publish=in_order),
    wrong("partition-in-turn", "compressed", "groups by the remainder, not shuffled", 200, publish=in_turn),
    wrong("partition-fixed", "compressed-padded", "the same partition in every run", 200, publish=fixed),
    wrong("partition-rotated", "compressed", "the partition is rotated, not shuffled", 600, publish=rotated),
    wrong("partition-by-dice", "compressed", "each element draws its group: sizes differ", 1000, publish=group_of_each),
    wrong("partition-unbalanced", "compressed-padded", "one group is larger by one", 1500, publish=first_group_larger),
    wrong("partition-last-stays", "compressed", "the last place is not shuffled", 2000, publish=two_elements_together),
    wrong(
        "partition-any-place", "compressed", "swaps with any place instead of the places left", 10000, publish=any_place
    ),
    wrong("partition-one-of-four", "compressed-padded", "four partitions", 500, publish=one_of_four),
    wrong(
        "partition-per-user", "compressed", "each user has a partition of their own", 300, encoded=partition_per_user
    ),
    wrong("padding-never", "compressed-padded", "the padding is left out", 1500, encoded=no_padding),
    wrong("padding-first", "compressed-padded", "always the same padding element", 10000, encoded=always_padding_first),
    wrong(
        "padding-uniform",
        "compressed-padded",
        "a uniform element instead of a padding one",
        10000,
        encoded=padding_replaced_by_uniform,
    ),
    wrong(
        "padding-half",
        "compressed-padded",
        "half of the samples are replaced by padding",
        300,
        encoded=padding_by_a_coin,
    ),
    wrong("partition-merged", "compressed", "the last group is counted as the first", 200, encoded=merged),
)
