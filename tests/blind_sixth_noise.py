"""Sixth zoo: noise of a wrong law, and what all topics share."""

from __future__ import annotations

import math
from functools import reduce
from statistics import NormalDist

from tests.blind_zoo_bug import NOISE, Bug, bug, evidence_of
from tests.blind_zoo_draws import (
    Law,
    as_law,
    bernoulli,
    binomial_masses,
    bits,
    convolved,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine


def against(scene: str, runs: int, laws: list[Law]) -> float | None:
    """The evidence of these laws of the quantities that a run shows."""
    return evidence_of(laws, machine(scene).coordinates(), runs)


def moved(scene: str, runs: int, by: int) -> float | None:
    """The evidence of a central output that is off by a constant."""
    return against(scene, runs, [shifted(law, by) for law in machine(scene).coordinates()])


def total(laws) -> Law:
    """The law of a sum of independent numbers."""
    return reduce(convolved, laws)


def per_label(bits_of):
    """A user who sends, for each label j, the bits that `bits_of(self, x, j, rng)` gives."""

    def user(self, x, rng):
        return [(j, bit) for j in range(1, self.labels + 1) for bit in bits_of(self, x, j, rng)]

    return user


def laplace(rng, scale):
    return scale * (rng.expovariate(1) - rng.expovariate(1))


def signed(self, rng):
    size = geometric(rng, float(1 / self.exp_eps))
    return size if rng.getrandbits(1) else -size


def symmetric_masses(scene: str, mass) -> list[Law]:
    """The law of the true value plus noise whose mass at v is `mass(v, r)`."""
    plain = machine(scene)
    r = float(1 / plain.exp_eps)
    return [{plain.value() + v: mass(v, r) for v in range(-200, 201)}]


def truncated_gaussian() -> list[Law]:
    bell = NormalDist(9, math.sqrt(6.3))
    law = {v: bell.cdf(v + 1) - bell.cdf(v) for v in range(1, 31)}
    law[0] = bell.cdf(1) - bell.cdf(-1)
    return [shifted(law, 4)]


def uniform_counts(scene: str) -> list[Law]:
    plain = machine(scene)
    law = dict.fromkeys(range(plain.lam + 1), 1 / (plain.lam + 1))
    return [shifted(law, sum(part)) for part in (plain.people[: plain.t], plain.people[plain.t :])]


def all_or_none(scene: str) -> list[Law]:
    plain = machine(scene)
    chances = (plain.flip if x == 0 else 1 - plain.flip for x in plain.people)
    return [total({0: 1 - p, plain.m: p} for p in chances)]


def capped_sizes(scene: str, cap: int) -> float:
    """The divergence of the sizes of all pools where no user draws a Poisson number above the cap."""
    plain = machine(scene)
    masses = poisson_masses(float(plain.mean))
    law = {v: mass for v, mass in enumerate(masses) if v < cap}
    law[cap] = 1 - sum(law.values())
    right = as_law(poisson_masses(float(plain.mean) * len(plain.people)))
    return plain.labels * evidence_of([total([law] * len(plain.people))], [right], 1)


def copies_flipped_together(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip))] * self.m


def uniform_number(self, rng):
    return rng.randint(0, self.lam)


FIXED = 300 * 4 * -math.log(poisson_masses(20.0)[20])
RARE_VALUES = {3 + 2 * g: 0.1 * 0.9**g for g in range(2000)}
HALF_ZERO = symmetric_masses("geometric-wide", lambda v, r: (1 - r) * r ** abs(v) / (2 if v else 1))
FLOORED = symmetric_masses("geometric", lambda v, r: (1 - r) * r ** (v if v >= 0 else -v - 1) / 2)

BUGS: tuple[Bug, ...] = (
    bug(
        "truncated-gaussian",
        "binomial-uneven",
        NOISE,
        "The binomial noise is replaced by a normal approximation that is cut to a whole number with int() and so "
        "lies half too low.",
        3000,
        against("binomial-uneven", 3000, truncated_gaussian()),
        noise=lambda self, rng: int(rng.gauss(9, math.sqrt(6.3))),
    ),
    bug(
        "trials-not-failures",
        "negative-binomial",
        NOISE,
        "The geometric sampler counts all trials up to the first success instead of the failures only, so each of the "
        "l numbers is one too large.",
        300,
        moved("negative-binomial", 300, 5),
        noise=lambda self, rng: sum(1 + geometric(rng, 1 - self.flip) for _ in range(self.l)),
    ),
    bug(
        "one-geometric-times-l",
        "negative-binomial-rare",
        NOISE,
        "One geometric number is multiplied by l instead of adding l independent ones.",
        300,
        against("negative-binomial-rare", 300, [RARE_VALUES]),
        noise=lambda self, rng: self.l * geometric(rng, 1 - self.flip),
    ),
    bug(
        "centred-poisson",
        "skellam",
        NOISE,
        "The noise is one Poisson number of mean lambda minus its mean instead of the difference of two Poisson "
        "numbers, so it is skewed.",
        5000,
        against("skellam", 5000, [shifted(as_law(poisson_masses(10.0)), 4 - 10)]),
        noise=lambda self, rng: poisson(rng, 10) - 10,
    ),
    bug(
        "zero-twice",
        "geometric-wide",
        NOISE,
        "The two-sided geometric noise is a one-sided one with a random sign, so zero comes up from both signs and is "
        "too frequent.",
        3000,
        against("geometric-wide", 3000, HALF_ZERO),
        noise=signed,
    ),
    bug(
        "floored-laplace",
        "geometric",
        NOISE,
        "Continuous Laplace noise is rounded down with floor() instead of drawing the two-sided geometric law, so the "
        "noise is shifted by a half downwards.",
        1000,
        against("geometric", 1000, FLOORED),
        noise=lambda self, rng: math.floor(laplace(rng, 1)),
    ),
    bug(
        "uniform-counts",
        "pan-sum",
        NOISE,
        "Both noises are drawn uniformly from 0 to lambda instead of from the binomial law.",
        200,
        against("pan-sum", 200, uniform_counts("pan-sum")),
        initial=uniform_number,
        output=lambda self, state, rng: state + uniform_number(self, rng),
    ),
    bug(
        "fixed-noise-count",
        "uniformity",
        NOISE,
        "Each user sends exactly lambda/n noise bits for each label instead of a Poisson number of them.",
        300,
        FIXED,
        user=per_label(lambda self, x, j, rng: (int(x == j), *bits(rng, 2))),
    ),
    bug(
        "noise-or-value",
        "binary-sum-large",
        NOISE,
        "The noise bit is combined with the user's own bit by OR, so users who hold 1 always send a 1 as noise.",
        200,
        against("binary-sum-large", 200, [shifted(as_law(binomial_masses(42, 0.75)), 36)]),
        user=lambda self, x, rng: [(1, x), (1, x | self.noise(rng))],
    ),
    bug(
        "randint-both-ends",
        "binary-sum",
        NOISE,
        "The noise coin compares randint(0, 10), which includes both ends, with 10 p, so it is 1 with probability "
        "4/11 instead of 1/3.",
        3000,
        flip=4 / 11,
    ),
    bug(
        "coin-instead-of-flip",
        "two-bit-sum",
        NOISE,
        "With probability p a bit is replaced by a fair coin instead of being flipped, so it is flipped with "
        "probability p/2 only.",
        400,
        flip=1 / 8,
    ),
    bug(
        "one-flip-for-copies",
        "poisson-binomial",
        NOISE,
        "The bit is flipped once and then sent m times instead of flipping each of the m copies independently.",
        300,
        against("poisson-binomial", 300, all_or_none("poisson-binomial")),
        user=copies_flipped_together,
    ),
    bug(
        "poisson-capped",
        "uniformity-default",
        NOISE,
        "The Poisson sampler's loop stops at 3, so a user never sends more than three noise bits for a label.",
        5000,
        5000 * capped_sizes("uniformity-default", 3),
        user=per_label(lambda self, x, j, rng: (int(x == j), *bits(rng, min(3, poisson(rng, self.mean))))),
    ),
)
