"""Third zoo: shuffles that are none."""

from __future__ import annotations

import math
from random import Random

from tests.blind_second_laws import (
    binomial_law,
)
from tests.blind_third_slips import (
    Joint,
    shuffled_run,
    slip,
    vector_evidence,
)
from tests.blind_zoo_bug import (
    ORDER,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    convolved,
)
from tests.blind_zoo_online import machine


def with_replacement(self, vectors, rng):
    messages = [message for vector in vectors for message in vector]
    return rng.choices(messages, k=len(messages))


def replacement_evidence(scene: str, runs: int) -> float | None:
    (right,) = machine(scene).coordinates()
    size, law = 2 * len(machine(scene).people), {}
    for ones, mass in right.items():
        for v, p in binomial_law(size, ones / size).items():
            law[v] = law.get(v, 0.0) + mass * p
    return evidence_of([law], [right], runs)


def columns_apart(self, vectors, rng):
    """Labels and bits are two arrays, and each is shuffled alone."""
    labels, values = map(list, zip(*(message for vector in vectors for message in vector), strict=True))
    rng.shuffle(labels)
    rng.shuffle(values)
    return list(zip(labels, values, strict=True))


def columns_evidence(scene: str, runs: int) -> float:
    first, second = machine(scene).coordinates()
    size = len(machine(scene).people)
    joint: Joint = {}
    for total, mass in convolved(first, second).items():
        for a in range(max(0, total - size), min(size, total) + 1):
            joint[a, total - a] = mass * math.comb(size, a) * math.comb(size, total - a) / math.comb(2 * size, total)
    return vector_evidence(joint, [first, second], runs)


def whole_keys(self, vectors, rng):
    messages = [message for vector in vectors for message in vector]
    return sorted(messages, key=lambda _: int(rng.random() * self.n))


def salted_hash(self, vectors, rng):
    """Sorted by a salted hash of the content: equal messages stand together."""
    messages = [message for vector in vectors for message in vector]
    salt = {(j, b): rng.random() for j in range(1, self.labels + 1) for b in (0, 1)}
    return sorted(messages, key=salt.__getitem__)


def same_seed_twice(self, rng):
    """The shuffler's generator is seeded as the users' is."""
    seed = rng.getrandbits(64)
    return shuffled_run(self, self.vectors(Random(seed)), Random(seed))


def every_second_place(self, vectors, rng):
    messages = [message for vector in vectors for message in vector]
    for i in range(0, len(messages), 2):
        j = rng.randrange(i, len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def round_robin(self, vectors, rng):
    """Users in random order, one message of each in turn."""
    rng.shuffle(vectors)
    return [message for turn in zip(*vectors, strict=True) for message in turn]


def affine_places(self, vectors, rng):
    messages = [message for vector in vectors for message in vector]
    size = len(messages)
    a = rng.choice([a for a in range(1, size) if math.gcd(a, size) == 1])
    b = rng.randrange(size)
    return [messages[(a * i + b) % size] for i in range(size)]


BUGS: tuple[Bug, ...] = (
    slip(
        "zsum-with-replacement",
        "binary-sum",
        ORDER,
        "messages are drawn with replacement (choices for sample)",
        300,
        replacement_evidence("binary-sum", 300),
        order=with_replacement,
    ),
    slip(
        "two-bit-columns-apart",
        "two-bit-sum",
        ORDER,
        "labels and bits are two arrays that are shuffled separately",
        150,
        columns_evidence("two-bit-sum", 150),
        order=columns_apart,
    ),
    slip(
        "two-bit-whole-keys",
        "two-bit-sum",
        ORDER,
        "sorted by random whole numbers below n, not 2n: ties stay in order",
        20000,
        order=whole_keys,
    ),
    slip(
        "histogram-salted-hash",
        "histogram",
        ORDER,
        "sorted by a salted hash of the content, so equal messages stand together",
        64,
        order=salted_hash,
    ),
    slip(
        "modular-shuffle-same-seed",
        "modular-short",
        ORDER,
        "the shuffler's generator has the same seed as the users'",
        20000,
        run=same_seed_twice,
    ),
    slip(
        "zsum-every-second-place",
        "binary-sum-large",
        ORDER,
        "the loop of the shuffle has step 2, so half of the places draw no partner",
        1000,
        order=every_second_place,
    ),
    slip(
        "copies-round-robin",
        "poisson-binomial",
        ORDER,
        "users are permuted once, then their messages are taken in turn",
        300,
        order=round_robin,
    ),
    slip(
        "zsum-affine-places",
        "binary-sum-dropouts",
        ORDER,
        "place i gets message a i + b mod N for random a and b: few permutations",
        1000,
        order=affine_places,
    ),
)
