"""A sound upper bound on the shuffled histogram of N users, for N beyond enumeration: the privacy blanket.

Legend: P_x the law of one user's multiset of messages (a letter y), w(y) = min over x of P_x(y), beta = sum of w,
E = e^eps, (x, x') the changed user's inputs.

*Clones.*  Every user's law is at least w, so each of the N - 1 other users is, with probability beta and whatever the
input, a clone: the letter is drawn from w/beta; otherwise it is drawn from what is left of P_x.  Show the analyst who
is no clone and what those users sent, and group the messages of each user together: the histogram is a function of
that, so delta only grows.  With B ~ Bin(N-1, beta) clones, what is left to see is the multiset of B + 1 letters.

*Its curve.*  Put the changed user at a uniform place among B + 1.  A sequence of letters with w > 0 then has mass
    prod w(y_i)/beta * 1/(B+1) sum P_x(y_i) beta/w(y_i),
so with L(y) = (P_x(y) - E P_x'(y)) beta/w(y), delta given B is E[(mean of B + 1 draws of L)_+] plus the sum of
(P_x(y) - E P_x'(y))_+ over the letters with w = 0, which only the changed user sends.  As Bin(N-1, beta)(b)/(b+1) =
Bin(N, beta)(b+1)/(N beta), the mean over B is
    E[(W_1 + ... + W_N)_+] / N,
where W_i = (P_x(y) - E P_x'(y))/w(y) with probability w(y), and 0 with probability 1 - beta.

*Lattice.*  The mean of a convex function grows when each W_i is spread out without changing its mean, so each value is
split between its two neighbours on a lattice; and it grows with W, so values and masses are rounded up.  What
`IntegerLaw.times` drops adds at most its mass times the largest W.

*Rounding.*  Any w below the minimum is a blanket too, so masses are rounded: w down, P_x up, P_x' and E down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import permutations
from math import ceil, isfinite, sqrt

from flint import arb

from exact.curves.enclosed_curve import factor_ends
from exact.laws.integer_law import law_of_masses
from exact.numbers.certified import ball_of
from exact.numbers.real import Real, scaled_bounds
from exact.randomizers.randomizer import Randomizer

FACTOR_BITS = 192
BITS, CUT = 256, 208  # of the masses, and of the least that is kept at an end of a law
WINDOW, LEAST_WINDOW, FEW_PAIRS = 1 << 14, 1 << 9, 16
DEVIATIONS = 34.0

Column = tuple[Fraction, Fraction, Fraction]
"""(P_x rounded up, P_x' rounded down, w rounded down) of a letter."""


def ends(value: Real) -> tuple[Fraction, Fraction]:
    """A probability rounded down and up; itself where it is a rational of moderate size."""
    if value.fraction is not None and value.fraction.denominator.bit_length() <= FACTOR_BITS:
        return value.fraction, value.fraction
    bits = FACTOR_BITS
    low, high = scaled_bounds(value, bits)
    while low <= 0 < high:
        bits *= 2
        low, high = scaled_bounds(value, bits)
        if value.fraction == 0:
            break
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def columns(randomizer: Randomizer) -> list[list[tuple[Fraction, Fraction]]]:
    """For each letter the ends of its probability under every input."""
    inputs = range(len(randomizer.inputs))
    return [[ends(randomizer.mass(x, letter)) for x in inputs] for letter in randomizer.letters]


def pair_columns(randomizer: Randomizer) -> list[list[Column]]:
    """The columns of every ordered pair of inputs, one of each kind: the order of the letters does not matter."""
    table = columns(randomizer)
    blanket = [min(low for low, _ in row) for row in table]
    kinds: dict[frozenset[tuple[Column, int]], list[Column]] = {}
    for x, other in permutations(range(len(randomizer.inputs)), 2):
        letters = [(row[x][1], row[other][0], low) for row, low in zip(table, blanket, strict=True)]
        kinds.setdefault(frozenset(Counter(letters).items()), letters)
    return list(kinds.values())


def blanket_upper(letters: Iterable[Column], users: int, factor: Fraction, window: int = WINDOW) -> Fraction:
    """An upper bound on delta at e^eps >= factor for one ordered pair of inputs."""
    total = Fraction(0)
    steps: dict[Fraction, Fraction] = {}
    for above, below, weight in letters:
        difference = above - factor * below
        if weight:
            steps[difference / weight] = steps.get(difference / weight, Fraction(0)) + weight
        elif difference > 0:
            total += difference
    beta = sum(steps.values(), Fraction(0))
    if not any(value > 0 for value in steps):
        return min(total, Fraction(1))
    return min(total + spread_mean(steps, 1 - beta, users, window), Fraction(1))


def spread_mean(steps: Mapping[Fraction, Fraction], idle: Fraction, users: int, window: int) -> Fraction:
    """An upper bound on E[(W_1 + ... + W_N)_+]/N, W having these masses at its values and `idle` at 0."""
    width = grid(steps, users, window)
    masses: dict[int, Fraction] = {0: idle}
    for value, mass in steps.items():
        low = (value / width).__floor__()
        share = value / width - low
        masses[low] = masses.get(low, Fraction(0)) + mass * (1 - share)
        if share:
            masses[low + 1] = masses.get(low + 1, Fraction(0)) + mass * share
    unit = 1 << BITS
    step = law_of_masses({x: (mass * unit).__ceil__() for x, mass in masses.items() if mass}, BITS, up=True)
    law = step.times(users, CUT)
    positive = sum(int(mass) * x for x, mass in law.items() if x > 0)
    largest = width * max(masses)
    return (Fraction(positive, unit) * width) / users + Fraction(law.dropped, unit) * largest


def grid(steps: Mapping[Fraction, Fraction], users: int, window: int) -> Fraction:
    """A lattice width: as fine as the window allows, and such that the most important value is on the lattice."""
    weighted = {value: float(mass) * moderate(value) ** 2 for value, mass in steps.items()}
    deviation = sqrt(sum(weighted.values()))
    main = max(weighted, key=lambda value: weighted[value])
    wanted = max(DEVIATIONS * sqrt(users) * deviation / window, abs(moderate(main)) / window)
    finest = 2 * users * max(abs(moderate(value)) for value in steps) / window
    wanted = min(wanted, finest)
    if not (isfinite(wanted) and wanted > 0):
        return abs(main) or Fraction(1)
    return abs(main) / max(1, ceil(abs(moderate(main)) / wanted)) if main else Fraction(wanted)


def moderate(value: Fraction) -> float:
    """A float near the value, kept within what a float's square can be."""
    return float(max(min(value, Fraction(10**100)), -Fraction(10**100)))


def upper_ball(randomizer: Randomizer, users: int) -> Callable[[Real, int], arb]:
    """The function (e^eps, precision) -> an upper bound on delta, as a number without a radius worth speaking of."""
    pairs = pair_columns(randomizer)
    window = max(LEAST_WINDOW, WINDOW * FEW_PAIRS // max(FEW_PAIRS, len(pairs)))
    known: dict[Real, Fraction] = {}

    def ball(exp_eps: Real, precision: int) -> arb:
        if exp_eps not in known:
            factor = Fraction(factor_ends(exp_eps, FACTOR_BITS)[0], 1 << FACTOR_BITS)
            value = max(blanket_upper(letters, users, factor, window) for letters in pairs)
            known[exp_eps] = Fraction(-((-value.numerator << 256) // value.denominator), 1 << 256)
        return ball_of(known[exp_eps], max(precision, 300))

    return ball
