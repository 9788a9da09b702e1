"""The bets that are placed against the law of the runs: each has an e-value, and together they are one.

Marginals: cuts, single outcomes, parity and cells of each coordinate, over all coordinates of the same law and for each
alone, and likelihood ratios against likely bugs.  Pools: pairs of coordinates and sums.  Runs: repeats and transitions.
Order: labels and bits at fixed places of the shuffled messages, given the counts (`crosscheck.order_bets`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial, reduce
from operator import eq, ge

from flint import arb, ctx

from crosscheck.e_values import against, split, spread
from crosscheck.mass_tables import BITS, MassTable
from crosscheck.reference.model import POOLS, RUNS, Bug, Laws, Reference

LEVELS = (0.001, 0.01, 0.04, *(i / 10 for i in range(1, 10)), 0.96, 0.99, 0.999)
"""Cuts are made near these quantiles: nine in the middle, and three in each tail."""
HEAVIEST = 8  # single outcomes that are bet on: more would only thin out the weight of each
MOST_COORDINATES = 192  # coordinates that are bet on alone; of more, as many from both ends
MOST_PAIRS = 64  # pairs of coordinates that are bet on, neighbours first
LAGS = (1, 2, 3)
BETS = (Fraction(1, 2), Fraction(1, 50))
"""Shares of the stake that are put on a repeated run: for frequent repeats, and for rare ones."""
LARGEST_SUM = 20_000
"""Outcomes up to which the law of a sum, or the chance of equal noise, is computed: some tenths of a second."""
FINGERPRINT = 8  # coordinates by which a run is recognized

ALL_POOLS = "the sum over all pools"
WHOLE_RUNS = "whole runs"
MARGINAL = "marginal"
LIKELIHOOD = "likelihood"
Vector = tuple[int, ...]


@dataclass(frozen=True)
class Bet:
    """One e-value: what it looks at, its logarithm, and what was seen against what is expected."""

    kind: str
    where: str
    event: str
    log_e: arb
    seen: str = ""
    expected: str = ""
    alone: bool = True


def event_bet(kind: str, where: str, event: str, seen: int, runs: int, p: arb, alone: bool = True) -> Bet:
    """The bet that an event of probability p happens more, or less, often than that."""
    return Bet(kind, where, event, split(seen, runs, p), f"{seen}", f"{float(p.mid()) * runs:.6g}", alone)


@dataclass(frozen=True)
class Event:
    """A set of whole numbers, in words and as a test."""

    words: str
    contains: Callable[[int], bool]
    mass: arb


@lru_cache(maxsize=4096)
def events_of(law: MassTable) -> list[Event]:
    """The cuts, the heaviest outcomes and the parity of a law."""
    with ctx.workprec(BITS):
        events = [Event(f"<= {x}", partial(ge, x), law.up_to(x)) for x in cut_points(law)]
        heaviest = sorted(range(len(law.masses)), key=lambda i: -float(law.masses[i].mid()))[:HEAVIEST]
        outcomes = [law.first + i for i in sorted(heaviest)] if len(law.masses) > 1 else []
        events += [Event(f"= {x}", partial(eq, x), law.mass(x)) for x in outcomes]
        if len(law.masses) > 2:
            events.append(Event("is even", lambda x: x % 2 == 0, even_mass(law)))
    return events


@lru_cache(maxsize=4096)
def cut_points(law: MassTable) -> list[int]:
    """Outcomes near the quantiles of a law, found in floating point: any cut is valid."""
    total, points, levels = 0.0, set(), list(LEVELS)
    for x, mass in enumerate(law.masses, start=law.first):
        total += float(mass.mid())
        while levels and total >= levels[0]:
            points.add(x)
            levels.pop(0)
    last = law.first + len(law.masses) - 1
    return sorted(point for point in points if point < last or law.tail > 0)


@lru_cache(maxsize=4096)
def median_of(law: MassTable) -> int:
    """A cut that splits the law about in half."""
    points = cut_points(law)
    return min(points, key=lambda x: abs(float(law.up_to(x).mid()) - 0.5)) if points else law.first


@lru_cache(maxsize=4096)
def even_mass(law: MassTable) -> arb:
    """The probability of an even outcome."""
    with ctx.workprec(BITS):
        even = sum((mass for i, mass in enumerate(law.masses, start=law.first) if i % 2 == 0), arb(0))
        return even.union(even + law.tail)


class Columns:
    """The runs, coordinate by coordinate."""

    def __init__(self, reference: Reference, vectors: Sequence[Vector]) -> None:
        self.laws, self.names, self.dependent = reference.laws, reference.names, reference.dependent
        self.vectors, self.runs = vectors, len(vectors)
        self.columns = list(zip(*vectors, strict=True))
        self.counts = [Counter(column) for column in self.columns]
        chosen = list(range(len(self.columns)))
        if len(chosen) > MOST_COORDINATES:
            chosen = chosen[: MOST_COORDINATES // 2] + chosen[-MOST_COORDINATES // 2 :]
        self.random = [i for i in chosen if len(self.laws[i].masses) > 1]
        self.independent = [i for i in self.random if i not in self.dependent]

    def impossible(self) -> Iterator[tuple[int, int, int]]:
        """(coordinate, outcome, times) of outcomes that the law excludes."""
        for i, law in enumerate(self.laws):
            for x, count in self.counts[i].items():
                if not law.possible(x):
                    yield i, x, count


def bet_groups(columns: Columns, bugs: Iterable[tuple[Bug, Laws]]) -> list[list[Bet]]:
    """All bets but those on the order, in groups of equal weight."""
    return [
        list(marginal_bets(columns)),
        list(class_bets(columns)),
        [likelihood_bet(columns, bug.name, laws) for bug, laws in bugs],
        list(pool_bets(columns)),
        list(run_bets(columns)),
    ]


def law_bets(
    counts: Counter[int], law: MassTable, where: str, alone: bool = True, kind: str = MARGINAL
) -> Iterator[Bet]:
    """The bets on one coordinate, or on all of one law: each event, and all cells between the cuts at once."""
    runs = counts.total()
    for event in events_of(law):
        seen = sum(count for x, count in counts.items() if event.contains(x))
        yield event_bet(kind, where, event.words, seen, runs, event.mass, alone)
    cuts = cut_points(law)
    with ctx.workprec(BITS):
        sums = [law.up_to(x) for x in cuts]
        masses = [high - low for low, high in zip([arb(0), *sums], [*sums, arb(1)], strict=True)]
    cells = [0] * len(masses)
    for x, count in counts.items():
        cells[sum(x > cut for cut in cuts)] += count
    expected = [runs * max(0.0, float(mass.mid())) for mass in masses]
    worst = max(range(len(cells)), key=lambda i: abs(cells[i] - expected[i]) / (expected[i] + 1) ** 0.5)
    ends = ["", *(f"> {cut}" for cut in cuts)][worst], [*(f"<= {cut}" for cut in cuts), ""][worst]
    words = " and ".join(filter(None, ends)) or "anything"
    yield Bet(kind, where, words, spread(cells, masses), f"{cells[worst]}", f"{expected[worst]:.6g}", alone)


def marginal_bets(columns: Columns) -> Iterator[Bet]:
    """Each coordinate alone."""
    for i in columns.random:
        yield from law_bets(columns.counts[i], columns.laws[i], columns.names[i])


def class_bets(columns: Columns) -> Iterator[Bet]:
    """All independent coordinates of the same law together."""
    members: dict[int, list[int]] = {}
    for i, law in enumerate(columns.laws):
        if i not in columns.dependent and len(law.masses) > 1:
            members.setdefault(id(law), []).append(i)
    for indices in members.values():
        if len(indices) > 1:
            total = sum((columns.counts[i] for i in indices), Counter[int]())
            where = f"{columns.names[indices[0]]} and {len(indices) - 1} more of the same law"
            yield from law_bets(total, columns.laws[indices[0]], where, alone=False)


def likelihood_bet(columns: Columns, name: str, laws: Laws) -> Bet:
    """The bet on a bug: the product over independent coordinates, an average over the others."""
    with ctx.workprec(BITS):
        joint, others = arb(0), []
        for i, law in enumerate(columns.laws):
            if laws[i] is law:
                continue
            value = against(columns.counts[i], law, laws[i])
            if i in columns.dependent:
                others.append(value)
            else:
                joint += value
        parts = [joint, *others]
        log_e = (sum((value.exp() for value in parts), arb(0)) / len(parts)).log()
    return Bet(LIKELIHOOD, "all coordinates", name, log_e)


def pool_bets(columns: Columns) -> Iterator[Bet]:
    """Independent coordinates in pairs, neighbours first: on the same side of the middle, equal, of the same parity."""
    indices = columns.independent
    pairs = [(indices[i], indices[i + gap]) for gap in (1, 2, 3, 4) for i in range(len(indices) - gap)]
    for a, b in pairs[:MOST_PAIRS]:
        where = f"{columns.names[a]} and {columns.names[b]}"
        yield side_bet(columns, a, b, where)
        yield from equality_bet(columns, a, b, where)
        yield parity_bet(columns, a, b, where)
    yield from sum_bets(columns, indices)


def side_bet(columns: Columns, a: int, b: int, where: str) -> Bet:
    """Whether two coordinates are high or low together more often than independent ones are."""
    cut_a, cut_b = median_of(columns.laws[a]), median_of(columns.laws[b])
    table = Counter((x <= cut_a, y <= cut_b) for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        low_a, low_b = columns.laws[a].up_to(cut_a), columns.laws[b].up_to(cut_b)
        masses = [p * q for p in (low_a, 1 - low_a) for q in (low_b, 1 - low_b)]
    cells = [table[x, y] for x in (True, False) for y in (True, False)]
    expected = f"{float((masses[0] + masses[3]).mid()) * columns.runs:.6g}"
    return Bet(POOLS, where, "both low or both high", spread(cells, masses), f"{cells[0] + cells[3]}", expected)


def equality_bet(columns: Columns, a: int, b: int, where: str) -> Iterator[Bet]:
    """Whether the noise of two coordinates is equal more often than it should be."""
    law_a, law_b = columns.laws[a], columns.laws[b]
    if len(law_a.masses) != len(law_b.masses) or len(law_a.masses) > LARGEST_SUM:
        return
    by = law_b.first - law_a.first
    equal = sum(y - x == by for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        p = sum((x * y for x, y in zip(law_a.masses, law_b.masses, strict=True)), arb(0))
        p = p.union(p + law_a.tail + law_b.tail)
    yield event_bet(POOLS, where, "the same noise", equal, columns.runs, p)


def parity_bet(columns: Columns, a: int, b: int, where: str) -> Bet:
    """Whether two coordinates are even or odd together more often than independent ones are."""
    same = sum((x + y) % 2 == 0 for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        first, second = even_mass(columns.laws[a]), even_mass(columns.laws[b])
        p = first * second + (1 - first) * (1 - second)
    return event_bet(POOLS, where, "both even or both odd", same, columns.runs, p)


@lru_cache(maxsize=64)
def total_of(laws: tuple[MassTable, ...]) -> MassTable:
    """The law of the sum of independent coordinates."""
    return reduce(MassTable.plus, laws)


def sum_bets(columns: Columns, indices: Sequence[int]) -> Iterator[Bet]:
    """The sum of all independent coordinates: its spread shows correlations."""
    laws = tuple(columns.laws[i] for i in indices)
    if len(laws) > 1 and sum(len(law.masses) for law in laws) <= LARGEST_SUM:
        counts = Counter(sum(vector[i] for i in indices) for vector in columns.vectors)
        yield from law_bets(counts, total_of(laws), ALL_POOLS, kind=POOLS)


def run_bets(columns: Columns) -> Iterator[Bet]:
    """Whether runs depend on earlier ones: repeats of whole runs, and transitions between neighbours."""
    yield from repeat_bets(columns)
    for i in columns.random[:4]:
        for lag in LAGS:
            yield transition_bet(columns, i, lag)


def repeat_bets(columns: Columns) -> Iterator[Bet]:
    """Bets that a run repeats one that was seen before, at odds given by the mass of all that was seen."""
    indices = columns.independent[:FINGERPRINT] or columns.random[:1]
    repeats, odds = repeated(columns, indices)
    for bet in BETS:
        with ctx.workprec(BITS):
            share = arb(bet.numerator) / bet.denominator
            value = (1 - share).log() * (columns.runs - 1 - len(odds))
            value += sum(((1 - share + share / p).log() for p in odds), arb(0))
        yield Bet(RUNS, WHOLE_RUNS, "equal to an earlier run", value, f"{len(odds)}", f"{sum(repeats):.6g}")


def repeated(columns: Columns, indices: Sequence[int]) -> tuple[list[float], list[arb]]:
    """The chance of a repeat before each run, and that chance at the repeats themselves."""
    seen: set[Vector] = set()
    mass, chances, odds = arb(0), [], []
    with ctx.workprec(BITS):
        for vector in columns.vectors:
            key = tuple(vector[i] for i in indices)
            chances.append(min(1.0, float(mass.mid())))
            if key in seen:
                top = mass.upper()
                odds.append(top if 0 < top < 1 else arb(1))
                continue
            seen.add(key)
            p = arb(1)
            for i, x in zip(indices, key, strict=True):
                p *= columns.laws[i].mass(x).upper()
            mass += p
    return chances[1:], odds


def transition_bet(columns: Columns, i: int, lag: int) -> Bet:
    """Whether a coordinate is high or low depending on what it was `lag` runs ago."""
    law = columns.laws[i]
    cut = median_of(law)
    low = [x <= cut for x in columns.columns[i]]
    table = Counter(zip(low, low[lag:], strict=False))
    p = law.up_to(cut)
    with ctx.workprec(BITS):
        rows = [(table[before, True], table[before, False]) for before in (True, False)]
        value = sum((split(same, same + other, p) for same, other in rows), arb(0))
        expected = float((p * p + (1 - p) * (1 - p)).mid()) * max(0, len(low) - lag)
    words = f"on the same side of {cut} as {lag} run{'s' if lag > 1 else ''} before"
    agree = table[True, True] + table[False, False]
    return Bet(RUNS, columns.names[i], words, value, f"{agree}", f"{expected:.6g}")
