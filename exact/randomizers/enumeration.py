"""The shuffled histogram of N users of any randomizer, by enumeration: every two neighbours, every background.

The law of the histogram is a polynomial with one unknown a message: the product of the users' polynomials.  A
neighbouring pair is a background (how many of the other N - 1 users hold each input) and two inputs.  Pairs that a
renaming of inputs and messages turns into each other have the same curve, and one of them is computed.

Irrational probabilities are rounded down in one polynomial and up in another; products of polynomials without a
negative coefficient keep that order, so the masses of the histogram are enclosed.  E = e^eps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Any

from flint import arb, ctx, fmpq, fmpz, fmpz_mpoly_ctx, fmpz_poly
from panshuffle.exact.curves.curve import Curve, factor_ends
from panshuffle.exact.numbers.certified import INFINITE, Certified, as_fraction, span
from panshuffle.exact.numbers.real import Real, real, scaled_bounds
from panshuffle.exact.randomizers.randomizer import Randomizer, UserLaw

GUARD = 64
BITS_A_CELL = 1000
Background = tuple[int, ...]
Polynomial = Any
"""An `fmpz_poly` or an `fmpz_mpoly`, as `Packing` decides for all laws at once."""


@dataclass(frozen=True)
class Neighbours:
    """Two neighbouring datasets: a background, and the changed user's input under `upper` and under `lower`."""

    background: Background
    upper: int
    lower: int

    def dataset(self, own: int) -> Background:
        """How many users hold each input if the changed user holds this one."""
        return tuple(count + (i == own) for i, count in enumerate(self.background))

    def turned(self) -> Neighbours:
        """The other direction."""
        return Neighbours(self.background, self.lower, self.upper)

    def holders(self) -> list[tuple[int, int]]:
        """(input, how many of the others hold it)."""
        return [(index, count) for index, count in enumerate(self.background) if count]


def compositions(total: int, parts: int) -> Iterator[Background]:
    """All tuples of so many counts with this sum.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def cells(randomizer: Randomizer, users: int) -> int:
    """A bound on the number of histograms of so many users."""
    sizes = {sum(letter) for letter in randomizer.letters}
    free = len(randomizer.messages) - (len(sizes) == 1)
    letters = len(randomizer.letters)
    return min(comb(users * max(sizes) + free, free), comb(users + letters - 1, letters - 1))


def cost(randomizer: Randomizer, users: int) -> int:
    """Roughly how many masses of 1000 bits one point of the curve compares."""
    inputs = len(randomizer.inputs)
    pairs = comb(inputs, 2) * comb(users - 1 + inputs - 1, inputs - 1) // len(randomizer.symmetries()) + 1
    return 2 * pairs * cells(randomizer, users) * (1 + users * denominator_bits(randomizer) // BITS_A_CELL)


def memory(randomizer: Randomizer, users: int) -> int:
    """Roughly how many bits the laws of all datasets take."""
    inputs = len(randomizer.inputs)
    return comb(users + inputs - 1, inputs - 1) * cells(randomizer, users) * users * denominator_bits(randomizer)


def denominator_bits(randomizer: Randomizer) -> int:
    """The bits that one user adds to a numerator."""
    return common_denominator(randomizer).bit_length() if randomizer.is_rational else 4 * GUARD


def common_denominator(randomizer: Randomizer) -> int:
    """The least common denominator of all probabilities, where they are rational."""
    fractions = (mass.fraction or Fraction(0) for law in randomizer.laws for mass in law.values())
    return lcm(*(fraction.denominator for fraction in fractions))


def edges(randomizer: Randomizer, users: int) -> Iterator[Neighbours]:
    """Every pair of neighbours, one of each class under the symmetries of the randomizer."""
    inputs, group = len(randomizer.inputs), randomizer.symmetries()
    for first, second in combinations(range(inputs), 2):
        if any(tuple(sorted((g[first], g[second]))) < (first, second) for g in group):
            continue
        fixing = [g for g in group if {g[first], g[second]} == {first, second}]
        for background in compositions(users - 1, inputs):
            if all(moved(background, g) >= background for g in fixing):
                yield Neighbours(background, first, second)


def moved(background: Background, order: Sequence[int]) -> Background:
    """The background after a renaming of the inputs."""
    result = [0] * len(background)
    for index, count in zip(order, background, strict=True):
        result[index] = count
    return tuple(result)


class Packing:
    """How a histogram is an exponent: of one unknown where one count tells all, else of one unknown a message.

    Where all users send equally many messages, the last count follows from the others and is left out.
    """

    def __init__(self, randomizer: Randomizer) -> None:
        sizes = {sum(letter) for letter in randomizer.letters}
        self.free = len(randomizer.messages) - (len(sizes) == 1)
        self.dense = self.free <= 1
        self.context = fmpz_mpoly_ctx.get(tuple(f"y{i}" for i in range(max(1, self.free))), "lex")
        self.one: Polynomial = fmpz_poly([1]) if self.dense else self.context.constant(1)

    def polynomial(self, masses: Mapping[tuple[int, ...], int]) -> Polynomial:
        """The polynomial with these coefficients."""
        if not self.dense:
            return self.context.from_dict({letter[: self.free]: mass for letter, mass in masses.items()})
        places = {sum(letter[: self.free]): mass for letter, mass in masses.items()}
        return fmpz_poly([places.get(i, 0) for i in range(max(places) + 1)])


def terms(polynomial: Polynomial) -> dict[object, fmpz]:
    """The coefficients that are not 0, by their exponents."""
    if isinstance(polynomial, fmpz_poly):
        return {i: c for i, c in enumerate(polynomial.coeffs()) if c}
    return dict(polynomial.to_dict())


class Level:
    """The polynomials of all datasets: numerators rounded down and up to so many bits, exact where bits is None."""

    def __init__(self, randomizer: Randomizer, users: int, bits: int | None) -> None:
        self.users = users
        self.packing = Packing(randomizer)
        unit = common_denominator(randomizer) if bits is None else 1 << bits
        self.scale = fmpz(unit) ** users
        self.sides = (0,) if bits is None else (0, 1)
        self.letters = [[self.polynomial(law, unit, bits, side) for law in randomizer.laws] for side in self.sides]
        self.powers: dict[tuple[int, int, int], Polynomial] = {}
        self.laws: dict[tuple[int, Background], Polynomial] = {}

    def polynomial(self, law: UserLaw, unit: int, bits: int | None, side: int) -> Polynomial:
        """The polynomial of one user."""
        if bits is None:
            return self.packing.polynomial({letter: int(mass.constant * unit) for letter, mass in law.items()})
        return self.packing.polynomial({letter: scaled_bounds(mass, bits)[side] for letter, mass in law.items()})

    def power(self, side: int, index: int, count: int) -> Polynomial:
        """So many users with one input."""
        key = (side, index, count)
        if key not in self.powers:
            self.powers[key] = self.letters[side][index] ** count
        return self.powers[key]

    def law(self, dataset: Background, side: int) -> Polynomial:
        """The numerators of the histogram's law, rounded down (0) or up (1)."""
        side = min(side, self.sides[-1])
        key = (side, dataset)
        if key not in self.laws:
            result = self.packing.one
            for index, count in enumerate(dataset):
                result = result * self.power(side, index, count)
            self.laws[key] = result
        return self.laws[key]


def gain(upper: Polynomial, lower: Polynomial, top: int | None, bottom: int) -> fmpz:
    """bottom times the sum of (upper - (top/bottom)*lower)_+ ; top None stands for an infinite factor."""
    if top is None:
        missing = terms(lower)
        return bottom * sum((c for key, c in terms(upper).items() if key not in missing), fmpz(0))
    return sum((c for c in (bottom * upper - top * lower).coeffs() if c > 0), fmpz(0))


def smallest_bits(randomizer: Randomizer) -> int:
    """So many bits that no probability is rounded down to 0."""
    bits = 1
    masses = [mass for law in randomizer.laws for mass in law.values()]
    while any(scaled_bounds(mass, bits)[0] <= 0 for mass in masses):
        bits *= 2
    return bits


class Shuffled:
    """The curve over all neighbours and backgrounds of N users."""

    def __init__(self, randomizer: Randomizer, users: int) -> None:
        self.randomizer, self.users = randomizer, users
        self.edges = list(edges(randomizer, users))
        self.smallest = 0 if randomizer.is_rational else smallest_bits(randomizer)
        self.level = lru_cache(maxsize=2)(lambda bits: Level(randomizer, users, bits))

    def pairs(self) -> Iterator[Neighbours]:
        """Every pair in both directions."""
        for edge in self.edges:
            yield from (edge, edge.turned())

    def bits(self, precision: int) -> int | None:
        """The bits of the probabilities: None where they are exact."""
        return None if self.randomizer.is_rational else precision + GUARD + self.users.bit_length() + self.smallest

    def gains(self, level: Level, top: int | None, bottom: int, high: bool) -> Iterator[tuple[fmpz, Neighbours]]:
        """bottom * scale * delta of every pair in both directions, rounded up (high) or down."""
        side = int(high)
        for pair in self.pairs():
            upper, lower = pair.dataset(pair.upper), pair.dataset(pair.lower)
            yield gain(level.law(upper, side), level.law(lower, 1 - side), top, bottom), pair

    def exact(self, e: Fraction) -> Fraction:
        """delta at a rational e^eps, for rational probabilities."""
        level = self.level(None)
        best = max(value for value, _ in self.gains(level, e.numerator, e.denominator, high=False))
        return as_fraction(fmpq(best, level.scale * e.denominator))

    def ball(self, exp_eps: Real, precision: int) -> arb:
        """An enclosure of delta at e^eps."""
        level, shift = self.level(self.bits(precision)), precision + GUARD
        low, high = factor_ends(exp_eps, shift)
        least = max(value for value, _ in self.gains(level, high, 1 << shift, high=False))
        most = max(value for value, _ in self.gains(level, low, 1 << shift, high=True))
        low_end, high_end = (as_fraction(fmpq(end, level.scale << shift)) for end in (least, most))
        return span(low_end, high_end, precision)

    def worst(self, exp_eps: Real) -> Neighbours:
        """A pair whose delta is the largest, up to rounding."""
        level = self.level(self.bits(64))
        _, high = factor_ends(exp_eps, 128)
        return max(self.gains(level, high, 1 << 128, high=False), key=lambda item: item[0])[1]

    def limit(self) -> Real:
        """delta as eps grows, rounded down where it is irrational."""
        if len({frozenset(law) for law in self.randomizer.laws}) == 1:
            return real(0)
        level = self.level(self.bits(128))
        best = max(value for value, _ in self.gains(level, None, 1, high=False))
        return Real(Fraction(int(best), int(level.scale)))

    def pure_epsilon(self) -> Certified:
        """The eps from which on delta is 0."""
        if self.limit().sign():
            return INFINITE
        return Certified(self.largest_ratio, nonnegative=True)

    def largest_ratio(self, precision: int) -> arb:
        """The logarithm of the largest ratio of masses, over all pairs, histograms and directions."""
        level = self.level(self.bits(precision))
        low = high = fmpz(1) << precision
        for pair in self.pairs():
            datasets = (pair.dataset(pair.upper), pair.dataset(pair.lower))
            above, below = ([terms(level.law(data, side)) for side in (0, 1)] for data in datasets)
            for key in above[0]:
                low = max(low, (above[0][key] << precision) // below[1][key])
                high = max(high, -(-(above[1][key] << precision) // below[0][key]))
        with ctx.workprec(precision):
            return span(Fraction(int(low), 1 << precision), Fraction(int(high), 1 << precision), precision).log()

    def curve(self) -> Curve:
        """The whole curve."""
        exact: Callable[[Fraction], Fraction] | None = self.exact if self.randomizer.is_rational else None
        limit = self.limit()
        return Curve(self.ball, exact, None, None if limit.sign() else self.pure_epsilon, limit)
