"""Whether the messages of a run are in uniformly random order, given how many there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from crosscheck.evidence import tilted
from crosscheck.questions import Question
from crosscheck.reference.model import ORDER

ODDS = tuple(Fraction(*pair) for pair in ((1, 50), (1, 4), (2, 3), (9, 10), (10, 9), (3, 2), (4, 1), (50, 1)))
Message = tuple[int, int]
Outcome = tuple[bool, Fraction]


@dataclass(frozen=True)
class Place:
    """An event about the messages at some places, with its probability given the counts of all messages."""

    words: str
    outcome: Callable[[Sequence[Message], Counter[Message]], Outcome]


def share(counts: Counter[Message], wanted: Callable[[Message], bool]) -> Fraction:
    """The share of messages of one kind."""
    return Fraction(sum(c for message, c in counts.items() if wanted(message)), counts.total())


def one_at(position: int, words: str) -> Place:
    """A one at a place."""
    return Place(
        f"a one {words}", lambda messages, counts: (messages[position][1] == 1, share(counts, lambda v: v[1] == 1))
    )


def label_at(position: int, words: str, last: bool) -> Place:
    """The least, or the largest, label at a place."""

    def outcome(messages: Sequence[Message], counts: Counter[Message]) -> Outcome:
        wanted = (max if last else min)(label for label, _ in counts)
        return messages[position][0] == wanted, share(counts, lambda v: v[0] == wanted)

    return Place(f"the {'largest' if last else 'least'} label {words}", outcome)


def rising(messages: Sequence[Message], counts: Counter[Message]) -> Outcome:
    """A smaller label first than last."""
    labels = Counter[int]()
    for (label, _), count in counts.items():
        labels[label] += count
    total, below, pairs = counts.total(), 0, 0
    for label in sorted(labels):
        pairs += below * labels[label]
        below += labels[label]
    return messages[0][0] < messages[-1][0], Fraction(pairs, total * (total - 1))


def equal_first(part: int) -> Callable[[Sequence[Message], Counter[Message]], Outcome]:
    """Equal labels, or equal bits, of the first two messages."""

    def outcome(messages: Sequence[Message], counts: Counter[Message]) -> Outcome:
        values = Counter[int]()
        for message, count in counts.items():
            values[message[part]] += count
        total = counts.total()
        pairs = sum(count * (count - 1) for count in values.values())
        return messages[0][part] == messages[1][part], Fraction(pairs, total * (total - 1))

    return outcome


def even_block(width: int) -> Callable[[Sequence[Message], Counter[Message]], Outcome]:
    """An even number of ones among the first messages, as many as a user's shares."""

    def outcome(messages: Sequence[Message], counts: Counter[Message]) -> Outcome:
        total = counts.total()
        ones = sum(count for (_, bit), count in counts.items() if bit)
        return sum(bit for _, bit in messages[:width]) % 2 == 0, even_chance(ones, total, min(width, total))

    return outcome


@lru_cache(maxsize=65536)
def even_chance(ones: int, total: int, width: int) -> Fraction:
    """The chance of an even number of ones among `width` of so many messages, drawn without replacement."""
    ways = sum(comb(ones, i) * comb(total - ones, width - i) for i in range(0, width + 1, 2))
    return Fraction(ways, comb(total, width))


PLACES = (
    one_at(0, "first"),
    one_at(1, "second"),
    one_at(-1, "last"),
    one_at(-2, "before the last"),
    label_at(0, "first", False),
    label_at(0, "first", True),
    label_at(-1, "last", False),
    label_at(-1, "last", True),
    Place("a smaller label first than last", rising),
    Place("the first two labels are equal", equal_first(0)),
    Place("the first two bits are equal", equal_first(1)),
)


def order_questions(runs: Sequence[Sequence[Message]], width: int | None) -> Iterator[Question]:
    """The bets on the places, over all runs that show at least two messages; `width` is a user's shares, if any."""
    shown = [(messages, Counter(messages)) for messages in runs if len(messages) > 1]
    blocks = [Place(f"the first {width} bits have even sum", even_block(width))] if width is not None else []
    for place in (*PLACES, *blocks):
        outcomes = [place.outcome(messages, counts) for messages, counts in shown]
        seen = sum(happened for happened, _ in outcomes)
        expected = f"{sum(float(p) for _, p in outcomes):.6g}"
        for odds in ODDS:
            yield Question(ORDER, "the messages", place.words, tilted(outcomes, odds), f"{seen}", expected)
