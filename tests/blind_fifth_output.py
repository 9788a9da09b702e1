"""Fifth zoo: the output, and the state."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_fifth_tools import known, mapped
from tests.blind_zoo_bug import CERTAIN, OUTPUT, STATE, Bug, bug, run_by_run
from tests.blind_zoo_draws import binomial, geometric
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown
from tests.blind_zoo_scenes import SCENES


def statistic(self, pools, centre, correction):
    """The uniformity statistic with a centre and a bias correction of one's own."""
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - correction * c for c in counts) / centre


def reached(self, pools):
    return "not uniform" if self.statistic(pools) >= self.tau else "uniform"


def biased_by_universe(self, count):
    return shown((2 * count * self.exp_eps - self.k) / (self.exp_eps - 1))


def wrong_divisor(self, pools):
    zeros, ones = pools[0]
    return shown((ones - (zeros + ones) * self.p) / (self.m * (1 - self.p)))


def even_counted(self, pools):
    return self.estimate(sum(ones % 2 == 0 for _, ones in pools))


def clamped(self, rng):
    noise = geometric(rng, 0.8) - geometric(rng, 0.8)
    return min(4, max(0, 3 + noise)) - 3


def accumulated(self, rng):
    return self.__dict__.get("kept", 0) + binomial(rng, self.lam, self.chance)


def accumulating(self, state, rng):
    self.kept = state
    return state + binomial(rng, self.lam, self.chance)


def left_too_early(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left > 1 else self.dummy(rng), rng), max(0, left - 1)


def never_used_up(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left


BUGS: tuple[Bug, ...] = (
    bug(
        "binary-sum-mean-subtracted",
        "binary-sum-large",
        OUTPUT,
        "The analyzer subtracts the mean n p of the noise from the ones instead of n.",
        200,
        CERTAIN,
        above=lambda self, ones: max(0, ones - int(self.n * self.p)),
    ),
    bug(
        "two-bit-not-rescaled",
        "two-bit-sum",
        OUTPUT,
        "The estimates are not divided by 1 - 2p after the mean of the flips is subtracted.",
        200,
        CERTAIN,
        analyze=lambda self, pools: [shown(ones - self.n * self.p) for _, ones in pools],
    ),
    bug(
        "poisson-binomial-wrong-divisor",
        "poisson-binomial",
        OUTPUT,
        "The estimate is divided by m(1 - p) instead of m(1 - 2p).",
        200,
        CERTAIN,
        analyze=wrong_divisor,
    ),
    bug(
        "hashed-universe-in-estimate",
        "hashed",
        OUTPUT,
        "The estimator subtracts the size k of the universe instead of the number of hash values.",
        200,
        CERTAIN,
        estimate=biased_by_universe,
    ),
    bug(
        "uniformity-threshold-reached",
        "uniformity",
        OUTPUT,
        "The analyzer rejects already when the statistic equals the threshold (>= instead of >).",
        5000,
        CERTAIN,
        analyze=reached,
    ),
    bug(
        "uniformity-bias-kept",
        "uniformity-default",
        OUTPUT,
        "The statistic forgets to subtract the counts, which corrects the bias of the squares.",
        1000,
        CERTAIN,
        statistic=lambda self, pools: statistic(self, pools, Fraction(self.m, self.labels), 0),
    ),
    bug(
        "compressed-centre-of-universe",
        "compressed",
        OUTPUT,
        "The statistic centres the counts at n/k of the whole universe instead of n divided by the number of groups.",
        1000,
        CERTAIN,
        statistic=lambda self, pools: statistic(self, pools, Fraction(self.m, self.k), 1),
    ),
    known(
        "geometric-output-clamped",
        "geometric-wide",
        OUTPUT,
        "The output is clamped to the range from 0 to k.",
        200,
        [mapped(machine("geometric-wide").coordinates()[0], lambda v: min(4, max(0, v)))],
        noise=clamped,
    ),
    bug(
        "pan-distinct-even-counted",
        "pan-distinct",
        OUTPUT,
        "The analyzer counts the pools with an even number of ones instead of an odd one.",
        1000,
        analyze=even_counted,
    ),
    bug(
        "histogram-output-sorted",
        "histogram-uneven",
        OUTPUT,
        "The estimated counts are sorted in decreasing order, so they no longer belong to the values.",
        400,
        CERTAIN,
        analyze=lambda self, pools: sorted((self.above(ones) for _, ones in pools), reverse=True),
    ),
    bug(
        "pan-sum-first-element-skipped",
        "pan-sum-formula",
        STATE,
        "The update loop starts at the second element, so the first is never added to the state.",
        4000,
        people=[0, *SCENES["pan-sum-formula"].data[1:]],
    ),
    bug(
        "pan-histogram-intrusion-too-early",
        "pan-histogram",
        STATE,
        "The state is shown before instead of after the update by the t-th element.",
        600,
        t=2,
    ),
    bug(
        "pan-distinct-random-dummies",
        "pan-distinct",
        STATE,
        "The dummy users of the initial state hold random values instead of the value 1.",
        500,
        dummy=lambda self, rng: rng.randrange(self.k) + 1,
    ),
    bug(
        "pan-uniformity-counter-not-lowered",
        "pan-uniformity-late",
        STATE,
        "The counter of elements still to be used is never lowered, so the whole stream is used.",
        200,
        CERTAIN,
        update=never_used_up,
    ),
    bug(
        "pan-uniformity-last-element-replaced",
        "pan-uniformity-late",
        STATE,
        "The update uses an element only while more than one is left, so one too few is used and a dummy instead.",
        4000,
        update=left_too_early,
    ),
    bug(
        "pan-uniformity-constant-dummies",
        "pan-uniformity",
        STATE,
        "All dummy users hold the value 1 instead of random values.",
        500,
        dummy=lambda self, rng: 1,
    ),
    bug(
        "pan-histogram-start-at-zero",
        "pan-histogram-start",
        STATE,
        "The counters of the initial state are 0, and both noises are added at the release only.",
        200,
        CERTAIN,
        initial=lambda self, rng: [0] * self.k,
        output=lambda self, state, rng: [count + binomial(rng, 2 * self.lam, self.chance) for count in state],
    ),
    run_by_run(
        "pan-sum-state-kept",
        "pan-sum-end",
        STATE,
        "The state is not cleared after a run: the next run adds its noise and elements to the old state.",
        200,
        lambda wrong, rng, i: wrong.run(rng),
        CERTAIN,
        initial=accumulated,
        output=accumulating,
    ),
)
