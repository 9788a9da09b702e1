"""k-ary response from above: some value is held by many others, and what they send blurs its letter.

Legend: p = e^eps0; k values, each other than the own sent with probability l = 1/(p+k-1); N users; E = e^eps; x and x'
the changed user's inputs.

*What is told.*  An other user is a clone with probability k l, whose letter is uniform, and else sends the own value.
Let at least h others hold the value z.  Tell the analyst of everybody but h of these who is no clone, and what they
sent: the histogram is a function of what is left and of that, so delta only grows.  Seen are then the counts N_y of the
letters y != z of clones and of the changed user, s of them together, and the number Z of those who are known to be no
clones; the rest sent z.

*Its curve.*  Of the N - 1 others each sends a letter y != z as a clone with probability l, whoever it is; if a of them
do, they are a uniform set, U of them are not among the h, and Z ~ Bin(N-1-h-U, 1 - 1/p): that is the law f_a of Z.
With v_x = p - E, v_x' = 1 - E p and 1 - E for every other letter, and T the sum of v_y N_y over y != z,
    delta = 1/N sum over s of Bin(N, (k-1) l)(s) times the mean of (f_(s-1)(Z) T + f_s(Z) v_z (N-s)/p)_+ summed over Z,
where the N_y are s letters thrown uniformly on k - 1 places.  For h = N - 1 all others hold z, and that is exact; for
h = 0 it is the privacy blanket.

*All backgrounds.*  h_x + h_x' + (k-2) h_o <= N + k - 2 leaves no background in which fewer than h_x hold x, fewer than
h_x' hold x', and fewer than h_o hold each of the others: the largest of the three bounds is one for all.

*Rounding.*  Every weight is a product of positive doubles of known relative errors.  The values v are rounded up; what
T, its sums and the other term of (...)_+ may lack is less than a small multiple of their sizes; that is added to it.
f_s(Z) <= p f_(s-1)(Z), since one more of the others may send z; so where f_(s-1) is next to nothing, so is the sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, factorial, inf

import numpy as np
from flint import arb
from panshuffle.exact.laws.double_law import DROPPED, UNIT, Doubles, binomial_window
from panshuffle.exact.numbers.certified import rounded_float
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.randomizers.randomizer import Randomizer

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
"""One in so many is a crowd for x', whose letter tells most; for x it is a share in sixteenths that is looked for."""
OWN, CHANGED, OTHER = range(3)
"""The letter that is crowded: x, x', or one of the k - 2 others."""


@dataclass(frozen=True)
class Response:
    """k-ary response with p = e^eps0 behind a shuffler of N users."""

    k: int
    p: Real
    users: int
    known: dict[tuple[int, int], Crowd] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def seen(self) -> tuple[int, Doubles, float]:
        """The least s that is kept, the masses of all that are, and their relative error."""
        law = binomial_window(self.users, (self.k - 1) / (self.p + self.k - 1))
        spare = UNSEEN / (float(self.p) + 2)
        first = int(np.searchsorted(np.cumsum(law.masses), spare / 2))
        last = len(law.masses) - int(np.searchsorted(np.cumsum(law.masses[::-1]), spare / 2))
        return law.first + first, law.masses[first:last], law.error

    @property
    def is_listed(self) -> bool:
        """Whether all that is seen can be listed."""
        return self.seen[0] + len(self.seen[1]) - 1 <= MOST_SEEN

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

    def crowd(self, letter: int, held: int) -> Crowd:
        """The bound where so many hold a value, remembered."""
        return self.known.setdefault((letter, held), Crowd(self, letter, held))


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
    return found if found.p <= LARGEST_ODDS and found.is_listed else None


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
        first, masses, _ = self.response.seen
        known, most = n - hidden, min(first + len(masses) - 1, n)
        ours, theirs, all_ways = ([comb(size, a) for a in range(most + 1)] for size in (hidden, known, n))
        sets = np.zeros((most + 1, most + 1))
        for a in range(most + 1):
            for u in range(max(0, a - hidden), min(a, known) + 1):
                sets[a, u] = theirs[u] * ours[a - u] / all_ways[a]
        rows = [binomial_window(known - u, 1 - 1 / self.response.p) for u in range(min(most, known) + 1)]
        start, stop = min(row.first for row in rows), max(row.first + len(row.masses) for row in rows)
        table = np.zeros((most + 1, stop - start))
        for u, row in enumerate(rows):
            table[u, row.first - start : row.first - start + len(row.masses)] = row.masses
        return sets @ table, max(row.error for row in rows) + (most + 8) * UNIT

    def bound(self, exp_eps: arb) -> float:
        """An upper bound on delta at e^eps."""
        p, users = self.response.p.ball(BITS), self.response.users
        balls = (p - exp_eps, 1 - exp_eps * p, 1 - exp_eps)
        values = np.array([rounded_float(value, up=True) for value in balls])
        first, masses, doubt = self.response.seen
        (table, error), total = self.told, 0.0
        places = [placed(self.response.k, self.letter, s) for s in range(first, first + len(masses))]
        share = values[self.letter] / float(p)
        for s, (mass, (counts, weights)) in enumerate(zip(masses, places, strict=True), start=first):
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
        most = max(len(weights) for _, weights in places) + table.shape[1] + len(masses)
        relative = doubt + error + (most + 64) * UNIT
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
