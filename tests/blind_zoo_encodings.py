"""Bugs before the noise: how a datum becomes messages."""

from __future__ import annotations

from tests.blind_zoo_bug import CERTAIN, ENCODING, Bug, bug
from tests.blind_zoo_draws import bernoulli, bits, poisson


def sent(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, ENCODING, cause, runs, evidence, **changes)


def of_people(change):
    """Every user's datum is changed before the randomizer."""

    def encoded(self, x, rng):
        return change(self, x, rng)

    return encoded


def shares(change):
    """The shares of a bit, changed."""

    def made(self, u, rng):
        free = bits(rng, self.m - 1)
        return change(self, u, rng, [*free, (u + sum(free)) % 2])

    return made


def balanced(self, u, rng):
    """Shares are drawn again while all are equal."""
    while len(set(made := [*(free := bits(rng, self.m - 1)), (u + sum(free)) % 2])) == 1 and self.m > 2:
        pass
    return made


def one_one(self, u, rng):
    """A single 1 at a random place is the bit, the rest is 0."""
    return rng.sample([u, *[0] * (self.m - 1)], self.m)


def last_pool_only(self, x, rng):
    """The printed randomizer: the vector is overwritten for every element, and the last one's messages are left."""
    j = self.labels
    return [(j, int(x == j)), *((j, bit) for bit in bits(rng, poisson(rng, self.mean)))]


def unary(self, x, rng):
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x <= j), *bits(rng, poisson(rng, self.mean)))]


def only_ones(self, x, rng):
    return [
        (j, bit) for j in range(1, self.labels + 1) for bit in (*[1] * (x == j), *bits(rng, poisson(rng, self.mean)))
    ]


def true_bit_twice(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)),) * 2]


def exclusive(self, x, rng):
    """The noise bit is the true bit exclusive-or'ed with the coin."""
    return [p for j in range(1, self.labels + 1) for p in ((j, int(x == j)), (j, int(x == j) ^ self.noise(rng)))]


def changed_people(change):
    """Data sets of neighbours: one row is another one."""

    def vectors(self, rng):
        return [self.user(self.encoded(x, rng), rng) for x in change(list(self.people), rng)]

    return vectors


def replaced(place, value):
    def change(people, rng):
        people[place] = value
        return people

    return change


def two_flips(self, x, rng):
    first = x[0] ^ bernoulli(rng, self.flip)
    return [(1, first), (2, x[0] ^ x[1] ^ bernoulli(rng, self.flip))]


BUGS: tuple[Bug, ...] = (
    sent("bits-negated", "binary-sum", 300, "users send 1 - x", encoded=of_people(lambda self, x, rng: 1 - x)),
    sent(
        "bits-negated-copies",
        "poisson-binomial",
        100,
        "users send copies of 1 - x",
        encoded=of_people(lambda self, x, rng: 1 - x),
    ),
    sent(
        "true-bit-left-out",
        "binary-sum",
        64,
        "only the noise bit is sent",
        CERTAIN,
        user=lambda self, x, rng: [(1, self.noise(rng))],
    ),
    sent("true-bit-twice", "histogram", 64, "the true bit is sent twice, the noise not at all", user=true_bit_twice),
    sent("noise-on-true-bit", "histogram-uneven", 300, "the coin flips a copy of the true bit", user=exclusive),
    sent(
        "shares-forget-the-bit",
        "modular",
        64,
        "the last share makes the sum even whatever the bit",
        CERTAIN,
        shares=shares(lambda self, u, rng, made: [*made[:-1], made[-1] ^ u]),
    ),
    sent(
        "shares-all-free",
        "modular-short",
        64,
        "the last share is a fair bit, too",
        CERTAIN,
        shares=lambda self, u, rng: bits(rng, self.m),
    ),
    sent("shares-not-equal", "modular", 1000, "shares that are all equal are drawn again", shares=balanced),
    sent("shares-one-one", "modular", 64, "the bit stands at a random place among zeros", shares=one_one),
    sent(
        "shares-first-zero",
        "modular",
        300,
        "the first free share is always 0",
        shares=lambda self, u, rng: [0, *(free := bits(rng, self.m - 2)), (u + sum(free)) % 2],
    ),
    sent(
        "shares-of-zero-in-distinct",
        "distinct",
        300,
        "free shares are always 0 where the coin is 0",
        shares=lambda self, u, rng: [0] * self.m if not u else [*(f := bits(rng, self.m - 1)), (1 + sum(f)) % 2],
    ),
    sent(
        "shares-negated",
        "distinct-few-messages",
        500,
        "the last share is negated",
        None,
        shares=shares(lambda self, u, rng, made: [*made[:-1], 1 - made[-1]]),
    ),
    sent(
        "labels-from-zero",
        "distinct",
        1000,
        "elements are counted from 0 and pools from 1",
        encoded=of_people(lambda self, x, rng: x - 1),
    ),
    sent(
        "labels-shifted-histogram",
        "histogram",
        300,
        "the bit of element j goes to pool j + 1",
        encoded=of_people(lambda self, x, rng: x % self.k + 1),
    ),
    sent(
        "labels-swapped",
        "uniformity-default",
        300,
        "pools 1 and 2 are swapped",
        encoded=of_people(lambda self, x, rng: {1: 2, 2: 1}.get(x, x)),
    ),
    sent(
        "labels-reversed",
        "histogram-uneven",
        300,
        "pools are counted from the last",
        encoded=of_people(lambda self, x, rng: self.k + 1 - x),
    ),
    sent(
        "last-element-lost",
        "distinct",
        1000,
        "the last element of [k] is never reported",
        encoded=of_people(lambda self, x, rng: 0 if x == self.k else x),
    ),
    sent(
        "last-pool-only",
        "uniformity",
        64,
        "the vector of messages is overwritten for every element",
        CERTAIN,
        user=last_pool_only,
    ),
    sent("unary", "uniformity", 64, "the bit [x <= j] is sent, not [x = j]", CERTAIN, user=unary),
    sent("only-ones", "uniformity", 64, "the bits [x = j] = 0 are not sent", user=only_ones),
    sent(
        "pair-transposed",
        "two-bit-sum",
        100,
        "the labels of the two bits are swapped",
        encoded=of_people(lambda self, x, rng: x[::-1]),
    ),
    sent("pair-exclusive", "two-bit-sum", 300, "the second bit sent is the exclusive or of both", user=two_flips),
    sent(
        "pair-first-twice",
        "two-bit-sum",
        300,
        "the first bit is sent for both positions",
        encoded=of_people(lambda self, x, rng: (x[0], x[0])),
    ),
    sent(
        "pair-one-user-transposed",
        "two-bit-sum",
        2000,
        "the first user's labels are swapped",
        vectors=changed_people(replaced(0, (0, 1))),
    ),
    sent(
        "neighbour-zsum",
        "binary-sum",
        2000,
        "the first user's bit is taken for 0",
        vectors=changed_people(replaced(0, 0)),
    ),
    sent(
        "neighbour-histogram",
        "histogram",
        2000,
        "the last user's element is taken for 3",
        vectors=changed_people(replaced(-1, 3)),
    ),
    sent(
        "neighbour-distinct",
        "distinct",
        2000,
        "the only holder of element 4 reports 1",
        vectors=changed_people(replaced(4, 1)),
    ),
    sent(
        "neighbour-tester",
        "uniformity",
        2000,
        "the only holder of element 3 reports 1",
        vectors=changed_people(replaced(8, 1)),
    ),
    sent(
        "neighbour-sometimes",
        "binary-sum-dropouts",
        10000,
        "in half of the runs the first user's bit is taken for 0",
        vectors=changed_people(lambda people, rng: [people[0] & rng.getrandbits(1), *people[1:]]),
    ),
    sent(
        "pan-element-lost",
        "pan-histogram",
        500,
        "the last counter is never raised",
        update=lambda self, state, x, rng: [count + (x == j < self.k) for j, count in enumerate(state, start=1)],
    ),
    sent(
        "pan-stream-sorted", "pan-histogram", 1000, "the stream is sorted before it is read", people=[1, 1, 1, 2, 4, 4]
    ),
    sent("pan-ones-first", "pan-sum", 300, "the stream is sorted, ones first", people=[1] * 5 + [0] * 3),
    sent(
        "distinct-by-parity",
        "geometric",
        300,
        "elements are halved before they are compared, so 1 and 2 agree",
        value=lambda self: len({(x + 1) // 2 for x in self.people}),
    ),
    sent(
        "sum-saturates",
        "negative-binomial",
        500,
        "the sum is kept in two bits",
        value=lambda self: sum(self.people) % 4,
    ),
)
