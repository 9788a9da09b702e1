"""Laws on the integers by lower bounds of their masses: integers q_x with q_x <= 2^bits P[X = x].

Sums of independent variables, powers and images of such bounds, with every product rounded down, are such bounds again.
True masses sum to 1, so what the bounds lack in total is all that an event can have beyond them:

    Q(event) <= 2^bits P[event] <= Q(event) + (2^bits - Q(everything)).

So one sum certifies everything that was dropped on the way: rounding, tails and truncation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt
from flint import arb, ctx, fmpz, fmpz_poly
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.noise import Noise, PoissonLaw, around, binomial_law, binomial_mass_ball, working_bits
from panshuffle.exact.real import Real, span

GUARD = 64


@dataclass(frozen=True)
class IntegerLaw:
    """Lower bounds of the masses at first, first + 1, ..., in units of 2^-bits."""

    masses: fmpz_poly
    first: int
    bits: int

    def total(self) -> int:
        """The sum of the bounds."""
        return int(self.masses(1))

    def items(self) -> Iterator[tuple[int, fmpz]]:
        """(value, bound) in order."""
        return enumerate(self.masses.coeffs(), start=self.first)

    def rounded(self, masses: fmpz_poly, first: int) -> IntegerLaw:
        """The law whose masses are given in units of 2^-2bits."""
        return replace(self, masses=masses // (1 << self.bits), first=first)

    def plus(self, other: IntegerLaw) -> IntegerLaw:
        """The law of the sum with an independent variable.

        >>> coin = IntegerLaw(fmpz_poly([8, 8]), 0, 4)
        >>> list(coin.plus(coin).masses)
        [4, 8, 4]
        """
        return self.rounded(self.masses * other.masses, self.first + other.first)

    def times(self, count: int, cut: int | None = None) -> IntegerLaw:
        """The law of the sum of that many independent copies; each end of a sum loses less than 2^-cut of mass.

        >>> list(IntegerLaw(fmpz_poly([8, 8]), 0, 4).times(3).masses)
        [2, 6, 6, 2]
        """
        result, power = point(0, self.bits), self
        while count:
            if count & 1:
                result = result.plus(power).cut(cut)
            count >>= 1
            if count:
                power = power.plus(power).cut(cut)
        return result

    def cut(self, cut: int | None = None) -> IntegerLaw:
        """Without ends of less than 2^-cut of mass, or without the zeros at the lower end."""
        if cut is None and self.masses[0]:
            return self
        masses = self.masses.coeffs()
        least = fmpz(1) if cut is None else fmpz(1) << (self.bits - cut)
        start, _ = light(masses, least)
        count, _ = light(masses[start:][::-1], least) if cut is not None else (0, fmpz(0))
        if not start and not count:
            return self
        kept = fmpz_poly(masses[start : len(masses) - count])
        return replace(self, masses=kept, first=self.first + start)

    def above(self, cut: int) -> IntegerLaw:
        """Without the masses below 2^-cut.

        >>> list(IntegerLaw(fmpz_poly([1, 9, 6]), 0, 4).above(1).masses)
        [9]
        """
        least = 1 << max(0, self.bits - cut)
        return law_of_masses({x: int(mass) for x, mass in self.items() if mass >= least}, self.bits)

    def image(self, function: Callable[[int], int]) -> IntegerLaw:
        """The law of a function of the variable.

        >>> list(IntegerLaw(fmpz_poly([4, 8, 4]), -1, 4).image(abs).masses)
        [8, 8]
        """
        found: dict[int, int] = {}
        for x, mass in self.items():
            if mass:
                value = function(x)
                found[value] = found.get(value, 0) + int(mass)
        return law_of_masses(found, self.bits)

    def moved(self, by: int) -> IntegerLaw:
        """The law of X + by."""
        return replace(self, first=self.first + by)

    def weighted(self, weight: int) -> IntegerLaw:
        """The measure times a weight in units of 2^-bits."""
        return self.rounded(self.masses * weight, self.first)

    def added(self, other: IntegerLaw) -> IntegerLaw:
        """The sum of two measures.

        >>> list(IntegerLaw(fmpz_poly([1, 2]), 0, 4).added(IntegerLaw(fmpz_poly([5]), 3, 4)).masses)
        [1, 2, 0, 5]
        """
        first = min(self.first, other.first)
        return replace(self, masses=self.masses_from(first) + other.masses_from(first), first=first)

    def masses_from(self, first: int) -> fmpz_poly:
        """The masses of first, first + 1, ..., where `first` is at most the first that is listed."""
        return self.masses.left_shift(self.first - first)

    def at_least(self, least: int) -> int:
        """The sum of the bounds at `least` and beyond."""
        return int(fmpz_poly(self.masses.coeffs()[max(0, least - self.first) :])(1))

    @property
    def missing(self) -> arb:
        """From 0 to all that the bounds lack in total, in units of 2^-bits."""
        return arb(0).union(arb((1 << self.bits) - self.total()))

    def enclosed(self, counted: int) -> arb:
        """The probability of an event of which so much is counted from below: that, and at most all that is missing."""
        unit = 1 << self.bits
        most = min(unit, counted + unit - self.total())
        return span(Fraction(counted, unit), Fraction(most, unit), self.bits + 16)

    def chance(self, least: int) -> arb:
        """P[X >= least]."""
        return self.enclosed(self.at_least(least))


def light(masses: Iterable[fmpz], least: fmpz) -> tuple[int, fmpz]:
    """How many masses, from the first on, sum to less than this, and their sum."""
    total, count = fmpz(0), 0
    for mass in masses:
        if total + mass >= least:
            break
        total, count = total + mass, count + 1
    return count, total


def point(value: int, bits: int) -> IntegerLaw:
    """All mass at one value."""
    return IntegerLaw(fmpz_poly([1 << bits]), value, bits)


def law_of_masses(masses: Mapping[int, int], bits: int) -> IntegerLaw:
    """The law with these bounds by value; they are rounded already."""
    if not masses:
        return IntegerLaw(fmpz_poly([]), 0, bits)
    first, last = min(masses), max(masses)
    return IntegerLaw(fmpz_poly([masses.get(x, 0) for x in range(first, last + 1)]), first, bits)


def poisson_floor(mu: Real, bits: int) -> IntegerLaw:
    """Pois(mu) from below, its tails cut off where a mass is below 2^-bits.

    >>> from panshuffle.exact.real import real
    >>> law = poisson_floor(real(1), 64)
    >>> 0 <= 2**64 - law.total() < 200
    True
    """
    if mu.sign() == 0:
        return point(0, bits)
    precision = working_bits(bits + GUARD, mu.ceil())
    return noise_floor(PoissonLaw(mu.accurate_ball(precision)), mu.floor(), bits, precision)


def binomial_floor(n: int, p: Real, bits: int) -> IntegerLaw:
    """Bin(n, p) from below, its tails cut off where a mass is below 2^-bits.

    >>> from panshuffle.exact.real import HALF
    >>> law = binomial_floor(2, HALF, 64)
    >>> 0 <= 2**64 - law.total() <= 3
    True
    """
    if n == 0 or p.fraction in (0, 1):
        return point(n if p.fraction == 1 else 0, bits)
    precision = working_bits(bits + GUARD, n)
    return noise_floor(binomial_law(n, p, precision), min((p * (n + 1)).floor(), n), bits, precision)


def noise_floor(noise: Noise, centre: int, bits: int, precision: int) -> IntegerLaw:
    """The masses on both sides of a central one, rounded down, until they vanish."""
    with ctx.workprec(precision):
        first, balls = around(noise, centre, bits)
        unit = arb(2) ** bits
        masses = [(ball.lower().max(0) * unit).floor().unique_fmpz() or 0 for ball in balls]
    return IntegerLaw(fmpz_poly(masses), first, bits)


# Laws on the integers in double precision, with a proved bound on what rounding can do, and tails of sums of two.
#
# A mass is the central one, from a ball, times ratios: each step costs at most 5 roundings of relative size u = 2^-53.
# All terms are positive, so a sum of s of them, in any order, costs at most s more.  What lies outside of the window
# has probability at most 2 e^-240 (Bernstein's inequality); so have, with room, the masses that underflow.


UNIT = 2.0**-53
DROPPED = 5e-101
ACCURATE = 70
SMALL, LARGEST_KEPT = 2_000, 1_000_000
"""Coins up to which thousands of windows are remembered, and up to which a few are: 170 kilobytes each."""
LEAST_NORMAL = 1e-290
"""Above this a product has its full relative accuracy."""

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DoubleLaw:
    """Masses at first, first + 1, ..., each within a relative `error`; at most `outside` lies elsewhere."""

    first: int
    masses: Doubles
    error: float
    outside: float = DROPPED

    @property
    def last(self) -> int:
        """The last value that is listed."""
        return self.first + len(self.masses) - 1

    def trimmed(self, least: float) -> DoubleLaw:
        """The law without what sums to less than this at either end."""
        start = int(np.searchsorted(np.cumsum(self.masses), least))
        stop = len(self.masses) - int(np.searchsorted(np.cumsum(self.masses[::-1]), least))
        return DoubleLaw(self.first + start, self.masses[start:stop], self.error, self.outside + 2.1 * least)


def around_mass(mass: arb, ups: Doubles, downs: Doubles) -> Doubles:
    """The masses around a central one, from the ratios of neighbours on either side of it."""
    centre = [float(mass.mid())]
    above, below = (np.cumprod(np.concatenate([centre, ratios])) for ratios in (ups, downs))
    return np.concatenate([below[:0:-1], above])


def binomial_window(n: int, p: Real) -> DoubleLaw:
    """Bin(n, p) around its mean, remembered where it is not huge.

    >>> from panshuffle.exact.real import HALF
    >>> binomial_window(2, HALF).masses.tolist()
    [0.25, 0.5, 0.25]
    """
    return small_window(n, p) if n <= SMALL else window(n, p) if n <= LARGEST_KEPT else new_window(n, p)


def new_window(n: int, p: Real) -> DoubleLaw:
    """The same, computed.  *Raises* `Undecided` where its central mass is not known well enough."""
    if n == 0 or p.fraction in (0, 1):
        return DoubleLaw(n if p.fraction == 1 else 0, np.ones(1), 0.0)
    chance, odds_ball = floats_of(p)
    centre, variance = min(int(chance * (n + 1)), n), n * chance * (1 - chance)
    ball = binomial_mass_ball(n, p, centre, 128)
    if min(ball.rel_accuracy_bits(), odds_ball.rel_accuracy_bits()) < ACCURATE:
        raise Undecided(f"the masses of Bin({n}, p) are not known to double precision")
    reach = 202 + isqrt(480 * (int(variance * 1.000001) + 2))
    ups = np.arange(centre, min(n, centre + reach), dtype=np.float64)
    downs = np.arange(centre, max(0, centre - reach), -1, dtype=np.float64)
    odds = float(odds_ball.mid())
    masses = around_mass(ball, odds * (n - ups) / (ups + 1), downs / (odds * (n - downs + 1)))
    whole = len(masses) == n + 1 and masses.min() > LEAST_NORMAL
    return DoubleLaw(centre - len(downs), masses, (6 * len(masses) + 8) * UNIT, 0.0 if whole else DROPPED)


@lru_cache(maxsize=64)
def floats_of(p: Real) -> tuple[float, arb]:
    """p to about a double's precision, and its odds."""
    return float(p), (p / (1 - p)).accurate_ball(128)


small_window, window = lru_cache(maxsize=4096)(new_window), lru_cache(maxsize=128)(new_window)
"""The same, remembered."""


def outside_bounds(left: DoubleLaw, right: DoubleLaw, most: int, least: int) -> tuple[float, float]:
    """Bounds of P[A + B <= most or A + B >= least], A and B independent with these masses.

    >>> from panshuffle.exact.real import HALF
    >>> low, high = outside_bounds(binomial_window(1, HALF), binomial_window(1, HALF), 0, 2)
    >>> low <= 1/2 <= high and high - low < 1e-13
    True
    """
    if len(left.masses) > len(right.masses):
        left, right = right, left
    size = len(right.masses)
    lower = np.concatenate([[0.0], np.cumsum(right.masses)])
    upper = np.concatenate([np.cumsum(right.masses[::-1])[::-1], [0.0]])
    a = np.arange(left.first, left.first + len(left.masses))
    below = lower[np.clip(most - a - right.first + 1, 0, size)]
    above = upper[np.clip(least - a - right.first, 0, size)]
    total = float(np.dot(left.masses, below + above))
    error = left.error + right.error + (size + len(a) + 8) * UNIT
    error *= 1 + 1e-6
    outside = left.outside + right.outside
    return max(0.0, total * (1 - error) - outside), min(1.0, total * (1 + error) + outside)
