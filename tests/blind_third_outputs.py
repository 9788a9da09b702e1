"""Third zoo: analyzers that compute something else."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_second_laws import (
    binomial_law,
)
from tests.blind_third_slips import (
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    OUTPUT,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    Law,
    binomial,
    convolved,
    shifted,
)
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown


def one_list(self, messages):
    """[[0, 0]] * k: all pools are one list."""
    pools = [[0, 0]] * self.labels
    for j, bit in messages:
        pools[j - 1][bit] += 1
    return [list(pool) for pool in pools]


def first_pool_twice(self, pools):
    return [shown((pools[0][1] - self.n * self.p) / (1 - 2 * self.p)) for _ in pools]


def any_for_sum(self, pools):
    count = 0
    for _, ones in pools:
        count |= ones % 2
    return self.estimate(count)


def two_decimals(self, pools):
    zeros, ones = pools[0]
    return shown(round(float((ones - (zeros + ones) * self.p) / (self.m * (1 - 2 * self.p))), 2))


def whole_centre(self, pools):
    centre = self.m // self.labels
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - c for c in counts) / Fraction(self.m, self.labels)


def last_term(self, pools):
    centre = Fraction(self.m, self.labels)
    zeros, ones = pools[-1]
    c = ones - Fraction(zeros + ones - self.n, 2)
    return ((c - centre) ** 2 - c) / centre


def exclusive_or(self, pools):
    centre = Fraction(self.m, self.labels)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((int(c - centre) ^ 2) - c for c in counts) / centre


def first_n_messages(self, rng):
    messages = self.order(self.vectors(rng), rng)
    pools = self.count(messages)
    output = sum(bit for _, bit in messages[: self.n]) % 2
    return {"pools": self.named(pools), "messages": self.written(messages), "output": output}


def running_sums(self, pools):
    total, output = 0, []
    for _, ones in pools:
        total += self.above(ones)
        output.append(total)
    return output


def without_parentheses(self, count):
    return shown(2 * count * self.exp_eps - self.labels / (self.exp_eps - 1))


def subtracted_law(scene: str) -> Law:
    right = machine(scene)
    law = binomial_law(right.lam, 0.5)
    return shifted(convolved(law, {-v: p for v, p in law.items()}), sum(right.people))


VARIANCE = (3 / 8) ** 2 * 3 * (2 * (8 / 3 + 2) ** 2 + 40 / 16)
BUGS: tuple[Bug, ...] = (
    slip(
        "histogram-one-list",
        "histogram-dropouts",
        OUTPUT,
        "[[0, 0]] * k: all pools are one list, so each shows the total",
        64,
        CERTAIN,
        count=one_list,
    ),
    slip(
        "two-bit-first-pool-twice",
        "two-bit-sum",
        OUTPUT,
        "both estimates come from the first pool",
        64,
        CERTAIN,
        analyze=first_pool_twice,
    ),
    slip(
        "histogram-index-less-one",
        "histogram",
        OUTPUT,
        "estimate j comes from pool j - 1, the first from the last (index -1)",
        300,
        CERTAIN,
        analyze=lambda self, pools: [self.above(pools[j - 1][1]) for j in range(self.labels)],
    ),
    slip(
        "distinct-or-for-sum",
        "distinct",
        OUTPUT,
        "count |= parity instead of count += parity",
        64,
        CERTAIN,
        analyze=any_for_sum,
    ),
    slip(
        "copies-two-decimals",
        "poisson-binomial",
        OUTPUT,
        "the estimate is rounded to two decimals",
        64,
        CERTAIN,
        analyze=two_decimals,
    ),
    slip(
        "uniformity-tau-precedence",
        "uniformity-default",
        OUTPUT,
        "the threshold has k^2 lam / 4 * m instead of k^2 lam / (4 m)",
        400,
        CERTAIN,
        tau=9 * 8 / 4 * 8 + math.sqrt(2 * VARIANCE),
    ),
    slip(
        "uniformity-whole-centre",
        "uniformity",
        OUTPUT,
        "the centre of the statistic is m // k",
        400,
        CERTAIN,
        statistic=whole_centre,
    ),
    slip(
        "uniformity-last-term",
        "uniformity-dropouts",
        OUTPUT,
        "statistic = term instead of statistic += term: only the last pool counts",
        200,
        CERTAIN,
        statistic=last_term,
    ),
    slip(
        "compressed-exclusive-or",
        "compressed-padded",
        OUTPUT,
        "d ^ 2 is an exclusive or, not a square",
        200,
        CERTAIN,
        statistic=exclusive_or,
    ),
    slip(
        "modular-first-n-messages",
        "modular-short",
        OUTPUT,
        "the parity of the first n messages instead of all n m",
        64,
        CERTAIN,
        run=first_n_messages,
    ),
    slip(
        "histogram-running-sums",
        "histogram-uneven",
        OUTPUT,
        "the count is not set back between pools: the estimates are running sums",
        64,
        CERTAIN,
        analyze=running_sums,
    ),
    slip(
        "hashed-parentheses",
        "hashed-wide",
        OUTPUT,
        "2 count e^eps - k' / (e^eps - 1), without the parentheses around the difference",
        64,
        CERTAIN,
        estimate=without_parentheses,
    ),
    slip(
        "pan-sum-subtracted",
        "pan-sum-end",
        OUTPUT,
        "the final noise is subtracted instead of added",
        64,
        evidence_of([subtracted_law("pan-sum-end")], machine("pan-sum-end").coordinates(), 64),
        output=lambda self, state, rng: state - binomial(rng, self.lam, self.chance),
    ),
)
