"""Bets on what is released together: a coordinate whose law is known given the others of the same run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from flint import arb

from crosscheck.bets import Bet, even_mass, rarities
from crosscheck.columns import Columns
from crosscheck.doubles import RARE, OneShot, Tilt, Whole, places_of
from crosscheck.mass_tables import MassTable
from crosscheck.pool_bets import enclosed
from crosscheck.reference.model import STATE, Given

ODDS = (0.1, 0.5, 0.8, 0.95, 1.05, 1.25, 2.0, 10.0)
"""How many times as likely an event is bet to be."""
QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
UNLIKELY = 1e-9  # an outcome of less mass, given the rest, is rare


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
        self.absurd = OneShot()
        self.laws: dict[tuple[int, ...], MassTable] = {}

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for number, row in enumerate(rows.tolist()):
            value = self.given.value(row)
            if value is not None:
                groups.setdefault(self.given.key(row), []).append((number, value))
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

    def count(self, name: str, hits: int, p: arb, times: int) -> None:
        """Some events of one probability."""
        low, high = enclosed(p)
        self.tilts[name].add(hits, np.array([low]), np.array([high]), np.array([times]))

    def bets(self) -> list[Bet]:
        """One bet for each event."""
        words = f"absurd in run {self.absurd.best[1]}"
        return [
            Bet(STATE, self.given.name, words, arb(self.absurd.log_e())),
            *(
                Bet(STATE, self.given.name, name, arb(tilt.log_e()), f"{tilt.hits}", f"{tilt.expected:.6g}")
                for name, tilt in self.tilts.items()
            ),
        ]


def conditionals(columns: Columns) -> list[Conditional]:
    """What the reference knows of coordinates given others."""
    return [Conditional(given) for given in columns.reference.given]
