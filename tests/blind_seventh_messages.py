"""Seventh zoo: the encoding and the order of messages."""

from __future__ import annotations

from random import Random

from tests.blind_seventh_noise import known
from tests.blind_zoo_bug import CERTAIN, ENCODING, ORDER, bug
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, convolved, poisson, shifted
from tests.blind_zoo_scenes import SCENES


def check_misses_first(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, (u + sum(free[1:])) % 2]


def one_message_less(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip)) for _ in range(1, self.m)]


def own_coin_is_one(self, x, j, rng):
    return 1 if x == j else bernoulli(rng, self.p_prime)


def own_coin_laws(right):
    labels = range(1, right.labels + 1)
    return [right.pool_law([1.0 if x == j else right.p_prime for x in right.people]) for j in labels]


def xor_into_noise(self, x, rng):
    return [(1, x), (1, x ^ self.noise(rng))]


def xor_law(right):
    h = sum(right.people)
    low = as_law(binomial_masses(len(right.people) - h, right.flip))
    return [shifted(convolved(low, as_law(binomial_masses(h, 1 - right.flip))), h)]


def other_than_own(self, x, rng):
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x != j), *bits(rng, poisson(rng, self.mean)))]


def swapped_pools(right):
    laws = right.coordinates()
    return [laws[place ^ 1] for place in range(len(laws))]


def in_a_row(vectors):
    return [message for vector in vectors for message in vector]


def unshuffled(self, vectors, rng):
    return in_a_row(vectors)


def by_label(self, vectors, rng):
    messages = in_a_row(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def users_only(self, vectors, rng):
    rng.shuffle(vectors)
    return in_a_row(vectors)


def swapped(messages, pairs):
    for i, j in pairs:
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def naive(self, vectors, rng):
    messages = in_a_row(vectors)
    return swapped(messages, ((i, rng.randrange(len(messages))) for i in range(len(messages))))


def one_cycle(self, vectors, rng):
    messages = in_a_row(vectors)
    return swapped(messages, ((i, rng.randrange(i)) for i in range(len(messages) - 1, 0, -1)))


def all_but_last(self, vectors, rng):
    messages = in_a_row(vectors)
    return swapped(messages, ((i, rng.randrange(i + 1)) for i in range(len(messages) - 2, 0, -1)))


def same_permutation(self, vectors, rng):
    messages = in_a_row(vectors)
    Random(42).shuffle(messages)
    return messages


BUGS = (
    bug(
        "check-misses-first",
        "modular",
        ENCODING,
        "The last share is computed without the first random bit (off by one), so the shares don't add up to the bit.",
        200,
        CERTAIN,
        shares=check_misses_first,
    ),
    bug(
        "bit-inverted",
        "modular-short",
        ENCODING,
        "Every user shares the complement of the own bit.",
        400,
        people=[1 - x for x in SCENES["modular-short"].data],
    ),
    bug(
        "one-message-less",
        "poisson-binomial",
        ENCODING,
        "The loop over the messages starts at 1, so every user sends m - 1 messages instead of m.",
        200,
        CERTAIN,
        user=one_message_less,
    ),
    bug(
        "bins-from-zero",
        "histogram-uneven",
        ENCODING,
        "Values are encoded as if bins counted from 0: each user's 1 is one bin too low, and that of bin 1 is lost.",
        200,
        people=[x - 1 for x in SCENES["histogram-uneven"].data],
    ),
    bug(
        "labels-swapped",
        "two-bit-sum",
        ENCODING,
        "The two labels are mixed up: the first bit is sent with label 2 and the second with label 1.",
        200,
        people=[(b, a) for a, b in SCENES["two-bit-sum"].data],
    ),
    bug(
        "own-coin-is-one",
        "distinct",
        ENCODING,
        "For the own element a user always shares a 1 instead of a fair coin.",
        400,
        known("distinct", 400, own_coin_laws),
        coin=own_coin_is_one,
    ),
    bug(
        "xor-into-noise",
        "binary-sum",
        ENCODING,
        "The second message is the noise bit xor the user's own bit instead of the noise bit alone.",
        250,
        known("binary-sum", 250, xor_law),
        user=xor_into_noise,
    ),
    bug(
        "other-than-own",
        "uniformity-formula",
        ENCODING,
        "The indicator is inverted: a user sends 0 for the own element and 1 for every other one.",
        400,
        known("uniformity-formula", 400, swapped_pools),
        user=other_than_own,
    ),
    bug(
        "unshuffled",
        "binary-sum-dropouts",
        ORDER,
        "The messages are not shuffled at all: they come user after user.",
        300,
        order=unshuffled,
    ),
    bug(
        "by-label",
        "histogram",
        ORDER,
        "After the shuffle the messages are sorted by label, as if each bin were shuffled alone.",
        200,
        order=by_label,
    ),
    bug(
        "users-only-shuffled",
        "poisson-binomial",
        ORDER,
        "The users are shuffled but not their messages: the m messages of a user stay next to each other.",
        1000,
        order=users_only,
    ),
    bug(
        "naive-shuffle",
        "binary-sum-large",
        ORDER,
        "The shuffle swaps every place with any place of the whole list, which is not a uniform permutation.",
        3000,
        order=naive,
    ),
    bug(
        "one-cycle",
        "binary-sum",
        ORDER,
        "The Fisher-Yates shuffle draws from too short a range (Sattolo), so no message stays in its place.",
        5000,
        order=one_cycle,
    ),
    bug(
        "all-but-last",
        "distinct",
        ORDER,
        "The shuffle starts one place too low, so the last message of the last user always stays last.",
        300,
        order=all_but_last,
    ),
    bug(
        "same-permutation",
        "two-bit-sum",
        ORDER,
        "The shuffler is seeded with a constant: the same permutation is used in every run.",
        300,
        order=same_permutation,
    ),
)
