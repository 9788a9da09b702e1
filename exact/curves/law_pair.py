"""A pair of laws (upper, lower) on named outcomes, with masses that are exact or enclosed, and its curve.

A mass is (lower end, upper end), twice the same number where it is exact.  The rest of a law is its mass on outcomes
that are not listed; nothing is known of where in them it lies.  *Bounds*: with E = e^eps, u and l the masses of an
outcome, delta is at least the sum of (u_low - E l_high)_+ over the listed outcomes plus the same for the rest as one
outcome (merging outcomes is post-processing), and at most the sum of (u_high - E l_low)_+ plus the whole rest of upper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from flint import arb, ctx, fmpq, fmpz
from panshuffle.exact.curves.curve import Curve, enclosed, factor_ends
from panshuffle.exact.errors import InputError
from panshuffle.exact.numbers.algebra import sums_to_one
from panshuffle.exact.numbers.certified import Certified, as_fraction, ball_of, decimal_ends, largest, span
from panshuffle.exact.numbers.real import Real, real, scaled_bounds

Mass = tuple[Real, Real]
NONE: Mass = (real(0), real(0))
GUARD = 64
MOST_EXACT_BITS = 1 << 28


@dataclass(frozen=True)
class LawPair:
    """Outcomes with their masses under `upper` and `lower`, and the rest of each law."""

    outcomes: tuple[str, ...]
    upper: tuple[Mass, ...]
    lower: tuple[Mass, ...]
    upper_rest: Mass = NONE
    lower_rest: Mass = NONE

    @property
    def is_exact(self) -> bool:
        """Whether every mass is one number and nothing is left out."""
        masses = (*self.upper, *self.lower)
        return self.upper_rest == NONE == self.lower_rest and all(low is high or low == high for low, high in masses)

    def swapped(self) -> LawPair:
        """The other direction."""
        return LawPair(self.outcomes, self.lower, self.upper, self.lower_rest, self.upper_rest)

    def check(self) -> None:
        """*Raises* `InputError` unless each law's masses can sum to exactly 1."""
        check_total("upper", (*self.upper, self.upper_rest))
        check_total("lower", (*self.lower, self.lower_rest))


def exact_mass(value: Real | Fraction | int) -> Mass:
    """The mass that is one number."""
    number = real(value)
    return number, number


def check_total(name: str, masses: Sequence[Mass]) -> None:
    """*Raises* `InputError` unless the masses sum to 1, or enclosures of them allow that."""
    if all(low is high or low == high for low, high in masses):
        verdict = sums_to_one([low for low, _ in masses])
        if verdict is None:
            raise InputError(
                f"whether the masses of {name} sum to exactly 1 can't be told from the expressions: "
                "write one of them as 1 minus the others"
            )
        if not verdict:
            raise InputError(f"the masses of {name} sum to {total_text(masses)}: they must sum to exactly 1")
        return
    bits = 256 + len(masses).bit_length()
    low = sum(scaled_bounds(mass[0], bits)[0] for mass in masses)
    high = sum(scaled_bounds(mass[1], bits)[1] for mass in masses)
    if not low <= 1 << bits <= high:
        raise InputError(
            f"the masses of {name}, with the remainder, sum to something in {total_text(masses)}: 1 must be in it"
        )


def total_text(masses: Sequence[Mass]) -> str:
    """The sum of masses, for a sentence."""
    bits = 256
    ends = [sum(scaled_bounds(mass[side], bits)[side] for mass in masses) for side in (0, 1)]
    low, high = (decimal_ends(Fraction(end, 1 << bits), 12)[side] for side, end in enumerate(ends))
    return low if low == high else f"[{low}, {high}]"


def pair_curve(pair: LawPair) -> Curve:
    """The certified curve of (upper, lower): exact where the masses are, from both sides otherwise."""
    return exact_curve(pair) if pair.is_exact else enclosed(one_side(pair, high=False), one_side(pair, high=True))


def gains(pair: LawPair) -> Callable[[int, int, int | None, bool], int]:
    """The function (bits, E's low end, E's high end, high) -> a bound on delta times 4^bits."""

    @lru_cache(maxsize=8)
    def scaled(bits: int, high: bool) -> list[tuple[int, int]]:
        side = int(high)
        uppers = [bound(mass[side], bits, side) for mass in pair.upper]
        lowers = [bound(mass[1 - side], bits, 1 - side) for mass in pair.lower]
        return list(zip(uppers, lowers, strict=True))

    def total(bits: int, low_factor: int, high_factor: int | None, high: bool) -> int:
        factor = low_factor if high else high_factor
        if factor is None:
            terms = (upper << bits for upper, lower in scaled(bits, high) if not lower)
        else:
            differences = ((upper << bits) - factor * lower for upper, lower in scaled(bits, high))
            terms = (difference for difference in differences if difference > 0)
        result = sum(terms)
        if high:
            return result + (bound(pair.upper_rest[1], bits, 1) << bits)
        rest = bound(pair.lower_rest[1], bits, 1)
        if factor is None:
            return result if rest else result + (bound(pair.upper_rest[0], bits, 0) << bits)
        return result + max(0, (bound(pair.upper_rest[0], bits, 0) << bits) - factor * rest)

    return total


def bound(value: Real, bits: int, side: int) -> int:
    """value * 2^bits, rounded down (side 0) or up (side 1)."""
    if value.fraction is not None:
        top = value.fraction.numerator << bits
        return -(-top // value.fraction.denominator) if side else top // value.fraction.denominator
    return scaled_bounds(value, bits)[side]


def one_side(pair: LawPair, high: bool) -> Curve:
    """The curve that bounds the pair's from below or from above."""
    total = gains(pair)

    def ball(exp_eps: Real, precision: int) -> arb:
        bits = precision + GUARD
        value = total(bits, *factor_ends(exp_eps, bits), high)
        return ball_of(Fraction(value, 1 << 2 * bits), max(precision, 64))

    limit = limit_of(pair, high)
    return Curve(ball, None, None, None if limit.sign() else lambda: pure_side(pair, high), limit)


def limit_of(pair: LawPair, high: bool) -> Real:
    """What delta tends to as eps grows, from below or from above."""
    side = int(high)
    missing = [mass[side] for mass, other in zip(pair.upper, pair.lower, strict=True) if not other[1 - side].sign()]
    if high:
        missing.append(pair.upper_rest[1])
    elif not pair.lower_rest[1].sign():
        missing.append(pair.upper_rest[0])
    return sum(missing, real(0))


def pure_side(pair: LawPair, high: bool) -> Certified:
    """The pure eps, from below or from above, where it is finite: the logarithm of the largest quotient, or 0."""
    side = int(high)
    masses = [(mass[side], other[1 - side]) for mass, other in zip(pair.upper, pair.lower, strict=True)]
    ratios = [(above, below) for above, below in masses if above.sign() > 0]

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return largest([arb(1), *(above.ball_here() / below.ball_here() for above, below in ratios)]).log()

    return Certified(evaluate, nonnegative=True)


def exact_curve(pair: LawPair) -> Curve:
    """The curve of exact masses."""
    total, limit = gains(pair), limit_of(pair, high=False)

    def ball(exp_eps: Real, precision: int) -> arb:
        bits = precision + GUARD
        ends = factor_ends(exp_eps, bits)
        low, high = (Fraction(total(bits, *ends, side), 1 << 2 * bits) for side in (False, True))
        return span(low, high, precision)

    masses = [(above[0].fraction, below[0].fraction) for above, below in zip(pair.upper, pair.lower, strict=True)]
    rational = [(above, below) for above, below in masses if above is not None and below is not None]
    if len(rational) < len(masses):
        return Curve(ball, None, None, None if limit.sign() else lambda: pure_side(pair, high=False), limit)
    highest = max((above / below for above, below in rational if below), default=Fraction(1))
    ratio = real(max(highest, Fraction(1)))
    if limit.sign():
        return Curve(ball, rational_gain(rational), limit=limit, limit_reached=ratio)
    return Curve(ball, rational_gain(rational), ratio)


def rational_gain(masses: Sequence[tuple[Fraction, Fraction]]) -> Callable[[Fraction], Fraction] | None:
    """delta at a rational e^eps, by integers over one denominator; None where that is absurdly large."""
    whole = 1
    for above, below in masses:
        whole = lcm(whole, above.denominator, below.denominator)
        if whole.bit_length() * len(masses) > MOST_EXACT_BITS:
            return None
    integers = [
        (fmpz(above.numerator * (whole // above.denominator)), fmpz(below.numerator * (whole // below.denominator)))
        for above, below in masses
    ]

    def delta(e: Fraction) -> Fraction:
        a, b = fmpz(e.numerator), fmpz(e.denominator)
        terms = (b * above - a * below for above, below in integers)
        return as_fraction(fmpq(sum((term for term in terms if term > 0), fmpz(0)), b * whole))

    return delta
