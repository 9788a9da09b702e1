"""Sixth zoo: pools that share randomness, and dropouts."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_sixth_noise import per_label, total
from tests.blind_zoo_bug import CERTAIN, DROPOUTS, POOLS, Bug, bug
from tests.blind_zoo_draws import bernoulli, binomial, bits, divergence, entropy, poisson
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import ModularSum, Shuffled
from tests.blind_zoo_scenes import SCENES

BASE = 32
"""Above every count of the pools that are packed into one number."""


def packed(laws):
    """The law of independent counts as one number."""
    return total({value * BASE**i: mass for value, mass in law.items()} for i, law in enumerate(laws))


def together(scene, runs, users):
    """The evidence where the users' packed contributions to the pools have these laws."""
    return runs * divergence(total(users), packed(machine(scene).coordinates()))


def number(counts):
    return sum(count * BASE**i for i, count in enumerate(counts))


def both_flipped(pair, p):
    return {number(pair): 1 - p, number([1 - bit for bit in pair]): p}


def two_of_three(x):
    return {number([(x == j) + (j != left) for j in (1, 2, 3)]): 1 / 3 for left in (1, 2, 3)}


def shared(scene, runs, copies):
    """The evidence where so many pools' counts follow from the others'."""
    return runs * copies * entropy(machine(scene).coordinates()[0])


def drawn_per_user(draw, use):
    """A user who draws once with `draw(self, x, rng)` and sends `use(self, x, j, drawn, rng)` for every label."""

    def user(self, x, rng):
        drawn = draw(self, x, rng)
        return per_label(lambda self, x, j, rng: use(self, x, j, drawn, rng))(self, x, rng)

    return user


def one_bit_for_all(self, x, j, drawn, rng):
    return int(x == j), drawn


def one_mask(self, x, j, mask, rng):
    return *mask, (self.coin(x, j, rng) + sum(mask)) % 2


def same_bits(self, x, j, noise, rng):
    return int(x == j), *noise


def threshold_of_one(self, x, j, u, rng):
    return ModularSum.shares(self, int(u < (0.5 if x == j else self.p_prime)), rng)


def same_flip(self, x, rng):
    flip = bernoulli(rng, self.flip)
    return [(j, bit ^ flip) for j, bit in enumerate(x, start=1)]


def in_pairs(self, x, rng):
    return [self.noise(rng) for _ in range(self.labels // 2)]


def dropped(self):
    return self.scene.data[self.users :]


def noise_of_dropped(self, rng):
    return Shuffled.vectors(self, rng) + [[(1, self.noise(rng))] for _ in dropped(self)]


def half_of_dropped(self, rng):
    return Shuffled.vectors(self, rng) + [self.user(x, rng)[: self.labels * self.m // 2] for x in dropped(self)]


def any_users(self, rng):
    return [self.user(x, rng) for x in rng.sample(self.scene.data, self.users)]


def lost_messages(self, rng):
    vectors = [self.user(x, rng) for x in self.scene.data]
    return [[message for message in vector if bernoulli(rng, 0.75)] for vector in vectors]


SAME_FLIP = together("two-bit-sum", 500, [both_flipped(pair, 0.25) for pair in machine("two-bit-sum").people])
TWO_OF_THREE = together("histogram-dropouts", 400, map(two_of_three, machine("histogram-dropouts").people))
SAME_BITS = 200 * 2 * sum(map(entropy, machine("uniformity-dropouts").coordinates()[:2]))

SHARED = (
    bug(
        "one-noise-bit-for-all",
        "histogram",
        POOLS,
        "Each user draws one noise bit and sends it under all labels instead of a new one for each label.",
        200,
        shared("histogram", 200, 4),
        user=drawn_per_user(lambda self, x, rng: self.noise(rng), one_bit_for_all),
    ),
    bug(
        "one-mask-for-all",
        "distinct",
        POOLS,
        "A user's random shares are drawn once and used again for all labels.",
        300,
        user=drawn_per_user(lambda self, x, rng: bits(rng, self.m - 1), one_mask),
    ),
    bug(
        "one-flip-for-pair",
        "two-bit-sum",
        POOLS,
        "One flip decides for both bits of a user, so they are flipped together.",
        500,
        SAME_FLIP,
        user=same_flip,
    ),
    bug(
        "counters-same-start",
        "pan-histogram",
        POOLS,
        "The initial noise is drawn once and copied into all counters ([noise] * k).",
        200,
        shared("pan-histogram", 200, 3),
        initial=lambda self, rng: [binomial(rng, self.lam, self.chance)] * self.k,
    ),
    bug(
        "neighbours-share-noise",
        "histogram-uneven",
        POOLS,
        "The noise bit is looked up at (j - 1) // 2, so labels 1 and 2 have the same noise, and labels 3 and 4.",
        200,
        shared("histogram-uneven", 200, 2),
        user=drawn_per_user(in_pairs, lambda self, x, j, drawn, rng: (int(x == j), drawn[(j - 1) // 2])),
    ),
    bug(
        "two-noises-of-three",
        "histogram-dropouts",
        POOLS,
        "Each user chooses exactly two of the three labels for a noise bit 1 instead of an independent coin for each "
        "label, so the total of all noise is constant.",
        400,
        TWO_OF_THREE,
        user=drawn_per_user(
            lambda self, x, rng: rng.randint(1, 3), lambda self, x, j, left, rng: (int(x == j), int(j != left))
        ),
    ),
    bug(
        "same-noise-bits",
        "uniformity-dropouts",
        POOLS,
        "A user's list of noise bits is made once and attached to every label.",
        200,
        SAME_BITS,
        user=drawn_per_user(lambda self, x, rng: bits(rng, poisson(rng, self.mean)), same_bits),
    ),
    bug(
        "one-uniform-for-all",
        "hashed",
        POOLS,
        "A user draws one uniform number and compares it with the probability of each label, so the rare ones come "
        "under all labels at once.",
        1000,
        user=drawn_per_user(lambda self, x, rng: rng.random(), threshold_of_one),
    ),
)
DROPPED = (
    bug(
        "dropped-send-noise",
        "binary-sum-dropouts",
        DROPOUTS,
        "Users who dropped out still send their noise message.",
        200,
        CERTAIN,
        vectors=noise_of_dropped,
    ),
    bug(
        "full-noise-after-dropouts",
        "skellam-dropouts",
        DROPOUTS,
        "The noise has its full lambda as if all n users had added their part, although half of them dropped out.",
        500,
        mean=Fraction(3),
    ),
    bug(
        "dropped-still-summed",
        "skellam-dropouts",
        DROPOUTS,
        "The sum runs over the bits of all users, those who dropped out included.",
        200,
        people=SCENES["skellam-dropouts"].data,
    ),
    bug(
        "one-dropped-too-many",
        "modular-dropouts",
        DROPOUTS,
        "The number of users who stay is one too small, so one user too many is dropped.",
        200,
        CERTAIN,
        people=SCENES["modular-dropouts"].data[:5],
    ),
    bug(
        "p-prime-of-survivors",
        "distinct-dropouts",
        DROPOUTS,
        "The probability p' is computed with the number of users who stayed instead of n.",
        2000,
        p_prime=(1 - 0.9 ** (8 / 4)) / 2,
    ),
    bug(
        "survivors-make-up",
        "uniformity-dropouts",
        DROPOUTS,
        "The users who stay draw their noise with mean lambda over their own number instead of lambda/n, and so make "
        "up for those who dropped out.",
        300,
        mean=Fraction(12, 8),
    ),
    bug(
        "any-users-dropped",
        "histogram-dropouts",
        DROPOUTS,
        "A new random set of users drops out in each run instead of the last ones.",
        500,
        vectors=any_users,
    ),
    bug(
        "messages-dropped",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "Single messages get lost with probability 1/4 instead of whole users dropping out.",
        200,
        CERTAIN,
        vectors=lost_messages,
    ),
    bug(
        "dropped-half-way",
        "distinct-dropouts",
        DROPOUTS,
        "Users who drop out have already sent their messages for the first half of the labels, and these are kept.",
        200,
        CERTAIN,
        vectors=half_of_dropped,
    ),
)
BUGS: tuple[Bug, ...] = SHARED + DROPPED
