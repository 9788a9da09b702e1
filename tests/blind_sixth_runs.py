"""Sixth zoo: seeds, generators and what is kept from one run to the next."""

from __future__ import annotations

import math
from random import Random

from tests.blind_zoo_bug import BETWEEN, CERTAIN, Bug, copied, drawn_from, run_by_run
from tests.blind_zoo_draws import LowBits, SmallState, binomial
from tests.blind_zoo_protocols import Shuffled, Skellam


class Antithetic(Random):
    """Every second number is one minus the number before."""

    last: float | None = None

    def random(self) -> float:
        if self.last is None:
            self.last = super().random()
            return self.last
        mirrored, self.last = 1 - self.last, None
        return mirrored


class FirstWord(Random):
    """A linear congruential generator of which the seed is the number of the run."""

    word = 0

    def random(self) -> float:
        self.word = (self.word * 1103515245 + 12345) % (1 << 31)
        return self.word / (1 << 31)


def started(kind):
    """A source that starts a weak generator at a random word."""

    def source(rng):
        weak = kind()
        weak.word = rng.getrandbits(12)
        return weak

    return source


def numbered(self, rng, i):
    if not i:
        self.base = rng.getrandbits(16)
    weak = FirstWord()
    weak.word = self.base + i
    return self.run(weak)


def by_second(self, rng, i):
    if i % 10 == 0:
        self.seed = rng.getrandbits(64)
    return self.run(Random(self.seed))


def by_byte(self, rng, i):
    return self.run(Random(rng.getrandbits(8)))


def plainly(self, rng, i):
    return self.run(rng)


def never_emptied(self, vectors, rng):
    self.sent = [*getattr(self, "sent", ()), *(message for vector in vectors for message in vector)]
    return Shuffled.order(self, [self.sent], rng)


def leftover_start(self, rng):
    return self.kept if hasattr(self, "kept") else binomial(rng, self.lam, self.chance)


def kept_for_next(self, state, rng):
    self.kept = binomial(rng, self.lam, self.chance)
    return state + self.kept


def spare_negated(self, rng):
    """The noise drawn, and at the next call its negative."""
    spare, self.spare = getattr(self, "spare", None), None
    if spare is None:
        self.spare = Skellam.noise(self, rng)
        return self.spare
    return -spare


def one_order(self, vectors, rng):
    """The permutation that was drawn for the first run."""
    messages = [message for vector in vectors for message in vector]
    if not hasattr(self, "places"):
        self.places = rng.sample(range(len(messages)), len(messages))
    return [messages[place] for place in self.places]


BYTE = 2000 * (copied("histogram", 1) - math.log(256))
ANTITHETIC = 400 / 2 * math.log(2)

BUGS: tuple[Bug, ...] = (
    run_by_run(
        "seeded-by-second",
        "distinct",
        BETWEEN,
        "The generator is seeded with the time in seconds at every run, so runs within one second (ten in a row) are "
        "identical.",
        500,
        by_second,
        copied("distinct", 450),
    ),
    run_by_run(
        "seed-of-one-byte",
        "histogram",
        BETWEEN,
        "The seed of a run has only 8 bits, so there are only 256 different runs.",
        2000,
        by_byte,
        BYTE,
    ),
    drawn_from(
        "period-4096",
        "skellam",
        BETWEEN,
        "The generator has a state of only 12 bits, so the noises repeat themselves exactly after 1024 runs.",
        5000,
        started(SmallState),
        copied("skellam", 5000 - 1024),
    ),
    drawn_from(
        "rand-low-bits",
        "modular",
        BETWEEN,
        "Coins are taken from the low bits of an old linear congruential rand(), which repeat with a very short "
        "period.",
        500,
        started(LowBits),
    ),
    drawn_from(
        "antithetic",
        "randomized-or-some",
        BETWEEN,
        "Antithetic sampling was left on: every second run uses one minus the random number of the run before, so its "
        "output is the opposite.",
        400,
        lambda rng: Antithetic(rng.getrandbits(64)),
        ANTITHETIC,
    ),
    run_by_run(
        "buffer-not-emptied",
        "modular-short",
        BETWEEN,
        "The list of messages is a global that isn't emptied, so each run also holds the messages of all runs before.",
        200,
        plainly,
        CERTAIN,
        order=never_emptied,
    ),
    run_by_run(
        "seeded-by-run-number",
        "randomized-or",
        BETWEEN,
        "Each run seeds a linear congruential generator with the run's number and uses its first word, so the outputs "
        "follow a regular pattern from run to run.",
        1000,
        numbered,
    ),
    run_by_run(
        "final-noise-starts-next",
        "pan-sum-end",
        BETWEEN,
        "The final noise of a run is kept and becomes the initial noise of the next run, so successive outputs are "
        "correlated.",
        500,
        plainly,
        500 * math.log(2) / 2,
        initial=leftover_start,
        output=kept_for_next,
    ),
    run_by_run(
        "spare-noise-negated",
        "skellam-dropouts",
        BETWEEN,
        "The sampler makes noises in pairs and hands out the negative of the last noise in every second run.",
        400,
        plainly,
        copied("skellam-dropouts", 200),
        noise=spare_negated,
    ),
    run_by_run(
        "permutation-kept",
        "two-bit-sum-dropouts",
        BETWEEN,
        "The permutation of the shuffle is drawn once at the start and used again in all runs.",
        300,
        plainly,
        order=one_order,
    ),
)
