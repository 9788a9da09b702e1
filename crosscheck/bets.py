"""The bets that are placed against the law of the runs: each has an e-value, and together they are one.

Here those on each coordinate alone: cuts, single outcomes, parity and cells, tilted scores, over all coordinates of the
same law and for each alone, outcomes too rare to be met, runs that are absurd as a whole, and likelihood ratios against
likely bugs.  Further bets are on the pools of a run and what is released together (`crosscheck.pool_bets`), on runs
(`crosscheck.run_bets`) and on the order of the messages (`crosscheck.order_bets`).

A score is a function of an outcome with one value h for all outcomes of a cell between two cuts.  If a cell has mass p,
the product over runs of e^(t h)/sum p e^(t h) is a martingale for every t, also for one that is chosen from what
came before; upper ends of the masses only lower it.  Which scores and which t are taken is a matter of power alone,
so they are found in floating point; exponents stay below 8, and doubles are lowered by more than their rounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from math import log
from operator import eq, ge

import numpy as np
from flint import arb, ctx
from panshuffle.crosscheck.e_values import (
    LEAST_LOGARITHM,
    SLACK,
    Doubles,
    Flags,
    Tilt,
    Whole,
    ends,
    ends_of,
    log_odds,
    lowered,
    mean_of,
    places_of,
    ratios,
    split,
    spread,
)
from panshuffle.crosscheck.mass_tables import BITS, MassTable
from panshuffle.crosscheck.reference.areas import POOLS, STATE
from panshuffle.crosscheck.reference.model import MISSING, Laws, Reference

MOST_COORDINATES = 192  # coordinates that are looked at alone and in pairs; of more, as many from both ends


class Columns:
    """The number of runs, and the counts of every coordinate."""

    def __init__(self, reference: Reference) -> None:
        self.reference, self.laws, self.names = reference, reference.laws, reference.names
        self.dependent, self.runs = reference.dependent, 0
        self.counts = [Counter[int]() for _ in self.laws]
        chosen = list(range(len(self.laws)))
        if len(chosen) > MOST_COORDINATES:
            chosen = chosen[: MOST_COORDINATES // 2] + chosen[-MOST_COORDINATES // 2 :]
        self.left_out = len(self.laws) - len(chosen)
        self.random = [i for i in chosen if len(self.laws[i].masses) > 1]
        self.independent = [i for i in self.random if i not in self.dependent]

    def add(self, rows: Whole) -> None:
        """Some more runs, one a row."""
        self.runs += len(rows)
        for counter, column in zip(self.counts, rows.T, strict=True):
            values, times = np.unique(column, return_counts=True)
            for value, count in zip(values.tolist(), times.tolist(), strict=True):
                if value != MISSING:
                    counter[value] += count

    def impossible(self) -> Iterator[tuple[int, int, int]]:
        """(coordinate, outcome, times) of outcomes that the law excludes."""
        for i, law in enumerate(self.laws):
            for x, count in self.counts[i].items():
                if not law.possible(x):
                    yield i, x, count


LEVELS = (0.001, 0.003, 0.01, 0.02, 0.04, *(i / 10 for i in range(1, 10)), 0.96, 0.98, 0.99, 0.997, 0.999)
"""Cuts are made near these quantiles: nine in the middle, and five in each tail."""
DEGREES = 4  # scores are about the first orthogonal polynomials of the law: mean, spread, skewness and tails
LARGEST_SCORE = 4.0  # scores are cut there: under the law they have mean 0 and variance 1 about
GENTLE_SCORE = 2.5  # scores that are multiplied are cut there
TILT_SIZES = (0.05, 0.1, 0.2, 0.4, 0.8)
"""How far the mean of a score is bet to be off, in its deviations: each twice the one before."""
TILTS = np.array([*(-size for size in reversed(TILT_SIZES)), *TILT_SIZES])


@lru_cache(maxsize=4096)
def cut_points(law: MassTable) -> list[int]:
    """Outcomes near the quantiles of a law, found in floating point: any cut is valid."""
    total, points, levels = 0.0, set(), list(LEVELS)
    for x, mass in law.items():
        total += float(mass.mid())
        while levels and total >= levels[0]:
            points.add(x)
            levels.pop(0)
    last = law.first + len(law.masses) - 1
    return sorted(point for point in points if point < last or law.tail > 0)


@lru_cache(maxsize=4096)
def cell_masses(law: MassTable) -> tuple[arb, ...]:
    """The masses of the cells between the cuts."""
    with ctx.workprec(BITS):
        sums = [law.up_to(x) for x in cut_points(law)]
        return tuple(high - low for low, high in zip([arb(0), *sums], [*sums, arb(1)], strict=True))


@dataclass(frozen=True)
class Scores:
    """The cuts, upper ends of the masses of the cells, and for each degree the scores of the cells."""

    cuts: Whole
    high: Doubles
    values: Doubles

    def gentle(self, degree: int = 0) -> Doubles:
        """A score, cut where a product of two of them is still small; 0 where there are not so many cells."""
        return (
            np.clip(self.values[degree], -GENTLE_SCORE, GENTLE_SCORE)
            if len(self.values) > degree
            else np.zeros(len(self.high))
        )

    def cells(self, outcomes: Whole) -> Whole:
        """The cells of some outcomes."""
        return np.asarray(np.searchsorted(self.cuts, outcomes, side="left"))

    def cost(self, tilted: Doubles) -> Doubles:
        """ln of the mean of e^x at the most, for rows of exponents x of the cells."""
        return np.asarray(np.log(np.exp(tilted) @ self.high))

    def shapes(self, counts: Whole) -> list[float]:
        """For each degree, the bets that the mean of the score is off in cells that were met so often."""
        runs, logs = int(counts.sum()), []
        for row in self.values:
            gains, spent = TILTS * float(row @ counts), self.cost(TILTS[:, None] * row)
            size = np.abs(TILTS) * float(np.abs(row) @ counts) + runs * (np.abs(spent) + 1)
            logs.append(mean_of(lowered(gains - runs * spent, size)))
        return logs


@lru_cache(maxsize=4096)
def scores_of(law: MassTable) -> Scores:
    """The scores of a law."""
    cuts = np.array(cut_points(law), dtype=np.int64)
    masses = cell_masses(law)
    high = np.array([min(1.0, float(mass.upper()) * (1 + 1e-15)) for mass in masses])
    weights = np.maximum(np.array([float(mass.mid()) for mass in masses]), 1e-12)
    centres = middles(law, cuts)
    mean = weights @ centres / weights.sum()
    deviation = max(1e-9, float(np.sqrt(weights @ (centres - mean) ** 2 / weights.sum())))
    degrees = min(DEGREES, len(masses) - 1)
    powers = np.vander((centres - mean) / deviation, degrees + 1, increasing=True)
    basis = np.linalg.qr(powers * np.sqrt(weights)[:, None])[0] / np.sqrt(weights)[:, None]
    signs = np.where(basis[-1] < 0, -1.0, 1.0)
    return Scores(cuts, high, np.clip((basis * signs).T[1:], -LARGEST_SCORE, LARGEST_SCORE))


def middles(law: MassTable, cuts: Whole) -> Doubles:
    """About the mean outcome of each cell."""
    masses = np.array([max(0.0, float(mass.mid())) for mass in law.masses])
    outcomes = law.first + np.arange(len(masses))
    cells = np.searchsorted(cuts, outcomes, side="left")
    weight = np.bincount(cells, weights=masses, minlength=len(cuts) + 1)
    total = np.bincount(cells, weights=masses * (outcomes - law.first), minlength=len(cuts) + 1)
    ends = np.append(cuts, cuts[-1] + 1 if len(cuts) else law.first) - law.first
    return np.where(weight > 0, total / np.maximum(weight, 1e-300), ends) + law.first


@lru_cache(maxsize=65536)
def pair_costs(first: MassTable, second: MassTable) -> Doubles:
    """For each tilt t, ln E[e^(t h h')] at the most, for the first scores of two independent outcomes."""
    a, b = scores_of(first), scores_of(second)
    products = np.outer(a.gentle(), b.gentle())
    return np.array([float(np.log(a.high @ np.exp(t * products) @ b.high)) for t in TILTS])


@lru_cache(maxsize=4096)
def next_costs(law: MassTable, other: MassTable) -> Doubles:
    """The same given the cell of the first outcome: for each cell, and for each tilt t."""
    a, b = scores_of(law), scores_of(other)
    return np.stack([b.cost(t * np.outer(a.gentle(), b.gentle())) for t in TILTS], axis=1)


FAR_OUT = (0.3, 0.1, 0.03, 0.01, 0.003, 1e-3, 1e-4, 1e-5)
"""The least likely outcomes, at both ends of a law, that have these shares together are bet on."""
MOMENTS = ("mean", "spread", "skewness", "tails")
HEAVIEST = 8  # single outcomes that are bet on: more would only thin out the weight of each
TINY = (1e-6, 1e-9, 1e-12, 1e-16, 1e-20, 1e-25, 1e-30, 1e-60, 1e-100, 1e-300)
"""Outcomes that are so unlikely together should not be met: one that is has to decide."""

MARGINAL = "marginal"
LIKELIHOOD = "likelihood"
OUTLIER = "outlier"


@dataclass(frozen=True)
class Bet:
    """One e-value: what it looks at, its logarithm, and what was seen against what is expected."""

    kind: str
    where: str
    event: str
    log_e: float
    seen: str = ""
    expected: str = ""
    alone: bool = True


def tilt_bet(kind: str, where: str, event: str, tilt: Tilt) -> Bet:
    """The bet on events whose probabilities are known, though they may change."""
    return Bet(kind, where, event, tilt.log_e(), f"{tilt.hits}", f"{tilt.expected:.6g}")


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
        for level in dict.fromkeys(rare_of(law, share)[0] for share in FAR_OUT):
            if level > 0:
                words = f"is far out: of a mass of {level:.1e} or less"
                events.append(Event(words, partial(is_rare, law, level), mass_of_rare(law, level)))
        for level, bound in dict(rare_of(law, share) for share in TINY).items():
            if bound > 0:
                words = f"has a mass of {level:.1e} or less" if level > 0 else "is beyond all that is likely"
                events.append(Event(words, partial(is_rare, law, level), arb(bound).union(arb(0))))
    return events


@lru_cache(maxsize=4096)
def median_of(law: MassTable) -> int:
    """A cut that splits the law about in half."""
    points = cut_points(law)
    return min(points, key=lambda x: abs(float(law.up_to(x).mid()) - 0.5)) if points else law.first


@lru_cache(maxsize=4096)
def even_mass(law: MassTable) -> arb:
    """The probability of an even outcome."""
    with ctx.workprec(BITS):
        even = sum((mass for x, mass in law.items() if x % 2 == 0), arb(0))
        return even.union(even + law.tail)


def law_bets(
    counts: Counter[int], law: MassTable, where: str, alone: bool = True, kind: str = MARGINAL
) -> Iterator[Bet]:
    """The bets on one coordinate, or on all of one law: each event, and all cells between the cuts at once."""
    runs = counts.total()
    for event in events_of(law):
        seen = sum(count for x, count in counts.items() if event.contains(x))
        expected = f"{float(event.mass.mid()) * runs:.6g}"
        yield Bet(kind, where, event.words, split(seen, runs, event.mass), f"{seen}", expected, alone)
    cuts, masses, scores = cut_points(law), cell_masses(law), scores_of(law)
    cells = [0] * len(masses)
    for x, count in counts.items():
        cells[sum(x > cut for cut in cuts)] += count
    for words, log_e in zip(MOMENTS, scores.shapes(np.array(cells)), strict=False):
        yield Bet(kind, where, f"has another {words}", log_e, "", "", alone)
    usual = [runs * max(0.0, float(mass.mid())) for mass in masses]
    worst = max(range(len(cells)), key=lambda i: abs(cells[i] - usual[i]) / (usual[i] + 1) ** 0.5)
    ends = ["", *(f"> {cut}" for cut in cuts)][worst], [*(f"<= {cut}" for cut in cuts), ""][worst]
    words = " and ".join(filter(None, ends)) or "anything"
    if 0 < worst < len(cuts) and cuts[worst] == cuts[worst - 1] + 1:
        words = f"= {cuts[worst]}"
    yield Bet(kind, where, words, spread(cells, masses), f"{cells[worst]}", f"{usual[worst]:.6g}", alone)


def marginal_bets(columns: Columns) -> Iterator[Bet]:
    """Each coordinate alone."""
    for i in columns.random:
        kind = POOLS if i in columns.reference.sums else STATE if i == columns.reference.answer else MARGINAL
        yield from law_bets(columns.counts[i], columns.laws[i], columns.names[i], kind=kind)


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


@lru_cache(maxsize=16384)
def rare_of(law: MassTable, share: float) -> tuple[float, float]:
    """The largest level such that the outcomes of at most this mass have at most this share together, and their mass.

    Outcomes that are not listed are among them always, also where they alone may have more than the share.
    """
    high = ends_of(law)[1]
    masses = np.sort(high[:-1])
    sums = (high[-1] + np.cumsum(masses)) * (1 + len(masses) * 1e-15)
    number = int(np.searchsorted(sums, share, side="right"))
    if number < len(masses):
        number = int(np.searchsorted(masses, masses[number]))  # of equal ones all or none
    return (float(masses[number - 1]), float(sums[number - 1])) if number else (0.0, float(high[-1]))


def mass_of_rare(law: MassTable, level: float) -> arb:
    """The mass of the outcomes that have at most this mass each, or are not listed."""
    with ctx.workprec(BITS):
        high = ends_of(law)[1]
        listed = sum((mass for mass, top in zip(law.masses, high, strict=False) if top <= level), arb(0))
        return listed.union(listed + law.tail)


def rare_among(law: MassTable, values: Whole, level: float) -> Flags:
    """Which values have at most this mass, or are not listed."""
    places = places_of(law, values)
    return np.asarray((ends_of(law)[1][places] <= level) | (places == len(law.masses)))


def is_rare(law: MassTable, level: float, x: int) -> bool:
    """The same of one value."""
    return bool(rare_among(law, np.array([x]), level)[0])


def outlier_bets(columns: Columns) -> Iterator[Bet]:
    """Outcomes of every coordinate that are so unlikely that they should not be met."""
    random = [i for i, law in enumerate(columns.laws) if len(law.masses) > 1]
    met = {i: np.array(list(columns.counts[i]), dtype=np.int64) for i in random}
    for share in TINY if random else ():
        worst, hits, bound = "", 0, 0.0
        for i in random:
            level, mass = rare_of(columns.laws[i], share / len(random))
            bound += mass * (1 + 1e-12)
            out = met[i][rare_among(columns.laws[i], met[i], level)].tolist()
            hits += sum(columns.counts[i][x] for x in out)
            worst = next((f"{columns.names[i]} = {x}" for x in out), worst)
        words = worst or f"an outcome that is met with probability {share:g}"
        yield Bet(OUTLIER, "all coordinates", words, too_often(hits, columns.runs, bound), f"{hits}", f"{share:g}")


@lru_cache(maxsize=4096)
def rarities(law: MassTable) -> Doubles:
    """ln of one run's evidence in each outcome's place: the mean over the tiny shares of [it is rare]/(their mass)."""
    places = np.arange(len(law.masses) + 1)
    total = np.full(len(places), -np.inf)
    for share in TINY:
        level, mass = rare_of(law, share)
        rare = rare_among(law, law.first + places, level)
        gain = -log(mass) - SLACK * 1000 if mass > 0 else float(-LEAST_LOGARITHM)
        total = np.logaddexp(total, np.where(rare, gain, -np.inf))
    return np.asarray(total - log(len(TINY)))


def too_often(hits: int, runs: int, bound: float) -> float:
    """Rare things of which a run has `bound` in the mean, at most, and of which there were so many.

    All is staked on one run, the i-th with probability 1/(i(i + 1)): in the mean, hits_i/bound of it comes back.
    This is what the runs so far have made of it at the least, and what waits for later runs.
    """
    if hits and not bound > 0:
        return float(-LEAST_LOGARITHM)
    won = hits / (bound * runs * (runs + 1)) if hits else 0.0
    return log(1 / (runs + 1) + won) - SLACK


def likelihood_bet(columns: Columns, name: str, laws: Laws) -> Bet:
    """The bet on a bug: the product over independent coordinates, an average over the others."""
    joint, others = 0.0, []
    for i, law in enumerate(columns.laws):
        if laws[i] is law:
            continue
        value = against(columns.counts[i], law, laws[i])
        if i in columns.dependent:
            others.append(value)
        else:
            joint += value
    return Bet(LIKELIHOOD, "all coordinates", name, mean_of(np.array([joint, *others])))


def against(counts: Counter[int], law: MassTable, other: MassTable) -> float:
    """The likelihood under another law, over that under the law.

    A thousandth of the law is mixed into the other one, so that one unexpected outcome does not rule it out.
    """
    values, times = np.array(list(counts), dtype=np.int64), np.array(list(counts.values()), dtype=np.float64)
    places = places_of(law, values)
    terms, beyond = ratios(law, other)[places], places == len(law.masses)
    rest = values[beyond].tolist()
    terms[beyond] = log_odds(ends([other.mass(x) for x in rest])[0], ends([law.mass(x) for x in rest])[1])
    return float(lowered((terms * times).sum(), float((np.abs(terms) * times).sum() + times.sum())))
