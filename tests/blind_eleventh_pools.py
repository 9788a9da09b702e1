"""Noise and flips that pools share, though each should have its own."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from tests.blind_zoo_bug import POOLS, bug
from tests.blind_zoo_draws import as_law, bernoulli, binomial, binomial_masses, bits, entropy, poisson, poisson_masses
from tests.blind_zoo_online import machine


def user_with_one_noise_bit(self, x, rng):
    noise = self.noise(rng)
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, noise))]


def user_with_one_noise_count(self, x, rng):
    count = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, count))]


def one_count_for_all(self, rng):
    return [binomial(rng, self.lam, self.chance)] * self.k


def user_with_one_flip(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def user_with_one_uniform(self, x, rng):
    uniform = rng.random()
    coins = [int(uniform < (0.5 if x == j else self.p_prime)) for j in range(1, self.labels + 1)]
    return [(j, bit) for j, coin in enumerate(coins, start=1) for bit in self.shares(coin, rng)]


def vectors_from_a_deck(self, rng):
    cells = len(self.people) * self.labels
    ones = round(cells * self.flip)
    deck = [1] * ones + [0] * (cells - ones)
    rng.shuffle(deck)
    return [
        [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, deck.pop()))] for x in self.people
    ]


def user_with_cloned_generators(self, x, rng):
    """Labels 1 and 2 are the work of one thread, label 3 of another; both begin with the same generator."""
    first, second = self.noise(rng), self.noise(rng)
    return [pair for j, noise in enumerate((first, second, first), start=1) for pair in ((j, int(x == j)), (j, noise))]


def shared(copies, masses, runs):
    return runs * copies * entropy(as_law(masses))


def one_flip_evidence(runs):
    right = machine("two-bit-sum")
    p, size = right.flip, len(right.people) + 1
    joint = np.zeros((size, size))
    joint[0, 0] = 1.0
    for a, b in right.people:
        joint = (1 - p) * np.roll(joint, (a, b), (0, 1)) + p * np.roll(joint, (1 - a, 1 - b), (0, 1))
    return runs * total_correlation(joint)


def total_correlation(joint):
    axes = range(joint.ndim)
    margins = [joint.sum(axis=tuple(other for other in axes if other != axis)) for axis in axes]
    product = reduce(np.multiply.outer, margins)
    met = joint > 0
    return float((joint[met] * np.log(joint[met] / product[met])).sum())


def one_uniform_evidence(runs):
    """At least: what the four pools of elements that nobody has tell."""
    right = machine("distinct-few-messages")
    joint = 0.0
    for ones, mass in enumerate(binomial_masses(right.n, right.p_prime)):
        law = right.pool_law([1.0] * ones + [0.0] * (right.n - ones))
        pool = np.array([law.get(v, 0.0) for v in range(right.n * right.m + 1)])
        joint = joint + mass * reduce(np.multiply.outer, [pool] * 4)
    return runs * total_correlation(joint)


def deck_evidence(runs):
    right = machine("histogram-uneven")
    cells = right.n * right.k
    return -runs * math.log(binomial_masses(cells, right.flip)[round(cells * right.flip)])


BUGS = (
    bug(
        "eleventh-noise-bit-outside-the-loop",
        "histogram",
        POOLS,
        "A user draws the noise bit once, before the loop over the labels, and sends it under every label.",
        300,
        shared(4, binomial_masses(8, 0.5), 300),
        user=user_with_one_noise_bit,
    ),
    bug(
        "eleventh-noise-count-outside-the-loop",
        "uniformity",
        POOLS,
        "A user draws the Poisson number of noise messages once and sends as many under every label.",
        300,
        shared(3, poisson_masses(20.0), 300),
        user=user_with_one_noise_count,
    ),
    bug(
        "eleventh-list-of-one-draw-times-k",
        "pan-histogram-start",
        POOLS,
        "The counters start as a list of one draw multiplied by k, so that all have the same opening noise.",
        300,
        shared(5, binomial_masses(9, 0.5), 300),
        initial=one_count_for_all,
    ),
    bug(
        "eleventh-both-bits-flipped-together",
        "two-bit-sum",
        POOLS,
        "A user draws one flip and applies it to both bits.",
        1000,
        one_flip_evidence(1000),
        user=user_with_one_flip,
    ),
    bug(
        "eleventh-one-uniform-number-for-all-coins",
        "distinct-few-messages",
        POOLS,
        "A user draws one uniform number and compares it with the probability of every element's coin.",
        2000,
        one_uniform_evidence(2000),
        user=user_with_one_uniform,
    ),
    bug(
        "eleventh-noise-bits-dealt-from-a-deck",
        "histogram-uneven",
        POOLS,
        "The noise bits of all cells are dealt from a shuffled deck with exactly the expected number of ones.",
        300,
        deck_evidence(300),
        vectors=vectors_from_a_deck,
    ),
    bug(
        "eleventh-threads-with-cloned-generators",
        "histogram-dropouts",
        POOLS,
        "Two threads that serve different labels start with clones of the user's generator.",
        300,
        shared(1, binomial_masses(6, 2 / 3), 300),
        user=user_with_cloned_generators,
    ),
)
