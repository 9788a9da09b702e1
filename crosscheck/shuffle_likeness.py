"""Which way to shuffle badly is most like what was seen: each is played on messages of the protocol and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np
from panshuffle.crosscheck.bad_shuffles import RARELY_SHUFFLED, SEEDS, SUBTLE, WAYS, Sent, Shuffle, fairly
from panshuffle.crosscheck.doubles import Tilt
from panshuffle.crosscheck.order_bets import ENDS, SAME_LABELS, SAME_ORDER, WITH_AS_MANY, Order
from panshuffle.crosscheck.reference.model import Arrangement, Send
from panshuffle.protocols.randomness.coins import Coins

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
STRETCHES = ((0, 1), (1, 2), (2, 8), (8, ENDS))
"""Places at either end that are looked at together."""
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
