"""Two labelled sums with flip probability 1/4."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import execute, pools_of
from panshuffle.protocols.two_bit_sum import TwoBitSum

from tests.brute_force.case import Case
from tests.unit.laws import bernoulli, image, independent

QUARTER = Fraction(1, 4)


def view(protocol, data):
    def sample(coins):
        execution = execute(protocol, data, coins)
        (_, first), (_, second) = pools_of(execution.messages, 2)
        return first, second, *(estimate.fraction for estimate in execution.output)

    return sample


def law(data, n):
    flips = independent(*[bernoulli(QUARTER)] * (2 * len(data)))

    def seen(drawn):
        ones = [sum(x[i] ^ drawn[2 * u + i] for u, x in enumerate(data)) for i in (0, 1)]
        return *ones, *((count - n * QUARTER) * 2 for count in ones)

    return image(flips, seen)


class OneFlip(TwoBitSum):
    def randomize(self, x, coins):
        flip = coins.bernoulli(self.p)
        return [(1, x[0] ^ flip), (2, x[1] ^ flip)]


DATA, PROTOCOL = ((1, 0), (1, 1)), TwoBitSum(2, real("1/4"))
CASES = {
    "everyone": Case(
        view(PROTOCOL, DATA), law(DATA, 2), {"one flip for both bits": view(OneFlip(2, real("1/4")), DATA)}
    ),
    "one of two users": Case(
        view(PROTOCOL, DATA[:1]), law(DATA[:1], 2), {"p = 1/3": view(TwoBitSum(2, real("1/3")), DATA[:1])}
    ),
}
