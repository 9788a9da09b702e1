"""Seventh zoo: the state, and the hash or partition."""

from __future__ import annotations

from tests.blind_seventh_between import entropy_of, plain
from tests.blind_seventh_noise import known
from tests.blind_zoo_bug import CERTAIN, HASH, STATE, bug, run_by_run
from tests.blind_zoo_draws import as_law, binomial, binomial_masses, shifted
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import HashedDistinctElements


def start_at_zero(self, rng):
    return 0


def start_at_zero_laws(right):
    return [{sum(right.people[: right.t]): 1.0}, right.coordinates()[1]]


def as_it_is(self, state, rng):
    return state


def as_it_is_law(right):
    return [shifted(as_law(binomial_masses(right.lam, 0.5)), sum(right.people))]


def kept_noise(self, rng):
    self.kept = binomial(rng, self.lam, self.chance)
    return self.kept


def kept_noise_again(self, state, rng):
    return state + self.kept


def any_element(self, rng):
    return rng.randrange(self.k) + 1


def never_counted_down(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left


def always_real(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x, rng), max(0, left - 1)


def published_once(self, rng):
    if not hasattr(self, "a"):
        HashedDistinctElements.publish(self, rng)


def private_hash(self, x, rng):
    HashedDistinctElements.publish(self, rng)
    return HashedDistinctElements.encoded(self, x, rng)


def from_zero(self, x, rng):
    return (self.a * (x - 1) + self.b) % self.q % self.labels


def no_prime(self, x, rng):
    return 1 + (self.a * (x - 1) + self.b) % self.labels


def each_alone(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [rng.randrange(self.k_hat) + 1 for _ in range(size * self.k_hat)]


def in_blocks(self, rng):
    size = -(-self.k // self.k_hat)
    self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]


def no_padding(self, x, rng):
    return self.groups[x - 1]


BUGS = (
    bug(
        "start-at-zero",
        "pan-sum",
        STATE,
        "The state starts at 0: the noise before the stream is forgotten.",
        200,
        known("pan-sum", 200, start_at_zero_laws),
        initial=start_at_zero,
    ),
    bug(
        "released-as-it-is",
        "pan-sum-end",
        STATE,
        "The last state is the output: the second noise is forgotten at the release.",
        200,
        known("pan-sum-end", 200, as_it_is_law),
        output=as_it_is,
    ),
    bug(
        "one-step-late",
        "pan-histogram",
        STATE,
        "The state lags one element behind: the element of time t is counted only after time t.",
        600,
        t=2,
    ),
    bug(
        "kept-noise-again",
        "pan-sum-formula",
        STATE,
        "The noise of the initial state is kept and added again at the release instead of fresh noise.",
        250,
        250 * entropy_of(binomial_masses(machine("pan-sum-formula").lam, 0.5)),
        initial=kept_noise,
        output=kept_noise_again,
    ),
    bug(
        "any-dummy",
        "pan-distinct",
        STATE,
        "The dummy users before and after the stream hold uniformly random elements instead of element 1.",
        600,
        dummy=any_element,
    ),
    bug(
        "all-dummies-first",
        "pan-distinct-odd",
        STATE,
        "All dummy users come before the stream and none after it.",
        200,
        CERTAIN,
        before=10,
        after=0,
    ),
    bug(
        "never-counted-down",
        "pan-uniformity",
        STATE,
        "The number of elements still to be used isn't decreased when one is used.",
        300,
        CERTAIN,
        update=never_counted_down,
    ),
    bug(
        "always-real",
        "pan-uniformity-late",
        STATE,
        "Elements of the stream are still used after the number to be used has run out, instead of random ones.",
        1000,
        update=always_real,
    ),
    run_by_run(
        "published-once",
        "hashed",
        HASH,
        "The public hash function is drawn once when the program starts and is the same in all runs.",
        1000,
        plain,
        publish=published_once,
    ),
    bug(
        "private-hash",
        "hashed",
        HASH,
        "Each user draws an own hash function, so equal elements of two users fall into different buckets.",
        4000,
        encoded=private_hash,
    ),
    bug(
        "buckets-rounded-down",
        "hashed-wide",
        HASH,
        "The number of buckets c*n^(4/3) is rounded down instead of up: 8, not 9.",
        200,
        CERTAIN,
        labels=8,
    ),
    bug(
        "buckets-from-zero",
        "hashed-wide",
        HASH,
        "The hash value isn't raised by one: elements in bucket 0 are lost and the last bucket is never used.",
        800,
        encoded=from_zero,
    ),
    bug(
        "no-prime",
        "hashed-wide",
        HASH,
        "The hash is reduced by the number of buckets without the prime first, so elements 9 apart always collide.",
        800,
        encoded=no_prime,
    ),
    bug(
        "each-alone",
        "compressed",
        HASH,
        "Each element is put into a random group on its own, so that the groups are not of equal size.",
        5000,
        publish=each_alone,
    ),
    bug(
        "in-blocks",
        "compressed",
        HASH,
        "The partition isn't shuffled: it is always the same one of consecutive elements.",
        400,
        publish=in_blocks,
    ),
    bug(
        "no-padding",
        "compressed-padded",
        HASH,
        "Users never switch to a padding element: k is used as if it were a multiple of the number of groups.",
        2000,
        encoded=no_padding,
    ),
)
