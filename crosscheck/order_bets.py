"""Bets that the messages of a run are not in uniformly random order, given how many there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from crosscheck.bets import Bet
from crosscheck.e_values import tilted
from crosscheck.reference.model import ORDER

ODDS = tuple(Fraction(*pair) for pair in ((1, 50), (1, 4), (2, 3), (9, 10), (10, 9), (3, 2), (4, 1), (50, 1)))
"""How many times as likely an event is bet to be: from slightly to almost surely more, or less, likely."""
Message = tuple[int, int]
Observed = tuple[bool, Fraction]
"""Whether an event happened, and its probability."""


@dataclass(frozen=True)
class Place:
    """An event about the messages at some places, with its probability given the counts of all messages."""

    words: str
    observe: Callable[[Sequence[Message], Counter[Message]], Observed]


def value_at(position: int, words: str, part: int, wanted: Callable[[Counter[int]], int]) -> Place:
    """The wanted label (part 0), or the wanted bit (part 1), at a place."""

    def observe(messages: Sequence[Message], counts: Counter[Message]) -> Observed:
        values = totals(counts, part)
        value = wanted(values)
        return messages[position][part] == value, Fraction(values[value], counts.total())

    return Place(words, observe)


def one(values: Counter[int]) -> int:
    """The bit that is looked for."""
    return 1


def totals(counts: Counter[Message], part: int) -> Counter[int]:
    """How many messages have each label (part 0), or each bit (part 1)."""
    found = Counter[int]()
    for message, count in counts.items():
        found[message[part]] += count
    return found


def rising(messages: Sequence[Message], counts: Counter[Message]) -> Observed:
    """A smaller label first than last."""
    total, below, pairs = counts.total(), 0, 0
    for _, count in sorted(totals(counts, 0).items()):
        pairs += below * count
        below += count
    return messages[0][0] < messages[-1][0], Fraction(pairs, total * (total - 1))


def equal_first(part: int) -> Callable[[Sequence[Message], Counter[Message]], Observed]:
    """Equal labels, or equal bits, of the first two messages."""

    def observe(messages: Sequence[Message], counts: Counter[Message]) -> Observed:
        total = counts.total()
        pairs = sum(count * (count - 1) for count in totals(counts, part).values())
        return messages[0][part] == messages[1][part], Fraction(pairs, total * (total - 1))

    return observe


def even_block(width: int) -> Callable[[Sequence[Message], Counter[Message]], Observed]:
    """An even number of ones among the first messages, as many as a user's shares."""

    def observe(messages: Sequence[Message], counts: Counter[Message]) -> Observed:
        total = counts.total()
        chance = even_chance(totals(counts, 1)[1], total, min(width, total))
        return sum(bit for _, bit in messages[:width]) % 2 == 0, chance

    return observe


@lru_cache(maxsize=65536)
def even_chance(ones: int, total: int, width: int) -> Fraction:
    """The chance of an even number of ones among `width` of so many messages, drawn without replacement."""
    ways = sum(comb(ones, i) * comb(total - ones, width - i) for i in range(0, width + 1, 2))
    return Fraction(ways, comb(total, width))


PLACES = (
    value_at(0, "a one first", 1, one),
    value_at(1, "a one second", 1, one),
    value_at(-1, "a one last", 1, one),
    value_at(-2, "a one before the last", 1, one),
    value_at(0, "the least label first", 0, min),
    value_at(0, "the largest label first", 0, max),
    value_at(-1, "the least label last", 0, min),
    value_at(-1, "the largest label last", 0, max),
    Place("a smaller label first than last", rising),
    Place("the first two labels are equal", equal_first(0)),
    Place("the first two bits are equal", equal_first(1)),
)


def order_bets(runs: Sequence[Sequence[Message]], width: int | None) -> Iterator[Bet]:
    """The bets on the places, over all runs that show at least two messages; `width` is a user's shares, if any."""
    shown = [(messages, Counter(messages)) for messages in runs if len(messages) > 1]
    blocks = [Place(f"the first {width} bits have even sum", even_block(width))] if width is not None else []
    for place in (*PLACES, *blocks):
        observed = [place.observe(messages, counts) for messages, counts in shown]
        seen, expected = sum(happened for happened, _ in observed), sum(float(p) for _, p in observed)
        for odds in ODDS:
            yield Bet(ORDER, "the messages", place.words, tilted(observed, odds), f"{seen}", f"{expected:.6g}")
