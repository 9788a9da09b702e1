"""The error of an estimate that is an affine function of a count, (C - centre)/rate, and sums of binomial counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from math import ceil, erfc, floor, isqrt

import numpy as np
from flint import arb, ctx, fmpq, fmpz
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.integer_law import IntegerLaw, binomial_floor, binomial_window, outside_bounds
from panshuffle.exact.laws.noise import binomial_lower_ball, binomial_upper_ball
from panshuffle.exact.laws.pool_law import Coin, Ones
from panshuffle.exact.parameters import check_count, check_open_unit, check_positive, refuse_if
from panshuffle.exact.real import (
    HALF,
    Certified,
    Real,
    as_fraction,
    exp,
    first_true,
    largest_of,
    log,
    real,
    span,
    sqrt,
)

LARGEST_EXACT = 2_000
LARGEST_DENOMINATOR = 10**6
LARGEST_VARIANCE = 10**11
"""A sum of two binomial laws of more has some ten million masses, which take half a minute and a gigabyte."""


def outside(law: CountLaw | HashedCount, most: int, least: int) -> Certified:
    """P[C <= most or C >= least], for most < least.

    >>> outside(CountLaw(((2, HALF),)), 0, 2).exact
    Fraction(1, 2)
    """
    plain = plainly_outside(law, most, least)
    return law.tails(most, least) if plain is None else Certified.of(plain)


def plainly_outside(law: CountLaw | HashedCount, most: int, least: int) -> int | None:
    """That probability where it is plainly 0 or 1."""
    if most >= least - 1 or most >= law.largest or least <= 0:
        return 1
    return 0 if most < 0 and least > law.largest else None


@dataclass(frozen=True)
class AffineError:
    """error = (C - centre)/rate, rate > 0, C with a known law.

    Distances from the centre are kept in units of C, where the expressions are linear and their signs can be decided.
    """

    law: CountLaw | HashedCount
    rate: Real
    centre: Real

    def chance(self, alpha: Real) -> Certified:
        """P[|error| > alpha].  *Raises* `ParameterError` for a negative alpha."""
        return self.chance_at(self.reach_of(alpha))

    def reach_of(self, alpha: Real) -> Real:
        """alpha in units of C."""
        refuse_if(alpha < 0, "alpha", alpha, "at least 0")
        return alpha * self.rate

    def chance_at(self, reach: Real) -> Certified:
        """P[|C - centre| > reach]."""
        return outside(self.law, *self.limits(reach))

    def limits(self, reach: Real) -> tuple[int, int]:
        """The largest count that is more than `reach` below the centre, and the least that is as much above it."""
        return (self.centre - reach).ceil() - 1, (self.centre + reach).floor() + 1

    def least_alpha(self, beta: Real) -> Real:
        """The least alpha with P[|error| > alpha] <= beta: the size of one of the possible errors, or 0."""
        return self.least_reach(beta) / self.rate

    def least_reach(self, beta: Real) -> Real:
        """The same in units of C.  *Raises* `ParameterError` unless 0 <= beta <= 1."""
        check_beta(beta)
        if self.chance_at(real(0)).decide(beta) <= 0:
            return real(0)

        def good(i: int) -> bool:
            return self.chance_beyond(self.nearest(i)).decide(beta) <= 0

        most = 2 * (self.law.largest + abs(self.centre.floor())) + 4
        found = first_true(good, most, round(2 * self.usual_reach(float(beta))))
        reach = self.nearest(found) - self.centre
        return reach if reach.sign() >= 0 else -reach

    def usual_reach(self, beta: float) -> float:
        """About what a normal law of the same mean and variance would give; where a search starts."""
        bias, spread = float(self.law.mean() - self.centre), max(1e-9, float(self.law.variance())) ** 0.5
        low, high = 0.0, abs(bias) + 40 * spread
        for _ in range(60):
            middle = (low + high) / 2
            tails = sum(erfc((middle + sign * bias) / spread / 2**0.5) / 2 for sign in (1, -1))
            low, high = (middle, high) if tails > beta else (low, middle)
        return low

    def nearest(self, i: int) -> int:
        """The whole number that i others are nearer to the centre than.

        >>> error = AffineError(CountLaw(()), real(1), real("13/4"))
        >>> [error.nearest(i) for i in range(5)]
        [3, 4, 2, 5, 1]
        """
        floor = self.centre.floor()
        if self.centre - floor <= Fraction(1, 2):
            return floor - i // 2 if i % 2 == 0 else floor + (i + 1) // 2
        return floor + 1 + i // 2 if i % 2 == 0 else floor - i // 2

    def chance_beyond(self, c: int) -> Certified:
        """P[|error| > the size that the count c has]: counts strictly further from the centre than c."""
        mirror = 2 * self.centre - c
        if (c - self.centre).sign() >= 0:
            return outside(self.law, mirror.ceil() - 1, c + 1)
        return outside(self.law, c - 1, mirror.floor() + 1)

    def mean(self) -> Real:
        """The bias, E[error]."""
        return (self.law.mean() - self.centre) / self.rate

    def variance(self) -> Real:
        """Var[error]."""
        return self.law.variance() / (self.rate * self.rate)


def check_beta(beta: Real) -> None:
    """*Raises* `ParameterError` unless 0 <= beta <= 1."""
    refuse_if(not (beta >= 0 and beta <= 1), "beta", beta, "between 0 and 1")


@dataclass(frozen=True)
class CountLaw:
    """The sum of independent Bin(n, p), one for each (n, p) of `parts`."""

    parts: tuple[tuple[int, Real], ...]

    @property
    def largest(self) -> int:
        """The largest value."""
        return sum(n for n, _ in self.parts)

    def mean(self) -> Real:
        """E[C]."""
        return sum((n * p for n, p in self.parts), real(0))

    def variance(self) -> Real:
        """Var[C]."""
        return sum((n * p * (1 - p) for n, p in self.parts), real(0))

    def tails(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least].  *Raises* `InputError` for two counts of a huge variance."""
        if self.exact is not None:
            masses, denominator = self.exact
            kept = sum(masses[max(0, most + 1) : max(0, least)], fmpz(0))
            return Certified.of(1 - as_fraction(fmpq(kept, denominator)))
        parts = [part for part in self.parts if part[0]]
        if len(parts) == 1:
            n, p = parts[0]
            ends = partial(binomial_lower_ball, n, p, most), partial(binomial_upper_ball, n, p, least)
            return Certified(lambda precision: ends[0](precision) + ends[1](precision), probability=True)
        if not self.is_listed:
            known = f"a standard deviation above {isqrt(LARGEST_VARIANCE)}"
            raise InputError(f"the error is a sum of two binomial counts of {known}, too many outcomes for its law")
        return Certified(lambda precision: self.outside_ball(most, least, precision + 24), probability=True)

    @property
    def is_listed(self) -> bool:
        """Whether the outcomes that matter are few enough to list their masses."""
        return self.largest <= LARGEST_VARIANCE or self.variance() <= LARGEST_VARIANCE

    def outside_doubles(self, most: int, least: int) -> tuple[float, float]:
        """Bounds of the same for two counts, from doubles with a proved error."""
        if len(self.parts) != 2 or not self.is_listed:
            return 0.0, 1.0
        held, free = (binomial_window(n, p) for n, p in self.parts)
        return outside_bounds(held, free, most, least)

    def outside_ball(self, most: int, least: int, bits: int) -> arb:
        """The same from masses rounded down: what is counted, and what is missing in total."""
        law = count_floor(self, bits)
        return law.enclosed(sum(int(mass) for x, mass in law.items() if not most < x < least))

    @cached_property
    def exact(self) -> tuple[list[fmpz], fmpz] | None:
        """The masses over a common denominator, where the probabilities are rational and the counts small."""
        if self.largest > LARGEST_EXACT or any(p.constant.denominator > LARGEST_DENOMINATOR for _, p in self.parts):
            return None
        return Ones(0, tuple((Coin(p), n) for n, p in self.parts if n)).whole()


@lru_cache(maxsize=8)
def count_floor(law: CountLaw, bits: int) -> IntegerLaw:
    """The masses of the sum, rounded down."""
    return reduce(IntegerLaw.plus, [binomial_floor(n, p, bits) for n, p in law.parts])


# The worst of many error laws: doubles with a proved error sort out the few that balls have to decide.
#
# *Many cases at once.* Let the count C rise stochastically, and its centre rise, with the case. Between two cases a
# and b the upper tail P[C >= least] is at most that of b's law from a's limit on, and the lower one at most that of
# a's law up to b's limit: their sum bounds every case between them. Stretches that may hold a larger value are
# divided.


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
class Cases:
    """Cases that are built when they are looked at; `rising` says that their counts, of two kinds of coins, rise.

    So do their centres.
    """

    size: int
    at: Callable[[int], Case]
    rising: bool = True

    def of(self, places: Iterable[int]) -> list[Case]:
        """The cases at these places."""
        return [self.at(place) for place in places]

    def spread(self) -> list[Case]:
        """Some of the cases, the first and the last among them."""
        return self.of(sorted({(self.size - 1) * i // SPREAD for i in range(SPREAD + 1)}))

    def may_reach(self, least: float, reach: Real) -> list[Case]:
        """The cases with P[|C - centre| > reach] >= least, and perhaps others that are not seen to be below."""
        if not self.rising:
            return self.of(range(self.size))
        stretches, found = [(0, self.size - 1)], list[Case]()
        while stretches:
            first, last = stretches.pop()
            if last - first < 2:
                found += self.of(range(first, last + 1))
            elif between(self.at(first).error, self.at(last).error, reach) >= least:
                middle = (first + last) // 2
                stretches += [(first, middle), (middle + 1, last)]
        return found


def listed(cases: Sequence[Case]) -> Cases:
    """Cases of which nothing is known."""
    return Cases(len(cases), cases.__getitem__, rising=False)


def between(first: AffineError, last: AffineError, reach: Real) -> float:
    """A bound of P[|C - centre| > reach] for the first and the last case and all between them; reach a bit smaller."""
    far = float(reach) - 1e-9 * (1 + last.law.largest)
    above = bounds_of(last, -1, floor(float(first.centre) + far) + 1)[1]
    return above + bounds_of(first, ceil(float(last.centre) - far) - 1, last.law.largest + 1)[1]


def screen(cases: Sequence[Case], reach: Real) -> list[tuple[float, float, Case]]:
    """Bounds of P[|C - centre| > reach] for each case, and the case."""
    return [(*bounds_of(case.error, *case.error.limits(reach)), case) for case in cases]


def bounds_of(error: AffineError, most: int, least: int) -> tuple[float, float]:
    """Bounds of P[C <= most or C >= least]."""
    plain = plainly_outside(error.law, most, least)
    return error.law.outside_doubles(most, least) if plain is None else (float(plain), float(plain))


def worst_chance(cases: Cases, alpha: Real) -> tuple[Certified, Case]:
    """The largest P[|error| > alpha] over the cases, and the case where it is taken.

    *Holds when* all cases have the same rate (caller).
    """
    reach = cases.at(0).error.reach_of(alpha)
    least = max(low for low, _, _ in screen(cases.spread(), reach))
    screened = screen(cases.may_reach(least, reach), reach)
    best = max(screened, key=lambda one: one[0])
    left = [one for one in screened if one[1] >= best[0] and one is not best]
    if best[0] == 1 or best[1] == 0 or not left:
        return best[2].error.chance_at(reach), best[2]
    if len(left) > MOST_CANDIDATES:
        low, high = Fraction(best[0]), Fraction(max(high for _, high, _ in screened))
        return Certified(lambda precision: span(low, high, 64), probability=True), best[2]
    return largest_chance([(case.error.chance_at(reach), case) for _, _, case in (best, *left)])


def largest_chance(candidates: Sequence[tuple[Certified, Case]]) -> tuple[Certified, Case]:
    """The largest of a few certified numbers, and its case; that with the fewest elements where they tie."""
    if all(value.exact is not None for value, _ in candidates):
        return max(candidates, key=lambda pair: (pair[0].exact or 0, -pair[1].distinct))
    case = max(candidates, key=lambda pair: float(pair[0].ball(128).mid()))[1]
    return largest_of((value for value, _ in candidates), probability=True), case


def worst_alpha(cases: Cases, beta: Real) -> tuple[Real, Case]:
    """The least alpha with P[|error| > alpha] <= beta in every case, and a case in which no smaller one will do."""
    check_beta(beta)
    case = max(cases.spread(), key=lambda one: one.error.usual_reach(float(beta)))
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


def doubtful(cases: Cases, reach: Real, beta: Real) -> list[Case]:
    """Cases in which P[|C - centre| > reach] may be above beta, the likeliest first."""
    limit = float(beta) * (1 - 1e-15)
    screened = [(low, case) for low, high, case in screen(cases.may_reach(limit, reach), reach) if high > limit]
    return [case for _, case in sorted(screened, key=lambda one: -one[0])]


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
) -> Cases:
    """A case for each number of distinct elements, in rising order."""
    return Cases(len(counts), lambda i: Case(counts[i], estimate_error(k, counts[i], eps, gamma, corrected)))


def transformed_cases(k: int, counts: Sequence[int], eps: Real) -> Cases:
    """The same for the pan-private counter: its dummies hold the element 1, which the stream may lack.

    For each number D, D pools are held and then D + 1, if there are as many; both rise from each to the next.

    >>> [case.error.law.mean().fraction for case in transformed_cases(2, [1], log(real(2))).spread()]
    [Fraction(3, 4), Fraction(1, 1)]
    """
    places = 2 * len(counts) - (1 if counts and counts[-1] == k else 0)

    def case(place: int) -> Case:
        distinct = counts[place // 2]
        return Case(distinct, estimate_error(k, distinct, eps, held=distinct + place % 2))

    return Cases(places, case)


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
class HashedCount:
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
                ball = outside(self.given(c), most, least).ball(precision + 8)
                with ctx.workprec(precision + 16):
                    total += ball * arb(fmpq(chance, self.pools**self.distinct))
        return total

    def outside_doubles(self, most: int, least: int) -> tuple[float, float]:
        """Bounds of the same, from doubles with a proved error."""
        masses, error = self.collision_window
        low = high = counted = 0.0
        for c, mass in enumerate(masses):
            if mass > 1e-20:
                bounds = self.given(c).outside_doubles(most, least)
                low, high, counted = low + mass * bounds[0], high + mass * bounds[1], counted + mass
        slack = error + (len(masses) + 4) * 2.0**-52
        missing = max(0.0, 1 - counted * (1 - slack))
        return max(0.0, low * (1 - slack)), min(1.0, high * (1 + slack) + missing)

    @cached_property
    def collision_window(self) -> tuple[list[float], float]:
        """Approximate probabilities of 0, 1, ... collisions and a bound on their relative error.

        What is not in the window is missing from the total, which is how it is accounted for.
        """
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

    *Formula*: with h values hit there are as many as injections of the h classes of a partition of the elements.

    >>> collision_law(3, 2)
    [0, 6, 2]
    """
    hits = range(distinct, 0, -1)
    return [int(fmpz.stirling_s2(distinct, h) * fmpz.bin_uiui(pools, h) * fmpz.fac_ui(fmpz(h))) for h in hits]


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


# The errors of the sums and histograms: binomial noise, as the protocols leave it or less its mean.


LARGEST_EXACT_BITS = 4_000


def noise_error(coins: int, p: Real, debiased: bool) -> AffineError:
    """The error of a sum with Bin(coins, p) noise: the noise itself, or the noise less its mean.

    >>> noise_error(4, HALF, False).chance(real(3)).exact
    Fraction(1, 16)
    >>> noise_error(4, HALF, True).chance(real(1)).exact
    Fraction(1, 8)
    """
    check_count("coins", coins, 0)
    return AffineError(CountLaw(((coins, p),)), real(1), coins * p if debiased else real(0))


def pan_sum_error(lam: int, debiased: bool) -> AffineError:
    """Q_ZSUM: the two draws together are Bin(2 lam, 1/2)."""
    check_count("lam", lam)
    return noise_error(2 * lam, HALF, debiased)


def any_of(one: Certified, bins: int) -> Certified:
    """1 - (1 - chance)^bins: that at least one of that many independent bins does what one does with this chance."""
    if one.exact is not None and one.exact.denominator.bit_length() * bins <= LARGEST_EXACT_BITS:
        return Certified.of(1 - (1 - one.exact) ** bins)

    def ball(precision: int) -> arb:
        chance = one.ball(precision + bins.bit_length())
        with ctx.workprec(precision + bins.bit_length() + 16):
            return -((-chance).log1p() * bins).expm1() if chance < 1 else arb(1)

    return Certified(ball, probability=True)


def largest_error(error: AffineError, bins: int, alpha: Real) -> Certified:
    """P[the largest of the errors of independent bins is above alpha].

    >>> largest_error(noise_error(1, HALF, False), 2, real(0)).exact
    Fraction(3, 4)
    """
    check_count("k", bins)
    return any_of(error.chance(alpha), bins)


def least_alpha_of(error: AffineError, bins: int, beta: Real) -> Real:
    """The least alpha with P[the largest error is above alpha] <= beta."""
    check_beta(beta)
    if beta >= 1:
        return real(0)
    return error.least_alpha(share_of(beta, bins))


def share_of(beta: Real, bins: int) -> Real:
    """The chance of one of the given number of independent bins with which that of any of them is beta."""
    return 1 - (1 - beta) ** (1 / real(bins))


@dataclass(frozen=True)
class ClippedSum:
    """P^zsum as its analyzer has it, max(0, ones - n), for `users` of n users and their bits in each of k bins.

    The error of a bin that holds S ones is -min(S, n - B), B ~ Bin(users, p): it is above alpha in size only where
    S is.  At most users/(floor(alpha) + 1) bins hold that many, and the worst data have as many of those as possible.
    """

    n: int
    users: int
    p: Real
    bins: int = 1

    def chance(self, alpha: Real) -> Certified:
        """The largest P[the largest error is above alpha] over all data.

        >>> ClippedSum(2, 2, HALF).chance(real(0)).exact
        Fraction(3, 4)
        """
        refuse_if(alpha < 0, "alpha", alpha, "at least 0")
        least = alpha.floor() + 1
        full = min(self.bins, self.users // least)
        law = CountLaw(((self.users, self.p),))
        return any_of(outside(law, self.n - least, self.users + 1), full) if full else Certified.of(0)

    def least_alpha(self, beta: Real) -> Real:
        """The least alpha with that probability at most beta, a whole number."""
        check_beta(beta)
        return real(first_true(lambda alpha: self.chance(real(alpha)).decide(beta) <= 0, self.users))


# The error of the Poisson-binomial sum, for every number of ones among the data.


def sum_error(users: int, ones: int, m: int, p: Real, absent: int = 0) -> AffineError:
    """The error where the given number of the users hold 1: (C - E[C])/(m(1 - 2p)), C a sum of two binomial counts.

    An estimate that takes off the noise of `absent` users more is off by that.

    >>> from panshuffle.exact.real import real
    >>> sum_error(2, 1, 1, real("1/4")).chance(real("1/2")).exact
    Fraction(3, 8)
    """
    law = CountLaw(((m * ones, 1 - p), (m * (users - ones), p)))
    return AffineError(law, m * (1 - 2 * p), law.mean() + m * absent * p)


def cases(users: int, m: int, p: Real, absent: int = 0) -> Cases:
    """One case for each number of ones; exchanging 0 and 1 turns an unbiased error around: half of them are enough.

    Where that is too much work, no ones and half of them: all have the same variance, and a skewness between theirs.
    """
    most = users if absent else users // 2
    looked_at = range(most + 1) if all_cases(users, m) else (0, users // 2)
    return listed([Case(ones, sum_error(users, ones, m, p, absent)) for ones in looked_at])


def all_cases(users: int, m: int) -> bool:
    """Whether every number of ones is looked at."""
    return (users // 2 + 1) * users * m <= MOST_WORK
