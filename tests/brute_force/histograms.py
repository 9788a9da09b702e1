"""The shuffled histogram of one message a user, by brute force over all backgrounds and neighbours."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

from flint import arb


def convolved(first, row):
    """The law of a histogram with one more user."""
    found = Counter()
    for (counts, mass), (y, p) in product(first.items(), enumerate(row)):
        if p:
            found[(*counts[:y], counts[y] + 1, *counts[y + 1 :])] += mass * p
    return found


def worst_by_force(rows, users, factor):
    """The largest delta over all backgrounds and ordered pairs, from whole histograms."""
    best = Fraction(0)
    for others in combinations_with_replacement(rows, users - 1):
        law = Counter({(0,) * len(rows[0]): Fraction(1)})
        for row in others:
            law = convolved(law, row)
        views = [convolved(law, row) for row in rows]
        for upper, lower in permutations(views, 2):
            best = max(best, sum((max(p - factor * lower[y], Fraction(0)) for y, p in upper.items()), Fraction(0)))
    return best


def clones(p, users, adaptive=True):
    """The laws of (C + 1, A + D), D ~ Ber(p/(p+1)) and its mirror, in the numbers that p is of, outcome by outcome."""
    upper, lower = Counter(), Counter()
    rate = 1 / p if adaptive else 2 / (p + 1)
    for c in range(users):
        others = comb(users - 1, c) * rate**c * (1 - rate) ** (users - 1 - c)
        for a in range(c + 1):
            mass = others * comb(c, a) / (2 * p / p) ** c
            for own, chance, other in ((1, p / (p + 1), 1 / (p + 1)), (0, 1 / (p + 1), p / (p + 1))):
                upper[c, a + own] += mass * chance
                lower[c, a + own] += mass * other
    return upper, lower


def clones_by_definition(p, users, factor, adaptive=True):
    """delta of the clones."""
    upper, lower = clones(p, users, adaptive)
    return sum(positive(mass - factor * lower[x]) for x, mass in upper.items())


def positive(value):
    """max(value, 0)."""
    return value.nonnegative_part() if isinstance(value, arb) else max(value, 0)
