"""Bugs with users who drop out, stay, or come twice."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, DROPOUTS, Bug, bug
from tests.blind_zoo_scenes import SCENES


def out(name: str, scene: str, runs: int, cause: str, evidence=None, **changes) -> Bug:
    return bug(name, scene, DROPOUTS, cause, runs, evidence, **changes)


def all_of(scene):
    return list(SCENES[scene].data)


def some_stay(chance):
    def vectors(self, rng):
        return [self.user(x, rng) for x in self.scene.data if rng.random() < chance]

    return vectors


def twice(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    return [*vectors, vectors[0]]


def retry(self, rng):
    """One user's messages arrive again, freshly drawn, after a time-out."""
    people = [*self.people, self.people[-1]] if rng.random() < 0.02 else self.people
    return [self.user(x, rng) for x in people]


def someone_in_the_last_place(self, rng):
    people = [*self.people[:-1], rng.choice(self.scene.data)]
    return [self.user(x, rng) for x in people]


def part_lost(self, rng):
    vectors = [self.user(x, rng) for x in self.people]
    return [*vectors[:-1], vectors[-1][: len(vectors[-1]) // 2]]


BUGS: tuple[Bug, ...] = (
    out(
        "stay-zsum",
        "binary-sum-dropouts",
        64,
        "users who dropped out still send",
        CERTAIN,
        people=all_of("binary-sum-dropouts"),
    ),
    out(
        "stay-tester",
        "uniformity-dropouts",
        64,
        "users who dropped out still send",
        people=all_of("uniformity-dropouts"),
    ),
    out(
        "wrong-users-zsum",
        "binary-sum-dropouts",
        1000,
        "the first users drop out, not the last",
        people=all_of("binary-sum-dropouts")[4:],
    ),
    out(
        "wrong-users-distinct",
        "distinct-dropouts",
        1000,
        "the first users drop out, not the last",
        people=all_of("distinct-dropouts")[4:],
    ),
    out(
        "wrong-users-tester",
        "uniformity-dropouts",
        300,
        "the first users drop out, not the last",
        people=all_of("uniformity-dropouts")[4:],
    ),
    out(
        "wrong-users-modular",
        "modular-dropouts",
        64,
        "the first users drop out, not the last",
        people=all_of("modular-dropouts")[3:],
    ),
    out(
        "wrong-users-histogram",
        "histogram-dropouts",
        300,
        "every fourth user drops out",
        evidence=CERTAIN,
        people=[x for i, x in enumerate(all_of("histogram-dropouts")) if i % 4 != 0],
    ),
    out("gamma-twice-zsum", "binary-sum-dropouts", 64, "gamma is applied twice", CERTAIN, people=[1, 1, 0, 1, 0]),
    out("gamma-twice-skellam", "skellam-dropouts", 1000, "the noise is scaled by gamma twice", mean=Fraction(3, 4)),
    out(
        "full-noise-skellam",
        "skellam-dropouts",
        1000,
        "the noise of all users is there though half dropped out",
        mean=Fraction(3),
    ),
    out(
        "noise-made-up-tester",
        "uniformity-dropouts",
        200,
        "the users who stay make up for the noise of the others",
        mean=Fraction(3, 2),
    ),
    out(
        "noise-made-up-distinct",
        "distinct-dropouts",
        10000,
        "the users who stay make up for the noise of the others",
        p_prime=(1 - 0.9**2) / 2,
    ),
    out(
        "at-random-copies",
        "poisson-binomial-dropouts",
        64,
        "each user drops out at random",
        CERTAIN,
        vectors=some_stay(0.75),
    ),
    out(
        "zeros-for-the-gone",
        "histogram-dropouts",
        64,
        "silent users are counted as zeros",
        CERTAIN,
        vectors=lambda self, rng: [
            *(self.user(x, rng) for x in self.people),
            *[[(j, 0) for j in (1, 1, 2, 2, 3, 3)]] * 2,
        ],
    ),
    out(
        "one-too-few",
        "two-bit-sum-dropouts",
        64,
        "one more user drops out than gamma says",
        CERTAIN,
        people=all_of("two-bit-sum-dropouts")[:6],
    ),
    out("one-user-twice", "modular", 64, "the first user's messages arrive twice", CERTAIN, vectors=twice),
    out("retries", "binary-sum", 2000, "in one run of fifty the last user sends again", CERTAIN, vectors=retry),
    out(
        "half-a-user",
        "two-bit-sum",
        64,
        "of the last user only the first half of the messages arrives",
        CERTAIN,
        vectors=part_lost,
    ),
    out(
        "last-place-changes",
        "poisson-binomial-dropouts",
        5000,
        "the last of those who stay is a random user",
        vectors=someone_in_the_last_place,
    ),
    out("late-comer-skellam", "skellam-dropouts", 1000, "one user too many is summed", people=[1, 1, 0, 1, 1]),
    out("missing-row-skellam", "skellam", 1000, "the first row is taken for a header", people=[1, 0, 1, 1, 0]),
    out("missing-row-pan", "pan-sum", 300, "the last element of the stream is not read", people=[1, 0, 1, 1, 0, 1, 0]),
)
