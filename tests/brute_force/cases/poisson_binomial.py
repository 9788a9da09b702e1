"""The Poisson-binomial sum: the ones of all copies, one bit after another."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.poisson_binomial import PoissonBinomial

from tests.brute_force.case import Case

DATA = (1, 0, 1)


def view(m, p, data=DATA):
    record = PoissonBinomial(3, m, real(p))
    return lambda coins: tuple(record.count_pools(execute(record, data, coins).messages)[0])


def bit_by_bit(m, p):
    law = {(0, 0): Fraction(1)}
    for bit in DATA:
        for _ in range(m):
            after = {}
            for (zeros, ones), mass in law.items():
                for sent, chance in ((bit, 1 - p), (1 - bit, p)):
                    key = (zeros + 1 - sent, ones + sent)
                    after[key] = after.get(key, 0) + mass * chance
            law = after
    return law


CASES = {
    "m = 2, p = 1/4": Case(
        view(2, "1/4"),
        bit_by_bit(2, Fraction(1, 4)),
        {"p = 1/3": view(2, "1/3"), "one copy": view(1, "1/4"), "zeros": view(2, "1/4", (0, 1, 0))},
    ),
}
