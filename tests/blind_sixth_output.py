"""Sixth zoo: analyzers with a wrong rescaling, rounding, threshold or bias correction."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_sixth_noise import against, moved
from tests.blind_zoo_bug import CERTAIN, OUTPUT, Bug, bug
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import DistinctElements, PoissonBinomial, shown


def clipped_laws(scene, least, most):
    law: dict[int, float] = {}
    for value, mass in machine(scene).coordinates()[0].items():
        kept = min(max(value, least), most)
        law[kept] = law.get(kept, 0.0) + mass
    return [law]


def clamped_run(self, rng):
    return {"output": min(max(self.value() + self.noise(rng), 0), self.k)}


def centred_run(self, rng):
    return {"output": self.value() + self.noise(rng) - self.l // 2}


def factor_lost(self, count):
    return shown((count * self.exp_eps - self.labels) / (self.exp_eps - 1))


def universe_for_bins(self, count):
    return shown((2 * count * self.exp_eps - self.k) / (self.exp_eps - 1))


def clamped_estimate(self, count):
    return min(max(DistinctElements.estimate(self, count), 0), self.k)


def bias_of_all_users(self, pools):
    return shown((pools[0][1] - self.n * self.m * self.p) / (self.m * (1 - 2 * self.p)))


def uncorrected(self, pools):
    centre = Fraction(self.m, self.labels)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 for c in counts) / centre


def spread_not_rooted():
    """The default threshold with the variance where its root belongs."""
    plain = machine("uniformity-default")
    middle = plain.labels**2 * float(plain.lam) / (4 * plain.m)
    return middle + (plain.tau - middle) ** 2


BUGS: tuple[Bug, ...] = (
    bug(
        "noise-mean-subtracted",
        "binomial",
        OUTPUT,
        "The mean l/2 of the noise is subtracted from the output, which should be released as it is.",
        200,
        moved("binomial", 200, -20),
        run=centred_run,
    ),
    bug(
        "factor-two-lost",
        "distinct",
        OUTPUT,
        "The estimate lacks the factor 2 of the count of odd pools.",
        200,
        CERTAIN,
        estimate=factor_lost,
    ),
    bug(
        "estimate-rounded",
        "poisson-binomial",
        OUTPUT,
        "The estimate is rounded to a whole number before it is released.",
        200,
        CERTAIN,
        analyze=lambda self, pools: round(PoissonBinomial.analyze(self, pools)),
    ),
    bug(
        "bias-of-all-users",
        "poisson-binomial-dropouts",
        OUTPUT,
        "The analyzer subtracts the bias p n m of all n users instead of p times the number of messages that arrived.",
        200,
        CERTAIN,
        analyze=bias_of_all_users,
    ),
    bug(
        "statistic-uncorrected",
        "uniformity",
        OUTPUT,
        "The statistic lacks the correction that subtracts each count, so it is too large and the verdict is too "
        "often 'not uniform'.",
        500,
        CERTAIN,
        statistic=uncorrected,
    ),
    bug(
        "threshold-not-rooted",
        "uniformity-default",
        OUTPUT,
        "The threshold has twice the variance where its square root belongs, so it is far too high.",
        500,
        CERTAIN,
        tau=spread_not_rooted(),
    ),
    bug(
        "clamped-to-range",
        "geometric-wide",
        OUTPUT,
        "The output is clamped to the range from 0 to k after the noise was added.",
        300,
        against("geometric-wide", 300, clipped_laws("geometric-wide", 0, 4)),
        run=clamped_run,
    ),
    bug(
        "small-counts-suppressed",
        "histogram-uneven",
        OUTPUT,
        "Counts below 2 are suppressed: the analyzer's threshold is 2 instead of 0.",
        300,
        CERTAIN,
        above=lambda self, ones: ones - self.n if ones - self.n >= 2 else 0,
    ),
    bug(
        "estimate-clamped",
        "pan-distinct",
        OUTPUT,
        "The estimate is clamped to the range from 0 to k.",
        500,
        estimate=clamped_estimate,
    ),
    bug(
        "universe-for-bins",
        "hashed",
        OUTPUT,
        "The estimate's bias correction uses the size k of the universe instead of the number of bins of the hash.",
        200,
        CERTAIN,
        estimate=universe_for_bins,
    ),
)
