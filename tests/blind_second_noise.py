"""Second zoo: central noise whose law is another one, cut, folded, wrapped or of the right variance only."""

from __future__ import annotations

import math

from tests.blind_second_laws import (
    binomial_law,
    central_noise,
    geometric_law,
    kept,
    laplace_law,
    mixed,
    moved,
    negative_binomial_law,
    normal_law,
    poisson_law,
    two_sided_law,
    uniform_law,
)
from tests.blind_zoo_bug import CERTAIN, NOISE, Bug, run_by_run
from tests.blind_zoo_draws import Law, convolved

E = math.e
COINS, UNEVEN, FAILURES = binomial_law(40, 0.5), binomial_law(30, 0.3), negative_binomial_law(5, 1 / 3)
RARE, SKELLAM_MEAN, SIDES = negative_binomial_law(2, 0.1), 5.0, two_sided_law(1 / E)
WIDE = two_sided_law(0.8)


def skellam_law(mean: float) -> Law:
    law = poisson_law(mean)
    return convolved(law, {-v: mass for v, mass in law.items()})


SKELLAM, SKELLAM_HALF = skellam_law(SKELLAM_MEAN), skellam_law(1.5)


def either_sign(law: Law) -> Law:
    """A magnitude with a fair sign, so that 0 is reached in two ways."""
    return mixed(law, {-v: mass for v, mass in law.items()}, 0.5)


def folded_sign(law: Law) -> Law:
    return moved(law, abs)


def coarse_geometric(r: float, words: int) -> Law:
    """log(1 - u) / log(r), rounded down, for u on a grid."""
    law: Law = {}
    for word in range(words):
        value = int(math.log(1 - word / words) / math.log(r))
        law[value] = law.get(value, 0.0) + 1 / words
    return law


def triangular_law(low: int, high: int) -> Law:
    return convolved(uniform_law(low, high), uniform_law(0, high - low))


def central(name: str, scene: str, cause: str, runs: int, law: Law) -> Bug:
    return central_noise(f"second-{name}", scene, cause, runs, law)


def absurd_once(name: str, scene: str, cause: str, runs: int, every: int, value: int) -> Bug:
    """A run in `every`, the last of each, has an absurd output."""

    def one(wrong, rng, i):
        run = wrong.run(rng)
        return run if (i + 1) % every else {**run, "output": value}

    return run_by_run(f"second-{name}", scene, NOISE, cause, runs, one, CERTAIN)


BUGS: tuple[Bug, ...] = (
    central(
        "normal-for-uneven",
        "binomial-uneven",
        "a rounded normal number instead of a binomial one",
        20000,
        normal_law(9, 6.3),
    ),
    central(
        "normal-for-coins", "binomial", "a rounded normal number instead of a binomial one", 20000, normal_law(20, 10)
    ),
    central(
        "normal-rounded-down",
        "binomial",
        "a normal number rounded down instead of to the nearest",
        2000,
        normal_law(20, 10, edge=1.0),
    ),
    central(
        "poisson-for-binomial", "binomial-uneven", "a Poisson number instead of a binomial one", 500, poisson_law(9)
    ),
    central(
        "geometric-for-binomial",
        "binomial",
        "a geometric number with the mean of the binomial one",
        64,
        kept(geometric_law(20 / 21), lambda v: v <= 40),
    ),
    central(
        "uniform-for-binomial", "binomial", "uniform noise with about the right variance", 200, uniform_law(15, 25)
    ),
    central(
        "triangle-for-binomial",
        "binomial-uneven",
        "the sum of two dice instead of thirty coins",
        1500,
        triangular_law(4, 9),
    ),
    central(
        "coins-twice", "binomial", "half of the coins, counted twice", 64, moved(binomial_law(20, 0.5), lambda v: 2 * v)
    ),
    central("noise-added-twice", "binomial-uneven", "the noise is added twice", 64, moved(UNEVEN, lambda v: 2 * v)),
    central(
        "two-draws-added", "negative-binomial", "two independent draws are added", 64, convolved(FAILURES, FAILURES)
    ),
    central(
        "redraw-beyond-two-sigma",
        "binomial",
        "noise beyond two deviations is drawn again",
        1000,
        kept(COINS, lambda v: abs(v - 20) <= 6),
    ),
    central(
        "redraw-beyond-three-sigma",
        "binomial",
        "noise beyond three deviations is drawn again",
        10000,
        kept(COINS, lambda v: abs(v - 20) <= 9),
    ),
    central(
        "clamped-at-two-sigma",
        "binomial-uneven",
        "noise beyond two deviations is cut to them",
        600,
        moved(UNEVEN, lambda v: min(14, max(4, v))),
    ),
    central("no-zero-noise", "skellam", "noise 0 is drawn again", 300, kept(SKELLAM, lambda v: v != 0)),
    central("even-only", "binomial", "noise is always even", 100, kept(COINS, lambda v: v % 2 == 0)),
    central(
        "rounded-to-even",
        "binomial",
        "noise is rounded down to an even number one time in ten",
        1500,
        mixed(COINS, moved(COINS, lambda v: v - v % 2), 0.1),
    ),
    central(
        "trials-for-failures",
        "negative-binomial",
        "counts the trials, not the failures",
        64,
        {v + 5: mass for v, mass in FAILURES.items()},
    ),
    central(
        "last-trial-counted",
        "negative-binomial",
        "counts the last success as a failure",
        1200,
        {v + 1: mass for v, mass in FAILURES.items()},
    ),
    central(
        "poisson-for-failures",
        "negative-binomial",
        "a Poisson number instead of a negative binomial one",
        100,
        poisson_law(10),
    ),
    central(
        "normal-for-failures",
        "negative-binomial",
        "a rounded normal number, at least 0",
        300,
        moved(normal_law(10, 30), lambda v: max(0, v)),
    ),
    central(
        "failures-stop-at-30",
        "negative-binomial",
        "gives up after 30 failures",
        3000,
        moved(FAILURES, lambda v: min(30, v)),
    ),
    central(
        "failures-6-bits", "negative-binomial-rare", "noise is kept in six bits", 3000, moved(RARE, lambda v: v % 64)
    ),
    central(
        "failures-signed-byte",
        "negative-binomial-rare",
        "overflow of a signed number of seven bits",
        3000,
        moved(RARE, lambda v: (v + 64) % 128 - 64),
    ),
    central(
        "failures-one-stage-long",
        "negative-binomial-rare",
        "one geometric draw with twice the mean",
        400,
        geometric_law(18 / 19),
    ),
    central(
        "failures-8-bit-uniform",
        "negative-binomial-rare",
        "uniform numbers of eight bits in the logarithm",
        5000,
        convolved(coarse_geometric(0.9, 256), coarse_geometric(0.9, 256)),
    ),
    central(
        "skellam-normal", "skellam-dropouts", "a rounded normal number of the right variance", 10000, normal_law(0, 3)
    ),
    central(
        "skellam-laplace",
        "skellam",
        "two-sided geometric noise of the right variance",
        300,
        two_sided_law((math.sqrt(21) - 1) ** 2 / 20),
    ),
    central("skellam-one-poisson", "skellam", "the second Poisson draw is forgotten", 64, poisson_law(5)),
    central(
        "skellam-centred-poisson",
        "skellam",
        "Pois(lam) - lam instead of a difference",
        3000,
        {v - 10: mass for v, mass in poisson_law(10).items()},
    ),
    central(
        "skellam-variance-doubled", "skellam", "each Poisson draw has mean lam instead of lam/2", 200, skellam_law(10)
    ),
    central(
        "skellam-binomial-parts",
        "skellam",
        "Bin(50, 1/10) for each Poisson draw",
        5000,
        convolved(binomial_law(50, 0.1), {-v: p for v, p in binomial_law(50, 0.1).items()}),
    ),
    central(
        "laplace-rounded", "geometric", "a rounded Laplace number instead of a geometric one", 2500, laplace_law(1.0)
    ),
    central(
        "laplace-towards-zero", "geometric", "a Laplace number cut towards zero", 500, either_sign(geometric_law(1 / E))
    ),
    central("one-sided", "geometric", "noise is never negative", 64, geometric_law(1 / E)),
    central(
        "zero-in-two-ways",
        "geometric-wide",
        "a geometric magnitude with a sign: 0 comes twice as often",
        1000,
        either_sign(geometric_law(0.8)),
    ),
    central(
        "sign-once-in-eight",
        "geometric",
        "the sign is lost in one draw of eight",
        5000,
        mixed(SIDES, folded_sign(SIDES), 0.125),
    ),
    central(
        "wide-cut-at-15", "geometric-wide", "noise beyond 15 is drawn again", 1500, kept(WIDE, lambda v: abs(v) <= 15)
    ),
    central(
        "wide-cauchy-tails",
        "geometric-wide",
        "one draw of a hundred is ten times as wide",
        1200,
        mixed(WIDE, moved(WIDE, lambda v: 10 * v), 0.01),
    ),
    central(
        "wide-laplace-rounded",
        "geometric-wide",
        "a rounded Laplace number instead of a geometric one",
        20000,
        laplace_law(1 / math.log(1.25)),
    ),
    central(
        "failures-one-geometric-repeated",
        "negative-binomial",
        "one geometric draw, taken l times",
        64,
        moved(geometric_law(2 / 3), lambda v: 5 * v),
    ),
    central(
        "coins-missing-rarely",
        "binomial-uneven",
        "once in 1,000 runs no noise is added",
        10000,
        mixed(UNEVEN, {0: 1.0}, 0.001),
    ),
    central(
        "geometric-far-rarely",
        "geometric",
        "once in 1,500 runs the noise is 40",
        5000,
        mixed(SIDES, {40: 1.0}, 1 / 1500),
    ),
    absurd_once("coins-absurd", "binomial", "once in 4,000 runs the noise is 2^32 - 1", 20000, 4000, 2**32 + 2),
)
