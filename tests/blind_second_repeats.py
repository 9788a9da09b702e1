"""Second zoo: runs that repeat, resemble or balance one another."""

from __future__ import annotations

import math
from itertools import islice

from tests.blind_second_laws import binomial_law, sticky_evidence
from tests.blind_zoo_bug import BETWEEN, Bug, copied, passed_on, run_by_run
from tests.blind_zoo_draws import bernoulli, divergence, entropy
from tests.blind_zoo_online import machine


def handed(name: str, scene: str, cause: str, runs: int, handle, evidence: float | None = None) -> Bug:
    return passed_on(f"second-{name}", scene, BETWEEN, cause, runs, handle, evidence)


def workers(count: int, chunk: int):
    """Workers that start from the same seed hand in the same chunks of runs."""

    def handle(runs, rng, total):
        while part := list(islice(runs, chunk)):
            for _ in range(count):
                yield from part

    return lambda runs, rng, total: islice(handle(runs, rng, total), total)


def again(share: float, lag: int):
    """With this probability a run is the one `lag` before."""

    def handle(runs, rng, total):
        past: list[dict] = []
        for run in runs:
            past.append(past[-lag] if len(past) >= lag and bernoulli(rng, share) else run)
            yield past[-1]

    return handle


def any_earlier(share: float):
    def handle(runs, rng, total):
        past: list[dict] = []
        for run in runs:
            past.append(rng.choice(past) if past and bernoulli(rng, share) else run)
            yield past[-1]

    return handle


def batches(size: int, key):
    """The runs of each batch are sorted."""

    def handle(runs, rng, total):
        while part := list(islice(runs, size)):
            yield from sorted(part, key=key)

    return handle


def all_sorted(runs, rng, total):
    return sorted(runs, key=lambda run: run["output"])


def mirrored(middle: int):
    """Every second run is the mirror image of the one before."""

    def handle(runs, rng, total):
        last = 0
        for i, run in enumerate(runs):
            last = 2 * middle - last if i % 2 else run["output"]
            yield {"output": last}

    return handle


def never_twice(runs, rng, total):
    """A run that equals the one before is thrown away and made again (the generator goes on)."""
    last, wrong = None, machine("randomized-or-some")
    for run in runs:
        while run == last and rng.getrandbits(1):
            run = wrong.run(rng)  # noqa: PLW2901 (that the run is replaced is the bug)
        last = run
        yield run


def drifting(wrong, rng, i):
    """The coin warms up: its parameter moves by 0.2 in 10,000 runs, and is right on average."""
    wrong.flip = 0.2 + 0.2 * (i % 10_000) / 10_000
    return wrong.run(rng)


def warm_up(wrong, rng, i):
    """The noise of the first 20 runs is small."""
    wrong.l = 40 if i >= 20 else 10
    return wrong.run(rng)


def waves(wrong, rng, i):
    """The parameter is a little too large and too small in turn, fifty runs each."""
    wrong.p, wrong.flip = machine("binary-sum").p, (0.38 if i // 50 % 2 else 1 - 0.38 - 1 / 3)
    return wrong.run(rng)


def moving(right: tuple[int, float], chances: list[float], runs: int) -> float:
    """The evidence where Bin(l, p) has one of these parameters in turn."""
    l, p = right
    return runs * sum(divergence(binomial_law(l, chance), binomial_law(l, p)) for chance in chances) / len(chances)


def taken_over(scene: str, share: float, candidates: int, runs: int) -> float:
    """A lower bound where a run is, with this probability, a copy of one of so many; which one is not known."""
    of_choice = -share * math.log(share) - (1 - share) * math.log1p(-share) + share * math.log(candidates)
    return copied(scene, runs * share) - runs * of_choice


COINS = binomial_law(40, 0.5)
BUGS: tuple[Bug, ...] = (
    handed(
        "repeat-two-workers", "binomial", "two workers with the same seed", 400, workers(2, 50), copied("binomial", 200)
    ),
    handed(
        "repeat-four-workers", "distinct", "four workers with the same seed", 64, workers(4, 16), copied("distinct", 48)
    ),
    handed(
        "repeat-workers-long",
        "skellam",
        "two workers with the same seed, 2,000 runs each",
        4000,
        workers(2, 2000),
        copied("skellam", 2000),
    ),
    handed(
        "repeat-workers-uniformity",
        "uniformity",
        "two workers with the same seed",
        100,
        workers(2, 25),
        copied("uniformity", 50),
    ),
    handed(
        "repeat-last-rarely",
        "binary-sum",
        "one run in twenty repeats the last",
        400,
        again(0.05, 1),
        copied("binary-sum", 20),
    ),
    handed(
        "repeat-last-one-in-fifty",
        "negative-binomial",
        "one run in fifty repeats the last",
        5000,
        again(0.02, 1),
        5000 * sticky_evidence(machine("negative-binomial").coordinates()[0], 0.02),
    ),
    handed(
        "repeat-lag-7",
        "binomial",
        "one run in ten repeats the one seven before",
        2000,
        again(0.1, 7),
        2000 * sticky_evidence(COINS, 0.1),
    ),
    handed(
        "repeat-lag-64",
        "histogram",
        "one run in twenty repeats the one 64 before",
        600,
        again(0.05, 64),
        copied("histogram", 27),
    ),
    handed(
        "repeat-lag-1000",
        "pan-sum",
        "each run repeats the one 1,000 before, half of the time",
        3000,
        again(0.5, 1000),
        taken_over("pan-sum", 0.5, 1, 2000),
    ),
    handed(
        "repeat-lag-13-or",
        "randomized-or-some",
        "one run in five repeats the one 13 before",
        2000,
        again(0.2, 13),
        2000 * sticky_evidence({0: 0.5, 1: 0.5}, 0.2),
    ),
    handed(
        "repeat-any-earlier",
        "two-bit-sum",
        "one run in ten comes from a cache",
        300,
        any_earlier(0.1),
        copied("two-bit-sum", 30),
    ),
    handed("repeat-any-earlier-central", "geometric", "one run in ten comes from a cache", 2000, any_earlier(0.1)),
    handed(
        "batches-sorted",
        "binomial-uneven",
        "each batch of four is sorted by its output",
        200,
        batches(4, lambda run: run["output"]),
    ),
    handed(
        "batches-sorted-pools",
        "binary-sum-large",
        "each batch of ten is sorted by its ones",
        150,
        batches(10, lambda run: run["pools"]["1"][1]),
    ),
    handed("runs-sorted", "geometric-wide", "all runs are sorted", 100, all_sorted),
    handed(
        "antithetic-runs",
        "binomial",
        "every second run is the mirror of the one before",
        64,
        mirrored(23),
        32 * entropy(COINS),
    ),
    handed(
        "antithetic-skellam",
        "skellam-dropouts",
        "every second run is the mirror of the one before",
        100,
        mirrored(3),
        copied("skellam-dropouts", 50),
    ),
    handed(
        "repeats-avoided",
        "randomized-or-some",
        "equal successive runs are made again",
        300,
        never_twice,
        300 * sticky_evidence({0: 0.5, 1: 0.5}, -1 / 3),
    ),
    run_by_run(
        "second-drift",
        "binomial-uneven",
        BETWEEN,
        "p drifts from 0.2 to 0.4 over the runs",
        10000,
        drifting,
        moving((30, 0.3), [0.2 + i / 1000 for i in range(200)], 10000),
    ),
    run_by_run(
        "second-warm-up",
        "binomial",
        BETWEEN,
        "the first twenty runs have fewer coins",
        200,
        warm_up,
        20 * divergence(binomial_law(10, 0.5), COINS),
    ),
    run_by_run(
        "second-waves",
        "binary-sum",
        BETWEEN,
        "p moves up and down over the runs",
        1500,
        waves,
        moving((10, 1 / 3), [0.38, 1 - 0.38 - 1 / 3], 1500),
    ),
)
