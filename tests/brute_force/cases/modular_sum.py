"""P_MOD: the shuffled vector itself, order included."""

from fractions import Fraction
from math import comb

from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.modular_sum import ModularSum

from tests.brute_force.case import Case
from tests.unit.laws import image, independent, shares

PROTOCOL = ModularSum(n=2, m=3)
DATA = (1, 0)
ONES = image(independent(*(shares(x, 3) for x in DATA)), sum)
VECTORS = {
    tuple(v >> i & 1 for i in range(6)): ONES.get(v.bit_count(), Fraction(0)) / comb(6, v.bit_count())
    for v in range(64)
}


def unshuffled(coins):
    return tuple(message for x in DATA for message in PROTOCOL.randomize(x, coins))


class IndependentBits(ModularSum):
    def randomize(self, x, coins):
        return [*super().randomize(x, coins)[:-1], coins.bits(1)]


def ones(protocol, data):
    return lambda coins: sum(execute(protocol, data, coins).messages)


CASES = {
    "vectors": Case(
        lambda coins: tuple(execute(PROTOCOL, DATA, coins).messages),
        VECTORS,
        {"not shuffled": unshuffled},
        enumerable=False,
    ),
    "ones": Case(ones(PROTOCOL, DATA), ONES, {"parity ignored": ones(IndependentBits(2, 3), DATA)}),
    "one of two users": Case(ones(PROTOCOL, (1,)), shares(1, 3), {"both users": ones(PROTOCOL, DATA)}),
}
