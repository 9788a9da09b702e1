"""Missing and lost users who are treated wrongly."""

from __future__ import annotations

from functools import reduce
from math import comb

from tests.blind_zoo_bug import CERTAIN, DROPOUTS, bug, evidence_of
from tests.blind_zoo_draws import convolved
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import BinarySum, ModularSum, Uniformity
from tests.blind_zoo_scenes import SCENES


def data(scene):
    return list(SCENES[scene].data)


def vectors_with_interrupted_uploads(self, rng):
    rest = [self.user(x, rng)[:1] for x in self.scene.data[self.users :]]
    return ModularSum.vectors(self, rng) + rest


def vectors_of_random_users(self, rng):
    return [self.user(x, rng) for x in rng.sample(self.scene.data, self.users)]


def random_users_evidence(runs):
    scene = "poisson-binomial-dropouts"
    right, everyone = machine(scene), data(scene)
    n, users, h, wrong = len(everyone), right.users, sum(everyone), {}
    for ones in range(max(0, users - (n - h)), min(h, users) + 1):
        mass = comb(h, ones) * comb(n - h, users - ones) / comb(n, users)
        (law,) = machine(scene, people=[1] * ones + [0] * (users - ones)).coordinates()
        wrong = {v: wrong.get(v, 0.0) + mass * p for v, p in law.items()}
    return evidence_of([wrong], right.coordinates(), runs)


def p_prime_of_present_users():
    right = machine("distinct-dropouts")
    return (1 - float(1 - 1 / right.exp_eps) ** (1 / right.users)) / 2


def statistic_of_present_users(self, pools):
    nominal, self.n = self.n, self.users
    statistic = Uniformity.statistic(self, pools)
    self.n = nominal
    return statistic


LOST = 0.03


def user_lost_in_zeroed_buffer(self, x, rng):
    return [(1, 0), (1, 0)] if rng.random() < LOST else BinarySum.user(self, x, rng)


def zeroed_buffer_evidence(runs):
    right = machine("binary-sum-large")
    p, laws = right.flip, []
    for x in right.people:
        law = {0: LOST, 1: 0.0, 2: 0.0}
        law[x] += (1 - LOST) * (1 - p)
        law[x + 1] += (1 - LOST) * p
        laws.append(law)
    return evidence_of([reduce(convolved, laws)], right.coordinates(), runs)


BUGS = (
    bug(
        "eleventh-server-fills-in-zeros-for-missing",
        "binary-sum-dropouts",
        DROPOUTS,
        "The server sends messages for the missing users, as if each of them had the bit 0.",
        300,
        CERTAIN,
        people=data("binary-sum-dropouts")[:8] + [0] * 4,
    ),
    bug(
        "eleventh-wrong-end-of-the-list-dropped",
        "histogram-dropouts",
        DROPOUTS,
        "The first users are dropped from the list instead of the last ones.",
        300,
        people=data("histogram-dropouts")[2:],
    ),
    bug(
        "eleventh-missing-users-leave-their-first-share",
        "modular-dropouts",
        DROPOUTS,
        "The missing users drop out during the upload, and the first of their shares is kept.",
        300,
        CERTAIN,
        vectors=vectors_with_interrupted_uploads,
    ),
    bug(
        "eleventh-random-users-are-missing",
        "poisson-binomial-dropouts",
        DROPOUTS,
        "Each run leaves out users chosen at random from the table instead of the ones that are missing.",
        1000,
        random_users_evidence(1000),
        vectors=vectors_of_random_users,
    ),
    bug(
        "eleventh-coin-computed-for-present-users",
        "distinct-dropouts",
        DROPOUTS,
        "The users compute p' with the number of those who are present, where the nominal n belongs.",
        1000,
        p_prime=p_prime_of_present_users(),
    ),
    bug(
        "eleventh-statistic-with-present-users",
        "uniformity-dropouts",
        DROPOUTS,
        "The analyzer takes the number of users present for n when it computes the number of noise messages.",
        1000,
        CERTAIN,
        statistic=statistic_of_present_users,
    ),
    bug(
        "eleventh-lost-users-leave-zeroed-slots",
        "binary-sum-large",
        DROPOUTS,
        "A user whose upload fails, 3 % of all, leaves the zeros of the preallocated buffer as messages.",
        1000,
        zeroed_buffer_evidence(1000),
        user=user_lost_in_zeroed_buffer,
    ),
)
