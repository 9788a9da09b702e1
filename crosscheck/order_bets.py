"""Bets that the messages of a run are not in uniformly random order, given how many there are of each.

The messages are uncovered one after another: given those before, each of the rest is equally likely to come next, so
the chance that the next one has a certain label, or a certain bit, is known, whatever the label or bit is guessed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, log

import numpy as np
from flint import arb

from crosscheck.bets import Bet
from crosscheck.doubles import Doubles, Flags, Tilt, Tilts, Whole
from crosscheck.reference.model import MOST_PLACES, ORDER, Arrangement

ODDS = (0.02, 0.25, 0.67, 0.9, 0.97, 1.03, 1.11, 1.5, 4.0, 50.0)
"""How many times as likely a guess is bet to be right: from slightly to almost surely more, or less, likely."""
ENDS = 32  # places at either end that are looked at alone
MOST_BLOCKS = 64  # blocks of a user's shares whose parity is looked at
NOWHERE = -(2**40)  # stands for no guess
LABEL, BIT = "label", "bit"
Messages = Sequence[tuple[int, int]]


class Order:
    """What was seen of guesses at all places, at each place near the ends, and of blocks of shares."""

    def __init__(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement
        self.shown = 0
        self.guesses = {words: Tilt(ODDS) for words in self.guess_names()}
        self.ones_there, self.labels_there = Tilts(2 * ENDS, ODDS), Tilts(2 * ENDS, ODDS)
        self.kinds: dict[int, int] = {}
        self.met = np.zeros((2 * ENDS, 0), dtype=np.int64)
        self.even = Tilt(ODDS)
        self.users = 0.0
        self.last: tuple[Whole, Whole] | None = None

    def guess_names(self) -> list[str]:
        """What is guessed from what."""
        names = ["label as the one before", "label one more than the one before", "bit as the one before"]
        names += ["label as there one run before", "bit as there one run before"]
        if self.arrangement.labels is not None:
            names += [f"label of the message {words}" for words in SHIFTS]
        if self.arrangement.bits is not None:
            names += [f"bit of the message {words}" for words in SHIFTS]
        return names

    def add(self, runs: Sequence[Messages]) -> None:
        """The messages of some more runs."""
        for messages in runs:
            if len(messages) > 1:
                self.shown += 1
                pairs = np.array(messages, dtype=np.int64)
                self.add_run(pairs[:, 0], pairs[:, 1])
                self.last = pairs[:, 0], pairs[:, 1]

    def add_run(self, labels: Whole, bits: Whole) -> None:
        """The messages of one more run."""
        before = self.last if self.last is not None else (labels[:0], bits[:0])
        label_chances, bit_chances = Chances(labels), Chances(bits)
        following, same = np.append(NOWHERE, labels[:-1] + 1), np.append(NOWHERE, labels[:-1])
        self.guess("label as the one before", label_chances, same)
        self.guess("label one more than the one before", label_chances, following)
        self.guess("bit as the one before", bit_chances, np.append(NOWHERE, bits[:-1]))
        self.guess("label as there one run before", label_chances, fitted(before[0], len(labels)))
        self.guess("bit as there one run before", bit_chances, fitted(before[1], len(bits)))
        for known, chances, what in (
            (self.arrangement.labels, label_chances, LABEL),
            (self.arrangement.bits, bit_chances, BIT),
        ):
            for words, by in SHIFTS.items() if known is not None else ():
                guess = np.roll(fitted(np.array(known, dtype=np.int64), len(labels)), by)
                self.guess(f"{what} of the message {words}", chances, guess)
        self.add_places(labels, bits)
        if self.arrangement.width is not None:
            self.add_blocks(bits, self.arrangement.width)

    def guess(self, name: str, chances: Chances, guess: Whole) -> None:
        """One guess for each place."""
        q, known = chances.of(guess)
        hits = int((chances.values == guess[: len(chances.values)])[known].sum())
        self.guesses[name].add(hits, q[known] * (1 - 1e-15), q[known] * (1 + 1e-15))

    def add_places(self, labels: Whole, bits: Whole) -> None:
        """Each place near the ends: whether it is a one, and whether it has the label that it had most often so far."""
        total, few = len(labels), min(ENDS, len(labels) // 2)
        slots = np.append(np.arange(few), ENDS + np.arange(few))
        at = np.append(np.arange(few), total - 1 - np.arange(few))
        self.ones_there.add(slots, bits[at] == 1, np.full(len(slots), bits.mean()))
        values, counts = np.unique(labels, return_counts=True)
        if len(values) == 1:
            return
        for value in values.tolist():
            if value not in self.kinds:
                self.kinds[value] = len(self.kinds)
                self.met = np.append(self.met, np.zeros((2 * ENDS, 1), dtype=np.int64), axis=1)
        shares = np.zeros(len(self.kinds))
        shares[[self.kinds[value] for value in values.tolist()]] = counts / total
        codes = np.array([self.kinds[value] for value in labels[at].tolist()])
        usual = self.met[slots].argmax(axis=1)
        known = self.met[slots].any(axis=1)
        self.labels_there.add(slots[known], (codes == usual)[known], shares[usual[known]])
        self.met[slots, codes] += 1

    def count(self, tilt: Tilt, happened: bool, q: float) -> None:
        """One event of a known probability."""
        tilt.add(int(happened), np.array([q * (1 - 1e-15)]), np.array([q * (1 + 1e-15)]))

    def add_blocks(self, bits: Whole, width: int) -> None:
        """The parity of one block of shares after another; against users who are shuffled with their blocks whole."""
        ones, total = int(bits.sum()), len(bits)
        holders, users = self.arrangement.odd_blocks, total // width
        for start in range(0, min(total - width + 1, width * MOST_BLOCKS), width):
            block = int(bits[start : start + width].sum())
            chance = even_chance(ones, total - start, width)
            self.count(self.even, block % 2 == 0, chance)
            left = users - start // width
            if holders is not None:
                other = holders / left if block % 2 else 1 - holders / left
                right = 1 - chance if block % 2 else chance
                gain = log(0.999 * min(1.0, max(0.0, other)) / right + 0.001)
                self.users += gain - 1e-12 * (abs(gain) + 1)
                holders -= block % 2
            ones -= block

    def bets(self) -> Iterator[Bet]:
        """All places together."""
        for words, tilt in self.guesses.items():
            yield order_bet(tilt, words)
        if self.arrangement.width is not None:
            yield order_bet(self.even, f"{self.arrangement.width} bits in a row, as a user sends them, have even sum")
        if self.arrangement.odd_blocks is not None and self.arrangement.width is not None:
            words = "blocks have the parities of the users' bits: users are shuffled, not messages"
            yield Bet(ORDER, "the messages", words, arb(self.users))

    def place_bets(self) -> Iterator[Bet]:
        """Each place alone."""
        for tilts, words in ((self.labels_there, "the label that is most usual there"), (self.ones_there, "a one")):
            for slot, log_e in enumerate(tilts.logs()):
                place = f"place {slot + 1}" if slot < ENDS else f"place {slot - ENDS + 1} from the end"
                seen, expected = f"{int(tilts.hits[slot])}", f"{tilts.expected[slot]:.6g}"
                yield Bet(ORDER, "the messages", f"{place}: {words}", arb(log_e), seen, expected)


SHIFTS = {"that was sent there": 0, "that was sent one place before": 1, "that was sent one place after": -1}


def order_bet(tilt: Tilt, words: str) -> Bet:
    """The bet on one kind of guess."""
    return Bet(ORDER, "the messages", words, arb(tilt.log_e()), f"{tilt.hits}", f"{tilt.expected:.6g}")


class Chances:
    """How likely each value is at each place, given the values at the places before it."""

    def __init__(self, values: Whole) -> None:
        self.values = values[:MOST_PLACES]
        kinds, self.codes, counts = np.unique(values, return_inverse=True, return_counts=True)
        self.codes = self.codes[:MOST_PLACES]
        self.kinds = kinds
        met = self.codes[:, None] == np.arange(len(kinds))
        self.rest = counts - np.cumsum(met, axis=0) + met
        self.total = len(values) - np.arange(len(self.values))

    def of(self, guess: Whole) -> tuple[Doubles, Flags]:
        """The chance of a guess for each place, and where there is one and it is not decided already."""
        guess = guess[: len(self.values)]
        place = np.minimum(np.searchsorted(self.kinds, guess), len(self.kinds) - 1)
        exists = self.kinds[place] == guess
        left = np.where(exists, self.rest[np.arange(len(guess)), place], 0)
        q = left / self.total
        return q, (guess != NOWHERE) & (q > 0) & (q < 1)


def fitted(values: Whole, total: int) -> Whole:
    """The values, cut or filled up with no guess to so many."""
    return np.append(values[:total], np.full(max(0, total - len(values)), NOWHERE, dtype=np.int64))


@lru_cache(maxsize=65536)
def even_chance(ones: int, total: int, width: int) -> float:
    """The chance of an even number of ones among `width` of so many messages, drawn without replacement."""
    ways = sum(comb(ones, i) * comb(total - ones, width - i) for i in range(0, width + 1, 2))
    return ways / comb(total, width)
