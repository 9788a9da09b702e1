"""Eighth zoo: draws of one run that depend on one another."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log, prod

from tests.blind_zoo_bug import POOLS, bug, copied, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    convolved,
    entropy,
    poisson,
    poisson_masses,
)
from tests.blind_zoo_online import machine

AGAIN = 0.04
"""Nats a run by the output alone where samples are used twice: it is 'not uniform' in 18 instead of 9 % of runs."""


def summed(laws):
    """The law of the sum of independent tuples."""
    total = Counter({(0,) * len(next(iter(laws[0]))): 1.0})
    for law in laws:
        grown: Counter = Counter()
        for (value, mass), (step, chance) in product(total.items(), law.items()):
            grown[tuple(map(sum, zip(value, step, strict=True)))] += mass * chance
        total = grown
    return total


def against_independent(joint, laws, runs):
    """runs * KL of a joint law against independent coordinates, all of whose masses are positive where it lives."""
    return runs * sum(
        mass * log(mass / prod(law[v] for v, law in zip(value, laws, strict=True))) for value, mass in joint.items()
    )


def same_flip(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def same_flip_evidence(scene, runs):
    right = machine(scene)
    laws = [{(a, b): 1 - right.flip, (1 - a, 1 - b): right.flip} for a, b in right.people]
    return against_independent(summed(laws), right.coordinates(), runs)


def noise_remembered(self, rng):
    self.drawn = [binomial(rng, self.lam, self.chance) for _ in range(self.k)]
    return list(self.drawn)


def noise_again(self, state, rng):
    return [count + noise for count, noise in zip(state, self.drawn, strict=True)]


def same_number(self, x, rng):
    size = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, size))]


def same_number_evidence(scene, runs):
    right = machine(scene)
    number = as_law(poisson_masses(float(right.mean) * len(right.people)))
    return runs * (right.labels - 1) * entropy(number)


def one_flip_for_all(self, x, rng):
    bit = x ^ bernoulli(rng, self.flip)
    return [(1, bit)] * self.m


def one_flip_evidence(scene, runs):
    right = machine(scene)
    h = sum(right.people)
    low = as_law(binomial_masses(len(right.people) - h, right.flip))
    law = convolved(low, as_law(binomial_masses(h, 1 - right.flip)))
    return evidence_of([{right.m * ones: mass for ones, mass in law.items()}], right.coordinates(), runs)


def same_mask(self, x, rng):
    mask, messages = bits(rng, self.m - 1), []
    for j in range(1, self.labels + 1):
        last = (self.coin(x, j, rng) + sum(mask)) % 2
        messages += [(j, bit) for bit in (*mask, last)]
    return messages


def same_mask_law(right, x):
    chances = [0.5 if x == j else right.p_prime for j in range(1, right.labels + 1)]
    law: Counter = Counter()
    for mask, coins in product(product((0, 1), repeat=right.m - 1), product((0, 1), repeat=right.labels)):
        ones = tuple(sum(mask) + (coin + sum(mask)) % 2 for coin in coins)
        law[ones] += prod(p if coin else 1 - p for p, coin in zip(chances, coins, strict=True)) / 2 ** len(mask)
    return law


def same_mask_evidence(scene, runs):
    right = machine(scene)
    return against_independent(summed([same_mask_law(right, x) for x in right.people]), right.coordinates(), runs)


def samples_of(self, samples, rng):
    return self.count([message for x in samples for message in self.user(x, rng)])


def samples_drawn(self, rng):
    self.samples = [self.dummy(rng) for _ in range(self.before)]
    return self.pools_of(self.samples, rng), self.used(rng)


def samples_again(self, state, rng):
    return self.analyze(self.added(state[0], self.pools_of(self.samples[: self.after], rng)))


BUGS = (
    bug(
        "one-flip-for-both-bits",
        "two-bit-sum",
        POOLS,
        "One coin decides for both bits of a user: either both are flipped or none.",
        1500,
        same_flip_evidence("two-bit-sum", 1500),
        user=same_flip,
    ),
    bug(
        "first-noise-added-again",
        "pan-histogram",
        POOLS,
        "The noise added to the output is the noise that was put into the initial state, not a new draw.",
        64,
        copied("pan-histogram", 32),
        initial=noise_remembered,
        output=noise_again,
    ),
    bug(
        "number-of-noise-messages-shared",
        "uniformity",
        POOLS,
        "A user draws the number of its noise messages once, outside the loop, and uses it for all labels.",
        64,
        same_number_evidence("uniformity", 64),
        user=same_number,
    ),
    bug(
        "copies-of-one-randomized-bit",
        "poisson-binomial",
        POOLS,
        "A user randomizes its bit once and sends m copies of the result, instead of m independent randomizations.",
        200,
        one_flip_evidence("poisson-binomial", 200),
        user=one_flip_for_all,
    ),
    bug(
        "mask-shared-by-the-labels",
        "distinct-dropouts",
        POOLS,
        "The random shares of a user are drawn once and used for all labels; only the last share differs.",
        300,
        same_mask_evidence("distinct-dropouts", 300),
        user=same_mask,
    ),
    bug(
        "uniform-samples-used-twice",
        "pan-uniformity-late",
        POOLS,
        "The uniform samples of the dummies before the stream are used again for the dummies after it; only their"
        " messages are new.",
        4000,
        AGAIN * 4000,
        pools_of=samples_of,
        initial=samples_drawn,
        output=samples_again,
    ),
)
