"""One report among many whose letters have one law: a lower bound of the divergence from the counts of the letters.

It is the second method of the families in the shuffle model, and has nothing in common with the first but the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import comb, isqrt

from flint import arb

REACH = 10
"""Standard deviations of a count that are looked at: what is left out only makes a lower bound less."""


def counted_gain(letters: list[tuple[arb, arb]], n: int) -> arb:
    """A lower bound of the divergence, from the counts of two to four letters: (mass w under the others, gain g).

    Of the n reports that are seen, c(y) are y; the others' law times the sum of g(y) c(y)/(n w(y)) is what the first
    input's law exceeds the other's times e^eps by.  The counts of the first two letters are listed, and of the rest
    either there is one letter, or a sum over one more count up to where it pays.  What is left out is not negative.
    """
    (a, gain_a), (b, gain_b), *more = letters
    rest = 1 - a - b
    total, known = arb(0), dict[int, Sums]()
    for j in window(n, b):
        value_b = j * gain_b / b
        if not more:
            total += arb.bin_uiui(n, j) * b**j * a ** (n - j) * (value_b + (n - j) * gain_a / a).nonnegative_part()
            continue
        places = [i for i in window(n, a) if i + j <= n]
        mass = multinomial(n, places[0], j, a, b, rest) if places else arb(0)
        for i in places:
            total += mass * tail_gain(more, rest, n - i - j, value_b + i * gain_a / a, known)
            mass = mass * a * (n - i - j) / (rest * (i + 1))
    return total / n


def multinomial(n: int, i: int, j: int, a: arb, b: arb, rest: arb) -> arb:
    """P(i and j reports of the first two letters)."""
    return arb.bin_uiui(n, j) * b**j * arb.bin_uiui(n - j, i) * a**i * rest ** (n - i - j)


Sums = list[tuple[arb, arb]]
"""For l = 0, 1, ... the mass and the mean of a count below l."""


def tail_gain(more: list[tuple[arb, arb]], rest: arb, left: int, value: arb, known: dict[int, Sums]) -> arb:
    """A lower bound of the mean of (value + what `left` reports of the last letters add)_+."""
    (w, g), *last = more
    if not last:
        return (value + left * g / w).nonnegative_part()
    ((other, loss),) = last
    low, high = loss / other, g / w
    most = float((value + left * high) / (high - low))
    if most <= 0:
        return arb(0)
    if left not in known:
        known[left] = sums_of(left, other / rest)
    chance, mean = known[left][min(int(most) + 1, len(known[left]) - 1)]
    return ((value + left * high) * chance + (low - high) * mean).nonnegative_part()


def sums_of(left: int, chance: arb) -> Sums:
    """The sums of Bin(left, chance), up to a count that is hardly ever exceeded."""
    mass, zero = (1 - chance) ** left, arb(0)
    sums = [(zero, zero)]
    for l in range(window(left, chance).stop):
        sums.append((sums[-1][0] + mass, sums[-1][1] + l * mass))
        mass = mass * (left - l) * chance / ((l + 1) * (1 - chance))
    return sums


def window(n: int, mass: arb) -> range:
    """The counts of a letter that are looked at."""
    mean = int(float(mass) * n)
    reach = REACH * (isqrt(mean) + 2)
    return range(max(0, mean - reach), min(n, mean + reach) + 1)


def typed_gain(letters: Sequence[tuple[arb, arb]], n: int) -> arb:
    """The same divergence for a few letters and reports, as a sum over all counts of all letters."""
    total = arb(0)
    for bars in combinations(range(n + len(letters) - 1), len(letters) - 1):
        edges = (-1, *bars, n + len(letters) - 1)
        counts = [high - low - 1 for low, high in pairwise(edges)]
        mass, value, left = arb(1), arb(0), n
        for count, (w, g) in zip(counts, letters, strict=True):
            mass, value, left = mass * comb(left, count) * w**count, value + count * g / w, left - count
        total += mass * value.nonnegative_part()
    return total / n


FEW = 8
"""Reports whose counts of eight letters are soon listed."""
BY_HAND = """\
# A lower bound of delta at e^eps = E: n - 1 letters with the chances w are counted, and one with the chances P or Q.
# {what}
from fractions import Fraction
n, E = {n}, Fraction({e})
{letters}

def law(w, own):
    found = {{(0,) * len(w): Fraction(1)}}
    for row in [w] * (n - 1) + [own]:
        longer = {{}}
        for cell, mass in found.items():
            for y, chance in enumerate(row):
                key = (*cell[:y], cell[y] + 1, *cell[y + 1 :])
                longer[key] = longer.get(key, 0) + mass * chance
        found = longer
    return found

pairs = [(law(w, P), law(w, Q)) for w in crowds]
print(max(float(sum(max(P[cell] - E * Q[cell], 0) for cell in P)) for P, Q in pairs))
"""
ALL_BITS = """
def row(held):
    found = [Fraction(1)]
    for bit in range({bits}):
        chance = own if bit == held else other
        found = [mass * factor for mass in found for factor in (1 - chance, chance)]
    return found
"""
TWO_BITS = """
def row(held):  # 10, 01, or neither of them
    first, last = (own if bit == held else other for bit in (0, 1))
    return [first * (1 - last), (1 - first) * last, 1 - first - last + 2 * first * last]
"""


def by_hand(what: str, n: int, factor: float, letters: Sequence[str]) -> str:
    """The program that shows a lower bound; e^eps is rounded up to nine digits."""
    return BY_HAND.format(what=what, n=n, e=f"{round(factor * 10**9) + 1}, 10**9", letters="\n".join(letters))


def unary_by_hand(n: int, factor: float, own: str, other: str) -> str:
    """The program for a bit of each of three values and more, from the chances that the own and another bit are set."""
    row = ALL_BITS.format(bits=3) if n <= FEW else TWO_BITS
    letters = (f"own, other = {own}, {other}\n{row}", "P, Q, crowds = row(0), row(1), [row(0), row(1), row(2)]")
    return by_hand(
        "The letters are the bits of x, x' and a third value, one of which the others hold.", n, factor, letters
    )


def flips_by_hand(n: int, factor: float, f: str) -> str:
    """The program for a vector of bits among zero vectors."""
    letters = (f"own, other = 1 - {f}, {f}\n{ALL_BITS.format(bits=2)}", "P, Q, crowds = row(0), row(1), [row(None)]")
    return by_hand("The letters are the bits of x and x', which are 0 for the others.", n, factor, letters)
