"""Laws for the tests, derived from the paper's text and not from the code under test."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import comb

import mpmath

Law = dict


def bernoulli(p: Fraction) -> Law:
    return {0: 1 - p, 1: p}


def binomial(n: int, p: Fraction) -> Law:
    return {i: comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)}


def poisson(mu: Fraction, most: int) -> Law:
    """Pois(mu), all outcomes from `most` on counted as `most`; masses rounded at 60 digits, then down."""
    with mpmath.workdps(60):
        mean = mpmath.mpf(mu.numerator) / mu.denominator
        masses = [mpmath.exp(-mean) * mean**i / mpmath.factorial(i) for i in range(most)]
        law = {i: Fraction(int(mpmath.floor(mass * 10**40)), 10**40) for i, mass in enumerate(masses)}
    return {**law, most: 1 - sum(law.values())}


def independent(*laws: Law) -> Law:
    """The law of the tuple of independent draws."""
    joint: Law = {}
    for outcomes in product(*(law.items() for law in laws)):
        mass = Fraction(1)
        for _, factor in outcomes:
            mass *= factor
        key = tuple(outcome for outcome, _ in outcomes)
        joint[key] = joint.get(key, Fraction(0)) + mass
    return joint


def image(law: Law, function: Callable) -> Law:
    """The law of function(outcome)."""
    result: Law = {}
    for outcome, mass in law.items():
        key = function(outcome)
        result[key] = result.get(key, Fraction(0)) + mass
    return {outcome: mass for outcome, mass in result.items() if mass}


def mixture(parts: Iterable[tuple[Fraction, Law]]) -> Law:
    """The law that is each part with its weight."""
    result: Law = {}
    for weight, law in parts:
        for outcome, mass in law.items():
            result[outcome] = result.get(outcome, Fraction(0)) + weight * mass
    return result


def shares(parity: int, m: int) -> Law:
    """The number of ones among m bits that are uniform with this parity: by listing all vectors."""
    vectors = [bits for bits in product((0, 1), repeat=m) if sum(bits) % 2 == parity]
    return image({bits: Fraction(1, len(vectors)) for bits in vectors}, sum)


def parity_pool(flips: Iterable[Fraction], m: int) -> Law:
    """Ones in a pool where user i shares a Ber(flips[i]) bit among m messages."""
    users = [mixture([(1 - p, shares(0, m)), (p, shares(1, m))]) for p in flips]
    return image(independent(*users), sum)


def capped(most: int) -> Callable:
    """Every entry of a tuple, at most `most`."""
    return lambda outcome: tuple(min(entry, most) for entry in outcome)
