"""Shufflers that do not shuffle: wrong swaps, batches, groups, queues, keys with ties."""

from __future__ import annotations

import math
from functools import reduce
from itertools import chain

import numpy as np

from tests.blind_zoo_bug import ORDER, bug
from tests.blind_zoo_draws import as_law, binomial_masses, convolved, shifted
from tests.blind_zoo_online import machine


def flat(vectors):
    return list(chain.from_iterable(vectors))


def swaps_with_any_place(self, vectors, rng):
    messages = flat(vectors)
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def swaps_with_earlier_place(self, vectors, rng):
    messages = flat(vectors)
    for i in reversed(range(1, len(messages))):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def swaps_without_last_place(self, vectors, rng):
    messages = flat(vectors)
    for i in reversed(range(1, len(messages) - 1)):
        j = rng.randint(0, i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def users_shuffled(self, vectors, rng):
    rng.shuffle(vectors)
    return flat(vectors)


def shuffled_within_labels(self, vectors, rng):
    messages = flat(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


BATCH = 52


def shuffled_in_batches(self, vectors, rng):
    messages = flat(vectors)
    batches = [messages[start : start + BATCH] for start in range(0, len(messages), BATCH)]
    for batch in batches:
        rng.shuffle(batch)
    return flat(batches)


def two_queues_in_turn(self, vectors, rng):
    half = len(vectors) // 2
    queues = flat(vectors[:half]), flat(vectors[half:])
    for queue in queues:
        rng.shuffle(queue)
    return flat(zip(*queues, strict=True))


def sorted_by_small_keys(self, vectors, rng):
    return sorted(flat(vectors), key=lambda _: rng.randrange(10))


def swap_evidence(start, steps, runs):
    """`start` has an axis for each place; a step swaps a place with a uniform choice of others."""
    places, masses = start.ndim, start
    for i, choices in steps:
        masses = sum(np.swapaxes(masses, i, j) for j in choices) / len(choices)
    ones = np.indices(masses.shape).sum(axis=0)
    law = np.bincount(ones.ravel(), weights=start.ravel(), minlength=places + 1)
    even = (law / [math.comb(places, c) for c in range(places + 1)])[ones]
    met = masses > 0
    return runs * float((masses[met] * np.log(masses[met] / even[met])).sum())


def any_place_evidence(runs):
    right = machine("modular-short")
    start = reduce(np.multiply.outer, [np.array([[1 - x, x], [x, 1 - x]]) / 2 for x in right.people])
    return swap_evidence(start, [(i, range(start.ndim)) for i in range(start.ndim)], runs)


def earlier_place_evidence(runs):
    right = machine("binary-sum-dropouts")
    p = right.flip
    start = reduce(np.multiply.outer, [np.array(law) for x in right.people for law in ((1 - x, x), (1 - p, p))])
    return swap_evidence(start, [(i, range(i)) for i in reversed(range(1, start.ndim))], runs)


def arrangements(labels, each):
    """The logarithm of the number of orders of the labels."""
    return math.lgamma(labels * each + 1) - labels * math.lgamma(each + 1)


def parts_evidence(parts, runs):
    """The parts, (size, law of ones) each, are shuffled by themselves."""

    def cost(size, law):
        return sum(p * (math.log(p) - math.log(math.comb(size, v))) for v, p in law.items() if p > 0)

    whole = sum(size for size, _ in parts), reduce(convolved, [law for _, law in parts])
    return runs * (sum(cost(*part) for part in parts) - cost(*whole))


def batches_evidence(runs):
    right, users = machine("binary-sum-formula"), BATCH // 2
    noise = as_law(binomial_masses(users, right.flip))
    starts = range(0, right.n, users)
    return parts_evidence([(BATCH, shifted(noise, sum(right.people[s : s + users]))) for s in starts], runs)


def queues_evidence(runs):
    right = machine("poisson-binomial-dropouts")
    half = len(right.people) // 2
    parts = [machine("poisson-binomial-dropouts", people=part) for part in (right.people[:half], right.people[half:])]
    return parts_evidence([(half * right.m, part.coordinates()[0]) for part in parts], runs)


BUGS = (
    bug(
        "eleventh-every-place-swapped-with-any",
        "modular-short",
        ORDER,
        "The shuffle swaps every place with a place drawn from all, not from those that are left.",
        20000,
        any_place_evidence(20000),
        order=swaps_with_any_place,
    ),
    bug(
        "eleventh-fisher-yates-never-in-place",
        "binary-sum-dropouts",
        ORDER,
        "The shuffle draws the partner of place i below i instead of up to i, so that the order is always one cycle.",
        8000,
        earlier_place_evidence(8000),
        order=swaps_with_earlier_place,
    ),
    bug(
        "eleventh-last-message-never-swapped",
        "hashed",
        ORDER,
        "The shuffle's loop starts one place too early, so that the last message stays the last.",
        300,
        300 * math.log(machine("hashed").labels),
        order=swaps_without_last_place,
    ),
    bug(
        "eleventh-shuffles-users-not-messages",
        "distinct",
        ORDER,
        "The shuffler permutes the users' vectors and leaves the messages of each user together and in order.",
        300,
        300 * arrangements(4, 18),
        order=users_shuffled,
    ),
    bug(
        "eleventh-shuffle-then-group-by-label",
        "histogram",
        ORDER,
        "After the shuffle the messages are grouped by their label, so that they are mixed within a pool only.",
        300,
        300 * arrangements(5, 16),
        order=shuffled_within_labels,
    ),
    bug(
        "eleventh-shuffler-flushes-batches",
        "binary-sum-formula",
        ORDER,
        "The shuffler's buffer holds 52 messages and is shuffled and flushed whenever it is full.",
        1000,
        batches_evidence(1000),
        order=shuffled_in_batches,
    ),
    bug(
        "eleventh-two-queues-merged-in-turn",
        "poisson-binomial-dropouts",
        ORDER,
        "Two servers shuffle the messages of half of the users each, and their queues are merged one by one in turn.",
        3000,
        queues_evidence(3000),
        order=two_queues_in_turn,
    ),
    bug(
        "eleventh-sorted-by-keys-with-ties",
        "binary-sum-large",
        ORDER,
        "The messages are sorted by random keys from 0 to 9, and those with equal keys stay in the order of arrival.",
        2000,
        order=sorted_by_small_keys,
    ),
)
