"""Numbers of a certificate: rationals, and expressions enclosed by rationals.  Standard library only.

An interval (lower, upper) of rationals encloses one real number.  Sums and products of rationals stay exact while they
are short; everything else is rounded outward to `bits` significant bits by integer division.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt

Interval = tuple[Fraction, Fraction]

LONGEST_TEXT, LONGEST_RATIONAL, LARGEST_EXPONENT = 500, 5000, 5000
DEEPEST, MOST_FUNCTIONS = 50, 20
LARGEST_SIZE = 30_000
TOKEN = re.compile(r"\s*((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|exp|log|sqrt|[-+*/^()])")
DECIMAL = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,5}))?")
PRINTABLE = re.compile(r"[ -~]*")
RATIONAL = re.compile(r"(-?)([0-9.]+(?:[eE][+-]?[0-9]{1,5})?)(?:/([0-9]+))?")


class Rejected(Exception):
    """Why a certificate proves nothing."""


def decimal(text: str) -> Fraction:
    """The rational that an unsigned decimal denotes.

    >>> decimal("12.5e-1")
    Fraction(5, 4)
    """
    match = DECIMAL.fullmatch(text)
    if match is None or not (match[1] or match[2]) or len(text) > LONGEST_RATIONAL:
        raise Rejected("a number is not written as a decimal")
    exponent = int(match[3] or "0")
    if abs(exponent) > LARGEST_EXPONENT:
        raise Rejected(f"an exponent has more than the size {LARGEST_EXPONENT}")
    return Fraction(natural(match[1] + match[2])) * Fraction(10) ** (exponent - len(match[2]))


def natural(digits: str) -> int:
    """A whole number of any length, by halves, so that no limit on conversions is met."""
    if len(digits) <= 1000:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return natural(digits[:-half]) * shift + natural(digits[-half:])


def rational(text: object) -> Fraction:
    """The rational that a text such as "-3/4" or "9.8e-7" denotes."""
    match = RATIONAL.fullmatch(text) if isinstance(text, str) and len(text) <= LONGEST_RATIONAL else None
    if match is None:
        raise Rejected("a rational number is not a text such as '3/4' or '9.8e-7'")
    bottom = natural(match[3]) if match[3] else 1
    if bottom == 0:
        raise Rejected("a denominator is 0")
    return (-1 if match[1] else 1) * decimal(match[2]) / bottom


def short(x: Fraction, bits: int) -> Fraction:
    """The number, if it has at most about twice as many bits."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > 2 * bits + 128:
        raise Rejected(f"a rational has too many digits for {bits} bits")
    return x


def size(x: Fraction) -> int:
    """Roughly log2 |x| (0 for x = 0)."""
    return x.numerator.bit_length() - x.denominator.bit_length() if x else 0


def rounded(lower: Fraction, upper: Fraction, bits: int) -> Interval:
    """The interval, or a larger one whose ends have `bits` significant bits if these are long."""
    if max(abs(size(lower)), abs(size(upper))) > LARGEST_SIZE:
        raise Rejected("a number is too large or too small")
    return cut_off(lower, bits, up=False), cut_off(upper, bits, up=True)


def cut_off(x: Fraction, bits: int, up: bool) -> Fraction:
    """x, rounded in one direction to `bits` significant bits if it is longer than twice that."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) <= 2 * bits:
        return x
    shift = bits - size(x)
    scaled = x * Fraction(2) ** shift
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return Fraction(whole) / Fraction(2) ** shift


def add(x: Interval, y: Interval, bits: int) -> Interval:
    """x + y."""
    return rounded(x[0] + y[0], x[1] + y[1], bits)


def negative(x: Interval) -> Interval:
    """-x."""
    return -x[1], -x[0]


def times(x: Interval, y: Interval, bits: int) -> Interval:
    """x * y."""
    products = [a * b for a in x for b in y]
    return rounded(min(products), max(products), bits)


def inverse(x: Interval, bits: int) -> Interval:
    """1/x."""
    if x[0] <= 0 <= x[1]:
        raise Rejected("a division by a number that may be 0")
    return rounded(1 / x[1], 1 / x[0], bits)


def integer_power(x: Interval, exponent: int, bits: int) -> Interval:
    """x^exponent by squaring."""
    if exponent < 0:
        return inverse(integer_power(x, -exponent, bits), bits)
    result = (Fraction(1), Fraction(1))
    for digit in bin(exponent)[2:]:
        result = times(result, result, bits)
        result = times(result, x, bits) if digit == "1" else result
    return (max(result[0], Fraction(0)), result[1]) if exponent % 2 == 0 else result


def power(x: Interval, y: Interval, bits: int) -> Interval:
    """x^y: by multiplication for whole exponents, else e^(y log x)."""
    if y[0] == y[1] and y[0].denominator == 1 and abs(y[0]) <= 1 << 20:
        return integer_power(x, y[0].numerator, bits)
    return exp(times(y, log(x, bits), bits), bits)


def exp(x: Interval, bits: int) -> Interval:
    """e^x."""
    return rounded(exp_bounds(x[0], bits)[0], exp_bounds(x[1], bits)[1], bits)


def exp_bounds(x: Fraction, bits: int) -> Interval:
    """Bounds of e^x: Taylor's series at x/2^k <= 1/256, squared k times.

    The terms after one of size t add less than t, because each is less than half the one before.

    >>> [int(end * 10**12) for end in exp_bounds(Fraction(1), 64)]
    [2718281828459, 2718281828459]
    """
    if x == 0:
        return Fraction(1), Fraction(1)
    if x < 0:
        low, high = exp_bounds(-x, bits)
        return 1 / high, 1 / low
    if x > LARGEST_SIZE:
        raise Rejected("an exponent is too large")
    k = int(x).bit_length() + 8
    one = 1 << (bits + 2 * k + 16)
    scaled = x * one / (1 << k)
    t_low, t_high = int(scaled), int(scaled) + 1
    sum_low = sum_high = term_low = term_high = one
    i = 0
    while term_high > 1:
        i += 1
        term_low, term_high = term_low * t_low // (one * i), term_high * t_high // (one * i) + 1
        sum_low, sum_high = sum_low + term_low, sum_high + term_high
    sum_high += term_high
    for _ in range(k):
        sum_low, sum_high = sum_low * sum_low // one, sum_high * sum_high // one + 1
    return Fraction(sum_low, one), Fraction(sum_high, one)


def log(x: Interval, bits: int) -> Interval:
    """The natural logarithm."""
    if x[0] <= 0:
        raise Rejected("a logarithm of a number that may not be positive")
    return rounded(log_bounds(x[0], bits)[0], log_bounds(x[1], bits)[1], bits)


def log_bounds(x: Fraction, bits: int) -> Interval:
    """Bounds of log x = 2 artanh((z-1)/(z+1)) + k log 2 for x = 2^k z, 1/2 < z < 2.

    >>> [int(end * 10**12) for end in log_bounds(Fraction(10), 64)]
    [2302585092994, 2302585092994]
    """
    if x == 1:
        return Fraction(0), Fraction(0)
    k = size(x)
    z = x / Fraction(2) ** k
    inner, two = artanh_bounds((z - 1) / (z + 1), bits + 32), artanh_bounds(Fraction(1, 3), bits + 32)
    ends = (k * two[0], k * two[1])
    return 2 * (inner[0] + min(ends)), 2 * (inner[1] + max(ends))


def artanh_bounds(u: Fraction, bits: int) -> Interval:
    """Bounds of u + u^3/3 + u^5/5 + ... for |u| <= 1/3; the terms after u^n add less than u^n."""
    if u < 0:
        low, high = artanh_bounds(-u, bits)
        return -high, -low
    one = 1 << bits
    scaled = u * one
    power_low, power_high = int(scaled), int(scaled) + 1
    square_low, square_high = power_low * power_low // one, power_high * power_high // one + 1
    sum_low = sum_high = 0
    n = 1
    while power_high > 1:
        sum_low, sum_high = sum_low + power_low // n, sum_high + power_high // n + 1
        power_low, power_high, n = power_low * square_low // one, power_high * square_high // one + 1, n + 2
    return Fraction(sum_low, one), Fraction(sum_high + power_high, one)


def sqrt(x: Interval, bits: int) -> Interval:
    """The square root; exact where both parts of a rational are squares."""
    if x[0] < 0:
        raise Rejected("a square root of a number that may be negative")
    return rounded(root(x[0], bits)[0], root(x[1], bits)[1], bits)


def root(x: Fraction, bits: int) -> Interval:
    """Bounds of one square root."""
    top, bottom = isqrt(x.numerator), isqrt(x.denominator)
    if top * top == x.numerator and bottom * bottom == x.denominator:
        return Fraction(top, bottom), Fraction(top, bottom)
    one = 1 << (bits + max(0, -size(x)))
    floor = isqrt(int(x * one * one))
    return Fraction(floor, one), Fraction(floor + 1, one)


def enclose(text: object, bits: int) -> Interval:
    """An enclosure of the number that an expression in + - * / ^, exp, log and sqrt denotes.

    >>> enclose("1/3 - 0.25", 64)
    (Fraction(1, 12), Fraction(1, 12))
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or not PRINTABLE.fullmatch(text):
        raise Rejected(f"a number is not a text of at most {LONGEST_TEXT} characters")
    return Expression(text, bits).whole()


class Expression:
    """Recursive descent over the tokens of one text, with the rules of `exact.numbers.grammar`."""

    def __init__(self, text: str, bits: int) -> None:
        self.tokens: list[str] = []
        self.bits, self.depth, position = bits, 0, 0
        while text[position:].strip():
            match = TOKEN.match(text, position)
            if match is None:
                raise Rejected("a number is not written in the notation for exact numbers")
            self.tokens.append(match[1])
            position = match.end()
        if sum(token in ("exp", "log", "sqrt", "^") for token in self.tokens) > MOST_FUNCTIONS:
            raise Rejected(f"a number has more than {MOST_FUNCTIONS} functions and powers")
        self.tokens.append("")
        self.tokens.reverse()

    def next(self) -> str:
        """Takes a token; the empty one stands for the end and stays."""
        return self.tokens.pop() if len(self.tokens) > 1 else ""

    def deeper(self) -> None:
        """*Raises* `Rejected` for an expression that is nested too deeply."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Rejected("a number is nested too deeply")

    def whole(self) -> Interval:
        """The whole text."""
        value = self.sum()
        if self.tokens[-1]:
            raise Rejected("a number has something behind it")
        return value

    def sum(self) -> Interval:
        """Sums and differences."""
        self.deeper()
        value = self.term()
        while self.tokens[-1] in ("+", "-"):
            sign = self.next()
            term = self.term()
            value = add(value, term if sign == "+" else negative(term), self.bits)
        self.depth -= 1
        return value

    def term(self) -> Interval:
        """Products and quotients."""
        value = self.signed()
        while self.tokens[-1] in ("*", "/"):
            operation = self.next()
            factor = self.signed()
            value = times(value, factor if operation == "*" else inverse(factor, self.bits), self.bits)
        return value

    def signed(self) -> Interval:
        """Signs and powers; a power binds more tightly than a sign before it, and to the right."""
        positive = True
        while self.tokens[-1] in ("+", "-"):
            positive ^= self.next() == "-"
        value = self.atom()
        if self.tokens[-1] == "^":
            self.deeper()
            self.next()
            value = power(value, self.signed(), self.bits)
            self.depth -= 1
        return value if positive else negative(value)

    def atom(self) -> Interval:
        """Numbers, functions and parentheses."""
        token = self.next()
        if token and token[0] in "0123456789.":
            return rounded(decimal(token), decimal(token), self.bits)
        functions = {"exp": exp, "log": log, "sqrt": sqrt}
        if token in functions and self.next() != "(":
            raise Rejected("a function has no argument")
        if token not in functions and token != "(":
            raise Rejected("a number is incomplete")
        value = self.sum()
        if self.next() != ")":
            raise Rejected("a parenthesis is not closed")
        return functions[token](value, self.bits) if token in functions else value
