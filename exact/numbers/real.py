"""Exact real numbers: rationals, and expressions in exp, log and powers that are evaluated on demand.

A `Real` is a rational constant plus a rational combination of atoms (an exponential, a logarithm, a
power or a product).  Rational arithmetic is carried out at once and exactly; an atom is kept as it is
and enclosed by a ball whenever somebody needs digits.  A binary float can't get in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from flint import arb, ctx, fmpz
from panshuffle.exact.errors import NumberError, Undecided, shortened
from panshuffle.exact.numbers.certified import (
    FIRST_PRECISION,
    LAST_PRECISION,
    ball_bounds,
    finite,
    floor_of,
    quotient,
    refine,
)

LARGEST_RATIONAL_BITS = 1 << 22
LARGEST_FOLDED_BITS = 1 << 12

AtomKind = Literal["exp", "log", "pow", "mul"]


@dataclass(frozen=True, slots=True)
class Atom:
    """exp(x), log(x), x^y or x*y: what rational arithmetic can't simplify."""

    kind: AtomKind
    args: tuple[Real, ...]

    def ball(self) -> arb:
        """An enclosure at the working precision."""
        balls = [arg.ball_here() for arg in self.args]
        if self.kind == "exp":
            return balls[0].exp()
        if self.kind == "log":
            return balls[0].log()
        if self.kind == "mul":
            return balls[0] * balls[1]
        exponent = self.args[1].fraction
        if exponent is not None and exponent.denominator == 1:
            return balls[0] ** fmpz(exponent.numerator)
        return balls[0] ** balls[1]

    def __str__(self) -> str:
        if self.kind in ("exp", "log"):
            return f"{self.kind}({self.args[0]})"
        return f"({self.args[0]}){'^' if self.kind == 'pow' else '*'}({self.args[1]})"


@dataclass(frozen=True, slots=True)
class Real:
    """An exact real number.

    Equality and hash are structural: equal objects are equal numbers, but two different expressions
    may denote one number.  The order relations are decided by balls and raise `Undecided` where
    the precision limit does not suffice.

    >>> real("0.1") + real("1/3")
    Real('13/30')
    >>> (1 - real("exp(-1)")).ball(30).str(5, radius=False)
    '0.63212'
    >>> real("exp(log(7))")
    Real('7')
    """

    constant: Fraction
    terms: tuple[tuple[Atom, Fraction], ...] = ()
    known_hash: int | None = field(default=None, init=False, compare=False, repr=False)

    def __hash__(self) -> int:
        if self.known_hash is None:
            object.__setattr__(self, "known_hash", hash((self.constant, self.terms)))
        return self.known_hash or 0

    @property
    def fraction(self) -> Fraction | None:
        """The number as a rational, where the normal form shows that it is one."""
        return None if self.terms else self.constant

    def ball_here(self) -> arb:
        """An enclosure at the precision that is in force."""
        total = arb(quotient(self.constant))
        for atom, factor in self.terms:
            total += atom.ball() * arb(quotient(factor))
        return total

    def ball(self, precision: int) -> arb:
        """An enclosure computed with `precision` bits (not all of them need be right)."""
        with ctx.workprec(precision):
            return self.ball_here()

    def accurate_ball(self, bits: int) -> arb:
        """An enclosure with at least `bits` correct leading bits.  *Raises* `Undecided` near zero."""
        if not self.terms:
            return self.ball_here() if ctx.prec > bits + 1 else self.ball(bits + 16)
        what, first = (lambda: f"the digits of {shortened(self)}"), bits + 16
        return refine(self.ball, lambda ball: ball.rel_accuracy_bits() >= bits, what, first)

    def sign(self) -> int:
        """1, 0 or -1.  *Raises* `Undecided` for a zero that the normal form does not show."""
        if self.fraction is not None:
            return (self.fraction > 0) - (self.fraction < 0)
        ball = refine(self.ball, lambda ball: ball > 0 or ball < 0, lambda: f"the sign of {shortened(self)}")
        return 1 if ball > 0 else -1

    def floor(self) -> int:
        """The largest integer that is not above the number."""
        if self.fraction is not None:
            return self.fraction.__floor__()
        return floor_of(self.ball, lambda: f"the integer part of {shortened(self)}")

    def ceil(self) -> int:
        """The smallest integer that is not below the number."""
        return -(-self).floor()

    def __add__(self, other: Real | Fraction | int) -> Real:
        other = real(other)
        terms = (*self.terms, *other.terms)
        return combination(self.constant + other.constant, terms) if terms else Real(self.constant + other.constant)

    def __neg__(self) -> Real:
        return scaled(self, Fraction(-1))

    def __sub__(self, other: Real | Fraction | int) -> Real:
        return self + -real(other)

    def __mul__(self, other: Real | Fraction | int) -> Real:
        other = real(other)
        if self.terms and other.terms:
            return product(self, other)
        return scaled(self, other.constant) if self.terms else scaled(other, self.constant)

    def __truediv__(self, other: Real | Fraction | int) -> Real:
        return self * real(other) ** -1

    def __pow__(self, exponent: Real | Fraction | int) -> Real:
        return power(self, real(exponent))

    def __radd__(self, other: Fraction | int) -> Real:
        return self + other

    def __rsub__(self, other: Fraction | int) -> Real:
        return real(other) - self

    def __rmul__(self, other: Fraction | int) -> Real:
        return self * other

    def __rtruediv__(self, other: Fraction | int) -> Real:
        return real(other) / self

    def compare(self, other: Real | Fraction | int) -> int:
        """1, 0 or -1 as the number is above, equal to or below the other.  *Raises* as `sign`."""
        if self.terms or (isinstance(other, Real) and other.terms):
            return (self - other).sign()
        value = other if isinstance(other, Fraction) else real(other).constant if type(other) is not int else other
        gap = self.constant.numerator * value.denominator - value.numerator * self.constant.denominator
        return (gap > 0) - (gap < 0)

    def __lt__(self, other: Real | Fraction | int) -> bool:
        return self.compare(other) < 0

    def __le__(self, other: Real | Fraction | int) -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: Real | Fraction | int) -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: Real | Fraction | int) -> bool:
        return self.compare(other) >= 0

    def __float__(self) -> float:
        """The number rounded to a double, for display only; what no precision tells from 0 is 0."""
        if self.fraction is not None:
            return float(self.fraction)
        try:
            return float(self.accurate_ball(FIRST_PRECISION).mid())
        except Undecided:
            return float(finite(self.ball, LAST_PRECISION).mid())

    def __str__(self) -> str:
        parts = [fraction_text(self.constant)] if self.constant or not self.terms else []
        parts += [str(atom) if factor == 1 else f"{fraction_text(factor)}*{atom}" for atom, factor in self.terms]
        return " + ".join(parts)

    def __repr__(self) -> str:
        return f"Real({str(self)!r})"


def fraction_text(value: Fraction) -> str:
    """p/q in full, however many digits there are."""
    numerator, denominator = str(fmpz(value.numerator)), str(fmpz(value.denominator))
    return numerator if denominator == "1" else f"{numerator}/{denominator}"


def real(value: Real | Fraction | int | str) -> Real:
    """The exact number that `value` denotes; text is read by the grammar of `exact.numbers.grammar`.

    *Raises* `NumberError` for text outside the grammar, `TypeError` for a binary float.

    >>> real("1e-6")
    Real('1/1000000')
    """
    if isinstance(value, Real):
        return value
    if isinstance(value, str):
        from panshuffle.exact.numbers.grammar import parse

        return parse(value)
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise TypeError(f"{value!r} is not exact: give an int, a Fraction, a Real or text such as '0.1'")
    return Real(value if isinstance(value, Fraction) else Fraction(value))


HALF = Real(Fraction(1, 2))


def exp(x: Real | Fraction | int) -> Real:
    """e^x, folded where x is a rational multiple of a logarithm.

    >>> exp(2 * log(real(3)))
    Real('9')
    """
    x = real(x)
    if x.fraction == 0:
        return real(1)
    if x.constant == 0 and len(x.terms) == 1 and x.terms[0][0].kind == "log":
        (inner, factor) = x.terms[0]
        if folds(inner.args[0], factor):
            return power(inner.args[0], real(factor))
    return atom("exp", x)


def folds(base: Real, exponent: Fraction) -> bool:
    """Whether base^exponent is worth being kept as a power: not if it would be a rational of many digits."""
    if base.fraction is None:
        return True
    bits = max(base.fraction.numerator.bit_length(), base.fraction.denominator.bit_length())
    return bits * abs(exponent.numerator) <= LARGEST_FOLDED_BITS


def log(x: Real | Fraction | int) -> Real:
    """The natural logarithm.  *Raises* `NumberError` unless x > 0.

    >>> log(exp(real("1/3")))
    Real('1/3')
    """
    x = real(x)
    if x.sign() <= 0:
        raise NumberError(f"log({shortened(x)}) is not defined: log needs a positive number")
    if x.fraction == 1:
        return real(0)
    inner = single_atom(x)
    if inner is not None and inner.kind == "exp":
        return inner.args[0]
    return atom("log", x)


def sqrt(x: Real | Fraction | int) -> Real:
    """The non-negative square root.

    >>> sqrt(real("9/4"))
    Real('3/2')
    """
    x = real(x)
    if x.sign() < 0:
        raise NumberError(f"sqrt({shortened(x)}) is not defined: sqrt needs a number that is not negative")
    return x ** Fraction(1, 2)


def power(base: Real, exponent: Real) -> Real:
    """base^exponent, with rational powers of rationals taken exactly where they are rational.

    *Raises* `NumberError` for 0 to a power that is not positive, and for a negative base unless the
    exponent is a whole number.

    >>> power(real("8/27"), real("2/3"))
    Real('4/9')
    """
    e = exponent.fraction
    if base.fraction == 1:
        return base
    if e is not None and e.denominator == 1 and base.fraction is not None:
        if base.fraction > 0 and not fits(base.fraction, e.numerator):
            return atom("exp", log(base) * e)
        return Real(integer_power(base.fraction, e.numerator))
    if e in (0, 1):
        return base if e else real(1)
    sign = base.sign()
    if sign == 0 and exponent.sign() > 0:
        return real(0)
    if sign == 0 or (sign < 0 and (e is None or e.denominator != 1)):
        raise NumberError(f"({shortened(base)})^({shortened(exponent)}) is not a real number")
    if not base.constant and len(base.terms) == 1 and base.terms[0][1] != 1 and e is not None:
        (inner_atom, weight) = base.terms[0]
        if weight > 0 or e.denominator == 1:
            return power(real(weight), exponent) * power(atom(inner_atom.kind, *inner_atom.args), exponent)
    root = rational_root(base.fraction, e)
    if root is not None:
        return root
    inner = single_atom(base)
    if inner is not None and inner.kind == "exp":
        return exp(inner.args[0] * exponent)
    if inner is not None and inner.kind == "pow" and inner.args[0].sign() > 0:
        return power(inner.args[0], inner.args[1] * exponent)
    return atom("pow", base, exponent)


def integer_power(base: Fraction, exponent: int) -> Fraction:
    """base^exponent as a rational.  *Raises* `NumberError` for 0^-1 and for results of absurd size."""
    if base == 0 and exponent < 0:
        raise NumberError("division by zero")
    if not fits(base, exponent):
        raise NumberError("a power is too large to be kept exactly")
    return base**exponent


def fits(base: Fraction, exponent: int) -> bool:
    """Whether a power is small enough to be kept as a rational."""
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    return base in (0, 1, -1) or bits * abs(exponent) <= LARGEST_RATIONAL_BITS


def rational_root(base: Fraction | None, exponent: Fraction | None) -> Real | None:
    """base^exponent where both are rational and so is the power; None elsewhere."""
    if base is None or exponent is None:
        return None
    degree = exponent.denominator
    roots = [exact_root(part, degree) for part in (base.numerator, base.denominator)]
    if roots[0] is None or roots[1] is None:
        return None
    return Real(integer_power(Fraction(roots[0], roots[1]), exponent.numerator))


def exact_root(value: int, degree: int) -> int | None:
    """The integer whose `degree`-th power is `value` >= 1, if there is one."""
    if value == 1:
        return 1
    if degree >= value.bit_length():
        return None
    root = int(fmpz(value).root(degree))
    return root if root**degree == value else None


def product(x: Real, y: Real) -> Real:
    """x*y for two irrational forms, with the powers of one base collected.

    >>> sqrt(real(2)) * (3 * sqrt(real(2)))
    Real('6')
    """
    if x.constant or y.constant or len(x.terms) > 1 or len(y.terms) > 1:
        return atom("mul", x, y)
    ((left, a), (right, b)) = (x.terms[0], y.terms[0])
    if left.kind == right.kind == "exp":
        return scaled(exp(left.args[0] + right.args[0]), a * b)
    (left_base, left_exponent), (right_base, right_exponent) = as_power(left), as_power(right)
    if left_base == right_base:
        return scaled(power(left_base, left_exponent + right_exponent), a * b)
    return scaled(atom("mul", atom(left.kind, *left.args), atom(right.kind, *right.args)), a * b)


def as_power(inner: Atom) -> tuple[Real, Real]:
    """(base, exponent) of an atom; an atom that is not a power has exponent 1."""
    return (inner.args[0], inner.args[1]) if inner.kind == "pow" else (atom(inner.kind, *inner.args), real(1))


def single_atom(x: Real) -> Atom | None:
    """The atom that x consists of, if it is nothing else."""
    return x.terms[0][0] if not x.constant and len(x.terms) == 1 and x.terms[0][1] == 1 else None


def atom(kind: AtomKind, *args: Real) -> Real:
    """The number that is this one atom."""
    return Real(Fraction(0), ((Atom(kind, args), Fraction(1)),))


def scaled(x: Real, factor: Fraction) -> Real:
    """factor * x."""
    terms = tuple((inner, weight * factor) for inner, weight in x.terms) if x.terms and factor else ()
    return Real(x.constant * factor, terms)


def combination(constant: Fraction, terms: Iterable[tuple[Atom, Fraction]]) -> Real:
    """The sum, with like atoms collected and in the order in which they first came."""
    weights: dict[Atom, Fraction] = {}
    for inner, weight in terms:
        weights[inner] = weights.get(inner, Fraction(0)) + weight
    return Real(constant, tuple((inner, weight) for inner, weight in weights.items() if weight))


@lru_cache(maxsize=4096)
def scaled_bounds(x: Real, bits: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= x * 2^bits <= upper, next to each other as a rule."""
    if x.fraction is not None:
        scaled_up = x.fraction * (1 << bits)
        return scaled_up.__floor__(), scaled_up.__ceil__()
    return ball_bounds(finite(x.ball, bits + 32), bits)
