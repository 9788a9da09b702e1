"""The law of a sum of n independent whole numbers, with one-sided rounding and a bound on what is left out.

Masses are integers over 2^BITS.  Both ends of a law are cut where less than 2^-CUT of mass is; `dropped` bounds, in the
same unit, the mass of the true law that the listed masses don't speak of.  Of all other mass, the listed ones are upper
bounds (up) or lower bounds (not up): every product is rounded in that direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import fmpz, fmpz_poly

BITS = 256
CUT = 208
UNIT = 1 << BITS


@dataclass(frozen=True)
class Row:
    """Masses of first, first + 1, ..., and what was dropped."""

    first: int
    masses: fmpz_poly
    dropped: int

    def items(self) -> list[fmpz]:
        """The masses in order."""
        return list(self.masses.coeffs())


def row_of(masses: Mapping[int, int]) -> Row:
    """The row of one step; the masses are rounded already."""
    first, last = min(masses), max(masses)
    return Row(first, fmpz_poly([masses.get(x, 0) for x in range(first, last + 1)]), 0)


def product(left: Row, right: Row, up: bool) -> Row:
    """The law of the sum of two independent numbers."""
    exact = left.masses * right.masses
    masses = exact // UNIT
    if up:
        masses += fmpz_poly([1] * len(exact))
    return cut(Row(left.first + right.first, masses, left.dropped + right.dropped))


def cut(row: Row) -> Row:
    """The row without ends of little mass."""
    masses = row.items()
    least = fmpz(1) << (BITS - CUT)
    start, stop, below, above = 0, len(masses), fmpz(0), fmpz(0)
    while start < stop and below + masses[start] < least:
        below += masses[start]
        start += 1
    while stop > start and above + masses[stop - 1] < least:
        above += masses[stop - 1]
        stop -= 1
    if start == 0 and stop == len(masses):
        return row
    return Row(row.first + start, fmpz_poly(masses[start:stop]), row.dropped + int(below + above))


def power(step: Row, count: int, up: bool) -> Row:
    """The law of the sum of `count` independent copies."""
    result, square = Row(0, fmpz_poly([UNIT]), 0), step
    while count:
        if count & 1:
            result = product(result, square, up)
        count >>= 1
        if count:
            square = product(square, square, up)
    return result
