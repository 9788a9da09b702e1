"""Bets that randomness comes again, at any distance: whole runs, and stretches of noise wherever they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from math import log2

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import Bet
from panshuffle.crosscheck.columns import MISSING, Columns
from panshuffle.crosscheck.doubles import RARE, Doubles, Tilt, Whole, ends_of, places_of
from panshuffle.crosscheck.reference.model import RUNS

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
        tilt = self.tilt
        words = "equal to an earlier run"
        if self.distances:
            distance, times = self.distances.most_common(1)[0]
            words += f", {distance} before it in {times} of them" if times > 1 else ""
        return [Bet(RUNS, WHOLE_RUNS, words, arb(tilt.log_e()), f"{tilt.hits}", f"{tilt.expected:.6g}")]


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
    tilt, words = sequence.tilt, f"{sequence.length} noise values in a row were there before"
    if sequence.distances:
        distance, _ = sequence.distances.most_common(1)[0]
        words += f", {distance / width:.6g} runs earlier"
    return Bet(RUNS, f"{STRETCHES}: {where}", words, arb(tilt.log_e()), f"{tilt.hits}", f"{tilt.expected:.6g}")
