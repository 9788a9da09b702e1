"""The worst of many error laws: doubles with a proved error sort out the few that balls have to decide.

*Many cases at once.*  Let the count C rise stochastically, and its centre rise, with the case.  Between two cases a and
b the upper tail P[C >= least] is at most that of b's law from a's limit on, and the lower one at most that of a's law
up to b's limit: their sum bounds every case between them.  Stretches that may hold a larger value are divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, isqrt
from typing import overload

from flint import arb, ctx, fmpq
from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw, Tails, check_beta, first_true
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.integer_law import binomial_window, outside_bounds
from panshuffle.exact.parameters import check_count, check_open_unit, check_positive, refuse_if
from panshuffle.exact.real import HALF, Certified, Real, exp, largest_of, log, real, span, sqrt

MOST_WORK = 400_000_000
MOST_CANDIDATES = 64
SPREAD = 32
"""This many cases, evenly spread, are looked at first."""


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


# The error of P_DE: C_j is a fair bit where j is held, and Ber((1 - Q)/2) elsewhere, Q = (1 - e^-eps)^(N/n).


LARGEST_DOMAIN = 10**9


def estimate_error(
    k: int,
    distinct: int,
    eps: Real,
    gamma: Real | None = None,
    corrected: bool = False,
    held: int | None = None,
) -> AffineError:
    """The error z - D of P_DE with D distinct elements among the honest users' data, a fraction gamma of n.

    With dropouts A_DE is biased; `corrected` is the estimate (2C - k(1-Q))/Q from the number of users that the messages
    show, which is unbiased for every gamma, and the same as A_DE at gamma = 1.  `held` is the number of pools that
    hold something, where that is not D.

    >>> estimate_error(16, 16, log(real(2))).chance(real(19)).exact
    Fraction(697, 32768)
    """
    check_count("k", k)
    check_positive("eps", eps)
    refuse_if(k > LARGEST_DOMAIN, "k", k, f"at most {LARGEST_DOMAIN}, for the law of the error")
    held = distinct if held is None else held
    if not 0 <= held <= k:
        raise ParameterError("distinct", held, f"a whole number from 0 to {k}")
    free, rate = chances(eps, gamma, corrected)
    law = CountLaw(((held, HALF), (k - held, free)))
    return AffineError(law, rate, HALF * k - (k - distinct) * rate)


@lru_cache(maxsize=64)
def chances(eps: Real, gamma: Real | None, corrected: bool) -> tuple[Real, Real]:
    """(1 - Q)/2, the chance of a one where nobody holds an element, and half of what the estimate divides by."""
    full = 1 - exp(-eps)
    share = full ** (gamma if gamma is not None else real(1))
    return (1 - share) / 2, (share if corrected else full) / 2


def distinct_cases(
    k: int, counts: Sequence[int], eps: Real, gamma: Real | None = None, corrected: bool = False
) -> Rising:
    """A case for each number of distinct elements, in rising order."""
    return Rising(len(counts), lambda i: Case(counts[i], estimate_error(k, counts[i], eps, gamma, corrected)))


def transformed_cases(k: int, counts: Sequence[int], eps: Real) -> Rising:
    """The same for the pan-private counter: its dummies hold the element 1, which the stream may lack.

    For each number D, D pools are held and then D + 1, if there are as many; both rise from each to the next.

    >>> [case.error.law.mean().fraction for case in transformed_cases(2, [1], log(real(2)))]
    [Fraction(3, 4), Fraction(1, 1)]
    """
    places = 2 * len(counts) - (1 if counts and counts[-1] == k else 0)

    def case(place: int) -> Case:
        distinct = counts[place // 2]
        return Case(distinct, estimate_error(k, distinct, eps, held=distinct + place % 2))

    return Rising(places, case)


def paper_alpha(k: int, eps: Real, beta: Real) -> Real:
    """Theorem de_upper, Part II: e^eps/(e^eps-1) sqrt(2k ln(2/beta))."""
    check_open_unit("beta", beta)
    return exp(eps) / (exp(eps) - 1) * sqrt(2 * k * log(2 / beta))


def paper_beta(k: int, eps: Real, alpha: Real) -> Real:
    """The same, solved for beta: 2 exp(-alpha^2 (1 - e^-eps)^2/(2k)).

    >>> from panshuffle.exact.real import real
    >>> alpha = paper_alpha(16, real(1), real("1/10"))
    >>> round(float(paper_beta(16, real(1), alpha)), 12)
    0.1
    """
    ratio = alpha * (1 - exp(-eps))
    return 2 * exp(-(ratio * ratio) / (2 * k))


def geometric_chance(eps: Real, alpha: Real) -> Certified:
    """P[|V| > alpha] for the two-sided geometric noise V of the central baseline: 2 e^(-eps (a+1))/(1 + e^-eps).

    >>> geometric_chance(log(real(2)), real(0)).exact
    Fraction(2, 3)
    """
    check_positive("eps", eps)
    refuse_if(alpha < 0, "alpha", alpha, "at least 0")
    return Certified.of(2 * exp(-eps * (alpha.floor() + 1)) / (1 + exp(-eps)))


def geometric_alpha(eps: Real, beta: Real) -> int:
    """The least alpha with P[|V| > alpha] <= beta, a whole number.

    >>> geometric_alpha(log(real(2)), real("1/3"))
    1
    """
    check_open_unit("beta", beta)
    guess = max(0, int(float(log(2 / (beta * (1 + exp(-eps)))) / eps)))
    return first_true(lambda alpha: geometric_chance(eps, real(alpha)).decide(beta) <= 0, 2 * guess + 4, guess)


# The error of P_HDE: the pools that are hit by D elements under a uniformly random hash function, then P_DE.
#
# The number of collisions, D less the number of values hit, is a Markov chain over the elements: the next one collides
# with probability (values hit so far)/k'.  Given it, the count of ones is a sum of two binomial counts.


SMALL_DISTINCT, SMALL_POOLS = 100, 2_000
MOST_DISTINCT = 10**6
MOST_POOLS = 10**10


@dataclass(frozen=True)
class HashedCount(Tails):
    """The number of ones among `pools` sums, with `distinct` elements hashed to them by a random function."""

    pools: int
    distinct: int
    p: Real

    @property
    def largest(self) -> int:
        """The largest value."""
        return self.pools

    def mean(self) -> Real:
        """E[C], from the expected number k'(1 - (1 - 1/k')^D) of values hit."""
        hit = self.pools * (1 - empty(self.pools, self.distinct, 1))
        return hit / 2 + (self.pools - hit) * self.p

    def variance(self) -> Real:
        """Var[C]: within a number of values hit, and between them."""
        k, d = self.pools, self.distinct
        one, two = empty(k, d, 1), empty(k, d, 2)
        hit = k * (1 - one)
        spread = k * (k - 1) * two + k * one - k * k * one * one
        tilt = HALF - self.p
        return hit / 4 + (k - hit) * self.p * (1 - self.p) + tilt * tilt * spread

    def given(self, collisions: int) -> CountLaw:
        """The law of the count given the number of collisions."""
        hit = self.distinct - collisions
        return CountLaw(((hit, HALF), (self.pools - hit, self.p)))

    def tails(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least]: to any precision for few elements, to about nine digits for many."""
        if self.distinct <= SMALL_DISTINCT and self.pools <= SMALL_POOLS:
            return Certified(lambda precision: self.outside_ball(most, least, precision), probability=True)

        def ball(precision: int) -> arb:
            low, high = map(Fraction, self.outside_doubles(most, least))
            return span(low, high, 64)

        return Certified(ball, probability=True)

    def outside_ball(self, most: int, least: int, precision: int) -> arb:
        """The same from the exact law of the collisions."""
        total = arb(0)
        for c, chance in enumerate(collision_law(self.distinct, self.pools)):
            if chance:
                ball = self.given(c).outside(most, least).ball(precision + 8)
                with ctx.workprec(precision + 16):
                    total += ball * arb(fmpq(chance, self.pools**self.distinct))
        return total

    def outside_doubles(self, most: int, least: int) -> tuple[float, float]:
        """Bounds of the same, from doubles with a proved error."""
        from panshuffle.exact.laws.integer_law import binomial_window, outside_bounds

        masses, error = self.collision_window
        low = high = counted = 0.0
        for c, mass in enumerate(masses):
            if mass > 1e-20:
                windows = [binomial_window(n, p) for n, p in self.given(c).parts]
                bounds = outside_bounds(windows[0], windows[1], most, least)
                low, high, counted = low + mass * bounds[0], high + mass * bounds[1], counted + mass
        slack = error + (len(masses) + 4) * 2.0**-52
        missing = max(0.0, 1 - counted * (1 - slack))
        return max(0.0, low * (1 - slack)), min(1.0, high * (1 + slack) + missing)

    @cached_property
    def collision_window(self) -> tuple[list[float], float]:
        """Approximate probabilities of 0, 1, ... collisions and a bound on their relative error.

        What is not in the window is missing from the total, which is how it is accounted for.
        """
        import numpy as np

        expected = self.distinct**2 // (2 * self.pools) + 1
        size = min(self.distinct, expected + 12 * isqrt(expected) + 40)
        law, c = np.zeros(size), np.arange(size, dtype=np.float64)
        law[0] = 1.0
        for d in range(1, self.distinct):
            stay = (self.pools - d + c) / self.pools
            collide = np.maximum(d - c, 0.0) / self.pools
            moved = law * collide
            law *= stay
            law[1:] += moved[:-1]
        return law.tolist(), 5 * self.distinct * 2.0**-53


def empty(pools: int, distinct: int, named: int) -> Real:
    """The probability that the given number of named pools are hit by no element."""
    return exp(distinct * log(1 - real(named) / pools)) if pools > named else real(0)


@lru_cache(maxsize=8)
def collision_law(distinct: int, pools: int) -> list[int]:
    """How many of the pools^distinct functions have 0, 1, ... collisions.

    >>> collision_law(3, 2)
    [0, 6, 2]
    """
    counts = [1] + [0] * (distinct - 1)
    for d in range(distinct):
        hit = [d - c for c in range(distinct)]
        after = [counts[c] * max(0, pools - hit[c]) for c in range(distinct)]
        for c in range(distinct - 1):
            after[c + 1] += counts[c] * max(0, hit[c])
        counts = after
    return counts


def hashed_error(n: int, pools: int, distinct: int, eps: Real, gamma: Real | None = None) -> AffineError:
    """The error z - D of P_HDE with D distinct elements, hashed to `pools` values by a uniformly random function.

    *Raises* `ParameterError` for sizes that the laws are not made for.
    """
    check_count("n", n)
    check_positive("eps", eps)
    refuse_if(not 1 <= distinct <= MOST_DISTINCT, "distinct", distinct, f"a whole number from 1 to {MOST_DISTINCT}")
    refuse_if(pools > MOST_POOLS, "n", n, f"such that there are at most {MOST_POOLS} pools")
    full = 1 - exp(-eps)
    share = full ** (gamma if gamma is not None else real(1))
    law = HashedCount(pools, distinct, (1 - share) / 2)
    return AffineError(law, full / 2, (pools - (pools - distinct) * full) / 2)


def hashed_paper_alpha(n: int, c: Real, eps: Real, beta: Real) -> Real:
    """The corollary on P_HDE, Part II, as printed: the noise term has no c, and for c > 1 it is false."""
    check_open_unit("beta", beta)
    size = real(n) ** (real(1) / 3)
    noise = sqrt(2 * (size * size * size * size + 1) * log(4 / beta))
    return 2 * size * size / (c * beta) + exp(eps) / (exp(eps) - 1) * noise
