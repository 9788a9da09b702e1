"""Bugs in what comes out in the end: the analyzer, and what is done with its answer."""

from __future__ import annotations

from fractions import Fraction
from math import log
from types import SimpleNamespace

from tests.blind_zoo_bug import CERTAIN, OUTPUT, Bug, bug, passed_on
from tests.blind_zoo_draws import binomial
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown


def row(name: str, scene: str, runs: int, cause: str, evidence: float | None = CERTAIN, **changes) -> Bug:
    return bug(name, scene, OUTPUT, cause, runs, evidence, **changes)


def previous_output(runs, rng, count):
    """The output of a run stands beside the messages of the next."""
    before = None
    for run in runs:
        yield run if before is None else {**run, "output": before["output"]}
        before = run


def wrong_one_time_in(often, change):
    def handle(runs, rng, count):
        for i, run in enumerate(runs):
            yield {**run, "output": change(run["output"])} if i % often == often - 1 else run

    return handle


def counts_rounded_down(self, pools):
    counts = [ones - (zeros + ones - self.n) // 2 for zeros, ones in pools]
    centre = Fraction(self.m, self.labels)
    return sum((c - centre) ** 2 - c for c in counts) / centre


def without_correction(self, pools):
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    centre = Fraction(self.m, self.labels)
    return sum((c - centre) ** 2 for c in counts) / centre


def last_pool_left_out(self, pools):
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools[:-1]]
    centre = Fraction(self.m, self.labels)
    return sum((c - centre) ** 2 - c for c in counts) / centre


def of_noise(self, pools):
    """c_j from the ones alone, less lam/2, as if the number of noise bits were its mean."""
    counts = [ones - Fraction(self.lam) / 2 for _, ones in pools]
    centre = Fraction(self.m, self.labels)
    return sum((c - centre) ** 2 - c for c in counts) / centre


def clip(low, high):
    return lambda self, count: shown(max(low, min(high, (2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))))


ESTIMATE = SimpleNamespace(
    biased=lambda self, count: shown(Fraction(count)),
    half=lambda self, count: shown((count * self.exp_eps - self.labels) / (self.exp_eps - 1)),
    rounded=lambda self, count: round((2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1)),
    plus=lambda self, count: shown((2 * count * self.exp_eps - self.labels) / (self.exp_eps + 1)),
)


TAU = machine("uniformity-default").tau


BUGS: tuple[Bug, ...] = (
    row("zsum-not-above", "binary-sum-large", 64, "n is not subtracted", above=lambda self, ones: ones),
    row(
        "zsum-not-clipped",
        "binary-sum-large",
        300,
        "negative results stay negative",
        above=lambda self, ones: ones - self.n,
    ),
    row(
        "zsum-above-n-minus-one",
        "binary-sum-large",
        300,
        "ones above n - 1 are counted",
        above=lambda self, ones: max(0, ones - self.n + 1),
    ),
    row(
        "zsum-debiased",
        "binary-sum-large",
        64,
        "the mean of the noise is subtracted, not n",
        above=lambda self, ones: shown(ones - self.n * self.p),
    ),
    row(
        "zsum-above-users",
        "binary-sum-dropouts",
        300,
        "the users who take part are subtracted, not n",
        above=lambda self, ones: max(0, ones - self.users),
    ),
    row(
        "histogram-above-users",
        "histogram-dropouts",
        300,
        "the users who take part are subtracted, not n",
        above=lambda self, ones: max(0, ones - self.users),
    ),
    row(
        "histogram-normalized",
        "histogram-uneven",
        300,
        "frequencies are given, not counts",
        analyze=lambda self, pools: [shown(Fraction(self.above(ones), self.n)) for _, ones in pools],
    ),
    row(
        "histogram-reversed",
        "histogram-uneven",
        500,
        "the counts are given from the last to the first",
        analyze=lambda self, pools: [self.above(ones) for _, ones in pools][::-1],
    ),
    row(
        "modular-zeros",
        "modular-dropouts",
        64,
        "1 less the sum of the zeros mod 2 comes out, as if the messages were odd in number",
        analyze=lambda self, pools: pools[0][0] % 2 ^ 1,
    ),
    row(
        "modular-majority",
        "modular",
        64,
        "the majority bit comes out",
        analyze=lambda self, pools: int(pools[0][1] > 12),
    ),
    row("or-estimate-biased", "distinct", 64, "the estimate is not de-biased", estimate=ESTIMATE.biased),
    row("or-estimate-factor", "distinct", 64, "the factor 2 of the estimate is forgotten", estimate=ESTIMATE.half),
    row("or-estimate-rounded", "distinct-few-messages", 64, "the estimate is rounded", estimate=ESTIMATE.rounded),
    row("or-estimate-clipped", "distinct", 300, "the estimate is clipped to 0..k", estimate=clip(0, 4)),
    row("or-estimate-clipped-above", "hashed", 500, "the estimate is clipped at n", estimate=clip(-99, 5)),
    row("or-estimate-sign", "hashed", 64, "the denominator has + for -", estimate=ESTIMATE.plus),
    row(
        "or-estimate-of-k",
        "hashed",
        64,
        "k stands in the estimate where k' belongs",
        estimate=lambda self, count: shown((2 * count * self.exp_eps - self.k) / (self.exp_eps - 1)),
    ),
    row(
        "or-estimate-dropouts",
        "distinct-dropouts",
        64,
        "e^eps of the estimate is computed for those who take part",
        estimate=lambda self, count: shown(
            (2 * count / (1 - Fraction(9, 10) ** 4) - 4) / (1 / (1 - Fraction(9, 10) ** 4) - 1)
        ),
    ),
    row(
        "or-single-precision",
        "distinct-few-messages",
        64,
        "e is 2.7183 in the estimate",
        estimate=lambda self, count: shown((2 * count * Fraction("2.7183") - 6) / (Fraction("2.7183") - 1)),
    ),
    row(
        "copies-not-debiased",
        "poisson-binomial",
        64,
        "the mean number of ones comes out",
        analyze=lambda self, pools: shown(Fraction(pools[0][1], self.m)),
    ),
    row(
        "copies-of-n",
        "poisson-binomial-dropouts",
        64,
        "the estimate counts n users, not those who take part",
        analyze=lambda self, pools: shown((pools[0][1] - self.n * self.m * self.p) / (self.m * (1 - 2 * self.p))),
    ),
    row(
        "copies-scaled",
        "poisson-binomial",
        64,
        "1 - p stands where 1 - 2p belongs",
        analyze=lambda self, pools: shown((pools[0][1] - sum(pools[0]) * self.p) / (self.m * (1 - self.p))),
    ),
    row(
        "two-bits-transposed",
        "two-bit-sum",
        64,
        "the second estimate comes first",
        analyze=lambda self, pools: [shown((ones - self.n * self.p) / (1 - 2 * self.p)) for _, ones in pools[::-1]],
    ),
    row(
        "two-bits-of-users",
        "two-bit-sum-dropouts",
        64,
        "the estimates count those who take part, not n",
        analyze=lambda self, pools: [shown((ones - self.users * self.p) / (1 - 2 * self.p)) for _, ones in pools],
    ),
    row(
        "two-bits-clipped",
        "two-bit-sum",
        500,
        "estimates are clipped to 0..n",
        analyze=lambda self, pools: [
            shown(max(0, min(self.n, (ones - self.n * self.p) / (1 - 2 * self.p)))) for _, ones in pools
        ],
    ),
    row(
        "two-bits-integer-division",
        "two-bit-sum-dropouts",
        64,
        "estimates are divided without a remainder",
        analyze=lambda self, pools: [int((ones - self.n * self.p) // (1 - 2 * self.p)) for _, ones in pools],
    ),
    row(
        "tester-swapped",
        "uniformity",
        64,
        "the two answers are swapped",
        analyze=lambda self, pools: "uniform" if self.statistic(pools) > self.tau else "not uniform",
    ),
    row(
        "tester-not-strict",
        "uniformity",
        4000,
        "Z' >= tau for Z' > tau",
        analyze=lambda self, pools: "not uniform" if self.statistic(pools) >= self.tau else "uniform",
    ),
    row("tester-rounded-counts", "uniformity", 500, "half counts are rounded", statistic=counts_rounded_down),
    row(
        "tester-uncorrected",
        "uniformity-default",
        300,
        "c_j is not subtracted from its square",
        statistic=without_correction,
    ),
    row("tester-last-pool", "uniformity", 300, "the loop over pools leaves out the last", statistic=last_pool_left_out),
    row("tester-mean-noise", "uniformity", 500, "lam/2 is subtracted, not half of the surplus", statistic=of_noise),
    row(
        "tester-printed-tau",
        "uniformity-default",
        1000,
        "the threshold has k^2 lam/(2m) for k^2 lam/(4m)",
        tau=TAU + 9 * 8 / 32,
    ),
    row(
        "tester-of-users",
        "uniformity-dropouts",
        500,
        "the users who take part stand for n in the statistic",
        statistic=lambda self, pools: (
            type(self).__mro__[1].statistic(SimpleNamespace(n=self.users, m=self.m, labels=self.labels), pools)
        ),
    ),
    row(
        "compressed-statistic-of-k",
        "compressed",
        300,
        "the statistic has m/k for m/k_hat",
        statistic=lambda self, pools: (
            type(self).__mro__[1].statistic(SimpleNamespace(n=self.n, m=5, labels=self.labels), pools)
        ),
    ),
    passed_on(
        "output-of-previous-run",
        "two-bit-sum",
        OUTPUT,
        "the output is that of the run before",
        300,
        previous_output,
        CERTAIN,
    ),
    passed_on(
        "output-of-previous-tester",
        "uniformity",
        OUTPUT,
        "the output is that of the run before",
        500,
        previous_output,
        CERTAIN,
    ),
    passed_on(
        "output-wrong-rarely",
        "poisson-binomial",
        OUTPUT,
        "one output in a thousand is negated",
        5000,
        wrong_one_time_in(1000, lambda output: -output),
        CERTAIN,
    ),
    passed_on(
        "output-flipped-rarely",
        "modular",
        OUTPUT,
        "one output in five hundred is the other bit",
        3000,
        wrong_one_time_in(500, lambda output: 1 - output),
        CERTAIN,
    ),
    row(
        "central-clipped",
        "geometric-wide",
        300,
        "the count is clipped to 0..k",
        run=lambda self, rng: {"output": max(0, min(self.k, self.value() + self.noise(rng)))},
        evidence=None,
    ),
    row(
        "central-absolute",
        "skellam",
        1000,
        "the absolute value comes out",
        None,
        run=lambda self, rng: {"output": abs(self.value() + self.noise(rng))},
    ),
    row(
        "central-debiased",
        "binomial",
        64,
        "the mean of the noise is subtracted",
        run=lambda self, rng: {"output": self.value() + self.noise(rng) - 20},
    ),
    row("central-rows", "geometric", 100, "rows are counted, not distinct elements", None, value=lambda self: 8),
    row(
        "central-or-negated",
        "randomized-or",
        64,
        "the complement comes out",
        64 * (5 / 6 - 1 / 6) * log(5),
        run=lambda self, rng: {"output": int(rng.random() > 1 / 6)},
    ),
    row("central-and", "randomized-or-some", 500, "all rows have to be 1, not any", None, chance=lambda self: self.low),
    row(
        "pan-sum-debiased",
        "pan-sum",
        64,
        "lam is subtracted from the output",
        None,
        output=lambda self, state, rng: state + binomial(rng, self.lam, 0.5) - self.lam,
    ),
    row(
        "pan-or-dummies-after-missing",
        "pan-distinct",
        5000,
        "the analyzer gets the state without the last dummies",
        None,
        output=lambda self, state, rng: self.analyze(state),
    ),
    row(
        "pan-tester-dummies-after-missing",
        "pan-uniformity",
        500,
        "the analyzer gets the state without the last dummies",
        None,
        output=lambda self, state, rng: self.analyze(state[0]),
    ),
)
