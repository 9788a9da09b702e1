"""Ways to shuffle badly, and which of them is most like what was seen: each is played on messages of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key, partial
from math import sqrt

import numpy as np
from panshuffle.crosscheck.doubles import Doubles, Tilt, Whole
from panshuffle.crosscheck.order_bets import ENDS, SAME_LABELS, SAME_ORDER, WITH_AS_MANY, Order
from panshuffle.crosscheck.reference.model import Arrangement, Send
from panshuffle.protocols.randomness.coins import Coins

FEW_ORDERS = 16  # permutations that a seed of few values makes
SHORT, LONG = 8, 16  # messages of a buffer, or of a block
Random = np.random.Generator
Shuffle = Callable[[Random, "Sent"], Whole]


class Sent:
    """The messages of a run as they were sent, user after user."""

    def __init__(self, vectors: Sequence[Sequence[tuple[int, int]]]) -> None:
        self.messages = np.array([message for vector in vectors for message in vector], dtype=np.int64).reshape(-1, 2)
        self.size = len(self.messages)
        self.places = np.arange(self.size)
        self.ends = np.cumsum([len(vector) for vector in vectors])

    def blocks(self) -> list[Whole]:
        """The places of each user's messages."""
        return np.array_split(self.places, self.ends[:-1])

    def halves(self) -> list[Whole]:
        """The places of the first and of the second half."""
        return np.array_split(self.places, 2)

    def data_and_noise(self) -> list[Whole]:
        """Every other place, from the first on and from the second on."""
        return [self.places[::2], self.places[1::2]]


def from_swaps(random: Random, sent: Sent, others: Callable[[Random, int], Whole]) -> Whole:
    """Each place from the first on is swapped with another."""
    order = np.arange(sent.size)
    for i, j in enumerate(others(random, sent.size).tolist()):
        order[i], order[j] = order[j], order[i]
    return order


def swapping(others: Callable[[Random, int], Whole]) -> Shuffle:
    """The way that swaps each place with these; rightly each with one from itself on."""
    return partial(from_swaps, others=others)


def never_the_last(random: Random, size: int) -> Whole:
    """The place itself or one behind it, but never the last."""
    places = np.arange(size - 1)
    return random.integers(places, np.maximum(size - 1, places + 1))


def every_other(random: Random, size: int) -> Whole:
    """Rightly, at every other place."""
    places = np.arange(size)
    return np.where(places % 2 == 0, random.integers(places, size), places)


def one_byte(random: Random, size: int) -> Whole:
    """Bytes modulo the places that are left, of which the first are likelier."""
    places = np.arange(size)
    return places + random.integers(2 ** max(7, size.bit_length()), size=size) % (size - places)


def transposed(random: Random, sent: Sent, share: float) -> Whole:
    """So many random transpositions for each message."""
    order = np.arange(sent.size)
    for i, j in random.integers(sent.size, size=(max(1, int(share * sent.size)), 2)).tolist():
        order[i], order[j] = order[j], order[i]
    return order


def compared_at_random(random: Random, sent: Sent) -> Whole:
    """Sorted by comparisons that are coins."""
    answers = iter(random.integers(2, size=64 * sent.size + 64).tolist())
    return np.array(sorted(range(sent.size), key=cmp_to_key(lambda a, b: 2 * next(answers, 0) - 1)))


def inserted(random: Random, sent: Sent, by_coins: bool) -> Whole:
    """Each goes forward as long as a coin says so, or before any one of those that are there."""
    order: list[int] = []
    steps = random.geometric(0.5, size=sent.size).tolist() if by_coins else []
    for i in range(sent.size):
        order.insert(max(0, i - steps[i] + 1) if by_coins else int(random.integers(max(1, len(order)))), i)
    return np.array(order)


def neighbours(random: Random, sent: Sent) -> Whole:
    """Neighbours are swapped, or not, once."""
    order = np.arange(sent.size)
    for i in np.flatnonzero(random.integers(2, size=sent.size - 1)).tolist():
        order[i], order[i + 1] = order[i + 1], order[i]
    return order


def by_parts(parts: Callable[[Sent], Sequence[Whole]]) -> Shuffle:
    """The way that shuffles parts one by one, and leaves the parts in order."""
    return lambda random, sent: np.concatenate([random.permutation(part) for part in parts(sent)])


def in_blocks(length: int) -> Shuffle:
    """The way that shuffles blocks of so many messages."""
    return by_parts(lambda sent: np.array_split(np.arange(sent.size), range(length, sent.size, length)))


def of_users(random: Random, sent: Sent, mixed: bool) -> Whole:
    """Users at random, and each user's messages as they were, or among themselves."""
    blocks = sent.blocks()
    ranks = random.permutation(len(blocks))
    return np.concatenate([random.permutation(blocks[i]) if mixed else blocks[i] for i in ranks])


def merged(random: Random, sent: Sent, parts: Callable[[Sent], Sequence[Whole]]) -> Whole:
    """Two parts are shuffled, and taken in turn."""
    order = np.arange(sent.size)
    order[::2], order[1::2] = [random.permutation(part) for part in parts(sent)]
    return order


def buffered(random: Random, sent: Sent, length: int) -> Whole:
    """A stream through a buffer, of which one at random leaves when the next comes."""
    buffer, order = list(range(min(length, sent.size))), []
    for place in range(len(buffer), sent.size):
        i = int(random.integers(len(buffer)))
        order.append(buffer[i])
        buffer[i] = place
    return np.array([*order, *random.permutation(buffer).tolist()])


def riffled(random: Random, sent: Sent) -> Whole:
    """Two halves, each in order."""
    first = random.integers(2, size=sent.size) == 0
    order = np.empty(sent.size, dtype=np.int64)
    order[first] = np.arange(first.sum())
    order[~first] = np.arange(first.sum(), sent.size)
    return order


def riffled_thrice(random: Random, sent: Sent) -> Whole:
    """Three riffles."""
    first, second, third = (riffled(random, sent) for _ in range(3))
    return first[second[third]]


def but_ends(random: Random, sent: Sent, first: int, last: int) -> Whole:
    """So many at either end stay where they are; -1 stands for a user's messages."""
    places, blocks = np.arange(sent.size), sent.blocks()
    left, right = (len(block) if end < 0 else end for end, block in ((first, blocks[0]), (last, blocks[-1])))
    middle = places[left : max(left, sent.size - right)]
    return np.concatenate([places[:left], random.permutation(middle), places[left + len(middle) :]])


def half_shuffled(random: Random, sent: Sent, which: int) -> Whole:
    """One of two halves is shuffled."""
    return np.concatenate([random.permutation(part) if i == which else part for i, part in enumerate(sent.halves())])


def squared(random: Random, sent: Sent) -> Whole:
    """A permutation of a permutation, the same."""
    order = random.permutation(sent.size)
    return order[order]


def in_turn(random: Random, sent: Sent, ordered: bool = False) -> Whole:
    """The first message of each user comes, then the second of each, users at random or as they are `ordered`."""
    blocks = sent.blocks()
    ranks = np.arange(len(blocks)) if ordered else random.permutation(len(blocks))
    places = np.concatenate([np.arange(len(block)) for block in blocks])
    users = np.concatenate([np.full(len(block), rank) for block, rank in zip(blocks, ranks, strict=True)])
    return np.lexsort((users, places))


def by_keys(keys: Callable[[Random, Sent], Whole | Doubles]) -> Shuffle:
    """The way that sorts by keys, of which equal ones stay in order."""
    return lambda random, sent: np.argsort(keys(random, sent), kind="stable")


def leaning(by: float) -> Shuffle:
    """The way that sorts by random keys to which a bit adds."""
    return lambda random, sent: np.argsort(random.random(sent.size) + by * sent.messages[:, 1])


def delayed(share: float) -> Shuffle:
    """The way of random delays of up to a share of all places."""
    return lambda random, sent: np.argsort(np.arange(sent.size) + random.random(sent.size) * share * sent.size)


def sorted_by(*parts: int) -> Shuffle:
    """The way that sorts by label (0), by bit (1) or by both; by chance where these are the same."""
    return lambda random, sent: np.lexsort(
        (random.random(sent.size), *(sent.messages[:, part] for part in reversed(parts)))
    )


def pools_shuffled(random: Random, sent: Sent) -> Whole:
    """Pools at random, their messages at random."""
    labels = sent.messages[:, 0]
    ranks = random.permutation(int(labels.max()) + 2)
    return np.lexsort((random.random(sent.size), ranks[labels]))


def seeded(seed: Callable[[Random, Sent], int]) -> Shuffle:
    """The way of a permutation that its seed decides."""
    return lambda random, sent: np.random.default_rng(seed(random, sent)).permutation(sent.size)


def now_and_then(share: float) -> Shuffle:
    """The way that does not shuffle at all in a share of the runs."""
    return lambda random, sent: sent.places if random.random() < share else fairly(random, sent)


def fairly(random: Random, sent: Sent) -> Whole:
    """As it should be."""
    return random.permutation(sent.size)


RARELY_SHUFFLED = ("about half of the runs are not shuffled", "about a tenth of the runs is not shuffled")
WAYS: dict[str, Shuffle] = {
    "the messages are not shuffled at all": lambda random, sent: sent.places,
    "the messages are in reverse order, not shuffled": lambda random, sent: sent.places[::-1],
    "not shuffled: each user's first message, then each user's second one, and so on": partial(in_turn, ordered=True),
    "not shuffled: pool by pool, user by user": by_keys(lambda random, sent: sent.messages[:, 0]),
    "the messages are only moved around by a random number of places": lambda random, sent: np.roll(
        sent.places, int(random.integers(sent.size))
    ),
    "users are shuffled, and each user's messages stay together in order": partial(of_users, mixed=False),
    "users are shuffled, and each user's messages only among themselves": partial(of_users, mixed=True),
    "each user's messages are shuffled, and the users stay in order": by_parts(Sent.blocks),
    "each message is swapped with one at any place, a naive shuffle": swapping(
        lambda random, size: random.integers(size, size=size)
    ),
    "Sattolo's cycle: no message may stay at its place": swapping(
        lambda random, size: random.integers(np.arange(1, size), size)
    ),
    "the last place is never chosen for a swap": swapping(never_the_last),
    "the swaps end half way": swapping(lambda random, size: random.integers(np.arange(size // 2), size)),
    "the swaps end one place too early": swapping(
        lambda random, size: random.integers(np.arange(max(0, size - 2)), size)
    ),
    "every other place draws no partner for its swap": swapping(every_other),
    "random numbers modulo the places left, so that the first of them are likelier": swapping(one_byte),
    "the same permutation is applied twice": squared,
    "too few random swaps, about one for two messages": partial(transposed, share=0.5),
    "too few random swaps, about one for eight messages": partial(transposed, share=0.125),
    "sorted with a comparison that answers at random": compared_at_random,
    "sorted by insertion with a comparison that answers at random": partial(inserted, by_coins=True),
    "one pass of random swaps of neighbours": neighbours,
    "two halves are shuffled one by one": by_parts(Sent.halves),
    "two halves are shuffled one by one, as by two servers, and merged in turn": partial(merged, parts=Sent.halves),
    "blocks of about 16 messages are shuffled one by one": in_blocks(LONG),
    "blocks of about 8 messages are shuffled one by one": in_blocks(SHORT),
    "a stream is shuffled through a small buffer": partial(buffered, length=SHORT),
    "two halves are riffled together once": riffled,
    "only a few riffles": riffled_thrice,
    "the first message is not shuffled": partial(but_ends, first=1, last=0),
    "the last message is not shuffled": partial(but_ends, first=0, last=1),
    "the first user's messages are not shuffled": partial(but_ends, first=-1, last=0),
    "the last user's messages are added after the shuffle": partial(but_ends, first=0, last=-1),
    "only the first half is shuffled": partial(half_shuffled, which=0),
    "only the second half is shuffled": partial(half_shuffled, which=1),
    "messages move a part of the way only, as with random delays": delayed(0.5),
    "messages move a few places only": delayed(0.1),
    "users are shuffled, and their messages taken in turn": in_turn,
    "sorted by random keys of which many are equal: those stay in order": by_keys(
        lambda random, sent: random.integers(max(2, sent.size // 2), size=sent.size)
    ),
    "sorted by random keys of few values, as of one digit: those that are equal stay in order": by_keys(
        lambda random, sent: random.integers(10, size=sent.size)
    ),
    "the content of a message has a part in where it goes: ones lean to the front": leaning(-0.2),
    "the content of a message has a part in where it goes: ones lean to the end": leaning(0.2),
    "a sorting key depends on the bit: ones come rather first": leaning(-0.6),
    "a sorting key depends on the bit: ones come rather last": leaning(0.6),
    "each is inserted before one of those that are there, never at the end": partial(inserted, by_coins=False),
    "what a user sends first and second is shuffled apart and sent alternately": partial(
        merged, parts=Sent.data_and_noise
    ),
    "what users send first comes before what they send second": by_parts(Sent.data_and_noise),
    "the messages are sorted by pool": sorted_by(0),
    "the messages are sorted by bit": sorted_by(1),
    "the messages are sorted by pool and bit": sorted_by(0, 1),
    "pools come one after another, in random order": pools_shuffled,
    RARELY_SHUFFLED[0]: now_and_then(0.5),
    RARELY_SHUFFLED[1]: now_and_then(0.1),
}
"""Ways to shuffle badly, by what they are called."""
SEEDS: dict[str, Shuffle] = {
    "the permutation is the same in every run": seeded(lambda random, sent: 0),
    "there are only a few permutations, as of a seed of few values": seeded(
        lambda random, sent: int(random.integers(FEW_ORDERS))
    ),
    "the permutation is computed from the messages": seeded(lambda random, sent: int(sent.messages[:, 1].sum())),
}
"""Ways in which permutations come again: which ones these are, and so what stands where, is chance."""
SUBTLE = (
    "each message is swapped with one at any place, a naive shuffle",
    "Sattolo's cycle: no message may stay at its place",
    "the last place is never chosen for a swap",
    "the swaps end half way",
    "the swaps end one place too early",
    "every other place draws no partner for its swap",
    "random numbers modulo the places left, so that the first of them are likelier",
    "sorted with a comparison that answers at random",
    "sorted by random keys of which many are equal: those stay in order",
    "the content of a message has a part in where it goes: ones lean to the front",
    "the content of a message has a part in where it goes: ones lean to the end",
    "the same permutation is applied twice",
    "only a few riffles",
    RARELY_SHUFFLED[1],
)
"""Ways that are near to a right one, which it takes more runs to tell apart."""


SEED = 20231  # any will do; a fixed one gives the same diagnosis for the same runs
SURE = 2.0  # deviations of what chance leaves between two that are alike
ALIKE = 0.5  # of what is off: a way to shuffle that leaves more of it is not like what was seen
AS_WELL = 1.6  # times as far as the nearest: what is no farther is named, too
MOST_NAMED = 3  # ways to shuffle that are named
LEAST_PLAYED = 20  # runs that have to be played to say anything
MOST_PLAYED = 120  # runs that are played for each way to shuffle
PATIENT = 4  # times as many for ways that are near to a right one
MOST_MESSAGES = 20_000  # messages of all of them, which take about 0.1 seconds
FAIR = "a right shuffle"
OFTEN = 0.1  # of the runs, or more than expected, that come again where permutations do
AGAIN = 2.0  # deviations that an order which comes again counts: how often it does depends on the number of runs
PROFILE = 64  # parts of the first places whose ones are looked at together
STRETCHES = ((0, 1), (1, 2), (2, 8), (8, ENDS))  # places at either end that are looked at together
REPEATED = ("one run before", WITH_AS_MANY, SAME_ORDER, SAME_LABELS)
"""What permutations that come again are known by, whatever they are."""


def most_like(seen: Order, send: Send | None) -> list[str]:
    """The ways to shuffle badly that are most like what was seen, the nearest first; none where none is like it."""
    if send is None:
        return []
    sent = played_runs(send, min(seen.shown, MOST_PLAYED))
    again = is_repeated(seen)
    return (
        nearest(seen, WAYS | SEEDS if again else WAYS, sent)
        or (nearest(seen, SEEDS, sent, REPEATED) if again else [])
        or nearest(seen, {name: WAYS[name] for name in SUBTLE}, played_runs(send, seen.shown, PATIENT))
    )


def now_and_then_like(seen: Order, send: Send | None) -> list[str]:
    """The share of runs that seem not to be shuffled, in words, where that is what was seen."""
    ways = {name: WAYS[name] for name in RARELY_SHUFFLED}
    return nearest(seen, ways, played_runs(send, min(seen.shown, MOST_PLAYED))) if send is not None else []


def is_repeated(seen: Order) -> bool:
    """Whether what stood somewhere before, or an order that was there before, comes again far too often."""
    guesses = [tilt for name, tilt in seen.guesses.items() if any(word in name for word in REPEATED)]
    return again_in(seen) > OFTEN or any(tilt.hits - tilt.expected > OFTEN * tilt.expected for tilt in guesses)


def again_in(order: Order) -> float:
    """The share of runs whose labels, or messages, are in an order that was there before, and should not be."""
    again = (max(0.0, orders.again.hits - orders.again.expected) for orders in (order.orders, order.label_orders))
    return max(again) / max(1, order.shown)


def nearest(seen: Order, ways: dict[str, Shuffle], sent: Sequence[Sent], looked_at: Sequence[str] = ()) -> list[str]:
    """The ways of some that are most like what was seen, at all or in what these words name."""
    if len(sent) < LEAST_PLAYED:
        return []
    places = [not looked_at or any(word in name for word in looked_at) for name in deviation_names(seen)]
    sign = np.array(list(deviations(seen)))[places]
    chance, noise = np.count_nonzero(sign) / seen.shown, np.count_nonzero(sign) / len(sent)
    off, error = float((sign**2).sum()) - chance, SURE * sqrt(2 * np.count_nonzero(sign)) / len(sent)
    distances = {}
    for name, way in (ways | {FAIR: fairly}).items():
        order = play(way, sent, seen.arrangement)
        if name == FAIR or again_in(order) >= again_in(seen) / 2 - OFTEN:
            left = np.array(list(deviations(order)))[places] - sign
            distances[name] = float((left**2).sum()) - chance - noise
    fair = distances.pop(FAIR)
    least = min(distances.values(), default=fair)
    if off < error or least > min(ALIKE * off, fair - error):
        return []
    far = max(least + error, AS_WELL * least)
    named = [name for name, distance in distances.items() if distance <= far]
    return sorted(named, key=lambda name: round(distances[name], 6))[:MOST_NAMED]


def played_runs(send: Send, runs: int, times: int = 1) -> list[Sent]:
    """Runs before they are shuffled, so many, or fewer if they are long."""
    coins, found, size = Coins(SEED), list[Sent](), 0
    while len(found) < min(runs, times**3 * MOST_PLAYED) and size <= times * MOST_MESSAGES:
        found.append(Sent(send(coins)))
        size += found[-1].size
    return [one for one in found if one.size > 1]


def play(way: Shuffle, sent: Sequence[Sent], arrangement: Arrangement) -> Order:
    """What is seen of messages that are shuffled in one way."""
    random, order = np.random.default_rng(SEED), Order(arrangement)
    order.add([[(label, bit) for label, bit in one.messages[way(random, one)].tolist()] for one in sent])
    return order


def deviations(order: Order) -> Iterator[float]:
    """How much each guess is off, in deviations of a single run.

    First guesses at all places, then at places near the ends, last orders that come again.
    """
    root = sqrt(max(1, order.shown))
    for tilt in (*order.guesses.values(), order.even, order.halves, order.seconds):
        yield off_by(tilt) / root
    for tilts in (order.labels_there, order.ones_there):
        shares = tilts.expected / np.maximum(1.0, tilts.trials)
        off = (tilts.hits - tilts.expected) / np.sqrt(np.maximum(1.0, tilts.expected * (1 - shares)))
        for end in (off[:ENDS], off[ENDS:]):
            yield from (float(end[first:last].sum()) / sqrt(last - first) / root for first, last in STRETCHES)
        yield sqrt(max(0.0, float((off**2).mean()) - 1)) / root
    parts = zip(np.array_split(order.places.off, PROFILE), np.array_split(order.places.spread, PROFILE), strict=True)
    yield from (float(off.sum()) / sqrt(max(1.0, float(spread.sum()))) / root for off, spread in parts)
    for orders in (order.orders, order.label_orders):
        yield AGAIN * max(0.0, orders.again.hits - orders.again.expected) / max(1, order.shown)


def deviation_names(order: Order) -> Iterator[str]:
    """What these are, one by one."""
    yield from (*order.guesses, "even", "halves", "seconds")
    yield from ["place"] * (2 * (2 * len(STRETCHES) + 1))
    yield from ["ones"] * PROFILE
    yield from (SAME_ORDER, SAME_LABELS)


def off_by(tilt: Tilt) -> float:
    """How many deviations more often than it should an event was met."""
    return (tilt.hits - tilt.expected) / sqrt(max(1.0, tilt.expected * (1 - tilt.expected / max(1, tilt.trials))))


def in_numbers(order: Order) -> str:
    """How many runs are earlier ones as they were, as the end of a sentence."""
    again, different = order.orders.again.hits, len(order.orders.seen)
    return f"; {again} of {order.shown} runs are, message by message, an earlier one: {different} are different"


def like_known(cause: str, ways: Sequence[str]) -> str:
    """The same with the ways to shuffle badly that are most like it."""
    return f"most like: {'; or: '.join(ways)} ({cause})" if ways else cause
