"""Fourth zoo: dependent pools and dropouts."""

from __future__ import annotations

import math
from bisect import bisect_right

from tests.blind_fourth_noise import against, known
from tests.blind_zoo_bug import (
    CERTAIN,
    DROPOUTS,
    POOLS,
    bug,
)
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    convolved,
    poisson,
    poisson_masses,
    table,
)
from tests.blind_zoo_scenes import SCENES


def flat(vectors):
    return [message for vector in vectors for message in vector]


# --- independence between pools ----------------------------------------------------------------------------------


def anded(self, x, rng):
    messages, noise = [], 1
    for j in range(1, self.labels + 1):
        noise &= self.noise(rng)
        messages += [(j, int(x == j)), (j, noise)]
    return messages


def all_but_one(self, x, rng):
    out = rng.randrange(1, self.labels + 1)
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, int(j != out)))]


def flip_kept(self, x, rng):
    messages, flip = [], 0
    for j, bit in enumerate(x, start=1):
        flip ^= bernoulli(rng, self.flip)
        messages.append((j, bit ^ flip))
    return messages


def complements(self, x, rng):
    sums, messages, u = table(poisson_masses(float(self.mean))), [], 0.0
    for j in range(1, self.labels + 1):
        u = rng.random() if j % 2 else 1 - u
        messages += [(j, bit) for bit in (int(x == j), *bits(rng, bisect_right(sums, u)))]
    return messages


def prefixes(self, x, rng):
    word = bits(rng, 64)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *word[: poisson(rng, self.mean)])]


def cut_array(self, rng):
    coins = [1, 0] * (self.k * self.lam // 2)
    rng.shuffle(coins)
    return [sum(coins[j * self.lam : (j + 1) * self.lam]) for j in range(self.k)]


def sorted_noise(self, state, rng):
    noise = sorted(binomial(rng, self.lam, self.chance) for _ in state)
    return [count + extra for count, extra in zip(state, noise, strict=True)]


def chained(self, x, rng):
    messages, share = [], rng.getrandbits(1)
    for j in range(1, self.labels + 1):
        first, share = share, (self.coin(x, j, rng) + share) % 2
        messages += [(j, first), (j, share)]
    return messages


def windows(self, x, rng):
    halves = [poisson(rng, self.mean / 2) for _ in range(self.labels + 1)]
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, halves[j - 1] + halves[j]))]


POOL_BUGS = (
    bug(
        "fourth-pools-anded",
        "histogram-uneven",
        POOLS,
        "noise &= coin: a pool's noise is ANDed with earlier pools'",
        200,
        user=anded,
    ),
    bug(
        "fourth-pools-all-but-one",
        "histogram-dropouts",
        POOLS,
        "each user adds noise to all pools but one drawn at random",
        300,
        user=all_but_one,
    ),
    bug(
        "fourth-pools-flip-kept",
        "two-bit-sum",
        POOLS,
        "flip ^= coin: the second bit also undergoes the first flip",
        1000,
        user=flip_kept,
    ),
    bug(
        "fourth-pools-complements",
        "uniformity",
        POOLS,
        "neighbouring pools' Poisson numbers come from u and 1 - u",
        300,
        user=complements,
    ),
    bug(
        "fourth-pools-prefixes",
        "uniformity-dropouts",
        POOLS,
        "all pools' noise bits are the start of one word per user",
        600,
        user=prefixes,
    ),
    bug(
        "fourth-pools-cut-array",
        "pan-histogram",
        POOLS,
        "initial noises are cut from one shuffled array, half of it ones",
        200,
        initial=cut_array,
    ),
    bug(
        "fourth-pools-sorted",
        "pan-histogram-start",
        POOLS,
        "the final noises of the counters are sorted",
        200,
        output=sorted_noise,
    ),
    bug(
        "fourth-pools-chained",
        "pan-distinct",
        POOLS,
        "the last share of a pool is the next pool's free share",
        400,
        user=chained,
    ),
    bug(
        "fourth-pools-windows",
        "pan-uniformity-late",
        POOLS,
        "noise numbers of neighbouring pools are overlapping windows of one process",
        500,
        user=windows,
    ),
)

# --- dropouts ----------------------------------------------------------------------------------------------------


def free_shares_too(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    for _ in self.scene.data[self.users :]:
        vectors.append([(j, bit) for j in range(1, self.labels + 1) for bit in bits(rng, self.m - 1)])
    return vectors


def three_quarters(self, vectors, rng):
    messages = flat(vectors)
    rng.shuffle(messages)
    return messages[: len(messages) * 3 // 4]


def three_quarters_law():
    law = convolved(as_law(binomial_masses(12, 0.2)), as_law(binomial_masses(20, 0.8)))
    kept = {}
    for ones, p in law.items():
        for s in range(max(0, ones - 8), min(24, ones) + 1):
            mass = math.comb(ones, s) * math.comb(32 - ones, 24 - s) / math.comb(32, 24)
            kept[s] = kept.get(s, 0.0) + p * mass
    return kept


def data_without_noise(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    for x in self.scene.data[self.users :]:
        vectors.append([(j, int(x == j)) for j in range(1, self.labels + 1)])
    return vectors


def doubled(self):
    return 2 * sum(self.people)


def data(scene):
    return list(SCENES[scene].data)


DROPOUT_BUGS = (
    bug(
        "fourth-dropouts-scaled-sum",
        "skellam-dropouts",
        DROPOUTS,
        "the sum is scaled up by 1/gamma for the missing users",
        200,
        known("skellam-dropouts", 200, value=doubled),
        value=doubled,
    ),
    bug(
        "fourth-dropouts-resized",
        "binary-sum-dropouts",
        DROPOUTS,
        "missing users are filled in by the first users again",
        200,
        CERTAIN,
        people=data("binary-sum-dropouts")[:8] + data("binary-sum-dropouts")[:4],
    ),
    bug(
        "fourth-dropouts-free-shares",
        "distinct-dropouts",
        DROPOUTS,
        "users who leave have sent their free shares, not the last",
        200,
        CERTAIN,
        vectors=free_shares_too,
    ),
    bug(
        "fourth-dropouts-messages",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "a quarter of all users' messages is dropped, not of users",
        300,
        against("poisson-binomial-dropouts", [three_quarters_law()], 300),
        people=data("poisson-binomial-dropouts"),
        order=three_quarters,
    ),
    bug(
        "fourth-dropouts-imputed",
        "two-bit-sum-dropouts",
        DROPOUTS,
        "missing users are imputed as the most frequent row",
        200,
        CERTAIN,
        people=data("two-bit-sum-dropouts")[:7] + [(1, 0)] * 3,
    ),
    bug(
        "fourth-dropouts-batch",
        "binary-sum-large",
        DROPOUTS,
        "the last, incomplete batch of sixteen users is never sent",
        200,
        CERTAIN,
        people=data("binary-sum-large")[:48],
    ),
    bug(
        "fourth-dropouts-data-only",
        "histogram-dropouts",
        DROPOUTS,
        "users who leave have sent their data bits without noise",
        200,
        CERTAIN,
        vectors=data_without_noise,
    ),
    bug(
        "fourth-dropouts-root",
        "skellam-dropouts",
        DROPOUTS,
        "the noise's variance is scaled by the root of gamma",
        3000,
        mean=3 * math.sqrt(0.5),
    ),
    bug(
        "fourth-dropouts-default",
        "uniformity-dropouts",
        DROPOUTS,
        "missing users count as users with the default element 1",
        200,
        people=data("uniformity-dropouts")[:8] + [1] * 4,
    ),
)


BUGS = POOL_BUGS + DROPOUT_BUGS
