"""Analyzers that debias, scale, round or join wrongly."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, OUTPUT, bug, passed_on
from tests.blind_zoo_protocols import shown


def sum_less_expected_noise(self, ones):
    return shown(ones - self.n * self.p)


def sums_scaled_to_all_users(self, pools):
    debiased = [(ones - self.n * self.p) / (1 - 2 * self.p) for _, ones in pools]
    return [shown(value * Fraction(self.n, self.users)) for value in debiased]


def estimate_within_domain(self, count):
    return shown(min(self.labels, max(0, (2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))))


def statistic_with_one_count_subtracted(self, pools):
    centre, total = Fraction(self.m, self.labels), 0
    for zeros, ones in pools:
        count = ones - Fraction(zeros + ones - self.n, 2)
        total += (count - centre) ** 2
    return (total - count) / centre


def statistic_of_uncompressed_domain(self, pools):
    centre = Fraction(self.m, self.k)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - c for c in counts) / centre


def truncated_estimate(self, count):
    return int((2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))


def outputs_of_previous_runs(runs, rng, count):
    previous = None
    for run in runs:
        yield run if previous is None else {**run, "output": previous["output"]}
        previous = run


BUGS = (
    bug(
        "eleventh-expected-noise-subtracted",
        "binary-sum",
        OUTPUT,
        "The analyzer subtracts the expected noise n p from the ones, where it should subtract n and cut at 0.",
        300,
        CERTAIN,
        above=sum_less_expected_noise,
    ),
    bug(
        "eleventh-sums-scaled-to-all-users",
        "two-bit-sum-dropouts",
        OUTPUT,
        "The analyzer scales its estimates by 1/gamma, to make up for the missing users.",
        300,
        CERTAIN,
        analyze=sums_scaled_to_all_users,
    ),
    bug(
        "eleventh-estimate-cut-to-the-domain",
        "distinct-dropouts",
        OUTPUT,
        "The analyzer cuts its estimate to the range from 0 to k, which makes it biased.",
        300,
        CERTAIN,
        estimate=estimate_within_domain,
    ),
    bug(
        "eleventh-count-subtracted-after-the-loop",
        "uniformity",
        OUTPUT,
        "The statistic subtracts c_j once after the loop, for the last j only, instead of in each term of the sum.",
        1000,
        CERTAIN,
        statistic=statistic_with_one_count_subtracted,
    ),
    bug(
        "eleventh-statistic-with-k-before-compression",
        "compressed",
        OUTPUT,
        "The analyzer expects m/k in each group, with the k of the domain instead of the number of groups.",
        1000,
        CERTAIN,
        statistic=statistic_of_uncompressed_domain,
    ),
    bug(
        "eleventh-estimate-in-an-integer-column",
        "pan-distinct-odd",
        OUTPUT,
        "The estimate is stored in an integer column, which cuts off its fraction.",
        300,
        CERTAIN,
        estimate=truncated_estimate,
    ),
    passed_on(
        "eleventh-outputs-joined-one-row-late",
        "histogram",
        OUTPUT,
        "The table of outputs is joined to the table of pools one row late, so that each run has the output before.",
        300,
        outputs_of_previous_runs,
        CERTAIN,
    ),
)
