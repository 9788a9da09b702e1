"""The shuffled histogram of N users of any randomizer, by enumeration: every two neighbours, every background.

The law of the histogram is a polynomial with one unknown a message: the product of the users' polynomials.  A
neighbouring pair is a background (how many of the other N - 1 users hold each input) and two inputs.  Pairs that a
renaming of inputs and messages turns into each other have the same curve, and one of them is computed.

Irrational probabilities are rounded down in one polynomial and up in another; products of polynomials without a
negative coefficient keep that order, so the masses of the histogram are enclosed.  E = e^eps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations, pairwise
from math import comb, factorial, inf, lcm, prod
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz, fmpz_mpoly_ctx
from panshuffle.exact.curves.curve import Curve, factor_ends
from panshuffle.exact.laws.integer_law import DROPPED, UNIT, DoubleLaw, Doubles, binomial_window
from panshuffle.exact.randomizers.randomizer import Randomizer, UserLaw
from panshuffle.exact.real import INFINITE, Certified, Real, as_fraction, real, rounded_float, scaled_bounds, span

GUARD = 64
BITS_A_CELL = 1000
Background = tuple[int, ...]
Polynomial = Any
"""An `fmpz_mpoly`."""


@dataclass(frozen=True)
class Neighbours:
    """Two neighbouring datasets: a background, and the changed user's input under `upper` and under `lower`."""

    background: Background
    upper: int
    lower: int

    def dataset(self, own: int) -> Background:
        """How many users hold each input if the changed user holds this one."""
        return tuple(count + (i == own) for i, count in enumerate(self.background))

    def turned(self) -> Neighbours:
        """The other direction."""
        return Neighbours(self.background, self.lower, self.upper)

    def holders(self) -> list[tuple[int, int]]:
        """(input, how many of the others hold it)."""
        return [(index, count) for index, count in enumerate(self.background) if count]


def compositions(total: int, parts: int) -> Iterator[Background]:
    """All tuples of the given number of counts with this sum.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    size = total + parts - 1
    for bars in combinations(range(size), parts - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, size)))


def cells(randomizer: Randomizer, users: int) -> int:
    """A bound on the number of histograms of the given number of users."""
    sizes = {sum(letter) for letter in randomizer.letters}
    free = len(randomizer.messages) - (len(sizes) == 1)
    letters = len(randomizer.letters)
    return min(comb(users * max(sizes) + free, free), comb(users + letters - 1, letters - 1))


def cost(randomizer: Randomizer, users: int) -> int:
    """Roughly how many masses of 1000 bits one point of the curve compares."""
    inputs = len(randomizer.inputs)
    pairs = comb(inputs, 2) * comb(users - 1 + inputs - 1, inputs - 1) // len(randomizer.symmetries()) + 1
    return 2 * pairs * cells(randomizer, users) * (1 + users * denominator_bits(randomizer) // BITS_A_CELL)


def memory(randomizer: Randomizer, users: int) -> int:
    """Roughly how many bits the laws of all datasets take."""
    inputs = len(randomizer.inputs)
    return comb(users + inputs - 1, inputs - 1) * cells(randomizer, users) * users * denominator_bits(randomizer)


def denominator_bits(randomizer: Randomizer) -> int:
    """The bits that one user adds to a numerator."""
    return common_denominator(randomizer).bit_length() if randomizer.is_rational else 4 * GUARD


def common_denominator(randomizer: Randomizer) -> int:
    """The least common denominator of all probabilities, where they are rational."""
    fractions = (mass.fraction or Fraction(0) for law in randomizer.laws for mass in law.values())
    return lcm(*(fraction.denominator for fraction in fractions))


def edges(randomizer: Randomizer, users: int) -> Iterator[Neighbours]:
    """Every pair of neighbours, one of each class under the symmetries of the randomizer."""
    inputs, group = len(randomizer.inputs), randomizer.symmetries()
    for first, second in combinations(range(inputs), 2):
        if any(tuple(sorted((g[first], g[second]))) < (first, second) for g in group):
            continue
        fixing = [g for g in group if {g[first], g[second]} == {first, second}]
        for background in compositions(users - 1, inputs):
            if all(moved(background, g) >= background for g in fixing):
                yield Neighbours(background, first, second)


def moved(background: Background, order: Sequence[int]) -> Background:
    """The background after a renaming of the inputs."""
    result = [0] * len(background)
    for index, count in zip(order, background, strict=True):
        result[index] = count
    return tuple(result)


class Level:
    """The polynomials of all datasets: numerators rounded down and up to this many bits, exact where bits is None.

    There is one unknown a message; where all users send equally many, the last count follows and has none.
    """

    def __init__(self, randomizer: Randomizer, users: int, bits: int | None) -> None:
        self.users = users
        sizes = {sum(letter) for letter in randomizer.letters}
        self.free = max(1, len(randomizer.messages) - (len(sizes) == 1))
        self.context = fmpz_mpoly_ctx.get(tuple(f"y{i}" for i in range(self.free)), "lex")
        unit = common_denominator(randomizer) if bits is None else 1 << bits
        self.scale = fmpz(unit) ** users
        self.sides = (0,) if bits is None else (0, 1)
        self.letters = [[self.polynomial(law, unit, bits, side) for law in randomizer.laws] for side in self.sides]
        self.power = cache(lambda side, index, count: self.letters[side][index] ** count)
        self.numerators = cache(self.new_numerators)

    def polynomial(self, law: UserLaw, unit: int, bits: int | None, side: int) -> Polynomial:
        """The polynomial of one user."""

        def whole(mass: Real) -> int:
            return int(mass.constant * unit) if bits is None else scaled_bounds(mass, bits)[side]

        return self.context.from_dict({letter[: self.free]: whole(mass) for letter, mass in law.items()})

    def law(self, dataset: Background, side: int) -> Polynomial:
        """The numerators of the histogram's law, rounded down (0) or up (1)."""
        return self.numerators(dataset, min(side, self.sides[-1]))

    def new_numerators(self, dataset: Background, side: int) -> Polynomial:
        """The product of what the users of each input send."""
        return prod(
            (self.power(side, index, count) for index, count in enumerate(dataset)), start=self.context.constant(1)
        )


def gain(upper: Polynomial, lower: Polynomial, top: int | None, bottom: int) -> fmpz:
    """bottom times the sum of (upper - (top/bottom)*lower)_+ ; top None stands for an infinite factor."""
    if top is None:
        missing = lower.to_dict()
        return bottom * sum((c for key, c in upper.to_dict().items() if key not in missing), fmpz(0))
    return sum((c for c in (bottom * upper - top * lower).coeffs() if c > 0), fmpz(0))


def smallest_bits(randomizer: Randomizer) -> int:
    """Enough bits that no probability is rounded down to 0."""
    bits = 1
    masses = [mass for law in randomizer.laws for mass in law.values()]
    while any(scaled_bounds(mass, bits)[0] <= 0 for mass in masses):
        bits *= 2
    return bits


class Shuffled:
    """The curve over all neighbours and backgrounds of N users."""

    def __init__(self, randomizer: Randomizer, users: int) -> None:
        self.randomizer, self.users = randomizer, users
        self.edges = list(edges(randomizer, users))
        self.smallest = 0 if randomizer.is_rational else smallest_bits(randomizer)
        self.level = lru_cache(maxsize=2)(lambda bits: Level(randomizer, users, bits))

    def pairs(self) -> Iterator[Neighbours]:
        """Every pair in both directions."""
        for edge in self.edges:
            yield from (edge, edge.turned())

    def bits(self, precision: int) -> int | None:
        """The bits of the probabilities: None where they are exact."""
        return None if self.randomizer.is_rational else precision + GUARD + self.users.bit_length() + self.smallest

    def gains(self, level: Level, top: int | None, bottom: int, high: bool) -> Iterator[tuple[fmpz, Neighbours]]:
        """bottom * scale * delta of every pair in both directions, rounded up (high) or down."""
        side = int(high)
        for pair in self.pairs():
            upper, lower = pair.dataset(pair.upper), pair.dataset(pair.lower)
            yield gain(level.law(upper, side), level.law(lower, 1 - side), top, bottom), pair

    def exact(self, e: Fraction) -> Fraction:
        """delta at a rational e^eps, for rational probabilities."""
        level = self.level(None)
        best = max(value for value, _ in self.gains(level, e.numerator, e.denominator, high=False))
        return as_fraction(fmpq(best, level.scale * e.denominator))

    def ball(self, exp_eps: Real, precision: int) -> arb:
        """An enclosure of delta at e^eps."""
        level, shift = self.level(self.bits(precision)), precision + GUARD
        low, high = factor_ends(exp_eps, shift)
        least = max(value for value, _ in self.gains(level, high, 1 << shift, high=False))
        most = max(value for value, _ in self.gains(level, low, 1 << shift, high=True))
        low_end, high_end = (as_fraction(fmpq(end, level.scale << shift)) for end in (least, most))
        return span(low_end, high_end, precision)

    def worst(self, exp_eps: Real) -> Neighbours:
        """A pair whose delta is the largest, up to rounding."""
        level = self.level(self.bits(64))
        _, high = factor_ends(exp_eps, 128)
        return max(self.gains(level, high, 1 << 128, high=False), key=lambda item: item[0])[1]

    def limit(self) -> Real:
        """delta as eps grows, rounded down where it is irrational."""
        if len({frozenset(law) for law in self.randomizer.laws}) == 1:
            return real(0)
        level = self.level(self.bits(128))
        best = max(value for value, _ in self.gains(level, None, 1, high=False))
        return Real(Fraction(int(best), int(level.scale)))

    def pure_epsilon(self) -> Certified:
        """The eps from which on delta is 0."""
        if self.limit().sign():
            return INFINITE
        return Certified(self.largest_ratio, nonnegative=True)

    def largest_ratio(self, precision: int) -> arb:
        """The logarithm of the largest ratio of masses, over all pairs, histograms and directions."""
        level = self.level(self.bits(precision))
        low = high = fmpz(1) << precision
        for pair in self.pairs():
            datasets = (pair.dataset(pair.upper), pair.dataset(pair.lower))
            above, below = ([level.law(data, side).to_dict() for side in (0, 1)] for data in datasets)
            for key in above[0]:
                low = max(low, (above[0][key] << precision) // below[1][key])
                high = max(high, -(-(above[1][key] << precision) // below[0][key]))
        with ctx.workprec(precision):
            return span(Fraction(int(low), 1 << precision), Fraction(int(high), 1 << precision), precision).log()

    def curve(self) -> Curve:
        """The whole curve."""
        exact: Callable[[Fraction], Fraction] | None = self.exact if self.randomizer.is_rational else None
        limit = self.limit()
        return Curve(self.ball, exact, None, None if limit.sign() else self.pure_epsilon, limit)


# k-ary response from above: some value is held by many others, and what they send blurs its letter.
#
# Legend: p = e^eps0; k values, each other than the own sent with probability l = 1/(p+k-1); N users; E = e^eps; x and
# x' the changed user's inputs.
#
# *What is told.* An other user is a clone with probability k l, whose letter is uniform, and else sends the own value.
# Let at least h others hold the value z. Tell the analyst of everybody but h of these who is no clone, and what they
# sent: the histogram is a function of what is left and of that, so delta only grows. Seen are then the counts N_y of
# the letters y != z of clones and of the changed user, s of them together, and the number Z of those who are known to
# be no clones; the rest sent z.
#
# *Its curve.* Of the N - 1 others each sends a letter y != z as a clone with probability l, whoever it is; if a of
# them do, they are a uniform set, U of them are not among the h, and Z ~ Bin(N-1-h-U, 1 - 1/p): that is the law f_a of
# Z. With v_x = p - E, v_x' = 1 - E p and 1 - E for every other letter, and T the sum of v_y N_y over y != z, delta =
# 1/N sum over s of Bin(N, (k-1) l)(s) times the mean of (f_(s-1)(Z) T + f_s(Z) v_z (N-s)/p)_+ summed over Z, where the
# N_y are s letters thrown uniformly on k - 1 places. For h = N - 1 all others hold z, and that is exact; for h = 0 it
# is the privacy blanket.
#
# *All backgrounds.* h_x + h_x' + (k-2) h_o <= N + k - 2 leaves no background in which fewer than h_x hold x, fewer
# than h_x' hold x', and fewer than h_o hold each of the others: the largest of the three bounds is one for all.
#
# *Rounding.* Every weight is a product of positive doubles of known relative errors. The values v are rounded up; what
# T, its sums and the other term of (...)_+ may lack is less than a small multiple of their sizes; that is added to it.
# f_s(Z) <= p f_(s-1)(Z), since one more of the others may send z; so where f_(s-1) is next to nothing, so is the sum.


BITS = 128
MOST_SEEN = 170
"""The largest number whose factorial is a double."""
UNSEEN = 1e-20
"""What the values of s that are left out may add to delta."""
LEAST = 1e-80
"""Less of f is left out: together it adds far less than `LEFT`."""
LEFT = 1e-40
LARGEST_ODDS = 2**40
"""Of p: far below what would make that too little; nothing is left of privacy beyond."""
FEW, SHARES = 40, 16
"""One in that many is a crowd for x', whose letter tells most; for x it is a share in sixteenths that is looked for."""
OWN, CHANGED, OTHER = range(3)
"""The letter that is crowded: x, x', or one of the k - 2 others."""


@dataclass(frozen=True)
class Response:
    """k-ary response with p = e^eps0 behind a shuffler of N users."""

    k: int
    p: Real
    users: int

    @cached_property
    def seen(self) -> DoubleLaw:
        """The law of s, as far as it is kept."""
        return binomial_window(self.users, (self.k - 1) / (self.p + self.k - 1)).trimmed(
            UNSEEN / (float(self.p) + 2) / 2
        )

    def bound(self, exp_eps: arb) -> float:
        """An upper bound on delta at e^eps, for all backgrounds: the least over how many are a crowd.

        The more users are one for x, the less is its bound, and the larger that of the others: a bisection finds both.
        """
        changed = 1 + (self.users - 1) // FEW
        always, best, low, high = self.crowd(CHANGED, changed).bound(exp_eps), inf, 0, SHARES
        while high - low > 1:
            middle = (low + high) // 2
            own = 1 + (self.users - 1) * middle // SHARES
            rest = (self.users + self.k - 2 - own - changed) // (self.k - 2)
            for_own, for_other = (self.crowd(*pair).bound(exp_eps) for pair in ((OWN, own), (OTHER, rest)))
            best = min(best, max(always, for_own, for_other))
            low, high = (middle, high) if for_own > for_other else (low, middle)
        return best

    @cached_property
    def crowd(self) -> Callable[[int, int], Crowd]:
        """The bound where a number of users hold a value, from its letter and that number, remembered."""
        return cache(partial(Crowd, self))


def response_of(randomizer: Randomizer, users: int) -> Response | None:
    """The response that a randomizer is: the own letter has one mass, and every other letter a smaller one.

    None for another randomizer, and where too much is seen to be listed.
    """
    k = len(randomizer.inputs)
    counts = Counter(mass for law in randomizer.laws for mass in law.values())
    if k < 3 or not randomizer.is_single or len(randomizer.letters) != k or len(counts) != 2:
        return None
    (seldom, _), (often, _) = counts.most_common()
    own = {y for law in randomizer.laws for y, mass in law.items() if mass == often}
    if counts[often] != k or counts[seldom] != k * (k - 1) or len(own) != k or not often > seldom:
        return None
    found = Response(k, often / seldom, users)
    return found if found.p <= LARGEST_ODDS and found.seen.last <= MOST_SEEN else None


@dataclass(frozen=True)
class Crowd:
    """At least `held` others hold the value whose letter is `letter`."""

    response: Response
    letter: int
    held: int

    @cached_property
    def told(self) -> tuple[Doubles, float]:
        """f_a for a = 0, 1, ... over the values of Z, and a bound on its relative error."""
        n, hidden = self.response.users - 1, self.held
        known, most = n - hidden, min(self.response.seen.last, n)
        ours, theirs, all_ways = ([comb(size, a) for a in range(most + 1)] for size in (hidden, known, n))
        sets = np.zeros((most + 1, most + 1))
        for a in range(most + 1):
            for u in range(max(0, a - hidden), min(a, known) + 1):
                sets[a, u] = theirs[u] * ours[a - u] / all_ways[a]
        rows = [binomial_window(known - u, 1 - 1 / self.response.p) for u in range(min(most, known) + 1)]
        start, last = min(row.first for row in rows), max(row.last for row in rows)
        table = np.zeros((most + 1, last - start + 1))
        for u, row in enumerate(rows):
            table[u, row.first - start : row.last - start + 1] = row.masses
        return sets @ table, max(row.error for row in rows) + (most + 8) * UNIT

    def bound(self, exp_eps: arb) -> float:
        """An upper bound on delta at e^eps."""
        p, users = self.response.p.ball(BITS), self.response.users
        balls = (p - exp_eps, 1 - exp_eps * p, 1 - exp_eps)
        values = np.array([rounded_float(value, up=True) for value in balls])
        seen, (table, error), total = self.response.seen, self.told, 0.0
        places = [placed(self.response.k, self.letter, s) for s in range(seen.first, seen.last + 1)]
        share = values[self.letter] / float(p)
        for s, (mass, (counts, weights)) in enumerate(zip(seen.masses, places, strict=True), start=seen.first):
            if s == 0:
                total += float(mass) * users * max(share, 0.0)
                continue
            before = table[s - 1]
            kept = before > LEAST
            after = table[s][kept] if s < users else np.zeros(int(kept.sum()))
            before = before[kept]
            shifts = share * (users - s) * after / before
            doubts = (4 * (len(weights) + 64) * UNIT + 4 * error) * (max(values[0], 0.0) * s + np.abs(shifts)) + DROPPED
            total += float(mass) * positive_mean(counts @ values, weights, shifts + doubts, before)
        most = max(len(weights) for _, weights in places) + table.shape[1] + len(seen.masses)
        relative = seen.error + error + (most + 64) * UNIT
        return float(total / users * (1 + 1.1 * relative) + UNSEEN + LEFT)


@lru_cache(maxsize=4 * MOST_SEEN)
def placed(k: int, letter: int, s: int) -> tuple[Doubles, Doubles]:
    """The counts of x, x' and the other letters without the crowded one, where s are seen, and how likely they are."""
    sizes = [1, 1, k - 2]
    sizes[letter] -= 1
    grid = np.indices((s + 1, s + 1)).reshape(2, -1)
    counts = np.vstack([grid, s - grid.sum(axis=0)])
    counts = counts[:, np.all((counts >= 0) & ((counts == 0) | (np.array(sizes)[:, None] > 0)), axis=0)]
    weights = np.full(counts.shape[1], float(Fraction(factorial(s), (k - 1) ** s)))
    for column, size in zip(counts, sizes, strict=True):
        weights *= np.array([float(Fraction(size**i, factorial(i))) for i in range(s + 1)])[column]
    return counts.T.astype(np.float64), weights


def positive_mean(sums: Doubles, weights: Doubles, shifts: Doubles, chances: Doubles) -> float:
    """The sum over (T, Z) of the weight of T times the chance of Z times (T + shift)_+."""
    kept = sums > -shifts.max()
    sums, weights = sums[kept], weights[kept]
    order = np.argsort(-sums)
    sums, weights = sums[order], weights[order]
    gains = np.concatenate([[0.0], np.cumsum(weights * sums)])
    whole = np.concatenate([[0.0], np.cumsum(weights)])
    place = np.searchsorted(-sums, shifts)
    return float(np.dot(chances, (gains[place] + shifts * whole[place]).clip(0.0)))
