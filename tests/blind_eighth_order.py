"""Eighth zoo: messages in an order that tells something.

Where the evidence of a run is a number, it counts how often each place holds a 1, in thousands of runs.
"""

from __future__ import annotations

import math
from functools import cmp_to_key

from tests.blind_zoo_bug import ORDER, bug, evidence_of
from tests.blind_zoo_draws import binomial_masses
from tests.blind_zoo_online import machine


def joined(vectors):
    return [message for vector in vectors for message in vector]


def swapped_with_any(self, vectors, rng):
    messages = joined(vectors)
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def sorted_by_coins(self, vectors, rng):
    return sorted(joined(vectors), key=cmp_to_key(lambda first, second: 1 if rng.getrandbits(1) else -1))


def cut_once(self, vectors, rng):
    messages = joined(vectors)
    place = rng.randrange(len(messages))
    return messages[place:] + messages[:place]


def arrangements(*counts):
    """The log of the number of orders of so many things of each kind."""
    return math.lgamma(sum(counts) + 1) - sum(math.lgamma(count + 1) for count in counts)


def cut_once_evidence(scene, runs):
    right = machine(scene)
    each = 2 * len(right.people)
    return runs * (arrangements(*[each] * right.labels) - math.log(2 * right.labels))


def pool_after_pool(self, vectors, rng):
    messages = joined(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def pool_after_pool_evidence(scene, runs):
    right = machine(scene)
    return runs * arrangements(*[right.m * len(right.people)] * right.labels)


def users_permuted(self, vectors, rng):
    vectors = list(vectors)
    rng.shuffle(vectors)
    return joined(vectors)


def users_permuted_evidence(scene, runs):
    right = machine(scene)
    n, h = len(right.people), sum(right.people)
    return runs * sum(
        mass * (arrangements(2 * n - h - s, h + s) - arrangements(n - h, h) - arrangements(n - s, s))
        for s, mass in enumerate(binomial_masses(n, right.flip))
    )


def none_stays(self, vectors, rng):
    messages = joined(vectors)
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def none_stays_evidence(scene, runs):
    """By the number of messages with label 1 in places that had label 1 before."""
    n = len(machine(scene).people)
    wrong = {n - r: math.comb(n, r) * math.comb(n - 1, r - 1) / math.comb(2 * n - 1, n) for r in range(1, n + 1)}
    right = {x: math.comb(n, x) ** 2 / math.comb(2 * n, n) for x in range(n + 1)}
    return evidence_of([wrong], [right], runs)


def last_left_out(self, vectors, rng):
    messages = joined(vectors)
    head = messages[:-1]
    rng.shuffle(head)
    return [*head, messages[-1]]


BUGS = (
    bug(
        "swapped-with-any-place",
        "binary-sum-large",
        ORDER,
        "The shuffle swaps every place with a place drawn from all places instead of from those not yet settled, which"
        " is not uniform over the orders.",
        6000,
        0.0285 * 6000,
        order=swapped_with_any,
    ),
    bug(
        "sorted-by-a-random-comparison",
        "poisson-binomial",
        ORDER,
        "The messages are shuffled by sorting them with a comparison that answers at random; the sort leaves them near"
        " their old places.",
        6000,
        0.0095 * 6000,
        order=sorted_by_coins,
    ),
    bug(
        "deck-cut-once",
        "histogram",
        ORDER,
        "The shuffler only rotates the list of messages by a random offset.",
        64,
        cut_once_evidence("histogram", 64),
        order=cut_once,
    ),
    bug(
        "shuffled-within-labels",
        "distinct",
        ORDER,
        "The messages of each label are shuffled among themselves and the labels are put one after the other.",
        64,
        pool_after_pool_evidence("distinct", 64),
        order=pool_after_pool,
    ),
    bug(
        "users-shuffled-not-messages",
        "binary-sum",
        ORDER,
        "The shuffler permutes the users' vectors and then joins them, so the two messages of a user stay together and"
        " in their order.",
        400,
        users_permuted_evidence("binary-sum", 400),
        order=users_permuted,
    ),
    bug(
        "no-message-stays-in-place",
        "two-bit-sum-dropouts",
        ORDER,
        "The shuffle draws the place to swap with from the places strictly before (Sattolo's algorithm), so only cyclic"
        " permutations occur and no message stays where it was.",
        6000,
        none_stays_evidence("two-bit-sum-dropouts", 6000),
        order=none_stays,
    ),
    bug(
        "last-message-not-shuffled",
        "uniformity",
        ORDER,
        "The shuffle leaves out the last message, which is always one of the last user's for label k.",
        200,
        200 * math.log(4),
        order=last_left_out,
    ),
)
