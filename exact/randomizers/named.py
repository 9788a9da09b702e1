"""Local randomizers with a name, for k inputs and p = e^eps0, with the letters of their papers.

Each sends one message; the largest ratio of two inputs' masses of a message is p.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb

from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.numbers.real import HALF, Real, real
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.randomizers.randomizer import MOST_MESSAGES, Randomizer

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


def symmetric_bits(p: Real) -> tuple[Real, Real]:
    """The probabilities that the own bit is set, and another one, each flipped with probability 1/(1 + sqrt p).

    *Source*: basic RAPPOR (Erlingsson, Pihur, Korolova 2014).
    """
    root = p ** Fraction(1, 2)
    return root / (root + 1), 1 / (root + 1)


def optimised_bits(p: Real) -> tuple[Real, Real]:
    """The same where the own bit is kept with probability 1/2, every other one set with 1/(1 + p).

    *Source*: Wang, Blocki, Li, Jha (2017).
    """
    return HALF, 1 / (p + 1)


def subset_selection(k: int, p: Real) -> Table:
    """A set of d values, those with the input with odds p; d nearest to k/(p+1), at least 1 (Ye, Barg 2018)."""
    d = max(1, sum(1 for size in range(1, k) if (2 * size - 1) * (p + 1) < 2 * k))
    if comb(k, d) > MOST_MESSAGES:
        raise too_many(k)
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


def truncated_gaussian(k: int, p: Real) -> Table:
    """The input plus discrete Gaussian noise (Canonne, Kamath, Steinke 2020), given that it stays in 0, ..., k - 1.

    *Formula*: P_x(y) = a^((x-y)^2)/Z_x, a = p^(-1/(k-1)^2), so sigma^2 = (k-1)^2/(2 eps0).  That leaves p as the
    largest ratio: P_x(y)/P_x'(y) is monotone in y, and P_x(0) = 1/(the sum of a^(i^2-2ix) over i) falls in x, so the
    largest ratio is P_0(0)/P_(k-1)(0) = a^-((k-1)^2), since Z_0 = Z_(k-1).
    """
    a = p ** Fraction(-1, (k - 1) ** 2)
    totals = [sum((a ** ((x - y) ** 2) for y in range(k)), real(0)) for x in range(k)]
    return {str(y): [a ** ((x - y) ** 2) / totals[x] for x in range(k)] for y in range(k)}


def hashed(k: int, p: Real, g: int) -> Table:
    """A random hash h and k-ary response on its g values: the message is (h, y) (Wang, Blocki, Li, Jha 2017).

    *The family*, for a prime g: with x written as d digits to the base g, h(x) is the sum of a_i x_i mod g, for every
    vector a whose first digit other than 0 is 1.  Two inputs collide with probability (g^(d-1) - 1)/(g^d - 1), less
    than 1/g, so the family is universal; where k <= g it is one function without collisions.
    """
    d = next(d for d in range(1, k + 1) if g**d >= k)
    digits = [[x // g**i % g for i in range(d)] for x in range(k)]
    family = [a for a in product(range(g), repeat=d) if next((one for one in a if one), 0) == 1]
    values = {a: [sum(one * digit for one, digit in zip(a, row, strict=True)) % g for row in digits] for a in family}
    total = (p + g - 1) * len(family)
    return {
        "+".join(map(str, a)) + f":{y}": [(p if value == y else real(1)) / total for value in values[a]]
        for a in family
        for y in range(g)
    }


def optimised_hashing(k: int, p: Real) -> Table:
    """Local hashing with g the prime nearest to p + 1, where the variance is least; of two, the lesser."""
    if p > MOST_MESSAGES:
        raise ParameterError("eps0", "log of " + str(p), f"at most log({MOST_MESSAGES}), for so many messages")
    primes = [g for g in range(2, 2 * MOST_MESSAGES) if all(g % f for f in range(2, g))]
    return hashed(k, p, next(g for g, after in pairwise(primes) if 2 * (p + 1) <= g + after))


NAMED: Mapping[str, Callable[[int, Real], Table]] = {
    "k-ary": k_ary,
    "unary-symmetric": lambda k, p: unary(k, *symmetric_bits(p)),
    "unary-optimised": lambda k, p: unary(k, *optimised_bits(p)),
    "subset-selection": subset_selection,
    "hadamard": hadamard,
    "clipped-laplace": clipped_laplace,
    "truncated-gaussian": truncated_gaussian,
    "hashing-binary": lambda k, p: hashed(k, p, 2),
    "hashing-optimised": optimised_hashing,
}


def too_many(k: int) -> ParameterError:
    """What is said where there are more messages than are looked at."""
    return ParameterError("k", k, f"such that there are at most {MOST_MESSAGES} messages")


def named_randomizer(name: str, k: int, p: Real) -> Randomizer:
    """The randomizer of this name.

    *Raises* `InputError` for an unknown name and for more than 64 messages, `ParameterError` unless k >= 2 and p > 1.
    """
    if name not in NAMED:
        raise InputError(f"named = {name} is not known: it must be one of {', '.join(NAMED)}")
    check_count("k", k)
    refuse_if(not 2 <= k <= MOST_MESSAGES, "k", k, f"from 2 to {MOST_MESSAGES}")
    if not p > 1:
        raise ParameterError("eps0", "log of " + str(p), "above 0")
    if name.startswith("unary-") and 2**k > MOST_MESSAGES:
        raise too_many(k)
    table = NAMED[name](k, p)
    if len(table) > MOST_MESSAGES:
        raise too_many(k)
    units = [tuple(int(i == j) for j in range(len(table))) for i in range(len(table))]
    laws = tuple(dict(zip(units, column, strict=True)) for column in zip(*table.values(), strict=True))
    return Randomizer(tuple(map(str, range(k))), tuple(table), laws)
