"""The laws of two neighbours with few outcomes, for lower bounds: likelihood ratios next to each other are merged.

Merging outcomes is post-processing, so whatever is merged, the divergence is at most that of the laws themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf

from flint import arb, ctx
from panshuffle.exact.curves.law_pair import LawPair, Mass
from panshuffle.exact.laws.law import Law, Masses, Number, enclosed_law, mixture, rational_law
from panshuffle.exact.numbers.real import Real

Laws = tuple[Law, Law]
MOST_GROUPS = 2000
"""A composition with so many outcomes takes a fraction of a second."""
NEGLIGIBLE = 2.0**-100
"""Masses that change no lower bound that is shown."""


@dataclass(frozen=True)
class Rows:
    """The masses (upper, lower) of some outcomes, and bounds on the two masses of all others."""

    masses: Sequence[tuple[arb, arb]]
    rest: tuple[arb, arb]


def ratio_of(row: tuple[Number, Number]) -> float:
    """Roughly upper/lower, to sort by."""
    above, below = (float(mass.mid()) if isinstance(mass, arb) else mass for mass in row)
    return float(above / below) if below > 0 else inf


def grouped(rows: Sequence[tuple[Number, Number]]) -> list[tuple[Number, Number]]:
    """The masses of groups of rows, each of neighbours by their ratio; rows that `lower` misses stay apart.

    Rows that matter are spread evenly over the groups; those before and after them are a group each.
    """
    order = sorted((row for row in rows if ratio_of(row) < inf), key=ratio_of)
    marks = [not all(mass < NEGLIGIBLE for mass in row) for row in order]
    start, stop = ends(marks) if len(order) > MOST_GROUPS else (0, len(order))
    groups = evenly(order[start:stop])
    groups.extend((order[:start], order[stop:], [row for row in rows if ratio_of(row) == inf]))
    return [added(group) for group in groups if group]


def ends(marks: list[bool]) -> tuple[int, int]:
    """The first marked place, and one past the last."""
    return (marks.index(True), len(marks) - marks[::-1].index(True)) if any(marks) else (0, 0)


def evenly(rows: list[tuple[Number, Number]]) -> list[list[tuple[Number, Number]]]:
    """The rows in groups of one size, the last one excepted."""
    size = -(-len(rows) // MOST_GROUPS) or 1
    return [rows[i : i + size] for i in range(0, len(rows), size)]


def added(rows: Sequence[tuple[Number, Number]]) -> tuple[Number, Number]:
    """The masses of one group."""
    above, below = rows[0]
    for more, less in rows[1:]:
        above, below = above + more, below + less
    return above, below


def laws_of_rows(rows: Callable[[int], Rows]) -> Laws:
    """The laws whose masses are known at every precision."""

    @lru_cache(maxsize=8)
    def found(precision: int) -> Rows:
        with ctx.workprec(precision):
            listed = rows(precision)
            return Rows(grouped(listed.masses), listed.rest)

    def enclose(precision: int, side: int) -> Masses:
        table = found(precision)
        return Masses({i: row[side] for i, row in enumerate(table.masses)}, table.rest[side])

    return enclosed_law(lambda precision: enclose(precision, 0)), enclosed_law(lambda precision: enclose(precision, 1))


def floor_laws(pair: LawPair) -> Laws:
    """The laws of a pair from a table."""
    exact = [(above[0].fraction, below[0].fraction) for above, below in zip(pair.upper, pair.lower, strict=True)]
    rational = [(above, below) for above, below in exact if above is not None and below is not None]
    if pair.is_exact and len(rational) == len(exact):
        groups: list[tuple[Fraction, Fraction]] = grouped([row for row in rational if any(row)])
        upper, lower = zip(*groups, strict=True)
        return rational_law(dict(enumerate(upper))), rational_law(dict(enumerate(lower)))

    def rows(precision: int) -> Rows:
        masses = [(ball_of(a, precision), ball_of(b, precision)) for a, b in zip(pair.upper, pair.lower, strict=True)]
        return Rows(masses, (ball_of(pair.upper_rest, precision), ball_of(pair.lower_rest, precision)))

    return laws_of_rows(rows)


def ball_of(mass: Mass, precision: int) -> arb:
    """A ball around both ends of a mass."""
    return mass[0].ball(precision).union(mass[1].ball(precision))


def sampled_laws(laws: Laws, q: Real) -> Laws:
    """The laws where the changed row takes part with probability q, and the row of `lower` stands there otherwise."""
    return mixture([q, 1 - q], laws), laws[1]


def ratios_of(laws: Laws, most: int) -> list[Fraction]:
    """Where the curves of both directions have their kinks, if the laws are exact and have at most so many outcomes.

    *Holds when* so many outcomes are not merged (caller).
    """
    upper, lower = (law.exact for law in laws)
    if upper is None or lower is None or len(upper) > most:
        return []
    found = {mass / lower[outcome] for outcome, mass in upper.items() if outcome in lower}
    return sorted({max(ratio, 1 / ratio) for ratio in found})
