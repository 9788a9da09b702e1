"""The binomial mechanism."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.binomial import Binomial

from tests.brute_force.case import Case
from tests.unit.laws import binomial, image


def view(l, p, data):
    return lambda coins: Binomial(len(data), l, real(p)).release(data, coins)


CASES = {
    "p = 1/3": Case(
        view(5, "1/3", (1, 0, 1)),
        image(binomial(5, Fraction(1, 3)), lambda noise: 2 + noise),
        {"one coin too few": view(4, "1/3", (1, 0, 1)), "p = 0.36": view(5, "0.36", (1, 0, 1))},
        runs=40_000,
    )
}
