"""Noise, flips and shares that several pools have in common."""

from __future__ import annotations

import math
from itertools import product

from tests.blind_zoo_bug import POOLS, Bug, bug
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    divergence,
    entropy,
    poisson,
    poisson_masses,
)
from tests.blind_zoo_online import machine


def joint(users):
    """The law of the sum of independent vectors, each given by its law."""
    total = {tuple(0 for _ in next(iter(users[0]))): 1.0}
    for law in users:
        new = {}
        for first, p in total.items():
            for second, q in law.items():
                place = tuple(a + b for a, b in zip(first, second, strict=True))
                new[place] = new.get(place, 0.0) + p * q
        total = new
    return total


def independent(laws, places):
    return {place: math.prod(law.get(v, 0.0) for law, v in zip(laws, place, strict=True)) for place in places}


def joint_evidence(users, laws, runs):
    wrong = joint(users)
    return runs * divergence(wrong, independent(laws, wrong))


def one_noise_bit_for_all_labels(self, x, rng):
    noise = self.noise(rng)
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, noise))]


def one_noise_bit_evidence(scene, runs):
    right = machine(scene)
    return runs * (right.labels - 1) * entropy(as_law(binomial_masses(len(right.people), right.flip)))


def one_flip_for_both_bits(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def one_flip_evidence(scene, runs):
    right = machine(scene)
    users = [{(a, b): 1 - right.flip, (1 - a, 1 - b): right.flip} for a, b in right.people]
    return joint_evidence(users, right.coordinates(), runs)


def one_number_for_all_labels(self, x, rng):
    number = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, number))]


def one_buffer_for_all_labels(self, x, rng):
    noise = bits(rng, poisson(rng, self.mean))
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *noise)]


def one_number_evidence(scene, runs):
    """The sizes of all pools are equal, whatever the bits and the data are."""
    right = machine(scene)
    return runs * (right.labels - 1) * entropy(as_law(poisson_masses(float(right.mean) * len(right.people))))


def one_start_for_all_counters(self, rng):
    return [binomial(rng, self.lam, self.chance)] * self.k


def one_start_evidence(scene, runs):
    right = machine(scene)
    return runs * (right.k - 1) * entropy(as_law(binomial_masses(right.lam, 0.5)))


def shares_with_common_free_bits(self, x, rng):
    free = bits(rng, self.m - 1)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]


def common_free_bits_evidence(scene, runs):
    """For two shares a label: the law of the ones of all labels of one user, then of all users."""
    right, users = machine(scene), []
    for x in right.people:
        law = {}
        chances = [0.5 if x == j else right.p_prime for j in range(1, right.labels + 1)]
        for free, coins in product((0, 1), product((0, 1), repeat=right.labels)):
            place = tuple(free + (coin ^ free) for coin in coins)
            mass = math.prod(p if coin else 1 - p for p, coin in zip(chances, coins, strict=True)) / 2
            law[place] = law.get(place, 0.0) + mass
        users.append(law)
    return joint_evidence(users, right.coordinates(), runs)


def one_uniform_number_for_all_coins(self, x, rng):
    drawn = rng.random()
    return [
        (j, bit)
        for j in range(1, self.labels + 1)
        for bit in self.shares(int(drawn < (0.5 if x == j else self.p_prime)), rng)
    ]


def modulo_two(law):
    total = {}
    for place, mass in law.items():
        parities = tuple(v % 2 for v in place)
        total[parities] = total.get(parities, 0.0) + mass
    return total


def one_uniform_number_evidence(scene, runs):
    """The parities of the pools of the state alone."""
    right, users = machine(scene), []
    for x in [1] * right.before + right.people[: right.t]:
        own = tuple(int(x == j) for j in range(1, right.labels + 1))
        all_of_them, none = (1,) * right.labels, (0,) * right.labels
        users.append({all_of_them: right.p_prime, own: 0.5 - right.p_prime, none: 0.5})
    wrong = modulo_two(joint(users))
    odd = [sum(mass for ones, mass in law.items() if ones % 2) for law in right.coordinates()]
    return runs * divergence(wrong, independent([{0: 1 - p, 1: p} for p in odd], wrong))


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-one-noise-bit-for-all-labels",
        "histogram",
        POOLS,
        "A user draws its noise bit before the loop over the labels and sends the same bit under all of them.",
        300,
        evidence=one_noise_bit_evidence("histogram", 300),
        user=one_noise_bit_for_all_labels,
    ),
    bug(
        "tenth-one-flip-for-both-bits",
        "two-bit-sum",
        POOLS,
        "A user draws one flip for its two bits, so that both are flipped or none.",
        1500,
        evidence=one_flip_evidence("two-bit-sum", 1500),
        user=one_flip_for_both_bits,
    ),
    bug(
        "tenth-one-number-of-noisy-messages",
        "uniformity-formula",
        POOLS,
        "The number of noisy messages is drawn once for a user instead of once for each label.",
        300,
        evidence=one_number_evidence("uniformity-formula", 300),
        user=one_number_for_all_labels,
    ),
    bug(
        "tenth-counters-start-with-one-draw",
        "pan-histogram",
        POOLS,
        "One binomial draw is broadcast to the k counters, which all start with the same noise.",
        300,
        evidence=one_start_evidence("pan-histogram", 300),
        initial=one_start_for_all_counters,
    ),
    bug(
        "tenth-free-bits-shared-by-labels",
        "distinct-dropouts",
        POOLS,
        "A user draws the free bits of its shares once and uses them under every label.",
        600,
        evidence=common_free_bits_evidence("distinct-dropouts", 600),
        user=shares_with_common_free_bits,
    ),
    bug(
        "tenth-one-uniform-number-for-all-coins",
        "pan-distinct",
        POOLS,
        "A user compares a single uniform number with the thresholds of all labels instead of drawing one for each.",
        1000,
        evidence=one_uniform_number_evidence("pan-distinct", 1000),
        user=one_uniform_number_for_all_coins,
    ),
    bug(
        "tenth-noise-lists-are-one-list",
        "compressed-padded",
        POOLS,
        "The lists of noisy bits are made as [noise] * k, so all labels hold the same list.",
        300,
        evidence=one_number_evidence("compressed-padded", 300),
        user=one_buffer_for_all_labels,
    ),
)
