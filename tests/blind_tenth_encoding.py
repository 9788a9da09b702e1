"""Data that become the wrong messages, labels or counts."""

from __future__ import annotations

from collections import Counter

from tests.blind_zoo_bug import CERTAIN, ENCODING, Bug, bug, evidence_of
from tests.blind_zoo_draws import as_law, bernoulli, binomial_masses, bits, poisson, poisson_masses, shifted
from tests.blind_zoo_online import machine


def shares_that_forget_the_last_free_bit(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, (u + sum(free[:-1])) % 2]


def compared_with_zero_based_label(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j - 1)), (j, self.noise(rng)))]


def without_first_category(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j > 1)), (j, self.noise(rng)))]


def histogram_evidence(scene, runs, count_of):
    right = machine(scene)
    law = as_law(binomial_masses(len(right.people), right.flip))
    wrong = [shifted(law, count_of(right.people, j)) for j in range(1, right.labels + 1)]
    return evidence_of(wrong, right.coordinates(), runs)


def one_for_own_element(self, x, j, rng):
    return 1 if x == j else bernoulli(rng, self.p_prime)


def one_for_own_element_evidence(scene, runs):
    right = machine(scene)
    wrong = [
        right.pool_law([1.0 if x == j else right.p_prime for x in right.people]) for j in range(1, right.labels + 1)
    ]
    return evidence_of(wrong, right.coordinates(), runs)


def only_ones_are_sent(self, x, rng):
    return [
        (j, bit)
        for j in range(1, self.labels + 1)
        for bit in ([1] if x == j else []) + bits(rng, poisson(rng, self.mean))
    ]


def only_ones_are_sent_evidence(scene, runs):
    right = machine(scene)
    noise = as_law(poisson_masses(float(right.mean) * len(right.people) / 2))
    wrong = [law for j in range(1, right.labels + 1) for law in (noise, shifted(noise, right.people.count(j)))]
    return evidence_of(wrong, right.coordinates(), runs)


def elements_that_occur_once(self):
    return sum(count == 1 for count in Counter(self.people).values())


def chance_if_all(self):
    return self.high if all(self.people) else self.low


def step_evidence(scene, runs, **steps):
    return evidence_of(machine(scene, **steps).coordinates(), machine(scene).coordinates(), runs)


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-last-share-misses-a-bit",
        "modular",
        ENCODING,
        "The last share adds up only m-2 of the m-1 free bits, so the shares do not sum to the user's bit mod 2.",
        500,
        evidence=CERTAIN,
        shares=shares_that_forget_the_last_free_bit,
    ),
    bug(
        "tenth-histogram-label-from-zero",
        "histogram",
        ENCODING,
        "The loop over the labels is zero-based and the data are not: an element is reported under the next label.",
        500,
        evidence=histogram_evidence("histogram", 500, lambda people, j: people.count(j - 1)),
        user=compared_with_zero_based_label,
    ),
    bug(
        "tenth-one-for-own-element",
        "distinct",
        ENCODING,
        "For the user's own element the bit 1 is shared instead of a fair coin.",
        1000,
        evidence=one_for_own_element_evidence("distinct", 1000),
        coin=one_for_own_element,
    ),
    bug(
        "tenth-data-zeros-not-sent",
        "uniformity-default",
        ENCODING,
        "A user sends its data message only under its own label; the messages (j, 0) of the other labels are left out.",
        400,
        evidence=only_ones_are_sent_evidence("uniformity-default", 400),
        user=only_ones_are_sent,
    ),
    bug(
        "tenth-one-hot-drops-first-category",
        "histogram-uneven",
        ENCODING,
        "The one-hot encoder drops the first category, so users with element 1 report zero under every label.",
        500,
        evidence=histogram_evidence("histogram-uneven", 500, lambda people, j: people.count(j) if j > 1 else 0),
        user=without_first_category,
    ),
    bug(
        "tenth-elements-that-occur-once",
        "geometric",
        ENCODING,
        "The query counts the elements that occur exactly once (HAVING COUNT(*) = 1) instead of all distinct ones.",
        500,
        evidence=step_evidence("geometric", 500, value=elements_that_occur_once),
        value=elements_that_occur_once,
    ),
    bug(
        "tenth-all-instead-of-any",
        "randomized-or-some",
        ENCODING,
        "The users' bits are joined with all() instead of any(), so a single 1 is taken for a 0.",
        600,
        evidence=step_evidence("randomized-or-some", 600, chance=chance_if_all),
        chance=chance_if_all,
    ),
)
