"""The questions that are put to the runs: each has an e-value, and together they are one.

Marginals: cuts, single outcomes, parity and cells of each coordinate, over all coordinates of the same law and for each
alone, and likelihood ratios against likely bugs.  Pools: pairs of coordinates and sums.  Runs: repeats and transitions.
Order: labels and bits at fixed places of the shuffled messages, given the counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce

from flint import arb, ctx

from crosscheck.evidence import against, split, spread
from crosscheck.reference.model import POOLS, RUNS, Reference
from crosscheck.tables import BITS, Table

CUTS = 9
HEAVIEST = 8
CELLS = 8
MOST_COORDINATES = 192
MOST_PAIRS = 64
LAGS = (1, 2, 3)
BETS = (Fraction(1, 2), Fraction(1, 50))
LARGEST_SUM = 20_000
FINGERPRINT = 8

ALL_POOLS = "the sum over all pools"
WHOLE_RUNS = "whole runs"
MARGINAL = "marginal"
LIKELIHOOD = "likelihood"
Vector = tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """One e-value: what it looks at, its share of the evidence, and what was seen against what is expected."""

    kind: str
    where: str
    event: str
    log_e: arb
    seen: str = ""
    expected: str = ""
    alone: bool = True
    index: int | None = None


@dataclass(frozen=True)
class Event:
    """A set of whole numbers, in words and as a test."""

    words: str
    contains: Callable[[int], bool]
    mass: arb


@lru_cache(maxsize=4096)
def events_of(law: Table) -> list[Event]:
    """The cuts, the heaviest outcomes and the parity of a law."""
    with ctx.workprec(BITS):
        events = [cut_at(x, law) for x in cut_points(law)]
        heaviest = sorted(range(len(law.masses)), key=lambda i: -float(law.masses[i].mid()))[:HEAVIEST]
        events += [outcome_at(law.first + i, law) for i in sorted(heaviest)] if len(law.masses) > 1 else []
        if len(law.masses) > 2:
            events.append(Event("is even", lambda x: x % 2 == 0, even_mass(law)))
    return events


def cut_at(x: int, law: Table) -> Event:
    """The event X <= x."""
    return Event(f"<= {x}", lambda value: value <= x, law.up_to(x))


def outcome_at(x: int, law: Table) -> Event:
    """The event X = x."""
    return Event(f"= {x}", lambda value: value == x, law.mass(x))


@lru_cache(maxsize=4096)
def cut_points(law: Table) -> list[int]:
    """Outcomes near the quantiles of a law, found in floating point: any cut is valid."""
    levels = [(i + 1) / (CUTS + 1) for i in range(CUTS)] + [0.001, 0.01, 0.04, 0.96, 0.99, 0.999]
    total, points, levels = 0.0, set(), sorted(levels)
    for x, mass in enumerate(law.masses, start=law.first):
        total += float(mass.mid())
        while levels and total >= levels[0]:
            points.add(x)
            levels.pop(0)
    last = law.first + len(law.masses) - 1
    return sorted(point for point in points if point < last or law.tail > 0)


def marginal_questions(
    counts: Counter[int], law: Table, where: str, alone: bool, index: int | None
) -> Iterator[Question]:
    """What one coordinate, or all of one law, are asked."""
    runs = counts.total()
    for event in events_of(law):
        seen = sum(count for x, count in counts.items() if event.contains(x))
        expected = f"{float(event.mass.mid()) * runs:.6g}"
        yield Question(MARGINAL, where, event.words, split(seen, runs, event.mass), f"{seen}", expected, alone, index)
    yield cell_question(counts, law, where, alone, index)


def cell_question(counts: Counter[int], law: Table, where: str, alone: bool, index: int | None) -> Question:
    """All cells between the cuts at once."""
    cuts = cut_points(law)[:: max(1, CUTS // CELLS)]
    with ctx.workprec(BITS):
        sums = [law.up_to(x) for x in cuts]
        masses = [high - low for low, high in zip([arb(0), *sums], [*sums, arb(1)], strict=True)]
    cells = [0] * len(masses)
    for x, count in counts.items():
        cells[sum(x > cut for cut in cuts)] += count
    runs = counts.total()
    expected = [runs * max(0.0, float(mass.mid())) for mass in masses]
    worst = max(range(len(cells)), key=lambda i: abs(cells[i] - expected[i]) / (expected[i] + 1) ** 0.5)
    ends = ["", *(f"> {cut}" for cut in cuts)][worst], [*(f"<= {cut}" for cut in cuts), ""][worst]
    words = " and ".join(filter(None, ends)) or "anything"
    return Question(
        MARGINAL, where, words, spread(cells, masses), f"{cells[worst]}", f"{expected[worst]:.6g}", alone, index
    )


class Columns:
    """The runs, coordinate by coordinate."""

    def __init__(self, reference: Reference, vectors: Sequence[Vector]) -> None:
        self.reference, self.vectors = reference, vectors
        columns = list(zip(*vectors, strict=True))
        self.counts = [Counter(column) for column in columns]
        self.columns = columns
        chosen = list(range(len(columns)))
        if len(columns) > MOST_COORDINATES:
            half = MOST_COORDINATES // 2
            chosen = [*range(half), *range(len(columns) - half, len(columns))]
        self.random = [i for i in chosen if len(reference.laws[i].masses) > 1]

    def impossible(self) -> Iterator[tuple[int, int, int]]:
        """(coordinate, outcome, times) of outcomes that the law excludes."""
        for i, law in enumerate(self.reference.laws):
            for x, count in self.counts[i].items():
                if not law.possible(x):
                    yield i, x, count


def marginals(columns: Columns) -> Iterator[Question]:
    """Each coordinate alone."""
    for i in columns.random:
        yield from marginal_questions(columns.counts[i], columns.reference.laws[i], columns.reference.names[i], True, i)


def classes(columns: Columns) -> Iterator[Question]:
    """All independent coordinates of the same law together."""
    reference = columns.reference
    members: dict[tuple[int, int], list[int]] = {}
    for i, law in enumerate(reference.laws):
        if reference.groups[i] is not None and len(law.masses) > 1:
            members.setdefault((id(law), reference.groups[i] or 0), []).append(i)
    for indices in members.values():
        if len(indices) > 1:
            total = sum((columns.counts[i] for i in indices), Counter[int]())
            where = f"{reference.names[indices[0]]} and {len(indices) - 1} more of the same law"
            yield from marginal_questions(total, reference.laws[indices[0]], where, False, indices[0])


def likelihoods(columns: Columns, laws: Sequence[Table]) -> arb:
    """The e-value against a bug: the product over independent coordinates, an average over the others."""
    reference = columns.reference
    with ctx.workprec(BITS):
        joint, others = arb(0), []
        for i, law in enumerate(reference.laws):
            if laws[i] is law:
                continue
            value = against(columns.counts[i], law, laws[i])
            if reference.groups[i] is None:
                others.append(value)
            else:
                joint += value
        parts = [joint, *others]
        return (sum((value.exp() for value in parts), arb(0)) / len(parts)).log()


@lru_cache(maxsize=4096)
def median_of(law: Table) -> int:
    """A cut that splits the law about in half."""
    points = cut_points(law)
    return min(points, key=lambda x: abs(float(law.up_to(x).mid()) - 0.5)) if points else law.first


def pair_questions(columns: Columns) -> Iterator[Question]:
    """Pairs of independent coordinates: above or below the middle, and equal."""
    reference = columns.reference
    indices = [i for i in columns.random if reference.groups[i] is not None]
    for a, b in pairs_of(indices):
        yield quadrants(columns, a, b)
        yield from equal_questions(columns, a, b)
        yield parity_question(columns, a, b)
    yield from sum_questions(columns, indices)


def pairs_of(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours, and pairs two and more apart, up to a limit."""
    pairs = [(indices[i], indices[i + gap]) for gap in (1, 2, 3, 4) for i in range(len(indices) - gap)]
    return pairs[:MOST_PAIRS]


def quadrants(columns: Columns, a: int, b: int) -> Question:
    """Whether two coordinates are high or low together more often than independent ones are."""
    reference = columns.reference
    cut_a, cut_b = median_of(reference.laws[a]), median_of(reference.laws[b])
    table = Counter((x <= cut_a, y <= cut_b) for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        low_a, low_b = reference.laws[a].up_to(cut_a), reference.laws[b].up_to(cut_b)
        masses = [a_ * b_ for a_ in (low_a, 1 - low_a) for b_ in (low_b, 1 - low_b)]
    cells = [table[x, y] for x in (True, False) for y in (True, False)]
    together = f"{cells[0] + cells[3]}"
    expected = f"{float((masses[0] + masses[3]).mid()) * len(columns.vectors):.6g}"
    where = f"{reference.names[a]} and {reference.names[b]}"
    return Question(POOLS, where, "both low or both high", spread(cells, masses), together, expected)


def equal_questions(columns: Columns, a: int, b: int) -> Iterator[Question]:
    """Whether the noise of two coordinates is equal more often than it should be."""
    law_a, law_b = columns.reference.laws[a], columns.reference.laws[b]
    if len(law_a.masses) != len(law_b.masses) or len(law_a.masses) > LARGEST_SUM:
        return
    by = law_b.first - law_a.first
    equal = sum(y - x == by for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        p = sum((x * y for x, y in zip(law_a.masses, law_b.masses, strict=True)), arb(0))
        p = p.union(p + law_a.tail + law_b.tail)
    runs = len(columns.vectors)
    where = f"{columns.reference.names[a]} and {columns.reference.names[b]}"
    yield Question(POOLS, where, "the same noise", split(equal, runs, p), f"{equal}", f"{float(p.mid()) * runs:.6g}")


@lru_cache(maxsize=4096)
def even_mass(law: Table) -> arb:
    """The probability of an even outcome."""
    with ctx.workprec(BITS):
        even = sum((mass for i, mass in enumerate(law.masses, start=law.first) if i % 2 == 0), arb(0))
        return even.union(even + law.tail)


def parity_question(columns: Columns, a: int, b: int) -> Question:
    """Whether two coordinates are even or odd together more often than independent ones are."""
    reference = columns.reference
    same = sum((x + y) % 2 == 0 for x, y in zip(columns.columns[a], columns.columns[b], strict=True))
    with ctx.workprec(BITS):
        first, second = even_mass(reference.laws[a]), even_mass(reference.laws[b])
        p = first * second + (1 - first) * (1 - second)
    runs, where = len(columns.vectors), f"{reference.names[a]} and {reference.names[b]}"
    expected = f"{float(p.mid()) * runs:.6g}"
    return Question(POOLS, where, "both even or both odd", split(same, runs, p), f"{same}", expected)


@lru_cache(maxsize=64)
def total_of(laws: tuple[Table, ...]) -> Table:
    """The law of the sum of independent coordinates."""
    return reduce(Table.plus, laws)


def sum_questions(columns: Columns, indices: Sequence[int]) -> Iterator[Question]:
    """The sum of all independent coordinates: its spread shows correlations."""
    reference = columns.reference
    size = sum(len(reference.laws[i].masses) for i in indices)
    if len(indices) < 2 or size > LARGEST_SUM:
        return
    law = total_of(tuple(reference.laws[i] for i in indices))
    counts = Counter(sum(vector[i] for i in indices) for vector in columns.vectors)
    for question in marginal_questions(counts, law, ALL_POOLS, True, None):
        yield Question(POOLS, question.where, question.event, question.log_e, question.seen, question.expected)


def run_questions(columns: Columns) -> Iterator[Question]:
    """Whether runs depend on earlier ones: repeats of whole runs, and transitions between neighbours."""
    yield from repeat_questions(columns)
    for i in columns.random[:4]:
        for lag in LAGS:
            yield transition_question(columns, i, lag)


def repeat_questions(columns: Columns) -> Iterator[Question]:
    """Bets that a run repeats one that was seen before, at odds given by the mass of all that was seen."""
    reference = columns.reference
    indices = [i for i in columns.random if reference.groups[i] is not None][:FINGERPRINT] or columns.random[:1]
    repeats, odds = repeated(columns, indices)
    for bet in BETS:
        with ctx.workprec(BITS):
            share = arb(bet.numerator) / bet.denominator
            value = (1 - share).log() * (len(columns.vectors) - 1 - len(odds))
            value += sum(((1 - share + share / p).log() for p in odds), arb(0))
        expected = f"{sum(repeats):.6g}"
        yield Question(RUNS, WHOLE_RUNS, "equal to an earlier run", value, f"{len(odds)}", expected)


def repeated(columns: Columns, indices: Sequence[int]) -> tuple[list[float], list[arb]]:
    """The chance of a repeat before each run, and that chance at the repeats themselves."""
    reference = columns.reference
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
                p *= reference.laws[i].mass(x).upper()
            mass += p
    return chances[1:], odds


def transition_question(columns: Columns, i: int, lag: int) -> Question:
    """Whether a coordinate is high or low depending on what it was `lag` runs ago."""
    law, column = columns.reference.laws[i], columns.columns[i]
    cut = median_of(law)
    low = [x <= cut for x in column]
    table = Counter(zip(low, low[lag:], strict=False))
    p = law.up_to(cut)
    with ctx.workprec(BITS):
        rows = [(table[before, True], table[before, False]) for before in (True, False)]
        value = sum((split(same, same + other, p) for same, other in rows), arb(0))
        expected = float((p * p + (1 - p) * (1 - p)).mid()) * max(0, len(low) - lag)
    words = f"on the same side of {cut} as {lag} run{'s' if lag > 1 else ''} before"
    agree = table[True, True] + table[False, False]
    return Question(RUNS, columns.reference.names[i], words, value, f"{agree}", f"{expected:.6g}")
