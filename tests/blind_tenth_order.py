"""Shufflers that do not shuffle, or not uniformly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from random import Random

from tests.blind_zoo_bug import ORDER, Bug, bug
from tests.blind_zoo_draws import Law, entropy
from tests.blind_zoo_online import machine

PERMUTATION_SEED = 42


def joined(vectors):
    return [message for vector in vectors for message in vector]


def sorted_by_value(self, vectors, rng):
    return sorted(joined(vectors))


def log_arrangements(law: Law, size: int) -> float:
    return sum(mass * math.log(math.comb(size, ones)) for ones, mass in law.items() if mass > 0)


def sorted_evidence(scene, runs):
    right = machine(scene)
    return runs * log_arrangements(right.coordinates()[0], 2 * len(right.people))


def users_shuffled_as_blocks(self, vectors, rng):
    rng.shuffle(vectors)
    return joined(vectors)


def block_types(users: int, m: int) -> Iterator[tuple[int, ...]]:
    """How many users have 0, 1, ..., m ones among their messages."""
    return (types for types in product(range(users + 1), repeat=m + 1) if sum(types) == users)


def sequences_of(types, m):
    """The number of sequences of messages whose blocks are of these types."""
    return math.factorial(sum(types)) * math.prod(math.comb(m, s) ** c / math.factorial(c) for s, c in enumerate(types))


def mass_of_sequence(types, m, h, flip):
    """The probability of one sequence of such blocks, where each set of h blocks is equally likely to hold a 1."""
    weights = [1.0]
    for s, c in enumerate(types):
        low, high = flip**s * (1 - flip) ** (m - s), (1 - flip) ** s * flip ** (m - s)
        for _ in range(c):
            weights = [low * a + high * b for a, b in zip([*weights, 0], [0, *weights], strict=True)]
    return weights[h] / math.comb(sum(types), h)


def blocks_evidence(scene, runs):
    right = machine(scene)
    m, users, law, total = right.m, len(right.people), right.coordinates()[0], 0.0
    for types in block_types(users, m):
        ones = sum(s * c for s, c in enumerate(types))
        wrong = mass_of_sequence(types, m, sum(right.people), right.flip)
        total += sequences_of(types, m) * wrong * math.log(wrong * math.comb(m * users, ones) / law[ones])
    return runs * total


def swapped_with_any_place(self, vectors, rng):
    messages = joined(vectors)
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def swapped_with_an_earlier_place(self, vectors, rng):
    messages = joined(vectors)
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def shuffled_in_partitions_by_label(self, vectors, rng):
    messages = joined(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def partitions_evidence(scene, runs):
    right = machine(scene)
    size = right.m * len(right.people)
    return runs * (math.lgamma(right.labels * size + 1) - right.labels * math.lgamma(size + 1))


def permuted_with_constant_seed(self, vectors, rng):
    messages = joined(vectors)
    Random(PERMUTATION_SEED).shuffle(messages)
    return messages


def constant_permutation_evidence(scene, runs):
    right = machine(scene)
    law, size = right.coordinates()[0], right.m * len(right.people)
    bit = entropy({0: 1 - right.flip, 1: right.flip})
    return runs * (log_arrangements(law, size) + entropy(law) - size * bit)


def sorted_by_random_comparisons(self, vectors, rng):
    messages = joined(vectors)
    for i in range(1, len(messages)):
        place = i
        while place and rng.getrandbits(1):
            messages[place - 1], messages[place] = messages[place], messages[place - 1]
            place -= 1
    return messages


def inserted(texts: dict[str, float], bit: str) -> dict[str, float]:
    total: dict[str, float] = {}
    for text, mass in texts.items():
        for moved in range(len(text) + 1):
            place, chance = len(text) - moved, 0.5 ** min(moved + 1, len(text))
            new = text[:place] + bit + text[place:]
            total[new] = total.get(new, 0.0) + mass * chance
    return total


def random_comparisons_evidence(scene, runs):
    """For two shares a user: the law of the messages as a text."""
    right = machine(scene)
    texts = {"": 1.0}
    for x in right.people:
        parts = [inserted(inserted(texts, str(free)), str(free ^ x)) for free in (0, 1)]
        texts = {text: sum(part.get(text, 0.0) for part in parts) / 2 for text in parts[0].keys() | parts[1].keys()}
    law, size = right.coordinates()[0], 2 * len(right.people)
    return runs * sum(
        mass * math.log(mass * math.comb(size, text.count("1")) / law[text.count("1")]) for text, mass in texts.items()
    )


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-messages-come-sorted",
        "binary-sum-formula",
        ORDER,
        "The shuffler reads the messages from an index and never permutes them: all zeros come before all ones.",
        300,
        evidence=sorted_evidence("binary-sum-formula", 300),
        order=sorted_by_value,
    ),
    bug(
        "tenth-users-shuffled-as-blocks",
        "poisson-binomial",
        ORDER,
        "The shuffler permutes the users' vectors and not the messages, so that a user's messages stay together.",
        1000,
        evidence=blocks_evidence("poisson-binomial", 1000),
        order=users_shuffled_as_blocks,
    ),
    bug(
        "tenth-swap-with-any-place",
        "binary-sum-large",
        ORDER,
        "The shuffle swaps each place with a place from the whole array instead of the rest, which is not uniform.",
        5000,
        order=swapped_with_any_place,
    ),
    bug(
        "tenth-swap-never-with-itself",
        "two-bit-sum",
        ORDER,
        "Fisher-Yates draws j < i instead of j <= i, so only cyclic permutations occur and no message stays in place.",
        6000,
        order=swapped_with_an_earlier_place,
    ),
    bug(
        "tenth-shuffled-in-partitions",
        "distinct-few-messages",
        ORDER,
        "The messages are partitioned by label, shuffled in each partition, and the partitions are concatenated.",
        300,
        evidence=partitions_evidence("distinct-few-messages", 300),
        order=shuffled_in_partitions_by_label,
    ),
    bug(
        "tenth-permutation-of-constant-seed",
        "poisson-binomial-dropouts",
        ORDER,
        "The shuffler is seeded with a constant for every batch, so all runs are permuted in the same way.",
        500,
        evidence=constant_permutation_evidence("poisson-binomial-dropouts", 500),
        order=permuted_with_constant_seed,
    ),
    bug(
        "tenth-sort-by-random-comparator",
        "modular-short",
        ORDER,
        "The messages are sorted with a comparator that flips a coin, so insertion sort leaves them near their place.",
        1500,
        evidence=random_comparisons_evidence("modular-short", 1500),
        order=sorted_by_random_comparisons,
    ),
)
