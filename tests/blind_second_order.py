"""Second zoo: shufflers that do not shuffle, or not all, or not uniformly."""

from __future__ import annotations

import math
from random import Random

from tests.blind_second_laws import binomial_law
from tests.blind_zoo_bug import ORDER, Bug, bug
from tests.blind_zoo_draws import Law, bernoulli, convolved, shifted
from tests.blind_zoo_online import machine


def flat(vectors):
    return [message for vector in vectors for message in vector]


def by(step):
    """An order made by a step that gets all messages in the users' order."""
    return lambda self, vectors, rng: step(flat(vectors), rng)


def mixed_up(messages, rng):
    rng.shuffle(messages)
    return messages


def sorted_all(messages, rng):
    return sorted(messages)


def label_blocks(messages, rng):
    return sorted(mixed_up(messages, rng), key=lambda message: message[0])


def labels_in_turn(messages, rng):
    """First a message of each label, then a second of each, and so on."""
    rng.shuffle(messages)
    first = [message for message in messages if message[0] == 1]
    second = [message for message in messages if message[0] == 2]
    return [message for pair in zip(first, second, strict=True) for message in pair]


def first_stays(messages, rng):
    return [messages[0], *mixed_up(messages[1:], rng)]


def last_user_after(self, vectors, rng):
    return mixed_up(flat(vectors[:-1]), rng) + vectors[-1]


def users_only(self, vectors, rng):
    return flat(mixed_up(list(vectors), rng))


def within_users(self, vectors, rng):
    return flat(mixed_up(list(vector), rng) for vector in vectors)


def cyclic(messages, rng):
    """Sattolo's algorithm: no message stays where it was."""
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def any_place(messages, rng):
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def neighbours(messages, rng):
    """Ten passes of swaps of neighbours."""
    for _ in range(10):
        for i in range(len(messages) - 1):
            if rng.getrandbits(1):
                messages[i], messages[i + 1] = messages[i + 1], messages[i]
    return messages


def riffle(messages, rng):
    """Three riffles, where about seven are needed."""
    for _ in range(3):
        marks = [rng.getrandbits(1) for _ in messages]
        left, right = iter(messages[: marks.count(0)]), iter(messages[marks.count(0) :])
        messages = [next(right) if mark else next(left) for mark in marks]
    return messages


def rotated(messages, rng):
    place = rng.randrange(len(messages))
    return messages[place:] + messages[:place]


def fixed_permutation(messages, rng):
    return mixed_up(messages, Random(2024))


def few_permutations(messages, rng):
    return mixed_up(messages, Random(rng.getrandbits(4)))


def short_keys(messages, rng):
    """Sorted by random keys of two bits, which leaves ties as they were."""
    return sorted(messages, key=lambda _: rng.getrandbits(2))


def content_in_key(messages, rng):
    """The key of a message depends a little on its bit."""
    return sorted(messages, key=lambda message: rng.random() + 0.15 * message[1])


def noise_after_data(messages, rng):
    return mixed_up(messages[0::2], rng) + mixed_up(messages[1::2], rng)


def two_shards(self, vectors, rng):
    half = len(vectors) // 2
    return mixed_up(flat(vectors[:half]), rng) + mixed_up(flat(vectors[half:]), rng)


def sometimes_not(messages, rng):
    return messages if bernoulli(rng, 0.1) else mixed_up(messages, rng)


def window(messages, rng):
    """A buffer of eight messages, of which a random one is sent on."""
    buffer, sent = [], []
    for message in messages:
        buffer.append(message)
        if len(buffer) == 8:
            sent.append(buffer.pop(rng.randrange(8)))
    return sent + mixed_up(buffer, rng)


def log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def ones_law(scene: str) -> tuple[Law, int]:
    """The law of the ones of a binary sum, and the number of messages."""
    right = machine(scene)
    return right.coordinates()[0], 2 * len(right.people)


def all_orders(scene: str, runs: int) -> float:
    """The evidence where the ones and zeros have one order only."""
    law, size = ones_law(scene)
    return runs * sum(p * log_choose(size, ones) for ones, p in law.items())


def known_place(scene: str, bit: int, runs: int) -> float:
    """The evidence where one place always shows this bit."""
    law, size = ones_law(scene)
    return runs * sum(p * math.log(size / (ones if bit else size - ones)) for ones, p in law.items() if p > 0)


def two_parts(first: tuple[Law, int], second: tuple[Law, int], runs: int) -> float:
    """The evidence where the first so many places hold messages with ones of this law, the others of that law."""
    (a, size_a), (b, size_b) = first, second
    total = convolved(a, b)
    return runs * sum(
        p
        * q
        * (
            math.log(p * q / total[i + j])
            + log_choose(size_a + size_b, i + j)
            - log_choose(size_a, i)
            - log_choose(size_b, j)
        )
        for i, p in a.items()
        for j, q in b.items()
        if p * q > 0
    )


def wrong(name: str, scene: str, cause: str, runs: int, order, evidence: float | None = None) -> Bug:
    return bug(f"second-{name}", scene, ORDER, cause, runs, evidence, order=order)


HALVES = (shifted(binomial_law(5, 1 / 3), 3), 10), (shifted(binomial_law(5, 1 / 3), 1), 10)
LARGE = ({18: 1.0}, 60), (binomial_law(60, 0.75), 60)
BUGS: tuple[Bug, ...] = (
    wrong("order-sorted", "binary-sum", "messages are sorted", 64, by(sorted_all), all_orders("binary-sum", 64)),
    wrong(
        "order-sorted-formula",
        "binary-sum-formula",
        "messages are sorted",
        64,
        by(sorted_all),
        all_orders("binary-sum-formula", 64),
    ),
    wrong(
        "order-label-blocks",
        "two-bit-sum",
        "pool by pool, each shuffled",
        64,
        by(label_blocks),
        64 * log_choose(20, 10),
    ),
    wrong(
        "order-label-blocks-histogram",
        "histogram",
        "pool by pool, each shuffled",
        64,
        by(label_blocks),
        64 * (math.lgamma(81) - 5 * math.lgamma(17)),
    ),
    wrong(
        "order-labels-in-turn",
        "two-bit-sum-dropouts",
        "labels take turns",
        64,
        by(labels_in_turn),
        64 * log_choose(14, 7),
    ),
    wrong(
        "order-first-stays",
        "binary-sum",
        "the first message is not shuffled",
        100,
        by(first_stays),
        known_place("binary-sum", 1, 100),
    ),
    wrong(
        "order-first-stays-large",
        "binary-sum-large",
        "the first message is not shuffled",
        64,
        by(first_stays),
        known_place("binary-sum-large", 1, 64),
    ),
    wrong(
        "order-last-user-after",
        "binary-sum",
        "the last user comes after the shuffle",
        64,
        last_user_after,
        known_place("binary-sum", 0, 64),
    ),
    wrong(
        "order-last-user-after-uniformity",
        "uniformity-dropouts",
        "the last user comes after the shuffle",
        200,
        last_user_after,
    ),
    wrong("order-blocks-kept", "distinct", "users are shuffled, their messages stay together", 64, users_only),
    wrong("order-blocks-kept-modular", "modular", "users are shuffled, their messages stay together", 500, users_only),
    wrong("order-within-users", "poisson-binomial", "each user shuffles, the shuffler does not", 300, within_users),
    wrong("order-within-users-hashed", "hashed", "each user shuffles, the shuffler does not", 64, within_users),
    wrong("order-sattolo", "binary-sum", "no message stays in its place: j < i instead of j <= i", 5000, by(cyclic)),
    wrong(
        "order-sattolo-two-bit",
        "two-bit-sum",
        "no message stays in its place: j < i instead of j <= i",
        5000,
        by(cyclic),
    ),
    wrong("order-any-place", "two-bit-sum", "swaps with any place instead of the places left", 10000, by(any_place)),
    wrong("order-neighbours", "binary-sum-large", "swaps of neighbours only", 200, by(neighbours)),
    wrong("order-riffle", "histogram-dropouts", "three riffles are not enough", 200, by(riffle)),
    wrong("order-rotated", "histogram-uneven", "rotated instead of shuffled", 64, by(rotated)),
    wrong("order-same-permutation", "two-bit-sum", "the same permutation in every run", 100, by(fixed_permutation)),
    wrong("order-few-permutations", "poisson-binomial-dropouts", "sixteen permutations", 500, by(few_permutations)),
    wrong("order-short-keys", "histogram", "random keys of two bits: ties stay in order", 300, by(short_keys)),
    wrong("order-content-in-key", "binary-sum", "the sorting key depends on the bit", 400, by(content_in_key)),
    wrong(
        "order-content-in-key-distinct",
        "distinct-formula",
        "the sorting key depends on the bit",
        64,
        by(content_in_key),
    ),
    wrong(
        "order-noise-after-data",
        "binary-sum-large",
        "all data, then all noise",
        64,
        by(noise_after_data),
        two_parts(*LARGE, 64),
    ),
    wrong(
        "order-two-shards", "binary-sum", "two shufflers, one after the other", 400, two_shards, two_parts(*HALVES, 400)
    ),
    wrong("order-two-shards-compressed", "compressed", "two shufflers, one after the other", 300, two_shards),
    wrong("order-sometimes-not", "two-bit-sum-dropouts", "one run in ten is not shuffled", 400, by(sometimes_not)),
    wrong("order-window", "uniformity-default", "only messages that arrive together are mixed", 100, by(window)),
    wrong(
        "order-window-distinct", "distinct-dropouts", "only messages that arrive together are mixed", 200, by(window)
    ),
)
