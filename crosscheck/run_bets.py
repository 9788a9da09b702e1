"""Bets that a run depends on earlier ones: those shortly before it, and any that come again.

Coordinates on the same side, equal values, moved by a place; whole runs, and stretches of noise wherever they stand,
that were there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from math import log2

import numpy as np
from panshuffle.crosscheck.bets import Bet, Columns, median_of, tilt_bet
from panshuffle.crosscheck.e_values import (
    RARE,
    Doubles,
    Flags,
    Tilt,
    Whole,
    ends,
    ends_of,
    places_of,
    splits,
)
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.pool_bets import EVERY
from panshuffle.crosscheck.reference.areas import RUNS
from panshuffle.crosscheck.reference.model import MISSING

LAGS = range(1, 17)  # how many runs before: farther reuse is found by its fingerprints
IN_TURN = (1, 0)
"""Whether the second of a pair of runs in a row has an odd number, counted from 0: pairs that are made together."""
WINDOWS = (2, 3, 5, 8)  # of how many runs before those on one side are counted
MOVED_LAGS, MOVES = (1, 2), (-1, 1)
MOST_MOVED = 16  # coordinates whose values are looked for at another place of an earlier run
COPY_ODDS = (0.5, 1.05, 1.5, 4.0, 50.0)  # how many times as likely an equal value is bet to be


def runs_before(lag: int) -> str:
    """So many runs before, in words."""
    return f"{lag} run{'s' if lag > 1 else ''} before"


WHEN = (*map(runs_before, LAGS), *(f"1 run before, in every second run from run {3 - turn} on" for turn in IN_TURN))


class Lags:
    """What was seen of coordinates and those of the runs before."""

    def __init__(self, columns: Columns) -> None:
        self.columns, self.indices = columns, columns.random
        laws = [columns.laws[i] for i in self.indices]
        self.cuts = np.array([median_of(law) for law in laws], dtype=np.int64)
        self.low, self.high = ends([law.up_to(cut) for law, cut in zip(laws, self.cuts.tolist(), strict=True)])
        self.firsts = np.array([law.first for law in laws], dtype=np.int64)
        self.joint = np.array([i not in columns.dependent for i in self.indices], dtype=bool)
        self.recent: Whole = np.zeros((0, len(laws)), dtype=np.int64)
        self.runs, shape = 0, (len(LAGS) + len(IN_TURN), len(laws))
        self.low_low, self.low_met, self.high_low, self.high_met = (np.zeros(shape, dtype=np.int64) for _ in range(4))
        self.after = {window: np.zeros((2, window + 1, len(laws)), dtype=np.int64) for window in WINDOWS}
        self.copies = [Tilt(COPY_ODDS) for _ in LAGS]
        self.mirrored = Tilt(COPY_ODDS)
        self.moved = {(lag, by): Tilt(COPY_ODDS) for lag in MOVED_LAGS for by in MOVES}

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if not self.indices:
            return
        values = np.concatenate([self.recent, rows[:, self.indices]])
        start = len(self.recent)
        present, low = values != MISSING, values <= self.cuts
        prices, complete = self.prices(values), bool(present.all())
        by_run = prices.sum(axis=2) if complete else None
        for i, lag in enumerate(LAGS):
            if len(values) <= lag:
                break
            now = slice(max(start, lag), None)
            then = slice(max(start, lag) - lag, len(values) - lag)
            here = present[then] & present[now]
            self.sides(i, low[then], low[now], here)
            sums = by_run[:, then].sum(axis=1) if by_run is not None else self.costs(prices[:, then], here)
            self.copy(self.copies[i], values[then], values[now], sums, here & self.joint)
            if lag == 1:
                self.mirror(values[then], values[now])
                odd = (np.arange(now.start, len(values)) - start + self.runs) % 2
                for place, turn in enumerate(IN_TURN, start=len(LAGS)):
                    self.sides(place, low[then], low[now], here & (odd == turn)[:, None])
            for by in MOVES if lag in MOVED_LAGS else ():
                self.move(self.moved[lag, by], values[then], values[now], by)
        self.count_windows(low & present, present, start)
        self.recent = values[-max(LAGS) :]
        self.runs += len(rows)

    def count_windows(self, low: Flags, present: Flags, start: int) -> None:
        """Counts how often a coordinate was low, and how often met, after so many low ones in the runs before."""
        sums, there = (np.cumsum(np.pad(part, ((1, 0), (0, 0))), axis=0) for part in (low, present))
        for window, counts in self.after.items():
            first = max(start, window)
            before: Whole = sums[first:-1] - sums[first - window : -1 - window]
            known = (there[first:-1] - there[first - window : -1 - window] == window) & present[first:]
            for number in range(window + 1):
                here = known & (before == number)
                counts[0, number] += (here & low[first:]).sum(axis=0)
                counts[1, number] += here.sum(axis=0)

    def sides(self, i: int, before: Flags, after: Flags, here: Flags) -> None:
        """Counts how often a coordinate was low after a low one, and after a high one."""
        self.low_low[i] += (before & after & here).sum(axis=0)
        self.low_met[i] += (before & here).sum(axis=0)
        self.high_low[i] += (~before & after & here).sum(axis=0)
        self.high_met[i] += (~before & here).sum(axis=0)

    def prices(self, values: Whole) -> Doubles:
        """For each of the odds, what a bet on each value costs, and as the last entry how likely it is."""
        found = np.zeros((len(COPY_ODDS) + 1, *values.shape))
        for j, i in enumerate(self.indices):
            if self.joint[j]:
                law = self.columns.laws[i]
                found[:, :, j] = price_list(law)[:, places_of(law, values[:, j])]
        return found

    def costs(self, prices: Doubles, here: Flags) -> Doubles:
        """What the bets on all values that are there cost, odds by odds."""
        return np.asarray(np.where(here & self.joint, prices, 0.0).sum(axis=(1, 2)))

    def copy(self, tilt: Tilt, before: Whole, after: Whole, sums: Doubles, here: Flags) -> None:
        """Bets that independent coordinates are equal to those of an earlier run."""
        tilt.costs += sums[:-1]
        tilt.add_sums(int(((before == after) & here).sum()), int(here.sum()), float(sums[-1]))

    def move(self, tilt: Tilt, before: Whole, after: Whole, by: int) -> None:
        """Bets that the noise of a coordinate is that of its neighbour in an earlier run."""
        for j in range(min(MOST_MOVED, len(self.indices))):
            source = j + by
            if not (0 <= source < len(self.indices) and self.joint[j]):
                continue
            expected = before[:, source] - self.firsts[source] + self.firsts[j]
            here = (before[:, source] != MISSING) & (after[:, j] != MISSING)
            law = self.columns.laws[self.indices[j]]
            low, high = (end[places_of(law, expected[here])] for end in ends_of(law))
            tilt.add(int((expected == after[:, j])[here].sum()), low, high)

    def mirror(self, before: Whole, after: Whole) -> None:
        """Bets that a coordinate is as far above the middle as it was below it in the run before, or the reverse."""
        for j in np.flatnonzero(self.joint).tolist():
            law = self.columns.laws[self.indices[j]]
            here = (before[:, j] != MISSING) & (after[:, j] != MISSING)
            then, now = places_of(law, before[here, j]), places_of(law, after[here, j])
            least, most, prices = mirrors(law)
            costs = prices[:, then].sum(axis=1)
            self.mirrored.costs += costs[:-1]
            hits = int(((least[then] <= now) & (now <= most[then])).sum())
            self.mirrored.add_sums(hits, int(here.sum()), float(costs[-1]))

    def common_bets(self) -> Iterator[Bet]:
        """All independent coordinates together, lag by lag."""
        if not self.joint.any():
            return
        for i, words in enumerate(WHEN):
            tilt = Tilt()
            for met, hits, low, high in (
                (self.low_met, self.low_low, self.low, self.high),
                (self.high_met, self.high_met - self.high_low, 1 - self.high - 1e-15, 1 - self.low + 1e-15),
            ):
                tilt.add(int(hits[i][self.joint].sum()), low[self.joint], high[self.joint], met[i][self.joint])
            yield tilt_bet(RUNS, EVERY, f"on the same side of the middle as {words}", tilt)
        for lag, tilt in zip(LAGS, self.copies, strict=True):
            yield tilt_bet(RUNS, EVERY, f"equal to that of {runs_before(lag)}", tilt)
        yield tilt_bet(RUNS, EVERY, f"the mirror of that of {runs_before(1)}", self.mirrored)
        for (lag, by), tilt in self.moved.items():
            words = f"equal to its neighbour {'before' if by < 0 else 'after'} it, {runs_before(lag)}"
            yield tilt_bet(RUNS, EVERY, words, tilt)

    def coordinate_bets(self) -> Iterator[Bet]:
        """Each coordinate alone, lag by lag: whether it is low depends on whether it was low."""
        for i, when in enumerate(WHEN if self.indices else ()):
            after_low = splits(self.low_low[i], self.low_met[i], self.low, self.high)
            after_high = splits(self.high_low[i], self.high_met[i], self.low, self.high)
            agree = self.low_low[i] + self.high_met[i] - self.high_low[i]
            expected = self.low_met[i] * self.high + self.high_met[i] * (1 - self.low)
            for j, log_e in enumerate(after_low + after_high):
                words = f"on the same side of {self.cuts[j]} as {when}"
                name = self.columns.names[self.indices[j]]
                yield Bet(RUNS, name, words, float(log_e), f"{agree[j]}", f"{expected[j]:.6g}")
        for window, (lows, met) in self.after.items() if self.indices else ():
            parts = [splits(hits, times, self.low, self.high) for hits, times in zip(lows, met, strict=True)]
            logs: Doubles = np.sum(parts, axis=0)
            for j, log_e in enumerate(logs):
                words = f"it depends on how many of the {window} runs before were on the same side of {self.cuts[j]}"
                yield Bet(RUNS, self.columns.names[self.indices[j]], words, float(log_e))


@lru_cache(maxsize=4096)
def price_list(law: MassTable) -> Doubles:
    """What a bet on each outcome costs, at each of the odds; as the last row, its mass."""
    return priced(*ends_of(law))


def priced(low: Doubles, high: Doubles) -> Doubles:
    """ln(1 + (w - 1) p) for each of the odds w and probabilities p with these ends, rounded up; as the last row, p."""
    return np.array([*(np.log1p((w - 1) * np.minimum(1.0, high if w > 1 else low)) for w in COPY_ODDS), high])


@lru_cache(maxsize=4096)
def mirrors(law: MassTable) -> tuple[Whole, Whole, Doubles]:
    """For each outcome, the first and the last place of those with the complementary share of the law below them.

    Then what a bet on these costs; for an outcome that is not listed there are none.
    """
    low, high = ends_of(law)
    sums = np.cumsum((low[:-1] + high[:-1]) / 2)
    below = np.append(0.0, sums[:-1])
    least = np.minimum(np.searchsorted(sums, 1 - sums + 1e-9), len(sums) - 1)
    most = np.maximum(least, np.minimum(np.searchsorted(sums, 1 - below - 1e-9), len(sums) - 1))
    slack = len(sums) * 1e-15  # more than adding so many masses rounds off
    masses = []
    for side, off in ((low[:-1], -slack), (high[:-1], slack)):
        total = np.append(0.0, np.cumsum(side))
        masses.append(np.append(np.clip(total[most + 1] - total[least] + off, 0.0, 1.0), 0.0))
    return np.append(least, 1), np.append(most, 0), priced(*masses)


WHOLE_RUNS = "whole runs"
STRETCHES = "stretches of noise"
MOST_KEPT = 2**20  # runs whose fingerprints are kept: some hundred megabytes
SHORT_ROW = 32  # bytes of a run that are kept as they are
STRETCH_BITS = 64  # the probability of any stretch is at most 2^-64: none of a million comes again by chance
SHORTEST, LONGEST = 2, 256  # coordinates of a stretch
MOST_SYMBOLS = 2**18  # noise values whose stretches are kept
FIRST_COMPARED = 4096  # values after which stretches are first compared
MOST_COLUMNS = 16  # coordinates whose values, run after run, are looked at as a sequence of their own
BASE = np.uint64(0x9E3779B97F4A7C15)  # an odd number without a pattern, for hashing


class Repeats:
    """Whole runs that were seen before, at odds given by the mass of all that was seen."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.indices = [i for i, law in enumerate(columns.laws) if i not in columns.dependent and len(law.masses) > 1]
        self.indices = self.indices or columns.random[:1]
        self.seen: dict[bytes, int] = {}
        self.mass, self.run = 0.0, 0
        self.tilt = Tilt(RARE)
        self.distances = Counter[int]()

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if not self.indices:
            return
        values = np.ascontiguousarray(rows[:, self.indices])
        masses = self.masses(values)
        chances, hits = np.zeros(len(rows)), 0
        for i, mass in enumerate(masses.tolist()):
            self.run += 1
            key, chances[i] = fingerprint(values[i].tobytes()), self.mass
            before = self.seen.get(key)
            if before is not None:
                hits += 1
                self.distances[self.run - before] += 1
                self.seen[key] = self.run
            elif len(self.seen) < MOST_KEPT:
                self.seen[key] = self.run
                self.mass = (self.mass + mass) * (1 + 1e-15)
        self.tilt.add(hits, np.zeros(len(rows)), np.minimum(1.0, chances))

    def masses(self, values: Whole) -> Doubles:
        """Upper ends of the masses of runs; a coordinate that is missing is known to be."""
        logs = np.zeros(len(values))
        for j, i in enumerate(self.indices):
            law = self.columns.laws[i]
            high = ends_of(law)[1][places_of(law, values[:, j])]
            logs += np.where(values[:, j] == MISSING, 0.0, np.log(np.clip(high, 1e-300, 1.0)))
        return np.exp(np.clip(logs, -680.0, 0.0)) * (1 + 1e-9)

    def bets(self) -> list[Bet]:
        """The one bet."""
        if not self.indices:
            return []
        words = "equal to an earlier run"
        if self.distances:
            distance, times = self.distances.most_common(1)[0]
            words += f" (in {times} of them that {runs_before(distance)})" if times > 1 else ""
        return [tilt_bet(RUNS, WHOLE_RUNS, words, self.tilt)]


def fingerprint(row: bytes) -> bytes:
    """The row itself where it is short, else its hash of 128 bits, which no million of rows shares by chance."""
    return row if len(row) <= SHORT_ROW else blake2b(row, digest_size=16).digest()


class NoiseSequence:
    """A sequence of noise values: stretches of it that were there before, anywhere.

    Every stretch that begins at a multiple of its length is compared with all stretches that ended before it; whatever
    those are, it is one of them with probability at most their number times the largest mass of a stretch.
    """

    def __init__(self, peaks: Doubles) -> None:
        bits = float(np.mean([-log2(max(peak, 1e-30)) for peak in peaks]))
        self.length = min(LONGEST, max(SHORTEST, int(STRETCH_BITS / max(bits, 1e-9)) + 1))
        self.symbols = np.zeros(0, dtype=np.int64)
        self.peaks = np.zeros(0)
        self.hashes = np.zeros(0, dtype=np.uint64)
        self.at = np.zeros(0, dtype=np.int64)
        self.compared = 0
        self.tilt = Tilt(RARE)
        self.distances = Counter[int]()

    def add(self, symbols: Whole, peaks: Doubles) -> None:
        """Some more values, and upper ends of the mass of any value there."""
        room = MOST_SYMBOLS - len(self.symbols)
        if room <= 0:
            return
        self.symbols = np.concatenate([self.symbols, symbols[:room]])
        self.peaks = np.concatenate([self.peaks, peaks[:room]])
        if len(self.symbols) > 2 * self.compared + FIRST_COMPARED:
            self.compare()

    def compare(self) -> None:
        """Compares all stretches that are whole by now with those before them: after every doubling, and when asked."""
        length, total = self.length, len(self.symbols)
        if total - self.compared < length:
            return
        fresh = np.arange(len(self.at), total - length + 1)
        hashed = np.zeros(len(fresh), dtype=np.uint64)
        with np.errstate(over="ignore"):
            for j in range(length):
                hashed = hashed * BASE + self.symbols[fresh + j].astype(np.uint64) + np.uint64(1)
                hashed ^= hashed >> np.uint64(29)
        self.hashes = np.concatenate([self.hashes, hashed])
        self.at = np.concatenate([self.at, fresh])
        order = np.argsort(self.hashes, kind="stable")
        ranked = self.hashes[order]
        starts = np.arange(self.compared, total - length + 1, length)
        places = np.searchsorted(ranked, self.hashes[starts])
        most = np.exp(np.clip(self.window_logs(starts), -650.0, 0.0)) * (1 + 1e-9)
        chances = np.minimum(1.0, most * np.maximum(0, starts - length + 1))
        hits = 0
        for start, first in zip(starts.tolist(), order[places].tolist(), strict=True):
            if first + length <= start and np.array_equal(
                self.symbols[first : first + length], self.symbols[start : start + length]
            ):
                hits += 1
                self.distances[start - first] += 1
        self.tilt.add(hits, np.zeros(len(starts)), chances)
        self.compared += len(starts) * length

    def window_logs(self, starts: Whole) -> Doubles:
        """ln of the largest mass of the stretches that begin there."""
        sums = np.concatenate([[0.0], np.cumsum(np.log(self.peaks))])
        return np.asarray(sums[starts + self.length] - sums[starts])


class Reuse:
    """Repeated runs, and noise that comes again: all coordinates one after another, and some of them alone."""

    def __init__(self, columns: Columns) -> None:
        self.columns, self.repeats = columns, Repeats(columns)
        self.indices = columns.independent
        laws = [columns.laws[i] for i in self.indices]
        self.firsts = np.array([law.first for law in laws], dtype=np.int64)
        self.peaks = np.array([float(ends_of(law)[1].max()) for law in laws])
        self.together = NoiseSequence(self.peaks) if laws else None
        few = min(MOST_COLUMNS, len(laws)) if len(laws) > 1 else 0
        self.alone = [NoiseSequence(self.peaks[j : j + 1]) for j in range(few)]

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        self.repeats.add(rows)
        if self.together is None:
            return
        values = rows[:, self.indices]
        noise, present = values - self.firsts, values != MISSING
        peaks = np.broadcast_to(self.peaks, noise.shape)
        self.together.add(noise[present], peaks[present])
        for j, sequence in enumerate(self.alone):
            here = present[:, j]
            sequence.add(noise[here, j], peaks[here, j])

    def bets(self) -> Iterator[Bet]:
        """The bet on whole runs, and one on each sequence."""
        yield from self.repeats.bets()
        if self.together is not None:
            yield stretch_bet(self.together, "all coordinates, run after run", len(self.indices))
        for j, sequence in enumerate(self.alone):
            yield stretch_bet(sequence, self.columns.names[self.indices[j]], 1)


def stretch_bet(sequence: NoiseSequence, where: str, width: int) -> Bet:
    """The bet on stretches of a sequence, which has so many values a run."""
    sequence.compare()
    words = f"{sequence.length} noise values in a row were there before"
    if sequence.distances:
        distance, _ = sequence.distances.most_common(1)[0]
        words += f", {distance / width:.6g} runs earlier"
    return tilt_bet(RUNS, f"{STRETCHES}: {where}", words, sequence.tilt)
