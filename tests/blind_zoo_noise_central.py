"""Bugs in the noise of a count: another law, too few draws, or noise that is not there.

Each wrong noise is a law, from which both the runs and the evidence against the right law follow.
"""

from __future__ import annotations

import math
from random import Random

from tests.blind_zoo_bug import NOISE, Bug, bug, evidence_of
from tests.blind_zoo_draws import Law, as_law, binomial, binomial_masses, convolved, inverse, poisson_masses, shifted
from tests.blind_zoo_online import machine


def drawn(name: str, scene: str, runs: int, cause: str, law: Law) -> Bug:
    """A central mechanism whose noise has another law."""
    right = machine(scene)
    evidence = evidence_of([shifted(law, right.value())], right.coordinates(), runs)
    return bug(name, scene, NOISE, cause, runs, evidence, noise=draw_from(law))


def draw_from(law: Law):
    values, masses = tuple(law), tuple(law.values())
    return lambda self, rng: values[inverse(rng, masses)]


def pan(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, NOISE, cause, runs, evidence, **changes)


def coins(l, p=0.5):
    return as_law(binomial_masses(l, p))


def arrivals(mean):
    return as_law(poisson_masses(mean))


def failures(r):
    """One geometric draw; what is less likely than e^-280 is left out."""
    return {g: (1 - r) * r**g for g in range(math.ceil(280 / -math.log(r)))}


def image(law, change):
    made: Law = {}
    for value, mass in law.items():
        made[change(value)] = made.get(change(value), 0.0) + mass
    return made


def given(law, fits):
    total = sum(mass for value, mass in law.items() if fits(value))
    return {value: mass / total for value, mass in law.items() if fits(value)}


def mixture(*parts):
    made: Law = {}
    for weight, law in parts:
        for value, mass in law.items():
            made[value] = made.get(value, 0.0) + weight * mass
    return made


def difference(first, second):
    return convolved(first, image(second, lambda value: -value))


def below(x, mean, deviation):
    return math.erfc((mean - x) / deviation / math.sqrt(2)) / 2


def normal(mean, deviation, shift=0.5):
    """A normal number rounded to the nearest whole number, or down where shift is 0."""
    low, high = math.floor(mean - 8 * deviation), math.ceil(mean + 8 * deviation)
    return {v: below(v + 1 - shift, mean, deviation) - below(v - shift, mean, deviation) for v in range(low, high + 1)}


def laplace():
    """A Laplace number of scale 1, rounded."""
    half = 1 - math.exp(-0.5)
    tail = {v: math.exp(-abs(v)) * math.sinh(0.5) for v in range(-200, 201) if v}
    return {**tail, 0: half}


def summed(law, times):
    total: Law = {0: 1.0}
    for _ in range(times):
        total = convolved(total, law)
    return total


WAIT, SIGN = failures(math.exp(-1)), (lambda v: -v)
SPREAD = difference(failures(0.8), failures(0.8))


def coin_by_coin(self, state: int, x: int, rng: Random) -> int:
    return state + x + rng.getrandbits(1)


BUGS: tuple[Bug, ...] = (
    drawn("binomial-normal", "binomial-uneven", 20000, "the noise is a rounded normal number", normal(9, 6.3**0.5)),
    drawn("binomial-normal-even", "binomial", 20000, "the noise is a rounded normal number", normal(20, 10**0.5)),
    drawn("binomial-floored", "binomial", 3000, "the noise is a normal number rounded down", normal(20, 10**0.5, 0)),
    drawn("binomial-poisson", "binomial", 500, "the noise is Poisson with the same mean", arrivals(20)),
    drawn(
        "binomial-redrawn",
        "binomial",
        4000,
        "noise further than two deviations from its mean is drawn again",
        given(coins(40), lambda v: abs(v - 20) < 7),
    ),
    drawn("binomial-clipped", "binomial", 2000, "noise above 25 is set to 25", image(coins(40), lambda v: min(v, 25))),
    drawn("binomial-halves", "binomial", 500, "half of the coins count twice", image(coins(20), lambda v: 2 * v)),
    drawn("binomial-uniform", "binomial", 200, "the noise is uniform on 0..l", dict.fromkeys(range(41), 1 / 41)),
    drawn("binomial-word", "binomial", 300, "only 32 of 40 coins are thrown, as a word has no more", coins(32)),
    drawn(
        "binomial-sometimes-none",
        "binomial-uneven",
        4000,
        "in one run of two hundred there is no noise",
        mixture((0.995, coins(30, 0.3)), (0.005, {0: 1.0})),
    ),
    drawn(
        "binomial-two-machines",
        "binomial-uneven",
        4000,
        "p is 0.25 on one of two machines and 0.35 on the other",
        mixture((0.5, coins(30, 0.25)), (0.5, coins(30, 0.35))),
    ),
    drawn("geometric-laplace", "geometric", 10000, "the noise is a Laplace number, rounded", laplace()),
    drawn(
        "geometric-random-sign",
        "geometric",
        1000,
        "a random sign is put before a one-sided draw, so 0 is too frequent",
        mixture((0.5, WAIT), (0.5, image(WAIT, SIGN))),
    ),
    drawn("geometric-one-sided", "geometric", 100, "only the positive half of the noise is there", WAIT),
    drawn(
        "geometric-from-one",
        "geometric",
        300,
        "one of the two geometric draws counts trials, the other failures",
        shifted(difference(WAIT, WAIT), 1),
    ),
    drawn(
        "geometric-bounded",
        "geometric-wide",
        3000,
        "noise is cut off at 10 on both sides",
        image(SPREAD, lambda v: max(-10, min(10, v))),
    ),
    drawn("geometric-never-zero", "geometric-wide", 500, "noise 0 is drawn again", given(SPREAD, bool)),
    drawn(
        "geometric-far-tail",
        "geometric-wide",
        10000,
        "noise further than 15 is drawn again",
        given(SPREAD, lambda v: abs(v) <= 15),
    ),
    drawn(
        "waiting-trials",
        "negative-binomial",
        64,
        "trials are counted, not failures",
        shifted(summed(failures(2 / 3), 5), 5),
    ),
    drawn("waiting-poisson", "negative-binomial", 500, "the noise is Poisson with the same mean", arrivals(10)),
    drawn(
        "waiting-one-draw",
        "negative-binomial",
        300,
        "one geometric draw is multiplied by l",
        image(failures(2 / 3), lambda v: 5 * v),
    ),
    drawn(
        "waiting-capped",
        "negative-binomial-rare",
        2000,
        "a wait ends after 30 tosses",
        summed(image(failures(0.9), lambda v: min(v, 30)), 2),
    ),
    drawn("skellam-normal", "skellam-dropouts", 20000, "the noise is a rounded normal number", normal(0, 3**0.5)),
    drawn("skellam-sum", "skellam", 64, "the two Poisson draws are added", summed(arrivals(5), 2)),
    drawn(
        "skellam-even",
        "skellam",
        500,
        "one draw of a quarter of the variance is doubled, so the noise is even",
        image(difference(arrivals(1.25), arrivals(1.25)), lambda v: 2 * v),
    ),
    drawn(
        "skellam-binomial",
        "skellam",
        2000,
        "the difference of two Bin(10, 1/2) for that of two Pois(5)",
        difference(coins(10), coins(10)),
    ),
    drawn(
        "skellam-capped",
        "skellam-dropouts",
        5000,
        "each Poisson draw is at most 3",
        difference(*[image(arrivals(1.5), lambda v: min(v, 3))] * 2),
    ),
    drawn("skellam-same-draw", "skellam", 64, "the same Poisson draw is added and subtracted", {0: 1.0}),
    pan(
        "pan-second-noise-missing",
        "pan-sum",
        64,
        "the output adds no noise to the state",
        64 * 24 * math.log(2),
        output=lambda self, state, rng: state,
    ),
    pan(
        "pan-first-noise-missing",
        "pan-sum",
        64,
        "the state starts at 0",
        64 * 24 * math.log(2),
        initial=lambda self, rng: 0,
    ),
    pan(
        "pan-noise-per-element",
        "pan-sum",
        200,
        "a part of the first noise is added coin by coin, one with each element",
        initial=lambda self, rng: binomial(rng, 16, 0.5),
        update=coin_by_coin,
    ),
    pan(
        "pan-normal",
        "pan-sum-end",
        20000,
        "both noises are rounded normal numbers",
        evidence_of(
            [shifted(summed(normal(6, 3**0.5), 2), 3)],
            machine("pan-sum-end").coordinates(),
            20000,
        ),
        initial=draw_from(normal(6, 3**0.5)),
        output=lambda self, state, rng: state + draw_from(normal(6, 3**0.5))(self, rng),
    ),
    pan(
        "central-or-without-coin",
        "randomized-or-some",
        64,
        "the OR itself comes out where it is 1",
        64 * math.log(2),
        run=lambda self, rng: {"output": 1},
    ),
)
