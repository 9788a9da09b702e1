"""Ninth zoo: encoding and order."""

from __future__ import annotations

import math
from functools import cmp_to_key
from itertools import product

from tests.blind_zoo_bug import CERTAIN, ENCODING, ORDER, bug, evidence_of
from tests.blind_zoo_draws import as_law, bernoulli, bits, convolved, entropy, poisson, poisson_masses, shifted
from tests.blind_zoo_online import machine


def added_up(laws):
    total = {0: 1.0}
    for law in laws:
        total = convolved(total, law)
    return total


def closed_by_the_last_bit(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, u ^ free[-1]]


def ones_of_shares(u, m):
    law = dict.fromkeys(range(m + 1), 0.0)
    for free in product((0, 1), repeat=m - 1):
        law[sum(free) + (u ^ free[-1])] += 1 / 2 ** (m - 1)
    return law


def last_bit_evidence(runs):
    right = machine("modular")
    return evidence_of([added_up(ones_of_shares(x, right.m) for x in right.people)], right.coordinates(), runs)


def zero_based_coin(self, x, j, rng):
    return rng.getrandbits(1) if x == j - 1 else bernoulli(rng, self.p_prime)


def zero_based_evidence(runs):
    right = machine("distinct")
    laws = [right.law_of_pool(j, [x + 1 for x in right.people]) for j in range(1, right.labels + 1)]
    return evidence_of(laws, right.coordinates(), runs)


def first_category_dropped(self, x, rng):
    return [
        message for j in range(1, self.labels + 1) for message in ((j, int(x == j and j > 1)), (j, self.noise(rng)))
    ]


def own_label_only(self, x, rng):
    noise = [(j, bit) for j in range(1, self.labels + 1) for bit in bits(rng, poisson(rng, self.mean))]
    return [(x, 1), *noise]


def own_label_evidence(runs):
    right = machine("uniformity")
    law = as_law(poisson_masses(float(right.lam) / 2))
    zeros = [shifted(law, right.n - right.people.count(j)) for j in range(1, right.labels + 1)]
    return evidence_of([law] * right.labels, zeros, runs)


def flipped_in_place(self, x, rng):
    messages = []
    for _ in range(self.m):
        x ^= bernoulli(rng, self.flip)
        messages.append((1, x))
    return messages


def ones_of_chain(x, m, p):
    law = dict.fromkeys(range(m + 1), 0.0)
    for flips in product((0, 1), repeat=m):
        ones = sum((x + sum(flips[: i + 1])) % 2 for i in range(m))
        law[ones] += math.prod(p if flip else 1 - p for flip in flips)
    return law


def chain_evidence(runs):
    right = machine("poisson-binomial")
    laws = [ones_of_chain(x, right.m, right.flip) for x in right.people]
    return evidence_of([added_up(laws)], right.coordinates(), runs)


def padding_ignored(self, x, rng):
    return self.groups[x - 1]


def one_share_more(self, u, rng):
    free = bits(rng, self.m)
    return [*free, (u + sum(free)) % 2]


def in_a_row(vectors):
    return [message for vector in vectors for message in vector]


def random_comparator(self, vectors, rng):
    return sorted(in_a_row(vectors), key=cmp_to_key(lambda _first, _second: -1 if rng.random() < 0.5 else 1))


def users_shuffled(self, vectors, rng):
    rng.shuffle(vectors)
    return in_a_row(vectors)


def users_shuffled_evidence(runs):
    right = machine("modular")
    law, size = right.coordinates()[0], right.n * right.m
    arrangements = sum(mass * math.log(math.comb(size, ones)) for ones, mass in law.items() if mass)
    shown = math.log(math.comb(right.n, sum(right.people))) + right.n * (right.m - 1) * math.log(2)
    return runs * (arrangements + entropy(law) - shown)


def shuffled_by_label(self, vectors, rng):
    messages = in_a_row(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def label_orders(scene):
    """The logarithm of the number of orders of the labels of all messages."""
    right = machine(scene)
    each = right.n * right.m
    return math.lgamma(right.labels * each + 1) - right.labels * math.lgamma(each + 1)


def one_cycle(self, vectors, rng):
    messages = in_a_row(vectors)
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def rotated(self, vectors, rng):
    messages = in_a_row(vectors)
    cut = rng.randrange(len(messages))
    return messages[cut:] + messages[:cut]


def copy_shuffled(self, vectors, rng):
    messages = in_a_row(vectors)
    rng.shuffle(messages[:])
    return messages


def first_label_evidence(runs):
    labels = range(1, machine("compressed").labels + 1)
    return evidence_of([{1: 1.0}], [dict.fromkeys(labels, 1 / len(labels))], runs)


BUGS = (
    bug(
        "closed-by-the-last-bit-only",
        "modular",
        ENCODING,
        "The closing share is the value xor the last free share instead of xor all free shares, so that the shares do"
        " not add up to the value.",
        500,
        last_bit_evidence(500),
        shares=closed_by_the_last_bit,
    ),
    bug(
        "labels-from-zero",
        "distinct",
        ENCODING,
        "The loop over the labels counts from 0 while the values count from 1: value x is marked in pool x+1, and the"
        " greatest value is marked nowhere.",
        1500,
        zero_based_evidence(1500),
        coin=zero_based_coin,
    ),
    bug(
        "one-hot-drops-the-first",
        "histogram",
        ENCODING,
        "The one-hot encoder leaves out the first category as a reference (drop='first'), so that users with value 1"
        " send a 0 in every bin.",
        64,
        CERTAIN,
        user=first_category_dropped,
    ),
    bug(
        "zeros-not-sent",
        "uniformity",
        ENCODING,
        "A user sends the data message (x, 1) only; the data messages (j, 0) of the other labels are left out to save"
        " traffic.",
        64,
        own_label_evidence(64),
        user=own_label_only,
    ),
    bug(
        "bit-flipped-in-place",
        "poisson-binomial",
        ENCODING,
        "The loop over the m messages overwrites the user's bit with the flipped one, so that each message is a flip of"
        " the message before it instead of the user's bit.",
        1000,
        chain_evidence(1000),
        user=flipped_in_place,
    ),
    bug(
        "padding-never-reported",
        "compressed-padded",
        ENCODING,
        "A user always reports the group of the own value; the step that reports a padding element with the padding's"
        " share of the places is missing.",
        2000,
        encoded=padding_ignored,
    ),
    bug(
        "closing-share-on-top",
        "hashed",
        ENCODING,
        "A user draws m free shares instead of m-1 and then adds the closing share, so that m+1 messages are sent for"
        " each bucket.",
        64,
        CERTAIN,
        shares=one_share_more,
    ),
    bug(
        "sorted-by-a-random-comparator",
        "binary-sum",
        ORDER,
        "The messages are shuffled by sorting them with a comparator that answers at random, which does not make all"
        " orders equally likely.",
        6000,
        order=random_comparator,
    ),
    bug(
        "users-shuffled-not-messages",
        "modular",
        ORDER,
        "The shuffler permutes the users' message vectors as wholes: the messages of each user stay together.",
        200,
        users_shuffled_evidence(200),
        order=users_shuffled,
    ),
    bug(
        "shuffled-within-each-label",
        "distinct-few-messages",
        ORDER,
        "The messages are shuffled within each label and the labels are handed on one after another, in increasing"
        " order.",
        64,
        64 * label_orders("distinct-few-messages"),
        order=shuffled_by_label,
    ),
    bug(
        "one-long-cycle",
        "two-bit-sum-dropouts",
        ORDER,
        "The shuffle draws the partner of a swap below i instead of up to i (Sattolo's algorithm), so that no message"
        " can stay at its place.",
        3000,
        order=one_cycle,
    ),
    bug(
        "rolled-not-shuffled",
        "hashed-wide",
        ORDER,
        "The messages are rotated by a random offset instead of being shuffled.",
        64,
        64 * (label_orders("hashed-wide") - math.log(machine("hashed-wide").labels)),
        order=rotated,
    ),
    bug(
        "a-slice-is-shuffled",
        "compressed",
        ORDER,
        "The shuffle works on a slice, which is a copy, so that the messages are handed on in the order in which the"
        " users sent them.",
        150,
        first_label_evidence(150),
        order=copy_shuffled,
    ),
)
