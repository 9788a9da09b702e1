"""The shuffled histogram of one message a user, by brute force over all backgrounds and neighbours."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product


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
