"""Known mistakes and other values of parameters, ranked by how likely they make the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, floor

import numpy as np

from crosscheck.doubles import ends_of, places_of
from crosscheck.likelihood import FLOOR, Counts, law_likelihood, likelihood, only_chance, saturated
from crosscheck.mass_tables import MassTable, listed
from crosscheck.noise_shapes import reshaped
from crosscheck.reference.model import NOISE, Bug, Fit, Laws, Reference, fixed
from crosscheck.twins import CUT_OFF, DRAWN_AGAIN, twins_of
from exact.errors import InputError
from exact.numbers.real import real

CLOSE = 4.0  # causes whose likelihoods are within this of each other, in nats, are all named
MOST_NAMES = 4  # causes that one sentence names
SEARCH = 20  # steps of the golden section, each of which leaves 0.618 of the interval: 1e-4 of it in the end
FITTED = 4.0  # nats that a fitted value has to be better by than a mistake that has none
SHAPED = 2.0  # nats that noise of another law has to be better by than a mistake of this protocol
MIXED = 8.0  # nats that a mistake in some of the runs has to be better by than one in all of them
SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Shares of runs that a mistake is supposed to be made in."""
FACTORS = (
    *(Fraction(1, 2**i) for i in range(8, 0, -1)),
    Fraction(3, 4),
    *(Fraction(i, 2) for i in (2, 3, 4, 6, 8, 12)),
)
"""How many times as large a parameter is tried to be before it is looked for more closely."""
FEWEST = 3  # outcomes that a law with its ends cut off has left


@dataclass(frozen=True)
class Cause:
    """A mistake, its area, how many nats the runs are likelier under it, and whether it leaves only chance."""

    name: str
    area: str
    gain: float
    whole: bool


@dataclass(frozen=True)
class Ranking:
    """The causes, the best first, and by how much any laws at all could be better than the right ones."""

    causes: tuple[Cause, ...]
    deviation: float
    freedom: int

    @property
    def best(self) -> Cause | None:
        """The best cause."""
        return self.causes[0] if self.causes else None

    def named(self) -> list[Cause]:
        """The best cause, and those that fit about as well, of each name one."""
        best, *others = self.causes
        close: dict[str, Cause] = {}
        for cause in others:
            if cause.gain > best.gain - CLOSE and cause.name != best.name:
                close.setdefault(cause.name, cause)
        return [best, *sorted(close.values(), key=lambda cause: -cause.gain)[: MOST_NAMES - 1]]

    def sentence(self) -> str:
        """The causes that fit, with how much less likely than the best they make the runs."""
        best, *others = self.named()
        words = [f"{one.name} ({exp(min(0.0, one.gain - best.gain)):.2g} times as likely)" for one in others]
        return ("several causes fit: " if words else "") + "; or: ".join([best.name, *words])

    def areas(self) -> tuple[str, ...]:
        """The areas of the causes that fit, the best first."""
        return tuple(dict.fromkeys(cause.area for cause in self.named()))


def ranked(reference: Reference, counts: Counts, scale: float = 1.0) -> Ranking:
    """The causes of deviations in the laws of the coordinates; `scale` is the share of runs that are new."""
    counts = [Counter[int]() if i in reference.sums else counter for i, counter in enumerate(counts)]
    right = likelihood(counts, reference.laws)
    full = sum(saturated(counter) for counter in counts)
    freedom = sum(max(0, len(counter) - 1) for counter in counts)
    deviation = full - right
    causes = []
    for bug, laws in candidates(reference, counts):
        gain = likelihood(counts, laws) - right
        whole = only_chance((deviation - gain) * scale, freedom)
        causes.append(Cause(bug.name, bug.area, gain * scale - bug.price, whole))
        causes += [Cause(*twin, gain * scale - bug.price, whole) for twin in twins_of(bug.name)]
        share, most = now_and_then(counts, reference.laws, laws)
        if only_chance((deviation - most + right) * scale, freedom):
            words = f"in about {100 * share:g} % of the runs: {bug.name}"
            causes.append(Cause(words, bug.area, (most - right) * scale - bug.price - MIXED, whole=True))
    for fit in reference.knobs:
        causes += fitted(fit, counts, right, deviation, freedom, scale)
    causes.sort(key=lambda cause: (-cause.whole, -cause.gain))
    return Ranking(tuple(causes), deviation * scale, freedom)


def candidates(reference: Reference, counts: Counts) -> Iterator[tuple[Bug, Laws]]:
    """The known mistakes with their laws, and those that the runs themselves suggest."""
    yield from zip(reference.bugs, reference.bug_laws, strict=True)
    for bug in reference.suspects(counts) if reference.suspects is not None else ():
        yield bug, reference.listed_laws(bug)
    for name, shape in ((DRAWN_AGAIN, truncated), (CUT_OFF, clipped)):
        laws = tuple(shape(law, counter) for law, counter in zip(reference.laws, counts, strict=True))
        yield fixed(name, reference.rest, *laws), laws
    for name, others in reshaped(reference.laws):
        if any(other is not law for other, law in zip(others, reference.laws, strict=True)):
            yield replace(fixed(name, NOISE, *others), price=SHAPED), others


def within(law: MassTable, counter: Counter[int]) -> dict[int, float]:
    """The masses of the outcomes between the least and the largest that were met."""
    if not counter:
        return {}
    masses = ends_of(law)[1][:-1]
    start, stop = max(0, min(counter) - law.first), max(counter) - law.first + 1
    return dict(enumerate(masses[start:stop].tolist(), start=law.first + start)) if stop > start else {}


def truncated(law: MassTable, counter: Counter[int]) -> MassTable:
    """The law given that it lies between the outcomes that were met."""
    inside = within(law, counter)
    total = sum(inside.values())
    return (
        listed({x: mass / total for x, mass in inside.items()})
        if 0 < total < 1 - 1e-9 and len(inside) >= FEWEST
        else law
    )


def clipped(law: MassTable, counter: Counter[int]) -> MassTable:
    """The law with everything beyond the outcomes that were met moved to the nearest of them."""
    inside = within(law, counter)
    if not 0 < sum(inside.values()) < 1 - 1e-9 or len(inside) < FEWEST:
        return law
    low, high = min(inside), max(inside)
    inside[low] += float(law.up_to(low - 1).mid())
    inside[high] += max(0.0, 1 - sum(inside.values()))
    return listed(inside)


def fitted(fit: Fit, counts: Counts, right: float, deviation: float, freedom: int, scale: float) -> Iterator[Cause]:
    """Another value of a parameter: the best, by a golden section search."""

    def value(x: Fraction) -> float:
        try:
            return sum(law_likelihood(*pair) for pair in zip(counts, fit.laws(real(x)), strict=False))
        except InputError:
            return -1e300

    best, most = golden(value, *around_best(value, fit))
    gain = most - right
    asked, found = float(fit.asked), float(floor(best + Fraction(1, 2)) if fit.whole else best)
    percent = f" ({100 * (found / asked - 1):+.2g} %)" if asked > 0 else ""
    words = f"wrong {fit.name}: as if {fit.name} = {found:.4g}, not {asked:.4g}{percent}"
    whole = only_chance((deviation - gain) * scale, freedom)
    yield Cause(words, fit.area, gain * scale - FITTED, whole)


def around_best(value: Callable[[Fraction], float], fit: Fit) -> tuple[Fraction, Fraction]:
    """Where to look more closely: far from the best value no law lists what was met, and there is no slope."""
    asked = Fraction(float(fit.asked))
    grid = [fit.least, *(asked * factor for factor in FACTORS if fit.least < asked * factor < fit.most), fit.most]
    place = max(range(1, len(grid) - 1), key=lambda i: value(grid[i]), default=0)
    return (grid[place - 1], grid[place + 1]) if place else (fit.least, fit.most)


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


def golden(value: Callable[[Fraction], float], low: Fraction, high: Fraction) -> tuple[Fraction, float]:
    """About where a function with one peak is largest, and how large."""
    step = Fraction(618, 1000)
    a, b = high - step * (high - low), low + step * (high - low)
    left, right = value(a), value(b)
    for _ in range(SEARCH):
        if left > right:
            high, b, right = b, a, left
            a = (high - step * (high - low)).limit_denominator(10**6)
            left = value(a)
        else:
            low, a, left = a, b, right
            b = (low + step * (high - low)).limit_denominator(10**6)
            right = value(b)
    return (a, left) if left > right else (b, right)
