"""The answer of the transformed tester, given its state: the exact law of the statistic at the end.

The rest of the stream and the dummies after it, R executions of R_UT, turn the doubled count ones - zeros of a pool
into itself + n - R + 2h + S, where h of the R hold its element and S is the difference of two Pois(R lam/(2n)).  Of
these h some are elements of the stream, which are known, and some a multinomial share of the dummies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import factorial

from flint import arb, ctx, fmpz_poly
from panshuffle.crosscheck.mass_tables import BITS, MassTable
from panshuffle.crosscheck.reference.model import ANALYZER, NOISE, STATE
from panshuffle.exact.accuracy.uniformity import Statistic
from panshuffle.exact.laws.integer_law import poisson_floor
from panshuffle.exact.real import Real, real, span

FINE, COARSE = 44, 20
"""Bits of a mass.  What is left out is counted as unknown: too little to be seen, or for mistakes, some 1e-5."""
MUCH = 8  # times the work of the right law
SCALES = ("1/4", "1/2", "2", "4")

Key = tuple[int, ...]
"""The doubled counts of all pools, and the number of elements that are still used."""


@dataclass(frozen=True)
class Ending:
    """What follows the intrusion, and the analyzer, which takes the number of executions to be `n`.

    `kept` says how the elements still used are counted on, `element` is what dummies hold where they are not uniform.
    """

    n: int
    k: int
    m: Real
    tau: Real
    mean: Real
    stream: tuple[int, ...]
    last: int
    kept: str = "first"
    element: int | None = None
    exchanged: bool = False
    bits: int = FINE

    @cached_property
    def statistic(self) -> Statistic:
        """The lattice of the statistic."""
        return Statistic(self.m, self.mean * self.n, ((Fraction(1, self.k), self.k),))

    @cached_property
    def room(self) -> int:
        """By how much the terms of all pools may exceed their lowest value without "not uniform"."""
        return self.statistic.least_rejected(self.tau) - self.k * lowest_of(self.statistic)

    @property
    def executions(self) -> int:
        """Of the randomizer, from the intrusion on."""
        return len(self.stream) + self.last

    def work(self) -> int | None:
        """About how many masses are multiplied for one law; no lattice holds the statistic of an irrational m."""
        return self.k**2 * max(1, self.room) * (self.executions + 1) if self.m.fraction is not None else None

    def chance(self, key: Key) -> arb:
        """P["not uniform" | state], enclosed."""
        *doubled, left = key
        used = {"first": self.stream[:left], "all": self.stream, "none": ()}[self.kept]
        dummies = self.executions - len(used)
        held = [used.count(j) for j in range(1, self.k + 1)]
        if self.element is not None:
            held[self.element - 1] += dummies
            dummies = 0
        starts = [w + self.n - self.executions + 2 * h for w, h in zip(doubled, held, strict=True)]
        low, high = self.accepted(starts, dummies)
        return span(low, high, BITS) if self.exchanged else span(1 - high, 1 - low, BITS)

    def accepted(self, starts: Sequence[int], dummies: int) -> tuple[Fraction, Fraction]:
        """Between what the chance lies that all terms, less the lowest each, add up to less than `room`.

        A term that exceeds it alone is left out.  The polynomials are in x, whose power counts dummies, and z, for the
        terms: x is z^width.
        """
        if self.room <= 0:
            return Fraction(0), Fraction(0)
        width, mean = (self.k - 1) * (self.room - 1) + 1, self.executions * self.mean / 2
        *pools, last = (
            pool_of(self.statistic, mean, self.room, width, dummies, self.k, self.bits, start) for start in starts
        )
        product, totals = fmpz_poly([1]), last.totals
        for pool in pools:
            product, totals = product.mul_low(pool.masses, width * (dummies + 1)), totals * pool.totals
        masses = product.coeffs()
        inside = sum(
            mass * last.up_to[dummies - c][self.room - 1 - place]
            for c in range(dummies + 1)
            for place, mass in enumerate(masses[c * width : c * width + self.room])
        )
        unit = Fraction(factorial(dummies), (self.k * rate(dummies, self.k)) ** dummies * 2 ** (self.bits * self.k))
        low = int(inside) * unit
        return low, min(Fraction(1), low + 1 - int(totals[dummies]) * unit)

    def law(self, key: Key) -> MassTable:
        """The law of the answer, 1 for "not uniform"."""
        p = self.chance(key)
        with ctx.workprec(BITS):
            return MassTable(0, (1 - p, p), arb(0), 0, 1)

    def mistakes(self) -> Iterator[tuple[str, str, Ending]]:
        """What goes wrong from the intrusion on, or in the analyzer: in words, the area, and the ending, coarsely.

        Those whose laws take much longer than the right one are left out.
        """
        coarse, most = replace(self, bits=COARSE), MUCH * (self.work() or 0)
        yield from (one for one in coarse.wrong_ends() if (one[2].work() or 0) <= most)

    def wrong_ends(self) -> Iterator[tuple[str, str, Ending]]:
        """The same, as finely as this one."""
        yield "the two answers are exchanged", ANALYZER, replace(self, exchanged=True)
        yield (
            "what is held is analyzed as it is: neither stream nor dummies follow",
            STATE,
            replace(self, stream=(), last=0),
        )
        yield "no dummies after the stream", STATE, replace(self, last=0)
        yield "n dummies after the stream", STATE, replace(self, last=self.n)
        yield "twice as many dummies after the stream", STATE, replace(self, last=2 * self.last)
        yield "the dummies that follow hold one element, not uniform ones", STATE, replace(self, element=1)
        if self.stream:
            yield "the rest of the stream is left out", STATE, replace(self, stream=())
            yield "all other elements of the stream are used", STATE, replace(self, kept="all")
            yield "no other element of the stream is used", STATE, replace(self, kept="none")
        yield "no noise is added to the rest of the stream and the dummies", NOISE, replace(self, mean=real(0))
        yield "n is not taken off the sizes of the pools", ANALYZER, replace(self, n=0)
        factor = self.k / self.m
        yield "the statistic lacks its factor k/m", ANALYZER, replace(self, tau=self.tau * factor)
        yield "the statistic has its factor k/m twice", ANALYZER, replace(self, tau=self.tau / factor)
        for scale in map(real, SCALES):
            yield f"tau is {float(scale):g} times as large", ANALYZER, replace(self, tau=self.tau * scale)
        yield "tau is 0, or negated", ANALYZER, replace(self, tau=real(0))


@dataclass(frozen=True)
class Pool:
    """One pool with 0, 1, ... dummies: the masses of its term below the bound, added up or not, and their totals."""

    masses: fmpz_poly
    up_to: tuple[tuple[int, ...], ...]
    totals: fmpz_poly


@lru_cache(maxsize=16)
def difference(mean: Real, bits: int) -> tuple[tuple[int, int], ...]:
    """The difference of two Poisson draws: values and masses, rounded down, in units of 2^-bits."""
    draws = poisson_floor(mean, 2 * bits)
    law = draws.plus(draws.image(lambda x: -x))
    return tuple((x, int(mass) >> bits) for x, mass in law.items() if int(mass) >> bits)


@lru_cache(maxsize=4096)
def pool_of(of: Statistic, mean: Real, room: int, width: int, dummies: int, k: int, bits: int, start: int) -> Pool:
    """The pool whose doubled count, but for dummies and noise, is `start`; c dummies have weight r^c/c!."""
    index, lowest, noise = of.index_function(), lowest_of(of), difference(mean, bits)
    rows, totals = list[list[int]](), list[int]()
    for c in range(dummies + 1):
        weight, row = int(Fraction(rate(dummies, k) ** c, factorial(c)) * 2**bits), [0] * room
        parts = [(index(start + 2 * c + x) - lowest, weight * mass >> bits) for x, mass in noise]
        for place, mass in parts:
            if place < room:
                row[place] += mass
        rows.append(row)
        totals.append(sum(mass for _, mass in parts))
    masses = [mass for row in rows for mass in (*row, *[0] * (width - room))]
    return Pool(fmpz_poly(masses), tuple(tuple(accumulate(row)) for row in rows), fmpz_poly(totals))


@lru_cache(maxsize=64)
def lowest_of(of: Statistic) -> int:
    """The least index of one pool's term, which is a parabola in the doubled count."""
    (a, b), index = of.scale(), of.index_function()
    centre = (2 * a + b) // b
    return min(index(w) for w in (centre, centre + 1))


def rate(dummies: int, k: int) -> Fraction:
    """About how many dummies a pool gets."""
    return Fraction(max(1, dummies), k)
