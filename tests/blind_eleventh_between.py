"""Runs that are not independent: short seeds, forked workers, tables, memos, spare draws, generators."""

from __future__ import annotations

import math
from collections import Counter
from itertools import islice
from random import Random

from tests.blind_zoo_bug import BETWEEN, copied, drawn_from, evidence_of, passed_on, run_by_run
from tests.blind_zoo_draws import Biased, geometric, poisson, poisson_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import TwoBitSum


def run_with_seed_of_one_byte(machine_, rng, i):
    return machine_.run(Random(rng.getrandbits(8)))


def repeated_seeds(runs):
    return runs - 256 * (1 - (255 / 256) ** runs)


WORKERS = 4


def from_forked_workers(runs, rng, count):
    chunk = list(islice(runs, -(-count // WORKERS)))
    return (chunk * WORKERS)[:count]


class Antithetic(Random):
    """Every second number is 1 minus the one before."""

    mirrored: float | None = None

    def random(self) -> float:
        if self.mirrored is None:
            number = super().random()
            self.mirrored = 1 - number
        else:
            number, self.mirrored = self.mirrored, None
        return number


def antithetic_evidence(runs):
    p = float(machine("randomized-or").chance())
    return runs / 2 * (2 * p * math.log(1 / (1 - p)) + (1 - 2 * p) * math.log((1 - 2 * p) / (1 - p) ** 2))


def noise_table():
    right, rng = machine("negative-binomial"), Random(11)
    return [sum(geometric(rng, 1 - right.flip) for _ in range(right.l)) for _ in range(64)]


TABLE = noise_table()


def noise_of_table(self, rng):
    return rng.choice(TABLE)


def table_evidence(runs):
    right = machine("negative-binomial")
    wrong = {right.value() + v: count / len(TABLE) for v, count in Counter(TABLE).items()}
    return evidence_of([wrong], right.coordinates(), runs)


def biased_evidence(runs):
    scene = "pan-sum-formula"
    return evidence_of(machine(scene, chance=Biased.share).coordinates(), machine(scene).coordinates(), runs)


def remembered_vectors(self, rng):
    if not hasattr(self, "memo"):
        self.memo = TwoBitSum.vectors(self, rng)
    return self.memo


def noise_with_spare(self, rng):
    first = self.spare if hasattr(self, "spare") else poisson(rng, self.mean)
    self.spare = poisson(rng, self.mean)
    return first - self.spare


def spare_evidence(runs):
    """At least: what pairs of runs, each with one draw in common, tell."""
    masses = poisson_masses(float(machine("skellam-dropouts").mean))[:30]
    pairs, single = Counter(), Counter()
    for b, q in enumerate(masses):
        for a, p in enumerate(masses):
            single[a - b] += p * q
            for c, r in enumerate(masses):
                pairs[a - b, b - c] += p * q * r
    return runs / 2 * sum(p * math.log(p / single[x] / single[y]) for (x, y), p in pairs.items())


def one_run(machine_, rng, i):
    return machine_.run(rng)


BUGS = (
    run_by_run(
        "eleventh-seed-cut-to-one-byte",
        "distinct-few-messages",
        BETWEEN,
        "The seed of a run is stored in one byte, so that only 256 different runs exist.",
        800,
        run_with_seed_of_one_byte,
        copied("distinct-few-messages", repeated_seeds(800)),
    ),
    passed_on(
        "eleventh-forked-workers-same-generator",
        "skellam",
        BETWEEN,
        "Four worker processes inherit the same state of the generator by fork, and each makes the same runs.",
        1200,
        from_forked_workers,
        copied("skellam", 900),
    ),
    drawn_from(
        "eleventh-antithetic-numbers-left-on",
        "randomized-or",
        BETWEEN,
        "The simulation's antithetic numbers were left on: every second uniform number is 1 minus the one before.",
        5000,
        lambda rng: Antithetic(rng.getrandbits(64)),
        antithetic_evidence(5000),
    ),
    run_by_run(
        "eleventh-noise-from-a-shipped-table",
        "negative-binomial",
        BETWEEN,
        "The noise is picked from a table of 64 draws that was made once and is shipped with the program.",
        2000,
        one_run,
        table_evidence(2000),
        noise=noise_of_table,
    ),
    drawn_from(
        "eleventh-hardware-bits-not-whitened",
        "pan-sum-formula",
        BETWEEN,
        "The random bits come straight from a hardware source, which gives 51 % ones.",
        2000,
        lambda rng: Biased(rng.getrandbits(64)),
        biased_evidence(2000),
    ),
    run_by_run(
        "eleventh-reports-memoized",
        "two-bit-sum",
        BETWEEN,
        "Each user's randomized report is cached on the device and sent again in all later runs.",
        300,
        one_run,
        copied("two-bit-sum", 299),
        vectors=remembered_vectors,
    ),
    run_by_run(
        "eleventh-spare-poisson-used-twice",
        "skellam-dropouts",
        BETWEEN,
        "The second Poisson draw is kept as a spare for the next run although this run has already used it.",
        600,
        one_run,
        spare_evidence(600),
        noise=noise_with_spare,
    ),
)
