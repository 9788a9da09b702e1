"""Eighth zoo: public random choices that are not what they should be.

The evidence of a run is the mean log-likelihood ratio of the mixtures over all choices, in thousands of runs.
"""

from __future__ import annotations

from tests.blind_zoo_bug import HASH, bug


def only_shifted(self, rng):
    self.a, self.b = 1, rng.randrange(self.q)


def no_prime(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.labels


def own_hash(self, x, rng):
    self.publish(rng)
    return 1 + (self.a * (x - 1) + self.b) % self.q % self.labels


def unbalanced(self, rng):
    self.groups = [rng.randrange(self.k_hat) + 1 for _ in range(self.k)]


def no_padding(self, x, rng):
    return self.groups[x - 1]


BUGS = (
    bug(
        "hash-without-a-factor",
        "hashed-wide",
        HASH,
        "The factor of the linear hash is always 1, so only the shift is random and elements at certain distances"
        " nearly always collide.",
        400,
        0.44 * 400,
        publish=only_shifted,
    ),
    bug(
        "hash-without-the-prime",
        "hashed",
        HASH,
        "The linear hash is reduced by the number of hash values only; the reduction by the prime is left out.",
        12000,
        0.0145 * 12000,
        encoded=no_prime,
    ),
    bug(
        "every-user-hashes-alone",
        "hashed",
        HASH,
        "Every user draws its own hash function instead of all using the public one, so equal elements get different"
        " labels.",
        5000,
        0.0072 * 5000,
        encoded=own_hash,
    ),
    bug(
        "groups-of-any-size",
        "compressed",
        HASH,
        "Every element is put into one of the k-hat groups independently, so the groups of the partition differ in"
        " size.",
        3000,
        0.066 * 3000,
        publish=unbalanced,
    ),
    bug(
        "padding-ignored",
        "compressed-padded",
        HASH,
        "The domain is not padded to a multiple of k-hat: a user always reports the group of its own element, never"
        " that of an added one.",
        1000,
        0.157 * 1000,
        encoded=no_padding,
    ),
)
