"""One user among many whose letters have one law: the certified curve of the multiset of all letters.

Legend: w(y) the weight of a letter y among the others, of total at most 1 (what is missing is an other who is not
seen); P_x, P_x' the laws of the changed user's letter; E = e^eps; N users, the changed one included.

*Its curve.*  Put the changed user at a uniform place among those who are seen.  A sequence of B + 1 letters with w > 0
then has the mass prod w(y_i)/beta * 1/(B+1) sum of P_x(y_i) beta/w(y_i), beta the total of w.  So with
L(y) = (P_x(y) - E P_x'(y)) beta/w(y), delta given B is E[(mean of B + 1 draws of L)_+] plus the sum of
(P_x(y) - E P_x'(y))_+ over the letters with w = 0, which only the changed user sends.  As Bin(N-1, beta)(b)/(b+1) =
Bin(N, beta)(b+1)/(N beta), the mean over B is
    E[(W_1 + ... + W_N)_+] / N,
where W_i = (P_x(y) - E P_x'(y))/w(y) with probability w(y), and 0 with probability 1 - beta.

Values that no sum above 0 has are left out first.  If none of the others is negative, the mean is N E[W] for what is
left of the law.  Else it is summed over types (how often each value occurs) where few have a positive sum, and
enclosed by `mean_positive` otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

from flint import arb, ctx
from panshuffle.exact.curves.mean_gain import chernoff, mean_positive
from panshuffle.exact.errors import Undecided
from panshuffle.exact.numbers.real import Real

BITS = 224
"""Of all balls: they serve up to 10^9 users."""
WIDTH = 1e-3
"""The relative width of delta that is aimed at: eps moves far less."""
MOST_TYPES = 1500
"""So many types take some milliseconds, and no more than the other way."""

Letter = tuple[Real, Real, Real]
"""(P_x, P_x', w) of a letter."""


@dataclass(frozen=True)
class Case:
    """The letters of two inputs and a background, each with how many are like it; whether all others are seen."""

    letters: tuple[tuple[Letter, int], ...]
    complete: bool

    @classmethod
    def of(cls, letters: Iterable[Letter], complete: bool) -> Case:
        """The case of these letters, in any order: they are sorted, so that sums are the same in every process."""
        return cls(tuple(sorted(Counter(letters).items(), key=lambda item: tuple(map(str, item[0])))), complete)

    def steps(self, factor: arb) -> tuple[list[arb], list[arb], arb]:
        """The masses and the values of W at e^eps = factor, and what the letters with w = 0 add.

        *Raises* `Undecided` where the weights are not told apart from a total of 1, and are not known to have it.
        """
        masses, values, alone = list[arb](), list[arb](), arb(0)
        for (above, below, weight), count in self.letters:
            difference = above.ball(BITS) - factor * below.ball(BITS)
            if weight.fraction == 0:
                alone += count * difference.nonnegative_part()
            else:
                masses.append(count * weight.ball(BITS))
                values.append(difference / weight.ball(BITS))
        if not self.complete:
            masses.append(1 - sum(masses, arb(0)))
            values.append(arb(0))
            if not masses[-1] > 0:
                raise Undecided("the laws of the inputs are not told apart")
        return masses, values, alone

    def most(self, users: int, factor: arb) -> arb:
        """A quick upper bound on delta."""
        with ctx.workprec(BITS):
            masses, values, alone = self.steps(factor)
            return (alone + chernoff(*reaching(masses, values, users), users) / users).upper()

    def delta(self, users: int, factor: arb) -> arb:
        """An enclosure of delta at e^eps = factor."""
        with ctx.workprec(BITS):
            masses, values, alone = self.steps(factor)
            masses, values = reaching(masses, values, users)
            if all(value >= 0 for value in values):
                total = sum(masses, arb(0))
                gain = sum((mass * value for mass, value in zip(masses, values, strict=True)), arb(0))
                return alone + gain * total ** (users - 1)
            few = type_mean(masses, values, users) if users <= MOST_TYPES else None
            if few is not None:
                return alone + few / users
            size = max((abs(value).upper() for value in values), default=arb(1))
            scaled = [value / size for value in values]
            return alone + size * mean_positive(masses, scaled, users, WIDTH) / users


def reaching(masses: list[arb], values: list[arb], users: int) -> tuple[list[arb], list[arb]]:
    """The masses and values without those that no sum above 0 has: all the others together don't make up for them."""
    highest = max((value.upper() for value in values), default=arb(0))
    kept = [i for i, value in enumerate(values) if not value + (users - 1) * highest <= 0]
    return [masses[i] for i in kept], [values[i] for i in kept]


def type_mean(masses: Sequence[arb], values: Sequence[arb], users: int) -> arb | None:
    """E[(W_1 + ... + W_N)_+] by a sum over the types that may have a positive sum; None where they are many."""
    order = sorted(range(len(masses)), key=lambda i: float(values[i].mid()))
    steps = [(masses[i], values[i]) for i in order]
    if not steps or too_many([float(value.mid()) for _, value in steps], users):
        return None if steps else arb(0)
    highest = max(value.upper() for value in values)
    total, visited = arb(0), 0
    stack = [(0, users, arb(1), arb(0))]
    while stack:
        i, left, mass, value = stack.pop()
        step, each = steps[i]
        counts = range(left, left + 1) if i == len(steps) - 1 else range(left + 1)
        for count in counts:
            above = value + count * each
            if each <= 0 and above + (left - count) * highest <= 0:
                break
            visited += 1
            if visited > MOST_TYPES:
                return None
            share = mass * comb(left, count) * step**count
            if i == len(steps) - 1:
                total += share * above.nonnegative_part()
            else:
                stack.append((i + 1, left - count, share, above))
    return total


def too_many(values: Sequence[float], users: int) -> bool:
    """Whether more than `MOST_TYPES` steps are to be expected, counted in doubles; the values in rising order."""
    visited, stack, last = 0, [(0, users, 0.0)], len(values) - 1
    while stack and visited <= MOST_TYPES:
        i, left, value = stack.pop()
        for count in range(left if i == last else 0, left + 1):
            above = value + count * values[i]
            if visited > MOST_TYPES or (values[i] <= 0 and above + (left - count) * values[-1] <= 0):
                break
            visited += 1
            if i < last:
                stack.append((i + 1, left - count, above))
    return visited > MOST_TYPES


def largest(cases: Sequence[Case], users: int, factor: arb) -> tuple[arb, int]:
    """An enclosure of the largest delta of some cases, and the number of a case that has it."""
    bounds = sorted(
        ((case.most(users, factor), i) for i, case in enumerate(cases)), key=lambda item: item[0], reverse=True
    )
    best, place = arb(0), 0
    for most, i in bounds:
        if most <= best.lower():
            break
        value = cases[i].delta(users, factor)
        place = i if value.lower() > best.lower() else place
        best = best.max(value)
    return best, place
