"""The law of the tester's statistic from few frequencies: P[T >= least] to about ten digits, in balls.

T is the sum of independent terms of a few kinds on the integers, whose masses are known from below; Q is the product of
these bounds and phi its transform, so Q[event] <= P[event] <= Q[event] + 1 - phi(0).

*Wrapping.*  Let start < least < end and let size = end - start be a period.  Whether T is in least..end-1 up to
multiples of the period differs from whether T >= least only for T >= end and for T < start; Chernoff's bound, the
Q-mean of e^(s (T - end)) or of e^(s (T - start)), covers both.

*Frequencies.*  The first event has the Q-mass
    sum over f modulo size of phi(f)/size times the sum over a from least to end - 1 of e^(-2 pi i f a/size),
where the inner sum over size is at most 1/(2 |f|) for 0 < |f| <= size/2.  The frequencies that matter are summed in
balls.  For the others floats bound |phi|: `power_bounds` has their error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt, log

import numpy as np
from flint import acb, arb, ctx
from panshuffle.exact.curves.loss_atoms import Kind, Total
from panshuffle.exact.curves.unit_numbers import power, powers, tiled_product
from panshuffle.exact.laws.double_law import UNIT, Doubles

BITS = 96
MOST_WORK = 1 << 28
"""Frequencies times atoms: about a second."""
MOST_FREQUENCIES = 2_000
ROOM = 1.001


@dataclass(frozen=True)
class Term:
    """Bounds from below of the masses of a term, by value, in units of 2^-bits, and how many such terms there are."""

    masses: Mapping[int, int]
    count: int


@dataclass(frozen=True)
class Window:
    """A period, and what Chernoff's bound leaves outside of it."""

    start: int
    end: int
    outside: arb

    @property
    def size(self) -> int:
        """How many values there are."""
        return self.end - self.start


def chance_at_least(terms: Sequence[Term], bits: int, least: int, tolerance: float) -> arb | None:
    """P[T >= least] within about `tolerance` and what the masses lack, or None where that would take long."""
    with ctx.workprec(BITS):
        total = Total.of([kind_of(term, bits) for term in terms])
        missing = 1 - total.generating(0.0)
        window = window_of(total, tolerance / 8)
        if least >= window.end or least <= window.start:
            nearly = arb(0).union(missing + window.outside)
            return nearly if least >= window.end else 1 - nearly
        if window.size // 2 * sum(len(term.masses) for term in terms) > MOST_WORK:
            return None
        chosen, rest = frequencies(terms, bits, window.size, tolerance / 2)
        if len(chosen) > MOST_FREQUENCIES:
            return None
        inside = frequency_sum(terms, bits, least, window, chosen)
        return inside + arb(0, (window.outside + rest).upper()) + arb(0).union(missing)


def kind_of(term: Term, bits: int) -> Kind:
    """The values of a term as losses."""
    return [arb(mass) / (1 << bits) for mass in term.masses.values()], [arb(x) for x in term.masses], term.count


def window_of(total: Total, small: float) -> Window:
    """A window outside of which about `small` is left, and a bound on that."""
    ends, outside = list[int](), arb(0)
    for sign in (1, -1):
        far, exponent = total.reach(0.0, -log(small), sign)
        ends.append(sign * (int(far) + 1) if far > 0 else sign * int(far))
        outside += total.generating(sign * exponent) * (-arb(sign * exponent) * ends[-1]).exp()
    return Window(ends[1], ends[0], outside.upper())


def frequencies(terms: Sequence[Term], bits: int, size: int, tolerance: float) -> tuple[list[int], float]:
    """The positive frequencies that matter, and a bound on what the others and their negatives add."""
    count = size // 2 + 1
    stride = isqrt(count - 1) + 1
    rows, bounds = -(-count // stride), np.ones(count)
    for term in terms:
        bounds *= power_bounds(term, bits, size, (stride, rows))[:count]
    weights = bounds[1:] / np.arange(1, count)
    matters = weights > tolerance / (2 * count)
    rest = float(np.sum(weights[~matters])) * ROOM + 1e-290 * count
    return [0, *(np.flatnonzero(matters) + 1).tolist()], rest


def power_bounds(term: Term, bits: int, size: int, shape: tuple[int, int]) -> Doubles:
    """Bounds of |transform|^count of a term at the frequencies 0, 1, ..., by products of two tables of unit numbers.

    A sum of n complex products is within 3 n u of the sum of the moduli, the unit numbers within their number's bound.
    """
    stride, rows = shape
    angles = [2 * arb.pi() * x / size for x in term.masses]
    small, doubt = powers(angles, stride)
    large, more = powers([angle * stride for angle in angles], rows)
    small *= np.array([mass / (1 << bits) for mass in term.masses.values()])[:, None]
    error = 3.2 * UNIT * (len(angles) + 6) + 1.05 * (stride * doubt + rows * more)
    return power(np.abs(tiled_product(large, small)).ravel() * (1 + 4 * UNIT) + error, term.count)


def frequency_sum(terms: Sequence[Term], bits: int, least: int, window: Window, chosen: Sequence[int]) -> arb:
    """What the chosen frequencies and their negatives add to the Q-mass of least..end-1, wrapped."""
    size, length = window.size, window.end - least
    total = arb(0)
    for f in chosen:
        value = acb(1)
        for term in terms:
            turned = sum((mass * unit(f * x, size) for x, mass in term.masses.items()), acb(0))
            value *= (turned / (1 << bits)) ** term.count
        if f:
            value *= unit(-f * least, size) * (1 - unit(-f * length, size)) / (1 - unit(-f, size))
        total += value.real * (length if not f else 1 if 2 * f == size else 2)
    return total / size


def unit(turns: int, size: int) -> acb:
    """e^(2 pi i turns/size)."""
    return acb(arb(2 * (turns % size)) / size).exp_pi_i()
