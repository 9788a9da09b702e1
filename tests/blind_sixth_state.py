"""Sixth zoo: online states, and hashes and partitions."""

from __future__ import annotations

from tests.blind_sixth_noise import against
from tests.blind_zoo_bug import CERTAIN, HASH, STATE, Bug, bug, run_by_run
from tests.blind_zoo_draws import as_law, binomial, binomial_masses, entropy, shifted
from tests.blind_zoo_online import PanSum, machine
from tests.blind_zoo_protocols import CompressedUniformity, HashedDistinctElements
from tests.blind_zoo_scenes import SCENES


def remembered_start(self, rng):
    self.start = PanSum.initial(self, rng)
    return self.start


def silent_when_spent(self, state, x, rng):
    pools, left = state
    return (self.fed(pools, x, rng), left - 1) if left else state


def own_hash(self, x, rng):
    HashedDistinctElements.publish(self, rng)
    return HashedDistinctElements.encoded(self, x, rng)


def own_partition(self, x, rng):
    CompressedUniformity.publish(self, rng)
    return CompressedUniformity.encoded(self, x, rng)


def drawn_once(self, rng):
    if not hasattr(self, "a"):
        HashedDistinctElements.publish(self, rng)


def in_blocks(self, rng):
    self.groups = [1 + i * self.k_hat // self.k for i in range(self.k)]


def thrown(self, rng):
    self.groups = [1 + rng.randrange(self.k_hat) for _ in range(self.k)]


LAM = machine("pan-sum-formula").lam

STATES = (
    bug(
        "starts-at-zero",
        "pan-sum",
        STATE,
        "The state starts at 0: the initial noise was forgotten.",
        200,
        CERTAIN,
        initial=lambda self, rng: 0,
    ),
    bug(
        "start-noise-released-again",
        "pan-sum-formula",
        STATE,
        "The release adds the initial noise a second time instead of new noise.",
        200,
        200 * entropy(as_law(binomial_masses(LAM, 0.5))),
        initial=remembered_start,
        output=lambda self, state, rng: state + self.start,
    ),
    bug(
        "released-without-noise",
        "pan-sum-end",
        STATE,
        "The state is released as it is, without the second noise.",
        200,
        against("pan-sum-end", 200, [shifted(as_law(binomial_masses(12, 0.5)), 3)]),
        output=lambda self, state, rng: state,
    ),
    bug(
        "snapshot-late",
        "pan-histogram-start",
        STATE,
        "The state shown is that after one more element: the first element was counted before the intrusion at time 0.",
        500,
        t=1,
    ),
    bug(
        "next-counter",
        "pan-histogram",
        STATE,
        "The update uses an element as an index from 0 and adds to the next counter (the last element's is the first).",
        300,
        people=[x % 4 + 1 for x in SCENES["pan-histogram"].data],
    ),
    bug(
        "budget-not-capped",
        "pan-uniformity",
        STATE,
        "The number of stream elements to use isn't capped at n/3 when the state is made.",
        400,
        CERTAIN,
        used=lambda self, rng: binomial(rng, self.n, self.share),
    ),
    bug(
        "silent-when-spent",
        "pan-uniformity-late",
        STATE,
        "When no elements are left to use, the update does nothing instead of feeding a random dummy.",
        300,
        update=silent_when_spent,
    ),
    bug(
        "dummies-a-third",
        "pan-distinct-odd",
        STATE,
        "The state starts with n // 3 dummies instead of half (rounded up) of what the stream leaves, one too few.",
        200,
        CERTAIN,
        before=4,
    ),
    bug(
        "random-dummies",
        "pan-distinct",
        STATE,
        "The dummies hold random elements instead of element 1.",
        1000,
        dummy=lambda self, rng: rng.randint(1, self.k),
    ),
    bug(
        "no-dummies-at-end",
        "pan-distinct",
        STATE,
        "The release analyzes the state directly: the dummies after the stream are left out.",
        2000,
        output=lambda self, state, rng: self.analyze(state),
    ),
)
HASHES = (
    bug(
        "modulo-bins",
        "hashed-wide",
        HASH,
        "The hash computes modulo the number of bins instead of a prime above k, so elements that differ by a "
        "multiple of 9 always share a bin.",
        500,
        q=9,
    ),
    bug(
        "zero-based-bins",
        "hashed-wide",
        HASH,
        "The hash gives bins from 0 while labels count from 1, so what falls into bin 0 is lost and the last bin "
        "stays empty.",
        1000,
        encoded=lambda self, x, rng: HashedDistinctElements.encoded(self, x, rng) - 1,
    ),
    bug(
        "own-hash-per-user",
        "hashed",
        HASH,
        "Each user draws their own hash function instead of the public one, so equal elements fall into different "
        "bins.",
        5000,
        encoded=own_hash,
    ),
    run_by_run(
        "hash-drawn-once",
        "hashed-wide",
        HASH,
        "The hash function is drawn once when the program starts and used again in all runs, so the elements always "
        "fall into the same bins.",
        500,
        lambda self, rng, i: self.run(rng),
        publish=drawn_once,
    ),
    bug(
        "padding-ignored",
        "compressed-padded",
        HASH,
        "The groups are filled up to equal size but users never draw a padding element, so they always report the "
        "group of their own element.",
        2000,
        encoded=lambda self, x, rng: self.groups[x - 1],
    ),
    bug(
        "blocks-not-random",
        "compressed",
        HASH,
        "The partition isn't random: elements 1 and 2 are always group 1, elements 3 and 4 group 2, and so on.",
        300,
        publish=in_blocks,
    ),
    bug(
        "own-partition-per-user",
        "compressed",
        HASH,
        "Each user draws their own partition instead of the public one, so equal elements fall into different groups.",
        1000,
        encoded=own_partition,
    ),
    bug(
        "groups-thrown",
        "compressed",
        HASH,
        "Each element is thrown into a group independently, so the groups don't have equal sizes.",
        5000,
        publish=thrown,
    ),
)
BUGS: tuple[Bug, ...] = STATES + HASHES
