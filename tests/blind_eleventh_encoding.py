"""Mistakes in how a user's data becomes messages, labels and counts."""

from __future__ import annotations

from tests.blind_zoo_bug import ENCODING, bug, evidence_of
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, convolved, poisson, poisson_masses, shifted
from tests.blind_zoo_online import machine


def user_counting_from_zero(self, x, rng):
    return [pair for j in range(self.labels) for pair in ((j + 1, int(x == j)), (j + 1, self.noise(rng)))]


def from_zero_evidence(runs):
    scene = "histogram-uneven"
    right = machine(scene)
    wrong = machine(scene, people=[x + 1 for x in right.people])
    return evidence_of(wrong.coordinates(), right.coordinates(), runs)


def two_shares_and_zeros(self, u, rng):
    mask = rng.getrandbits(1)
    return [mask, mask ^ u] + [0] * (self.m - 2)


def two_shares_evidence(runs):
    right = machine("modular")
    wrong = {0: 1.0}
    for x in right.people:
        wrong = convolved(wrong, {1: 1.0} if x else {0: 0.5, 2: 0.5})
    return evidence_of([wrong], right.coordinates(), runs)


def user_with_low_bit_first(self, x, rng):
    return [(j, bit ^ bernoulli(rng, self.flip)) for j, bit in enumerate(reversed(x), start=1)]


def low_bit_first_evidence(runs):
    right = machine("two-bit-sum")
    wrong = machine("two-bit-sum", people=[pair[::-1] for pair in right.people])
    return evidence_of(wrong.coordinates(), right.coordinates(), runs)


def user_without_zero_messages(self, x, rng):
    return [
        (j, bit) for j in range(1, self.labels + 1) for bit in ([1] * (x == j) + bits(rng, poisson(rng, self.mean)))
    ]


def without_zeros_evidence(runs):
    right = machine("uniformity")
    law, laws = as_law(poisson_masses(float(right.lam) / 2)), []
    for j in range(1, right.k + 1):
        laws += [law, shifted(law, right.people.count(j))]
    return evidence_of(laws, right.coordinates(), runs)


def user_with_unary_slots(self, x, rng):
    slots = [x] + [0] * (self.m - 1)
    return [(1, bit ^ bernoulli(rng, self.flip)) for bit in slots]


def unary_evidence(runs):
    right = machine("poisson-binomial")
    h, slots = sum(right.people), len(right.people) * right.m
    low = as_law(binomial_masses(slots - h, right.flip))
    return evidence_of([convolved(low, as_law(binomial_masses(h, 1 - right.flip)))], right.coordinates(), runs)


def presence_bit(self, x, j, rng):
    return 1 if x == j else bernoulli(rng, self.p_prime)


def presence_evidence(runs):
    right = machine("distinct-few-messages")
    wrong = [
        right.pool_law([1.0 if x == j else right.p_prime for x in right.people]) for j in range(1, right.labels + 1)
    ]
    return evidence_of(wrong, right.coordinates(), runs)


def chance_if_all(self):
    return self.high if all(self.people) else self.low


def if_all_evidence(runs):
    scene = "randomized-or-some"
    return evidence_of(machine(scene, chance=chance_if_all).coordinates(), machine(scene).coordinates(), runs)


BUGS = (
    bug(
        "eleventh-one-hot-counts-from-zero",
        "histogram-uneven",
        ENCODING,
        "The one-hot vector is indexed from 0 while the elements are 1 to k, so that every element moves up one label.",
        300,
        from_zero_evidence(300),
        user=user_counting_from_zero,
    ),
    bug(
        "eleventh-two-shares-padded-with-zeros",
        "modular",
        ENCODING,
        "The bit is split into two shares only, and the vector is filled up to m messages with zeros.",
        300,
        two_shares_evidence(300),
        shares=two_shares_and_zeros,
    ),
    bug(
        "eleventh-low-bit-first",
        "two-bit-sum",
        ENCODING,
        "The pair of bits is unpacked with the second bit first, so that both go under the other's label.",
        300,
        low_bit_first_evidence(300),
        user=user_with_low_bit_first,
    ),
    bug(
        "eleventh-no-message-for-other-elements",
        "uniformity",
        ENCODING,
        "A user sends a data message for the own element only, and leaves out the messages (j, 0) of the others.",
        300,
        without_zeros_evidence(300),
        user=user_without_zero_messages,
    ),
    bug(
        "eleventh-value-in-first-slot-only",
        "poisson-binomial",
        ENCODING,
        "The m messages are filled like a unary code: the first carries the bit, the others a zero, before the flips.",
        300,
        unary_evidence(300),
        user=user_with_unary_slots,
    ),
    bug(
        "eleventh-presence-instead-of-fair-coin",
        "distinct-few-messages",
        ENCODING,
        "For the own element the user shares the bit 1 instead of a fair coin.",
        1000,
        presence_evidence(1000),
        coin=presence_bit,
    ),
    bug(
        "eleventh-or-reduced-with-all",
        "randomized-or-some",
        ENCODING,
        "The bits are reduced with and instead of or, so that a single 1 is not noticed.",
        500,
        if_all_evidence(500),
        chance=chance_if_all,
    ),
)
