"""Known mistakes and other values of parameters, in all runs and pools or in some, by how likely they make the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import exp, floor

import numpy as np
from panshuffle.crosscheck.doubles import FLOOR, Counts, ends_of, law_likelihood, only_chance, places_of, saturated
from panshuffle.crosscheck.mass_tables import MassTable, listed, mixture
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, DROPOUTS, LABELS, MESSAGES, NOISE, POOLS, STATE
from panshuffle.crosscheck.reference.mistakes import (
    CUT_OFF,
    DRAWN_AGAIN,
    LARGEST_SHAPE,
    MEANS,
    ONCE_MORE,
    core,
    indistinguishable_from,
    mistaken_values,
    reshaped,
    scaled,
)
from panshuffle.crosscheck.reference.model import Bug, Fit, Laws, Reference, fixed
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, real

SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # shares of runs that a mistake is supposed to be made in
WORTH_A_POOL = 6.0  # nats that a mistake has to gain in a pool for it to be made there
POOL_PRICE = 1.0  # nats that each pool in which a mistake is made costs
MOST_OWNERS = 4  # pools that one sentence names
CHANGING_PRICE = 4.0  # nats that a parameter that changes has to be better by than another value of it


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
    chosen = [place for place, gain in places.items() if gain > WORTH_A_POOL]
    if not 0 < len(chosen) < len(places):
        return None
    return in_places(chosen, list(places)), sum(places[place] - POOL_PRICE for place in chosen)


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
            yield Fit(words, real(0), Fraction(0), most, both_ways(fit), fit.area, price=CHANGING_PRICE)


def both_ways(fit: Fit) -> Callable[[Real], Laws]:
    """The laws where a parameter is larger or smaller by this part, each in half of the runs."""

    def laws(part: Real) -> Laws:
        sides = [fit.laws(fit.asked * factor) for factor in (1 - part, 1 + part)]
        half = Fraction(1, 2)
        return tuple(mixture([(half, low), (half, high)]) for low, high in zip(*sides, strict=True))

    return laws


CLOSE = 4.0  # causes whose likelihoods are within this of each other, in nats, are all named
MOST_NAMES = 5  # causes that one sentence names
SEARCH = 20  # steps of the golden section, each of which leaves 0.618 of the interval: 1e-4 of it in the end
DIGITS = 3  # of a gain: causes with the same laws gain the same
FITTED = 4.0  # nats that a fitted value has to be better by than a mistake that has none
SAME = 0.5  # nats by which the end of a family, where all users make a mistake, may be worse than some of them
SHAPED = 2.0  # nats that noise of another law has to be better by than a mistake of this protocol
MIXED = 8.0  # nats that a mistake in some of the runs has to be better by than one in all of them
FACTORS = (
    *(Fraction(1, 2**i) for i in range(8, 0, -1)),
    Fraction(3, 4),
    *(Fraction(i, 2) for i in (2, 3, 4, 6, 8, 12)),
)
"""How many times as large a parameter is tried to be before it is looked for more closely."""
MOST_OUTCOMES = 20_000  # of all laws together, up to which families of mistakes are tried: some seconds
SOMEWHERE = (NOISE, POOLS, DATA, MESSAGES, DROPOUTS)  # areas of mistakes that may be made in some pools only
FEWEST = 3  # outcomes that a law with its ends cut off has left, and that are met


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


@dataclass(frozen=True)
class Yardstick:
    """What a cause has to explain: counts, how likely the right laws make each, and what these leave over.

    `scale` is the share of runs that are new.
    """

    names: Sequence[str]
    counts: Counts
    laws: Laws
    right: Sequence[float]
    deviation: float
    freedom: int
    scale: float

    def gains(self, laws: Laws) -> list[float]:
        """How much likelier other laws make each coordinate."""
        pairs = zip(self.counts, self.laws, laws, self.right, strict=False)
        return [0.0 if law is other else law_likelihood(counter, other) - value for counter, law, other, value in pairs]

    def cause(self, name: str, area: str, gain: float, price: float) -> Cause:
        """The cause that gains so many nats."""
        return Cause(name, area, round(gain * self.scale - price, DIGITS), self.whole(gain))

    def whole(self, gain: float) -> bool:
        """Whether a cause that gains so many nats leaves only chance."""
        return only_chance((self.deviation - gain) * self.scale, self.freedom)


def yardstick(reference: Reference, counts: Counts, scale: float) -> Yardstick:
    """What the causes of deviations are measured by; sums of other coordinates do not count."""
    counts = [Counter[int]() if i in reference.excluded else counter for i, counter in enumerate(counts)]
    right = [law_likelihood(counter, law) for counter, law in zip(counts, reference.laws, strict=True)]
    deviation = sum(saturated(counter) for counter in counts) - sum(right)
    freedom = sum(max(0, len(counter) - 1) for counter in counts)
    return Yardstick(reference.names, counts, reference.laws, right, deviation, freedom, scale)


def ranked(reference: Reference, counts: Counts, scale: float = 1.0) -> Ranking:
    """The causes of deviations in the laws of the coordinates; `scale` is the share of runs that are new."""
    seen = yardstick(reference, counts, scale)
    causes: list[Cause] = []
    for bug, laws in candidates(reference, seen.counts):
        causes += [*causes_of(bug, laws, seen), *in_some_runs(bug, laws, seen)]
    for bug, laws in (*shapes(reference), *redrawn(reference, seen)):
        causes += causes_of(bug, laws, seen)
    known = {round(cause.gain, 3) for cause in causes}
    for bug, laws in by_mistaken_values(reference):
        same = round(sum(seen.gains(laws)) * scale, 3) in known
        causes += [] if same else causes_of(bug, laws, seen)
    for fit in (*reference.knobs, *families(reference)):
        causes += fitted(fit, seen)
    usual = usual_areas(reference)
    causes.sort(key=lambda cause: (-cause.whole, -cause.gain, usual.get(cause.area, len(usual))))
    return Ranking(tuple(causes), seen.deviation * scale, seen.freedom)


def usual_areas(reference: Reference) -> dict[str, int]:
    """Areas by their place where causes have the same laws: what is special in this protocol goes wrong more often."""
    left = (DROPOUTS,) if reference.letters.get("gamma", 1.0) < 1 else ()
    kept = (STATE,) if reference.online else ()
    return {area: place for place, area in enumerate((*left, *kept, POOLS, LABELS, DATA, MESSAGES))}


def by_mistaken_values(reference: Reference) -> Iterator[tuple[Bug, Laws]]:
    """Parameters that have another value by mistake, as far as it does not take too long to try them."""
    if sum(len(law.masses) for law in reference.laws) <= MOST_OUTCOMES:
        for bug in mistaken_values(reference.knobs, reference.letters):
            yield bug, reference.listed_laws(bug)


def families(reference: Reference) -> Iterator[Fit]:
    """Families of mistakes, unless the laws have so many outcomes that it takes too long to try them."""
    if sum(len(law.masses) for law in reference.laws) <= MOST_OUTCOMES:
        yield from (*reference.fitted_mistakes, *changing(reference.knobs), *other_means(reference.laws))


def other_means(laws: Laws) -> Iterator[Fit]:
    """Noise of another law and of another mean."""
    least, most = Fraction(1, 8), Fraction(8)
    for name, shape in MEANS.items():
        words = f"{name} noise of {{:.3g}} times the mean"
        yield Fit(words, real(1), least, most, partial(scaled, laws, shape), price=2 * SHAPED)


def causes_of(bug: Bug, laws: Laws, seen: Yardstick) -> Iterator[Cause]:
    """A mistake with these laws, those that have the same, and the mistake in some pools only."""
    gains = seen.gains(laws)
    for name, area in ((bug.name, bug.area), *indistinguishable_from(bug.name)):
        yield seen.cause(name, area, sum(gains), bug.price)
    somewhere = in_some_pools(seen.names, gains) if bug.area in SOMEWHERE else None
    if somewhere is not None:
        yield seen.cause(f"{somewhere[0]}: {bug.name}", bug.area, somewhere[1], bug.price + 2 * SHAPED)


def in_some_runs(bug: Bug, laws: Laws, seen: Yardstick) -> Iterator[Cause]:
    """A mistake that is made now and then, where that explains the runs."""
    share, most = now_and_then(seen.counts, seen.laws, laws)
    if seen.whole(most - sum(seen.right)):
        words = f"in about {100 * share:g} % of the runs: {bug.name}"
        yield seen.cause(words, bug.area, most - sum(seen.right), bug.price + MIXED)


def candidates(reference: Reference, counts: Counts) -> Iterator[tuple[Bug, Laws]]:
    """The known mistakes with their laws, and those that the runs themselves suggest."""
    yield from zip(reference.bugs, reference.bug_laws, strict=True)
    for bug in data_driven(reference, counts):
        yield bug, reference.listed_laws(bug)
    for name, shape in ((DRAWN_AGAIN, truncated), (CUT_OFF, clipped)):
        laws = tuple(shape(law, counter) for law, counter in zip(reference.laws, counts, strict=True))
        pairs = zip(reference.names, laws, reference.laws, strict=True)
        changed = [where for where, other, law in pairs if other is not law]
        shown = reference.online and all(where.startswith("output") for where in changed)
        area = ANALYZER if shown else reference.rest
        yield replace(fixed(name, area, *laws), price=SHAPED * len(changed)), laws


def data_driven(reference: Reference, counts: Counts) -> Iterator[Bug]:
    """The mistakes that the runs suggest, as far as their laws can be listed."""
    try:
        yield from reference.data_driven_mistakes(counts) if reference.data_driven_mistakes is not None else ()
    except InputError:
        return


def shapes(reference: Reference) -> Iterator[tuple[Bug, Laws]]:
    """Noise of another law, as far as it is another one."""
    kept = reference.rest == STATE  # shares, and numbers that a state holds, have no such noise
    shared = kept or (reference.arrangement is not None and reference.arrangement.shared)
    for name, others in reshaped(reference.laws):
        if any(other is not law for other, law in zip(others, reference.laws, strict=True)):
            bug = fixed(name, STATE if kept else NOISE, *others)
            yield replace(bug, price=MIXED if shared else SHAPED), others


def redrawn(reference: Reference, seen: Yardstick) -> Iterator[tuple[Bug, Laws]]:
    """Outcomes on one side of a cut that are drawn again once, for the coordinate and the cut that gain most."""
    found = [(*cut, i) for i in range(len(seen.counts)) for cut in cuts(seen.counts[i], seen.laws[i])]
    if found:
        _, words, law, i = max(found, key=lambda one: one[0])
        laws = tuple(law if j == i else right for j, right in enumerate(seen.laws))
        name = f"{ONCE_MORE}: {seen.names[i]} {words}"
        yield replace(fixed(name, reference.rest, *laws), price=FITTED), laws


def cuts(counter: Counter[int], law: MassTable) -> Iterator[tuple[float, str, MassTable]]:
    """For each side the best cut beyond which outcomes may be drawn again once: the gain, words, and the law."""
    first, masses = core(law)
    if not counter or not FEWEST <= len(masses) <= LARGEST_SHAPE:
        return
    times = np.array([counter[first + i] for i in range(len(masses))])
    for side in (1, -1):
        below, hits = np.cumsum(masses[::side]), np.cumsum(times[::side])
        gains = hits * np.log(np.maximum(below, FLOOR)) + (times.sum() - hits) * np.log1p(np.minimum(below, 1.0))
        i = int(np.argmax(gains))
        again = (np.arange(len(masses)) <= i)[::side]
        cut, words = (first + i, "up to") if side > 0 else (first + len(masses) - 1 - i, "from")
        other = masses * np.where(again, below[i], 1 + below[i])
        yield float(gains[i]), f"{words} {cut}", listed(dict(enumerate(other.tolist(), start=first)))


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
        if 0 < total < 1 - 1e-9 and min(len(inside), len(counter)) >= FEWEST
        else law
    )


def clipped(law: MassTable, counter: Counter[int]) -> MassTable:
    """The law with everything beyond the outcomes that were met moved to the nearest of them."""
    inside = within(law, counter)
    if not 0 < sum(inside.values()) < 1 - 1e-9 or len(counter) < max(2, min(FEWEST, len(inside))):
        return law
    low, high = min(inside), max(inside)
    inside[low] += float(law.up_to(low - 1).mid())
    inside[high] += max(0.0, 1 - sum(inside.values()))
    return listed(inside)


def fitted(fit: Fit, seen: Yardstick) -> Iterator[Cause]:
    """Another value of a parameter: the best, by a golden section search, of all pools and of those that deviate."""
    everywhere = best_value(fit, seen, set(range(len(seen.counts))))
    yield from at_value(fit, seen, "", *everywhere)
    some = deviating(seen.names, seen.counts, seen.right)
    somewhere = best_value(fit, seen, some[0]) if some is not None else everywhere
    if some is not None and somewhere[1] > everywhere[1] + SHAPED:
        yield from at_value(fit, seen, f"{some[1]}: ", *somewhere)


def at_value(fit: Fit, seen: Yardstick, where: str, value: Fraction, gain: float) -> Iterator[Cause]:
    """The mistake of one value of a parameter, perhaps in some pools only, and those that have the same laws."""
    words = fit.sentence(float(floor(value + Fraction(1, 2)) if fit.whole else value))
    price = fit.price + (0 if value in (fit.least, fit.most) else FITTED) + (SHAPED if where else 0)
    for name, area in ((words, fit.area), *indistinguishable_from(fit.name)):
        yield seen.cause(f"{where}{name}", area, gain, price)


def best_value(fit: Fit, seen: Yardstick, places: set[int]) -> tuple[Fraction, float]:
    """The value under which these coordinates are likeliest, and how much likelier it makes them."""

    def value(x: Fraction) -> float:
        try:
            return sum(gain for i, gain in enumerate(seen.gains(fit.laws(real(x)))) if i in places)
        except InputError:
            return -1e300

    inside = golden(value, *around_best(value, fit))
    ends = [(end, value(end)) for end in (fit.least, fit.most)] if "{" in fit.name else []
    best = max(ends, key=lambda found: found[1], default=inside)
    return best if best[1] > inside[1] - SAME else inside


def around_best(value: Callable[[Fraction], float], fit: Fit) -> tuple[Fraction, Fraction]:
    """Where to look more closely: far from the best value no law lists what was met, and there is no slope."""
    asked = Fraction(float(fit.asked))
    grid = [fit.least, *(asked * factor for factor in FACTORS if fit.least < asked * factor < fit.most), fit.most]
    place = max(range(1, len(grid) - 1), key=lambda i: value(grid[i]), default=0)
    return (grid[place - 1], grid[place + 1]) if place else (fit.least, fit.most)


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
