"""Second zoo: noise of the shuffle protocols that has another law, or reaches some users or pools only."""

from __future__ import annotations

from functools import reduce

from tests.blind_second_laws import (
    binomial_law,
    drawn,
    geometric_law,
    kept,
    mixed,
    moved,
    poisson_law,
    pool_evidence,
    uniform_law,
)
from tests.blind_zoo_bug import NOISE, Bug, bug
from tests.blind_zoo_draws import Law, bernoulli, binomial, bits, convolved, divergence, geometric, poisson, shifted
from tests.blind_zoo_online import machine

THIRD = 1 / 3


def sums(*laws: Law) -> Law:
    return reduce(convolved, laws, {0: 1.0})


def one_bit(p: float) -> Law:
    return {0: 1 - p, 1: p}


def noise_ones(name: str, scene: str, cause: str, runs: int, law: Law, pools: tuple[int, ...] | None = None) -> Bug:
    """A sum or histogram whose noise ones have this law, in these pools (None: in all); who sends them is random."""
    right, draw = machine(scene), drawn(law)
    places = range(right.labels) if pools is None else pools
    held = [right.people.count(j + 1) if right.labelled else sum(right.people) for j in range(right.labels)]
    evidence = pool_evidence(scene, {j: shifted(law, held[j]) for j in places}, runs)

    def vectors(self, rng):
        usual = [[self.noise(rng) for _ in self.people] for _ in range(self.labels)]
        for j in places:
            ones = draw(rng)
            usual[j] = [1] * ones + [0] * (len(self.people) - ones)
        return [
            [(j + 1, bit) for j in range(self.labels) for bit in (int(x == j + 1) if self.labelled else x, usual[j][i])]
            for i, x in enumerate(self.people)
        ]

    return bug(f"second-{name}", scene, NOISE, cause, runs, evidence, vectors=vectors)


def per_user(name: str, scene: str, cause: str, runs: int, evidence: float | None, user) -> Bug:
    return bug(f"second-{name}", scene, NOISE, cause, runs, evidence, user=user)


def poisson_size(scene: str, wrong: Law, runs: int) -> float:
    """What the sizes of a uniformity tester's pools say where each has noise of this law; the bits may say more."""
    right = machine(scene)
    return runs * right.labels * divergence(wrong, poisson_law(float(right.mean) * len(right.people)))


def sized(count):
    """The randomizer of the uniformity tester with another number of noise bits."""
    return lambda self, x, rng: [
        (j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, count(self, rng)))
    ]


def tilted(self, x, rng):
    return [
        (j, bit)
        for j in range(1, self.labels + 1)
        for bit in (int(x == j), *(bernoulli(rng, 0.53) for _ in range(poisson(rng, self.mean))))
    ]


def all_alike(self, x, rng):
    return [
        (j, bit)
        for j in range(1, self.labels + 1)
        for bit in (int(x == j), *[rng.getrandbits(1)] * poisson(rng, self.mean))
    ]


def tilted_evidence(scene: str, share: float, runs: int) -> float | None:
    right = machine(scene)
    mean, users = float(right.mean) * len(right.people), len(right.people)
    held = [right.people.count(j) for j in range(1, right.labels + 1)]
    wrong = {2 * j: shifted(poisson_law(mean * (1 - share)), users - h) for j, h in enumerate(held)}
    return pool_evidence(
        scene, wrong | {2 * j + 1: shifted(poisson_law(mean * share), h) for j, h in enumerate(held)}, runs
    )


def last_pool_clean(self, x, rng):
    return [
        pair
        for j in range(1, self.labels + 1)
        for pair in ((j, int(x == j)), (j, self.noise(rng) if j < self.labels else 0))
    ]


def z_channel(self, x, rng):
    return [(1, x | bernoulli(rng, self.flip)) for _ in range(self.m)]


def one_copy_flipped(self, x, rng):
    """Exactly one of the copies is flipped, with probability 3/4: the expected number of flips is right."""
    copies = [x] * self.m
    if bernoulli(rng, self.m * self.flip):
        copies[rng.randrange(self.m)] ^= 1
    return [(1, bit) for bit in copies]


def second_bit_only(self, x, rng):
    return [(1, x[0]), (2, x[1] ^ bernoulli(rng, self.flip))]


def ones_kept(self, x, rng):
    return [(j, bit | bernoulli(rng, self.flip)) for j, bit in enumerate(x, start=1)]


def copies_evidence(scene: str, for_zero: Law, for_one: Law, runs: int) -> float | None:
    people = machine(scene).people
    return pool_evidence(scene, {0: sums(*(for_one if x else for_zero for x in people))}, runs)


def noise_of_holder(self, x, rng):
    return [(1, x), (1, bernoulli(rng, 1 - self.flip if x else self.flip))]


BUGS: tuple[Bug, ...] = (
    noise_ones("zsum-noise-fixed", "binary-sum-large", "always exactly pn noise ones", 64, {45: 1.0}),
    noise_ones(
        "zsum-noise-systematic", "binary-sum", "systematic sampling: 3 or 4 noise ones", 64, {3: 2 / 3, 4: 1 / 3}
    ),
    noise_ones(
        "zsum-noise-in-pairs",
        "binary-sum",
        "two users share each noise bit",
        200,
        moved(binomial_law(5, THIRD), lambda v: 2 * v),
    ),
    noise_ones(
        "zsum-noise-p-wobbles",
        "binary-sum-large",
        "p is 0.7 or 0.8, drawn anew in every run",
        1000,
        mixed(binomial_law(60, 0.7), binomial_law(60, 0.8), 0.5),
    ),
    noise_ones("zsum-one-silent", "binary-sum", "the noise bit of one user is always 0", 400, binomial_law(9, THIRD)),
    noise_ones(
        "zsum-one-loud",
        "binary-sum-large",
        "the noise bit of one user is always 1",
        3000,
        shifted(binomial_law(59, 0.75), 1),
    ),
    noise_ones(
        "zsum-noise-once-per-batch",
        "binary-sum",
        "one noise bit for each batch of five users",
        64,
        moved(binomial_law(2, THIRD), lambda v: 5 * v),
    ),
    noise_ones(
        "zsum-noise-from-zeros", "binary-sum-large", "only users with the bit 0 add noise", 64, binomial_law(42, 0.75)
    ),
    noise_ones("zsum-noise-uniform", "binary-sum", "the number of noise ones is uniform", 64, uniform_law(0, 10)),
    noise_ones(
        "zsum-noise-geometric",
        "binary-sum",
        "a geometric number of noise ones with the right mean",
        200,
        kept(geometric_law(10 / 13), lambda v: v <= 10),
    ),
    noise_ones(
        "zsum-noise-poisson",
        "binary-sum-dropouts",
        "a Poisson number of noise ones, at most one a user",
        800,
        moved(poisson_law(4), lambda v: min(8, v)),
    ),
    noise_ones(
        "zsum-noise-never-none",
        "binary-sum",
        "redrawn where nobody's noise bit is 1",
        1200,
        kept(binomial_law(10, THIRD), lambda v: v > 0),
    ),
    noise_ones("histogram-noise-missing", "histogram", "the noise of pool 3 is forgotten", 64, {0: 1.0}, (2,)),
    noise_ones(
        "histogram-noise-first-only", "histogram-uneven", "pools 2 to 4 have p/2", 64, binomial_law(7, 0.375), (1, 2, 3)
    ),
    noise_ones("histogram-noise-little-off", "histogram", "pool 4 has p = 0.45", 1500, binomial_law(8, 0.45), (3,)),
    noise_ones(
        "histogram-noise-capped",
        "histogram",
        "at most six noise ones in a pool",
        250,
        moved(binomial_law(8, 0.5), lambda v: min(6, v)),
    ),
    noise_ones(
        "histogram-noise-centred",
        "histogram-dropouts",
        "noise beyond two ones from the mean is redrawn",
        150,
        kept(binomial_law(6, 2 / 3), lambda v: abs(v - 4) <= 2),
    ),
    bug(
        "second-histogram-noise-last-clean",
        "histogram",
        NOISE,
        "the loop over the pools stops before the last",
        64,
        pool_evidence("histogram", {4: {1: 1.0}}, 64),
        user=last_pool_clean,
    ),
    per_user(
        "zsum-noise-of-holder",
        "binary-sum",
        "users with the bit 1 have parameter 1 - p",
        64,
        pool_evidence("binary-sum", {0: shifted(sums(binomial_law(6, THIRD), binomial_law(4, 2 / 3)), 4)}, 64),
        noise_of_holder,
    ),
    per_user(
        "uniformity-geometric-counts",
        "uniformity",
        "a geometric number of noise bits",
        64,
        poisson_size("uniformity", sums(*[geometric_law(2 / 3)] * 10), 64),
        sized(lambda self, rng: geometric(rng, float(self.mean / (1 + self.mean)))),
    ),
    per_user(
        "uniformity-fixed-counts",
        "uniformity",
        "always lam/n noise bits",
        64,
        poisson_size("uniformity", {20: 1.0}, 64),
        sized(lambda self, rng: 2),
    ),
    per_user(
        "uniformity-binomial-counts",
        "uniformity",
        "Bin(10, lam/10n) noise bits",
        600,
        poisson_size("uniformity", binomial_law(100, 0.2), 600),
        sized(lambda self, rng: binomial(rng, 10, 0.2)),
    ),
    per_user(
        "uniformity-capped-counts",
        "uniformity",
        "at most five noise bits",
        1000,
        poisson_size("uniformity", sums(*[moved(poisson_law(2), lambda v: min(5, v))] * 10), 1000),
        sized(lambda self, rng: min(5, poisson(rng, self.mean))),
    ),
    per_user(
        "uniformity-at-least-one",
        "uniformity-default",
        "at least one noise bit",
        64,
        poisson_size("uniformity-default", sums(*[moved(poisson_law(1), lambda v: max(1, v))] * 8), 64),
        sized(lambda self, rng: max(1, poisson(rng, self.mean))),
    ),
    per_user(
        "uniformity-tilted-bits",
        "uniformity",
        "the noise bits are 1 with probability 0.53",
        2000,
        tilted_evidence("uniformity", 0.53, 2000),
        tilted,
    ),
    per_user(
        "uniformity-bits-alike",
        "uniformity-default",
        "a user's noise bits for a pool are all the same",
        300,
        None,
        all_alike,
    ),
    per_user(
        "compressed-bits-alike",
        "compressed-padded",
        "a user's noise bits for a group are all the same",
        500,
        None,
        all_alike,
    ),
    per_user(
        "copies-only-up",
        "poisson-binomial",
        "only zeros are flipped",
        64,
        copies_evidence("poisson-binomial", binomial_law(3, 0.25), {3: 1.0}, 64),
        z_channel,
    ),
    per_user(
        "copies-one-flip",
        "poisson-binomial",
        "at most one of the copies of a bit is flipped",
        800,
        copies_evidence("poisson-binomial", one_bit(0.75), {3: 0.25, 2: 0.75}, 800),
        one_copy_flipped,
    ),
    per_user(
        "two-bit-first-clean",
        "two-bit-sum",
        "the first bit is sent as it is",
        64,
        pool_evidence("two-bit-sum", {0: {7: 1.0}}, 64),
        second_bit_only,
    ),
    per_user(
        "two-bit-only-up",
        "two-bit-sum-dropouts",
        "only zeros are flipped",
        200,
        pool_evidence(
            "two-bit-sum-dropouts", {0: shifted(binomial_law(2, 0.1), 5), 1: shifted(binomial_law(5, 0.1), 2)}, 200
        ),
        ones_kept,
    ),
)
