"""Second zoo: users who encode their datum wrongly: labels, bits, shares and coins of the wrong case."""

from __future__ import annotations

from tests.blind_second_laws import binomial_law, moved, pool_evidence
from tests.blind_second_pools import sums
from tests.blind_zoo_bug import CERTAIN, ENCODING, Bug, bug
from tests.blind_zoo_draws import bernoulli, bits, poisson, shifted
from tests.blind_zoo_online import machine


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, ENCODING, cause, runs, evidence, **changes)


def relabelled(name: str, scene: str, cause: str, runs: int, change) -> Bug:
    """Every user holds change(x, k); the evidence is that of the changed data."""
    right = machine(scene)
    return wrong(name, scene, cause, runs, people=[change(x, right.labels) for x in right.people])


def or_of_both(self, x, rng):
    noise = self.noise(rng)
    return [(1, x | noise), (1, noise)]


def xor_of_both(self, x, rng):
    noise = self.noise(rng)
    return [(1, x ^ noise), (1, noise)]


def noise_instead(self, x, rng):
    """The datum is replaced by a second noise bit once in twenty times."""
    return [(1, self.noise(rng) if bernoulli(rng, 0.05) else x), (1, self.noise(rng))]


def data_twice_sometimes(self, x, rng):
    return [(1, x), (1, x if bernoulli(rng, 0.1) else self.noise(rng))]


def thermometer(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x <= j)), (j, self.noise(rng)))]


def own_pool_only(self, x, rng):
    return [(x, 1), *((j, self.noise(rng)) for j in range(1, self.labels + 1))]


def one_hot_shifted(self, x, rng):
    """The element k falls off the end."""
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j - 1)), (j, self.noise(rng)))]


def first_copy_clean(self, x, rng):
    return [(1, x), *((1, x ^ bernoulli(rng, self.flip)) for _ in range(self.m - 1))]


def one_coin_for_all(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip))] * self.m


def noise_without_datum(self, x, rng):
    """A user who draws no noise bits sends nothing to the pool."""
    drawn = {j: bits(rng, poisson(rng, self.mean)) for j in range(1, self.labels + 1)}
    return [(j, bit) for j, noise in drawn.items() if noise for bit in (int(x == j), *noise)]


def minus_one_for_zero(self, x, rng):
    """The indicator is 1 for all elements but the datum."""
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x != j), *bits(rng, poisson(rng, self.mean)))]


THIRD, QUARTER = 1 / 3, 1 / 4
BUGS: tuple[Bug, ...] = (
    relabelled("labels-reversed", "histogram", "labels run from k down to 1", 64, lambda x, k: k + 1 - x),
    relabelled("labels-rotated", "histogram-uneven", "labels are off by one, modulo k", 64, lambda x, k: x % k + 1),
    relabelled(
        "labels-clamped", "uniformity", "elements above k - 2 are counted as k - 2", 64, lambda x, k: min(x, k - 2)
    ),
    relabelled(
        "labels-swapped-2-3", "uniformity", "the labels 2 and 3 are swapped", 200, lambda x, k: {2: 3, 3: 2}.get(x, x)
    ),
    relabelled(
        "labels-bit-reversed",
        "distinct",
        "labels 2 and 3 are swapped, as by reversed bits",
        400,
        lambda x, k: {2: 3, 3: 2}.get(x, x),
    ),
    relabelled(
        "labels-zero-based",
        "distinct-few-messages",
        "x - 1 is used, and 0 wraps to k",
        400,
        lambda x, k: (x - 2) % k + 1,
    ),
    wrong("zsum-bit-inverted", "binary-sum", "1 - x is sent", 64, people=[1 - x for x in machine("binary-sum").people]),
    wrong(
        "zsum-last-user-read-as-one",
        "binary-sum-large",
        "a user's empty datum is read as 1",
        1500,
        people=[1] * 19 + [0] * 41,
    ),
    wrong(
        "zsum-or-noise",
        "binary-sum",
        "the datum is sent as x OR noise",
        64,
        pool_evidence(
            "binary-sum",
            {0: sums(*[moved(binomial_law(1, THIRD), lambda v: 2 * v)] * 6, shifted(binomial_law(4, THIRD), 4))},
            64,
        ),
        user=or_of_both,
    ),
    wrong(
        "zsum-xor-noise",
        "binary-sum",
        "the datum is sent as x XOR noise",
        64,
        pool_evidence("binary-sum", {0: shifted(moved(binomial_law(6, THIRD), lambda v: 2 * v), 4)}, 64),
        user=xor_of_both,
    ),
    wrong(
        "zsum-noise-for-datum",
        "binary-sum",
        "the datum is replaced by noise once in twenty times",
        10000,
        pool_evidence(
            "binary-sum",
            {0: sums(binomial_law(10, THIRD), binomial_law(6, 0.05 * THIRD), binomial_law(4, 1 - 0.05 * 2 / 3))},
            10000,
        ),
        user=noise_instead,
    ),
    wrong(
        "zsum-datum-twice",
        "binary-sum-large",
        "the datum is sent twice once in ten times, in place of noise",
        150,
        pool_evidence(
            "binary-sum-large", {0: shifted(sums(binomial_law(18, 0.775), binomial_law(42, 0.675)), 18)}, 150
        ),
        user=data_twice_sometimes,
    ),
    wrong(
        "histogram-thermometer",
        "histogram",
        "sends [x <= j] instead of [x = j]",
        64,
        pool_evidence(
            "histogram",
            {
                j - 1: shifted(binomial_law(8, 0.5), sum(x <= j for x in machine("histogram").people))
                for j in range(1, 6)
            },
            64,
        ),
        user=thermometer,
    ),
    wrong(
        "histogram-own-pool-only",
        "histogram",
        "the zeros of the other pools are not sent",
        64,
        CERTAIN,
        user=own_pool_only,
    ),
    wrong(
        "histogram-last-falls-off",
        "histogram-dropouts",
        "labels shifted by one, the last element lost",
        64,
        pool_evidence(
            "histogram-dropouts",
            {0: binomial_law(6, 2 / 3), 1: shifted(binomial_law(6, 2 / 3), 5), 2: shifted(binomial_law(6, 2 / 3), 1)},
            64,
        ),
        user=one_hot_shifted,
    ),
    wrong(
        "copies-first-clean",
        "poisson-binomial",
        "the first copy is not flipped",
        100,
        pool_evidence(
            "poisson-binomial", {0: shifted(sums(binomial_law(6, QUARTER), binomial_law(10, 1 - QUARTER)), 5)}, 100
        ),
        user=first_copy_clean,
    ),
    wrong(
        "copies-one-coin",
        "poisson-binomial-dropouts",
        "all copies of a bit are flipped together",
        100,
        pool_evidence(
            "poisson-binomial-dropouts",
            {0: moved(sums(binomial_law(3, 0.2), binomial_law(3, 0.8)), lambda v: 4 * v)},
            100,
        ),
        user=one_coin_for_all,
    ),
    wrong(
        "copies-negated",
        "poisson-binomial",
        "1 - x is sent",
        64,
        people=[1 - x for x in machine("poisson-binomial").people],
    ),
    wrong(
        "two-bit-swapped",
        "two-bit-sum",
        "first and second bit are swapped",
        64,
        people=[(b, a) for a, b in machine("two-bit-sum").people],
    ),
    wrong(
        "two-bit-second-xor",
        "two-bit-sum-dropouts",
        "the second message is the XOR of both bits",
        64,
        people=[(a, a ^ b) for a, b in machine("two-bit-sum-dropouts").people],
    ),
    wrong(
        "uniformity-indicator-inverted",
        "uniformity-default",
        "sends [x != j]",
        64,
        pool_evidence(
            "uniformity-default",
            {
                place: shifted({v - h: p for v, p in law.items()}, 8 - h)
                for place, (law, h) in enumerate(
                    zip(machine("uniformity-default").coordinates(), (7, 1, 2, 6, 7, 1), strict=True)
                )
            },
            64,
        ),
        user=minus_one_for_zero,
    ),
    wrong(
        "uniformity-datum-skipped",
        "uniformity",
        "nothing is sent where there are no noise bits",
        64,
        None,
        user=noise_without_datum,
    ),
    wrong("compressed-indicator-inverted", "compressed", "sends [group != j]", 64, None, user=minus_one_for_zero),
    wrong(
        "geometric-duplicates-counted",
        "geometric",
        "counts the data, not the distinct ones",
        100,
        people=list(range(1, 9)),
    ),
    wrong("or-of-first-only", "randomized-or-some", "looks at the first two bits only", 200, people=[0, 0, 0, 0]),
)
