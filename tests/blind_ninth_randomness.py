"""Ninth zoo: randomness between runs, and independence within a run."""

from __future__ import annotations

import math
from itertools import islice, pairwise
from random import Random

from tests.blind_ninth_noise import bit_reports, ones_of_pairs
from tests.blind_zoo_bug import BETWEEN, POOLS, bug, copied, evidence_of, passed_on, run_by_run
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    entropy,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine

WORKERS = 4
BUFFER = 128


def same_in_every_worker(runs, rng, count):
    part = list(islice(runs, -(-count // WORKERS)))
    return (part * WORKERS)[:count]


def antithetic(self, rng, i):
    self.drawn = -self.drawn if i % 2 else self.noise(rng)
    return {"output": self.value() + self.drawn}


def radical_inverse(i):
    return int(f"{i:032b}"[::-1], 2) / (1 << 32)


def low_discrepancy(self, rng, i):
    if i == 0:
        self.start = rng.random()
    return {"output": int((self.start + radical_inverse(i)) % 1 < self.chance())}


def initial_of_first_run(self, rng):
    if not hasattr(self, "kept"):
        self.kept = [binomial(rng, self.lam, self.chance) for _ in range(self.k)]
    return self.kept


def next_run(self, rng, i):
    return self.run(rng)


def initial_kept_evidence(runs):
    right = machine("pan-histogram")
    return (runs - 1) * right.k * entropy(as_law(binomial_masses(right.lam, 0.5)))


def seeded_by_number(self, rng):
    return [self.user(x, Random(number)) for number, x in enumerate(self.people)]


def seeded_by_last_output(self, rng, i):
    source = Random(str(self.last)) if i else rng
    run = self.run(source)
    self.last = run["output"]
    return run


def from_the_buffer(self, rng, i):
    if i == 0:
        self.buffer = [self.noise(rng) for _ in range(BUFFER)]
    return {"output": self.value() + rng.choice(self.buffer)}


def noise_for_all_bins(self, x, rng):
    noise = self.noise(rng)
    return [message for j in range(1, self.labels + 1) for message in ((j, int(x == j)), (j, noise))]


def noise_for_all_bins_evidence(runs):
    right = machine("histogram")
    return runs * (right.labels - 1) * entropy(as_law(binomial_masses(right.n, right.flip)))


def number_for_all_labels(self, x, rng):
    number = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, number))]


def number_for_all_labels_evidence(runs):
    right = machine("uniformity")
    return runs * (right.labels - 1) * entropy(as_law(poisson_masses(float(right.lam))))


def one_flip_for_both(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def common_reports(x, p):
    return {tuple(x): 1 - p, (1 - x[0], 1 - x[1]): p}


def one_flip_evidence(runs):
    right = machine("two-bit-sum")
    laws = [ones_of_pairs(right.people, reports, right.flip) for reports in (common_reports, bit_reports)]
    return evidence_of(laws[:1], laws[1:], runs)


def initial_remembered(self, rng):
    self.first = binomial(rng, self.lam, self.chance)
    return self.first


def noise_again(self, state, rng):
    return state + self.first


def mirrored_geometric(self, rng):
    u, scale = 1 - rng.random(), math.log(float(1 / self.exp_eps))
    return int(math.log(u) / scale) - int(math.log(1 - u) / scale if u < 1 else 0)


def mirrored_law(r):
    """The law of g(u) - g(1-u), where g(u) is the number of whole powers of r above u."""
    powers = [r**i for i in range(1, 30)]
    ends = sorted({0.0, 1.0, *powers, *(1 - power for power in powers)})
    law = {}
    for low, high in pairwise(ends):
        middle = (low + high) / 2
        value = int(math.log(middle, r)) - int(math.log1p(-middle) / math.log(r))
        law[value] = law.get(value, 0.0) + high - low
    return law


def mirrored_evidence(runs):
    right = machine("geometric")
    law = shifted(mirrored_law(float(1 / right.exp_eps)), right.value())
    return evidence_of([law], right.coordinates(), runs)


def masks_for_all_users(self, rng):
    free = bits(rng, self.m - 1)
    return [[(1, bit) for bit in (*free, (x + sum(free)) % 2)] for x in self.people]


def masks_for_all_users_evidence(runs):
    right = machine("modular")
    law = {}
    for drawn, mass in enumerate(binomial_masses(right.m - 1, 0.5)):
        ones = sum(drawn + (x + drawn) % 2 for x in right.people)
        law[ones] = law.get(ones, 0.0) + mass
    return evidence_of([law], right.coordinates(), runs)


BUGS = (
    passed_on(
        "workers-forked-with-one-generator",
        "pan-sum-formula",
        BETWEEN,
        "Four workers are forked with the same state of the generator, so that each of them makes the same quarter of"
        " the runs.",
        200,
        same_in_every_worker,
        copied("pan-sum-formula", 150),
    ),
    run_by_run(
        "antithetic-runs",
        "skellam",
        BETWEEN,
        "Antithetic sampling is left switched on: every second run takes the negated noise of the run before it instead"
        " of fresh noise.",
        200,
        antithetic,
        copied("skellam", 100),
    ),
    run_by_run(
        "low-discrepancy-sequence",
        "randomized-or",
        BETWEEN,
        "The uniform numbers come from a low-discrepancy (van der Corput) sequence that goes on from run to run instead"
        " of from a random generator, so that the runs are far too even.",
        400,
        low_discrepancy,
        copied("randomized-or", 400),
    ),
    run_by_run(
        "initial-noise-made-once",
        "pan-histogram",
        BETWEEN,
        "The initial noise of the bins is drawn when the object is made and is kept for all runs; only the final noise"
        " is fresh.",
        100,
        next_run,
        initial_kept_evidence(100),
        initial=initial_of_first_run,
    ),
    bug(
        "user-number-as-seed",
        "distinct-few-messages",
        BETWEEN,
        "Each user's generator is seeded with the user's number, so that a user sends the same messages in every run;"
        " only the shuffle differs.",
        64,
        copied("distinct-few-messages", 63),
        vectors=seeded_by_number,
    ),
    run_by_run(
        "seed-is-the-last-output",
        "poisson-binomial",
        BETWEEN,
        "The generator of a run is seeded with the output of the run before it, so that a run follows from the last"
        " output and the runs soon go round in a cycle.",
        300,
        seeded_by_last_output,
        copied("poisson-binomial", 270),
    ),
    run_by_run(
        "noise-from-a-buffer",
        "negative-binomial-rare",
        BETWEEN,
        "At the start 128 values of the noise are drawn into a buffer, and each run picks one of them at random instead"
        " of drawing anew.",
        1500,
        from_the_buffer,
    ),
    bug(
        "noise-bit-broadcast",
        "histogram",
        POOLS,
        "A user draws one noise bit, which is broadcast to all k bins, instead of an independent one for each bin.",
        64,
        noise_for_all_bins_evidence(64),
        user=noise_for_all_bins,
    ),
    bug(
        "number-of-noise-messages-hoisted",
        "uniformity",
        POOLS,
        "A user draws the number of noise messages once, before the loop over the labels, and uses it for every label.",
        64,
        number_for_all_labels_evidence(64),
        user=number_for_all_labels,
    ),
    bug(
        "one-flip-for-the-pair",
        "two-bit-sum",
        POOLS,
        "One random flip is drawn for each user and applied to both bits instead of an independent one for each bit.",
        800,
        one_flip_evidence(800),
        user=one_flip_for_both,
    ),
    bug(
        "second-noise-is-the-first",
        "pan-sum",
        POOLS,
        "The final noise is the initial noise once more instead of an independent draw.",
        64,
        64 * entropy(as_law(binomial_masses(24, 0.5))),
        initial=initial_remembered,
        output=noise_again,
    ),
    bug(
        "both-sides-from-one-uniform",
        "geometric",
        POOLS,
        "The two geometric numbers whose difference is the noise come from one uniform number, as u and 1-u, instead of"
        " from two.",
        1200,
        mirrored_evidence(1200),
        noise=mirrored_geometric,
    ),
    bug(
        "free-shares-drawn-for-all",
        "modular",
        POOLS,
        "The free shares are drawn once (an array of m-1 instead of n by m-1) and broadcast to all users.",
        100,
        masks_for_all_users_evidence(100),
        vectors=masks_for_all_users,
    ),
)
