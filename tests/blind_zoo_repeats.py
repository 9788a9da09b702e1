"""Bugs between runs: repetitions, runs that know of each other, and runs that are picked or spoilt."""

from __future__ import annotations

from collections import deque
from random import Random

from tests.blind_zoo_bug import BETWEEN, CERTAIN, Bug, copied, passed_on, run_by_run
from tests.blind_zoo_draws import bernoulli, binomial, binomial_masses, inverse


def each(name: str, scene: str, runs: int, cause: str, one, evidence=None, **changes) -> Bug:
    return run_by_run(name, scene, BETWEEN, cause, runs, one, evidence, **changes)


def handed(name: str, scene: str, runs: int, cause: str, handle, evidence=None) -> Bug:
    return passed_on(name, scene, BETWEEN, cause, runs, handle, evidence)


def seeded(seed_of):
    return lambda self, rng, i: self.run(Random(seed_of(rng, i)))


def lagged(lag, share):
    """With this probability a run is that of `lag` runs before."""

    def handle(runs, rng, count):
        kept = deque(maxlen=lag)
        for run in runs:
            again = kept[0] if len(kept) == lag and rng.random() < share else run
            kept.append(again)
            yield again

    return handle


def cycle(length):
    def handle(runs, rng, count):
        kept = [next(runs) for _ in range(min(length, count))]
        return (kept[i % length] for i in range(count))

    return handle


def repeated_at(start, times):
    """One run stands in the file so many times, from `start` on."""

    def handle(runs, rng, count):
        kept = {}
        for i, run in enumerate(runs):
            kept = run if i <= start else kept
            yield kept if start <= i < start + times else run

    return handle


def sorted_by_output(runs, rng, count):
    return sorted(runs, key=lambda run: run["output"])


def sorted_batches(size):
    def handle(runs, rng, count):
        kept = list(runs)
        return (run for i in range(0, count, size) for run in sorted(kept[i : i + size], key=lambda r: r["output"]))

    return handle


def picked(fits):
    """Runs that do not fit are left out and made again: `handle` draws on, since the machine's runs are a stream."""

    def one(self, rng, i):
        while not fits(run := self.run(rng)):
            pass
        return run

    return one


def better_of_two(key):
    return lambda self, rng, i: min(self.run(rng), self.run(rng), key=key)


class Mirror(Random):
    """Every second run uses 1 - u for each u of the run before."""

    def __init__(self, seed):
        super().__init__(seed)
        self.flipped = False

    def random(self):
        u = super().random()
        return 1 - u if self.flipped and u else u

    def getrandbits(self, k):
        word = super().getrandbits(k)
        return word ^ ((1 << k) - 1) if self.flipped and k > 1 else word


def antithetic(self, rng, i):
    if i % 2 == 0:
        self.seed = rng.getrandbits(64)
    source = Mirror(self.seed)
    source.flipped = i % 2 == 1
    return self.run(source)


def stratified(self, rng, i):
    """Binomial noise from u = i * golden ratio mod 1: even, not random."""
    u = (i * 0.6180339887498949) % 1
    fake = Random()
    fake.random = lambda: u
    return {"output": self.value() + inverse(fake, binomial_masses(self.l, 0.3))}


def carried(share):
    """A part of the coins of a run is that of the run before."""

    def one(self, rng, i):
        old = self.__dict__.get("old", [self.noise_of(rng) for _ in self.people])
        coins = [before if rng.random() < share else self.noise_of(rng) for before in old]
        self.old = coins
        self.vectors = lambda _: [[(1, x), (1, coin)] for x, coin in zip(self.people, coins, strict=True)]
        return self.run(rng)

    return one


def noise_of(self, rng):
    return bernoulli(rng, self.flip)


def walking(self, rng, i):
    """A tenth of the coins is thrown anew from run to run."""
    coins = self.__dict__.get("coins") or [rng.getrandbits(1) for _ in range(self.l)]
    self.coins = [rng.getrandbits(1) if rng.random() < 0.1 else coin for coin in coins]
    return {"output": self.value() + sum(self.coins)}


def shared_half(self, rng, i):
    """The second noise of a run is the first noise of the next."""
    first = self.__dict__.get("spare", binomial(rng, self.lam, 0.5))
    self.spare = binomial(rng, self.lam, 0.5)
    state = first + sum(self.people[: self.t])
    return {"state": state, "output": first + sum(self.people) + self.spare}


def two_workers(self, rng, i):
    """Two workers with the same seed write in turn."""
    if i % 2 == 0:
        self.pending = self.run(rng)
    return self.pending


def second_half_again(runs, rng, count):
    first = [next(runs) for _ in range((count + 1) // 2)]
    return (first + first)[:count]


def permuted_again(runs, rng, count):
    first = [next(runs) for _ in range((count + 1) // 2)]
    return (first + rng.sample(first, len(first)))[:count]


def spoilt_once(change):
    """One run, in the middle, is spoilt."""

    def handle(runs, rng, count):
        for i, run in enumerate(runs):
            yield change(run) if i == count // 2 else run

    return handle


def bursts(self, rng, i):
    """A frozen worker: in blocks of fifty, the first five runs are one run."""
    if i % 50 == 0 or i % 50 >= 5:
        self.frozen = self.run(rng)
    return self.frozen


BUGS: tuple[Bug, ...] = (
    each(
        "seeds-a-hundred",
        "binary-sum",
        1000,
        "each run is seeded with one of a hundred numbers",
        seeded(lambda rng, i: rng.randrange(100)),
    ),
    each(
        "seeds-two-bytes",
        "histogram",
        5000,
        "each run is seeded with two random bytes",
        seeded(lambda rng, i: rng.getrandbits(16)),
    ),
    each(
        "seeds-clock",
        "skellam",
        1000,
        "each run is seeded with the second, and twenty runs are made in one",
        seeded(lambda rng, i: 1_700_000_000 + i // 20),
        evidence=copied("skellam", 950),
    ),
    each(
        "seeds-clock-fast",
        "distinct",
        300,
        "each run is seeded with the second, and four runs are made in one",
        seeded(lambda rng, i: 1_700_000_000 + i // 4),
        evidence=copied("distinct", 225),
    ),
    each(
        "seeds-process",
        "pan-histogram",
        2000,
        "each run is seeded with the process number, modulo 300",
        seeded(lambda rng, i: 4000 + 7 * i % 300),
        evidence=copied("pan-histogram", 1700),
    ),
    handed("lag-one", "geometric", 5000, "one run in ten is that before it", lagged(1, 0.1), copied("geometric", 500)),
    handed(
        "lag-seven",
        "binomial",
        5000,
        "one run in ten is that of seven runs before",
        lagged(7, 0.1),
        copied("binomial", 500),
    ),
    handed(
        "lag-hundred",
        "uniformity",
        1000,
        "one run in twenty is that of a hundred runs before",
        lagged(100, 0.05),
        copied("uniformity", 45),
    ),
    handed(
        "cycle-of-five-hundred",
        "two-bit-sum",
        2000,
        "runs are taken in turn from a file of five hundred",
        cycle(500),
        copied("two-bit-sum", 1500),
    ),
    handed("same-run-always", "modular", 64, "all runs are the first run", cycle(1), copied("modular", 63)),
    handed(
        "one-run-ten-times",
        "poisson-binomial",
        2000,
        "one run stands ten times in a row",
        repeated_at(700, 10),
        copied("poisson-binomial", 9),
    ),
    handed(
        "second-half-again",
        "pan-sum",
        2000,
        "the second half of the file is the first half",
        second_half_again,
        copied("pan-sum", 1000),
    ),
    handed(
        "permuted-again", "pan-uniformity", 500, "the second half is the first half in another order", permuted_again
    ),
    each(
        "two-workers",
        "negative-binomial",
        1000,
        "two workers with one seed write in turn",
        two_workers,
        copied("negative-binomial", 500),
    ),
    each("frozen-worker", "hashed", 500, "of every fifty runs the first five are one run", bursts),
    handed("sorted-by-output", "binomial", 500, "the file is sorted by the output", sorted_by_output),
    handed("sorted-batches", "skellam", 2000, "batches of four runs are sorted by the output", sorted_batches(4)),
    each(
        "negative-runs-redrawn",
        "geometric-wide",
        1000,
        "runs with a negative output are made again",
        picked(lambda run: run["output"] >= 0),
    ),
    each(
        "outliers-left-out",
        "skellam",
        5000,
        "runs further than two deviations from the truth are made again",
        picked(lambda run: abs(run["output"] - 4) <= 6),
    ),
    each(
        "better-of-two",
        "binomial",
        500,
        "the run nearer to its mean of two is kept",
        better_of_two(lambda run: abs(run["output"] - 23)),
    ),
    each("antithetic", "skellam", 1000, "every second run mirrors the draws of the run before", antithetic),
    each(
        "antithetic-binomial",
        "binomial-uneven",
        1000,
        "every second run mirrors the draws of the run before",
        antithetic,
    ),
    each("even-not-random", "binomial-uneven", 2000, "the noise comes from an evenly spread sequence", stratified),
    each(
        "coins-carried-over",
        "binary-sum",
        1000,
        "half of the coins are those of the run before",
        carried(0.5),
        noise_of=noise_of,
    ),
    each(
        "coins-carried-over-rarely",
        "binary-sum",
        20000,
        "one coin in twenty is that of the run before",
        carried(0.05),
        noise_of=noise_of,
    ),
    each("walking-coins", "binomial", 500, "from run to run only a tenth of the coins is thrown anew", walking),
    each(
        "noise-used-twice",
        "pan-sum",
        1000,
        "the second noise of a run is the first noise of the next",
        shared_half,
        copied("pan-sum", 999 / 2),
    ),
    handed(
        "outlier-once",
        "pan-sum-end",
        4000,
        "one output in thousands is far too large",
        spoilt_once(lambda run: {**run, "output": run["output"] + 1000}),
        CERTAIN,
    ),
    handed(
        "outlier-mild",
        "geometric",
        4000,
        "one output in thousands has a noise of forty",
        spoilt_once(lambda run: {**run, "output": 45}),
        evidence=39.0,
    ),
    handed(
        "impossible-once",
        "binomial",
        4000,
        "one output in thousands is negative",
        spoilt_once(lambda run: {**run, "output": -1}),
        CERTAIN,
    ),
    handed(
        "message-lost-once",
        "binary-sum",
        4000,
        "in one run of thousands the last message is lost",
        spoilt_once(lambda run: {**run, "messages": run["messages"][:-1]}),
        CERTAIN,
    ),
)
