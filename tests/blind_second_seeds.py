"""Second zoo: seeds that come again, and generators that are too weak for independent runs."""

from __future__ import annotations

from random import Random

from tests.blind_second_repeats import taken_over
from tests.blind_second_sources import (
    Alternating,
    Antithetic,
    Faulty,
    LowBitCongruential,
    MiddleSquare,
    TenThousandNumbers,
    VanDerCorput,
    started,
)
from tests.blind_zoo_bug import BETWEEN, Bug, copied, drawn_from, run_by_run


def weak(name: str, scene: str, cause: str, runs: int, kind: type[Random], evidence: float | None = None) -> Bug:
    source = kind if kind is TenThousandNumbers else started(kind)
    return drawn_from(f"second-{name}", scene, BETWEEN, cause, runs, source, evidence)


def seeded(name: str, scene: str, cause: str, runs: int, seed, evidence: float | None = None) -> Bug:
    """Each run has a generator of its own, with the seed seed(rng, i)."""
    return run_by_run(
        f"second-{name}", scene, BETWEEN, cause, runs, lambda wrong, rng, i: wrong.run(Random(seed(rng, i))), evidence
    )


def consecutive_congruential(rng, i):
    """The first word of x -> 16807x mod 2^31 - 1, whose seeds are consecutive."""
    return (16807 * (12345 + i)) % (2**31 - 1) >> 18


def birthday(runs: int, seeds: int) -> float:
    """The expected number of runs whose seed was used before."""
    return runs - seeds * (1 - (1 - 1 / seeds) ** runs)


BUGS: tuple[Bug, ...] = (
    seeded(
        "seed-of-eight-bits",
        "negative-binomial-rare",
        "seeds of eight bits",
        500,
        lambda rng, i: rng.getrandbits(8),
    ),
    seeded(
        "seed-of-twelve-bits",
        "pan-histogram",
        "seeds of twelve bits",
        400,
        lambda rng, i: rng.getrandbits(12),
        taken_over("pan-histogram", birthday(400, 4096) / 400, 200, 400),
    ),
    seeded(
        "seed-of-sixteen-bits",
        "uniformity-default",
        "seeds of sixteen bits",
        2000,
        lambda rng, i: rng.getrandbits(16),
        copied("uniformity-default", birthday(2000, 65536)),
    ),
    seeded(
        "seed-of-clock",
        "hashed",
        "the seed is the clock's second: three runs each",
        90,
        lambda rng, i: 1_700_000_000 + i // 3,
    ),
    seeded("seed-modulo-97", "pan-uniformity", "the seed is the run's number modulo 97", 300, lambda rng, i: i % 97),
    seeded(
        "seed-constant-within-hundred",
        "compressed",
        "the seed changes once in a hundred runs",
        200,
        lambda rng, i: i // 100,
    ),
    seeded(
        "seed-consecutive",
        "poisson-binomial",
        "consecutive seeds of a congruential generator, cut to 13 bits",
        5000,
        consecutive_congruential,
        copied("poisson-binomial", birthday(5000, 8192)),
    ),
    seeded(
        "seed-every-fifth",
        "modular",
        "every fifth run starts from seed 1",
        200,
        lambda rng, i: rng.getrandbits(64) if i % 5 else 1,
        copied("modular", 39),
    ),
    weak("antithetic-numbers", "geometric", "numbers come with their complements", 300, Antithetic),
    weak("antithetic-numbers-zsum", "binary-sum", "numbers come with their complements", 300, Antithetic),
    weak("quasi-random", "binomial-uneven", "a quasi-random sequence", 200, VanDerCorput),
    weak("quasi-random-zsum", "binary-sum-large", "a quasi-random sequence", 100, VanDerCorput),
    weak("middle-square", "negative-binomial", "the middle of squares", 1000, MiddleSquare),
    weak("low-bits-modular", "modular", "the lowest bits of a congruential generator", 64, LowBitCongruential),
    weak("low-bits-pan-sum", "pan-sum-end", "the lowest bits of a congruential generator", 64, LowBitCongruential),
    weak("alternating-halves", "poisson-binomial", "numbers from both halves in turn", 300, Alternating),
    weak("alternating-halves-or", "randomized-or-some", "numbers from both halves in turn", 100, Alternating),
    weak(
        "numbers-in-a-circle",
        "negative-binomial",
        "10,000 numbers in a circle",
        6000,
        TenThousandNumbers,
        copied("negative-binomial", 4000),
    ),
    weak(
        "numbers-in-a-circle-or",
        "randomized-or",
        "10,000 numbers in a circle",
        20000,
        TenThousandNumbers,
        copied("randomized-or", 10000),
    ),
    weak("source-sticks", "histogram-uneven", "the source sticks at 0 now and then", 600, Faulty),
)
