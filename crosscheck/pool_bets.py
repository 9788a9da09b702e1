"""Bets that coordinates of a run depend on each other, though each has its law, or that one does not follow the others.

Pairs, triples and sums of independent coordinates; and what is released together: a coordinate whose law is known given
the others of the same run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from math import log, log1p

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import (
    TILTS,
    Bet,
    Columns,
    even_mass,
    law_bets,
    median_of,
    next_costs,
    pair_costs,
    rarities,
    scores_of,
    tilt_bet,
)
from panshuffle.crosscheck.e_values import (
    RARE,
    SLACK,
    Doubles,
    Flags,
    OneShot,
    Tilt,
    Whole,
    ends,
    ends_of,
    lowered,
    mean_of,
    places_of,
    splits,
    spreads,
)
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.reference.areas import POOLS, STATE
from panshuffle.crosscheck.reference.model import MISSING, Given

MOST_PAIRS = 2048  # pairs that are bet on alone: all of 64 coordinates; of more, near ones first
MOST_IN_TRIPLES = 16  # coordinates whose triples are looked at: 560 of them
CHAINED = 4  # distances at which the scores of all coordinates are bet to go together
EQUAL_GAPS = 8  # distances at which the noise of two coordinates is compared: farther ones show by their sides
EQUAL_ODDS = (0.5, 1.1, 1.5, 4.0, 50.0)
LARGEST_SUM = 20_000
"""Outcomes up to which the law of a sum, or the chance of equal noise, is computed: some tenths of a second."""
ALL_POOLS = "the sum over all pools"
EVERY = "all coordinates"


@lru_cache(maxsize=64)
def total_of(laws: tuple[MassTable, ...]) -> MassTable:
    """The law of the sum of independent coordinates."""
    return reduce(MassTable.plus, laws)


@lru_cache(maxsize=65536)
def equal_chance(first: MassTable, second: MassTable) -> tuple[float, float]:
    """Between what the chance of equal noise lies."""
    if not alike(first, second):
        return 0.0, 1.0
    (low_a, high_a), (low_b, high_b) = ends_of(first), ends_of(second)
    most = float(high_a[:-1] @ high_b[:-1] + high_a[-1] + high_b[-1])
    return float(low_a @ low_b) * (1 - 1e-12), min(1.0, most * (1 + 1e-12))


class Signs:
    """Pairs of yes-or-no features of the coordinates, one each: how often both, and either, were so.

    `low` and `high` enclose the probability of each feature.
    """

    def __init__(self, low: Doubles, high: Doubles) -> None:
        size = len(low)
        self.low, self.high = low, high
        self.both, self.first, self.met = (np.zeros((size, size)) for _ in range(3))

    def add(self, feature: Flags, present: Flags) -> None:
        """Some more runs."""
        yes = (feature & present).astype(np.float32)  # sums of a block are whole numbers far below 2^24
        self.both += yes.T @ yes
        if present.all():
            self.first += yes.sum(axis=0)[:, None]
            self.met += len(yes)
            return
        here = present.astype(np.float32)
        self.first += yes.T @ here
        self.met += here.T @ here

    def cells(self, a: Whole, b: Whole) -> Whole:
        """How often (yes, yes), (yes, no), (no, yes) and (no, no) were met for the pairs (a, b)."""
        both, first, second, met = self.both[a, b], self.first[a, b], self.first[b, a], self.met[a, b]
        return np.stack([both, first - both, second - both, met - first - second + both], axis=1).astype(np.int64)

    def masses(self, a: Whole, b: Whole) -> Doubles:
        """Upper ends of the probabilities of these cells."""
        no = 1 - self.low + 1e-15
        up = [self.high[a] * self.high[b], self.high[a] * no[b], no[a] * self.high[b], no[a] * no[b]]
        return np.minimum(1.0, np.stack(up, axis=1) * (1 + 1e-14))

    def tilt(self, gap: int) -> Tilt:
        """Whether a coordinate agrees with the one `gap` places before it: bets on one coordinate after another."""
        tilt = Tilt()
        b = np.arange(gap, len(self.low))
        a = b - gap
        cells = self.cells(a, b)
        tilt.add(int(cells[:, 0].sum() + cells[:, 3].sum()), self.low[b], self.high[b], cells[:, 0] + cells[:, 1])
        tilt.add(0, np.maximum(0.0, 1 - self.high[b] - 1e-15), 1 - self.low[b] + 1e-15, cells[:, 2] + cells[:, 3])
        return tilt


class Pools:
    """What was seen of pairs, triples and sums of independent coordinates."""

    def __init__(self, columns: Columns) -> None:
        self.columns, self.indices = columns, columns.independent
        laws = [columns.laws[i] for i in self.indices]
        self.cuts = np.array([median_of(law) for law in laws], dtype=np.int64)
        self.firsts = np.array([law.first for law in laws], dtype=np.int64)
        self.sides = Signs(*ends([law.up_to(cut) for law, cut in zip(laws, self.cuts.tolist(), strict=True)]))
        self.even = Signs(*ends([even_mass(law) for law in laws]))
        self.gaps = range(1, min(len(laws), EQUAL_GAPS + 1))
        self.equal = [np.zeros(len(laws) - gap, dtype=np.int64) for gap in self.gaps]
        self.alike = [np.array([alike(*pair) for pair in zip(laws, laws[gap:], strict=False)]) for gap in self.gaps]
        self.both_here = [np.zeros(len(laws) - gap, dtype=np.int64) for gap in self.gaps]
        few = range(min(len(laws), MOST_IN_TRIPLES))
        self.triples = np.array(list(combinations(few, 3)), dtype=np.int64).reshape(-1, 3).T
        self.odd_triples = np.zeros((self.triples.shape[1], 2), dtype=np.int64)
        self.odd_runs = [0, 0]
        self.summed = len(laws) > 1 and sum(len(law.masses) for law in laws) <= LARGEST_SUM
        self.total = Counter[int]()
        self.kinds = kinds_of([columns.names[i] for i in self.indices]) if self.summed else {}
        self.totals = {kind: Counter[int]() for kind in self.kinds}
        self.means = np.array([law.mean() for law in laws])
        self.moments, self.complete = np.zeros((len(laws), len(laws))), 0
        self.sums = np.zeros(len(laws))
        self.scores = [scores_of(law) for law in laws]
        self.chains = {gap: np.zeros((2, len(TILTS))) for gap in range(1, min(len(laws), CHAINED + 1))}
        self.products = np.zeros((len(laws), len(laws)))
        self.pairs = [(i, i + gap) for gap in range(1, len(laws)) for i in range(len(laws) - gap)][:MOST_PAIRS]

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if len(self.indices) < 2:
            return
        values = rows[:, self.indices]
        present = values != MISSING
        even = values % 2 == 0
        self.sides.add(values <= self.cuts, present)
        self.even.add(even, present)
        noise = values - self.firsts
        for i, gap in enumerate(self.gaps):
            here = present[:, gap:] & present[:, :-gap] & self.alike[i]
            self.both_here[i] += here.sum(axis=0)
            self.equal[i] += ((noise[:, gap:] == noise[:, :-gap]) & here).sum(axis=0)
        whole = present.all(axis=1)
        odd = ~even
        if len(self.odd_triples):
            a, b, c = self.triples
            here = present[:, a] & present[:, b] & present[:, c]
            self.odd_triples[:, 0] += ((odd[:, a] ^ odd[:, b] ^ odd[:, c]) & here).sum(axis=0)
            self.odd_triples[:, 1] += here.sum(axis=0)
        self.add_scores(values, present)
        centred = values[whole] - self.means
        self.moments += centred.T @ centred
        self.sums += centred.sum(axis=0)
        self.complete += len(centred)
        sums = values[whole].sum(axis=1)
        self.odd_runs = [self.odd_runs[0] + int((sums % 2).sum()), self.odd_runs[1] + len(sums)]
        if self.summed:
            self.total.update(sums.tolist())
            for kind, places in self.kinds.items():
                self.totals[kind].update(values[whole][:, places].sum(axis=1).tolist())

    def add_scores(self, values: Whole, present: Flags) -> None:
        """The products of the scores of two coordinates, and the chains of all coordinates at one distance."""
        cells = [one.cells(column) for one, column in zip(self.scores, values.T, strict=True)]
        scores = np.stack([one.gentle()[cell] for one, cell in zip(self.scores, cells, strict=True)], axis=1) * present
        self.products += scores.T @ scores
        complete, laws = bool(present.all()), [self.columns.laws[i] for i in self.indices]
        met = [np.bincount(cell, minlength=len(one.high)) for one, cell in zip(self.scores, cells, strict=True)]
        for gap, chain in self.chains.items():
            chain[0] += TILTS * float((scores[:, gap:] * scores[:, :-gap]).sum())
            for b in range(gap, len(laws)):
                a = b - gap
                here = (
                    met[a] if complete else np.bincount(cells[a][present[:, a] & present[:, b]], minlength=len(met[a]))
                )
                spent = here @ next_costs(laws[a], laws[b])
                chain[0] -= spent
                chain[1] += np.abs(spent) + 8 * here.sum()

    def score_bets(self) -> Iterator[Bet]:
        """Pairs alone: whether the scores of two coordinates are correlated."""
        laws = [self.columns.laws[i] for i in self.indices]
        for a, b in self.pairs:
            runs = self.sides.met[a, b]
            spent = runs * pair_costs(laws[a], laws[b])
            logs = lowered(
                TILTS * self.products[a, b] - spent, 8 * runs + np.abs(spent)
            )  # no term is above 0.8 * 2.5^2
            share = self.products[a, b] / max(1.0, runs)
            yield Bet(POOLS, self.named(a, b), f"their correlation is about {share:.2g}", mean_of(logs))

    def pair_bets(self) -> list[Bet]:
        """Pairs alone: on the same side of the middle, of the same parity, with scores that go together."""
        if not self.pairs:
            return []
        a, b = np.array(self.pairs).T
        bets = []
        for signs, words in ((self.sides, "both low or both high"), (self.even, "both even or both odd")):
            cells, masses = signs.cells(a, b), signs.masses(a, b)
            agree = (masses[:, 0] + masses[:, 3]) * cells.sum(axis=1)
            for pair, row, expected, log_e in zip(self.pairs, cells, agree, spreads(cells, masses), strict=True):
                seen = f"{row[0] + row[3]}"
                bets.append(Bet(POOLS, self.named(*pair), words, float(log_e), seen, f"{expected:.6g}"))
        return [*bets, *self.score_bets()]

    def law_of(self, places: Iterable[int]) -> MassTable:
        """The law of the sum of some coordinates."""
        return total_of(tuple(self.columns.laws[self.indices[place]] for place in places))

    def named(self, *places: int) -> str:
        """The names of some coordinates."""
        return " and ".join(self.columns.names[self.indices[place]] for place in places)

    def common_bets(self) -> Iterator[Bet]:
        """What all coordinates show together: pairs by their distance, equal noise, triples, and the sum."""
        size = len(self.indices)
        if size < 2:
            return
        for gap in range(1, min(size, 64)):
            for signs, words in ((self.sides, "on the same side of the middle"), (self.even, "of the same parity")):
                yield tilt_bet(POOLS, EVERY, f"{words} as that {gap} before", signs.tilt(gap))
        for gap, (logs, sizes) in self.chains.items():
            yield Bet(POOLS, EVERY, f"goes together with that {gap} before", mean_of(lowered(logs, sizes)))
        for i, gap in enumerate(self.gaps):
            yield self.equal_bet(i, gap)
        yield from self.parity_bets()
        if self.summed:
            yield from law_bets(self.total, self.law_of(range(size)), ALL_POOLS, kind=POOLS)
            for kind, places in self.kinds.items():
                yield from law_bets(self.totals[kind], self.law_of(places), f"{ALL_POOLS}: {kind}", kind=POOLS)

    def equal_bet(self, i: int, gap: int) -> Bet:
        """Whether the noise of coordinates at one distance is equal too often: the best pair, and all of them."""
        laws = [self.columns.laws[j] for j in self.indices]
        chances = [equal_chance(*pair) for pair in zip(laws, laws[gap:], strict=False)]
        low, high = np.array(chances).T
        logs = splits(self.equal[i], self.both_here[i], low, high)
        best = int(np.argmax(logs))
        value = float(np.logaddexp.reduce(logs)) - float(np.log(len(logs))) - 1e-12
        seen, expected = self.equal[i][best], high[best] * self.both_here[i][best]
        return Bet(POOLS, self.named(best, best + gap), "the same noise", value, f"{seen}", f"{expected:.6g}")

    def parity_bets(self) -> Iterator[Bet]:
        """The parity of three coordinates, and of all of them together."""
        sign_low, sign_high = 2 * self.even.low - 1, 2 * self.even.high - 1
        if len(self.odd_triples):
            low, high = products(sign_low[self.triples], sign_high[self.triples])
            logs = splits(self.odd_triples[:, 0], self.odd_triples[:, 1], (1 - high) / 2, (1 - low) / 2)
            best = int(np.argmax(logs))
            seen, met = self.odd_triples[best]
            value = float(np.logaddexp.reduce(logs)) - float(np.log(len(logs))) - 1e-12
            expected = f"{met * (1 - low[best]) / 2:.6g}"
            yield Bet(POOLS, self.named(*self.triples[:, best].tolist()), "an odd sum", value, f"{seen}", expected)
        low, high = products(sign_low[:, None], sign_high[:, None])
        odd, met = self.odd_runs
        log_e = splits(np.array([odd]), np.array([met]), (1 - high) / 2, (1 - low) / 2)
        yield Bet(POOLS, ALL_POOLS, "is odd", float(log_e[0]), f"{odd}", f"{met * (1 - float(low[0])) / 2:.6g}")


def kinds_of(names: Sequence[str]) -> dict[str, list[int]]:
    """Where the coordinates of each kind stand, such as states or ones, if there are several kinds and of each some."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name.rpartition(": ")[2], []).append(place)
    return found if len(found) > 1 and min(map(len, found.values())) > 1 else {}


def products(low: Doubles, high: Doubles) -> tuple[Doubles, Doubles]:
    """The ends of the products, over the first axis, of numbers in -1..1 with these ends."""
    lower, upper = np.ones(low.shape[1]), np.ones(low.shape[1])
    for a, b in zip(low, high, strict=True):
        corners = np.stack([lower * a, lower * b, upper * a, upper * b])
        lower, upper = corners.min(axis=0) - 1e-15, corners.max(axis=0) + 1e-15
    return np.clip(lower, -1.0, 1.0), np.clip(upper, -1.0, 1.0)


def alike(first: MassTable, second: MassTable) -> bool:
    """Whether two laws have as many outcomes, so that their noise can be compared."""
    return len(first.masses) == len(second.masses) <= LARGEST_SUM


ODDS = (0.1, 0.5, 0.8, 0.95, 1.05, 1.25, 2.0, 10.0)  # how many times as likely an event is bet to be
QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
MOST_LAWS = 2048  # values of what is given whose laws are computed, the first that are met
SHIFTS, POWERS = (-2.0, -0.5, 0.0, 0.5, 2.0), (-1.0, 0.0, 0.5, 1.0, 2.0)
SMALLEST = 1e-12  # chances are taken to be this far from 0 and 1
UNLIKELY = 1e-9  # an outcome of less mass, given the rest, is rare

Key = tuple[int, ...]


@lru_cache(maxsize=4096)
def cuts_of(law: MassTable) -> tuple[int, ...]:
    """Cuts near the quantiles."""
    sums = np.cumsum([max(0.0, float(mass.mid())) for mass in law.masses])
    return tuple(law.first + min(int(np.searchsorted(sums, level)), len(sums) - 1) for level in QUANTILES)


class Conditional:
    """One coordinate given others: cuts, parity, and outcomes that are all but excluded."""

    def __init__(self, given: Given) -> None:
        self.given = given
        words = [f"<= its {level:g}-quantile" for level in QUANTILES]
        self.tilts = {word: Tilt(ODDS) for word in (*words, "is even")} | {"all but excluded": Tilt(RARE)}
        self.absurd, self.slopes = OneShot(), Slopes()
        self.laws: dict[Key, MassTable] = {}
        self.counts: dict[Key, Counter[int]] = {}
        self.left_out = False

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        groups: dict[Key, list[tuple[int, int]]] = {}
        for number, row in enumerate(rows.tolist()):
            value = self.given.value(row)
            key = self.given.key(row)
            known = key in self.counts or len(self.counts) < MOST_LAWS
            self.left_out |= value is not None and not known
            if value is not None and known:
                groups.setdefault(key, []).append((number, value))
                self.counts.setdefault(key, Counter())[value] += 1
        logs = np.full(len(rows), -np.inf)
        for key, found in groups.items():
            if key not in self.laws:
                self.laws[key] = self.given.law(key)
            law, (numbers, values) = self.laws[key], np.array(found, dtype=np.int64).T
            if len(law.masses) > 1:
                logs[numbers] = rarities(law)[places_of(law, values)]
                self.add_values(law, values.tolist())
        self.absurd.add(logs)

    def add_values(self, law: MassTable, values: list[int]) -> None:
        """Some more values of the same law."""
        if self.given.binary:
            self.slopes.add(law, sum(values), len(values))
        tests = [(x, law.up_to(x)) for x in cuts_of(law)]
        names = list(self.tilts)
        for name, (cut, p) in zip(names, tests, strict=False):
            self.count(name, sum(x <= cut for x in values), p, len(values))
        self.count("is even", sum(x % 2 == 0 for x in values), even_mass(law), len(values))
        rare = [i for i, mass in law.items() if mass.upper() < UNLIKELY]
        p = law.tail + sum((law.mass(i).upper() for i in rare), arb(0))
        listed = range(law.first, law.first + len(law.masses))
        hits = sum(x not in listed or x in rare for x in values)
        self.count("all but excluded", hits, p.union(arb(0)), len(values))

    def count(self, name: str, hits: int, p: arb, times: int) -> None:
        """Some events of one probability."""
        self.tilts[name].add(hits, *ends([p]), np.array([times]))

    def bets(self) -> list[Bet]:
        """One bet for each event."""
        words = f"absurd in run {self.absurd.best[1]}"
        return [
            Bet(STATE, self.given.name, words, self.absurd.log_e()),
            *(Bet(STATE, self.given.name, name, log_e) for name, log_e in self.slopes.logs() if self.given.binary),
            *(tilt_bet(STATE, self.given.name, name, tilt) for name, tilt in self.tilts.items()),
        ]


class Slopes:
    """Bets that the odds of a yes-or-no coordinate are e^a times those that the rest gives it to the power b."""

    def __init__(self) -> None:
        self.a, self.b = np.array([pair for pair in product(SHIFTS, POWERS) if pair != (0.0, 1.0)]).T
        self.gains, self.sizes = np.zeros(len(self.a)), 0.0

    def add(self, law: MassTable, hits: int, times: int) -> None:
        """Some more values of one law, of which so many are 1."""
        low, high = (float(end[0]) for end in ends([law.mass(1)]))
        p = min(1 - SMALLEST, max(SMALLEST, (low + high) / 2))
        odds = self.a + self.b * (log(p) - log1p(-p))
        yes, no = -np.logaddexp(0.0, -odds), -np.logaddexp(0.0, odds)
        self.gains += hits * (yes - log(max(high, SMALLEST))) + (times - hits) * (no - log(max(1 - low, SMALLEST)))
        self.sizes += times * 4 * -log(SMALLEST)

    def logs(self) -> Iterator[tuple[str, float]]:
        """What each bet came to, rounded down, and its words."""
        for gain in self.gains.tolist():
            yield "its odds are not those that the rest of the run gives it", gain - SLACK * self.sizes


def conditionals(columns: Columns) -> list[Conditional]:
    """What the reference knows of coordinates given others."""
    return [Conditional(given) for given in columns.reference.given]
