"""The worst of many error laws: doubles with a proved error sort out the few that balls have to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from exact.accuracy.affine_error import AffineError, CountLaw, check_beta
from exact.accuracy.hashed import HashedCount
from exact.errors import ParameterError
from exact.numbers.certified import Certified, largest_of, span
from exact.numbers.real import Real

MOST_WORK = 400_000_000
MOST_CANDIDATES = 64
MOST_VIOLATIONS = 32


@dataclass(frozen=True)
class Case:
    """One kind of input, by its number of distinct elements, and the error that it leads to."""

    distinct: int
    error: AffineError


@dataclass(frozen=True)
class Screened:
    """A case and certain bounds of a probability."""

    case: Case
    low: float
    high: float


def screen(cases: Sequence[Case], reach: Real) -> list[Screened]:
    """Bounds of P[|C - centre| > reach] for each case."""
    from exact.laws.double_law import binomial_window, outside_bounds

    found = []
    for case in cases:
        law, (most, least) = case.error.law, case.error.limits(reach)
        plain = law.plain(most, least)
        if plain is not None:
            bounds = (float(plain), float(plain))
        elif isinstance(law, CountLaw) and len(law.parts) == 2:
            held, free = (binomial_window(n, p) for n, p in law.parts)
            bounds = outside_bounds(held, free, most, least)
        elif isinstance(law, HashedCount):
            bounds = law.outside_doubles(most, least)
        else:
            bounds = (0.0, 1.0)
        found.append(Screened(case, *bounds))
    return found


def check_work(cases: int, pools: int) -> None:
    """*Raises* `ParameterError` where there are too many cases to look at each."""
    if cases > 1 and cases * pools > MOST_WORK:
        raise ParameterError(
            "distinct", "absent", "given for so many elements: there are too many cases to look at each"
        )


def worst_chance(cases: Sequence[Case], alpha: Real) -> tuple[Certified, int]:
    """The largest P[|error| > alpha] over the cases, and the number of distinct elements where it is taken.

    *Holds when* all cases have the same rate (caller).
    """
    reach = cases[0].error.reach_of(alpha)
    screened = screen(cases, reach)
    best = max(screened, key=lambda one: one.low)
    left = [one for one in screened if one.high >= best.low and one is not best]
    if best.low == 1 or best.high == 0 or not left:
        return best.case.error.chance_at(reach), best.case.distinct
    if len(left) > MOST_CANDIDATES:
        low, high = Fraction(best.low), Fraction(max(one.high for one in screened))
        return Certified(lambda precision: span(low, high, 64), probability=True), best.case.distinct
    return largest_chance([(one.case.error.chance_at(reach), one.case.distinct) for one in (best, *left)])


def largest_chance(candidates: Sequence[tuple[Certified, int]]) -> tuple[Certified, int]:
    """The largest of a few certified numbers, and its label; the first label where they tie."""
    if all(value.exact is not None for value, _ in candidates):
        return max(candidates, key=lambda pair: (pair[0].exact or 0, -pair[1]))
    label = max(candidates, key=lambda pair: float(pair[0].ball(128).mid()))[1]
    return largest_of((value for value, _ in candidates), probability=True), label


def worst_alpha(cases: Sequence[Case], beta: Real) -> tuple[Real, int]:
    """The least alpha with P[|error| > alpha] <= beta in every case, and a case in which no smaller one will do."""
    check_beta(beta)
    case = max(cases, key=lambda one: one.error.usual_reach(float(beta)))
    reach = case.error.least_reach(beta)
    while worse := violations(cases, reach, beta):
        for one in worse:
            if one.error.chance_at(reach).decide(beta) > 0:
                case, reach = one, one.error.least_reach(beta)
    return reach / case.error.rate, case.distinct


def violations(cases: Sequence[Case], reach: Real, beta: Real) -> list[Case]:
    """Cases in which P[|C - centre| > reach] is above beta: the likeliest first, and not all where there are many."""
    limit = float(beta)
    doubtful = [one for one in screen(cases, reach) if one.high > limit * (1 - 1e-15)]
    likeliest = (one.case for one in sorted(doubtful, key=lambda one: -one.low))
    return list(islice((case for case in likeliest if case.error.chance_at(reach).decide(beta) > 0), MOST_VIOLATIONS))
