"""Ninth zoo: dropouts and output."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, DROPOUTS, OUTPUT, bug, evidence_of
from tests.blind_zoo_draws import bits
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown
from tests.blind_zoo_scenes import SCENES


def everyone(scene):
    return list(SCENES[scene].data)


def last_ones(scene):
    return everyone(scene)[-machine(scene).users :]


def noise_for_the_absent(self, rng):
    present = [self.user(x, rng) for x in self.people]
    return present + [[(1, self.noise(rng))] for _ in range(self.n - self.users)]


def rescaled_chance(scene):
    right = machine(scene)
    return (1 - float(1 - 1 / right.exp_eps) ** (1 / right.users)) / 2


def without_the_closing_share(self, rng):
    present = [self.user(x, rng) for x in self.people]
    return present + [[(1, bit) for bit in bits(rng, self.m - 1)] for _ in range(self.n - self.users)]


def random_participants(self, rng):
    return [self.user(x, rng) for x in rng.sample(self.scene.data, self.users)]


def random_participants_evidence(runs):
    right, law = machine("poisson-binomial-dropouts"), {}
    data, users = right.scene.data, right.users
    ones = sum(data)
    for h in range(max(0, users - len(data) + ones), min(ones, users) + 1):
        share = math.comb(ones, h) * math.comb(len(data) - ones, users - h) / math.comb(len(data), users)
        part = machine("poisson-binomial-dropouts", people=[1] * h + [0] * (users - h)).coordinates()[0]
        for value, mass in part.items():
            law[value] = law.get(value, 0.0) + share * mass
    return evidence_of([law], right.coordinates(), runs)


def residue_of_m(self, pools):
    return pools[0][1] % self.m


def mean_taken_off(self, ones):
    return shown(max(Fraction(0), ones - self.n * self.p))


def floor_division(self, pools):
    zeros, ones = pools[0]
    return int((ones - (zeros + ones) * self.p) // (self.m * (1 - 2 * self.p)))


def first_pool_twice(self, pools):
    return [shown((pools[0][1] - self.n * self.p) / (1 - 2 * self.p)) for _ in pools]


def from_the_threshold_on(self, pools):
    return "not uniform" if self.statistic(pools) >= self.tau else "uniform"


def centred_for_the_domain(self, pools):
    centre = Fraction(self.m, self.k)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - c for c in counts) / centre


def single_precision(self, count):
    value = float((2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))
    return struct.unpack("f", struct.pack("f", value))[0]


BUGS = (
    bug(
        "server-adds-the-missing-noise",
        "binary-sum-dropouts",
        DROPOUTS,
        "For each user who left a noise bit (but no data bit) is added, so that there are n noise bits instead of one"
        " for each user who is present.",
        64,
        CERTAIN,
        vectors=noise_for_the_absent,
    ),
    bug(
        "coin-for-those-present",
        "distinct-dropouts",
        DROPOUTS,
        "The users who stayed make up for the others: p' is computed with the number of users present instead of n.",
        500,
        p_prime=rescaled_chance("distinct-dropouts"),
    ),
    bug(
        "left-before-the-closing-share",
        "modular-dropouts",
        DROPOUTS,
        "Users who left are cut off only after their free shares were sent, so that m-1 random messages of each of them"
        " stay in the pool.",
        64,
        CERTAIN,
        vectors=without_the_closing_share,
    ),
    bug(
        "other-users-leave-in-each-run",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "Who takes part is drawn at random in each run, a sample of gamma*n of all n users, instead of the first"
        " gamma*n users.",
        1000,
        random_participants_evidence(1000),
        vectors=random_participants,
    ),
    bug(
        "data-of-the-absent-counted",
        "skellam-dropouts",
        DROPOUTS,
        "The sum is taken over all n users, also over those who left; only the noise is that of the users present.",
        64,
        people=everyone("skellam-dropouts"),
    ),
    bug(
        "the-first-users-leave",
        "histogram-dropouts",
        DROPOUTS,
        "The wrong end is cut off: the last gamma*n users take part instead of the first gamma*n.",
        64,
        people=last_ones("histogram-dropouts"),
    ),
    bug(
        "residue-modulo-m",
        "modular",
        OUTPUT,
        "The analyzer takes the number of ones modulo m instead of modulo 2.",
        64,
        CERTAIN,
        analyze=residue_of_m,
    ),
    bug(
        "mean-of-the-noise-taken-off",
        "histogram-uneven",
        OUTPUT,
        "The analyzer subtracts the expected number n*p of noise ones from each count instead of n.",
        64,
        CERTAIN,
        above=mean_taken_off,
    ),
    bug(
        "floor-division-of-the-estimate",
        "poisson-binomial",
        OUTPUT,
        "The analyzer divides with the integer division operator, so that the estimate is rounded down.",
        64,
        CERTAIN,
        analyze=floor_division,
    ),
    bug(
        "first-pool-for-both",
        "two-bit-sum",
        OUTPUT,
        "The second estimate is computed from the first pool's ones, a copied line whose index was not changed.",
        64,
        CERTAIN,
        analyze=first_pool_twice,
    ),
    bug(
        "at-the-threshold",
        "uniformity",
        OUTPUT,
        "The analyzer says 'not uniform' already where the statistic equals tau: >= in the place of >.",
        8000,
        CERTAIN,
        analyze=from_the_threshold_on,
    ),
    bug(
        "centred-for-the-whole-domain",
        "compressed",
        OUTPUT,
        "The statistic of the groups is centred and scaled with m/k of the whole domain instead of with m/k_hat.",
        200,
        CERTAIN,
        statistic=centred_for_the_domain,
    ),
    bug(
        "single-precision-estimate",
        "distinct-few-messages",
        OUTPUT,
        "The estimate is computed right but stored as a 32-bit float, so that its digits from the eighth on are wrong.",
        64,
        CERTAIN,
        estimate=single_precision,
    ),
)
