"""Seventh zoo: randomness between runs, and independence between pools."""

from __future__ import annotations

import math
from random import Random

from tests.blind_zoo_bug import BETWEEN, POOLS, bug, copied, drawn_from, passed_on, run_by_run
from tests.blind_zoo_draws import (
    LowBits,
    SmallState,
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    entropy,
    poisson,
    poisson_masses,
)
from tests.blind_zoo_online import machine

SEEDS = 256
FRESH, RETRIED = 0.6, 0.03
PERIOD = 4096 // 4


def seeded_by_clock(wrong, rng, i):
    if i == 0 or rng.random() < FRESH:
        wrong.seed = rng.getrandbits(64)
    return wrong.run(Random(wrong.seed))


def seeded_by_byte(wrong, rng, i):
    return wrong.run(Random(rng.randrange(SEEDS)))


def repeats(runs):
    return runs - SEEDS * (1 - (1 - 1 / SEEDS) ** runs)


def started(weak, width):
    def source(rng):
        generator = weak()
        generator.word = rng.getrandbits(width)
        return generator

    return source


def mirrored(runs, rng, count):
    right, last = machine("binomial"), 0
    for place, run in enumerate(runs):
        last = 2 * right.value() + right.l - last if place % 2 else run["output"]
        yield {"output": last}


def overlapping(wrong, rng, i):
    new = 1 if i else len(wrong.people)
    wrong.coins = [*getattr(wrong, "coins", [])[1:], *(bernoulli(rng, wrong.flip) for _ in range(new))]
    wrong.left = iter(wrong.coins)
    return wrong.run(rng)


def next_coin(self, rng):
    return next(self.left)


def plain(wrong, rng, i):
    return wrong.run(rng)


def drawn_once(self, rng):
    if not hasattr(self, "first"):
        self.first = [binomial(rng, self.lam, self.chance) for _ in range(self.k)]
    return self.first


def retried(runs, rng, count):
    last = None
    for run in runs:
        if last is None or rng.random() >= RETRIED:
            last = run
        yield last


def one_flip(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def one_flip_information(scene):
    """Between the ones of the two pools, where a user flips both bits or none."""
    right, joint = machine(scene), {(0, 0): 1.0}
    for a, b in right.people:
        grown = {}
        for (c, d), mass in joint.items():
            for place, p in (((c + a, d + b), 1 - right.flip), ((c + 1 - a, d + 1 - b), right.flip)):
                grown[place] = grown.get(place, 0.0) + p * mass
        joint = grown
    return against(joint, right.coordinates())


def against(joint, laws):
    """KL of a joint law against the product of these laws."""
    return sum(
        p * math.log(p / math.prod(law[value] for law, value in zip(laws, values, strict=True)))
        for values, p in joint.items()
    )


def one_noise_bit(self, x, rng):
    coin = self.noise(rng)
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, coin))]


def one_number(self, x, rng):
    number = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, number))]


def first_noise_again(self, x, rng):
    noise = [bits(rng, poisson(rng, self.mean)) for _ in range(self.labels)]
    noise[1] = noise[0]
    return [(j, bit) for j, some in enumerate(noise, start=1) for bit in (int(x == j), *some)]


def one_release(self, state, rng):
    noise = binomial(rng, self.lam, self.chance)
    return [count + noise for count in state]


def one_mask(self, x, rng):
    free = bits(rng, self.m - 1)
    labels = range(1, self.labels + 1)
    return [(j, bit) for j in labels for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]


def spread_evenly(self, x, rng):
    start, pairs = rng.random(), []
    for j in range(1, self.labels + 1):
        pairs += [(j, int(x == j)), (j, int((start + j / self.labels) % 1 < self.flip))]
    return pairs


def spread_information(scene):
    """Where each user's one noise bit that is 0 is in a uniform bin."""
    right = machine(scene)
    n, k = len(right.people), right.labels
    joint = {}
    for first in range(n + 1):
        for second in range(n + 1 - first):
            for third in range(n + 1 - first - second):
                values = (first, second, third, n - first - second - third)
                joint[values] = math.factorial(n) / math.prod(map(math.factorial, values)) / k**n
    return against(joint, [as_law(binomial_masses(n, 1 - right.flip))] * k)


def entropy_of(masses):
    return entropy(as_law(masses))


BUGS = (
    run_by_run(
        "seeded-by-clock",
        "skellam",
        BETWEEN,
        "The generator is seeded with the time in whole seconds, so runs within the same second are copies.",
        400,
        seeded_by_clock,
        copied("skellam", (1 - FRESH) * 400),
    ),
    run_by_run(
        "seeded-by-byte",
        "uniformity",
        BETWEEN,
        "Each run's generator is seeded with one random byte, so there are only 256 different runs.",
        600,
        seeded_by_byte,
        copied("uniformity", repeats(600)),
    ),
    drawn_from(
        "low-bits",
        "modular",
        BETWEEN,
        "Random bits are the low bits of a linear congruential generator, which repeat after a few draws.",
        300,
        started(LowBits, 31),
    ),
    drawn_from(
        "twelve-bit-state",
        "pan-sum",
        BETWEEN,
        "The generator has a state of 12 bits only, so that the whole sequence of runs repeats after 1024 runs.",
        3000,
        started(SmallState, 12),
        copied("pan-sum", 3000 - PERIOD),
    ),
    passed_on(
        "mirrored",
        "binomial",
        BETWEEN,
        "Antithetic draws: every second run uses the mirror image of the noise of the run before it.",
        300,
        mirrored,
        copied("binomial", 150),
    ),
    run_by_run(
        "overlapping-seeds",
        "binary-sum-large",
        BETWEEN,
        "User j in run i seeds the noise with i + j, so a user has the noise bit of the next user in the run before.",
        600,
        overlapping,
        noise=next_coin,
    ),
    run_by_run(
        "drawn-once",
        "pan-histogram",
        BETWEEN,
        "The noise of the initial state is drawn once when the program starts and is the same in all runs.",
        250,
        plain,
        249 * 4 * entropy_of(binomial_masses(30, 0.5)),
        initial=drawn_once,
    ),
    passed_on(
        "retried",
        "distinct-few-messages",
        BETWEEN,
        "After a failed request the cached result of the run before is recorded again, in about 3 of 100 runs.",
        1000,
        retried,
        copied("distinct-few-messages", RETRIED * 1000),
    ),
    bug(
        "one-flip",
        "two-bit-sum",
        POOLS,
        "Each user draws one flip for both bits, so that they are flipped together or not at all.",
        2000,
        2000 * one_flip_information("two-bit-sum"),
        user=one_flip,
    ),
    bug(
        "one-noise-bit",
        "histogram",
        POOLS,
        "Each user draws the noise bit once and sends the same one for all bins.",
        250,
        250 * 4 * entropy_of(binomial_masses(8, 0.5)),
        user=one_noise_bit,
    ),
    bug(
        "one-number",
        "uniformity",
        POOLS,
        "Each user draws the Poisson number of noise bits once and uses it for all elements.",
        250,
        250 * 3 * entropy_of(poisson_masses(20.0)),
        user=one_number,
    ),
    bug(
        "first-noise-again",
        "uniformity-default",
        POOLS,
        "The noise bits made for element 1 are sent for element 2 as well instead of fresh ones.",
        250,
        250 * 2 * entropy_of(poisson_masses(4.0)),
        user=first_noise_again,
    ),
    bug(
        "one-release",
        "pan-histogram-start",
        POOLS,
        "The noise of the output is drawn once and added to all counters.",
        250,
        250 * 5 * entropy_of(binomial_masses(9, 0.5)),
        output=one_release,
    ),
    bug(
        "one-mask",
        "distinct",
        POOLS,
        "Each user draws the random shares once and uses the same ones for all elements.",
        500,
        user=one_mask,
    ),
    bug(
        "spread-evenly",
        "histogram-uneven",
        POOLS,
        "The noise bits of a user come from one uniform number shifted by j/k for bin j, so exactly 3 of 4 are 1.",
        400,
        400 * spread_information("histogram-uneven"),
        user=spread_evenly,
    ),
)
