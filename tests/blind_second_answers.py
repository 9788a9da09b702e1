"""Second zoo: analyzers that compute another output from the right messages, and outputs of other runs."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import islice
from math import ceil, floor

from tests.blind_second_laws import central_noise, moved, negative_binomial_law, two_sided_law
from tests.blind_zoo_bug import CERTAIN, OUTPUT, Bug, bug, passed_on
from tests.blind_zoo_draws import bernoulli, binomial
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = CERTAIN, **changes) -> Bug:
    return bug(f"second-{name}", scene, OUTPUT, cause, runs, evidence, **changes)


def handed(name: str, scene: str, cause: str, runs: int, handle, evidence: float | None = CERTAIN) -> Bug:
    return passed_on(f"second-{name}", scene, OUTPUT, cause, runs, handle, evidence)


def clamped(name: str, scene: str, cause: str, runs: int, law, change) -> Bug:
    """A central mechanism whose output is changed; `law` is that of its noise."""
    value = machine(scene).value()
    return central_noise(f"second-{name}", scene, cause, runs, moved(law, lambda v: change(v + value) - value), OUTPUT)


def kind(scene: str):
    return type(machine(scene)).__mro__[1]


def changed(name: str, scene: str, cause: str, runs: int, change, evidence: float | None = CERTAIN) -> Bug:
    """The right output, changed; `change` gets the machine and the output."""
    analyze = kind(scene).analyze
    return wrong(name, scene, cause, runs, evidence, analyze=lambda self, pools: change(self, analyze(self, pools)))


def single(number: float) -> float:
    """A number after a stay in four bytes."""
    return struct.unpack("f", struct.pack("f", number))[0]


def late(runs, rng, total):
    """Each output is that of the run before."""
    last = None
    for run in runs:
        yield run if last is None else {**run, "output": last}
        last = run["output"]


def swapped_pairs(share: float):
    """With this probability the outputs of two successive runs are swapped."""

    def handle(runs, rng, total):
        while pair := list(islice(runs, 2)):
            if len(pair) == 2 and bernoulli(rng, share):
                first, second = pair
                pair = [{**first, "output": second["output"]}, {**second, "output": first["output"]}]
            yield from pair

    return handle


def sometimes(every: int, change):
    """One run in `every`, the last of each, has its output changed."""

    def handle(runs, rng, total):
        for i, run in enumerate(runs):
            yield run if (i + 1) % every else {**run, "output": change(run["output"])}

    return handle


def statistic_without_noise(self, pools):
    """The counts are not freed from the noise: ones instead of ones - l/2."""
    centre = Fraction(self.m, self.labels)
    z = sum((ones - centre) ** 2 - ones for _, ones in pools) / centre
    return "not uniform" if z > self.tau else "uniform"


def statistic_chi_square(self, pools):
    """Pearson's statistic, which does not subtract the counts."""
    centre = Fraction(self.m, self.labels)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return "not uniform" if sum((c - centre) ** 2 for c in counts) / centre > self.tau else "uniform"


def statistic_whole(self, pools):
    """Integer division of the number of noise bits by 2."""
    centre = Fraction(self.m, self.labels)
    counts = [ones - (zeros + ones - self.n) // 2 for zeros, ones in pools]
    return "not uniform" if sum((c - centre) ** 2 - c for c in counts) / centre > self.tau else "uniform"


def not_strict(self, pools):
    return "not uniform" if self.statistic(pools) >= self.tau else "uniform"


def last_pool_left_out(self, pools):
    return "not uniform" if self.statistic(pools[:-1]) > self.tau else "uniform"


def majority(self, pools):
    return int(2 * pools[0][1] > sum(pools[0]))


def even_pools(self, pools):
    return self.estimate(sum(1 - ones % 2 for _, ones in pools))


def nonzero_pools(self, pools):
    return self.estimate(sum(ones > 0 for _, ones in pools))


def without_messages_lost(self, pools):
    """The number of messages is taken as nm although some users drop out."""
    return shown((pools[0][1] - self.n * self.m * self.p) / (self.m * (1 - 2 * self.p)))


def present_users(self, pools):
    return [shown((ones - len(self.people) * self.p) / (1 - 2 * self.p)) for _, ones in pools]


def to_n(self, counts):
    """The counts are scaled to add up to n."""
    total = sum(counts)
    return [count * self.n // total for count in counts] if total else counts


SIDES, WIDE, RARE = two_sided_law(0.36787944117144233), two_sided_law(0.8), negative_binomial_law(2, 0.1)
BUGS: tuple[Bug, ...] = (
    wrong(
        "zsum-not-clipped",
        "binary-sum",
        "negative estimates are not cut to 0",
        64,
        above=lambda self, ones: ones - self.n,
    ),
    wrong(
        "zsum-n-less-1", "binary-sum-large", "subtracts n - 1", 64, above=lambda self, ones: max(0, ones - self.n + 1)
    ),
    wrong(
        "zsum-mean-subtracted",
        "binary-sum",
        "subtracts the mean pn instead of n",
        64,
        above=lambda self, ones: max(0, round(ones - self.n * self.p)),
    ),
    wrong(
        "zsum-counts-present",
        "binary-sum-dropouts",
        "subtracts the number of users who take part",
        200,
        above=lambda self, ones: max(0, ones - len(self.people)),
    ),
    wrong(
        "zsum-capped",
        "binary-sum-large",
        "the estimate is capped at 5",
        400,
        above=lambda self, ones: min(5, max(0, ones - self.n)),
    ),
    wrong(
        "zsum-true-sum", "binary-sum", "the output is the true sum", 64, analyze=lambda self, pools: sum(self.people)
    ),
    wrong(
        "histogram-last-forgotten",
        "histogram-uneven",
        "the last estimate is always 0",
        2000,
        analyze=lambda self, pools: [*(self.above(ones) for _, ones in pools[:-1]), 0],
    ),
    changed("histogram-sorted", "histogram", "the estimates are sorted", 400, lambda self, counts: sorted(counts)),
    changed("histogram-to-n", "histogram-uneven", "the estimates are scaled to n", 64, to_n),
    changed(
        "histogram-reversed",
        "histogram",
        "the estimates come from the last pool to the first",
        64,
        lambda self, counts: counts[::-1],
    ),
    wrong(
        "modular-zeros",
        "modular-dropouts",
        "the parity of the zeros",
        64,
        analyze=lambda self, pools: 1 - pools[0][1] % 2,
    ),
    wrong("modular-majority", "modular-short", "the majority instead of the parity", 64, analyze=majority),
    changed("modular-inverted", "modular", "the parity is inverted", 64, lambda self, bit: 1 - bit),
    wrong("distinct-even-pools", "distinct", "counts the even pools", 64, analyze=even_pools),
    wrong("distinct-nonzero-pools", "distinct-few-messages", "counts the pools with a one", 64, analyze=nonzero_pools),
    wrong("distinct-raw", "distinct", "the count is not made unbiased", 64, estimate=lambda self, count: count),
    wrong(
        "distinct-plus-1",
        "distinct-formula",
        "divides by e^eps + 1",
        64,
        estimate=lambda self, count: shown((2 * count * self.exp_eps - self.labels) / (self.exp_eps + 1)),
    ),
    wrong(
        "distinct-factor-2",
        "distinct-few-messages",
        "the factor 2 is missing",
        64,
        estimate=lambda self, count: shown((count * self.exp_eps - self.labels) / (self.exp_eps - 1)),
    ),
    changed("distinct-clipped", "distinct", "the estimate is cut to 0..k", 64, lambda self, z: min(self.k, max(0, z))),
    changed("distinct-single-precision", "distinct-formula", "single precision", 64, lambda self, z: single(z), None),
    changed("distinct-rounded", "distinct-few-messages", "the estimate is rounded", 64, lambda self, z: round(z)),
    changed("hashed-clipped", "hashed", "the estimate is not negative", 200, lambda self, z: max(0, z)),
    changed("copies-rounded-down", "poisson-binomial", "the estimate is rounded down", 64, lambda self, z: floor(z)),
    changed(
        "copies-clipped", "poisson-binomial", "the estimate is cut to 0..n", 500, lambda self, z: min(self.n, max(0, z))
    ),
    wrong(
        "copies-messages-lost",
        "poisson-binomial-dropouts",
        "takes nm messages although some are missing",
        64,
        analyze=without_messages_lost,
    ),
    changed(
        "copies-scale",
        "poisson-binomial",
        "divides by 1 - p instead of 1 - 2p",
        64,
        lambda self, z: shown(Fraction(z) * 2 / 3),
    ),
    changed(
        "two-bit-outputs-swapped", "two-bit-sum", "the two estimates are swapped", 64, lambda self, pair: pair[::-1]
    ),
    wrong(
        "two-bit-present-users",
        "two-bit-sum-dropouts",
        "corrects for the users who take part, not for n",
        64,
        analyze=present_users,
    ),
    changed(
        "two-bit-nonnegative",
        "two-bit-sum",
        "negative estimates are cut to 0",
        400,
        lambda self, pair: [max(0, z) for z in pair],
    ),
    wrong("uniformity-not-strict", "uniformity", "Z' >= tau instead of Z' > tau", 20000, CERTAIN, analyze=not_strict),
    wrong(
        "uniformity-noise-kept", "uniformity", "the counts still hold the noise", 64, analyze=statistic_without_noise
    ),
    wrong(
        "uniformity-chi-square",
        "uniformity-dropouts",
        "the statistic does not subtract the counts",
        400,
        analyze=statistic_chi_square,
    ),
    wrong("uniformity-whole-halves", "uniformity", "halves are rounded down", 2000, analyze=statistic_whole),
    wrong(
        "uniformity-last-left-out",
        "uniformity-default",
        "the statistic leaves the last pool out",
        1000,
        analyze=last_pool_left_out,
    ),
    wrong("uniformity-tau-twice", "uniformity", "the threshold is doubled", 200, tau=Fraction(50)),
    wrong("uniformity-tau-near", "uniformity", "the threshold is 26 instead of 25", 2000, tau=Fraction(26)),
    changed(
        "compressed-inverted",
        "compressed",
        "the verdict is inverted",
        64,
        lambda self, verdict: "uniform" if verdict == "not uniform" else "not uniform",
    ),
    wrong("compressed-tau", "compressed-padded", "the threshold is 8 instead of 12", 300, tau=Fraction(8)),
    handed("output-late", "two-bit-sum", "each output is that of the run before", 64, late),
    handed("output-late-verdict", "uniformity-dropouts", "each output is that of the run before", 200, late),
    handed(
        "output-swapped-rarely",
        "histogram-uneven",
        "outputs of two runs are swapped now and then",
        2000,
        swapped_pairs(0.02),
    ),
    handed(
        "output-swapped-verdict",
        "compressed-padded",
        "outputs of two runs are swapped now and then",
        600,
        swapped_pairs(0.2),
    ),
    handed(
        "output-off-rarely",
        "poisson-binomial",
        "one output in 3,000 is off by one",
        15000,
        sometimes(3000, lambda z: z + 1),
    ),
    handed(
        "output-absurd-rarely",
        "two-bit-sum",
        "one output in 2,000 is -2^31",
        10000,
        sometimes(2000, lambda pair: [-(2**31), pair[1]]),
    ),
    clamped("geometric-nonnegative", "geometric", "a negative count is shown as 0", 10000, SIDES, lambda z: max(0, z)),
    clamped(
        "geometric-within-domain", "geometric-wide", "the count is cut to 0..k", 200, WIDE, lambda z: min(4, max(0, z))
    ),
    clamped("geometric-absolute", "geometric-wide", "the sign of the count is lost", 300, WIDE, abs),
    clamped(
        "failures-rounded-to-ten",
        "negative-binomial-rare",
        "the output is rounded to tens",
        64,
        RARE,
        lambda z: 10 * round(z / 10),
    ),
    clamped(
        "failures-two-digits", "negative-binomial-rare", "the output is cut at 50", 2000, RARE, lambda z: min(50, z)
    ),
    wrong(
        "coins-debiased",
        "binomial",
        "the mean of the noise is subtracted",
        64,
        noise=lambda self, rng: binomial(rng, self.l, self.flip) - self.l // 2,
    ),
    wrong(
        "coins-debiased-uneven",
        "binomial-uneven",
        "the mean of the noise is subtracted",
        200,
        noise=lambda self, rng: binomial(rng, self.l, self.flip) - ceil(self.l * self.flip),
    ),
    bug("second-or-inverted", "randomized-or", OUTPUT, "0 and 1 are exchanged", 64, low=Fraction(5, 6)),
)
