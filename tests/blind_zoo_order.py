"""Bugs in the shuffler: shuffles that are none, or that a programmer took for one."""

from __future__ import annotations

from functools import cmp_to_key
from random import Random

from tests.blind_zoo_bug import ORDER, Bug, bug, run_by_run


def joined(vectors):
    return [message for vector in vectors for message in vector]


def none(self, vectors, rng):
    return joined(vectors)


def swaps(partner, places=range):
    """A loop over places that swaps each with a partner."""

    def order(self, vectors, rng):
        messages = joined(vectors)
        for i in places(len(messages)):
            j = partner(rng, i, len(messages))
            messages[i], messages[j] = messages[j], messages[i]
        return messages

    return order


def downward(length):
    return range(length - 1, 0, -1)


def kept_apart(first, last):
    """Shuffles all but the first and last so many messages."""

    def order(self, vectors, rng):
        messages = joined(vectors)
        middle = messages[first : len(messages) - last]
        rng.shuffle(middle)
        return messages[:first] + middle + messages[len(messages) - last :]

    return order


def users_only(self, vectors, rng):
    return joined(rng.sample(vectors, len(vectors)))


def within_users(self, vectors, rng):
    return joined(rng.sample(vector, len(vector)) for vector in vectors)


def batches(size):
    def order(self, vectors, rng):
        messages = joined(vectors)
        return joined(
            rng.sample(part, len(part)) for i in range(0, len(messages), size) if (part := messages[i : i + size])
        )

    return order


def random_comparator(self, vectors, rng):
    return sorted(joined(vectors), key=cmp_to_key(lambda a, b: rng.choice((-1, 1))))


def riffle(times):
    def order(self, vectors, rng):
        messages = joined(vectors)
        for _ in range(times):
            cut = rng.getrandbits(len(messages)).bit_count()
            left, right = messages[:cut][::-1], messages[cut:][::-1]
            messages = []
            while left or right:
                messages.append((left if rng.random() * (len(left) + len(right)) < len(left) else right).pop())
        return messages

    return order


def rotated(self, vectors, rng):
    messages = joined(vectors)
    start = rng.randrange(len(messages))
    return messages[start:] + messages[:start]


def by_label(self, vectors, rng):
    messages = joined(vectors)
    rng.shuffle(messages)
    return sorted(messages, key=lambda message: message[0])


def fixed(self, vectors, rng):
    messages = joined(vectors)
    Random(2024).shuffle(messages)
    return messages


def of_few_seeds(self, vectors, rng):
    messages = joined(vectors)
    Random(rng.randrange(16)).shuffle(messages)
    return messages


def late_user(self, vectors, rng):
    messages = joined(vectors[:-1])
    rng.shuffle(messages)
    return messages + vectors[-1]


def heavy_to_front(self, vectors, rng):
    return sorted(joined(vectors), key=lambda message: rng.random() + 0.1 * (1 - message[1]))


def columns(self, vectors, rng):
    """All first messages, then all second ones, and so on: each column shuffled alone."""
    return joined(rng.sample(column, len(column)) for column in zip(*vectors, strict=True))


def in_pairs(self, vectors, rng):
    messages = joined(vectors)
    pairs = [messages[i : i + 2] for i in range(0, len(messages), 2)]
    rng.shuffle(pairs)
    return joined(pairs)


def shuffled_once(self, rng, i):
    """The permutation of the first run is kept for all runs."""
    if i == 0:
        self.seed = rng.getrandbits(64)
    self.order = lambda vectors, _: Random(self.seed).sample(messages := joined(vectors), len(messages))
    return self.run(rng)


def skipped_one_time_in(often):
    def one(self, rng, i):
        self.order = (lambda vectors, _: joined(vectors)) if i % often == 0 else type(self).order.__get__(self)
        return self.run(rng)

    return one


def row(name: str, scene: str, runs: int, cause: str, order) -> Bug:
    return bug(name, scene, ORDER, cause, runs, order=order)


BUGS: tuple[Bug, ...] = (
    row("order-none", "binary-sum", 64, "messages come in the order of the users", none),
    row("order-none-labelled", "uniformity", 64, "messages come in the order of the users and pools", none),
    row(
        "order-reversed",
        "modular-dropouts",
        2000,
        "messages come in reverse order of the users",
        lambda self, vectors, rng: joined(vectors)[::-1],
    ),
    row(
        "order-sorted",
        "poisson-binomial",
        64,
        "messages are sorted",
        lambda self, vectors, rng: sorted(joined(vectors)),
    ),
    row(
        "order-naive-swap",
        "binary-sum",
        20000,
        "every place is swapped with any place",
        swaps(lambda rng, i, length: rng.randrange(length)),
    ),
    row(
        "order-naive-swap-labelled",
        "distinct",
        20000,
        "every place is swapped with any place",
        swaps(lambda rng, i, length: rng.randrange(length)),
    ),
    row(
        "order-sattolo",
        "two-bit-sum",
        20000,
        "Sattolo's algorithm: no message keeps its place",
        swaps(lambda rng, i, length: rng.randrange(i), downward),
    ),
    row(
        "order-loop-ends-early",
        "binary-sum",
        20000,
        "the loop of the shuffle ends before the last swap",
        swaps(lambda rng, i, length: rng.randrange(i + 1), lambda length: range(length - 1, 1, -1)),
    ),
    row("order-first-stays", "two-bit-sum", 2000, "the first message never moves", kept_apart(1, 0)),
    row("order-last-stays", "histogram", 2000, "the last message never moves", kept_apart(0, 1)),
    row("order-users-only", "histogram", 500, "users are permuted, each user's messages stay together", users_only),
    row(
        "order-users-only-bits", "binary-sum", 500, "users are permuted, each user's two bits stay together", users_only
    ),
    row("order-within-users", "binary-sum", 300, "each user's messages are permuted, the users are not", within_users),
    row("order-batches", "histogram", 300, "messages are shuffled in batches of eight", batches(8)),
    row("order-halves", "two-bit-sum-dropouts", 2000, "the two halves are shuffled apart", batches(7)),
    row(
        "order-random-comparator",
        "binary-sum",
        5000,
        "messages are sorted with a comparison that answers at random",
        random_comparator,
    ),
    row("order-riffle-once", "binary-sum", 2000, "one riffle", riffle(1)),
    row("order-riffle-thrice", "two-bit-sum", 10000, "three riffles, which is too few", riffle(3)),
    row("order-rotated", "binary-sum-large", 64, "messages are rotated by a random number of places", rotated),
    row("order-by-label", "distinct", 64, "messages are shuffled, then sorted by pool", by_label),
    row("order-fixed", "binary-sum", 500, "the permutation is the same in every run", fixed),
    row("order-few-seeds", "two-bit-sum", 5000, "the permutation is one of sixteen", of_few_seeds),
    run_by_run("order-drawn-once", "binary-sum", ORDER, "the permutation is drawn once and kept", 500, shuffled_once),
    row("order-late-user", "histogram", 500, "the last user's messages come after the shuffled others", late_user),
    row("order-ones-lean-forward", "poisson-binomial", 5000, "ones tend a little to the front", heavy_to_front),
    row("order-columns", "binary-sum", 300, "true bits come first, noise bits after them", columns),
    row("order-pairs", "poisson-binomial-dropouts", 2000, "pairs of messages are shuffled", in_pairs),
    row(
        "order-modulo-bias",
        "binary-sum-large",
        20000,
        "places are drawn as seven bits modulo the number left",
        swaps(lambda rng, i, length: rng.getrandbits(7) % (i + 1), downward),
    ),
    run_by_run(
        "order-skipped-sometimes", "binary-sum", ORDER, "one run in ten is not shuffled", 2000, skipped_one_time_in(10)
    ),
    row(
        "order-adjacent",
        "binary-sum",
        1000,
        "as many random swaps of neighbours as there are messages",
        swaps(lambda rng, i, length: (i + rng.getrandbits(1)) % length),
    ),
)
