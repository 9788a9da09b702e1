"""What samples alone prove about privacy: a lower bound on eps at delta from two neighbouring inputs.

For any event A, P[A] <= e^eps Q[A] + delta.  Runs on both inputs come in pairs; in each of them
Z = [x in A] - e^eps [y in A] - delta has mean at most 0 if the implementation is private, whatever else it is.  So the
product of 1 + s Z over the pairs, for a stake s that keeps it positive, is a supermartingale, also where the event of a
pair is chosen by the pairs before it; by Ville's inequality a mean of many of them ever reaches 1/error with
probability at most `error`.  The bound is the largest eps up to which it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import exp, log, sqrt

import numpy as np
from panshuffle.crosscheck.bets import cut_points
from panshuffle.crosscheck.e_values import SLACK, Doubles, Flags, Whole, ends_of, places_of
from panshuffle.crosscheck.examination import bounded
from panshuffle.crosscheck.reference.model import MISSING, Reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.real import Real, real, rounded_float

LEVELS = tuple(i / 4 for i in (-2, -1, 0, 1, 2, 3, 4, 6, 8, 12, 16))  # log-ratios above which a run is an event
STAKES = (0.001, 0.01, 0.03, 0.1, 0.3, 0.6, 0.95)  # what is staked, as a part of the most that can be lost
MOST_COORDINATES = 24  # coordinates whose cuts and parities are events
FIRST_LESSON = 128  # pairs after which an event is first learned; then after as many pairs again
LESSON_LEVELS = (0.5, 0.9, 0.99, 0.999, 1.0)  # parts of the other input's runs that a learned event may leave out
LEARNED = "what tells the earlier runs apart"
LARGEST_EPS, STEPS = 60.0, 50  # where the bound is looked for, and the bisections, which leave 1e-13 of it
BITS = 96  # of delta, before it is rounded up
CODES = 2**20  # labels and outputs are told apart up to so many


@dataclass(frozen=True)
class Bound:
    """eps is at least `eps`, but for an error of probability `error`; the event and how often it happened."""

    eps: Real
    delta: Real
    error: Fraction
    event: str
    hits: tuple[int, int]
    runs: tuple[int, int]


@dataclass(frozen=True)
class Pairs:
    """An event, and for pairs of runs how often it happened in both, in the first or the second only, and in none."""

    event: str
    counts: tuple[int, int, int, int]

    @property
    def hits(self) -> tuple[int, int]:
        """How often it happened in the first and in the second run."""
        both, first, second, _ = self.counts
        return both + first, both + second


def counted(event: str, first: Flags, second: Flags) -> Pairs:
    """The event over pairs."""
    both, only, other = (int(x.sum()) for x in (first & second, first & ~second, ~first & second))
    return Pairs(event, (both, only, other, len(first) - both - only - other))


def logs_of(found: Sequence[Pairs], eps: float, delta: float) -> Doubles:
    """For each event, ln of the mean over the stakes of the product of 1 + s Z."""
    factor = exp(eps)
    values = np.array([1 - factor - delta, 1 - delta, -factor - delta, -delta])
    prices = np.log1p(np.array(STAKES)[:, None] / (factor + delta) * values)
    counts = np.array([pairs.counts for pairs in found], dtype=np.float64)
    logs = counts @ prices.T - SLACK * (counts @ np.abs(prices).T + counts.sum(axis=1, keepdims=True))
    return np.asarray(np.logaddexp.reduce(logs, axis=1) - log(len(STAKES)))


def levels_of(upper: Reference, lower: Reference, rows: Whole) -> Doubles:
    """About ln of the likelihood ratio of runs: any function of a run will do."""
    total = np.zeros(len(rows))
    for i, (p, q) in enumerate(zip(upper.laws, lower.laws, strict=True)):
        if p is q or i in upper.excluded:
            continue
        first, second = (ends_of(law)[0][places_of(law, rows[:, i])] for law in (p, q))
        part = np.log(np.maximum(first, 1e-300)) - np.log(np.maximum(second, 1e-300))
        total += np.where(rows[:, i] == MISSING, 0.0, part)
    return total


def features_of(reference: Reference, runs: Iterable[Run]) -> Whole:
    """The coordinates of runs, and what else they show: the output, and the first and the last message."""
    rows = []
    for run in runs:
        ends = (run.messages[0], run.messages[-1]) if run.messages else ()
        shown = [code(run.output), *(2 * label + bit for label, bit in ends), *([-1, -1] if not ends else [])]
        rows.append([*map(bounded, reference.read(run)), *map(bounded, shown)])
    return np.array(rows, dtype=np.int64).reshape(len(rows), -1)


def code(value: object) -> int:
    """A whole number that stands for an output; others may stand for the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else sum(map(ord, repr(value))) % CODES


def events(references: tuple[Reference, Reference], first: Whole, second: Whole) -> Iterator[Pairs]:
    """The events that are fixed before the samples are seen: the likelihood ratio, cuts, and parities."""
    upper, lower = references
    levels = [levels_of(upper, lower, rows) for rows in (first, second)]
    for level in LEVELS:
        yield counted(f"ln(P/Q) > {level:g}", levels[0] > level, levels[1] > level)
        yield counted(f"ln(Q/P) > {level:g}", levels[1] < -level, levels[0] < -level)
    random = [i for i, law in enumerate(upper.laws) if len(law.masses) > 1]
    for i in random[:MOST_COORDINATES]:
        name, one, other = upper.names[i], first[:, i], second[:, i]
        for cut in sorted({*cut_points(upper.laws[i]), *cut_points(lower.laws[i])}):
            yield from both_ways(f"{name} <= {cut}", one <= cut, other <= cut)
            yield from both_ways(f"{name} > {cut}", one > cut, other > cut)
        yield from both_ways(f"{name} is even", one % 2 == 0, other % 2 == 0)
        yield from both_ways(f"{name} is odd", one % 2 == 1, other % 2 == 1)


def both_ways(event: str, first: Flags, second: Flags) -> Iterator[Pairs]:
    """The event as a sign of the first input, and as one of the second."""
    yield counted(event, first, second)
    yield counted(event, second, first)


def learned(first: Whole, second: Whole, delta: float) -> Iterator[Pairs]:
    """Events of the pairs of each stretch, learned from all pairs before it: what told the two inputs apart.

    The score above which a run is an event is chosen in two ways, and each is an event of its own: by the ratio of the
    frequencies, which finds rare ones, and by what is left of it at delta, which finds frequent ones.
    """
    for (one, other), allowed in product(((first, second), (second, first)), (None, delta)):
        total, start = np.zeros(4, dtype=np.int64), FIRST_LESSON
        while start < len(one):
            stop = min(2 * start, len(one))
            scores = [score(one[:start], other[:start], rows[:stop]) for rows in (one, other)]
            level = telling(scores[0][:start], scores[1][:start], allowed)
            part = counted(LEARNED, scores[0][start:stop] > level, scores[1][start:stop] > level)
            total += np.array(part.counts)
            start = stop
        yield Pairs(LEARNED, (int(total[0]), int(total[1]), int(total[2]), int(total[3])))


def telling(first: Doubles, second: Doubles, delta: float | None) -> float:
    """The level above which scores on the first input are most frequent, compared with those on the second.

    With a delta, it and a deviation of the frequency are taken off first.
    """
    ranked, runs = np.sort(second), len(first)

    def ratio(level: float) -> float:
        seen, other = int((first > level).sum()), int((second > level).sum()) + 1
        return (seen + 0.5 if delta is None else seen - delta * runs - sqrt(seen)) / other

    return max((float(ranked[int(part * (runs - 1))]) for part in LESSON_LEVELS), key=ratio)


def score(first: Whole, second: Whole, rows: Whole) -> Doubles:
    """A sum over the features of ln of how much more often a value was met on the first input than on the second."""
    total = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        values, codes = np.unique(np.concatenate([first[:, j], second[:, j], rows[:, j]]), return_inverse=True)
        counts = [
            np.bincount(part, minlength=len(values)) for part in np.split(codes, [len(first), 2 * len(first)])[:2]
        ]
        total += (np.log(counts[0] + 1.0) - np.log(counts[1] + 1.0))[codes[2 * len(first) :]]
    return total


def audit(
    references: tuple[Reference, Reference], runs: tuple[Iterable[Run], Iterable[Run]], delta: Real, error: Fraction
) -> Bound:
    """The best lower bound on eps at delta, over both directions and all events.

    *Holds when* the runs are independent and their inputs are neighbours (caller).  *Raises* `InputError` for no run.
    """
    if not 0 < error < 1:
        raise ParameterError("alarm", error, "strictly between 0 and 1")
    sides = [features_of(reference, side) for reference, side in zip(references, runs, strict=True)]
    if not all(map(len, sides)):
        raise InputError("no run was read for one of the two neighbours, so there is nothing to compare")
    length = min(map(len, sides))
    first, second = (side[:length] for side in sides)
    top = rounded_float(delta.ball(BITS), True)
    found = [*learned(first, second, top), *events(references, first, second)]
    limit = log(len(found)) - log(error)

    def proved(eps: float) -> bool:
        return float(np.logaddexp.reduce(logs_of(found, eps, top))) - SLACK * len(found) >= limit

    eps = largest(proved)
    best = found[int(np.argmax(logs_of(found, eps, top)))]
    return Bound(real(Fraction(eps)), delta, error, best.event, best.hits, (len(sides[0]), len(sides[1])))


def largest(holds: Callable[[float], bool]) -> float:
    """About the largest eps up to which something holds, from below; 0 where it does not hold at 0."""
    low, high = 0.0, LARGEST_EPS
    if not holds(low):
        return 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
