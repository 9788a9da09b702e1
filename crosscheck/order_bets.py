"""Bets that the messages of a run are not in uniformly random order, given how many there are of each.

The messages are uncovered one after another: given those before, each of the rest is equally likely to come next, so
the chance that the next one has a certain label, or a certain bit, is known, whatever the label or bit is guessed from,
earlier runs among it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from math import comb, exp, lgamma, log

import numpy as np
from panshuffle.crosscheck.bets import Bet, tilt_bet
from panshuffle.crosscheck.e_values import RARE, SLACK, Doubles, Flags, OneShot, Tilt, Tilts, Whole
from panshuffle.crosscheck.reference.areas import ORDER, RUNS
from panshuffle.crosscheck.reference.model import MOST_PLACES, Arrangement

ONES_PLACES, KINDS_PLACES = 256, 48  # places from the first on, where ones, and where whole messages are counted
MOST_KINDS = 64  # messages that are told apart, (label, bit); all others are one kind
FIRST_TILTS = 16  # runs after which tilts are chosen for the first time
SELDOM = 4  # tilts are chosen again when a quarter as many runs have come as there were
LARGEST_TILT = 2.0


class PlaceTable:
    """For each place and each kind of message how often it was there too often, the tilts, and what the bets came to.

    Given how many there are of each kind in a run, and the messages before a place, the chance of each kind there is
    known; the bet makes it e^tilt times as likely, and the tilts follow from the runs before.
    """

    def __init__(self, places: int) -> None:
        self.places, self.columns = places, dict[int, int]()
        self.off, self.expected, self.tilt = (np.zeros((places, 1)) for _ in range(3))
        self.gain, self.size = 0.0, 0.0
        self.shown, self.next = 0, FIRST_TILTS

    def add(self, kinds: Whole) -> None:
        """The kinds of the messages of one more run."""
        values, codes = np.unique(kinds, return_inverse=True)
        for value in values.tolist():
            if value not in self.columns and len(self.columns) < MOST_KINDS:
                self.columns[value] = len(self.columns) + 1  # the first column is that of all other kinds
                more = np.zeros((self.places, 1))
                self.off, self.expected, self.tilt = (
                    np.append(table, more, axis=1) for table in (self.off, self.expected, self.tilt)
                )
        column = np.array([self.columns.get(value, 0) for value in values.tolist()])[codes]
        size = min(len(kinds), self.places)
        here = column[:size, None] == np.arange(self.off.shape[1])
        before = np.cumsum(here, axis=0) - here
        total = np.bincount(column, minlength=self.off.shape[1])
        chance = (total - before) / (len(kinds) - np.arange(size))[:, None]
        tilt = self.tilt[:size]
        spent = np.log((chance * np.exp(tilt)).sum(axis=1))
        self.gain += float(tilt[here].sum() - spent.sum())
        self.size += float(np.abs(tilt[here]).sum() + np.abs(spent).sum()) + size * self.off.shape[1]
        self.off[:size] += here - chance
        self.expected[:size] += chance
        self.shown += 1
        if self.shown >= self.next:
            self.tilt, self.next = self.suggested(), self.shown + max(1, self.shown // SELDOM)

    def suggested(self) -> Doubles:
        """The tilts that would have been best so far, nearer to 0 by the part of them that is chance."""
        known = self.expected > 0
        expected = np.where(known, self.expected, 1.0)
        signs = float((self.off[known] ** 2 / expected[known]).sum())
        freedom = int(known.sum() - known.any(axis=1).sum())
        sure = max(0.0, 1 - freedom / signs) if signs > 0 else 0.0
        return np.asarray(np.clip(sure * np.where(known, self.off, 0.0) / expected, -LARGEST_TILT, LARGEST_TILT))

    def worst(self) -> tuple[int, int, float, float]:
        """The place, the kind, how often it was there and how often it is expected, where it is farthest off."""
        places, columns = np.divmod(np.arange(self.off.size), self.off.shape[1])
        known = (columns > 0) & (self.expected.ravel() > 0)
        scores = np.where(known, np.abs(self.off.ravel()) / np.sqrt(np.maximum(self.expected.ravel(), 1e-9)), -1.0)
        best = int(np.argmax(scores))
        kind = {column: value for value, column in self.columns.items()}.get(int(columns[best]), 0)
        expected = float(self.expected.ravel()[best])
        return int(places[best]) + 1, kind, expected + float(self.off.ravel()[best]), expected

    def bet(self, words: Callable[[int], str]) -> Bet:
        """What the bets came to, rounded down, and the place that is farthest off."""
        place, kind, seen, expected = self.worst()
        event = f"place {place} holds {words(kind)}"
        log_e = self.gain - SLACK * self.size
        return Bet(ORDER, "the messages", event, log_e, f"{seen:.0f}", f"{expected:.6g}")


ODDS = (0.02, 0.25, 0.67, 0.9, 0.97, 1.03, 1.11, 1.5, 4.0, 50.0)
"""How many times as likely a guess is bet to be right: from slightly to almost surely more, or less, likely."""
ENDS = 32  # places at either end that are looked at alone
MOST_BLOCKS = 64  # blocks of a user's shares whose parity is looked at
MOST_TOGETHER = 20_000  # messages that are looked at together
PAIRED = 2**31  # above any number of messages: two such numbers make one
SHOT_ODDS = (0.02, 50.0)  # how many times as likely a guess is bet to be right in a single run
NOWHERE = -(2**40)  # stands for no guess
LABEL, BIT = "label", "bit"
MOST_ORDERS = 2**18  # runs whose orders are remembered
SAME_ORDER = "all in the same order as in an earlier run"
SAME_LABELS = "all labels in the same order as in an earlier run"
WITH_AS_MANY = "there in the last run with as many ones"
MOST_ALIKE = 1024  # numbers of ones whose last run is remembered
FIRST_HALF = "bit 1 in the first half"
COLUMNS = "bit of the message that was sent there, the users' first messages before all others"
EVERY_SECOND = "every second message, from the first on, and the data hold as many ones"
Messages = Sequence[tuple[int, int]]


order_bet = partial(tilt_bet, ORDER, "the messages")


class Order:
    """What was seen of guesses at all places, at each place near the ends, and of blocks of shares."""

    def __init__(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement
        self.shown = 0
        self.guesses = {words: Tilt(ODDS) for words in self.guess_names()}
        self.shots = {words: OneShot() for words in self.guess_names()}
        self.ones_there, self.labels_there = Tilts(2 * ENDS, ODDS), Tilts(2 * ENDS, ODDS)
        self.kinds: dict[int, int] = {}
        self.met = np.zeros((2 * ENDS, 0), dtype=np.int64)
        self.even, self.halves, self.seconds = Tilt(ODDS), Tilt(ODDS), Tilt(ODDS)
        self.users, self.ones, self.pairs = 0.0, PlaceTable(ONES_PLACES), PlaceTable(KINDS_PLACES)
        self.last: Whole = np.zeros((0, 2), dtype=np.int64)
        self.alike: dict[tuple[int, int], Whole] = {}
        self.orders, self.label_orders = OrdersSeen(), OrdersSeen()

    def guess_names(self) -> list[str]:
        """What is guessed from what."""
        names = [f"{what} as {words}" for what in (LABEL, BIT) for words in ("the one before", "there one run before")]
        names += [f"{what} as {WITH_AS_MANY}" for what in (LABEL, BIT)]
        names += ["label one more than the one before", FIRST_HALF]
        names += [COLUMNS] if self.arrangement.columns is not None else []
        for what, known in ((LABEL, self.arrangement.labels), (BIT, self.arrangement.bits)):
            names += [f"{what} of the message {words}" for words in SHIFTS] if known is not None else []
        return names

    def add(self, runs: Sequence[Messages]) -> None:
        """The messages of some more runs, of which those with less than two say nothing."""
        waiting = [np.array(messages, dtype=np.int64) for messages in runs if len(messages) > 1]
        while waiting:
            size, number = 0, 0
            while number < len(waiting) and size < MOST_TOGETHER:
                size, number = size + min(len(waiting[number]), MOST_PLACES), number + 1
            self.add_some(waiting[:number])
            waiting = waiting[number:]

    def add_some(self, runs: Sequence[Whole]) -> None:
        """The messages of some runs that are looked at together."""
        self.shown += len(runs)
        stack = Stack([self.last, *runs])
        alike = self.with_as_many_ones(stack)
        for part, (what, known) in enumerate(((LABEL, self.arrangement.labels), (BIT, self.arrangement.bits))):
            chances = Chances(stack, part)
            before = np.append(NOWHERE, chances.values[:-1])
            before[stack.place == 0] = NOWHERE
            self.guess(f"{what} as the one before", chances, before)
            if what == LABEL:
                following = np.where(before == NOWHERE, before, before + 1)
                self.guess("label one more than the one before", chances, following)
            self.guess(f"{what} as there one run before", chances, stack.one_run_before(chances.values))
            self.guess(f"{what} as {WITH_AS_MANY}", chances, alike[:, part])
            for words, by in SHIFTS.items() if known is not None else ():
                self.guess(f"{what} of the message {words}", chances, stack.sent(np.array(known, dtype=np.int64), by))
            if what == BIT:
                self.guess(FIRST_HALF, chances, np.where(2 * stack.place < stack.length, 1, NOWHERE))
        if self.arrangement.columns is not None:
            for messages in runs:
                self.add_half(self.halves, messages[:, 1], messages[:, 1], self.arrangement.columns)
                self.add_half(self.seconds, messages[:, 1], messages[::2, 1], self.arrangement.columns)
            chances = Chances(stack, 1)
            self.guess(COLUMNS, chances, stack.sent(np.array(self.arrangement.columns, dtype=np.int64), 0))
        for messages in runs:
            self.orders.add(2 * messages[:, 0] + messages[:, 1])
            self.label_orders.add(messages[:, 0])
            self.add_places(messages[:, 0], messages[:, 1])
            self.ones.add(messages[:, 1])
            self.pairs.add(2 * messages[:, 0] + messages[:, 1])
            if self.arrangement.width is not None:
                self.add_blocks(messages[:, 1], self.arrangement.width)
        self.last = runs[-1]

    def with_as_many_ones(self, stack: Stack) -> Whole:
        """What stood at each place in the last run with as many ones, and as many messages."""
        found = np.full((len(stack.messages), 2), NOWHERE)
        for run, start in zip(stack.runs[1:], stack.first_of[1:].tolist(), strict=True):
            seen, key = run[:MOST_PLACES], (len(run), int(run[:, 1].sum()))
            if key in self.alike:
                found[start : start + len(seen)] = self.alike[key]
            if key in self.alike or len(self.alike) < MOST_ALIKE:
                self.alike[key] = seen
        return found

    def guess(self, name: str, chances: Chances, guess: Whole) -> None:
        """One guess for each place."""
        left, known = chances.of(guess)
        pairs, times = np.unique(left[known] * PAIRED + chances.total[known], return_counts=True)
        q = (pairs // PAIRED) / (pairs % PAIRED)
        hits = int((chances.values == guess)[known].sum())
        self.guesses[name].add(hits, q * (1 - 1e-15), q * (1 + 1e-15), times)
        self.add_shots(name, chances, left, known, guess)

    def add_shots(self, name: str, chances: Chances, left: Whole, known: Flags, guess: Whole) -> None:
        """The same run by run, for single runs in which the guess is right, or wrong, almost everywhere."""
        run, runs = chances.stack.run[known], len(chances.stack.runs)
        right = np.bincount(run, weights=(chances.values == guess)[known], minlength=runs)
        logs = []
        for odds in SHOT_ODDS:
            cost = np.log1p((odds - 1) * left[known] / chances.total[known])
            spent = np.bincount(run, weights=cost, minlength=runs)
            gain = right * log(odds)
            logs.append(gain - spent - SLACK * (np.abs(gain) + np.abs(spent) + chances.stack.length_of))
        self.shots[name].add(np.logaddexp(*logs)[1:] - log(len(SHOT_ODDS)))

    def add_half(self, tilt: Tilt, bits: Whole, some: Whole, data: tuple[int, ...]) -> None:
        """Whether the first of some messages, as many as there are users, hold as many ones as the data does."""
        ones, total, first, held = int(bits.sum()), len(bits), len(data), sum(data)
        if first < total and first <= len(some) and held <= ones and first - held <= total - ones:
            q = comb(ones, held) * comb(total - ones, first - held) / comb(total, first)
            self.count(tilt, int(some[:first].sum()) == held, q)

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
            yield order_bet(words, tilt)
        yield self.ones.bet(lambda kind: "a one" if kind else "a zero")
        yield self.pairs.bet(lambda kind: f"label {kind >> 1} with bit {kind & 1}")
        if self.arrangement.columns is not None:
            yield order_bet("the first messages, one for each user, hold as many ones as the data", self.halves)
            yield order_bet(EVERY_SECOND, self.seconds)
        if self.arrangement.width is not None:
            yield order_bet(f"{self.arrangement.width} bits in a row, as a user sends them, have even sum", self.even)
        if self.arrangement.odd_blocks is not None and self.arrangement.width is not None:
            words = "blocks have the parities of the users' bits: users are shuffled, not messages"
            yield Bet(ORDER, "the messages", words, self.users)

    def repeat_bets(self) -> Iterator[Bet]:
        """The bets that an order comes again: that of all messages, and that of their labels."""
        for kind, event, orders in ((RUNS, SAME_ORDER, self.orders), (ORDER, SAME_LABELS, self.label_orders)):
            yield tilt_bet(kind, "the messages", event, orders.again)

    def shot_bets(self) -> Iterator[Bet]:
        """Single runs whose order is absurd."""
        for words, shot in self.shots.items():
            score, run = shot.best
            chance = f"{exp(-max(0.0, min(score, 700.0))):.1e}"
            yield Bet(ORDER, "the messages", f"{words}, all through run {run}", shot.log_e(), "1", chance)

    def place_bets(self) -> Iterator[Bet]:
        """Each place alone."""
        for tilts, words in ((self.labels_there, "the label that is most usual there"), (self.ones_there, "a one")):
            for slot, log_e in enumerate(tilts.logs()):
                place = f"place {slot + 1}" if slot < ENDS else f"place {slot - ENDS + 1} from the end"
                seen, expected = f"{int(tilts.hits[slot])}", f"{tilts.expected[slot]:.6g}"
                yield Bet(ORDER, "the messages", f"{place} holds {words}", log_e, seen, expected)


class OrdersSeen:
    """Orders of some signs, run by run: given how many there are of each, one that was there before is chance."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()
        self.again, self.chance = Tilt(RARE), 0.0

    def add(self, signs: Whole) -> None:
        """The signs of one more run."""
        key = blake2b(signs.tobytes(), digest_size=16).digest()
        self.again.add(int(key in self.seen), np.zeros(1), np.array([min(1.0, self.chance)]))
        if key not in self.seen and len(self.seen) < MOST_ORDERS:
            self.seen.add(key)
            counts = np.unique(signs, return_counts=True)[1]
            ways = lgamma(len(signs) + 1) - sum(lgamma(count + 1) for count in counts.tolist())
            self.chance += exp(max(-650.0, -ways + 1e-9))


SHIFTS = {"that was sent there": 0, "that was sent one place before": 1, "that was sent one place after": -1}


class Stack:
    """The messages of some runs, one after another; the first run is the one before them, which is not guessed."""

    def __init__(self, runs: Sequence[Whole]) -> None:
        self.runs, self.messages = runs, np.concatenate([run[:MOST_PLACES] for run in runs])
        lengths = np.array([min(len(run), MOST_PLACES) for run in runs])
        starts = np.cumsum(lengths) - lengths
        self.run = np.repeat(np.arange(len(runs)), lengths)
        self.length, self.start = np.array([len(run) for run in runs])[self.run], starts[self.run]
        self.place = np.arange(len(self.messages)) - self.start
        self.guessed = self.run > 0
        self.first_of, self.lengths = starts, lengths
        self.length_of = np.array([len(run) for run in runs])
        self.whole = bool((self.length_of == lengths).all())

    def one_run_before(self, values: Whole) -> Whole:
        """What stood at each place one run before."""
        before = np.maximum(self.run - 1, 0)
        known = (self.run > 0) & (self.place < self.lengths[before])
        return np.where(known, values[np.where(known, self.first_of[before] + self.place, 0)], NOWHERE)

    def sent(self, values: Whole, by: int) -> Whole:
        """What was sent at the place so many places before each, were the messages in the order of the users."""
        place = (self.place - by) % self.length
        return np.where(place < len(values), values[np.minimum(place, len(values) - 1)], NOWHERE)


class Chances:
    """How many of the rest have each value at each place, given the values at the places before it.

    The values are those of all messages, not only of the places that are looked at: what is guessed must not depend on
    what stands there.
    """

    def __init__(self, stack: Stack, part: int) -> None:
        self.stack, values = stack, stack.messages[:, part]
        self.values = values
        self.kinds = np.unique(np.concatenate([np.unique(run[:, part]) for run in stack.runs]))
        met = values[:, None] == self.kinds
        seen = np.cumsum(met, axis=0, dtype=np.int32) - met
        self.rest = self.totals(part)[stack.run] - (seen - seen[stack.start])
        self.total = stack.length - stack.place

    def totals(self, part: int) -> Whole:
        """How many messages of each run have each value."""
        number = len(self.stack.runs)
        if self.stack.whole:
            codes = self.stack.run * len(self.kinds) + np.searchsorted(self.kinds, self.values)
            return np.bincount(codes, minlength=number * len(self.kinds)).reshape(number, -1)
        found = np.zeros((number, len(self.kinds)), dtype=np.int64)
        for row, run in zip(found, self.stack.runs, strict=True):
            values, counts = np.unique(run[:, part], return_counts=True)
            row[np.searchsorted(self.kinds, values)] = counts
        return found

    def of(self, guess: Whole) -> tuple[Whole, Flags]:
        """How many of the rest have the guessed value, and where there is a guess that is not decided already."""
        place = np.minimum(np.searchsorted(self.kinds, guess), len(self.kinds) - 1)
        left = np.where(self.kinds[place] == guess, self.rest[np.arange(len(guess)), place], 0).astype(np.int64)
        return left, self.stack.guessed & (guess != NOWHERE) & (left > 0) & (left < self.total)


@lru_cache(maxsize=65536)
def even_chance(ones: int, total: int, width: int) -> float:
    """The chance of an even number of ones among `width` of so many messages, drawn without replacement."""
    ways = sum(comb(ones, i) * comb(total - ones, width - i) for i in range(0, width + 1, 2))
    return ways / comb(total, width)
