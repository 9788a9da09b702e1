"""Online algorithms that start, keep or end their state wrongly."""

from __future__ import annotations

import math
from functools import reduce
from itertools import product

from tests.blind_zoo_bug import CERTAIN, STATE, bug, evidence_of
from tests.blind_zoo_draws import as_law, binomial, binomial_masses, convolved, divergence, poisson_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_scenes import SCENES


def data(scene):
    return list(SCENES[scene].data)


def output_in_signed_byte(self, state, rng):
    total = state + binomial(rng, self.lam, self.chance)
    return (total + 128) % 256 - 128


def initial_kept(self, rng):
    self.opening = binomial(rng, self.lam, self.chance)
    return self.opening


def closed_with_opening_noise(self, state, rng):
    return state + self.opening


def opening_noise_evidence(runs):
    right = machine("pan-sum-end")
    law = as_law(binomial_masses(right.lam, 0.5))
    return evidence_of([{2 * v + sum(right.people): p for v, p in law.items()}], right.coordinates(), runs)


def odd_chance(self, j, people):
    """The probability that the people's coins for j have an odd sum."""
    return (1 - math.prod(1 - 2 * (0.5 if x == j else self.p_prime) for x in people)) / 2


def count_law(odds):
    return reduce(convolved, [{0: 1 - p, 1: p} for p in odds])


def without_closing_dummies_evidence(runs):
    right = machine("pan-distinct")
    seen, rest = [1] * right.before + right.people[: right.t], right.people[right.t :]
    labels, total = range(1, right.k + 1), 0.0
    for parities in product((0, 1), repeat=right.k):
        mass = math.prod(abs(1 - b - odd_chance(right, j, seen)) for j, b in zip(labels, parities, strict=True))
        laws = []
        for people in (rest, rest + [1] * right.after):
            odds = [abs(b - odd_chance(right, j, people)) for j, b in zip(labels, parities, strict=True)]
            laws.append(count_law(odds))
        total += mass * divergence(*laws)
    return runs * total


def used_without_limit(self, rng):
    return binomial(rng, self.n, self.share)


def dummies_all_alike(self, count, rng):
    x = self.dummy(rng)
    return self.count([message for _ in range(count) for message in self.user(x, rng)])


def alike_evidence(runs):
    """At least: what the ones of the last pool tell, whose element is not in the stream."""
    right = machine("pan-uniformity-late")
    stream, chance = len(right.people), 1 / right.k
    noise = as_law(poisson_masses(float(right.mean) * (right.before + stream) / 2))
    fallback = {}
    for used, mass in enumerate(binomial_masses(right.n, float(right.share))):
        for ones, p in enumerate(binomial_masses(max(0, stream - used), chance)):
            fallback[ones] = fallback.get(ones, 0.0) + mass * p
    rest = convolved(fallback, noise)
    opening = as_law(binomial_masses(right.before, chance))
    return evidence_of([convolved({0: 1 - chance, right.before: chance}, rest)], [convolved(opening, rest)], runs)


BUGS = (
    bug(
        "eleventh-element-replayed-after-snapshot",
        "pan-histogram",
        STATE,
        "After the snapshot at time t the stream is resumed at element t, which is counted a second time.",
        1000,
        people=data("pan-histogram")[:3] + data("pan-histogram")[2:],
    ),
    bug(
        "eleventh-last-element-not-processed",
        "pan-sum",
        STATE,
        "The loop over the stream ends one element too early.",
        2000,
        people=data("pan-sum")[:-1],
    ),
    bug(
        "eleventh-total-in-a-signed-byte",
        "pan-sum-formula",
        STATE,
        "The counter is a signed byte, which overflows when the closing noise is added.",
        300,
        CERTAIN,
        output=output_in_signed_byte,
    ),
    bug(
        "eleventh-opening-noise-added-again-at-the-end",
        "pan-sum-end",
        STATE,
        "The closing noise is not drawn: the opening noise, kept in the object, is added a second time.",
        500,
        opening_noise_evidence(500),
        initial=initial_kept,
        output=closed_with_opening_noise,
    ),
    bug(
        "eleventh-no-dummies-after-the-stream",
        "pan-distinct",
        STATE,
        "The dummy users after the stream are forgotten, and the state is analyzed as it is.",
        1000,
        without_closing_dummies_evidence(1000),
        after=0,
    ),
    bug(
        "eleventh-used-elements-not-limited",
        "pan-uniformity",
        STATE,
        "The number of stream elements to use is not cut to the length of the stream.",
        1000,
        CERTAIN,
        used=used_without_limit,
    ),
    bug(
        "eleventh-one-dummy-value-for-a-whole-block",
        "pan-uniformity-late",
        STATE,
        "The uniform sample of a block of dummy users is drawn once, and all of them use it.",
        1000,
        alike_evidence(1000),
        dummies=dummies_all_alike,
    ),
)
