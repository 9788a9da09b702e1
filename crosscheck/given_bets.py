"""Bets on what is released together: a coordinate whose law is known given the others of the same run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import log, log1p, sqrt

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import Bet, against, even_mass, rarities
from panshuffle.crosscheck.columns import Columns
from panshuffle.crosscheck.doubles import RARE, SLACK, OneShot, Tilt, Whole, places_of
from panshuffle.crosscheck.likelihood import FLOOR, law_likelihood
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.pool_bets import enclosed
from panshuffle.crosscheck.reference.model import STATE, Given

ODDS = (0.1, 0.5, 0.8, 0.95, 1.05, 1.25, 2.0, 10.0)
"""How many times as likely an event is bet to be."""
QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
MOST_LAWS = 2048  # values of what is given whose laws are computed, the first that are met
COMPARED = ((24, 8.0), (160, 4.0))
"""On how many of them mistakes are compared, and by how many nats those kept may be less likely than the best."""
MOST_NAMES = 4  # mistakes that one sentence names
SHIFTS, POWERS = (-2.0, -0.5, 0.0, 0.5, 2.0), (-1.0, 0.0, 0.5, 1.0, 2.0)
SMALLEST = 1e-12  # chances are taken to be this far from 0 and 1
CHANCE = 4.0  # deviations of a likelihood that may be chance
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
        self.others: dict[Key, list[MassTable]] = {}
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
        rare = [i for i, mass in enumerate(law.masses, start=law.first) if mass.upper() < UNLIKELY]
        p = law.tail + sum((law.mass(i).upper() for i in rare), arb(0))
        listed = range(law.first, law.first + len(law.masses))
        hits = sum(x not in listed or x in rare for x in values)
        self.count("all but excluded", hits, p.union(arb(0)), len(values))

    def mistakes(self) -> list[tuple[str, str]]:
        """The known mistakes that make what was seen likeliest, and their areas, where the best leaves only chance."""
        left = self.given.mistakes
        for number, within in COMPARED:
            seen = dict(list(self.counts.items())[:number])
            fits = [(*fit(seen, mistake[2]), mistake) for mistake in left]
            most = max((value for value, *_ in fits), default=0.0)
            fits = sorted((one for one in fits if one[0] > most - within), key=lambda one: -one[0])
            left = tuple(mistake for *_, mistake in fits)
        return [mistake[:2] for mistake in left[:MOST_NAMES]] if fits and fits[0][1] else []

    def count(self, name: str, hits: int, p: arb, times: int) -> None:
        """Some events of one probability."""
        low, high = enclosed(p)
        self.tilts[name].add(hits, np.array([low]), np.array([high]), np.array([times]))

    def rivals(self) -> Iterator[Bet]:
        """The bets on the mistakes whose laws are quickly computed."""
        if not self.given.quick:
            return
        for key in self.counts.keys() - self.others.keys():
            self.others[key] = [law(key) for *_, law in self.given.mistakes]
        for i, (name, *_) in enumerate(self.given.mistakes):
            parts = [against(counter, self.laws[key], self.others[key][i]) for key, counter in self.counts.items()]
            yield Bet(STATE, self.given.name, f"as if {name}", arb(sum(parts)))

    def bets(self) -> list[Bet]:
        """One bet for each event."""
        words = f"absurd in run {self.absurd.best[1]}"
        return [
            Bet(STATE, self.given.name, words, arb(self.absurd.log_e())),
            *(Bet(STATE, self.given.name, name, arb(log_e)) for name, log_e in self.slopes.logs() if self.given.binary),
            *self.rivals(),
            *(
                Bet(STATE, self.given.name, name, arb(tilt.log_e()), f"{tilt.hits}", f"{tilt.expected:.6g}")
                for name, tilt in self.tilts.items()
            ),
        ]


class Slopes:
    """Bets that the odds of a yes-or-no coordinate are e^a times those that the rest gives it to the power b."""

    def __init__(self) -> None:
        self.a, self.b = np.array([pair for pair in product(SHIFTS, POWERS) if pair != (0.0, 1.0)]).T
        self.gains, self.sizes = np.zeros(len(self.a)), 0.0

    def add(self, law: MassTable, hits: int, times: int) -> None:
        """Some more values of one law, of which so many are 1."""
        low, high = enclosed(law.mass(1))
        p = min(1 - SMALLEST, max(SMALLEST, (low + high) / 2))
        odds = self.a + self.b * (log(p) - log1p(-p))
        yes, no = -np.logaddexp(0.0, -odds), -np.logaddexp(0.0, odds)
        ends = max(high, SMALLEST), max(1 - low, SMALLEST)
        self.gains += hits * (yes - log(ends[0])) + (times - hits) * (no - log(ends[1]))
        self.sizes += times * 4 * -log(SMALLEST)

    def logs(self) -> Iterator[tuple[str, float]]:
        """What each bet came to, rounded down, and its words."""
        for a, b, gain in zip(self.a.tolist(), self.b.tolist(), self.gains.tolist(), strict=True):
            yield f"its odds are e^{a:g} times the {b:g}-th power of what they should be", gain - SLACK * self.sizes


def fit(seen: Mapping[Key, Counter[int]], law: Callable[[Key], MassTable]) -> tuple[float, bool]:
    """ln of the likelihood of what was seen under other laws, and whether it is as large as draws from them make it."""
    value = mean = variance = 0.0
    for key, counter in seen.items():
        table = law(key)
        masses = np.array([float(mass.mid()) for mass in table.masses])
        logs = np.log(np.maximum(masses, FLOOR))
        expected = float(masses @ logs)
        value += law_likelihood(counter, table)
        mean += counter.total() * expected
        variance += counter.total() * float(masses @ (logs - expected) ** 2)
    return value, value > mean - CHANCE * sqrt(variance) - 1


def conditionals(columns: Columns) -> list[Conditional]:
    """What the reference knows of coordinates given others."""
    return [Conditional(given) for given in columns.reference.given]
