"""Third zoo: noise that is drawn, rounded or remembered wrongly."""

from __future__ import annotations

import math
from itertools import pairwise, product
from random import Random

from tests.blind_second_laws import (
    binomial_law,
    from_cumulative,
    moved,
    poisson_law,
    pool_evidence,
)
from tests.blind_second_noise import skellam_law
from tests.blind_second_pools import one_bit, poisson_size, sized, sums
from tests.blind_third_slips import (
    THIRD,
    central,
    slip,
)
from tests.blind_zoo_bug import (
    NOISE,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    Law,
    bernoulli,
    poisson,
    shifted,
)
from tests.blind_zoo_online import machine


def poisson_size_of(scene: str, law: Law, runs: int) -> float:
    """What the sizes of the pools say where every user adds a number of noise bits of this law to each."""
    return poisson_size(scene, sums(*[law] * len(machine(scene).people)), runs)


def quantile_table(law: Law, entries: int) -> Law:
    """The quantiles at (i + 1/2)/entries, each as likely as the others."""
    table: Law = {}
    for i in range(entries):
        below, value = 0.0, min(law)
        for value in sorted(law):
            below += law[value]
            if below > (i + 0.5) / entries:
                break
        table[value] = table.get(value, 0.0) + 1 / entries
    return table


def laplace_below(scale: float):
    return lambda x: 1 - math.exp(-x / scale) / 2 if x > 0 else math.exp(x / scale) / 2


def mirrored_geometric(r: float) -> Law:
    """g(u) - g(1 - u) for one uniform u, with g(u) = floor(log(1 - u) / log r)."""
    edges = sorted({0.0, 1.0} | {e for g in range(1, 400) for e in (1 - r**g, r**g)})
    law: Law = {}
    for low, high in pairwise(edges):
        u = (low + high) / 2
        if 0 < u < 1 and high > low:
            value = int(math.log(1 - u) / math.log(r)) - int(math.log(u) / math.log(r))
            law[value] = law.get(value, 0.0) + high - low
    return law


def rounded_geometric(r: float, most: int) -> Law:
    return {0: 1 - r**0.5} | {g: r ** (g - 0.5) - r ** (g + 0.5) for g in range(1, most)}


def float_word(rng: Random, l: int) -> int:
    """The ones of a word of l bits that was a float of 24 bits in between."""
    return (rng.getrandbits(l) >> (l - 24) << (l - 24)).bit_count()


def mirrored_pairs(self, rng):
    """Two users share a uniform number: one compares u with p, the other 1 - u."""
    noise: list[int] = []
    while len(noise) < len(self.people):
        u = rng.random()
        noise += [int(u < self.flip), int(1 - u < self.flip)]
    return [[(1, x), (1, bit)] for x, bit in zip(self.people, noise, strict=False)]


def cached_by_datum(self, rng):
    cache = {x: self.noise(rng) for x in (0, 1)}
    return [[(1, x), (1, cache[x])] for x in self.people]


def cached_by_element(self, rng):
    """The fair coin of an element's holders is cached: all holders get the same."""
    cache = [rng.getrandbits(1) for _ in range(self.labels)]
    return [
        [
            (j, bit)
            for j in range(1, self.labels + 1)
            for bit in self.shares(cache[j - 1] if x == j else bernoulli(rng, self.p_prime), rng)
        ]
        for x in self.people
    ]


def cached_by_element_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    laws = []
    for j in range(1, right.labels + 1):
        zero, one = (right.pool_law([coin if x == j else right.p_prime for x in right.people]) for coin in (0.0, 1.0))
        laws.append({v: (zero.get(v, 0.0) + one.get(v, 0.0)) / 2 for v in zero.keys() | one.keys()})
    return evidence_of(laws, right.coordinates(), runs)


def same_generator(self, rng):
    """Every user gets a copy of the generator, in the same state."""
    state = rng.getstate()
    vectors = []
    for x in self.people:
        rng.setstate(state)
        vectors.append(self.user(x, rng))
    return vectors


def same_flips_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    h, n, m = sum(right.people), len(right.people), right.m
    flips = binomial_law(m, right.flip)
    return pool_evidence(scene, {0: moved(flips, lambda f: h * (m - f) + (n - h) * f)}, runs)


def flips_pile_up(self, x, rng):
    """x ^= coin within the loop: a flip stays for the copies that follow."""
    messages = []
    for _ in range(self.m):
        x ^= bernoulli(rng, self.flip)
        messages.append((1, x))
    return messages


def pile_up_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    laws: list[Law] = [{}, {}]
    for x, law in enumerate(laws):
        for coins in product((0, 1), repeat=right.m):
            bit, ones = x, 0
            for coin in coins:
                bit ^= coin
                ones += bit
            mass = math.prod(right.flip if coin else 1 - right.flip for coin in coins)
            law[ones] = law.get(ones, 0.0) + mass
    return pool_evidence(scene, {0: sums(*(laws[x] for x in right.people))}, runs)


FLOORED = from_cumulative(laplace_below(1.0), -45, 44, 1.0)
BUGS: tuple[Bug, ...] = (
    slip(
        "poisson-loop-one-more",
        "uniformity-default",
        NOISE,
        "Knuth's loop for a Poisson number returns k where it should return k - 1",
        64,
        poisson_size_of("uniformity-default", shifted(poisson_law(1.0), 1), 64),
        user=sized(lambda self, rng: poisson(rng, self.mean) + 1),
    ),
    central(
        "skellam-half-even",
        "skellam",
        "noise in half units (the difference of two Pois(20)) is rounded half to even",
        400,
        moved(skellam_law(20.0), lambda v: round(v / 2)),
    ),
    central(
        "binomial-quantile-table",
        "binomial",
        "noise is read from a table of 64 quantiles, so the tails are lost",
        3000,
        quantile_table(binomial_law(40, 0.5), 64),
    ),
    central(
        "laplace-floor",
        "geometric",
        "a Laplace number with math.floor, which is lopsided for negative numbers",
        300,
        FLOORED,
    ),
    central(
        "geometric-one-uniform",
        "geometric-wide",
        "both geometric draws come from one uniform number, u and 1 - u",
        400,
        mirrored_geometric(0.8),
    ),
    central(
        "failures-round",
        "negative-binomial",
        "round() instead of floor() in the inversion of each geometric draw",
        400,
        sums(*[rounded_geometric(2 / 3, 90)] * 5),
    ),
    slip(
        "pan-histogram-float32-word",
        "pan-histogram",
        NOISE,
        "the word of 30 coins goes through a float of 24 bits, so its lowest coins are 0",
        64,
        evidence_of(machine("pan-histogram", lam=24).coordinates(), machine("pan-histogram").coordinates(), 64),
        initial=lambda self, rng: [float_word(rng, self.lam) for _ in range(self.k)],
        output=lambda self, state, rng: [count + float_word(rng, self.lam) for count in state],
    ),
    slip(
        "zsum-byte-not-strict",
        "binary-sum-large",
        NOISE,
        "a random byte <= 256 p instead of < 256 p",
        10000,
        flip=193 / 256,
    ),
    slip(
        "zsum-mirrored-pairs",
        "binary-sum",
        NOISE,
        "two neighbours use u and 1 - u, so their noise bits are never both 1",
        200,
        pool_evidence("binary-sum", {0: shifted(sums(*[one_bit(2 / 3)] * 5), 4)}, 200),
        vectors=mirrored_pairs,
    ),
    slip(
        "zsum-cached-by-datum",
        "binary-sum",
        NOISE,
        "the randomizer is memoized by its datum: users with the same bit send the same noise",
        64,
        pool_evidence(
            "binary-sum",
            {0: shifted(sums({0: 1 - THIRD, 4: THIRD}, {0: 1 - THIRD, 6: THIRD}), 4)},
            64,
        ),
        vectors=cached_by_datum,
    ),
    slip(
        "distinct-cached-by-element",
        "distinct",
        NOISE,
        "the fair coin is memoized by element: all holders of an element get the same",
        500,
        cached_by_element_evidence("distinct", 500),
        vectors=cached_by_element,
    ),
    slip(
        "uniformity-divided-after",
        "uniformity",
        NOISE,
        "Pois(lam) // n noise bits instead of Pois(lam / n)",
        64,
        poisson_size_of("uniformity", moved(poisson_law(20.0), lambda v: v // 10), 64),
        user=sized(lambda self, rng: poisson(rng, self.lam) // self.n),
    ),
    slip(
        "copies-same-generator",
        "poisson-binomial",
        NOISE,
        "every user gets a copy of the generator in the same state, so all users flip alike",
        64,
        same_flips_evidence("poisson-binomial", 64),
        vectors=same_generator,
    ),
    slip(
        "copies-flips-pile-up",
        "poisson-binomial-dropouts",
        NOISE,
        "x ^= coin in the loop: each copy starts from the copy before, not from the bit",
        400,
        pile_up_evidence("poisson-binomial-dropouts", 400),
        user=flips_pile_up,
    ),
)
