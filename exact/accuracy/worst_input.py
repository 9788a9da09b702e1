"""The worst of many error laws: doubles with a proved error sort out the few that balls have to decide.

*Many cases at once.*  Let the count C rise stochastically, and its centre rise, with the case.  Between two cases a and
b the upper tail P[C >= least] is at most that of b's law from a's limit on, and the lower one at most that of a's law
up to b's limit: their sum bounds every case between them.  Stretches that may hold a larger value are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import overload

from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw, check_beta
from panshuffle.exact.accuracy.distinct_elements import HashedCount
from panshuffle.exact.certified import Certified, largest_of, span
from panshuffle.exact.laws.integer_law import binomial_window, outside_bounds
from panshuffle.exact.real import Real

MOST_WORK = 400_000_000
MOST_CANDIDATES = 64
SPREAD = 32
"""So many cases, evenly spread, are looked at first."""


@dataclass(frozen=True)
class Case:
    """One kind of input, by its number of distinct elements, and the error that it leads to."""

    distinct: int
    error: AffineError


@dataclass(frozen=True)
class Rising(Sequence[Case]):
    """Cases that are built when they are looked at; their counts, of two kinds of coins, and their centres rise."""

    size: int
    at: Callable[[int], Case]

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Case: ...

    @overload
    def __getitem__(self, place: slice) -> list[Case]: ...

    def __getitem__(self, place: int | slice) -> Case | list[Case]:
        places = range(self.size)[place]
        return self.at(places) if isinstance(places, int) else [self.at(i) for i in places]

    def may_reach(self, least: float, reach: Real) -> Iterator[Case]:
        """The cases with P[|C - centre| > reach] >= least, and perhaps others that are not seen to be below."""
        stretches = [(0, self.size - 1)]
        while stretches:
            first, last = stretches.pop()
            if last - first < 2:
                yield from self[first : last + 1]
            elif between(self.at(first).error, self.at(last).error, reach) >= least:
                middle = (first + last) // 2
                stretches += [(first, middle), (middle + 1, last)]


def between(first: AffineError, last: AffineError, reach: Real) -> float:
    """A bound of P[|C - centre| > reach] for the first and the last case and all between them; reach a bit smaller."""
    far = float(reach) - 1e-9 * (1 + last.law.largest)
    above = bounds_of(last, -1, floor(float(first.centre) + far) + 1)[1]
    return above + bounds_of(first, ceil(float(last.centre) - far) - 1, last.law.largest + 1)[1]


@dataclass(frozen=True)
class Screened:
    """A case and certain bounds of a probability."""

    case: Case
    low: float
    high: float


def screen(cases: Sequence[Case], reach: Real) -> list[Screened]:
    """Bounds of P[|C - centre| > reach] for each case."""
    return [Screened(case, *bounds_of(case.error, *case.error.limits(reach))) for case in cases]


def bounds_of(error: AffineError, most: int, least: int) -> tuple[float, float]:
    """Bounds of P[C <= most or C >= least]."""
    law = error.law
    plain = law.plain(most, least)
    if plain is not None:
        return float(plain), float(plain)
    if isinstance(law, CountLaw) and len(law.parts) == 2 and law.is_listed:
        held, free = (binomial_window(n, p) for n, p in law.parts)
        return outside_bounds(held, free, most, least)
    return law.outside_doubles(most, least) if isinstance(law, HashedCount) else (0.0, 1.0)


def spread(cases: Sequence[Case]) -> list[Case]:
    """Some of the cases, the first and the last among them."""
    places = sorted({(len(cases) - 1) * i // SPREAD for i in range(SPREAD + 1)})
    return [cases[place] for place in places]


def may_reach(cases: Sequence[Case], least: float, reach: Real) -> list[Screened]:
    """Bounds for the cases with P[|C - centre| > reach] >= least, and perhaps for others."""
    return screen(list(cases.may_reach(least, reach)) if isinstance(cases, Rising) else cases, reach)


def worst_chance(cases: Sequence[Case], alpha: Real) -> tuple[Certified, Case]:
    """The largest P[|error| > alpha] over the cases, and the case where it is taken.

    *Holds when* all cases have the same rate (caller).
    """
    reach = cases[0].error.reach_of(alpha)
    screened = may_reach(cases, max(one.low for one in screen(spread(cases), reach)), reach)
    best = max(screened, key=lambda one: one.low)
    left = [one for one in screened if one.high >= best.low and one is not best]
    if best.low == 1 or best.high == 0 or not left:
        return best.case.error.chance_at(reach), best.case
    if len(left) > MOST_CANDIDATES:
        low, high = Fraction(best.low), Fraction(max(one.high for one in screened))
        return Certified(lambda precision: span(low, high, 64), probability=True), best.case
    return largest_chance([(one.case.error.chance_at(reach), one.case) for one in (best, *left)])


def largest_chance(candidates: Sequence[tuple[Certified, Case]]) -> tuple[Certified, Case]:
    """The largest of a few certified numbers, and its case; that with the fewest elements where they tie."""
    if all(value.exact is not None for value, _ in candidates):
        return max(candidates, key=lambda pair: (pair[0].exact or 0, -pair[1].distinct))
    case = max(candidates, key=lambda pair: float(pair[0].ball(128).mid()))[1]
    return largest_of((value for value, _ in candidates), probability=True), case


def worst_alpha(cases: Sequence[Case], beta: Real) -> tuple[Real, Case]:
    """The least alpha with P[|error| > alpha] <= beta in every case, and a case in which no smaller one will do."""
    check_beta(beta)
    case = max(spread(cases), key=lambda one: one.error.usual_reach(float(beta)))
    reach = case.error.least_reach(beta)
    for one in doubtful(cases, reach, beta):  # a case that will do with a reach will do with every larger one
        if is_above(one, reach, beta):
            case, reach = one, one.error.least_reach(beta)
    return reach / case.error.rate, case


def is_above(case: Case, reach: Real, beta: Real) -> bool:
    """Whether P[|C - centre| > reach] is above beta, by its bounds if they tell."""
    low, high = bounds_of(case.error, *case.error.limits(reach))
    if beta < Fraction(low) or beta > Fraction(high):
        return bool(beta < Fraction(low))
    return case.error.chance_at(reach).decide(beta) > 0


def doubtful(cases: Sequence[Case], reach: Real, beta: Real) -> list[Case]:
    """Cases in which P[|C - centre| > reach] may be above beta, the likeliest first."""
    limit = float(beta) * (1 - 1e-15)
    screened = [one for one in may_reach(cases, limit, reach) if one.high > limit]
    return [one.case for one in sorted(screened, key=lambda one: -one.low)]
