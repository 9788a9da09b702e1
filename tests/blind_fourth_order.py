"""Fourth zoo: order and randomness between runs."""

from __future__ import annotations

import math
from itertools import islice
from random import Random

from tests.blind_zoo_bug import (
    BETWEEN,
    CERTAIN,
    ORDER,
    bug,
    passed_on,
    run_by_run,
)
from tests.blind_zoo_draws import (
    poisson,
)


def flat(vectors):
    return [message for vector in vectors for message in vector]


# --- the order ---------------------------------------------------------------------------------------------------


def buffered(self, vectors, rng):
    buffer, messages = [], []
    for message in flat(vectors):
        if len(buffer) < 8:
            buffer.append(message)
        else:
            place = rng.randrange(8)
            messages.append(buffer[place])
            buffer[place] = message
    rng.shuffle(buffer)
    return messages + buffer


def inserted(self, vectors, rng):
    messages = []
    for message in flat(vectors):
        messages.insert(rng.randrange(len(messages)) if messages else 0, message)
    return messages


def map_order(self, vectors, rng):
    messages = flat(vectors)
    buckets = [messages[i : i + 8] for i in range(0, len(messages), 8)]
    start, offset = rng.randrange(len(buckets)), rng.randrange(8)
    rotated = buckets[start:] + buckets[:start]
    return [bucket[(offset + i) % 8] for bucket in rotated for i in range(8) if (offset + i) % 8 < len(bucket)]


def alternating(self, vectors, rng):
    data, noise = [vector[0] for vector in vectors], [vector[1] for vector in vectors]
    rng.shuffle(data)
    rng.shuffle(noise)
    return [message for pair in zip(data, noise, strict=True) for message in pair]


def seeded_by_sum(self, vectors, rng):
    messages = flat(vectors)
    Random(sum(bit for _, bit in messages)).shuffle(messages)
    return messages


def unranked(self, vectors, rng):
    left, index, messages = flat(vectors), rng.getrandbits(16), []
    while left:
        place, index = divmod(index, math.factorial(len(left) - 1))
        messages.append(left.pop(place))
    return messages


def twice(self, vectors, rng):
    messages = flat(vectors)
    places = list(range(len(messages)))
    rng.shuffle(places)
    return [messages[places[places[i]]] for i in range(len(messages))]


def few_swaps(self, vectors, rng):
    messages = flat(vectors)
    for _ in range(len(messages) // 2):
        i, j = rng.randrange(len(messages)), rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def jittered(self, vectors, rng):
    messages = flat(vectors)
    keys = [i + rng.random() * len(messages) / 2 for i in range(len(messages))]
    return [messages[i] for i in sorted(range(len(messages)), key=keys.__getitem__)]


ORDERS = (
    bug(
        "fourth-order-buffer",
        "distinct-few-messages",
        ORDER,
        "messages are shuffled in a stream through a buffer of eight",
        200,
        order=buffered,
    ),
    bug(
        "fourth-order-insert",
        "two-bit-sum",
        ORDER,
        "inserts at one of len places, not len+1: the first ends last",
        200,
        order=inserted,
    ),
    bug(
        "fourth-order-map",
        "distinct",
        ORDER,
        "map iteration is the shuffle: only start bucket and offset are random",
        200,
        order=map_order,
    ),
    bug(
        "fourth-order-alternating",
        "binary-sum-formula",
        ORDER,
        "data and noise bits are shuffled apart, then sent alternately",
        200,
        order=alternating,
    ),
    bug(
        "fourth-order-seeded-by-sum",
        "poisson-binomial-dropouts",
        ORDER,
        "the shuffle is seeded with the sum of the messages",
        300,
        order=seeded_by_sum,
    ),
    bug(
        "fourth-order-unranked",
        "two-bit-sum-dropouts",
        ORDER,
        "the permutation's index has 16 bits, so the first messages stay",
        200,
        order=unranked,
    ),
    bug(
        "fourth-order-twice",
        "two-bit-sum",
        ORDER,
        "the same permutation is applied twice: its square is not uniform",
        5000,
        order=twice,
    ),
    bug(
        "fourth-order-few-swaps",
        "hashed-wide",
        ORDER,
        "only half as many random transpositions as messages",
        300,
        order=few_swaps,
    ),
    bug(
        "fourth-order-jitter",
        "binary-sum-large",
        ORDER,
        "messages are sorted by arrival plus random delay: early stays early",
        200,
        order=jittered,
    ),
)

# --- the randomness between runs ---------------------------------------------------------------------------------


def smoothed(runs, rng, count):
    before = None
    for run in runs:
        now = run["output"]
        yield {"output": now if before is None else (now + before) // 2}
        before = now


def from_checkpoint(runs, rng, count):
    def endless():
        since = []
        for run in runs:
            since.append(run)
            yield run
            if rng.random() < 1 / 15:
                yield from list(since)
            if len(since) == 10:
                since = []

    return islice(endless(), count)


def users_of_sum(m, rng, i):
    if i == 0:
        m.base = rng.getrandbits(40)
    vectors = [m.user(x, Random(m.base + i + u)) for u, x in enumerate(m.people)]
    return told(m, vectors, rng)


def told(m, vectors, rng):
    messages = m.order(vectors, rng)
    pools = m.count(messages)
    return {"pools": m.named(pools), "messages": m.written(messages), "output": m.analyze(pools)}


def accumulated(m, rng, i):
    m.total = m.noise(rng) + (m.total if i else 0)
    return {"output": m.value() + m.total}


def from_bag(runs, rng, count):
    bag = []
    for _ in runs:
        if not bag:
            bag = [1, 0, 0, 0, 0, 0]
            rng.shuffle(bag)
        yield {"output": bag.pop()}


def new_less_old(m, rng, i):
    if i == 0:
        m.old = poisson(rng, m.mean)
    new = poisson(rng, m.mean)
    noise, m.old = new - m.old, new
    return {"output": m.value() + noise}


def late(m, rng, i):
    held = m.held if i else []
    m.held, arrived = [], list(held)
    for message in flat(m.vectors(rng)):
        (m.held if rng.random() < 0.1 else arrived).append(message)
    return told(m, [arrived], rng)


def last_counter_old(runs, rng, count):
    before = None
    for run in runs:
        now = run["state"][-1]
        yield {"state": [*run["state"][:-1], now if before is None else before], "output": run["output"]}
        before = now


def cached_user(m, rng, i):
    vectors = m.vectors(rng)
    if i == 0:
        m.kept = vectors[0]
    return told(m, [m.kept, *vectors[1:]], rng)


BETWEENS = (
    passed_on(
        "fourth-between-smoothed",
        "binomial",
        BETWEEN,
        "outputs are smoothed: the mean with the run before, rounded down",
        500,
        smoothed,
    ),
    passed_on(
        "fourth-between-checkpoint",
        "pan-uniformity",
        BETWEEN,
        "after a crash all runs since the checkpoint are written again",
        300,
        from_checkpoint,
    ),
    run_by_run(
        "fourth-between-seed-sum",
        "histogram-uneven",
        BETWEEN,
        "user u of run i is seeded with i + u",
        300,
        users_of_sum,
    ),
    run_by_run(
        "fourth-between-accumulated",
        "geometric-wide",
        BETWEEN,
        "the noise is added up over runs and never reset",
        200,
        accumulated,
    ),
    passed_on(
        "fourth-between-bag",
        "randomized-or",
        BETWEEN,
        "coins come from a shuffled bag with one 1 in six",
        600,
        from_bag,
        100 * -math.log((5 / 6) ** 5),
    ),
    run_by_run(
        "fourth-between-new-less-old",
        "skellam",
        BETWEEN,
        "the draw subtracted is the draw added in the run before",
        600,
        new_less_old,
    ),
    run_by_run(
        "fourth-between-late",
        "poisson-binomial",
        BETWEEN,
        "a tenth of the messages arrives in the next run",
        200,
        late,
        CERTAIN,
    ),
    passed_on(
        "fourth-between-last-counter",
        "pan-histogram",
        BETWEEN,
        "the state's last counter is that of the run before",
        500,
        last_counter_old,
    ),
    run_by_run(
        "fourth-between-cached-user",
        "distinct",
        BETWEEN,
        "the first user's messages are cached and sent in every run",
        2000,
        cached_user,
    ),
)


BUGS = ORDERS + BETWEENS
