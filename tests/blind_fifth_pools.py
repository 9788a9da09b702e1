"""Fifth zoo: independence between pools, and dropouts."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

from tests.blind_fifth_tools import known, mixed, together, vectors_summed
from tests.blind_zoo_bug import CERTAIN, DROPOUTS, POOLS, Bug, bug
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    entropy,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown
from tests.blind_zoo_scenes import PAIRS, SCENES


def same_noise(self, x, rng):
    noise = self.noise(rng)
    return [pair for j in range(1, self.k + 1) for pair in ((j, int(x == j)), (j, noise))]


def fixed_noise_sum(self, x, rng):
    chosen = rng.sample(range(1, self.k + 1), int(self.k * self.p))
    return [pair for j in range(1, self.k + 1) for pair in ((j, int(x == j)), (j, int(j in chosen)))]


def same_flip(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def same_free_shares(self, x, rng):
    free, messages = bits(rng, self.m - 1), []
    for j in range(1, self.k + 1):
        messages += [(j, bit) for bit in (*free, (self.coin(x, j, rng) + sum(free)) % 2)]
    return messages


def one_coin(self, x, rng):
    other = bernoulli(rng, self.p_prime)
    coins = [rng.getrandbits(1) if x == j else other for j in range(1, self.k + 1)]
    return [(j, bit) for j, coin in enumerate(coins, start=1) for bit in self.shares(coin, rng)]


def same_count(self, x, rng):
    count = poisson(rng, self.mean)
    return [(j, bit) for j in range(1, self.k + 1) for bit in (int(x == j), *bits(rng, count))]


def scattered(self, x, rng):
    noise = [(rng.randrange(self.k) + 1, rng.getrandbits(1)) for _ in range(int(self.k * self.mean))]
    return [(j, int(x == j)) for j in range(1, self.k + 1)] + noise


def independent(scene):
    return [together(machine(scene).coordinates())]


def counts_and(scene, part):
    """The law of the pools' ones where every user's noise bits are drawn together."""
    right = machine(scene)
    held = [{tuple(int(x == j) for j in range(1, right.k + 1)): 1.0} for x in right.people]
    return vectors_summed(held + [part] * len(held))


def some_seven(self, rng):
    return [self.user(x, rng) for x in rng.sample(PAIRS, self.users)]


def noise_of_all(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    for _ in range(self.n - self.users):
        vectors.append([(j, bit) for j in range(1, self.k + 1) for bit in bits(rng, poisson(rng, self.mean))])
    return vectors


def all_expected(self, pools):
    return shown((pools[0][1] - self.n * self.m * self.p) / (self.m * (1 - 2 * self.p)))


def uniformity_with_all_noise():
    noise = as_law(poisson_masses(6.0))
    return [shifted(noise, by) for h in (6, 1, 1) for by in (8 - h, h)]


BUGS: tuple[Bug, ...] = (
    bug(
        "histogram-one-noise-bit-for-all-pools",
        "histogram",
        POOLS,
        "A user draws one noise bit and sends it to all pools instead of drawing one for each pool.",
        200,
        200 * 4 * entropy(as_law(binomial_masses(8, 0.5))),
        user=same_noise,
    ),
    known(
        "histogram-fixed-number-of-noise-ones",
        "histogram-dropouts",
        POOLS,
        "A user gives noise 1 to exactly k p = 2 pools chosen at random instead of tossing a coin for each pool.",
        300,
        [counts_and("histogram-dropouts", {(1, 1, 0): 1 / 3, (1, 0, 1): 1 / 3, (0, 1, 1): 1 / 3})],
        independent("histogram-dropouts"),
        user=fixed_noise_sum,
    ),
    known(
        "two-bit-one-flip-for-both",
        "two-bit-sum",
        POOLS,
        "One coin decides whether both bits of a user are flipped instead of a coin for each bit.",
        1000,
        [vectors_summed([{(a, b): 0.75, (1 - a, 1 - b): 0.25} for a, b in PAIRS])],
        independent("two-bit-sum"),
        user=same_flip,
    ),
    bug(
        "pan-distinct-shares-reused",
        "pan-distinct-odd",
        POOLS,
        "The free shares are drawn once for each user and used again for all values.",
        500,
        user=same_free_shares,
    ),
    bug(
        "distinct-one-coin-for-other-values",
        "distinct-few-messages",
        POOLS,
        "A user tosses one coin of probability p' for all values not held instead of one for each of them.",
        1000,
        user=one_coin,
    ),
    bug(
        "uniformity-same-count-in-all-pools",
        "uniformity",
        POOLS,
        "A user draws the number of noise messages once and sends so many to every pool.",
        200,
        200 * 3 * entropy(as_law(poisson_masses(20.0))),
        user=same_count,
    ),
    bug(
        "uniformity-fixed-noise-scattered",
        "uniformity-default",
        POOLS,
        "A user sends a fixed number of noise messages in all, each to a random pool, so pools compete for them.",
        400,
        -400 * math.log(poisson_masses(24.0)[24]),
        user=scattered,
    ),
    bug(
        "pan-histogram-one-noise-for-all-counters",
        "pan-histogram",
        POOLS,
        "The initial noise is drawn once and given to all k counters (a list multiplied by k).",
        200,
        200 * 3 * entropy(as_law(binomial_masses(30, 0.5))),
        initial=lambda self, rng: [binomial(rng, self.lam, self.chance)] * self.k,
    ),
    bug(
        "wrong-users-stay",
        "binary-sum-dropouts",
        DROPOUTS,
        "The first users drop out and the last ones stay instead of the other way round.",
        400,
        people=SCENES["binary-sum-dropouts"].data[-8:],
    ),
    bug(
        "p-for-those-present",
        "distinct-dropouts",
        DROPOUTS,
        "The probability p' is computed with the users present instead of all n, so it is too large.",
        700,
        p_prime=(1 - 0.9**2) / 2,
    ),
    bug(
        "dropouts-sent-as-zero",
        "modular-dropouts",
        DROPOUTS,
        "Users who drop out are not left out: shares of the value 0 are sent for them.",
        200,
        CERTAIN,
        people=SCENES["modular-dropouts"].data[:6] + [0] * 3,
    ),
    bug(
        "missing-messages-corrected-for",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "The analyzer subtracts the expected noise of all n users although only those present have sent messages.",
        200,
        CERTAIN,
        analyze=all_expected,
    ),
    bug(
        "threshold-of-those-present",
        "histogram-dropouts",
        DROPOUTS,
        "The analyzer subtracts the number of users present from the ones instead of n.",
        200,
        CERTAIN,
        above=lambda self, ones: max(0, ones - self.users),
    ),
    bug(
        "noise-not-reduced-by-dropouts",
        "skellam-dropouts",
        DROPOUTS,
        "The noise has the variance lam of all n users although only half of them are present to add their parts.",
        400,
        mean=Fraction(3),
    ),
    known(
        "users-drop-out-at-random",
        "two-bit-sum-dropouts",
        DROPOUTS,
        "Another random set of users drops out in each run instead of always the last ones.",
        500,
        [
            mixed(
                together(machine("two-bit-sum-dropouts", people=list(some)).coordinates())
                for some in combinations(PAIRS, 7)
            )
        ],
        independent("two-bit-sum-dropouts"),
        vectors=some_seven,
    ),
    known(
        "dropouts-still-send-noise",
        "uniformity-dropouts",
        DROPOUTS,
        "Users who drop out leave out their data messages but still send their noise messages.",
        300,
        uniformity_with_all_noise(),
        vectors=noise_of_all,
    ),
)
