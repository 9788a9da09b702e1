"""Eighth zoo: runs that know of one another."""

from __future__ import annotations

from itertools import islice
from random import Random

from tests.blind_zoo_bug import BETWEEN, CERTAIN, copied, drawn_from, evidence_of, passed_on, run_by_run
from tests.blind_zoo_draws import entropy
from tests.blind_zoo_online import machine

SECOND = 16
"""Runs that fit into one tick of the clock."""
SEEDS = 256
TABLE = 1000


def clock_seeded(wrong, rng, i):
    if i % SECOND == 0:
        wrong.second = rng.getrandbits(32)
    return wrong.run(Random(wrong.second))


def two_workers(runs, rng, count):
    first = list(islice(runs, (count + 1) // 2))
    return (first + first)[:count]


def byte_seeded(wrong, rng, i):
    return wrong.run(Random(rng.randrange(SEEDS)))


def byte_copies(runs):
    """How many of the runs come again, on average."""
    return runs - SEEDS * (1 - (1 - 1 / SEEDS) ** runs)


class Table(Random):
    """Numbers drawn in advance and read in a ring."""

    place = 0
    numbers: tuple[float, ...] = ()

    def random(self) -> float:
        if not self.numbers:
            self.numbers = tuple(super(Table, self).random() for _ in range(TABLE))
        self.place += 1
        return self.numbers[self.place % TABLE]


def tabled(rng):
    return Table(rng.getrandbits(64))


def kept_dummies(self, rng):
    if not hasattr(self, "first"):
        self.first = self.dummies(self.before, rng)
    return self.first


def one_run(wrong, rng, i):
    return wrong.run(rng)


def kept_dummies_evidence(scene, runs):
    """The entropy that the dummies add to each pool of the state."""
    right = machine(scene)
    fresh = [right.law_of_pool(j, right.people[: right.t]) for j in range(1, right.k + 1)]
    return runs * (sum(map(entropy, right.coordinates())) - sum(map(entropy, fresh)))


def never_cleared(self, vectors, rng):
    self.kept = [*getattr(self, "kept", ()), *(message for vector in vectors for message in vector)]
    messages = list(self.kept)
    rng.shuffle(messages)
    return messages


class Lehmer(Random):
    """The minimal standard generator, whose first number is proportional to the seed."""

    word = 1

    def random(self) -> float:
        self.word = self.word * 16807 % (2**31 - 1)
        return self.word / (2**31 - 1)


def seeded_by_number(wrong, rng, i):
    generator = Lehmer()
    generator.word = i + 1
    return wrong.run(generator)


def seeded_by_number_evidence(scene, runs):
    """As if the first of the two geometric draws were 0 and the second independent."""
    return evidence_of(machine(scene, l=1).coordinates(), machine(scene).coordinates(), runs)


BUGS = (
    run_by_run(
        "seeded-by-the-clock",
        "binomial",
        BETWEEN,
        "Every run makes a new generator seeded with the time in whole seconds, so the 16 runs made within a second are"
        " the same.",
        320,
        clock_seeded,
        copied("binomial", 320 - 320 // SECOND),
    ),
    passed_on(
        "workers-with-the-same-seed",
        "pan-sum",
        BETWEEN,
        "The runs are shared out to two forked workers that inherit the same generator state, so the second half of the"
        " runs repeats the first.",
        200,
        two_workers,
        copied("pan-sum", 100),
    ),
    run_by_run(
        "seed-cut-to-a-byte",
        "distinct-formula",
        BETWEEN,
        "The random seed of each run is cut to one byte, so there are only 256 different runs.",
        400,
        byte_seeded,
        copied("distinct-formula", byte_copies(400)),
    ),
    drawn_from(
        "table-read-in-a-ring",
        "randomized-or-some",
        BETWEEN,
        "The uniform numbers are read from a buffer of 1000 that is filled once and never refilled, so the runs repeat"
        " with period 1000.",
        2500,
        tabled,
        copied("randomized-or-some", 1500),
    ),
    run_by_run(
        "dummies-made-once",
        "pan-distinct",
        BETWEEN,
        "The messages of the dummies that make up the initial state are drawn once when the program starts and are used"
        " again in every run.",
        500,
        one_run,
        kept_dummies_evidence("pan-distinct", 500),
        initial=kept_dummies,
    ),
    run_by_run(
        "messages-of-earlier-runs-kept",
        "modular-short",
        BETWEEN,
        "The list of messages is a default argument that is never emptied, so every run also holds the messages of all"
        " runs before it.",
        64,
        one_run,
        CERTAIN,
        order=never_cleared,
    ),
    run_by_run(
        "seeded-by-the-run-number",
        "negative-binomial-rare",
        BETWEEN,
        "Run i makes a new multiplicative congruential generator seeded with i, whose first number is nearly 0 for"
        " small seeds, so the first geometric draw is always 0 and the second follows i regularly.",
        1000,
        seeded_by_number,
        seeded_by_number_evidence("negative-binomial-rare", 1000),
    ),
)
