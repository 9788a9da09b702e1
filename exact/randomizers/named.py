"""Local randomizers with a name, for k inputs and p = e^eps0, with the letters of their papers.

Each sends one message; the largest ratio of two inputs' masses of a message is p.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import comb

from exact.errors import InputError, ParameterError
from exact.numbers.real import Real, real
from exact.parameters import check_count
from exact.randomizers.randomizer import MOST_MESSAGES, Randomizer

Table = Mapping[str, list[Real]]
"""The messages, and the mass of each under every input."""


def k_ary(k: int, p: Real) -> Table:
    """k-ary response: the input with odds p against each other value (Kairouz, Bonawitz, Ramage 2016)."""
    return {str(y): [(p if x == y else real(1)) / (p + k - 1) for x in range(k)] for y in range(k)}


def unary(k: int, own: Real, other: Real) -> Table:
    """A bit for each value, 1 with probability `own` for the input and `other` for the rest."""
    table = {}
    for bits in product((0, 1), repeat=k):
        masses = []
        for x in range(k):
            mass = real(1)
            for y, bit in enumerate(bits):
                chance = own if x == y else other
                mass = mass * (chance if bit else 1 - chance)
            masses.append(mass)
        table["".join(map(str, bits))] = masses
    return table


def symmetric_unary(k: int, p: Real) -> Table:
    """Every bit flipped with probability 1/(1 + sqrt p): basic RAPPOR (Erlingsson, Pihur, Korolova 2014)."""
    root = p ** Fraction(1, 2)
    return unary(k, root / (root + 1), 1 / (root + 1))


def optimised_unary(k: int, p: Real) -> Table:
    """The own bit kept with probability 1/2, every other one set with 1/(1 + p) (Wang, Blocki, Li, Jha 2017)."""
    return unary(k, real(Fraction(1, 2)), 1 / (p + 1))


def subset_selection(k: int, p: Real) -> Table:
    """A set of d values, those with the input with odds p; d nearest to k/(p+1), at least 1 (Ye, Barg 2018)."""
    d = max(1, sum(1 for size in range(1, k) if (2 * size - 1) * (p + 1) < 2 * k))
    total = p * comb(k - 1, d - 1) + comb(k - 1, d)
    sets = combinations(range(k), d)
    return {"+".join(map(str, chosen)): [(p if x in chosen else real(1)) / total for x in range(k)] for chosen in sets}


def hadamard(k: int, p: Real) -> Table:
    """A place where the input's row of Hadamard's matrix is 1, with odds p (Acharya, Sun, Zhang 2019)."""
    size = 1 << k.bit_length()
    total = (p + 1) * (size // 2)
    return {str(y): [(real(1) if ((x + 1) & y).bit_count() % 2 else p) / total for x in range(k)] for y in range(size)}


def clipped_laplace(k: int, p: Real) -> Table:
    """The input plus two-sided geometric noise of ratio p^(-1/(k-1)), clipped to 0, ..., k - 1."""
    a = p ** Fraction(-1, k - 1)

    def mass(x: int, y: int) -> Real:
        return a ** abs(x - y) * (real(1) if y in (0, k - 1) else 1 - a) / (1 + a)

    return {str(y): [mass(x, y) for x in range(k)] for y in range(k)}


NAMED: Mapping[str, Callable[[int, Real], Table]] = {
    "k-ary": k_ary,
    "unary-symmetric": symmetric_unary,
    "unary-optimised": optimised_unary,
    "subset-selection": subset_selection,
    "hadamard": hadamard,
    "clipped-laplace": clipped_laplace,
}


def named_randomizer(name: str, k: int, p: Real) -> Randomizer:
    """The randomizer of this name.

    *Raises* `InputError` for an unknown name and for more than 64 messages, `ParameterError` unless k >= 2 and p > 1.
    """
    if name not in NAMED:
        raise InputError(f"named = {name} is not known: it must be one of {', '.join(NAMED)}")
    check_count("k", k)
    if not 2 <= k <= MOST_MESSAGES:
        raise ParameterError("k", k, f"from 2 to {MOST_MESSAGES}")
    if not p > 1:
        raise ParameterError("eps0", "log of " + str(p), "above 0")
    if NAMED[name] in (symmetric_unary, optimised_unary) and 2**k > MOST_MESSAGES:
        raise ParameterError("k", k, f"such that there are at most {MOST_MESSAGES} messages")
    table = NAMED[name](k, p)
    if len(table) > MOST_MESSAGES:
        raise ParameterError("k", k, f"such that there are at most {MOST_MESSAGES} messages")
    units = [tuple(int(i == j) for j in range(len(table))) for i in range(len(table))]
    laws = tuple(dict(zip(units, column, strict=True)) for column in zip(*table.values(), strict=True))
    return Randomizer(tuple(map(str, range(k))), tuple(table), laws)
