"""P^zsum for three users."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.model.shuffle import execute

from tests.brute_force.case import Case
from tests.unit.laws import binomial, image


def view(p, data, n=3):
    def sample(coins):
        execution = execute(BinarySum(n, real(p)), data, coins)
        return sum(execution.messages), execution.output

    return sample


def law(ones, users):
    return image(binomial(users, Fraction(3, 4)), lambda noise: (ones + noise, max(0, ones + noise - 3)))


CASES = {
    "everyone": Case(view("3/4", (1, 0, 1)), law(2, 3), {"1 - p in place of p": view("1/4", (1, 0, 1))}),
    "two of three users": Case(view("3/4", (1, 0)), law(1, 2), {"n counts those who came": view("3/4", (1, 0), 2)}),
}
