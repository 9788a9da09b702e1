"""Exact real numbers: rationals, and expressions in exp, log and powers that are evaluated on demand.

A `Real` is a rational constant plus a rational combination of atoms (an exponential, a logarithm, a
power or a product).  Rational arithmetic is carried out at once and exactly; an atom is kept as it is
and enclosed by a ball whenever somebody needs digits.  A binary float can't get in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from math import inf, nextafter
from typing import Literal, NoReturn

from flint import arb, ctx, fmpq, fmpz
from panshuffle.exact.errors import NumberError, ParameterError, Undecided, shortened

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

    __radd__ = __add__

    def __neg__(self) -> Real:
        return scaled(self, Fraction(-1))

    def __sub__(self, other: Real | Fraction | int) -> Real:
        return self + -real(other)

    def __mul__(self, other: Real | Fraction | int) -> Real:
        other = real(other)
        if self.terms and other.terms:
            return product(self, other)
        return scaled(self, other.constant) if self.terms else scaled(other, self.constant)

    __rmul__ = __mul__

    def __truediv__(self, other: Real | Fraction | int) -> Real:
        return self * real(other) ** -1

    def __pow__(self, exponent: Real | Fraction | int) -> Real:
        return power(self, real(exponent))

    def __rsub__(self, other: Fraction | int) -> Real:
        return real(other) - self

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


# The notation for exact numbers: decimals, fractions, + - * / ^, exp, log and sqrt.
#
# sum    :=  term (('+' | '-') term)*
# term   :=  signed (('*' | '/') signed)*
# signed :=  ('+' | '-') signed | atom ('^' signed)?
# atom   :=  number | ('exp' | 'log' | 'sqrt') '(' sum ')' | '(' sum ')'


NOTATION = "write decimals, fractions, + - * / ^, exp, log, sqrt"
LONGEST_TEXT = 500
DEEPEST_NESTING = 50
LARGEST_DECIMAL_EXPONENT = 100_000
TOKEN = re.compile(r"\s*(?:((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([A-Za-z]+)|([-+*/^()]))")
FUNCTIONS: dict[str, Callable[[Real], Real]] = {"exp": exp, "log": log, "sqrt": sqrt}


def parse(text: str) -> Real:
    """The exact number that the text denotes.

    *Raises* `NumberError`: one sentence that quotes the text.

    >>> parse("1/3 - 0.25")
    Real('1/12')
    >>> parse("2^-3")
    Real('1/8')
    >>> parse("1/0")
    Traceback (most recent call last):
    panshuffle.exact.errors.NumberError: '1/0' is not a number: division by zero
    """
    if len(text) > LONGEST_TEXT:
        raise NumberError(f"a number of {len(text)} characters is too long: at most {LONGEST_TEXT} are read")
    try:
        return Reader(text).whole()
    except (NumberError, Undecided) as problem:
        raise NumberError(f"{shortened(text)!r} is not a number: {problem}") from None
    except RecursionError:
        raise NumberError(f"{shortened(text)!r} is not a number: it is nested too deeply") from None


class Reader:
    """Recursive descent over the tokens of one text; the empty one stands for the end."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.depth, self.token = text, 0, 0, ""
        self.advance()

    def fail(self, reason: str) -> NoReturn:
        """Raises what is wrong with the notation."""
        raise NumberError(f"{reason} ({NOTATION})")

    def advance(self) -> str:
        """The token, after reading the next one."""
        token, rest = self.token, self.text[self.position :].strip()
        match = TOKEN.match(self.text, self.position)
        if match is None and rest:
            self.fail(f"'{rest[0]}' is unknown")
        self.token, self.position = (match.group(0).strip(), match.end()) if match and rest else ("", self.position)
        return token

    def take(self, expected: str) -> None:
        """Reads past a token that must be there."""
        if self.token != expected:
            self.fail(f"'{expected}' is missing")
        self.advance()

    def deeper(self) -> None:
        """Counts one more level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            self.fail("it is nested too deeply")

    def whole(self) -> Real:
        """The number that the whole text denotes."""
        value = self.sum()
        if self.token:
            self.fail(f"'{self.token}' is unexpected")
        refine(value.ball, lambda ball: True, "its size")
        return value

    def sum(self) -> Real:
        """The rule of that name, as are the next three."""
        self.deeper()
        value = self.term()
        while self.token in ("+", "-"):
            value = value + self.term() if self.advance() == "+" else value - self.term()
        self.depth -= 1
        return value

    def term(self) -> Real:
        """Products and quotients."""
        value = self.signed()
        while self.token in ("*", "/"):
            value = value * self.signed() if self.advance() == "*" else value / self.signed()
            if (
                max(value.constant.numerator.bit_length(), value.constant.denominator.bit_length())
                > LARGEST_RATIONAL_BITS
            ):
                self.fail("it is too large to be kept exactly")
        return value

    def signed(self) -> Real:
        """Signs and powers."""
        sign = 1
        while self.token in ("+", "-"):
            sign = -sign if self.advance() == "-" else sign
        value = self.atom()
        if self.token == "^":
            self.deeper()
            self.advance()
            value = value ** self.signed()
            self.depth -= 1
        return sign * value

    def atom(self) -> Real:
        """Numbers, functions and parentheses."""
        if self.token[:1].isdigit() or self.token[:1] == ".":
            return real(self.decimal(self.advance()))
        if self.token not in FUNCTIONS and self.token != "(":
            self.fail(f"'{self.token}' is unknown" if self.token else "it is incomplete")
        function = FUNCTIONS.get(self.advance())
        if function is not None:
            self.take("(")
        value = self.sum()
        self.take(")")
        return value if function is None else function(value)

    def decimal(self, token: str) -> Fraction:
        """The rational that a decimal denotes."""
        digits, _, exponent = token.lower().partition("e")
        if abs(int(exponent or "0")) > LARGEST_DECIMAL_EXPONENT:
            self.fail(f"an exponent may have at most the size {LARGEST_DECIMAL_EXPONENT}")
        return Fraction(digits.rstrip(".")) * integer_power(Fraction(10), int(exponent or "0"))


# Whether an expression is 0 by algebra alone: as a rational function of its exponentials, logarithms and powers.
#
# Balls never show that a number is 0; this does, for expressions such as 1/(1+exp(1)) + exp(1)/(1+exp(1)) - 1.


def is_zero_by_algebra(x: Real) -> bool:
    """Whether x is 0 as a rational function; False says nothing.

    >>> from panshuffle.exact.real import real
    >>> is_zero_by_algebra(real("1/(1+exp(1)) + exp(1)/(1+exp(1)) - 1"))
    True
    >>> is_zero_by_algebra(real("(1+sqrt(2))*(sqrt(2)-1) - 1"))
    True
    >>> is_zero_by_algebra(real("exp(1) - 2"))
    False
    """
    import sympy

    functions = {"exp": sympy.exp, "log": sympy.log, "pow": sympy.Pow, "mul": sympy.Mul}

    def rational(value: Fraction) -> sympy.Expr:
        return sympy.Rational(value.numerator, value.denominator)

    def expression(value: Real) -> sympy.Expr:
        atoms = (rational(weight) * functions[atom.kind](*map(expression, atom.args)) for atom, weight in value.terms)
        return sympy.Add(rational(value.constant), *atoms)

    return bool(sympy.cancel(sympy.powsimp(expression(x))) == 0)


def sums_to_one(values: list[Real]) -> bool | None:
    """Whether exact numbers sum to 1; None where neither algebra nor balls tell.

    >>> from panshuffle.exact.real import real
    >>> sums_to_one([real("1/3"), real("2/3")]), sums_to_one([real("exp(-1)"), real("2/3")])
    (True, False)
    """
    constant = sum((value.constant for value in values), Fraction(0))
    total = combination(constant - 1, (term for value in values for term in value.terms))
    if total.fraction is not None:
        return total.fraction == 0
    if not total.ball(1024).contains(0):
        return False
    return True if is_zero_by_algebra(total) else None


# Certified numbers: exact where that is known, and otherwise enclosed by balls, to as many digits as asked for.
#
# A decision on balls refines them until it is settled; ends are rounded in the sound direction.


FIRST_PRECISION = 64
LAST_PRECISION = 1 << 15
DEFAULT_DIGITS = 10
MOST_DIGITS = 4000
PLAIN_EXPONENTS = range(-5, 16)

Evaluate = Callable[[int], arb]


@dataclass(frozen=True)
class Certified:
    """A number that can be enclosed at every precision; `exact` holds it where it is known to be rational.

    A ball may reach beyond what a number can be; `nonnegative` and `probability` say what that is.

    >>> third = Certified.of(Fraction(1, 3))
    >>> third.enclosure(4)
    ('0.3333', '0.3334')
    >>> Certified.of(Fraction(1, 4)).enclosure(4)
    ('0.25', '0.25')
    """

    evaluate: Evaluate
    exact: Fraction | None = None
    infinite: bool = False
    nonnegative: bool = False
    probability: bool = False

    @classmethod
    def of(cls, value: Real | Fraction | int) -> Certified:
        """An exact number."""
        if not isinstance(value, (int, Fraction)):
            return cls(value.ball, value.fraction)
        exact = Fraction(value)
        return cls(lambda precision: ball_of(exact, precision), exact)

    def ball(self, precision: int) -> arb:
        """An enclosure computed with this precision; infinity is enclosed by itself."""
        if self.infinite:
            return arb.pos_inf()
        return ball_of(self.exact, precision) if self.exact is not None else self.evaluate(precision)

    def enclosure(self, digits: int = DEFAULT_DIGITS) -> tuple[str, str]:
        """(lower, upper) as decimals rounded outward: two units of the last of `digits` digits apart, or less.

        Where no precision up to the limit separates the number from 0, the lower end is 0 and the upper end is
        what was reached.  *Raises* `ParameterError` for digits outside 1..4000.
        """
        check_digits(digits)
        if self.infinite:
            return "inf", "inf"
        if self.exact is not None:
            return decimal_ends(self.exact, digits)
        lower, upper = ball_ends(accurate(self.evaluate, digits), digits)
        if (self.nonnegative or self.probability) and lower.startswith("-"):
            lower = "0"
        return lower, "1" if self.probability and upper[0] in "123456789" and "e-" not in upper else upper

    def decide(self, other: Real | Fraction | int) -> int:
        """The sign of self - other.  *Raises* `Undecided` where the precision limit does not settle it."""
        if self.infinite:
            return 1
        if self.exact is not None:
            if isinstance(other, (int, Fraction)):
                return (self.exact > other) - (self.exact < other)
            return (self.exact - other).sign()
        target = Certified.of(other)
        for ball, precision in improving(self.evaluate, 64, LAST_PRECISION):
            difference = ball - target.ball(precision)
            if difference > 0 or difference < 0 or difference.is_zero():
                return (difference > 0) - (difference < 0)
        raise Undecided(f"a comparison with {other} is not decided by the precision that can be reached")


@dataclass(frozen=True)
class Between(Certified):
    """A number between two certified ones.

    >>> between(Certified.of(Fraction(1, 4)), Certified.of(Fraction(1, 2))).enclosure(3)
    ('0.25', '0.5')
    """

    low: Certified = field(kw_only=True)
    high: Certified = field(kw_only=True)

    def enclosure(self, digits: int = DEFAULT_DIGITS) -> tuple[str, str]:
        """The lower end of the low number and the upper end of the high one."""
        return self.low.enclosure(digits)[0], self.high.enclosure(digits)[1]

    def decide(self, other: Real | Fraction | int) -> int:
        """The sign of self - other.  *Raises* `Undecided` where the other is not outside both ends."""
        low, high = self.low.decide(other), self.high.decide(other)
        if low > 0 or high < 0 or low == high:
            return 1 if low > 0 else high
        raise Undecided("a number that is known from both sides only is not told from another between them")


def between(low: Certified, high: Certified) -> Certified:
    """What is known of a number that is at least `low` and at most `high`."""
    if (low.infinite and high.infinite) or (low.exact is not None and low.exact == high.exact):
        return low

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return low.ball(precision).union(high.ball(precision)) if not high.infinite else arb.nan()

    return Between(evaluate, nonnegative=True, low=low, high=high)


INFINITE = Certified(lambda precision: arb.pos_inf(), infinite=True)


def refine(
    evaluate: Callable[[int], arb],
    enough: Callable[[arb], bool],
    what: str | Callable[[], str],
    first: int = FIRST_PRECISION,
) -> arb:
    """The first ball that is `enough`, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    precision, last = first, max(LAST_PRECISION, 4 * first)
    while True:
        ball = evaluate(precision)
        if ball.is_finite() and enough(ball):
            return ball
        if precision == last:
            break
        precision = min(2 * precision, last)
    raise Undecided(f"{what if isinstance(what, str) else what()} is not decided with {LAST_PRECISION} bits")


def ball_bounds(ball: arb, bits: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= v * 2^bits <= upper for every v in the ball."""
    if not ball.is_finite():
        raise Undecided(f"a value is not finite at {bits} bits")
    with ctx.workprec(ball.bits() + 64):
        low, high = (end * arb(2) ** bits for end in (ball.lower(), ball.upper()))
        return whole(low.floor()), whole(high.ceil())


def integer_part(ball: arb) -> int | None:
    """The integer part that all numbers of the ball share, if they share one."""
    with ctx.workprec(ball.bits() + 64):
        low, high = (whole(end.floor()) for end in (ball.lower(), ball.upper()))
    return low if low == high else None


def whole(value: arb) -> int:
    """The whole number that is all of a ball.  *Raises* `Undecided` for another ball."""
    found = value.unique_fmpz()
    if found is None:
        raise Undecided("a whole number is only enclosed")
    return int(found)


def floor_of(evaluate: Callable[[int], arb], what: Callable[[], str]) -> int:
    """The integer part of a number, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    return integer_part(refine(evaluate, lambda ball: integer_part(ball) is not None, what)) or 0


def precise(evaluate: Callable[[int], arb], bits: int, what: str, first: int) -> arb:
    """The first ball with the given number of correct leading bits, over doubling precisions.  *Raises* as `refine`."""
    return refine(evaluate, lambda ball: ball.rel_accuracy_bits() >= bits, what, first)


def rounded_float(value: arb, up: bool) -> float:
    """A double that is certified to be at least (at most) the number, and next to it."""
    near = float((value.upper() if up else value.lower()).mid())
    while not (arb(near) >= value if up else arb(near) <= value):
        near = nextafter(near, inf if up else -inf)
    return near


def dyadic(value: arb) -> Fraction:
    """The middle of a ball, exactly."""
    mantissa, exponent = (int(part) for part in value.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def largest(balls: Iterable[arb]) -> arb:
    """An enclosure of the largest of several numbers, at the working precision."""
    return reduce(lambda first, second: first.max(second), balls)


def largest_of(values: Iterable[Certified], probability: bool = False) -> Certified:
    """The largest of several finite numbers."""
    candidates = list(values)

    def evaluate(precision: int) -> arb:
        balls = [value.ball(precision) for value in candidates]
        with ctx.workprec(precision):
            return largest(balls)

    return Certified(evaluate, probability=probability)


def finite(evaluate: Callable[[int], arb], precision: int) -> arb:
    """An enclosure with at least this precision that says something of the size: it is short, or far from 0."""
    return refine(
        evaluate, lambda ball: ball.rad() < 1 or ball.rel_accuracy_bits() > 0, "the size of a number", precision
    )


def check_digits(digits: int) -> None:
    """*Raises* `ParameterError` for a number of digits that can't be shown."""
    if not 1 <= digits <= MOST_DIGITS:
        raise ParameterError("digits", digits, f"a whole number from 1 to {MOST_DIGITS}")


def quotient(value: Fraction) -> fmpq:
    """The same number in flint's type."""
    return fmpq(value.numerator, value.denominator)


def as_fraction(value: fmpq) -> Fraction:
    """The same number in Python's type."""
    return Fraction(int(value.p), int(value.q))


def ball_of(value: Fraction, precision: int) -> arb:
    """An enclosure of a rational."""
    with ctx.workprec(precision):
        return arb(quotient(value))


def span(low: Fraction, high: Fraction, precision: int) -> arb:
    """The ball around two rationals."""
    with ctx.workprec(max(precision, 64)):
        return arb(quotient(low)).union(arb(quotient(high)))


def accurate(evaluate: Evaluate, digits: int) -> arb:
    """The first ball, over growing precisions, that is accurate to the digits, or the best if none gets better."""
    needed = digits * 10 // 3 + 8
    best = arb.pos_inf()
    for ball, _ in improving(evaluate, needed + 32, max(LAST_PRECISION, 4 * needed)):
        best = ball if not best.is_finite() or (ball.is_finite() and ball.rad() < best.rad()) else best
        if best.is_zero() or (best.is_finite() and best.rel_accuracy_bits() >= needed):
            break
    if not best.is_finite():
        raise Undecided("a number is not enclosed by any precision that can be reached")
    return best


def improving(evaluate: Evaluate, first: int, last: int) -> Iterator[tuple[arb, int]]:
    """(ball, precision) over doubling precisions, until two of them bring nothing to a number that is known in part."""
    precision, radius, idle = first, arb.pos_inf(), 0
    while precision <= last and idle < 2:
        ball = evaluate(precision)
        yield ball, precision
        if ball.is_finite():
            idle = 0 if ball.rad() < radius * arb("0.9") or ball.rel_accuracy_bits() <= 0 else idle + 1
            radius = radius.min(ball.rad())
        precision *= 2


def ball_ends(ball: arb, digits: int) -> tuple[str, str]:
    """Decimals of the given number of significant digits that enclose the ball."""
    middle, radius, exponent = (int(part) for part in ball.mid_rad_10exp(digits + 8))
    low, high = middle - radius, middle + radius
    return decimal(low, exponent, digits, up=False), decimal(high, exponent, digits, up=True)


def decimal_ends(value: Fraction, digits: int) -> tuple[str, str]:
    """Decimals of the given number of significant digits that enclose a rational: equal where it has so few."""
    size = max(abs(value.numerator), 1)
    shift = digits + 2 - (len(str(fmpz(size))) - len(str(fmpz(value.denominator))))
    scaled = value * Fraction(10) ** shift
    low, high = scaled.__floor__(), scaled.__ceil__()
    return decimal(low, -shift, digits, up=False), decimal(high, -shift, digits, up=True)


def decimal(mantissa: int, exponent: int, digits: int, up: bool) -> str:
    """mantissa * 10^exponent, rounded up or down to the given number of significant digits.

    >>> decimal(12345, -7, 3, up=True), decimal(-12345, -7, 3, up=True), decimal(12345, 30, 2, up=False)
    ('0.00124', '-0.00123', '1.2e34')
    """
    excess = len(str(fmpz(abs(mantissa)))) - digits
    if excess > 0:
        mantissa = -(-mantissa // 10**excess) if up else mantissa // 10**excess
        exponent += excess
    if not mantissa:
        return "0"
    sign, text = ("-" if mantissa < 0 else ""), str(fmpz(abs(mantissa)))
    leading = exponent + len(text) - 1
    text = text.rstrip("0")
    if leading not in PLAIN_EXPONENTS:
        return f"{sign}{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{leading}"
    if leading < 0:
        return f"{sign}0.{'0' * (-leading - 1)}{text}"
    whole = text[: leading + 1].ljust(leading + 1, "0")
    return sign + whole + ("." + text[leading + 1 :] if len(text) > leading + 1 else "")


def first_true(holds: Callable[[int], bool], most: int, guess: int = 0) -> int:
    """The least number from 0 to `most` for which a condition holds that stays true once it is, and is true at most.

    The search starts at a guess and doubles its steps.

    >>> [first_true(lambda i: i >= 5, 9, guess) for guess in (0, 4, 5, 9)]
    [5, 5, 5, 5]
    """
    low, high, place, step = -1, most, min(max(guess, 0), most), 1
    while high - low > 1:
        low, high = (low, place) if holds(place) else (place, high)
        middle = (low + high) // 2
        place = max(high - step, middle) if low < 0 else min(low + step, middle) if high == most else middle
        step *= 2
    return high
