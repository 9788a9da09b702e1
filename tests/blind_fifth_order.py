"""Fifth zoo: the order, and the randomness between runs."""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import chain, pairwise
from random import Random

from tests.blind_fifth_tools import flat, well_shuffled
from tests.blind_zoo_bug import BETWEEN, ORDER, Bug, bug, copied, drawn_from, passed_on, run_by_run
from tests.blind_zoo_draws import SmallState, as_law, binomial, binomial_masses, entropy, shifted, table
from tests.blind_zoo_online import machine


def shuffle_excess(scene, size, wrong):
    """How much entropy a run's bits have more in the right order than in the wrong one."""
    return well_shuffled(machine(scene).coordinates()[0], size) - wrong


def coin_entropy(count, p):
    return count * entropy({0: 1 - p, 1: p})


def halves_entropy():
    noise = as_law(binomial_masses(65, machine("binary-sum-formula").flip))
    return well_shuffled(shifted(noise, 20), 130) + well_shuffled(noise, 130)


def users_shuffled(self, vectors, rng):
    vectors = list(vectors)
    rng.shuffle(vectors)
    return flat(vectors)


def pool_by_pool(self, vectors, rng):
    messages = flat(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def naive(self, vectors, rng):
    messages = flat(vectors)
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def sattolo(self, vectors, rng):
    messages = flat(vectors)
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def in_parts(messages, size, rng):
    parts = [messages[i : i + size] for i in range(0, len(messages), size)]
    for part in parts:
        rng.shuffle(part)
    return flat(parts)


def first_stays(self, vectors, rng):
    messages = flat(vectors)
    rest = messages[1:]
    rng.shuffle(rest)
    return [messages[0], *rest]


def same_permutation(self, vectors, rng):
    messages = flat(vectors)
    Random(2019).shuffle(messages)
    return messages


def two_workers(runs, rng, count):
    first = [run for _, run in zip(range(count // 2), runs, strict=False)]
    return chain(first, first)


def constant_encoders(self, rng):
    same = Random(1)
    return [self.user(x, same) for x in self.people]


def initial_kept(self, rng):
    return self.__dict__.setdefault("kept", binomial(rng, self.lam, self.chance))


def never_twice(wrong, rng, i):
    run = wrong.run(rng)
    while run == wrong.__dict__.get("last"):
        run = wrong.run(rng)
    wrong.last = run
    return run


def never_twice_gain():
    law = machine("pan-sum-end").coordinates()[0]
    weights = [(p * (1 - p), -math.log1p(-p)) for p in law.values()]
    return sum(w * gain for w, gain in weights) / sum(w for w, _ in weights)


class Mirrored(Random):
    """1 - u for every random fraction u."""

    def random(self) -> float:
        return 1 - super().random()


def antithetic(wrong, rng, i):
    if i % 2:
        return wrong.run(Mirrored(wrong.seed))
    wrong.seed = rng.getrandbits(64)
    return wrong.run(Random(wrong.seed))


def antithetic_gain():
    """The mutual information of a run and its mirror."""
    masses = binomial_masses(30, 0.3)
    steps, joint = table(masses), {}
    for a, b in pairwise(sorted({0.0, 1.0, *(min(s, 1.0) for s in steps), *(max(0.0, 1 - s) for s in steps)})):
        key = bisect_right(steps, (a + b) / 2), bisect_right(steps, 1 - (a + b) / 2)
        joint[key] = joint.get(key, 0.0) + b - a
    return 2 * entropy(as_law(masses)) - entropy(joint)


def small_state(rng):
    source = SmallState()
    source.word = rng.randrange(4096)
    return source


EIGHT_COINS = as_law(binomial_masses(8, 0.5))
GOLDEN = (math.sqrt(5) - 1) / 2

BUGS: tuple[Bug, ...] = (
    bug(
        "binary-sum-not-shuffled",
        "binary-sum",
        ORDER,
        "The messages are not shuffled at all: they come user by user, each user's bit before the noise.",
        200,
        200 * shuffle_excess("binary-sum", 20, coin_entropy(10, 1 / 3)),
        order=lambda self, vectors, rng: flat(vectors),
    ),
    bug(
        "histogram-users-stay-together",
        "histogram",
        ORDER,
        "Only the users are shuffled: each user's messages stay together and in the order of the labels.",
        200,
        order=users_shuffled,
    ),
    bug(
        "two-bit-pool-by-pool",
        "two-bit-sum",
        ORDER,
        "Each pool is shuffled by itself and the pools are concatenated, so all messages of label 1 come first.",
        200,
        200 * math.log(math.comb(20, 10)),
        order=pool_by_pool,
    ),
    bug(
        "binary-sum-naive-shuffle",
        "binary-sum-large",
        ORDER,
        "The shuffle swaps each place with any place of the list instead of one not yet settled, which is biased.",
        3000,
        order=naive,
    ),
    bug(
        "two-bit-never-at-own-place",
        "two-bit-sum-dropouts",
        ORDER,
        "The Fisher-Yates shuffle excludes the current place from the draw, so no message stays where it was.",
        3000,
        order=sattolo,
    ),
    bug(
        "histogram-shuffled-in-batches",
        "histogram-dropouts",
        ORDER,
        "The shuffler mixes only within batches of eight messages as they arrive.",
        500,
        order=lambda self, vectors, rng: in_parts(flat(vectors), 8, rng),
    ),
    bug(
        "modular-zeros-first",
        "modular-short",
        ORDER,
        "The messages are written out of the counters, all zeros before all ones, instead of in a random order.",
        200,
        200 * shuffle_excess("modular-short", 8, entropy(machine("modular-short").coordinates()[0])),
        order=lambda self, vectors, rng: sorted(flat(vectors)),
    ),
    bug(
        "binary-sum-first-message-stays",
        "binary-sum-dropouts",
        ORDER,
        "The shuffle never touches place 0, so the first user's bit always stays the first message.",
        300,
        300 * shuffle_excess("binary-sum-dropouts", 16, well_shuffled(shifted(EIGHT_COINS, 3), 15)),
        order=first_stays,
    ),
    bug(
        "binary-sum-two-shufflers",
        "binary-sum-formula",
        ORDER,
        "Two shufflers each mix the messages of half of the users, and their lists are put one after the other.",
        300,
        300 * shuffle_excess("binary-sum-formula", 260, halves_entropy()),
        order=lambda self, vectors, rng: in_parts(flat(vectors), 130, rng),
    ),
    bug(
        "poisson-binomial-same-permutation",
        "poisson-binomial-dropouts",
        ORDER,
        "The shuffler's generator has a constant seed, so every run uses the same permutation.",
        300,
        300 * shuffle_excess("poisson-binomial-dropouts", 24, coin_entropy(24, 0.2)),
        order=same_permutation,
    ),
    run_by_run(
        "seed-from-the-clock",
        "binomial-formula",
        BETWEEN,
        "The generator is seeded with the time in seconds at every run, so five runs in a row are the same.",
        1000,
        lambda wrong, rng, i: wrong.run(Random(i // 5)),
        copied("binomial-formula", 800),
    ),
    run_by_run(
        "seed-in-one-byte",
        "modular",
        BETWEEN,
        "The seed is the number of the run kept in one byte, so the runs repeat after 256.",
        800,
        lambda wrong, rng, i: wrong.run(Random(i % 256)),
        copied("modular", 544),
    ),
    run_by_run(
        "seed-of-ten-bits",
        "uniformity",
        BETWEEN,
        "Each run's generator is seeded with ten random bits only, so whole runs come again.",
        800,
        lambda wrong, rng, i: wrong.run(Random(rng.getrandbits(10))),
        copied("uniformity", 245) - 245 * math.log(1024),
    ),
    drawn_from(
        "generator-of-twelve-bits",
        "negative-binomial",
        BETWEEN,
        "The noise comes from a congruential generator of 12 bits, so the runs repeat after its period.",
        5000,
        small_state,
        copied("negative-binomial", 5000 - 2048),
    ),
    passed_on(
        "two-workers-one-seed",
        "histogram-uneven",
        BETWEEN,
        "Two worker processes start with the same seed, so the second half of the runs repeats the first half.",
        400,
        two_workers,
        copied("histogram-uneven", 200),
    ),
    run_by_run(
        "initial-noise-drawn-once",
        "pan-sum",
        BETWEEN,
        "The noise of the initial state is drawn when the program starts and used again in all runs.",
        300,
        lambda wrong, rng, i: wrong.run(rng),
        299 * entropy(as_law(binomial_masses(24, 0.5))),
        initial=initial_kept,
    ),
    run_by_run(
        "evenly-spread-numbers",
        "randomized-or",
        BETWEEN,
        "Run after run takes the next number of an evenly spread quasi-random sequence instead of a random number.",
        1000,
        lambda wrong, rng, i: {"output": int(i * GOLDEN % 1 < wrong.chance())},
        copied("randomized-or", 1000),
    ),
    run_by_run(
        "same-output-redrawn",
        "pan-sum-end",
        BETWEEN,
        "A run is drawn again when it gives the same output as the run before, so no output comes twice in a row.",
        1500,
        never_twice,
        1499 * never_twice_gain(),
    ),
    run_by_run(
        "antithetic-pairs",
        "binomial-uneven",
        BETWEEN,
        "Every second run uses the mirrored random numbers 1 - u of the run before, a trick of simulations.",
        1000,
        antithetic,
        500 * antithetic_gain(),
    ),
    bug(
        "encoders-of-constant-seed",
        "distinct-few-messages",
        BETWEEN,
        "The users' generators have a constant seed: the pools are the same in all runs, only the order differs.",
        300,
        copied("distinct-few-messages", 299),
        vectors=constant_encoders,
    ),
)
