"""The central OR with e^eps = 2."""

from fractions import Fraction

from panshuffle.exact.real import log, real
from panshuffle.protocols.randomized_or import RandomizedOr

from tests.brute_force.case import Case
from tests.unit.laws import bernoulli


def view(exp_eps, data):
    return lambda coins: RandomizedOr(len(data), log(real(exp_eps))).release(data, coins)


CASES = {
    "or is 0": Case(view("2", (0, 0)), bernoulli(Fraction(1, 4)), {"eps too large": view("5/2", (0, 0))}),
    "or is 1": Case(view("2", (0, 1)), bernoulli(Fraction(1, 2)), {"or not taken": view("2", (0, 0))}),
}
