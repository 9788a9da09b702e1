"""Eighth zoo: users who left."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, DROPOUTS, bug
from tests.blind_zoo_scenes import SCENES


def noise_of_all(self, rng):
    sent = [self.user(x, rng) for x in self.people]
    left = [[(j, self.noise(rng)) for j in range(1, self.labels + 1)] for _ in range(self.n - self.users)]
    return sent + left


BUGS = (
    bug(
        "noise-of-the-missing-added",
        "skellam-dropouts",
        DROPOUTS,
        "The noise has the parameter lam of all n users although only gamma n take part; it is not scaled by gamma.",
        500,
        mean=Fraction(3),
    ),
    bug(
        "first-users-dropped",
        "binary-sum-dropouts",
        DROPOUTS,
        "The last gamma n users take part instead of the first gamma n.",
        600,
        people=list(SCENES["binary-sum-dropouts"].data[-8:]),
    ),
    bug(
        "noise-made-up-by-those-present",
        "uniformity-dropouts",
        DROPOUTS,
        "The users who stay make up for those who left: each draws Poisson(lam/(gamma n)) noise messages per label,"
        " not Poisson(lam/n).",
        200,
        mean=Fraction(12, 8),
    ),
    bug(
        "missing-users-send-noise",
        "histogram-dropouts",
        DROPOUTS,
        "The users who left still send their noise messages; only their data messages are missing.",
        64,
        CERTAIN,
        vectors=noise_of_all,
    ),
    bug(
        "root-of-the-number-present",
        "distinct-dropouts",
        DROPOUTS,
        "p' is computed from the number of users that take part, gamma n, in place of n.",
        2000,
        p_prime=(1 - 0.9**2) / 2,
    ),
    bug(
        "share-as-a-rounded-decimal",
        "modular-dropouts",
        DROPOUTS,
        "gamma is kept as the decimal 0.66 and gamma n is cut down to an integer, so one user too few takes part.",
        64,
        CERTAIN,
        people=list(SCENES["modular-dropouts"].data[:5]),
    ),
)
