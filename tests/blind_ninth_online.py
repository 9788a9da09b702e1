"""Ninth zoo: states of online algorithms, hashes and partitions."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from tests.blind_zoo_bug import CERTAIN, HASH, STATE, bug, evidence_of
from tests.blind_zoo_draws import as_law, binomial, binomial_masses, poisson_masses, shifted
from tests.blind_zoo_online import machine


def forgetful_initial(self, rng):
    self.previous = None
    return [binomial(rng, self.lam, self.chance) for _ in range(self.k)]


def unless_repeated(self, state, x, rng):
    repeated, self.previous = x == self.previous, x
    return [count + (x == j and not repeated) for j, count in enumerate(state, start=1)]


def unless_repeated_evidence(runs):
    right, laws = machine("pan-histogram"), []
    law = as_law(binomial_masses(right.lam, 0.5))
    kept = [x if i == 0 or x != right.people[i - 1] else None for i, x in enumerate(right.people)]
    for j in range(1, right.k + 1):
        laws += [shifted(law, part.count(j)) for part in (kept[: right.t], kept[right.t :])]
    return evidence_of(laws, right.coordinates(), runs)


def never_counted_down(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left


def skipped_when_used_up(self, state, x, rng):
    pools, left = state
    return (self.fed(pools, x, rng), left - 1) if left else (pools, 0)


def used_law(self):
    law = {}
    for used, mass in enumerate(binomial_masses(self.n, float(self.share))):
        law[min(used, self.n // 3)] = law.get(min(used, self.n // 3), 0.0) + mass
    return law


def messages_of(self, users):
    """The law of the number of messages that so many users send."""
    return shifted(as_law(poisson_masses(float(self.mean) * self.k * users)), self.k * users)


def skipped_evidence(runs):
    right, law = machine("pan-uniformity-late"), {}
    for used, share in used_law(right).items():
        for value, mass in messages_of(right, right.before + min(used, right.t)).items():
            law[value] = law.get(value, 0.0) + share * mass
    return evidence_of([law], [messages_of(right, right.before + right.t)], runs)


def factor_one(self, rng):
    self.a, self.b = 1, rng.randrange(self.q)


def occupations(self, factors):
    """The law of the numbers of users in the buckets, where the hash has one of these factors and any offset."""
    law = {}
    for a, b in product(factors, range(self.q)):
        self.a, self.b = a, b
        held = [self.encoded(x, None) for x in self.people]
        key = tuple(held.count(j) for j in range(1, self.labels + 1))
        law[key] = law.get(key, 0.0) + 1 / len(factors) / self.q
    return law


def ones_of_bucket(self, held):
    law = self.pool_law([0.5] * held + [self.p_prime] * (self.n - held))
    return np.array([law.get(ones, 0.0) for ones in range(self.n * self.m + 1)])


def ones_of_buckets(self, factors):
    """The joint law of the ones of all buckets."""
    each = [ones_of_bucket(self, held) for held in range(self.n + 1)]
    total = np.zeros((self.n * self.m + 1) ** self.labels)
    for key, share in occupations(self, factors).items():
        part = np.ones(1)
        for held in key:
            part = np.outer(part, each[held]).ravel()
        total += share * part
    return total


def factor_one_evidence(runs):
    right = machine("hashed-wide")
    wrong, law = ones_of_buckets(right, [1]), ones_of_buckets(right, range(1, right.q))
    met = wrong > 0
    return runs * float(np.sum(wrong[met] * np.log(wrong[met] / law[met])))


def own_hash(self, x, rng):
    a, b = rng.randrange(1, self.q), rng.randrange(self.q)
    return 1 + (a * (x - 1) + b) % self.q % self.labels


def own_partition(self, x, rng):
    groups = list(self.groups)
    rng.shuffle(groups)
    place = rng.randrange(len(groups))
    return groups[place if place >= self.k else x - 1]


def any_group_for_each(self, rng):
    self.groups = [rng.randint(1, self.k_hat) for _ in range(self.k)]


def blocks_renamed(self, rng):
    size, names = math.ceil(self.k / self.k_hat), list(range(1, self.k_hat + 1))
    rng.shuffle(names)
    self.groups = [name for name in names for _ in range(size)]


BUGS = (
    bug(
        "intruder-one-step-late",
        "pan-sum",
        STATE,
        "The state is shown after t+1 elements instead of after t: the loop counts from 0 and is compared with t.",
        800,
        t=6,
    ),
    bug(
        "reference-kept-as-snapshot",
        "pan-distinct",
        STATE,
        "The snapshot at time t is a reference to the live pools, which go on changing, so that the state at the end of"
        " the stream is shown.",
        64,
        CERTAIN,
        t=4,
    ),
    bug(
        "thirds-rounded-down",
        "pan-distinct-odd",
        STATE,
        "Before and after the stream n//3 dummy users are added each, rounded down, so that fewer than n users take"
        " part in all.",
        64,
        CERTAIN,
        before=4,
        after=4,
    ),
    bug(
        "time-zero-is-falsy",
        "pan-histogram-start",
        STATE,
        "The time t=0 is tested for truth and taken as not given, so that the state at the end of the stream is shown"
        " instead of the initial one.",
        200,
        t=5,
    ),
    bug(
        "repeated-element-skipped",
        "pan-histogram",
        STATE,
        "An element that equals the one before it is taken for a repeated delivery and does not update the state.",
        250,
        unless_repeated_evidence(250),
        initial=forgetful_initial,
        update=unless_repeated,
    ),
    bug(
        "counter-never-decremented",
        "pan-uniformity",
        STATE,
        "The number of elements still to be used is not counted down as the stream goes on: the state shows it as it"
        " was drawn.",
        100,
        CERTAIN,
        update=never_counted_down,
    ),
    bug(
        "nothing-in-place-of-unused-elements",
        "pan-uniformity-late",
        STATE,
        "When the elements to be used are used up, the update does nothing instead of feeding a uniform dummy element,"
        " so that the state has too few messages.",
        300,
        skipped_evidence(300),
        update=skipped_when_used_up,
    ),
    bug(
        "hash-factor-always-one",
        "hashed-wide",
        HASH,
        "The hash's factor a is always 1 (the draw's upper end is exclusive); only the offset b is random.",
        400,
        factor_one_evidence(400),
        publish=factor_one,
    ),
    bug(
        "hash-drawn-by-each-user",
        "hashed",
        HASH,
        "Each user draws an own hash function instead of all using the public one, so that equal values fall into"
        " different buckets.",
        12000,
        encoded=own_hash,
    ),
    bug(
        "partition-drawn-by-each-user",
        "compressed-padded",
        HASH,
        "Each user draws an own random partition into groups instead of all using the public one.",
        1500,
        encoded=own_partition,
    ),
    bug(
        "groups-of-any-size",
        "compressed",
        HASH,
        "Each element is put into a uniformly random group on its own, so that the groups are not of equal size.",
        8000,
        publish=any_group_for_each,
    ),
    bug(
        "neighbours-stay-together",
        "compressed",
        HASH,
        "Only the names of the groups are shuffled: the groups themselves are always the blocks of neighbouring"
        " elements.",
        1500,
        publish=blocks_renamed,
    ),
)
