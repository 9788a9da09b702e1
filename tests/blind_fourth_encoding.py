"""Fourth zoo: data that enters wrongly."""

from __future__ import annotations

from tests.blind_fourth_noise import known
from tests.blind_zoo_bug import CERTAIN, ENCODING, bug
from tests.blind_zoo_draws import (
    bernoulli,
    bits,
    poisson,
)

# --- the encoding ------------------------------------------------------------------------------------------------


def until_flipped(self, x, rng):
    messages = []
    for _ in range(self.m):
        flip = bernoulli(rng, self.flip)
        messages.append((1, x ^ flip))
        if flip:
            break
    return messages


def overwritten(self, x, rng):
    return [
        (j, bit) for j in range(1, self.labels + 1) for bit in (bits(rng, poisson(rng, self.mean)) or [int(x == j)])
    ]


def free_once(self, rng):
    self.free = bits(rng, self.m - 1)


def shares_of_free(self, u, rng):
    return [*self.free, (u + sum(self.free)) % 2]


def noise_to_own(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (x, self.noise(rng)))]


def rounded_label(self, x, rng):
    messages = type(self).__mro__[1].user(self, x, rng)
    return [(min(self.labels, j + bit), bit) for j, bit in messages]


def and_share(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, u & sum(free) % 2]


def unshared(self, pools, x, rng):
    messages = [(j, bit) for j in range(1, self.labels + 1) for bit in [self.coin(x, j, rng)] + [0] * (self.m - 1)]
    return self.added(pools, self.count(messages))


def running_shares(self, x, rng):
    messages, total = [], 0
    for j in range(1, self.labels + 1):
        free = bits(rng, self.m - 1)
        total += sum(free)
        messages += [(j, bit) for bit in [*free, (self.coin(x, j, rng) + total) % 2]]
    return messages


def changes_of_neighbours(self):
    return sum(a != b for a, b in zip(self.people, self.people[1:], strict=False))


PAIRS = [(1, 0), (1, 1), (0, 0), (1, 0), (1, 1), (1, 0), (0, 0), (1, 0), (0, 1), (1, 0)]

ENCODINGS = (
    bug(
        "fourth-poisson-break",
        "poisson-binomial",
        ENCODING,
        "the loop over copies ends at the first flip",
        200,
        CERTAIN,
        user=until_flipped,
    ),
    bug(
        "fourth-histogram-closure",
        "histogram-uneven",
        ENCODING,
        "closures share the loop variable: all encode the last user's element",
        200,
        people=[2] * 7,
    ),
    bug(
        "fourth-uniformity-overwritten",
        "uniformity",
        ENCODING,
        "the first noise bit overwrites the data bit in the buffer",
        200,
        user=overwritten,
    ),
    bug(
        "fourth-modular-free-once",
        "modular",
        ENCODING,
        "the free shares are drawn once and used by all users",
        300,
        publish=free_once,
        shares=shares_of_free,
    ),
    bug(
        "fourth-histogram-two-bits",
        "histogram",
        ENCODING,
        "elements are kept in two bits, so 5 is read as 1",
        300,
        people=[1, 1, 1, 1, 2, 2, 1, 1],
    ),
    bug(
        "fourth-two-bit-and",
        "two-bit-sum",
        ENCODING,
        "the second bit sent is the AND of both bits",
        1500,
        people=[(a, a & b) for a, b in PAIRS],
    ),
    bug(
        "fourth-histogram-noise-label",
        "histogram",
        ENCODING,
        "noise bits for all pools carry the user's own label",
        200,
        CERTAIN,
        user=noise_to_own,
    ),
    bug(
        "fourth-uniformity-label-rounded",
        "uniformity-default",
        ENCODING,
        "label is round((2j+bit)/2), so ones go to pool j+1",
        200,
        CERTAIN,
        user=rounded_label,
    ),
    bug(
        "fourth-geometric-changes",
        "geometric",
        ENCODING,
        "counts changes between sorted neighbours, one fewer than distinct elements",
        500,
        known("geometric", 500, value=changes_of_neighbours),
        value=changes_of_neighbours,
    ),
    bug(
        "fourth-modular-and",
        "modular-short",
        ENCODING,
        "the last share is the bit AND the free share",
        300,
        shares=and_share,
    ),
    bug(
        "fourth-pan-distinct-unshared",
        "pan-distinct",
        ENCODING,
        "stream users send their coin and zeros; only dummies share",
        500,
        fed=unshared,
    ),
    bug(
        "fourth-distinct-running-sum",
        "distinct-formula",
        ENCODING,
        "the sum of free shares is not cleared between pools",
        600,
        user=running_shares,
    ),
)


BUGS = ENCODINGS
