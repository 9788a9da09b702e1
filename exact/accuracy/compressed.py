"""The tester on groups: the law of Z' over a random partition into groups of equal size, as well.

The groups of a uniform distribution are uniform, so nothing is random about them.  For any other distribution the
partitions are enumerated by the kinds of elements in each group, where there are few kinds of partitions; for two
probabilities and groups that divide the domain, `compressed_law` does without.  A group's padding elements
have the probability 1/K each, K the padded size, and every other probability is scaled by k/K.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial

from flint import arb, ctx

from exact.accuracy.fixed_samples import fixed_chance
from exact.accuracy.uniformity import Statistic
from exact.errors import InputError
from exact.numbers.certified import Certified, quotient
from exact.numbers.real import Real

MOST_PARTITIONS = 2_000

Kinds = tuple[int, ...]


def compressed_chance(
    m: Real, lam: Real, k_hat: int, law: tuple[tuple[Fraction, int], ...], tau: Real
) -> tuple[Certified, tuple[Real, Real] | None]:
    """P[Z' > tau] on k_hat groups, and its two ends where the moments have to do.

    *Raises* `InputError` for too many partitions.
    """
    from exact.accuracy.compressed_law import MOST_ELEMENTS, TwoKinds
    from exact.accuracy.tester import chance_bounds, interval

    k = sum(count for _, count in law)
    if len(law) == 2 and k % k_hat == 0 and k <= MOST_ELEMENTS and 2 <= k_hat < k:
        kinds = TwoKinds(m, lam, k_hat, law)
        if kinds.is_small():
            return kinds.chance_above(tau), None
    parts = grouped(m, lam, k_hat, law)
    if not all(of.is_small() for of, _ in parts):
        bounds = [(chance_bounds(of, tau), weight) for of, weight in parts]
        low, high = (sum((ends[i] * weight for ends, weight in bounds), start=Real(Fraction(0))) for i in (0, 1))
        return interval(low, high), (low, high)
    return mixture([(of.chance_above(tau), weight) for of, weight in parts]), None


def compressed_fixed(
    m: Real, lam: Real, k_hat: int, law: tuple[tuple[Fraction, int], ...], tau: Real, n: int
) -> Certified:
    """The same for exactly n samples.  *Raises* `InputError` for too many partitions or samples."""
    parts = grouped(m, lam, k_hat, law)
    return mixture([(fixed_chance(of, n, of.least_rejected(tau)), weight) for of, weight in parts])


def grouped(m: Real, lam: Real, k_hat: int, law: tuple[tuple[Fraction, int], ...]) -> list[tuple[Statistic, Fraction]]:
    """The statistics on the groups of all partitions, and how likely each is; one for the uniform distribution."""
    k = sum(count for _, count in law)
    size = -(-k // k_hat)
    padded = size * k_hat
    kinds = [(p * k / padded, count) for p, count in law]
    kinds += [(Fraction(1, padded), padded - k)] if padded > k else []
    if {p for p, _ in kinds} == {Fraction(1, padded)}:
        return [(Statistic(m, lam, ((Fraction(1, k_hat), k_hat),)), Fraction(1))]
    weights = partitions(tuple(count for _, count in kinds), k_hat, size)
    total = sum(weights.values())
    return [(group_law(m, lam, kinds, groups), Fraction(weight, total)) for groups, weight in weights.items()]


def mixture(chances: list[tuple[Certified, Fraction]]) -> Certified:
    """The sum of the probabilities, each times its weight."""

    def ball(precision: int) -> arb:
        balls = [(chance.ball(precision + 16), quotient(w)) for chance, w in chances]
        with ctx.workprec(precision + 16):
            return sum((chance * arb(weight) for chance, weight in balls), arb(0))

    return chances[0][0] if len(chances) == 1 else Certified(ball, probability=True)


def group_law(m: Real, lam: Real, kinds: list[tuple[Fraction, int]], groups: tuple[Kinds, ...]) -> Statistic:
    """The statistic for groups with so many elements of each kind."""
    chances = Counter(sum((p * n for (p, _), n in zip(kinds, group, strict=True)), Fraction(0)) for group in groups)
    return Statistic(m, lam, tuple(sorted(chances.items())))


def partitions(counts: Kinds, groups: int, size: int) -> dict[tuple[Kinds, ...], int]:
    """The partitions into groups of one size, by the sorted kinds in the groups, and in how many ways each arises.

    *Raises* `InputError` for too many of them.

    >>> partitions((2, 2), 2, 2)
    {((0, 2), (2, 0)): 2, ((1, 1), (1, 1)): 4}
    """
    found: dict[tuple[Kinds, ...], int] = {}
    for chosen in sorted_groups(counts, groups, size, ()):
        if len(found) >= MOST_PARTITIONS:
            raise InputError(f"the partitions are too many: more than {MOST_PARTITIONS} kinds of them for this D")
        ways = factorial(groups)
        for repeated in Counter(chosen).values():
            ways //= factorial(repeated)
        left = counts
        for group in chosen:
            for i, n in enumerate(group):
                ways *= comb(left[i], n)
            left = tuple(have - n for have, n in zip(left, group, strict=True))
        found[chosen] = ways
    return found


def sorted_groups(counts: Kinds, groups: int, size: int, least: Kinds) -> Iterator[tuple[Kinds, ...]]:
    """The ways to divide the counts among groups, the groups in ascending order."""
    if groups == 0:
        yield ()
        return
    for group in compositions(counts, size):
        if group >= least:
            left = tuple(have - n for have, n in zip(counts, group, strict=True))
            for rest in sorted_groups(left, groups - 1, size, group):
                yield (group, *rest)


def compositions(counts: Kinds, size: int) -> Iterator[Kinds]:
    """The ways to take `size` elements from the kinds."""
    if len(counts) == 1:
        if size <= counts[0]:
            yield (size,)
        return
    for n in range(max(0, size - sum(counts[1:])), min(counts[0], size) + 1):
        for rest in compositions(counts[1:], size - n):
            yield (n, *rest)
