"""Third zoo: users who are lost, or are there though they should not be."""

from __future__ import annotations

from tests.blind_second_laws import (
    moved,
    poisson_law,
    pool_evidence,
)
from tests.blind_second_noise import skellam_law
from tests.blind_third_slips import (
    one_by_one,
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    DROPOUTS,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    divergence,
    shifted,
)
from tests.blind_zoo_online import machine


def first_pool_reached(self, rng):
    """Those who drop out have already sent their messages for the first pool."""
    present = [self.user(x, rng) for x in self.people]
    left = [self.user(x, rng) for x in self.scene.data[len(self.people) :]]
    return present + [[message for message in vector if message[0] == 1] for vector in left]


def first_pool_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    data, law = right.scene.data, poisson_law(float(right.mean) * len(right.scene.data) / 2)
    h = data.count(1)
    return pool_evidence(scene, {0: shifted(law, len(data) - h), 1: shifted(law, h)}, runs)


def buffer_of(size: int):
    def order(self, vectors, rng):
        messages = [message for vector in vectors for message in vector]
        rng.shuffle(messages)
        return messages[:size]

    return order


def buffer_evidence(scene: str, size: int, runs: int) -> float:
    """What the number of messages says."""
    right = machine(scene)
    law = shifted(poisson_law(float(right.mean) * len(right.people) * right.labels), len(right.people) * right.labels)
    return runs * divergence(moved(law, lambda v: min(v, size)), law)


def window(self, rng, i):
    """Run i starts with user i, in a circle, and takes as many as should take part."""
    data, count = self.scene.data, self.users
    self.people = [data[(i + place) % len(data)] for place in range(count)]
    return self.run(rng)


def window_evidence(scene: str, runs: int) -> float:
    right = machine(scene)
    data, laws = right.scene.data, right.coordinates()
    each = runs / len(data)
    total = 0.0
    for i in range(len(data)):
        people = [data[(i + place) % len(data)] for place in range(right.users)]
        total += evidence_of(machine(scene, people=people).coordinates(), laws, each) or 0.0
    return total


BUGS: tuple[Bug, ...] = (
    slip(
        "modular-gamma-drops",
        "modular-dropouts",
        DROPOUTS,
        "gamma is read as the share of users who drop out",
        64,
        CERTAIN,
        people=[1, 0, 0],
    ),
    slip(
        "zsum-falsy-absent",
        "binary-sum-dropouts",
        DROPOUTS,
        "users with a 0 are taken for absent ones (if x:)",
        64,
        CERTAIN,
        people=[1, 1, 1, 1],
    ),
    slip(
        "uniformity-first-pool-reached",
        "uniformity-dropouts",
        DROPOUTS,
        "users who drop out have already sent their messages for the first pool",
        64,
        first_pool_evidence("uniformity-dropouts", 64),
        vectors=first_pool_reached,
    ),
    slip(
        "uniformity-buffer",
        "uniformity",
        DROPOUTS,
        "the shuffler's buffer has room for 135 messages, the rest is lost",
        3000,
        buffer_evidence("uniformity", 135, 3000),
        order=buffer_of(135),
    ),
    slip(
        "skellam-sum-of-all",
        "skellam-dropouts",
        DROPOUTS,
        "the noise is that of half of the users, the sum is that of all",
        64,
        evidence_of([shifted(skellam_law(1.5), 7)], machine("skellam-dropouts").coordinates(), 64),
        value=lambda self: sum(self.scene.data),
    ),
    slip(
        "two-bit-equal-rows",
        "two-bit-sum-dropouts",
        DROPOUTS,
        "users with equal rows are taken for one user who sent again",
        64,
        CERTAIN,
        people=[(1, 0), (1, 1), (0, 0)],
    ),
    slip(
        "zsum-p-times-gamma",
        "binary-sum-dropouts",
        DROPOUTS,
        "p is multiplied by the share of users who take part",
        150,
        flip=1 / 3,
    ),
    one_by_one(
        "histogram-sliding-window",
        "histogram-dropouts",
        DROPOUTS,
        "run i leaves out the users before user i, in a circle, not the last ones",
        600,
        window,
        window_evidence("histogram-dropouts", 600),
    ),
)
