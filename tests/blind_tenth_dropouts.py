"""Users who are missing and treated wrongly."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, DROPOUTS, Bug, bug, evidence_of
from tests.blind_zoo_draws import as_law, binomial_masses, convolved
from tests.blind_zoo_online import machine
from tests.blind_zoo_scenes import PAIRS, SCENES


def noise_of_the_missing_is_sent(self, rng):
    return [[(1, x)] for x in self.people] + [[(1, self.noise(rng))] for _ in range(self.n)]


def survivors_drawn_afresh(self, rng):
    return [self.user(x, rng) for x in rng.sample(self.scene.data, self.users)]


def gap_filled_with_neighbour(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    vectors[-1] = vectors[-2]
    return vectors


def flipped_law(people, m, flip):
    h = sum(people)
    return convolved(as_law(binomial_masses((len(people) - h) * m, flip)), as_law(binomial_masses(h * m, 1 - flip)))


def neighbour_evidence(scene, runs):
    right = machine(scene)
    doubled = {2 * v: mass for v, mass in flipped_law(right.people[-2:-1], right.m, right.flip).items()}
    wrong = convolved(flipped_law(right.people[:-2], right.m, right.flip), doubled)
    return evidence_of([wrong], right.coordinates(), runs)


def threshold_for(scene, users):
    """The probability of a coin that makes up for the whole noise with so many users."""
    return (1 - float(1 - 1 / machine(scene).exp_eps) ** (1 / users)) / 2


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-noise-of-the-missing-is-sent",
        "binary-sum-dropouts",
        DROPOUTS,
        "The noise bits of all n users are made in advance, and those of the missing users are sent nevertheless.",
        300,
        evidence=CERTAIN,
        vectors=noise_of_the_missing_is_sent,
    ),
    bug(
        "tenth-survivors-make-up-the-noise",
        "skellam-dropouts",
        DROPOUTS,
        "The noise is scaled up by 1/gamma to make up for the missing users, which the protocol does not do.",
        1000,
        mean=Fraction(3),
    ),
    bug(
        "tenth-last-users-kept",
        "modular-dropouts",
        DROPOUTS,
        "The slice keeps the last gamma n users (data[-6:]) and not the first, so others than said are missing.",
        300,
        people=SCENES["modular-dropouts"].data[-6:],
    ),
    bug(
        "tenth-coins-for-present-users",
        "distinct-dropouts",
        DROPOUTS,
        "The coins' probability p' is computed with the number of users who are present instead of n.",
        3000,
        p_prime=threshold_for("distinct-dropouts", 4),
    ),
    bug(
        "tenth-missing-drawn-afresh",
        "histogram-dropouts",
        DROPOUTS,
        "The users who are missing are drawn again in each run instead of being the same ones.",
        800,
        evidence=CERTAIN,
        vectors=survivors_drawn_afresh,
    ),
    bug(
        "tenth-lost-user-filled-with-neighbour",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "The last user's upload is lost and the gap in the buffer is filled with the vector of the user before.",
        1000,
        evidence=neighbour_evidence("poisson-binomial-dropouts", 1000),
        vectors=gap_filled_with_neighbour,
    ),
    bug(
        "tenth-one-user-too-many",
        "two-bit-sum-dropouts",
        DROPOUTS,
        "The loop over the users who are present runs to gamma n inclusive, so one missing user takes part.",
        300,
        evidence=CERTAIN,
        people=PAIRS[:8],
    ),
)
