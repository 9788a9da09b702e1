"""Third zoo: what is kept, seeded or made again from run to run."""

from __future__ import annotations

import math
from random import Random

from tests.blind_second_laws import (
    binomial_law,
    common_part,
    drawn,
    negative_binomial_law,
    poisson_law,
)
from tests.blind_second_pools import one_bit
from tests.blind_third_slips import (
    THIRD,
    one_by_one,
    shuffled_run,
    slip,
)
from tests.blind_zoo_bug import (
    BETWEEN,
    CERTAIN,
    Bug,
    copied,
    evidence_of,
)
from tests.blind_zoo_draws import (
    binomial,
    bits,
    divergence,
    entropy,
    poisson,
    shifted,
)
from tests.blind_zoo_online import machine


def seeded_by(key):
    """Each user makes a generator from a seed that is the same in every run."""

    def vectors(self, rng):
        return [self.user(x, Random(key(i, x))) for i, x in enumerate(self.people)]

    return vectors


def fixed_evidence(scene: str, vectors, runs: int) -> float:
    """Every run has the same pools: what they say against the right law."""
    right = machine(scene)
    pools = right.count([message for vector in vectors(right, None) for message in vector])
    return -runs * sum(math.log(law[ones]) for law, (_, ones) in zip(right.coordinates(), pools, strict=True))


def make_with(name: str, scene: str, area: str, cause: str, runs: int, start, one, evidence=None) -> Bug:
    """A bug with a memory: start(machine, rng) makes it once in a batch, one(machine, rng, memory) is a run."""

    def make(rng: Random, count: int):
        wrong = machine(scene)
        memory = start(wrong, rng)
        for _ in range(count):
            yield one(wrong, rng, memory)

    return Bug(f"third-{name}", scene, make, area, cause, runs, evidence)


def kept_gamma(self, rng):
    return poisson_table(rng.gammavariate(self.l, (1 - self.flip) / self.flip))


def poisson_table(mean: float):
    return drawn(poisson_law(mean))


def half_fresh(self, rng, memory):
    """Two threads copy the generator: runs come in pairs with the same coins, each with its own shuffle."""
    if memory:
        vectors = memory.pop()
    else:
        vectors = self.vectors(rng)
        memory.append([list(vector) for vector in vectors])
    return shuffled_run(self, vectors, rng)


def kept_sizes(self, rng):
    return [[poisson(rng, self.mean) for _ in range(self.labels)] for _ in self.people]


def with_kept_sizes(self, rng, sizes):
    vectors = [
        [(j, bit) for j, count in enumerate(row, start=1) for bit in (int(x == j), *bits(rng, count))]
        for x, row in zip(self.people, sizes, strict=True)
    ]
    return shuffled_run(self, vectors, rng)


def falsy_again(self, rng, i):
    run = self.run(rng)
    return run if run["output"] else self.run(rng)


def falsy_evidence(scene: str, runs: int) -> float | None:
    (right,) = machine(scene).coordinates()
    n = machine(scene).n
    low = sum(mass for v, mass in right.items() if v <= n)
    return evidence_of([{v: mass * (low + (v > n)) for v, mass in right.items()}], [right], runs)


def state_put_back(self, rng, memory):
    """The generator is put back to where it was before the last user's coin."""
    vectors = [self.user(x, rng) for x in self.people[:-1]]
    state = rng.getstate()
    vectors.append(self.user(self.people[-1], rng))
    run = shuffled_run(self, vectors, rng)
    rng.setstate(state)
    return run


def reseeded_from_itself(self, rng, memory):
    generator = Random(memory[0])
    run = self.run(generator)
    memory[0] = generator.getrandbits(10)
    return run


def tally_not_cleared(self, rng, memory):
    """Once in 40 runs the tally still holds the messages of the run before."""
    messages = self.order(self.vectors(rng), rng)
    before, memory[0], memory[1] = memory[0], self.count(messages), memory[1] + 1
    pools = memory[0]
    if before and memory[1] % 40 == 0:
        pools = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(before, pools, strict=True)]
    return {"pools": self.named(pools), "messages": self.written(messages), "output": self.analyze(pools)}


def sum_not_cleared(self, rng, memory):
    """The sum is set back to 0 before every second run only."""
    memory[0] = self.value() + memory[0] * (memory[1] % 2)
    memory[1] += 1
    return {"output": memory[0] + self.noise(rng)}


def pan_with_kept_end(self, rng, end):
    self.output = lambda state, _: state + end
    return self.run(rng)


FAILURES = negative_binomial_law(5, THIRD)
BUGS: tuple[Bug, ...] = (
    slip(
        "zsum-seed-of-user",
        "binary-sum",
        BETWEEN,
        "each user's generator is seeded with the user's number: the same noise in every run",
        64,
        fixed_evidence("binary-sum", seeded_by(lambda i, x: i), 64),
        vectors=seeded_by(lambda i, x: i),
    ),
    slip(
        "two-bit-seed-of-datum",
        "two-bit-sum",
        BETWEEN,
        "each user's generator is seeded with the datum",
        64,
        fixed_evidence("two-bit-sum", seeded_by(lambda i, x: 2 * x[0] + x[1]), 64),
        vectors=seeded_by(lambda i, x: 2 * x[0] + x[1]),
    ),
    make_with(
        "failures-gamma-kept",
        "negative-binomial",
        BETWEEN,
        "the gamma number of the Poisson mixture is drawn once and kept for all runs",
        1000,
        kept_gamma,
        lambda self, rng, draw: {"output": self.value() + draw(rng)},
    ),
    make_with(
        "pan-sum-end-kept",
        "pan-sum",
        BETWEEN,
        "the final noise is drawn once and kept for all runs",
        64,
        lambda self, rng: binomial(rng, self.lam, self.chance),
        pan_with_kept_end,
        63 * entropy(binomial_law(24, 0.5)),
    ),
    make_with(
        "skellam-forty-draws",
        "skellam",
        BETWEEN,
        "forty draws are made ahead and each run picks one of them at random",
        1000,
        lambda self, rng: [self.noise(rng) for _ in range(40)],
        lambda self, rng, ahead: {"output": self.value() + rng.choice(ahead)},
    ),
    make_with(
        "histogram-reseeds-itself",
        "histogram-uneven",
        BETWEEN,
        "each run is seeded with ten bits of the run before, which ends in a short cycle",
        400,
        lambda self, rng: [rng.getrandbits(10)],
        reseeded_from_itself,
    ),
    one_by_one(
        "zsum-zero-is-falsy",
        "binary-sum-large",
        BETWEEN,
        "run() or run(): an output of 0 is taken for a failure and run again",
        500,
        falsy_again,
        falsy_evidence("binary-sum-large", 500),
    ),
    make_with(
        "zsum-state-put-back",
        "binary-sum",
        BETWEEN,
        "the generator is put back before the last coin: a run starts with the last coin of the run before",
        10000,
        lambda self, rng: None,
        state_put_back,
        10000 * common_part(one_bit(THIRD), binomial_law(9, THIRD)),
    ),
    make_with(
        "histogram-tally-not-cleared",
        "histogram-dropouts",
        BETWEEN,
        "once in 40 runs the tally of the run before is not cleared",
        400,
        lambda self, rng: [None, 0],
        tally_not_cleared,
        CERTAIN,
    ),
    make_with(
        "failures-sum-not-cleared",
        "negative-binomial",
        BETWEEN,
        "the sum is set back to 0 before every second run only",
        300,
        lambda self, rng: [0, 0],
        sum_not_cleared,
        150 * divergence(shifted(FAILURES, 8), shifted(FAILURES, 4)),
    ),
    make_with(
        "copies-coins-twice",
        "poisson-binomial",
        BETWEEN,
        "two threads copy the generator: pairs of runs have the same coins, though not the same order",
        200,
        lambda self, rng: [],
        half_fresh,
        copied("poisson-binomial", 100),
    ),
    make_with(
        "uniformity-sizes-kept",
        "uniformity",
        BETWEEN,
        "the numbers of noise bits are drawn once for all runs, only their bits anew",
        64,
        kept_sizes,
        with_kept_sizes,
        63 * 4 * entropy(poisson_law(20.0)),
    ),
)
