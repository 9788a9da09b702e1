"""Mistakes in some of the runs or in some of the pools, and parameters that change: for the diagnosis, in doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from panshuffle.crosscheck.doubles import ends_of, places_of
from panshuffle.crosscheck.likelihood import FLOOR, Counts, only_chance, saturated
from panshuffle.crosscheck.mass_tables import mixture
from panshuffle.crosscheck.reference.model import Fit, Laws
from panshuffle.exact.real import Real, real

SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Shares of runs that a mistake is supposed to be made in."""
WORTH = 6.0  # nats that a mistake has to gain in a pool for it to be made there
PLACE = 1.0  # nats that each pool in which a mistake is made costs
MOST_OWNERS = 4  # pools that one sentence names
CHANGING = 4.0  # nats that a parameter that changes has to be better by than another value of it


def now_and_then(counts: Counts, laws: Laws, others: Laws) -> tuple[float, float]:
    """The best of some shares of runs with other laws, the rest having the right ones, and ln of its likelihood."""
    parts = []
    for counter, law, other in zip(counts, laws, others, strict=False):
        values = np.array(list(counter), dtype=np.int64)
        masses = [ends_of(table)[1][places_of(table, values)] for table in (law, other)]
        parts.append((*masses, np.array(list(counter.values()), dtype=np.float64)))

    def value(share: float) -> float:
        mixed = (times @ np.log(np.maximum((1 - share) * p + share * q, FLOOR)) for p, q, times in parts)
        return float(sum(mixed))

    return max(((share, value(share)) for share in SHARES), key=lambda found: found[1])


def place_of(name: str) -> str:
    """The pool that a coordinate belongs to, or the coordinate itself."""
    return name.partition(":")[0]


def in_some_pools(names: Sequence[str], gains: Sequence[float]) -> tuple[str, float] | None:
    """Where a mistake is made and what is gained there, or None where it is made everywhere or nowhere."""
    places: dict[str, float] = {}
    for name, gain in zip(names, gains, strict=True):
        if gain:
            places[place_of(name)] = places.get(place_of(name), 0.0) + gain
    chosen = [place for place, gain in places.items() if gain > WORTH]
    if not 0 < len(chosen) < len(places):
        return None
    return in_places(chosen, list(places)), sum(places[place] - PLACE for place in chosen)


def in_places(chosen: Sequence[str], places: Sequence[str]) -> str:
    """Some of the pools, or all but the others, in words."""
    others = [place for place in places if place not in chosen]
    if len(others) < len(chosen) and len(others) <= MOST_OWNERS:
        return f"everywhere but in {', '.join(others)}"
    more = f" and {len(chosen) - MOST_OWNERS} more" if len(chosen) > MOST_OWNERS else ""
    return f"only in {', '.join(chosen[:MOST_OWNERS])}{more}"


def deviating(names: Sequence[str], counts: Counts, right: Sequence[float]) -> tuple[set[int], str] | None:
    """The coordinates of pools that deviate, and which pools these are, or None where all of them do."""
    left: dict[str, tuple[float, int]] = {}
    for name, counter, value in zip(names, counts, right, strict=True):
        rest, freedom = left.get(place_of(name), (0.0, 0))
        left[place_of(name)] = rest + saturated(counter) - value, freedom + max(0, len(counter) - 1)
    off = [place for place, (rest, freedom) in left.items() if not only_chance(rest, freedom)]
    varied = [place for place, (_, freedom) in left.items() if freedom or place in off]
    if not 0 < len(off) < len(varied):
        return None
    return {i for i, name in enumerate(names) if place_of(name) in off}, in_places(off, varied)


def changing(fits: Sequence[Fit]) -> Iterator[Fit]:
    """Parameters that differ from run to run, half of the time larger than asked for and half of the time smaller."""
    for fit in fits:
        most = min(Fraction(9, 10), Fraction(float(fit.most / fit.asked)) - 1) if fit.asked > 0 else Fraction(0)
        if not fit.whole and most > 0:
            words = f"{fit.name} changes from run to run: by about {{:.0%}} up or down"
            yield Fit(words, real(0), Fraction(0), most, both_ways(fit), fit.area, price=CHANGING)


def both_ways(fit: Fit) -> Callable[[Real], Laws]:
    """The laws where a parameter is larger or smaller by this part, each in half of the runs."""

    def laws(part: Real) -> Laws:
        sides = [fit.laws(fit.asked * factor) for factor in (1 - part, 1 + part)]
        half = Fraction(1, 2)
        return tuple(mixture([(half, low), (half, high)]) for low, high in zip(*sides, strict=True))

    return laws
