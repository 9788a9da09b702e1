"""Fifth zoo: the noise."""

from __future__ import annotations

import math

from tests.blind_fifth_tools import folded, known, mapped, mixed
from tests.blind_zoo_bug import NOISE, Bug, bug, drawn_from, evidence_of
from tests.blind_zoo_draws import (
    Biased,
    Coarse,
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine

SPREAD = math.sqrt(6.3)
MOST = 5
"""Noise messages that the cut table of the Poisson law knows."""


class Nibbles(Coarse):
    """Random fractions of four bits."""

    width = 4


def normal_below(x):
    return (1 + math.erf((x - 9) / SPREAD / math.sqrt(2))) / 2


def floored_normal():
    law = {4 + v: normal_below(v + 1) - normal_below(v) for v in range(1, 30)}
    return {4: normal_below(1), **law, 34: 1 - normal_below(30)}


def fixed_number(self, x, rng):
    return [(j, bit) for j in range(1, self.k + 1) for bit in (int(x == j), *bits(rng, int(self.mean)))]


def cut_poisson(self, x, rng):
    return [
        (j, bit) for j in range(1, self.k + 1) for bit in (int(x == j), *bits(rng, min(MOST, poisson(rng, self.mean))))
    ]


def one_flip_repeated(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip))] * self.m


def short_geometric(self, rng):
    total = 0
    for _ in range(self.l):
        part = geometric(rng, 1 - self.flip)
        while part > 30:
            part = geometric(rng, 1 - self.flip)
        total += part
    return total


def short_law(p, most):
    masses = [p * (1 - p) ** g for g in range(most + 1)]
    return as_law(tuple(mass / sum(masses) for mass in masses))


def one_signed(law):
    """A value with a fair sign."""
    return mixed([law, mapped(law, lambda v: -v)])


def signed(rng, value):
    return -value if rng.getrandbits(1) else value


BUGS: tuple[Bug, ...] = (
    drawn_from(
        "binary-sum-four-bit-fractions",
        "binary-sum",
        NOISE,
        "Random fractions have only four bits, so a noise bit is 1 with probability 6/16 instead of 1/3.",
        2000,
        lambda rng: Nibbles(rng.getrandbits(64)),
        evidence_of(machine("binary-sum", flip=6 / 16).coordinates(), machine("binary-sum").coordinates(), 2000),
    ),
    drawn_from(
        "pan-sum-unwhitened-bits",
        "pan-sum",
        NOISE,
        "The noise coins come from a hardware source, not whitened, whose bits are 1 in 51 of 100 cases.",
        5000,
        lambda rng: Biased(rng.getrandbits(64)),
        evidence_of(machine("pan-sum", chance=0.51).coordinates(), machine("pan-sum").coordinates(), 5000),
    ),
    known(
        "binomial-noise-added-twice",
        "binomial",
        NOISE,
        "The noise is added by the sum and once more by the release, so it is Bin(2l, 1/2).",
        200,
        machine("binomial", l=80).coordinates(),
        noise=lambda self, rng: binomial(rng, 2 * self.l, self.flip),
    ),
    known(
        "binomial-floored-normal",
        "binomial-uneven",
        NOISE,
        "The binomial noise is replaced by a normal variable of the same mean and variance, rounded down and clipped.",
        4000,
        [floored_normal()],
        noise=lambda self, rng: min(30, max(0, math.floor(rng.gauss(9, SPREAD)))),
    ),
    known(
        "skellam-random-sign",
        "skellam",
        NOISE,
        "The noise is one Poisson variable with a random sign instead of the difference of two Poisson variables.",
        300,
        [shifted(one_signed(as_law(poisson_masses(5.0))), 4)],
        noise=lambda self, rng: signed(rng, poisson(rng, self.mean)),
    ),
    known(
        "negative-binomial-counts-trials",
        "negative-binomial",
        NOISE,
        "The geometric sampler counts trials from 1 instead of failures from 0, so the noise is l too large.",
        300,
        [shifted(machine("negative-binomial").coordinates()[0], 5)],
        noise=lambda self, rng: sum(1 + geometric(rng, 1 - self.flip) for _ in range(self.l)),
    ),
    known(
        "negative-binomial-short-table",
        "negative-binomial-rare",
        NOISE,
        "The geometric noise is drawn from a table that ends at 30, so the tail above is missing.",
        2000,
        [shifted(folded(short_law(0.1, 30), 2), 3)],
        noise=short_geometric,
    ),
    known(
        "geometric-zero-twice",
        "geometric",
        NOISE,
        "The two-sided geometric noise is a geometric variable with a random sign, so 0 is twice too likely.",
        1500,
        [shifted(one_signed(short_law(1 - math.exp(-1), 600)), 5)],
        noise=lambda self, rng: signed(rng, geometric(rng, math.exp(-1))),
    ),
    bug(
        "poisson-binomial-random-bit",
        "poisson-binomial",
        NOISE,
        "With probability p a bit is replaced by a random bit instead of being flipped, so it changes only with p/2.",
        600,
        flip=1 / 8,
    ),
    known(
        "poisson-binomial-one-flip",
        "poisson-binomial-dropouts",
        NOISE,
        "A user flips a bit once and sends the same noisy bit m times instead of flipping each of the m copies.",
        200,
        [mapped(machine("poisson-binomial-dropouts", m=1).coordinates()[0], lambda ones: 4 * ones)],
        user=one_flip_repeated,
    ),
    known(
        "pan-sum-release-without-noise",
        "pan-sum-end",
        NOISE,
        "The second noise is forgotten: the state is released as it is.",
        200,
        [shifted(as_law(binomial_masses(12, 0.5)), 3)],
        output=lambda self, state, rng: state,
    ),
    known(
        "uniformity-cut-poisson",
        "uniformity",
        NOISE,
        "The number of a user's noise messages in a pool is capped at 5, the end of the programmer's Poisson table.",
        4000,
        [folded(mapped(as_law(poisson_masses(2.0)), lambda v: min(v, MOST)), 10)] * 4,
        [as_law(poisson_masses(20.0))] * 4,
        user=cut_poisson,
    ),
    known(
        "uniformity-fixed-number-of-noise",
        "uniformity-default",
        NOISE,
        "Every user sends exactly lam/n = 1 noise message to each pool instead of a Poisson number of them.",
        200,
        [{8: 1.0}] * 3,
        [as_law(poisson_masses(8.0))] * 3,
        user=fixed_number,
    ),
)
