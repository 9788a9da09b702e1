"""The shuffle histogram for two users and two bins."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from tests.brute_force.case import Case
from tests.unit.laws import binomial, image, independent

PROTOCOL = ShuffleHistogram(n=2, k=2, p=real("3/4"))


class SharedNoise(ShuffleHistogram):
    def randomize(self, x, coins):
        noise = coins.bernoulli(self.p)
        return [(j, bit) for j in (1, 2) for bit in (int(x == j), noise)]


def view(protocol, data):
    return lambda coins: tuple(sorted(execute(protocol, data, coins).messages))


def law(data):
    noise = binomial(len(data), Fraction(3, 4))
    ones = [sum(x == j for x in data) for j in (1, 2)]

    def messages(drawn):
        return tuple(
            (j, bit)
            for j in (1, 2)
            for bit, count in ((0, 2 * len(data) - ones[j - 1] - drawn[j - 1]), (1, ones[j - 1] + drawn[j - 1]))
            for _ in range(count)
        )

    return image(independent(noise, noise), messages)


CASES = {
    "everyone": Case(
        view(PROTOCOL, (1, 1)), law((1, 1)), {"one noise bit for all bins": view(SharedNoise(2, 2, PROTOCOL.p), (1, 1))}
    ),
    "one of two users": Case(view(PROTOCOL, (2,)), law((2,)), {"other element": view(PROTOCOL, (1,))}),
}
