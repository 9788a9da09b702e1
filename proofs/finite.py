"""Finite laws in rational numbers, written for proofs by enumeration: plain and independent of the exact package."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeVar

Outcome = Hashable
Law = dict[Outcome, Fraction]
Row = TypeVar("Row")


def law_of(weighted: Iterable[tuple[Outcome, Fraction]]) -> Law:
    """The law with these masses; equal outcomes are added up."""
    law: Law = {}
    for outcome, mass in weighted:
        law[outcome] = law.get(outcome, Fraction(0)) + mass
    return law


def binomial(l: int, p: Fraction) -> Law:
    """Bin(l, p)."""
    return {x: comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)}


def independent(*laws: Law) -> Law:
    """The law of the tuple of independent parts."""
    total: Law = {(): Fraction(1)}
    for law in laws:
        total = {(*first, x): p * q for first, p in total.items() if isinstance(first, tuple) for x, q in law.items()}
    return total


def image(law: Law, function: Callable[..., Outcome]) -> Law:
    """The law of a function of the outcome."""
    return law_of((function(outcome), mass) for outcome, mass in law.items())


def shares(u: int, m: int) -> Law:
    """The number of ones among m bits that are uniform given that their sum is u mod 2."""
    return {x: Fraction(comb(m, x), 2 ** (m - 1)) for x in range(m + 1) if x % 2 == u % 2}


def total(laws: Sequence[Law]) -> Law:
    """The law of the sum of independent numbers."""
    return image(independent(*laws), sum)


def stick(upper: Mapping[Outcome, Fraction], lower: Mapping[Outcome, Fraction], exp_eps: Fraction) -> Fraction:
    """The hockey-stick divergence: the sum of max(upper(x) - e^eps lower(x), 0)."""
    parts = (max(p - exp_eps * lower.get(x, Fraction(0)), Fraction(0)) for x, p in upper.items())
    return sum(parts, Fraction(0))


def neighbours(rows: Iterable[Row], n: int) -> list[tuple[tuple[Row, ...], tuple[Row, ...]]]:
    """All pairs of datasets of n rows that differ in exactly one row."""
    datasets = list(product(list(rows), repeat=n))
    return [(x, y) for x in datasets for y in datasets if sum(a != b for a, b in zip(x, y, strict=True)) == 1]
