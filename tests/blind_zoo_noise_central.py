"""Bugs in the noise of a count: the wrong law, too few draws, or noise that is not there."""

from __future__ import annotations

import math

from tests.blind_zoo_bug import NOISE, Bug, bug, run_by_run
from tests.blind_zoo_draws import binomial, geometric, poisson


def row(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, NOISE, cause, runs, evidence, **changes)


def each(name: str, scene: str, runs: int, cause: str, one) -> Bug:
    return run_by_run(name, scene, NOISE, cause, runs, one)


def normal(mean, deviation, rounding=round):
    return lambda self, rng: rounding(rng.gauss(mean, deviation))


def laplace(self, rng):
    return round(math.log(1 - rng.random()) * (1 if rng.random() < 0.5 else -1))


def signed(self, rng):
    return geometric(rng, float(1 / self.exp_eps)) * (1 if rng.getrandbits(1) else -1)


def redrawn_within(most):
    def noise(self, rng):
        while abs((draw := binomial(rng, self.l, self.flip)) - self.l / 2) > most:
            pass
        return draw

    return noise


def sometimes_none(share, **quiet):
    def one(self, rng, i):
        kept = {name: self.__dict__[name] for name in quiet}
        if rng.random() < share:
            self.__dict__.update(quiet)
        made = self.run(rng)
        self.__dict__.update(kept)
        return made

    return one


BUGS: tuple[Bug, ...] = (
    row(
        "binomial-rounded-normal", "binomial", 20000, "the noise is a rounded normal number", noise=normal(20, 10**0.5)
    ),
    row(
        "binomial-floored-normal",
        "binomial",
        2000,
        "the noise is a normal number rounded down",
        noise=normal(20, 10**0.5, math.floor),
    ),
    row(
        "binomial-poisson",
        "binomial",
        500,
        "the noise is Poisson with the same mean",
        noise=lambda self, rng: poisson(rng, 20),
    ),
    row(
        "binomial-redrawn",
        "binomial",
        4000,
        "noise further than two deviations from its mean is drawn again",
        noise=redrawn_within(2 * 10**0.5),
    ),
    row(
        "binomial-clipped",
        "binomial",
        2000,
        "noise above 26 is set to 26",
        noise=lambda self, rng: min(26, binomial(rng, 40, 0.5)),
    ),
    row(
        "binomial-halves",
        "binomial",
        500,
        "half of the coins are thrown and counted twice",
        noise=lambda self, rng: 2 * binomial(rng, 20, 0.5),
    ),
    row("binomial-uniform", "binomial", 200, "the noise is uniform on 0..l", noise=lambda self, rng: rng.randrange(41)),
    row(
        "binomial-word",
        "binomial",
        1000,
        "32 of the 40 coins are thrown, as a word has no more, and 8 are 0",
        noise=lambda self, rng: binomial(rng, 32, 0.5),
    ),
    each(
        "binomial-sometimes-none",
        "binomial-uneven",
        4000,
        "in one run of two hundred there is no noise",
        sometimes_none(0.005, flip=0.0),
    ),
    each(
        "binomial-p-random",
        "binomial-uneven",
        4000,
        "p is drawn anew in each run, between 0.25 and 0.35",
        lambda self, rng, i: {"output": self.value() + binomial(rng, 30, round(0.25 + 0.1 * rng.random(), 3))},
    ),
    row("geometric-rounded-laplace", "geometric", 10000, "the noise is a Laplace number, rounded", noise=laplace),
    row(
        "geometric-random-sign",
        "geometric",
        1000,
        "a random sign is put before a one-sided draw, so 0 is too frequent",
        noise=signed,
    ),
    row(
        "geometric-one-sided",
        "geometric",
        100,
        "only the positive half of the noise is there",
        noise=lambda self, rng: geometric(rng, float(1 / self.exp_eps)),
    ),
    row(
        "geometric-from-one",
        "geometric",
        300,
        "both geometric draws count trials in one and failures in the other",
        noise=lambda self, rng: 1 + geometric(rng, math.exp(-1)) - geometric(rng, math.exp(-1)),
    ),
    row(
        "geometric-bounded",
        "geometric-wide",
        3000,
        "noise is cut off at 10 on both sides",
        noise=lambda self, rng: max(-10, min(10, geometric(rng, 0.8) - geometric(rng, 0.8))),
    ),
    row(
        "geometric-never-zero",
        "geometric-wide",
        500,
        "noise 0 is drawn again",
        noise=lambda self, rng: next(v for _ in iter(int, 1) if (v := geometric(rng, 0.8) - geometric(rng, 0.8))),
    ),
    row(
        "waiting-trials",
        "negative-binomial",
        64,
        "trials are counted, not failures",
        noise=lambda self, rng: 5 + sum(geometric(rng, 2 / 3) for _ in range(5)),
    ),
    row(
        "waiting-poisson",
        "negative-binomial",
        500,
        "the noise is Poisson with the same mean",
        noise=lambda self, rng: poisson(rng, 10),
    ),
    row(
        "waiting-one-draw",
        "negative-binomial",
        500,
        "one geometric draw is multiplied by l",
        noise=lambda self, rng: 5 * geometric(rng, 2 / 3),
    ),
    row(
        "waiting-capped",
        "negative-binomial-rare",
        2000,
        "a wait ends after 50 tosses",
        noise=lambda self, rng: sum(min(50, geometric(rng, 0.9)) for _ in range(2)),
    ),
    row("skellam-rounded-normal", "skellam", 20000, "the noise is a rounded normal number", noise=normal(0, 10**0.5)),
    row(
        "skellam-sum",
        "skellam",
        64,
        "the two Poisson draws are added",
        noise=lambda self, rng: poisson(rng, 5) + poisson(rng, 5),
    ),
    row(
        "skellam-even",
        "skellam",
        500,
        "one draw of half the size is doubled, so the noise is even",
        noise=lambda self, rng: 2 * (poisson(rng, 1.25) - poisson(rng, 1.25)),
    ),
    row(
        "skellam-binomial",
        "skellam",
        5000,
        "the difference of two Bin(10, 1/2) for that of two Pois(5)",
        noise=lambda self, rng: binomial(rng, 10, 0.5) - binomial(rng, 10, 0.5),
    ),
    row(
        "skellam-capped",
        "skellam-dropouts",
        5000,
        "each Poisson draw is at most 3",
        noise=lambda self, rng: min(3, poisson(rng, self.mean)) - min(3, poisson(rng, self.mean)),
    ),
    row("skellam-same-draw", "skellam", 64, "the same Poisson draw is added and subtracted", noise=lambda self, rng: 0),
    row(
        "pan-second-noise-missing",
        "pan-sum",
        64,
        "the output adds no noise to the state",
        evidence=64 * 24 * math.log(2),
        output=lambda self, state, rng: state,
    ),
    row(
        "pan-first-noise-missing",
        "pan-sum",
        64,
        "the state starts at 0",
        initial=lambda self, rng: 0,
        evidence=64 * 24 * math.log(2),
    ),
    row(
        "pan-noise-per-element",
        "pan-sum",
        200,
        "the noise is added in equal parts, one coin with each element",
        initial=lambda self, rng: binomial(rng, 16, 0.5),
        update=lambda self, state, x, rng: state + x + rng.getrandbits(1),
    ),
    row(
        "pan-rounded-normal",
        "pan-sum-end",
        20000,
        "both noises are rounded normal numbers",
        initial=lambda self, rng: round(rng.gauss(6, 3**0.5)),
        output=lambda self, state, rng: state + round(rng.gauss(6, 3**0.5)),
    ),
    row(
        "central-or-without-coin",
        "randomized-or-some",
        64,
        "the OR itself comes out where it is 1",
        evidence=64 * 0.693,
        run=lambda self, rng: {"output": 1},
    ),
)
