"""Laws of whole views by enumeration, and a view compared with the worst of them."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
from panshuffle.exact.real import log, real
from panshuffle.protocols.model.online import run
from panshuffle.protocols.model.shuffle import pool_of_bits, pools_of

from tests.brute_force.enumeration import law_of

BOUNDS = [Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(25)]


def divergence(upper, lower, bound):
    gains = (mass - bound * lower.get(outcome, 0) for outcome, mass in upper.items())
    return sum((gain for gain in gains if gain > 0), Fraction(0))


def worst(law_at, datasets, bound):
    """The maximum over all ordered pairs of datasets that differ in one row."""
    laws = {data: law_at(data) for data in datasets}
    pairs = (pair for pair in product(datasets, repeat=2) if sum(map(int.__ne__, *map(hashes, pair))) == 1)
    return max((divergence(laws[a], laws[b], bound) for a, b in pairs), default=Fraction(0))


def hashes(data):
    return [hash(row) for row in data]


def ends(ball):
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def pools_law(protocol, k):
    """data -> the law of the pools of all messages; users are independent, and each is run under all coins."""

    @cache
    def user(x):
        def counts(coins):
            messages = protocol.randomize(x, coins)
            return tuple(map(tuple, pools_of(messages, k) if k else pool_of_bits(messages)))

        return law_of(counts)

    @cache
    def law_at(data):
        return sum_of([user(x) for x in data])

    return law_at


def sum_of(laws):
    """The law of the sum, pool by pool, of independent pools."""
    total = None
    for law in laws:
        if total is None:
            total = law
            continue
        step = {}
        for (before, weight), (added, mass) in product(total.items(), law.items()):
            after = tuple((a + c, b + d) for (a, b), (c, d) in zip(before, added, strict=True))
            step[after] = step.get(after, 0) + weight * mass
        total = step
    return total


def marginal(law, pool=0):
    """The law of one pool."""
    result = {}
    for pools, mass in law.items():
        result[pools[pool]] = result.get(pools[pool], 0) + mass
    return result


def online_law(algorithm, stream, t):
    """The law of (I_t, output)."""

    def view(coins):
        seen = run(algorithm, stream, coins, t)
        return plain(seen.state), plain(seen.output)

    return law_of(view)


def plain(value):
    if isinstance(value, Counter):
        return tuple(sorted(value.items()))
    return tuple(value) if isinstance(value, list) else value


def rational_share(n, q):
    """eps with (1 - e^-eps)^(1/n) = q."""
    return -log(real(1 - q**n))


def sorted_rows(datasets):
    """Neighbours up to the order of the rows, which the shuffler forgets: the first row changes, the rest is sorted."""
    return [data for data in datasets if list(data[1:]) == sorted(data[1:])]


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def mp(value):
    value = Fraction(value)
    return mpmath.mpf(value.numerator) / value.denominator
