"""Fifth zoo: the encoding, and the hash or partition."""

from __future__ import annotations

from tests.blind_fifth_tools import known
from tests.blind_zoo_bug import CERTAIN, ENCODING, HASH, Bug, bug, run_by_run
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, convolved, poisson, poisson_masses, shifted
from tests.blind_zoo_online import machine
from tests.blind_zoo_scenes import SCENES


def masked_by_last(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, (u + free[-1]) % 2]


def zeros_left_out(self, x, rng):
    return [pair for j in range(1, self.k + 1) for pair in ([(j, 1)] if x == j else []) + [(j, self.noise(rng))]]


def noise_xored(self, x, rng):
    noise = self.noise(rng)
    return [(1, x ^ noise), (1, noise)]


def last_pool_left_out(self, x, rng):
    return [(j, bit) for j in range(1, self.k) for bit in self.shares(self.coin(x, j, rng), rng)]


def one_hot(self, x, rng, data):
    """Every pool's data messages and its noise."""
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (*data(x == j), *bits(rng, poisson(rng, self.mean)))]


def uniformity_pools(scene, zeros, ones):
    """The pools' laws where `zeros(h)` and `ones(h)` are the data messages of a value that h users hold."""
    right = machine(scene)
    noise = as_law(poisson_masses(float(right.mean) * right.users / 2))
    held = [right.people.count(j) for j in range(1, right.labels + 1)]
    return [shifted(noise, part(h)) for h in held for part in (zeros, ones)]


def unmasked_pools():
    """The pools where a user sends a random bit and the bit itself."""
    right = machine("distinct-few-messages")
    chances = ([0.5 if x == j else right.p_prime for x in right.people] for j in range(1, 7))
    laws = []
    for pool in chances:
        law = as_law(binomial_masses(5, 0.5))
        for p in pool:
            law = convolved(law, {0: 1 - p, 1: p})
        laws.append(law)
    return laws


def only_a_shift(self, rng):
    self.a, self.b = 1, rng.randrange(self.q)


def own_hash(self, x, rng):
    a, b = rng.randrange(1, self.q), rng.randrange(self.q)
    return 1 + (a * (x - 1) + b) % self.q % self.labels


def kept_hash(self, rng):
    if "a" not in self.__dict__:
        self.a, self.b = rng.randrange(1, self.q), rng.randrange(self.q)


def blocks(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]


def unbalanced(self, rng):
    self.groups = [rng.randrange(self.k_hat) + 1 for _ in range(self.k)]


def own_partition(self, x, rng):
    self.publish(rng)
    place = rng.randrange(len(self.groups))
    return self.groups[place if place >= self.k else x - 1]


BUGS: tuple[Bug, ...] = (
    known(
        "modular-free-shares-zero",
        "modular",
        ENCODING,
        "The free shares are drawn by a call that excludes the upper end and are always 0, so the last share is x.",
        200,
        [{3: 1.0}],
        shares=lambda self, u, rng: [0] * (self.m - 1) + [u],
    ),
    bug(
        "modular-last-share-half-masked",
        "modular-dropouts",
        ENCODING,
        "The last share is the bit plus only the last free share instead of the sum of all free shares.",
        300,
        CERTAIN,
        shares=masked_by_last,
    ),
    known(
        "binary-sum-noise-xored",
        "binary-sum",
        ENCODING,
        "The first message is the user's bit XOR the noise bit instead of the bit itself.",
        300,
        [shifted({2 * v: mass for v, mass in enumerate(binomial_masses(6, 1 / 3))}, 4)],
        user=noise_xored,
    ),
    bug(
        "histogram-values-from-zero",
        "histogram",
        ENCODING,
        "The encoder counts values from 0, so each value goes to the next pool and the last value to none.",
        400,
        people=[x + 1 for x in SCENES["histogram"].data],
    ),
    bug(
        "histogram-zero-messages-left-out",
        "histogram-uneven",
        ENCODING,
        "A user sends the data message only to the pool of the own value: the data messages 0 are left out.",
        200,
        CERTAIN,
        user=zeros_left_out,
    ),
    bug(
        "two-bit-labels-swapped",
        "two-bit-sum",
        ENCODING,
        "The labels are swapped: the first bit is sent under label 2 and the second bit under label 1.",
        300,
        people=[(b, a) for a, b in SCENES["two-bit-sum"].data],
    ),
    bug(
        "two-bit-product-encoded",
        "two-bit-sum",
        ENCODING,
        "The second message encodes the product of the two bits instead of the second bit.",
        1500,
        people=[(a, a * b) for a, b in SCENES["two-bit-sum"].data],
    ),
    bug(
        "distinct-last-pool-left-out",
        "distinct-dropouts",
        ENCODING,
        "The loop over the values ends at k - 1, so no user sends anything for the last value.",
        200,
        CERTAIN,
        user=last_pool_left_out,
    ),
    known(
        "distinct-bit-not-masked",
        "distinct-few-messages",
        ENCODING,
        "The second share is the bit itself instead of the bit XOR the first share.",
        400,
        unmasked_pools(),
        shares=lambda self, u, rng: [*bits(rng, 1), u],
    ),
    known(
        "uniformity-one-sent-twice",
        "uniformity",
        ENCODING,
        "The data message 1 of the value that a user holds is sent twice.",
        300,
        uniformity_pools("uniformity", lambda h: 10 - h, lambda h: 2 * h),
        user=lambda self, x, rng: one_hot(self, x, rng, lambda held: [1, 1] if held else [0]),
    ),
    known(
        "uniformity-complement-sent",
        "uniformity-formula",
        ENCODING,
        "The data bits are inverted: 0 is sent to the pool of the held value and 1 to all others.",
        400,
        uniformity_pools("uniformity-formula", lambda h: h, lambda h: 6 - h),
        user=lambda self, x, rng: one_hot(self, x, rng, lambda held: [0 if held else 1]),
    ),
    known(
        "poisson-binomial-first-copy-plain",
        "poisson-binomial",
        ENCODING,
        "The first of the m copies is sent without noise, only the others are flipped.",
        2000,
        [shifted(machine("poisson-binomial", m=2).coordinates()[0], 5)],
        user=lambda self, x, rng: [(1, x)] + [(1, x ^ bernoulli(rng, self.flip)) for _ in range(self.m - 1)],
    ),
    bug(
        "hash-only-shifts",
        "hashed-wide",
        HASH,
        "The multiplier of the hash function is always 1, so it only shifts the values and hardly mixes them.",
        500,
        publish=only_a_shift,
    ),
    bug(
        "hash-of-each-user",
        "hashed",
        HASH,
        "Each user draws an own hash function instead of all using the public one.",
        4000,
        encoded=own_hash,
    ),
    run_by_run(
        "hash-never-redrawn",
        "hashed-wide",
        HASH,
        "The hash function is drawn at the first run and kept for all later runs.",
        500,
        lambda wrong, rng, i: wrong.run(rng),
        publish=kept_hash,
    ),
    bug(
        "hash-values-from-zero",
        "hashed",
        HASH,
        "Hash values count from 0 while the pools count from 1: value 0 is in no pool and the last pool is never hit.",
        2000,
        encoded=lambda self, x, rng: (self.a * (x - 1) + self.b) % self.q % self.labels,
    ),
    bug(
        "partition-into-fixed-blocks",
        "compressed",
        HASH,
        "The partition is not shuffled: groups are always the blocks of neighbouring values.",
        300,
        publish=blocks,
    ),
    bug(
        "partition-unbalanced",
        "compressed",
        HASH,
        "Each value draws its group independently, so groups differ in size, instead of a random balanced partition.",
        4000,
        publish=unbalanced,
    ),
    bug(
        "partition-padding-ignored",
        "compressed-padded",
        HASH,
        "The padding of the domain is ignored: users always send the group of the own value, never of a padding place.",
        3000,
        encoded=lambda self, x, rng: self.groups[x - 1],
    ),
    bug(
        "partition-of-each-user",
        "compressed-padded",
        HASH,
        "Each user shuffles an own partition instead of all using the public one.",
        1500,
        encoded=own_partition,
    ),
)
