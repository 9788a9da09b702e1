"""r independent copies of a tester that vote: the law of the number of copies that say "not uniform".

For Pois(m) samples of which each goes to a copy of its own choice, every copy has Pois(m/r) of them, independently; and
so has every copy its own noise and, after domain compression, its own partition.  So the votes are independent, each
with the exact probability of one copy.  For a fixed number of samples in equal shares they are independent as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import comb
from operator import mul

from flint import arb, arb_poly, ctx, fmpq, fmpq_poly
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.numbers.certified import Certified, as_fraction, quotient
from panshuffle.exact.parameters import THIRD, check_count, refuse_if

MOST_COPIES = 1_000
LARGEST_EXACT_BITS = 4_000


def check_copies(copies: int) -> None:
    """*Raises* `ParameterError` unless there are between 1 and 1000 copies."""
    check_count("copies", copies)
    refuse_if(copies > MOST_COPIES, "copies", copies, f"at most {MOST_COPIES}")


def votes_needed(copies: int, p: Fraction = THIRD, limit: Fraction = THIRD) -> int:
    """The least number of votes with P[Bin(copies, p) >= votes] <= limit, so that the type I error is at most that.

    A copy with the repaired threshold errs with at most p = 1/3 on uniform samples, whatever its m and lam.

    >>> [votes_needed(copies) for copies in (1, 2, 3, 5, 9, 15)]
    [1, 2, 2, 3, 5, 7]
    >>> votes_needed(5, Fraction(1, 21))
    1
    """
    check_copies(copies)
    top, bottom = p.numerator, p.denominator
    total, votes = 0, copies + 1
    while votes > 0:
        total += comb(copies, votes - 1) * top ** (votes - 1) * (bottom - top) ** (copies - votes + 1)
        if Fraction(total, bottom**copies) > limit:
            break
        votes -= 1
    return max(votes, 1)


def repeated_chance(parts: Sequence[tuple[Certified, int]], votes: int) -> Certified:
    """P[at least so many votes], for each (chance, count) of `parts` that many independent copies with this chance.

    It grows with every chance, so an enclosure of a chance gives one of the answer.

    >>> repeated_chance([(Certified.of(Fraction(1, 3)), 2), (Certified.of(Fraction(1, 2)), 1)], 2).exact
    Fraction(1, 3)
    """
    copies = sum(count for _, count in parts)
    check_copies(copies)
    if not 1 <= votes <= copies:
        raise ParameterError("votes", votes, f"a whole number from 1 to {copies}, the number of copies")
    exact = [(chance.exact, count) for chance, count in parts if chance.exact is not None]
    if len(exact) == len(parts) and sum(p.denominator.bit_length() * n for p, n in exact) <= LARGEST_EXACT_BITS:
        return Certified.of(exact_tail(exact, votes))

    def ball(precision: int) -> arb:
        chances = [(chance.ball(precision + 16), count) for chance, count in parts]
        with ctx.workprec(precision + 32):
            low, high = tail_ends(chances, votes)
            return low.union(high)

    return Certified(ball, probability=True)


def exact_tail(parts: Sequence[tuple[Fraction, int]], votes: int) -> Fraction:
    """The same for rational chances."""
    law = reduce(mul, (fmpq_poly([quotient(1 - p), quotient(p)]) ** count for p, count in parts))
    return as_fraction(sum((law[i] for i in range(votes, law.degree() + 1)), fmpq(0)))


def tail_ends(parts: Sequence[tuple[arb, int]], votes: int) -> tuple[arb, arb]:
    """The tails at the lower ends of the chances, at least 0, and at their upper ends, at most 1."""
    low = [(chance.lower().max(arb(0)), count) for chance, count in parts]
    high = [(chance.upper().min(arb(1)), count) for chance, count in parts]
    return tail_ball(low, votes), tail_ball(high, votes)


def tail_ball(parts: Sequence[tuple[arb, int]], votes: int) -> arb:
    """The tail at given chances: all terms of the product are positive."""
    law = reduce(mul, (arb_poly([1 - p, p]) ** count for p, count in parts), arb_poly([1]))
    return sum((law[i] for i in range(votes, law.degree() + 1)), arb(0))


def shares(n: int, copies: int) -> list[tuple[int, int]]:
    """(size, how many copies have it) for n users in shares that differ by one at most.

    >>> shares(7, 3), shares(6, 3)
    ([(2, 2), (3, 1)], [(2, 3)])
    """
    size, larger = divmod(n, copies)
    return [part for part in ((size, copies - larger), (size + 1, larger)) if part[1]]
