"""What one user sends to one pool, as data, and the law of the ones in a pool of many users.

A protocol says how many ones a user adds to a pool who holds its element (or the bit 1), and anybody else; the ones of
N users, C of whom are holders, have the law holder^C other^(N-C), with noise that nobody in particular adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import arb, arb_poly, ctx, fmpq, fmpz, fmpz_poly
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, law_of_binomial, rational_law
from panshuffle.exact.real import Real, as_fraction

Pair = tuple[list[fmpz], list[fmpz], fmpz]
"""The masses of the same outcomes under `upper` and under `lower`, in whole numbers over one denominator."""


@dataclass(frozen=True)
class Coin:
    """A bit that is 1 with probability p."""

    p: Real
    size: int = 1

    def masses(self, count: int, precision: int) -> list[arb]:
        """Enclosures of the masses of 0, 1, ... ones in that many draws, at the working precision."""
        listed = law_of_binomial(count, self.p, enclosed=True).enclose(precision).listed
        return [listed.get(x, arb(0)) for x in range(count + 1)]

    def numerators(self) -> tuple[list[int], int] | None:
        """The masses in whole numbers over a common denominator, where p is rational."""
        if (p := self.p.fraction) is None:
            return None
        return [p.denominator - p.numerator, p.numerator], p.denominator

    def bits(self) -> int:
        """About how many bits a draw adds to the masses of a pair of laws."""
        return 4 * self.p.fraction.denominator.bit_length() if self.p.fraction is not None else 0


@dataclass(frozen=True)
class Shares:
    """`size` bits, uniform given that their sum is odd, which has probability (1 - sign)/2, or even."""

    sign: Real
    size: int

    def masses(self, count: int, precision: int) -> list[arb]:
        """As those of a coin: products of polynomials without a negative coefficient, so that nothing cancels."""
        if self.sign.fraction == 0:  # bits that are free, all of them
            free = fmpz_poly([1, 1]) ** (self.size * count)
            return [arb(c) * arb(2) ** -(self.size * count) for c in free.coeffs()]
        odd, scale = ((1 - self.sign) / 2).accurate_ball(precision), arb(2) ** (self.size - 1)
        one = [comb(self.size, i) * (odd if i % 2 else 1 - odd) / scale for i in range(self.size + 1)]
        return list((arb_poly(one) ** count).coeffs())

    def numerators(self) -> tuple[list[int], int] | None:
        """As those of a coin."""
        if (sign := self.sign.fraction) is None:
            return None
        even, odd = sign.denominator + sign.numerator, sign.denominator - sign.numerator
        bits = [comb(self.size, i) * (odd if i % 2 else even) for i in range(self.size + 1)]
        return bits, sign.denominator << self.size

    def bits(self) -> int:
        """As those of a coin; a sum that is certain needs no denominator."""
        sign = self.sign.fraction
        if sign in (1, -1):
            return 2 * self.size
        return 4 * (self.size + sign.denominator.bit_length()) if sign is not None else 0


@dataclass(frozen=True)
class Ones:
    """A number of ones: `certain` ones, and independent draws, each with how many there are of it.

    >>> coin = Ones(1, ((Coin(Real(Fraction(1, 3))), 2),))
    >>> dict(coin.law().exact)
    {1: Fraction(4, 9), 2: Fraction(4, 9), 3: Fraction(1, 9)}
    """

    certain: int = 0
    draws: tuple[tuple[Coin | Shares, int], ...] = ()

    def times(self, count: int) -> Ones:
        """The sum of that many of them."""
        return Ones(self.certain * count, tuple((draw, n * count) for draw, n in self.draws if n * count))

    def plus(self, other: Ones) -> Ones:
        """The sum of both."""
        found: dict[Coin | Shares, int] = {}
        for draw, n in (*self.draws, *other.draws):
            found[draw] = found.get(draw, 0) + n
        return Ones(self.certain + other.certain, tuple(found.items()))

    @property
    def largest(self) -> int:
        """The largest value."""
        return self.certain + sum(draw.size * n for draw, n in self.draws)

    def bits(self) -> int:
        """About how many bits the exact masses of a pair of such laws have."""
        return sum(draw.bits() * n for draw, n in self.draws)

    def whole(self) -> tuple[list[fmpz], fmpz] | None:
        """The masses of 0, 1, ..., `largest` in whole numbers over a common denominator, where they are rational."""
        total, scale = fmpz_poly([0] * self.certain + [1]), fmpz(1)
        for draw, n in self.draws:
            found = draw.numerators()
            if found is None:
                return None
            total, scale = total * fmpz_poly(found[0]) ** n, scale * fmpz(found[1]) ** n
        return [total[i] for i in range(self.largest + 1)], scale

    def exact(self) -> list[Fraction] | None:
        """The same masses as fractions."""
        found = self.whole()
        return None if found is None else [as_fraction(fmpq(mass, found[1])) for mass in found[0]]

    def balls(self, precision: int) -> list[arb]:
        """Enclosures of the same, each that is not 0 with at least `precision` correct leading bits."""
        inner = precision + 16 + 2 * self.largest.bit_length()
        while True:
            with ctx.workprec(inner):
                total = arb_poly([0] * self.certain + [1])
                for draw, n in self.draws:
                    total *= arb_poly(draw.masses(n, inner))
                found = list(total.coeffs())
            if all(mass.rel_accuracy_bits() >= precision for mass in found[self.certain :]):
                return found
            inner *= 2

    def law(self, enclosed: bool = False) -> Law:
        """The law: exact where it is rational, unless it is asked for as enclosed."""
        if not enclosed and (masses := self.exact()) is not None:
            return rational_law(dict(enumerate(masses)))
        return enclosed_law(lambda precision: Masses(dict(enumerate(self.balls(precision))), arb(0)))


NOTHING = Ones()


@dataclass(frozen=True)
class PoolLaw:
    """The ones that a user adds to a pool as a holder and otherwise, and noise that the pool has besides.

    >>> from panshuffle.exact.real import HALF
    >>> sum_with_noise = PoolLaw(Ones(1), NOTHING, Ones(0, ((Coin(HALF), 2),)))
    >>> sum_with_noise.ones(3, 1).law().mass(2)
    Fraction(1, 2)
    """

    holder: Ones
    other: Ones
    noise: Ones = NOTHING

    def ones(self, users: int, holders: int) -> Ones:
        """The ones of a pool with that many holders among its users."""
        return self.holder.times(holders).plus(self.other.times(users - holders)).plus(self.noise)

    def change(self, users: int, holders: int) -> Pair:
        """The pool with one holder more against this one.  *Raises* `InputError` where a law is not rational.

        >>> noisy_count(1, Real(Fraction(1, 3))).change(1, 0)
        ([0, 2, 1], [2, 1, 0], 3)
        """
        more, fewer = (self.ones(users, count).whole() for count in (holders + 1, holders))
        if more is None or fewer is None:
            raise InputError("this law has no exact masses: ask for its enclosure")
        size, unit = max(len(more[0]), len(fewer[0])), more[1] * fewer[1] // more[1].gcd(fewer[1])
        laws = ([mass * (unit // scale) for mass in masses] for masses, scale in (more, fewer))
        more_masses, fewer_masses = (masses + [fmpz(0)] * (size - len(masses)) for masses in laws)
        return more_masses, fewer_masses, unit


def noisy_count(coins: int, p: Real) -> PoolLaw:
    """A holder counts, and the pool has Bin(coins, p) noise."""
    return PoolLaw(Ones(1), NOTHING, Ones(0, ((Coin(p), coins),)))


def noisy_bits(p: Real) -> PoolLaw:
    """Everybody sends a bit and a Ber(p) bit."""
    noise = ((Coin(p), 1),)
    return PoolLaw(Ones(1, noise), Ones(0, noise))


def flipped_bits(m: int, p: Real) -> PoolLaw:
    """Everybody sends m copies of a bit, each flipped with probability p."""
    return PoolLaw(Ones(0, ((Coin(1 - p), m),)), Ones(0, ((Coin(p), m),)))


def shared_bits(m: int, q: Real, held: Real) -> PoolLaw:
    """Everybody sends m shares of a bit, which is 1 with probability (1 - held)/2 for a holder, else (1 - q)/2."""
    return PoolLaw(Ones(0, ((Shares(held, m), 1),)), Ones(0, ((Shares(q, m), 1),)))
