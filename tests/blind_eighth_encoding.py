"""Eighth zoo: values turned into the wrong messages."""

from __future__ import annotations

from tests.blind_zoo_bug import CERTAIN, ENCODING, bug, evidence_of
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, convolved, poisson, shifted
from tests.blind_zoo_online import machine


def from_zero(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j - 1)), (j, self.noise(rng)))]


def from_zero_evidence(scene, runs):
    right = machine(scene)
    return evidence_of(machine(scene, people=[x + 1 for x in right.people]).coordinates(), right.coordinates(), runs)


def first_share_forgotten(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, (u + sum(free[1:])) % 2]


def coin_overwritten(self, x, j, rng):
    return bernoulli(rng, self.p_prime)


def coin_overwritten_evidence(scene, runs):
    right = machine(scene)
    wrong = [right.law_of_pool(0, right.people)] * right.labels
    return evidence_of(wrong, right.coordinates(), runs)


def true_bit_first(self, x, rng):
    return [(1, x), *((1, x ^ bernoulli(rng, self.flip)) for _ in range(1, self.m))]


def true_bit_first_evidence(scene, runs):
    right = machine(scene)
    h, copies = sum(right.people), right.m - 1
    low = as_law(binomial_masses((len(right.people) - h) * copies, right.flip))
    high = as_law(binomial_masses(h * copies, 1 - right.flip))
    return evidence_of([shifted(convolved(low, high), h)], right.coordinates(), runs)


def low_bit_first(self, x, rng):
    return [(j, bit ^ bernoulli(rng, self.flip)) for j, bit in enumerate(reversed(x), start=1)]


def low_bit_first_evidence(scene, runs):
    laws = machine(scene).coordinates()
    return evidence_of(laws[::-1], laws, runs)


def own_label_only(self, x, rng):
    noise = [(j, bit) for j in range(1, self.labels + 1) for bit in bits(rng, poisson(rng, self.mean))]
    return [(x, 1), *noise]


def randomized_twin(self, x, rng):
    return [(1, x), (1, x ^ self.noise(rng))]


def randomized_twin_evidence(scene, runs):
    right = machine(scene)
    h = sum(right.people)
    low = as_law(binomial_masses(len(right.people) - h, right.flip))
    high = as_law(binomial_masses(h, 1 - right.flip))
    return evidence_of([shifted(convolved(low, high), h)], right.coordinates(), runs)


BUGS = (
    bug(
        "one-hot-shifted",
        "histogram",
        ENCODING,
        "The user's values 1..k are compared with labels counted from 0, so value x is reported under label x+1 and"
        " value k is reported nowhere.",
        100,
        from_zero_evidence("histogram", 100),
        user=from_zero,
    ),
    bug(
        "first-share-not-in-the-parity",
        "modular",
        ENCODING,
        "The last share is computed from the value and all random shares but the first, so the shares of a user do not"
        " add up to the value.",
        64,
        CERTAIN,
        shares=first_share_forgotten,
    ),
    bug(
        "fair-coin-overwritten",
        "distinct",
        ENCODING,
        "An else is missing: the fair coin for the user's own element is drawn and then overwritten with a"
        " Bernoulli(p') draw, so all labels are treated alike and the data do not enter.",
        500,
        coin_overwritten_evidence("distinct", 500),
        coin=coin_overwritten,
    ),
    bug(
        "list-starts-with-the-true-bit",
        "poisson-binomial",
        ENCODING,
        "The list of a user's m messages starts with the true bit itself, and only the other m-1 copies are"
        " randomized.",
        600,
        true_bit_first_evidence("poisson-binomial", 600),
        user=true_bit_first,
    ),
    bug(
        "bits-of-a-pair-swapped",
        "two-bit-sum",
        ENCODING,
        "The pair is unpacked from its low bit, so the first bit is sent under label 2 and the second under label 1.",
        150,
        low_bit_first_evidence("two-bit-sum", 150),
        user=low_bit_first,
    ),
    bug(
        "zeros-not-sent",
        "uniformity",
        ENCODING,
        "A user sends a data message only for its own label; the messages (j, 0) for the other labels are left out.",
        64,
        CERTAIN,
        user=own_label_only,
    ),
    bug(
        "second-bit-is-the-value-flipped",
        "binary-sum",
        ENCODING,
        "The second message is the user's bit flipped with probability p, not a bit that is 1 with probability p.",
        500,
        randomized_twin_evidence("binary-sum", 500),
        user=randomized_twin,
    ),
)
