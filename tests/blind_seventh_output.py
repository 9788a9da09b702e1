"""Seventh zoo: dropouts and the output."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_seventh_noise import known
from tests.blind_zoo_bug import CERTAIN, DROPOUTS, OUTPUT, bug
from tests.blind_zoo_draws import bernoulli, shifted
from tests.blind_zoo_protocols import shown
from tests.blind_zoo_scenes import SCENES


def each_by_chance(self, rng):
    share = float(Fraction(self.scene.parameters["gamma"]))
    return [self.user(x, rng) for x in self.scene.data if bernoulli(rng, share)]


def random_sample(self, rng):
    return [self.user(x, rng) for x in rng.sample(self.scene.data, self.users)]


def gone_after_first(self, rng):
    vectors = [self.user(x, rng) for x in self.scene.data]
    return vectors[: self.users] + [vector[:1] for vector in vectors[self.users :]]


def below_zero(self, ones):
    return ones - self.n


def whole(self, pools):
    return [round((ones - self.n * self.p) / (1 - 2 * self.p)) for _, ones in pools]


def divided_by_other(self, pools):
    zeros, ones = pools[0]
    return shown((ones - (zeros + ones) * self.p) / (self.m * (1 - self.p)))


def no_correction(self, pools):
    centre = Fraction(self.m, self.labels)
    return sum((ones - Fraction(zeros + ones - self.n, 2) - centre) ** 2 for zeros, ones in pools) / centre


def all_for_any(self):
    return self.high if all(self.people) else self.low


def all_for_any_law(right):
    return [{1: float(right.low), 0: 1 - float(right.low)}]


def plus_one(self, count):
    return shown((2 * count * self.exp_eps - self.labels) / (self.exp_eps + 1))


def mean_removed(self, rng):
    return {"output": self.value() + self.noise(rng) - self.l // 2}


def into_range(self, rng):
    return {"output": min(self.k, max(0, self.value() + self.noise(rng)))}


def into_range_law(right):
    law = {}
    for value, mass in right.coordinates()[0].items():
        place = min(right.k, max(0, value))
        law[place] = law.get(place, 0.0) + mass
    return [law]


BUGS = (
    bug(
        "more-noise-each",
        "binary-sum-dropouts",
        DROPOUTS,
        "The users that stay raise p by n/(number of users left) to make up for those that dropped out.",
        300,
        flip=0.75,
    ),
    bug(
        "noise-of-all",
        "skellam-dropouts",
        DROPOUTS,
        "The noise is that of all n users although those that dropped out add none: its mean isn't scaled by gamma.",
        400,
        mean=Fraction(3),
    ),
    bug(
        "first-drop-out",
        "modular-dropouts",
        DROPOUTS,
        "The first users are dropped instead of the last: the slice takes the wrong end of the data.",
        200,
        people=SCENES["modular-dropouts"].data[3:],
    ),
    bug(
        "each-by-chance",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "Each user stays with probability gamma on their own, so the number of users left varies from run to run.",
        200,
        CERTAIN,
        vectors=each_by_chance,
    ),
    bug(
        "random-sample",
        "histogram-dropouts",
        DROPOUTS,
        "The users that stay are a fresh random sample of the right size in each run, not the first ones.",
        400,
        vectors=random_sample,
    ),
    bug(
        "gone-after-first",
        "two-bit-sum-dropouts",
        DROPOUTS,
        "Users that drop out have sent their first message already, so pool 1 holds the messages of all n users.",
        200,
        CERTAIN,
        vectors=gone_after_first,
    ),
    bug(
        "lam-shared-by-rest",
        "uniformity-dropouts",
        DROPOUTS,
        "lam is divided by the number of users left instead of n, so they make up for the missing noise.",
        200,
        mean=Fraction(3, 2),
    ),
    bug(
        "p-prime-for-rest",
        "distinct-dropouts",
        DROPOUTS,
        "p' is computed with the number of users left instead of n, so each user's coins come up 1 too often.",
        1200,
        p_prime=(1 - 0.9**2) / 2,
    ),
    bug(
        "below-zero",
        "binary-sum",
        OUTPUT,
        "The analyzer doesn't raise negative results to 0: it outputs the ones less n as they are.",
        200,
        CERTAIN,
        above=below_zero,
    ),
    bug(
        "whole-estimates",
        "two-bit-sum-dropouts",
        OUTPUT,
        "The analyzer rounds its estimates to whole numbers.",
        200,
        CERTAIN,
        analyze=whole,
    ),
    bug(
        "divided-by-one-minus-p",
        "poisson-binomial",
        OUTPUT,
        "The analyzer divides by m(1 - p) instead of m(1 - 2p) to rescale the sum.",
        200,
        CERTAIN,
        analyze=divided_by_other,
    ),
    bug(
        "no-correction",
        "uniformity",
        OUTPUT,
        "The test statistic is the plain chi-squared one: the count isn't subtracted from each square.",
        500,
        CERTAIN,
        statistic=no_correction,
    ),
    bug(
        "all-for-any",
        "randomized-or-some",
        OUTPUT,
        "The analyzer computes the AND of the bits instead of the OR, so one user with a 1 doesn't count.",
        400,
        known("randomized-or-some", 400, all_for_any_law),
        chance=all_for_any,
    ),
    bug(
        "plus-one",
        "pan-distinct-odd",
        OUTPUT,
        "The estimate is divided by e^eps + 1 instead of e^eps - 1.",
        200,
        CERTAIN,
        estimate=plus_one,
    ),
    bug(
        "mean-removed",
        "binomial-formula",
        OUTPUT,
        "The output is centred: half of l (the mean of the noise, rounded down) is subtracted from it.",
        200,
        known("binomial-formula", 200, lambda right: [shifted(right.coordinates()[0], -(right.l // 2))]),
        run=mean_removed,
    ),
    bug(
        "into-range",
        "geometric-wide",
        OUTPUT,
        "The output is clipped to the possible numbers of elements, 0 to k.",
        300,
        known("geometric-wide", 300, into_range_law),
        run=into_range,
    ),
)
