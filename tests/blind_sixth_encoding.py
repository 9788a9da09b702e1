"""Sixth zoo: encoders that lose, double or misplace messages, and bad shuffles."""

from __future__ import annotations

import math

from tests.blind_sixth_noise import against
from tests.blind_zoo_bug import CERTAIN, ENCODING, ORDER, Bug, bug
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, shifted
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import Shuffled
from tests.blind_zoo_scenes import PAIRS, SCENES

ELEMENTS = {name: SCENES[name].data for name in ("histogram", "histogram-uneven", "distinct-few-messages")}


def first_share_zero(self, u, rng):
    free = [0, *bits(rng, self.m - 2)]
    return [*free, (u + sum(free)) % 2]


def own_bit_sure(self, x, j, rng):
    return 1 if x == j else bernoulli(rng, self.p_prime)


def own_sure_laws(scene):
    plain = machine(scene)
    return [
        plain.pool_law([1.0 if x == j else plain.p_prime for x in plain.people]) for j in range(1, plain.labels + 1)
    ]


def delivered_twice(self, rng):
    return [vector * (1 + bernoulli(rng, 0.02)) for vector in Shuffled.vectors(self, rng)]


def flat(vectors):
    return [message for vector in vectors for message in vector]


def arrangements(*sizes):
    """The logarithm of the number of ways to arrange labels that occur so often each."""
    return math.lgamma(sum(sizes) + 1) - sum(math.lgamma(size + 1) for size in sizes)


def ordered_by(arrange):
    """A shuffler: `arrange(messages, rng)` gives the messages in their new order."""

    def order(self, vectors, rng):
        return arrange(flat(vectors), rng)

    return order


def users_only(self, vectors, rng):
    rng.shuffle(vectors)
    return flat(vectors)


def within_users(self, vectors, rng):
    for vector in vectors:
        rng.shuffle(vector)
    return flat(vectors)


def swapped_from(place):
    """A loop of swaps from the end: message i changes places with message `place(rng, i, size)`."""

    def arrange(messages, rng):
        for i in reversed(range(len(messages))):
            j = place(rng, i, len(messages))
            messages[i], messages[j] = messages[j], messages[i]
        return messages

    return ordered_by(arrange)


def all_but_last(messages, rng):
    rest = messages[:-1]
    rng.shuffle(rest)
    return [*rest, messages[-1]]


def rotated(messages, rng):
    start = rng.randrange(len(messages))
    return messages[start:] + messages[:start]


def riffled(messages, rng):
    cut = sum(bits(rng, len(messages)))
    left, right, mixed = messages[:cut], messages[cut:], []
    while left or right:
        pile = left if rng.randrange(len(left) + len(right)) < len(left) else right
        mixed.append(pile.pop(0))
    return mixed


def sorted_bits_evidence(scene, runs):
    plain = machine(scene)
    size = len(plain.people) * plain.m
    return runs * sum(mass * arrangements(ones, size - ones) for ones, mass in plain.coordinates()[0].items())


ENCODERS = (
    bug(
        "label-off-by-one",
        "histogram",
        ENCODING,
        "Labels counted from 0 and from 1 were mixed: a user with value j puts the 1 under label j + 1, and the last "
        "value is lost.",
        200,
        people=[x + 1 for x in ELEMENTS["histogram"]],
    ),
    bug(
        "last-value-lost",
        "histogram-uneven",
        ENCODING,
        "The encoder's loop over the values ends one too early, so users with the last value k never send their 1.",
        300,
        people=[x if x < 4 else 0 for x in ELEMENTS["histogram-uneven"]],
    ),
    bug(
        "first-share-zero",
        "modular",
        ENCODING,
        "Only m - 2 of the shares are random: the first of the m shares is always 0.",
        500,
        against("modular", 500, machine("modular", m=3).coordinates()),
        shares=first_share_zero,
    ),
    bug(
        "own-bit-sure",
        "distinct",
        ENCODING,
        "For the user's own element a sure 1 is shared instead of a fair coin.",
        1000,
        against("distinct", 1000, own_sure_laws("distinct")),
        coin=own_bit_sure,
    ),
    bug(
        "zero-based-elements",
        "distinct-few-messages",
        ENCODING,
        "The element is used as an index from 0 while labels count from 1, so each element is encoded as the one "
        "before it.",
        1000,
        people=[x - 1 for x in ELEMENTS["distinct-few-messages"]],
    ),
    bug(
        "first-bit-twice",
        "two-bit-sum",
        ENCODING,
        "Copy and paste: the first bit of the pair is encoded under both labels.",
        300,
        people=[(a, a) for a, _ in PAIRS],
    ),
    bug(
        "bits-swapped",
        "two-bit-sum-dropouts",
        ENCODING,
        "The two bits of the pair are encoded under each other's label.",
        200,
        people=[(b, a) for a, b in PAIRS[:7]],
    ),
    bug(
        "ones-without-noise",
        "binary-sum-formula",
        ENCODING,
        "The encoder returns early when the bit is 1, so these users don't send their noise message.",
        200,
        CERTAIN,
        user=lambda self, x, rng: [(1, 1)] if x else [(1, 0), (1, self.noise(rng))],
    ),
    bug(
        "or-instead-of-xor",
        "poisson-binomial-dropouts",
        ENCODING,
        "The flip is applied with OR instead of XOR, so ones are never flipped to zero.",
        300,
        against("poisson-binomial-dropouts", 300, [shifted(as_law(binomial_masses(12, 0.2)), 12)]),
        user=lambda self, x, rng: [(1, x | bernoulli(rng, self.flip)) for _ in range(self.m)],
    ),
    bug(
        "delivered-twice",
        "binary-sum",
        ENCODING,
        "After a time-out a user's messages are sent again although the first attempt had arrived, so now and then "
        "they are there twice.",
        400,
        CERTAIN,
        vectors=delivered_twice,
    ),
)
SHUFFLERS = (
    bug(
        "no-shuffle",
        "histogram-dropouts",
        ORDER,
        "The messages aren't shuffled at all: they come user by user and label by label.",
        200,
        200 * arrangements(12, 12, 12),
        order=ordered_by(lambda messages, rng: messages),
    ),
    bug(
        "users-shuffled-only",
        "binary-sum",
        ORDER,
        "The list of the users' vectors is shuffled but not the messages, so each user's bit and noise bit stay next "
        "to each other in this order.",
        500,
        order=users_only,
    ),
    bug(
        "naive-swaps",
        "binary-sum-large",
        ORDER,
        "The shuffle swaps each message with one at any place instead of one not yet fixed, which doesn't make all "
        "orders equally likely.",
        2000,
        order=swapped_from(lambda rng, i, size: rng.randrange(size)),
    ),
    bug(
        "no-fixed-points",
        "two-bit-sum",
        ORDER,
        "Off by one in the Fisher-Yates shuffle: a message is never swapped with itself, so only cyclic permutations "
        "come up and no message keeps its place.",
        4000,
        order=swapped_from(lambda rng, i, size: rng.randrange(max(1, i))),
    ),
    bug(
        "last-message-stays",
        "distinct",
        ORDER,
        "The shuffle leaves out the end of the list, so the last message of the last user always comes last.",
        300,
        300 * math.log(4),
        order=ordered_by(all_but_last),
    ),
    bug(
        "rotated-only",
        "uniformity-default",
        ORDER,
        "The list of messages is only rotated by a random amount instead of shuffled.",
        300,
        order=ordered_by(rotated),
    ),
    bug(
        "shuffled-within-users",
        "distinct-few-messages",
        ORDER,
        "Each user's messages are shuffled among themselves, and then the users are joined in their order.",
        200,
        200 * (arrangements(*[10] * 6) - 5 * arrangements(*[2] * 6)),
        order=within_users,
    ),
    bug(
        "one-riffle",
        "histogram",
        ORDER,
        "The shuffler merges two halves at random once (one riffle), which is far too little to mix the messages.",
        300,
        order=ordered_by(riffled),
    ),
    bug(
        "zeros-first",
        "modular-dropouts",
        ORDER,
        "The messages are rebuilt from the counts of zeros and ones, all zeros first, instead of being shuffled.",
        200,
        sorted_bits_evidence("modular-dropouts", 200),
        order=ordered_by(lambda messages, rng: sorted(messages)),
    ),
)
BUGS: tuple[Bug, ...] = ENCODERS + SHUFFLERS
