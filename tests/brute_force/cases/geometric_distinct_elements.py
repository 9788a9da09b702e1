"""The central baseline with e^eps = 2: mass 2^-|v| / 3 at distance v."""

from fractions import Fraction

from panshuffle.exact.real import log, real
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements

from tests.brute_force.case import Case

DATA = (3, 1, 3)


def view(exp_eps, data=DATA):
    return lambda coins: GeometricDistinctElements(3, 4, log(real(exp_eps))).release(data, coins)


def one_sided(coins):
    return 2 + coins.geometric(log(real(2)))


CASES = {
    "two distinct": Case(
        view("2"),
        {2 + v: Fraction(1, 3 * 2 ** abs(v)) for v in range(-20, 21)},
        {"eps too small": view("1.8"), "one-sided noise": one_sided, "rows counted": view("2", (3, 1, 2))},
        enumerable=False,
        runs=40_000,
    )
}
