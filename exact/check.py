"""Replays a certificate with the standard library only: `python check.py FILE`, here or in a copy of this one file.

A file holds claims, "delta of this protocol is at most (at least) this at this eps", each with a witness.  The law is
derived here from the protocol's name and parameters; the file brings the numbers that make the replay short.  Prints
`accepted: ...` for every claim and exits with 0, or `rejected: reason` and exits with 1.

Everything is integers and fractions with explicit rounding.  The parts, in this order: rationals around expressions,
binomial and Poisson noise, the parity pools of P_DE, pools of flipped bits, parity pools with more
messages than can be enumerated, any locally private randomizer, which law and which inequality a claim asks for, the
format of the file.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and sys.path[0].endswith("exact"):
    del sys.path[0]  # run in its place, the folder beside it would hide modules of the standard library

import ast
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb, isqrt
from operator import mul
from typing import NamedTuple

GUARD = 64


# Numbers: rationals, and expressions enclosed by rationals.
#
# An interval (lower, upper) of rationals encloses one real number.  Sums and products of rationals stay exact while
# they are short; everything else is rounded outward to `bits` significant bits by integer division.

Interval = tuple[Fraction, Fraction]
ZERO, ONE = ((Fraction(value), Fraction(value)) for value in (0, 1))

LONGEST_TEXT, LONGEST_RATIONAL, LARGEST_EXPONENT = 500, 5000, 5000
DEEPEST, MOST_FUNCTIONS = 50, 20
LARGEST_SIZE = 30_000
TOKEN = re.compile(r"\s*((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|exp|log|sqrt|[-+*/^()])")
DECIMAL = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,5}))?")
PRINTABLE = re.compile(r"[ -~]*")
RATIONAL = re.compile(r"(-?)([0-9.]+(?:[eE][+-]?[0-9]{1,5})?)(?:/([0-9]+))?")


class Rejected(Exception):
    """Why a certificate proves nothing."""


def reject_if(fault: object, reason: str) -> None:
    """*Raises* `Rejected` where there is a fault."""
    if fault:
        raise Rejected(reason)


def decimal(text: str) -> Fraction:
    """The rational that an unsigned decimal denotes.

    >>> decimal("12.5e-1")
    Fraction(5, 4)
    """
    match = DECIMAL.fullmatch(text)
    if match is None or not (match[1] or match[2]) or len(text) > LONGEST_RATIONAL:
        raise Rejected("a number is not written as a decimal")
    exponent = int(match[3] or "0")
    reject_if(abs(exponent) > LARGEST_EXPONENT, f"an exponent has more than the size {LARGEST_EXPONENT}")
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
    reject_if(bottom == 0, "a denominator is 0")
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
    reject_if(x[0] <= 0 <= x[1], "a division by a number that may be 0")
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
    reject_if(x[0] <= 0, "a logarithm of a number that may not be positive")
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
    reject_if(x[0] < 0, "a square root of a number that may be negative")
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
    tokens, position = list[str](), 0
    while text[position:].strip():
        match = TOKEN.match(text, position)
        if match is None:
            raise Rejected("a number is not written in the notation for exact numbers")
        tokens.append(match[1])
        position = match.end()
    if sum(token in ("exp", "log", "sqrt", "^") for token in tokens) > MOST_FUNCTIONS:
        raise Rejected(f"a number has more than {MOST_FUNCTIONS} functions and powers")
    if max(accumulate((token == "(") - (token == ")") for token in tokens), default=0) >= DEEPEST:
        raise Rejected("a number is nested too deeply")
    numbers = [token for token in tokens if token[0] in "0123456789."]
    places = iter(range(len(numbers)))
    words = [str(next(places)) if token in numbers else "**" if token == "^" else token for token in tokens]
    try:
        return value_of(ast.parse(" ".join(words), mode="eval").body, numbers, bits)
    except SyntaxError:
        raise Rejected("a number is not complete, or has something behind it") from None


def value_of(node: ast.expr, numbers: Sequence[str], bits: int) -> Interval:
    """The value of an expression in Python's grammar, whose rules are ours: its constants are places in `numbers`."""
    match node:
        case ast.Constant(value=int(place)):
            return rounded(decimal(numbers[place]), decimal(numbers[place]), bits)
        case ast.UnaryOp(op=operation, operand=operand):
            value = value_of(operand, numbers, bits)
            return negative(value) if isinstance(operation, ast.USub) else value
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return FUNCTIONS[name](value_of(argument, numbers, bits), bits)
        case ast.BinOp(left=left, op=operation, right=right):
            x, y = value_of(left, numbers, bits), value_of(right, numbers, bits)
            match operation:
                case ast.Add():
                    return add(x, y, bits)
                case ast.Sub():
                    return add(x, negative(y), bits)
                case ast.Mult():
                    return times(x, y, bits)
                case ast.Div():
                    return times(x, inverse(y, bits), bits)
            return power(x, y, bits)
    raise Rejected("a number is not complete")


FUNCTIONS = {"exp": exp, "log": log, "sqrt": sqrt}


# Binomial and Poisson noise: weights from ratios of consecutive terms.
#
# Legend: b(x) is the mass of the noise, G(t) = P[noise >= t], E = e^eps.  Weights w(x) are b(x) times a constant that
# nobody has to know: w(x+1)/w(x) = theta u(x), with theta = p/(1-p) and u(x) = (l-x)/(x+1) for Bin(l, p), theta = mu
# and u(x) = 1/(x+1) for Pois(mu).  u never rises, so beyond a term the rest is less than a geometric series.  Every
# weight is an integer that was rounded down and one that was rounded up; sums of all weights take the place of the
# constant.

STOP = 40
MOST_TERMS, MOST_TERM_BITS = 500_000, 100_000_000
MOST_ROWS = 5_000_000
EXACT_TERMS, EXACT_WEIGHT_BITS = 400, 20_000


class Bounds(NamedTuple):
    """P[S] and Q[S] of an event S, each from below and from above."""

    p_low: Fraction
    p_high: Fraction
    q_low: Fraction
    q_high: Fraction


@dataclass(frozen=True)
class Noise:
    """Bin(l, p) with theta = p/(1-p); where l is None, Pois(theta)."""

    l: int | None
    theta: Interval

    def top(self, x: int) -> int:
        """(x+1) u(x)."""
        return 1 if self.l is None else self.l - x

    def ratio(self, x: int) -> Interval:
        """w(x+1)/w(x)."""
        u = Fraction(self.top(x), x + 1)
        return self.theta[0] * u, self.theta[1] * u

    @property
    def is_rational(self) -> bool:
        """Whether theta is known exactly."""
        return self.theta[0] == self.theta[1]

    def mode(self) -> int:
        """A point where the mass is near its largest: where the walk begins."""
        theta = self.theta[0]
        return int(theta) if self.l is None else min(self.l, int((self.l + 1) * theta / (1 + theta)))

    @property
    def is_symmetric(self) -> bool:
        """Whether the noise is Bin(l, 1/2), which makes both directions of a shift equal."""
        return self.l is not None and self.theta == ONE


@dataclass(frozen=True)
class Weights:
    """w(x) for x = first, ..., rounded down and up; `tail_*` their sums from x on; bounds of what lies outside."""

    first: int
    low: Sequence[int]
    high: Sequence[int]
    before: int
    after: int
    tail_low: Sequence[int]
    tail_high: Sequence[int]

    @property
    def total(self) -> tuple[int, int]:
        """The sum of all weights."""
        return self.tail_low[0], self.tail_high[0] + self.before

    def tail(self, t: int) -> tuple[int, int]:
        """The weight of {t, t+1, ...}."""
        if t <= self.first:
            return self.total
        return (self.tail_low[t - self.first], self.tail_high[t - self.first]) if t < self.end else (0, self.after)

    def head(self, t: int) -> tuple[int, int]:
        """The weight of {..., t-1, t}."""
        if t < self.first:
            return 0, self.before
        i = min(t + 1, self.end) - self.first
        beyond = self.after if t >= self.end else 0
        return self.tail_low[0] - self.tail_low[i], self.tail_high[0] - self.tail_high[i] + self.before + beyond

    def point(self, x: int) -> tuple[int, int]:
        """The weight of {x}."""
        if not self.first <= x < self.end:
            return 0, self.before if x < self.first else self.after
        return self.low[x - self.first], self.high[x - self.first]

    @property
    def end(self) -> int:
        """One past the last point."""
        return self.first + len(self.low)

    def joint(self, cuts: Sequence[int]) -> tuple[int, int]:
        """The sum of w(y) times the weight of {t, t+1, ...} over the points y and their cuts t, in order."""
        (first, end, size) = (self.first, self.end, len(self.low))
        places = [0 if t <= first else size if t >= end else t - first for t in cuts]
        tail_high = [self.total[1], *self.tail_high[1:]]
        low = sum(map(mul, self.low, map(self.tail_low.__getitem__, places)))
        return low, sum(map(mul, self.high, map(tail_high.__getitem__, places)))


def weights(noise: Noise, bits: int) -> Weights:
    """The weights down to about 2^-bits of the largest; all of them, and exactly, for small rational noise."""
    start, theta = noise.mode(), noise.theta[0]
    first_weight, stop = 1 << (bits + GUARD), 1 << STOP
    length = max(theta.numerator.bit_length(), theta.denominator.bit_length(), 1)
    if noise.l is not None and noise.l * length <= EXACT_WEIGHT_BITS and noise.l <= EXACT_TERMS and noise.is_rational:
        first_weight = comb(noise.l, start) * theta.numerator**start * theta.denominator ** (noise.l - start)
        stop = 0
    most = min(MOST_TERMS, MOST_TERM_BITS // bits)
    up, after = walk(noise, start, first_weight, stop, 1, most)
    down, before = walk(noise, start, first_weight, stop, -1, most)
    pairs = [*reversed(down), (first_weight, first_weight), *up]
    low, high = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    tail_low = [*accumulate(reversed(low), initial=0)][::-1]
    tail_high = [*accumulate(reversed(high), initial=after)][::-1]
    return Weights(start - len(down), low, high, before, after, tail_low, tail_high)


def walk(noise: Noise, x: int, weight: int, stop: int, step: int, most_terms: int) -> tuple[list[tuple[int, int]], int]:
    """The weights next to x in one direction until they are at most `stop`, and a bound of the rest."""
    found: list[tuple[int, int]] = []
    (low, high, l) = (weight, weight, noise.l)
    (a, b), (c, d) = ((theta.numerator, theta.denominator) for theta in noise.theta)
    (least, most) = ((a, b), (c, d)) if step > 0 else ((d, c), (b, a))
    while high > stop:
        if x == (l if step > 0 else 0):
            return found, 0
        (top, bottom) = (noise.top(x), x + 1) if step > 0 else (x, noise.top(x - 1))
        low = low * (top * least[0]) // (bottom * least[1])
        high = -(-high * (top * most[0]) // (bottom * most[1]))
        x += step
        found.append((low, high))
        if len(found) > most_terms:
            raise Rejected(f"the noise is too wide: more than {most_terms} terms matter on one side")
    if x == (l if step > 0 else 0):
        return found, 0
    ratio = noise.ratio(x)[1] if step > 0 else 1 / noise.ratio(x - 1)[0]
    if ratio >= 1:
        raise Rejected("the terms of a tail do not fall")
    rest = high * ratio / (1 - ratio)
    return found, int(rest) + 1


def normalised(p: tuple[int, int], q: tuple[int, int], total: tuple[int, int]) -> Bounds:
    """Probabilities from weights."""
    (p_low, q_low), (p_high, q_high) = (
        [min(Fraction(part[end], total[1 - end]), Fraction(1)) for part in (p, q)] for end in (0, 1)
    )
    return Bounds(p_low, p_high, q_low, q_high)


def shift_event(law: Weights, direction: str, cut: int) -> Bounds:
    """{view <= cut} with the noise as P and 1 + noise as Q ("lose"); {view >= cut} the other way round ("gain")."""
    if direction == "lose":
        return normalised(law.head(cut), law.head(cut - 1), law.total)
    return normalised(law.tail(cut - 1), law.tail(cut), law.total)


def is_best_cut(noise: Noise, direction: str, cut: int, exp_eps: Fraction) -> bool:
    """Whether the event of this cut has all points with P > E Q, and none with P < E Q; or there is no such point.

    P > E Q where b(x) > E b(x-1), for "gain" where b(x) < b(x-1)/E: the ratio b(x)/b(x-1) never rises, so two values
    tell.
    """
    (last, level) = (cut, exp_eps) if direction == "lose" else (cut - 1, 1 / exp_eps)
    rises = last == 0 or (last > 0 and noise.ratio(last - 1)[0] >= level)
    return rises and (last == noise.l or noise.ratio(last)[1] <= level)


def thresholds(l: int | None, ratio: Fraction, rows: range) -> list[int]:
    """For each row y the largest x where P(x, y) <= ratio * Q(x, y), for the pair of `product_event`.

    *Formula*: P/Q = x/y for Poisson noise, x (l+1-y) / (y (l+1-x)) for binomial noise.
    """
    (a, b) = (ratio.numerator, ratio.denominator)
    if l is None:
        return [a * y // b for y in rows]
    return [a * y * (l + 1) // (b * (l + 1 - y) + a * y) for y in rows]


def product_event(noise: Noise, law: Weights, ratio: Fraction) -> Bounds:
    """{P > ratio * Q} for two independent noises X, Y: the view is (X+1, Y) under P and (X, Y+1) under Q.

    *Formula*: P = sum_y b(y) G(t), Q = sum_y b(y-1) G(t+1), t the threshold of row y.  Rows outside of the weights
    count as 0 from below, and in full from above.
    """
    last = law.end if noise.l is None else min(law.end, noise.l)
    cuts = thresholds(noise.l, ratio, range(law.first, last + 1))
    (p_low, p_high) = law.joint(cuts[: len(law.low)])
    (q_low, q_high) = law.joint([t + 1 for t in cuts[1:]])
    (least, most) = law.total
    outside = (law.before + law.after) * most
    return normalised((p_low, p_high + outside), (q_low, q_high + outside), (least * least, most * most))


def most_rows(bits: int) -> int:
    """How many rows, over all nodes, are summed at this precision."""
    return MOST_ROWS * 128 // max(bits, 128)


class PoolTwice:
    """Two Poisson pools, with independent ratios r1, r2 of the masses under P and Q; events of both.

    Nodes s_0 < ... < s_K cut the ratios of the second pool into buckets (s_i, s_(i+1)].
    """

    def __init__(self, noise: Noise, bits: int, nodes: Sequence[Fraction]) -> None:
        self.noise, self.law = noise, weights(noise, bits)
        reject_if(len(nodes) * len(self.law.low) > most_rows(bits), "there are too many nodes for noise this wide")
        if not nodes or nodes[0] <= 0 or any(t <= s for s, t in pairwise(nodes)):
            raise Rejected("the nodes do not rise from above 0")
        self.nodes, self.unit = nodes, 1 << (bits + GUARD)
        self.above = [self.exceed(node) for node in nodes]

    def exceed(self, ratio: Fraction) -> Bounds:
        """One pool's {r > ratio}."""
        return product_event(self.noise, self.law, ratio)

    def buckets(self) -> list[Bounds]:
        """The masses of the buckets, the last of which has no upper end."""
        ends = [*self.above[1:], Bounds(Fraction(0), Fraction(0), Fraction(0), Fraction(0))]
        return [
            Bounds(s.p_low - t.p_high, s.p_high - t.p_low, s.q_low - t.q_high, s.q_high - t.q_low)
            for s, t in zip(self.above, ends, strict=True)
        ]

    def delta_upper(self, exp_eps: Fraction) -> Fraction:
        """An upper bound of delta.

        delta = sum over the second pool's cells of P * H(E/r2), H(e) the first pool's delta at e.  H is convex, so
        over a bucket it is below its chord, which is linear in 1/r2 = Q/P.  Above the last node H <= 1; at most at
        the first one H <= H(E/s_0).
        """
        curve = [self.curve_upper(exp_eps / node) for node in self.nodes]
        parts = [curve[0] * (1 - self.above[0].p_low), self.above[-1].p_high]
        for i, mass in enumerate(self.buckets()[:-1]):
            (left, right) = (exp_eps / self.nodes[i + 1], exp_eps / self.nodes[i])
            at_left = max(right * mass.p_high - exp_eps * mass.q_low, Fraction(0))
            at_right = max(exp_eps * mass.q_high - left * mass.p_low, Fraction(0))
            parts.append((curve[i + 1] * at_left + curve[i] * at_right) / (right - left))
        return self.sum_upper(parts)

    def sum_lower(self, parts: Iterable[Fraction]) -> Fraction:
        """The sum of the parts, each rounded down to a unit of 2^-(bits+64)."""
        return Fraction(sum(part.numerator * self.unit // part.denominator for part in parts), self.unit)

    def sum_upper(self, parts: Iterable[Fraction]) -> Fraction:
        """The sum of the parts, each rounded up to such a unit."""
        return -self.sum_lower(-part for part in parts)

    def curve_upper(self, e: Fraction) -> Fraction:
        """H(e) from above."""
        event = self.exceed(e)
        return max(event.p_high - e * event.q_low, Fraction(0))

    def event(self, cuts: Sequence[Fraction]) -> Bounds:
        """The event: r2 is in bucket i and r1 > cuts[i], for some i."""
        reject_if(len(cuts) != len(self.nodes), "an event needs one cut for each node")
        parts = [(mass, self.exceed(cut)) for mass, cut in zip(self.buckets(), cuts, strict=True)]
        return Bounds(
            self.sum_lower(max(mass.p_low, Fraction(0)) * event.p_low for mass, event in parts),
            self.sum_upper(mass.p_high * event.p_high for mass, event in parts),
            self.sum_lower(max(mass.q_low, Fraction(0)) * event.q_low for mass, event in parts),
            self.sum_upper(mass.q_high * event.q_high for mass, event in parts),
        )


# Parity pools of P_DE.
#
# Legend: a user sends m bits to a pool; the number of ones in the pool of N users, C of them holders, has the
# generating function A^C (A + q B)^(N-C), A = ((1+z)/2)^m, B = ((1-z)/2)^m, whose coefficients are not negative: even
# ones of A + q B are C(m, i) (1+q)/2^m, odd ones C(m, i) (1-q)/2^m.  A law is a list of integers rounded down and one
# rounded up, in units of 1/T.  A user who changes from a to b, with CA other holders of a and CB of b, gives
#     P = law_(CA+1) x law_CB,    Q = law_CA x law_(CB+1),
# and so does the opposite change in the background (CB, CA).  E = e^eps.

MOST_MESSAGES, MOST_ENUMERATED, MOST_COPIES = 2000, 200, 64
MOST_WORK, MOST_SUMMED = 120_000_000, 10_000_000
EXACT_POOL_BITS = 6000

Background = tuple[int, int]


class Rounded(NamedTuple):
    """The masses of 0, 1, ... ones times T, rounded down and up."""

    low: Sequence[int]
    high: Sequence[int]


class Step(NamedTuple):
    """One pool's part of a change: its laws under P and under Q."""

    p: Rounded
    q: Rounded


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials without negative coefficients, as one product of two integers."""
    length = (max(left).bit_length() + max(right).bit_length() + min(len(left), len(right)).bit_length()) // 8 + 1
    packed = [int.from_bytes(b"".join(c.to_bytes(length, "little") for c in p), "little") for p in (left, right)]
    size = len(left) + len(right) - 1
    data = (packed[0] * packed[1]).to_bytes(size * length, "little")
    return [int.from_bytes(data[i : i + length], "little") for i in range(0, size * length, length)]


def binomials(size: int) -> list[int]:
    """C(size, 0), ..., C(size, size)."""
    found = [1]
    for i in range(size):
        found.append(found[-1] * (size - i) // (i + 1))
    return found


class Pools:
    """The laws of one pool for every number of holders, each computed once.

    For a short rational q they are exact with T = (2^m d)^N, d the denominator of q; else T = 2^(bits+64).  T has
    `length` bits, which counts as work.
    """

    def __init__(self, users: int, m: int, q: Interval, bits: int) -> None:
        if users * m > MOST_MESSAGES or users * m * min(users, MOST_ENUMERATED) * bits > MOST_WORK:
            raise Rejected(f"a pool has more than {MOST_MESSAGES} messages, or too many for {bits} bits")
        self.users, self.m, self.q = users, m, q
        denominator = q[0].denominator
        length = self.unit_length(denominator.bit_length()) * users
        work = users * m * min(users, MOST_ENUMERATED) * length
        self.exact = q[0] == q[1] and length <= EXACT_POOL_BITS and work <= MOST_WORK
        self.length = length if self.exact else bits + GUARD
        self.one = self.unit(denominator) if self.exact else 1 << (bits + GUARD)
        self.total = self.one**users if self.exact else self.one
        self.known: dict[int, Rounded] = {}
        unit = 1 if self.exact else self.one
        single = Rounded(self.coefficients(up=False), self.coefficients(up=True))
        self.powers = {0: Rounded([unit], [unit]), 1: single}

    def unit_length(self, length: int) -> int:
        """About the bits of `unit` for a denominator of the given number of bits."""
        return self.m + length

    def unit(self, denominator: int) -> int:
        """A common denominator of the masses of one user."""
        return denominator << self.m

    def factor(self, i: int, up: bool) -> Fraction:
        """The mass of i ones of a user who is no holder, divided by C(m, i)."""
        (low, high) = self.q
        return (1 - (low if up else high) if i % 2 else 1 + (high if up else low)) / (1 << self.m)

    def coefficients(self, up: bool) -> list[int]:
        """The masses of a user who is no holder, in units of `one`."""
        values = [comb(self.m, i) * self.factor(i, up) * self.one for i in range(self.m + 1)]
        return [-(-v.numerator // v.denominator) if up else v.numerator // v.denominator for v in values]

    def scaled(self, values: Sequence[int], up: bool) -> list[int]:
        """A product of two laws, in units of 1/T again."""
        if self.exact:
            return [*values]
        return [-(-v // self.one) if up else v // self.one for v in values]

    def times(self, left: Rounded, right: Rounded) -> Rounded:
        """The law of a sum."""
        return Rounded(
            self.scaled(product(left.low, right.low), up=False), self.scaled(product(left.high, right.high), up=True)
        )

    def power(self, j: int) -> Rounded:
        """The law of j users who are no holders: from that of one less if it is known, else from its halves."""
        if j not in self.powers:
            left = j - 1 if j - 1 in self.powers else j // 2
            self.powers[j] = self.times(self.power(left), self.power(j - left))
        return self.powers[j]

    def held(self, holders: int) -> Rounded:
        """The law of the given number of holders: A^C."""
        size, unit = self.m * holders, self.one**holders if self.exact else self.one
        masses = [value * unit for value in binomials(size)]
        return Rounded([v >> size for v in masses], [-(-v >> size) for v in masses])

    def law(self, holders: int) -> Rounded:
        """The law with C holders."""
        if holders not in self.known:
            self.known[holders] = self.times(self.power(self.users - holders), self.held(holders))
        return self.known[holders]

    def gain(self, holders: int) -> Step:
        """A pool that gains a holder and had the given number of others."""
        return Step(self.law(holders + 1), self.law(holders))

    def lose(self, holders: int) -> Step:
        """A pool that loses a holder and had the given number of others."""
        return Step(self.law(holders), self.law(holders + 1))


class FlippedPools(Pools):
    """Pools of N users who send m copies of a bit, each flipped with probability q; holders are those who hold 1.

    A changed user who holds (1, 0) and then (0, 1), with CA and CB other holders in the two pools, gives the laws P and
    Q of a pair as above, in every background with CA, CB < N.  Exchanging 0 and 1 in the second pool gives the
    changes from (1, 1) to (0, 0); exchanging 0 and 1 in both, and then the pools, turns (CA, CB) into (N-1-CB, N-1-CA),
    so those with CA + CB < N are enough.
    """

    def unit_length(self, length: int) -> int:
        """About the bits of `unit` for a denominator of the given number of bits."""
        return self.m * length

    def unit(self, denominator: int) -> int:
        """A common denominator of the masses of one user."""
        found: int = denominator**self.m
        return found

    def factor(self, i: int, up: bool) -> Fraction:
        """The mass of i ones of a user who holds 0, divided by C(m, i)."""
        (low, high) = self.q
        return (high if up else low) ** i * (1 - (low if up else high)) ** (self.m - i)

    def held(self, holders: int) -> Rounded:
        """The law of the given number of holders: zeros and ones are exchanged."""
        (low, high) = self.power(holders)
        return Rounded(low[::-1], high[::-1])


def pool_upper(step: Step, factor: Fraction, total: int) -> Fraction:
    """An upper bound of one pool's delta at E = factor."""
    a, b = factor.numerator, factor.denominator
    excess = (b * p - a * q for p, q in zip(step.p.high, step.q.low, strict=True))
    return min(Fraction(sum(e for e in excess if e > 0), b * total), Fraction(1))


class Sorted(NamedTuple):
    """Outcomes by falling P/Q (P from above, Q from below), with the sums of the first 0, 1, ... of four masses."""

    p: Sequence[int]
    q: Sequence[int]
    sums: Sequence[Sequence[int]]


def by_ratio(step: Step, falling: bool = True) -> Sorted:
    """The outcomes sorted exactly: quotients of integers below 2^s differ by more than 2^-2s."""
    digits = 2 * max(*step.p.high, *step.q.high).bit_length()
    infinite = 1 << (2 * digits)
    keys = [(p << digits) // q if q else infinite for p, q in zip(step.p.high, step.q.low, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=falling)
    columns = [[column[x] for x in order] for column in (step.p.low, step.p.high, step.q.low, step.q.high)]
    return Sorted(columns[1], columns[2], [[*accumulate(column, initial=0)] for column in columns])


def sorted_pair(pools: Pools, a: int, b: int) -> tuple[Sorted, Sorted]:
    """A pool that gains a holder by falling ratio, and one that loses one by rising ratio, in a background."""
    return by_ratio(pools.gain(a)), by_ratio(pools.lose(b), falling=False)


def counts(first: Sorted, second: Sorted, ratio: Fraction) -> Iterator[int]:
    """For each outcome of the second pool, by rising ratio, how many of the first have P P' > ratio Q Q'."""
    (a, b, count, size) = (ratio.numerator, ratio.denominator, 0, len(first.p))
    for p, q in zip(second.p, second.q, strict=True):
        (left, right) = (b * p, a * q)
        while count < size and left * first.p[count] > right * first.q[count]:
            count += 1
        yield count


def pair_upper(first: Sorted, second: Sorted, exp_eps: Fraction, total: int) -> Fraction:
    """An upper bound of delta: the divergence of masses rounded up from masses rounded down."""
    gains = costs = 0
    for i, count in enumerate(counts(first, second, exp_eps)):
        gains += second.p[i] * first.sums[1][count]
        costs += second.q[i] * first.sums[2][count]
    return min(Fraction(gains, total * total) - exp_eps * Fraction(costs, total * total), Fraction(1))


def pair_event(first: Sorted, second: Sorted, ratio: Fraction, total: int) -> Bounds:
    """The masses of {P > ratio * Q}, decided with P rounded up and Q rounded down."""
    sums = [0, 0, 0, 0]
    columns = [[right - left for left, right in pairwise(column)] for column in second.sums]
    for i, count in enumerate(counts(first, second, ratio)):
        for j in range(4):
            sums[j] += columns[j][i] * first.sums[j][count]
    return Bounds(*(Fraction(value, total * total) for value in sums))


def pool_event(step: Step, ratio: Fraction, total: int) -> Bounds:
    """The masses of {P > ratio * Q} in one pool."""
    order = by_ratio(step)
    count = sum(ratio.denominator * p > ratio.numerator * q for p, q in zip(order.p, order.q, strict=True))
    return Bounds(*(Fraction(column[count], total) for column in order.sums))


class Crowd(NamedTuple):
    """The users of P_DE, how many elements there are, and how many of the users are dummies, who hold the element 1."""

    users: int
    k: int
    dummies: int = 0

    def may_hold(self, a: int, b: int) -> bool:
        """Whether the given number of others can hold a and b, one of which may be 1; all of them do if k = 2."""
        if min(a, b) < 0 or a + b > self.users - 1 or (self.k == 2 and a + b < self.users - 1):
            return False
        return max(a, b) >= self.dummies or (self.k > 2 and a + b <= self.users - 1 - self.dummies)

    def backgrounds(self) -> list[Background]:
        """Every (CA, CB) that the other users can form."""
        return [(a, b) for a in range(self.users) for b in range(self.users - a) if self.may_hold(a, b)]


class Single(NamedTuple):
    """Upper bounds for one pool: a gained and a lost holder at E and at a root r with r^2 <= E, and at 1."""

    gain: Fraction
    lose: Fraction
    gain_root: Fraction
    lose_root: Fraction
    distance: Fraction


def every_pair_upper(pools: Pools, crowd: Crowd, exp_eps: Fraction, delta: Fraction) -> Background | None:
    """The first background whose delta is not seen to be at most the given one; None if all are.

    A pair is bounded by its single pools: for E >= u v, P P' - E Q Q' <= (P - u Q) P' + u Q (P' - v Q'), so it is at
    most gain(u) + u lose(v), and in the same way lose(v) + v gain(u), with u = 1, v = 1 and u = v = r.  Where that
    is not enough the pair is summed.
    """
    root = Fraction(isqrt(int(exp_eps * 4**GUARD)), 2**GUARD)
    backgrounds = crowd.backgrounds()
    counts = sorted({count for pair in backgrounds for count in pair}, reverse=True)
    singles = {holders: single(pools, holders, exp_eps, root) for holders in counts}
    falling: dict[int, Sorted] = {}
    rising: dict[int, Sorted] = {}
    summed = 0
    for a, b in backgrounds:
        if split_upper(singles[a], singles[b], root) <= delta:
            continue
        summed += pools.users * pools.m * (1 + pools.length // 256)
        reject_if(summed > MOST_SUMMED, "too many backgrounds have to be summed")
        first = falling.get(a) or falling.setdefault(a, by_ratio(pools.gain(a)))
        second = rising.get(b) or rising.setdefault(b, by_ratio(pools.lose(b), falling=False))
        if pair_upper(first, second, exp_eps, pools.total) > delta:
            return a, b
    return None


def single(pools: Pools, holders: int, exp_eps: Fraction, root: Fraction) -> Single:
    """The bounds of one pool."""
    gain, lose, total = pools.gain(holders), pools.lose(holders), pools.total
    cases = ((gain, exp_eps), (lose, exp_eps), (gain, root), (lose, root), (gain, Fraction(1)))
    return Single(*(pool_upper(step, factor, total) for step, factor in cases))


def split_upper(a: Single, b: Single, root: Fraction) -> Fraction:
    """The bound of a pair from its single pools."""
    halves = min(a.gain_root + root * b.lose_root, b.lose_root + root * a.gain_root)
    return min(a.distance + b.lose, a.gain + b.distance, halves)


# P_DE with more messages than can be enumerated: its distance from the ideal modular sum.
#
# Legend: as for the parity pools, and Q = q^N, kappa_j = ||A^(N-j) B^j||_1 <= C(Nm, mj)^(-1/2) (docs/shares.md).
# With at least one holder a law is A^N, and with none A^N + q^N B^N, up to r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j in
# norm; so every delta is within (1+E) r of what the parities of the two pools alone give, which is largest with no
# other holder: max(0, (1+Q) - E (1-Q))/4; for k = 2 the pool of b has one, and it is max(0, 1 - E (1-Q))/2.

EXPLICIT_TERMS = 8
MOST_IDEAL_USERS, MOST_SHARES = 10**12, 1000


def parity_event(users: int, k: int, q: Interval, bits: int) -> Bounds:
    """{odd number of ones in the pool of a, even in that of b}, with no other holder; for k = 2 {odd in that of a}.

    The parity of a pool is exactly the sum of the users' bits: fair with a holder, odd with probability (1-Q)/2
    without.
    """
    low, high = integer_power(q, users, bits)
    half = Fraction(1, 2)
    if k == 2 and users > 1:
        return Bounds(half, half, (1 - high) / 2, (1 - low) / 2)
    return Bounds((1 + low) / 4, (1 + high) / 4, (1 - high) / 4, (1 - low) / 4)


def ideal_upper(users: int, k: int, m: int, q: Interval, exp_eps: Fraction, bits: int) -> Fraction:
    """An upper bound of delta over all neighbours."""
    event = parity_event(users, k, q, bits)
    ideal = max(event.p_high - exp_eps * event.q_low, Fraction(0))
    return ideal + (1 + exp_eps) * radius(users, m, q, bits)


def radius(users: int, m: int, q: Interval, bits: int) -> Fraction:
    """An upper bound of r.

    Terms j and N-j together; those from J on, far from both ends, are at most C(N, j)^(1-m/2) <= C(N, J)^(1-m/2)
    each, because C(Nm, mj) >= C(N, j)^m and m >= 2.
    """
    if users > MOST_IDEAL_USERS or not 2 <= m <= MOST_SHARES:
        raise Rejected(
            f"the ideal sum is compared for at most {MOST_IDEAL_USERS} users and 2 to {MOST_SHARES} messages"
        )
    total, last = Fraction(0), min(EXPLICIT_TERMS, users - 1)
    for j in range(1, last + 1):
        if 2 * j <= users:
            powers = integer_power(q, j, bits)[1]
            if 2 * j < users:
                powers += integer_power(q, users - j, bits)[1]
            total += comb(users, j) * powers / isqrt(comb(users * m, m * j))
    beyond = users - 2 * last - 1
    if beyond > 0:
        total += beyond * Fraction(1, isqrt(comb(users, last + 1) ** (m - 2)))
    return total


# Any locally private randomizer behind a shuffler: the clones above, binary response below.
#
# Legend: p = e^eps0, s = p/(p+1), N users, E = e^eps.  *Clones*: C ~ Bin(N-1, 1/p) of the others send a fair coin, the
# changed user one that is 1 with probability s under P and 1-s under Q; the view is C and the number a of ones, and the
# mirror of the pair is the pair.  With M = C+1 the ratio P/Q is (p a + M-a)/(a + p (M-a)), which is above E where
# a > M tau, tau = (E p - 1)/((p-1)(E+1)).  With G(t) = P[Bin(C, 1/2) >= t],
#     P[a >= t] - E Q[a >= t] = (s - E (1-s)) G(t-1) - (E s - (1-s)) G(t).
# One more coin adds half of the mass at t-1 to G(t): one walk along the cuts finds all tails.
# If no randomizer depends on others' messages, C ~ Bin(N-1, 2/(p+1)) are clones: the stronger clones.
# *Binary response*: every user's bit is sent right with probability s, which is one such randomizer.

LARGEST_LOCAL = 64
CLONES = {"local": 1, "local-nonadaptive": 2}
"""The odds of a clone, times p - 1."""


class FairCoins:
    """C fair coins and a cut t, 1 <= t <= C+1: G(t) and the mass at t-1 in `unit`s, rounded down and up."""

    def __init__(self, size: int, cut: int, bits: int) -> None:
        law = weights(Noise(size, ONE), bits)
        self.size, self.cut, self.unit = size, cut, 1 << (bits + GUARD)
        self.tail, self.mass = (self.share(part, law.total) for part in (law.tail(cut), law.point(cut - 1)))

    def share(self, weight: tuple[int, int], total: tuple[int, int]) -> tuple[int, int]:
        """A weight as a probability."""
        return weight[0] * self.unit // total[1], -(-weight[1] * self.unit // total[0])

    def toss(self) -> None:
        """One more coin."""
        (low, high) = self.mass
        self.tail = self.tail[0] + (low >> 1), self.tail[1] + (-(-high >> 1))
        self.size += 1
        (top, bottom) = (self.size, 2 * (self.size + 1 - self.cut))
        self.mass = low * top // bottom, -(-high * top // bottom)

    def raised(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The tail and the mass for the next cut."""
        top = self.size + 1 - self.cut
        (low, high) = (self.mass[0] * top // self.cut, -(-self.mass[1] * top // self.cut))
        return (max(self.tail[0] - high, 0), self.tail[1] - low), (low, high)

    def go_to(self, cut: int) -> None:
        """Moves the cut up."""
        while self.cut < cut:
            self.tail, self.mass = self.raised()
            self.cut += 1

    def gain(self, gain: int, cost: int, both: bool) -> int:
        """An upper bound of gain G(t-1) - cost G(t), or of the larger one of this and of the same for t+1."""
        found = gain * (self.tail[1] + self.mass[1]) - cost * self.tail[0]
        return max(found, gain * self.tail[1] - cost * self.raised()[0][0]) if both else found


def clones_upper(users: int, p: Interval, exp_eps: Fraction, bits: int, clones: int) -> Fraction:
    """An upper bound of the clones' delta; a user is one with the odds clones/(p-1).

    The best cut falls in p; where the ends of p leave two of them, the larger gain counts.  C outside of the weights
    counts in full.
    """
    (often, seldom) = (p[1] / (p[1] + 1), p[0] / (p[0] + 1))
    law, unit = weights(Noise(users - 1, (clones / (p[1] - 1), clones / (p[0] - 1))), bits), 1 << (bits + GUARD)
    gain, cost = int((often - exp_eps * (1 - often)) * unit) + 1, int((exp_eps * seldom - (1 - seldom)) * unit)
    if often <= exp_eps * (1 - often):
        return Fraction(0)
    least, most = ((exp_eps * end - 1) / ((end - 1) * (exp_eps + 1)) for end in p[::-1])
    low, high = cut_off(least, bits, up=False), cut_off(most, bits, up=True)
    coins, total = FairCoins(law.first, 1 + (law.first + 1) * low.numerator // low.denominator, bits), 0
    for size, weight in enumerate(law.high, start=law.first):
        (cut, last) = (1 + (size + 1) * end.numerator // end.denominator for end in (low, high))
        reject_if(last > cut + 1, "e^eps0 is not known well enough to find the best cuts")
        if size > coins.size:
            coins.toss()
        coins.go_to(cut)
        total += weight * max(coins.gain(gain, cost, last > cut), 0)
    return Fraction(total + (law.before + law.after) * unit * unit, unit * unit * law.total[0])


def response_event(p: Interval, ones: int, zeros: int, cut: int, bits: int) -> Bounds:
    """{at least `cut` ones}: the changed user's bit is 1 under P and 0 under Q, and that many others hold 1 and 0."""
    held = weights(Noise(ones, p), bits), weights(Noise(zeros, (1 / p[1], 1 / p[0])), bits)
    above = [sum_above(*held, t) for t in (cut - 1, cut)]
    right = rounded(p[0] / (p[0] + 1), p[1] / (p[1] + 1), bits + GUARD)
    sides = (right, add(ONE, negative(right), bits + GUARD))
    masses = [
        add(times(one, above[0], bits + GUARD), times(zero, above[1], bits + GUARD), bits + GUARD)
        for one, zero in (sides, sides[::-1])
    ]
    return Bounds(*masses[0], *masses[1])


def sum_above(left: Weights, right: Weights, t: int) -> Interval:
    """P[X + Y >= t] for independent X and Y."""
    tails = [right.tail(t - x) for x in range(left.first, left.end)]
    low = sum(weight * tail[0] for weight, tail in zip(left.low, tails, strict=True))
    high = sum(weight * tail[1] for weight, tail in zip(left.high, tails, strict=True))
    high += (left.before + left.after) * right.total[1]
    return Fraction(low, left.total[1] * right.total[1]), Fraction(high, left.total[0] * right.total[0])


# Forms: how each kind of claim is replayed.
#
# Legend: P and Q are the two laws of the view; delta = max over events S of P[S] - E Q[S], E = e^eps.  So any event
# gives a lower bound, and the event {P > E Q} gives delta itself.  A claim holds E between two rationals; an upper
# bound is shown for the lower one, because delta falls in E, and a lower bound for the upper one.

Data = Mapping[str, object]

LARGEST_COUNT = LARGEST_MEAN = 10**15
MOST_NODES = 5000
NOT_BEST = "the cut is not where the ratio of the laws crosses e^eps"


@dataclass(frozen=True)
class Claim:
    """delta <= `delta` (kind "upper") or delta >= `delta` (kind "lower") at e^eps, and the witness for it."""

    kind: str
    protocol: str
    parameters: Mapping[str, str]
    view: str
    direction: str | None
    holders: tuple[int, ...] | None
    exp_eps: Interval
    delta: Fraction
    bits: int
    witness: Data

    @property
    def upper(self) -> bool:
        """Whether the claim is an upper bound."""
        return self.kind == "upper"

    @property
    def factor(self) -> Fraction:
        """The end of e^eps for which the claim is shown."""
        return self.exp_eps[0 if self.upper else 1]

    def number(self, letter: str, default: str | None = None) -> Interval:
        """A parameter."""
        text = self.parameters.get(letter, default)
        if text is None:
            raise Rejected(f"the parameter {letter} is missing")
        return enclose(text, self.bits + GUARD)

    def one_of(self, *letters: str) -> tuple[str, Interval]:
        """Which of these parameters is given, and its number; e^eps for eps."""
        ways = [letter for letter in letters if letter in self.parameters]
        reject_if(len(ways) != 1, f"one of {', '.join(letters[:-1])} and {letters[-1]} is needed")
        value = self.number(ways[0])
        return ways[0], exp(value, self.bits + GUARD) if ways == ["eps"] else value

    def count(self, letter: str, least: int = 1) -> int:
        """A parameter that is a whole number."""
        return whole(self.number(letter), letter, least)

    def users(self) -> int:
        """N = gamma * n."""
        gamma = self.number("gamma", "1")
        reject_if(not 0 < gamma[0] <= gamma[1] <= 1, "gamma is not above 0 and at most 1")
        n = Fraction(self.count("n"))
        return whole(times(gamma, (n, n), self.bits + GUARD), "gamma*n", 1)

    def events(self, most: int) -> list[Data]:
        """The events of the witness."""
        found = self.witness.get("events")
        if not isinstance(found, list) or not 1 <= len(found) <= most or not all(isinstance(e, dict) for e in found):
            raise Rejected(f"the witness needs 1 to {most} events")
        return found

    def settle(self, event: Data, bounds: Bounds) -> None:
        """*Raises* `Rejected` unless the event has the masses that the file states, and they give the claim."""
        p, q = rational(event.get("P")), rational(event.get("Q"))
        wrong = (bounds.p_high > p or bounds.q_low < q) if self.upper else (bounds.p_low < p or bounds.q_high > q)
        reject_if(wrong, "the event does not have the probabilities that are stated")
        shown = p - self.factor * q
        missed = shown > self.delta if self.upper else shown < self.delta
        reject_if(missed, "the stated probabilities do not give the claimed delta")


def whole(value: Interval, letter: str, least: int) -> int:
    """The whole number that an interval consists of."""
    if value[0] != value[1] or value[0].denominator != 1 or not least <= value[0] <= LARGEST_COUNT:
        raise Rejected(f"{letter} is not a whole number from {least} to {LARGEST_COUNT}")
    return value[0].numerator


def integer(value: object, what: str) -> int:
    """A whole number of the file."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Rejected(f"{what} is not a whole number")
    return value


def rationals(value: object, what: str, bits: int) -> Sequence[Fraction]:
    """A list of short rationals of the file."""
    if not isinstance(value, list) or len(value) > MOST_NODES:
        raise Rejected(f"{what} is not a list of at most {MOST_NODES} rationals")
    return [short(rational(item), bits) for item in value]


def binomial(l: int, p: Interval) -> Noise:
    """Bin(l, p) with 0 < p < 1."""
    reject_if(not 0 < p[0] <= p[1] < 1, "p is not strictly between 0 and 1")
    return Noise(l, (p[0] / (1 - p[0]), p[1] / (1 - p[1])))


def poisson(gamma: Interval, lam: Interval, bits: int) -> Noise:
    """The zeros and the ones of a pool of P_UT: independent Pois(gamma*lam/2)."""
    if not 0 < gamma[0] <= gamma[1] <= 1 or lam[0] <= 0:
        raise Rejected("lam is not positive, or gamma not above 0 and at most 1")
    mean = times(gamma, lam, bits)
    reject_if(mean[1] > LARGEST_MEAN, "the noise has a mean above 10^15")
    return Noise(None, (mean[0] / 2, mean[1] / 2))


def replay_shift(claim: Claim) -> None:
    """One shift: the view is the noise under one law and 1 + noise under the other.

    An upper bound that names no direction needs both, or one if p = 1/2 makes them equal.
    """
    noise = noise_of(claim)
    wanted = [claim.direction] if claim.direction else ["lose", "gain"]
    seen = []
    for event in claim.events(2 if claim.upper else 1):
        direction = event.get("direction")
        reject_if(direction not in wanted, "an event has no direction, or another one than the claim")
        cut = integer(event.get("at_most" if direction == "lose" else "at_least"), "the cut of an event")
        first = 0 if direction == "lose" else 1
        if cut < first or (noise.l is not None and cut > noise.l + first):
            raise Rejected("the cut of an event lies outside of the noise")
        reject_if(claim.upper and not is_best_cut(noise, str(direction), cut, claim.exp_eps[0]), NOT_BEST)
        claim.settle(event, shift_event(weights(noise, claim.bits), str(direction), cut))
        seen.append(direction)
    if claim.upper and not noise.is_symmetric and not all(direction in seen for direction in wanted):
        raise Rejected("an upper bound needs an event for each direction")


def replay_product(claim: Claim) -> None:
    """Two opposite shifts: the pair of a histogram, and the zeros and ones of a Poisson pool."""
    noise = noise_of(claim)
    (event,) = claim.events(1)
    ratio = claim.factor if claim.upper else short(rational(event.get("ratio_above")), claim.bits)
    reject_if(ratio <= 0, "the ratio of an event is not positive")
    claim.settle(event, product_event(noise, weights(noise, claim.bits), ratio))


def replay_poisson_pair(claim: Claim) -> None:
    """Both Poisson pools that a changed user touches."""
    noise = noise_of(claim)
    if claim.upper:
        pools = PoolTwice(noise, claim.bits, rationals(claim.witness.get("nodes"), "nodes", claim.bits))
        reject_if(pools.delta_upper(claim.exp_eps[0]) > claim.delta, "the bound on the grid is above the claimed delta")
        return
    (event,) = claim.events(1)
    cuts = rationals(event.get("cuts"), "cuts", claim.bits)
    nodes = rationals(event.get("nodes"), "nodes", claim.bits)
    reject_if(any(cut <= 0 for cut in cuts), "the ratio of an event is not positive")
    claim.settle(event, PoolTwice(noise, claim.bits, nodes).event(cuts))


def share(claim: Claim) -> Interval:
    """q = (1 - e^-eps)^(1/n) of P_DE, from q, eps or e^eps."""
    (way, value), bits, n = claim.one_of("q", "eps", "exp-eps"), claim.bits + GUARD, Fraction(claim.count("n"))
    if way != "q":
        value = exp(times(log(add(ONE, negative(inverse(value, bits)), bits), bits), (1 / n, 1 / n), bits), bits)
    reject_if(not 0 < value[0] <= value[1] < 1, "q is not strictly between 0 and 1")
    return value


def batch(claim: Claim) -> int:
    """The executions beside which Q_P hides an element at the least: half of the dummies, and its own.

    The view, the state at a time and the output, is computed from the two batches before and after that time, which
    bounds it from above only.
    """
    if claim.upper:
        n = claim.count("n", 3)
        return (n - n // 3) // 2 + 1
    raise Rejected("a bound by batches shows nothing from below")


def crowd_of(claim: Claim) -> Crowd:
    """The users whose messages a pool of P_DE holds, and how many elements there are: three stand for more.

    For any hash function the hashed elements are those of P_DE; with three elements, two users and c >= 1 there are
    three values, and every background occurs.  The first element of the stream of Q_P is in the state with the first
    dummies.
    """
    if claim.protocol == "pan-distinct-elements":
        n = claim.count("n", 3)
        dummies = (n - n // 3 + 1) // 2
        return Crowd(dummies + 1, claim.count("k", 2), dummies)
    if claim.protocol == "hashed-distinct-elements":
        claim.count("n", 2)
        return Crowd(claim.users(), claim.count("k", 3))
    return Crowd(claim.users(), claim.count("k", 2))


def replay_distinct(claim: Claim) -> None:
    """P_DE."""
    crowd, m, q = crowd_of(claim), claim.count("m"), share(claim)
    if crowd.dummies and claim.upper:
        check_output(claim, crowd, q)
    if claim.witness.get("form") == "ideal":
        replay_ideal(claim, crowd, m, q)
        return
    reject_if(crowd.users * m > MOST_MESSAGES, f"a pool has more than {MOST_MESSAGES} messages")
    replay_pools(claim, Pools(crowd.users, m, q, claim.bits), crowd)


def flipped(claim: Claim) -> FlippedPools:
    """The pools of a sum of flipped bits: one copy of each of two bits, or m of one."""
    m, p = 1 if claim.protocol == "two-bit-sum" else claim.count("m"), claim.number("p")
    reject_if(not 0 < p[0] <= p[1] < Fraction(1, 2), "p is not above 0 and below 1/2")
    reject_if(m > MOST_COPIES, f"a bit has more than {MOST_COPIES} copies")
    return FlippedPools(claim.users(), m, p, claim.bits)


def replay_flipped(claim: Claim) -> None:
    """Sums of flipped bits."""
    pools = flipped(claim)
    replay_pools(claim, pools, Crowd(pools.users, 3))


def replay_pools(claim: Claim, pools: Pools, crowd: Crowd) -> None:
    """One pool, or two that a changed user touches."""
    if not claim.upper:
        replay_parity_event(claim, pools, crowd)
    elif claim.view == "pair":
        replay_parity_pair(claim, pools, crowd)
    else:
        replay_parity_pool(claim, pools)


PARITY = Bounds(*ONE, *ZERO)


def replay_shares(claim: Claim) -> None:
    """P_MOD: its shares have as many ones, mod 2, as the data, so an odd number tells two neighbours for certain."""
    claim.users(), claim.count("m")
    (event,) = claim.events(1)
    claim.settle(event, PARITY)


def check_output(claim: Claim, crowd: Crowd, q: Interval) -> None:
    """An element of the last batch of Q_P, which shows in the output alone: the number of pools with an odd sum.

    The state tells the sums so far.  A change from a to b shows only if these are of different parity, which has
    probability at most 1/2, so that delta is at most half of that of the batch's parities.  If others hold one of the
    two, as they must for k = 2, a fair parity blurs the other one, and delta is half of that of one pool's, which
    is no more.  A last batch that is no smaller than the first one tells less than the state.
    """
    n = claim.count("n", 3)
    late = (n - n // 3) // 2 + 1
    event = parity_event(late, crowd.k, q, claim.bits + GUARD)
    if late < crowd.users and event.p_high - claim.exp_eps[0] * event.q_low > 2 * claim.delta:
        raise Rejected("the bound by the output is above the claimed delta")


def replay_ideal(claim: Claim, crowd: Crowd, m: int, q: Interval) -> None:
    """Large pools."""
    if claim.view != "pair" or claim.holders is not None:
        raise Rejected("the ideal sum speaks of the pair and of all backgrounds only")
    bits = claim.bits + GUARD
    if not claim.upper:
        claim.settle(claim.events(1)[0], parity_event(crowd.users, crowd.k, q, bits))
    elif ideal_upper(crowd.users, crowd.k, m, q, claim.exp_eps[0], bits) > claim.delta:
        raise Rejected("the bound by the ideal sum is above the claimed delta")


def background_of(value: object, crowd: Crowd, view: str) -> tuple[int, ...]:
    """The other holders that an event or a claim names, if there can be that many."""
    if not isinstance(value, (list, tuple)) or len(value) != (2 if view == "pair" else 1):
        raise Rejected("holders are not one count for a pool or two for a pair")
    found = tuple(integer(item, "a number of holders") for item in value)
    if not (0 <= found[0] < crowd.users if view != "pair" else crowd.may_hold(*found)):
        raise Rejected("there can't be that many other holders")
    return found


def replay_parity_event(claim: Claim, pools: Pools, crowd: Crowd) -> None:
    """A lower bound: the event {P > ratio * Q} in one background."""
    (event,) = claim.events(1)
    holders = background_of(event.get("holders"), crowd, claim.view)
    ratio = short(rational(event.get("ratio_above")), claim.bits)
    if ratio <= 0 or (claim.holders is not None and claim.holders != holders):
        raise Rejected("the event is one of another background, or its ratio is not positive")
    if claim.view != "pair":
        direction = event.get("direction")
        if direction not in ("gain", "lose") or claim.direction not in (None, direction):
            raise Rejected("an event has no direction, or another one than the claim")
        step = pools.gain(holders[0]) if direction == "gain" else pools.lose(holders[0])
        claim.settle(event, pool_event(step, ratio, pools.total))
        return
    claim.settle(event, pair_event(*sorted_pair(pools, *holders), ratio, pools.total))


def replay_parity_pool(claim: Claim, pools: Pools) -> None:
    """An upper bound for one pool, in every background and direction that the claim covers."""
    if claim.holders is not None:
        background_of(claim.holders, Crowd(pools.users, 3), "pool")
    elif pools.users > MOST_ENUMERATED:
        raise Rejected(f"backgrounds of at most {MOST_ENUMERATED} users are enumerated")
    for holders in claim.holders or reversed(range(pools.users)):
        steps = {"gain": pools.gain(holders), "lose": pools.lose(holders)}
        for direction, step in steps.items():
            covered = claim.direction in (None, direction)
            if covered and pool_upper(step, claim.exp_eps[0], pools.total) > claim.delta:
                raise Rejected(f"delta is not seen to be at most the claimed one with {holders} other holders")


def replay_parity_pair(claim: Claim, pools: Pools, crowd: Crowd) -> None:
    """An upper bound for the pair, in the background of the claim or in all of them."""
    exp_eps = claim.exp_eps[0]
    if claim.holders is not None:
        a, b = background_of(claim.holders, crowd, "pair")
        worse = pair_upper(*sorted_pair(pools, a, b), exp_eps, pools.total) > claim.delta
        found = (a, b) if worse else None
    elif pools.users > MOST_ENUMERATED:
        raise Rejected(f"backgrounds of at most {MOST_ENUMERATED} users are enumerated")
    else:
        found = every_pair_upper(pools, crowd, exp_eps, claim.delta)
    reject_if(found is not None, f"delta is not seen to be at most the claimed one in the background {found}")


def odds(claim: Claim) -> Interval:
    """e^eps0."""
    eps0 = claim.number("eps0")
    reject_if(not 0 < eps0[0] <= eps0[1] <= LARGEST_LOCAL, f"eps0 is not above 0 and at most {LARGEST_LOCAL}")
    p = exp(eps0, claim.bits + GUARD)
    reject_if(p[0] <= 1, "eps0 is too close to 0 for this precision")
    return p


def replay_local(claim: Claim) -> None:
    """Any locally private randomizer: the clones cover all of them, and binary response is one of them."""
    users, p = claim.users(), odds(claim)
    if claim.upper:
        if clones_upper(users, p, claim.exp_eps[0], claim.bits, CLONES[claim.protocol]) > claim.delta:
            raise Rejected("the bound by the clones is above the claimed delta")
        return
    (event,) = claim.events(1)
    ones, zeros = background_of(event.get("holders"), Crowd(users, 2), "pair")
    cut = integer(event.get("at_least"), "the cut of an event")
    reject_if(not 0 <= cut <= users, "the cut of an event lies outside of the counts")
    claim.settle(event, response_event(p, ones, zeros, cut, claim.bits))


Outcome = tuple[str, int, Bounds]
"""An event of a count: "at_least" or "at_most", the cut, and its masses."""


def released(claim: Claim) -> dict[str, Outcome]:
    """For each direction the best event of a released number, s = e^-eps, as long as one has a ratio above e^eps.

    Two-sided geometric noise around 0 and around 1: the ratio is 1/s up to 0, and s beyond; the other direction is the
    same.  An OR that is 1 gives a fair coin, and one that is 0 gives 1 with probability s/2.
    """
    (_, value), half = claim.one_of("eps", "exp-eps"), Fraction(1, 2)
    low, high = inverse(value, claim.bits + GUARD)
    reject_if(not 0 < low <= high < 1, "eps is not positive")
    if claim.protocol == "randomized-or":
        claim.count("n")
        lose = Bounds(1 - high / 2, 1 - low / 2, half, half)
        return {"gain": ("at_least", 1, Bounds(half, half, low / 2, high / 2)), "lose": ("at_most", 0, lose)}
    claim.count("n", 2), claim.count("k", 2)
    return {"lose": ("at_most", 0, Bounds(1 / (1 + high), 1 / (1 + low), low / (1 + low), high / (1 + high)))}


def replay_released(claim: Claim) -> None:
    """A number that a trusted curator releases."""
    best = released(claim)
    wanted = {claim.direction} if claim.direction else set(best)
    for event in claim.events(2 if claim.upper else 1):
        direction = event.get("direction")
        reject_if(direction not in wanted, "an event has no direction, or one that is not wanted")
        side, cut, bounds = best[str(direction)]
        reject_if(event.get(side) != cut, "the event is not the best one")
        claim.settle(event, bounds)
        wanted -= {direction} if claim.upper else set()
    reject_if(claim.upper and wanted, "an upper bound needs an event for each direction")


def groups(claim: Claim) -> None:
    """*Raises* `Rejected` unless there are two groups or more; if they are not equal, padding leaves a bound only."""
    k, k_hat = claim.count("k", 2), claim.count("k-hat", 2)
    if k_hat > k or (k % k_hat and not claim.upper):
        raise Rejected("k-hat is above k, or does not divide it, which leaves an upper bound only")


def noise_of(claim: Claim) -> Noise:
    """The noise of every protocol but P_DE and those with clones."""
    half = (Fraction(1, 2), Fraction(1, 2))
    if "k" in PROTOCOLS[claim.protocol].letters:
        claim.count("k", 2)
    if claim.protocol == "binomial":
        return binomial(claim.count("l"), claim.number("p"))
    if claim.protocol in ("pan-sum", "pan-histogram"):
        return binomial(claim.count("lam"), half)
    if claim.protocol in ("binary-sum", "shuffle-histogram"):
        return binomial(claim.users(), claim.number("p"))
    gamma = claim.number("gamma", "1")
    if claim.protocol == "pan-uniformity":
        gamma = (Fraction(batch(claim), claim.count("n", 3)),) * 2
    if claim.protocol == "compressed-uniformity":
        groups(claim)
    return poisson(gamma, claim.number("lam"), claim.bits + GUARD)


@dataclass(frozen=True)
class Protocol:
    """What a claim on a protocol may contain, and how it is replayed for each view; which views have a direction."""

    letters: tuple[str, ...]
    views: Mapping[str, Callable[[Claim], None]]
    directions: tuple[str, ...] = ()


SUM = {"whole": replay_shift}
HISTOGRAM = {"pool": replay_shift, "pair": replay_product}
TESTER = {"pool": replay_product, "pair": replay_poisson_pair}
DISTINCT = {"pool": replay_distinct, "pair": replay_distinct}
PROTOCOLS = {
    "binomial": Protocol(("l", "p"), SUM, ("whole",)),
    "binary-sum": Protocol(("n", "gamma", "p"), SUM, ("whole",)),
    "pan-sum": Protocol(("lam",), SUM, ("whole",)),
    "pan-histogram": Protocol(("k", "lam"), HISTOGRAM, ("pool",)),
    "shuffle-histogram": Protocol(("k", "n", "gamma", "p"), HISTOGRAM, ("pool",)),
    "uniformity": Protocol(("k", "lam", "gamma"), TESTER),
    "compressed-uniformity": Protocol(("k", "k-hat", "lam", "gamma"), TESTER),
    "pan-uniformity": Protocol(("k", "n", "lam"), {"pair": replay_poisson_pair}),
    "distinct-elements": Protocol(("k", "n", "gamma", "m", "q", "eps", "exp-eps"), DISTINCT, ("pool",)),
    "hashed-distinct-elements": Protocol(("k", "n", "gamma", "m", "q", "eps", "exp-eps"), DISTINCT, ("pool",)),
    "pan-distinct-elements": Protocol(("k", "n", "m", "q", "eps", "exp-eps"), {"pair": replay_distinct}),
    "geometric-distinct-elements": Protocol(("n", "k", "eps", "exp-eps"), {"whole": replay_released}),
    "randomized-or": Protocol(("n", "eps", "exp-eps"), {"whole": replay_released}, ("whole",)),
    "two-bit-sum": Protocol(("n", "gamma", "p"), {"pool": replay_flipped, "pair": replay_flipped}),
    "poisson-binomial": Protocol(("n", "gamma", "m", "p"), {"whole": replay_flipped}),
    "modular-sum": Protocol(("n", "gamma", "m"), {"whole": replay_shares}),
    **{name: Protocol(("eps0", "n", "gamma"), {"whole": replay_local}) for name in CLONES},
}


# The format.

FORMAT, VERSION = "panshuffle certificate", 1
LARGEST_FILE, MOST_CLAIMS, LONGEST_INTEGER = 1 << 20, 4, 18
LEAST_BITS, MOST_BITS = 32, 2048
FIELDS = {"kind", "protocol", "parameters", "view", "direction", "holders", "scope", "at", "delta", "witness"}
WITNESS = {"bits", "exp_eps", "events", "nodes", "form"}
EVENT = {"direction", "holders", "at_most", "at_least", "ratio_above", "nodes", "cuts", "P", "Q"}


def pairs_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object.  *Raises* `Rejected` for a key that is there twice."""
    found = dict(pairs)
    reject_if(len(found) != len(pairs), "a key is there twice")
    return found


def short_integer(text: str) -> int:
    """A whole number.  *Raises* `Rejected` for a long one."""
    reject_if(len(text) > LONGEST_INTEGER, f"a whole number has more than {LONGEST_INTEGER} characters")
    return int(text)


def no_float(text: str) -> float:
    """*Raises* `Rejected`: a binary float is no exact number."""
    raise Rejected("a number with a point is not written as a text")


def read(data: bytes) -> object:
    """The JSON value of a file.  *Raises* `Rejected` for anything else."""
    reject_if(len(data) > LARGEST_FILE, f"the file is longer than {LARGEST_FILE} bytes")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=pairs_once,
            parse_int=short_integer,
            parse_float=no_float,
            parse_constant=no_float,
        )
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise Rejected("the file is not JSON in UTF-8") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply") from None


def record(value: object, what: str, fields: set[str]) -> Data:
    """An object that has no other fields than these."""
    if not isinstance(value, dict):
        raise Rejected(f"{what} is not an object")
    unknown = sorted(set(value) - fields)
    if unknown:
        raise Rejected(f"{what} has a field that is not known ({shortened(unknown[0])})")
    return value


def shortened(text: str) -> str:
    """The beginning of a text from the file, without what can't be printed."""
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text[:60])


def chosen(value: object, what: str, allowed: Sequence[str | None]) -> str | None:
    """One of the allowed values."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise Rejected(f"{what} is not one of {', '.join(str(choice) for choice in allowed)}")
    return value


def parameters_of(value: object, letters: Sequence[str]) -> Mapping[str, str]:
    """The parameters, as texts of the letters that the protocol has."""
    found = record(value, "parameters", set(letters))
    texts = {letter: text for letter, text in found.items() if isinstance(text, str)}
    if len(texts) != len(found) or not all(PRINTABLE.fullmatch(t) and len(t) <= LONGEST_TEXT for t in texts.values()):
        raise Rejected("a parameter is not a short text")
    return texts


def exp_eps_of(at: Data, witness: Data, bits: int) -> Interval:
    """The file's enclosure of e^eps, if it encloses our own, and if eps >= 0."""
    reject_if(len(at) != 1, "'at' needs one of eps and exp_eps")
    ((name, text),) = at.items()
    own = enclose(text, bits + GUARD)
    own = exp(own, bits + GUARD) if name == "eps" else own
    stated = witness.get("exp_eps")
    if not isinstance(stated, list) or len(stated) != 2:
        raise Rejected("the witness has no two rationals around e^eps")
    lower, upper = (short(rational(end), bits) for end in stated)
    reject_if(not lower <= own[0] <= own[1] <= upper, "the rationals of the witness do not enclose e^eps")
    reject_if(lower < 1, "eps is negative, or too close to 0 for the enclosure of e^eps")
    return lower, upper


def holders_of(value: object) -> tuple[int, ...] | None:
    """The other holders that a claim fixes."""
    if value is None:
        return None
    if not isinstance(value, list) or not 1 <= len(value) <= 2:
        raise Rejected("holders are not one or two counts")
    return tuple(integer(item, "a number of holders") for item in value)


def claim_of(value: object) -> Claim:
    """The claim, its fields checked."""
    entry = record(value, "a claim", FIELDS)
    missing = FIELDS - {"direction", "holders"} - set(entry)
    if missing:
        raise Rejected(f"a claim has no field {min(missing)}")
    name = chosen(entry["protocol"], "the protocol", [*PROTOCOLS]) or ""
    protocol = PROTOCOLS[name]
    view = chosen(entry["view"], "the view", [*protocol.views]) or ""
    direction = chosen(entry.get("direction"), "the direction", (None, "gain", "lose"))
    reject_if(direction and view not in protocol.directions, "a direction has no meaning for this view")
    holders = holders_of(entry.get("holders"))
    if holders is not None and name not in ("distinct-elements", "hashed-distinct-elements"):
        raise Rejected("holders have no meaning for this protocol")
    scope = "all neighbours" if direction is None and holders is None else "this pair"
    chosen(entry["scope"], "the scope", (scope,))
    witness = record(entry["witness"], "the witness", WITNESS)
    events = witness.get("events", [])
    for event in events if isinstance(events, list) else [None]:
        record(event, "an event", EVENT)
    bits = integer(witness.get("bits"), "bits")
    reject_if(not LEAST_BITS <= bits <= MOST_BITS, f"bits is not from {LEAST_BITS} to {MOST_BITS}")
    delta = rational(entry["delta"])
    reject_if(not 0 <= delta <= 1, "delta is not between 0 and 1")
    return Claim(
        kind=chosen(entry["kind"], "the kind", ("upper", "lower")) or "",
        protocol=name,
        parameters=parameters_of(entry["parameters"], protocol.letters),
        view=view,
        direction=direction,
        holders=holders,
        exp_eps=exp_eps_of(record(entry["at"], "'at'", {"eps", "exp_eps"}), witness, bits),
        delta=delta,
        bits=bits,
        witness=witness,
    )


def in_words(claim: Claim, entry: Data) -> str:
    """The claim as a sentence."""
    at = record(entry["at"], "'at'", {"eps", "exp_eps"})
    ((name, place),) = at.items()
    letters = ", ".join(f"{letter} = {text}" for letter, text in claim.parameters.items())
    seen = {"whole": "", "pool": ", view of one pool", "pair": ", view of a pair of pools"}[claim.view]
    whom = "all neighbours" if claim.direction is None and claim.holders is None else "this pair only"
    fixed = f", direction {claim.direction}" if claim.direction else ""
    fixed += f", holders {list(claim.holders)}" if claim.holders is not None else ""
    relation = "<=" if claim.upper else ">="
    where = f"{'eps' if name == 'eps' else 'e^eps'} = {place}"
    return f"delta {relation} {entry['delta']} at {where} for {claim.protocol} ({letters}){seen}{fixed}; {whom}"


def claims_of(data: bytes) -> Iterator[tuple[Claim, Data]]:
    """The claims of a certificate, none of them proved yet, and their entries in the file."""
    top = record(read(data), "the file", {"format", "version", "claims"})
    if top.get("format") != FORMAT or integer(top.get("version"), "the version") != VERSION:
        raise Rejected(f"the file is not a {FORMAT} of version {VERSION}")
    claims = top.get("claims")
    if not isinstance(claims, list) or not 1 <= len(claims) <= MOST_CLAIMS:
        raise Rejected(f"there are not 1 to {MOST_CLAIMS} claims")
    for entry in claims:
        yield claim_of(entry), entry


def check(data: bytes) -> list[str]:
    """The claims of a certificate in words.  *Raises* `Rejected` unless every one of them is proved."""
    words = []
    for claim, entry in claims_of(data):
        PROTOCOLS[claim.protocol].views[claim.view](claim)
        words.append(in_words(claim, entry))
    return words


def verdict(data: bytes) -> tuple[bool, list[str]]:
    """Whether the file is accepted, and the lines that say so; whatever goes wrong is a rejection."""
    try:
        return True, [f"accepted: {words}" for words in check(data)]
    except Rejected as reason:
        return False, [f"rejected: {reason}"]
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as problem:
        return False, [f"rejected: the replay broke off ({type(problem).__name__})"]


def contents(path: str) -> bytes:
    """The beginning of a regular file; a pipe or a device is not waited for.  Raises: OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("not a regular file")
        return stream.read(LARGEST_FILE + 1)


def main(arguments: Sequence[str]) -> int:
    """Checks the file that is named; 0 for accepted, 1 for rejected, 2 for wrong usage."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m panshuffle.exact.check FILE\n")
        return 2
    try:
        data = contents(arguments[0])
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"the file can't be read ({type(problem).__name__})\n")
        return 2
    accepted, lines = verdict(data)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if accepted else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
