"""P_UT for k = 2: zeros and ones of each pool are data plus independent Poisson noise."""

from fractions import Fraction

from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import execute, pools_of
from panshuffle.protocols.uniformity import Uniformity

from tests.brute_force.case import Case
from tests.unit.laws import capped, image, independent, poisson

MOST = 4
PROTOCOL = Uniformity.repaired(n=4, k=2, lam=real(3), m=real(4))


def view(protocol, data):
    def sample(coins):
        return capped(MOST)(count for pool in pools_of(execute(protocol, data, coins).messages, 2) for count in pool)

    return sample


def law(data):
    noise = poisson(Fraction(3 * len(data), 8), MOST)
    counts = [sum((x == j) == one for x in data) for j in (1, 2) for one in (False, True)]
    return independent(*(image(noise, lambda s, c=count: min(c + s, MOST)) for count in counts))


class Overwriting(Uniformity):
    """The printed randomizer, whose assignment drops the earlier pools."""

    def randomize(self, x, coins):
        return [(j, bit) for j, bit in super().randomize(x, coins) if j == self.k]


class NoiseNotDivided(Uniformity):
    @property
    def noise_mean(self):
        return self.lam


CASES = {
    "everyone": Case(
        view(PROTOCOL, (1, 1, 2, 1)),
        law((1, 1, 2, 1)),
        {
            "vector overwritten": view(Overwriting.repaired(4, 2, real(3), real(4)), (1, 1, 2, 1)),
            "lam not divided by n": view(NoiseNotDivided.repaired(4, 2, real(3), real(4)), (1, 1, 2, 1)),
        },
        enumerable=False,
    ),
    "one of four users": Case(
        view(PROTOCOL, (2,)), law((2,)), {"no dropout": view(PROTOCOL, (2, 2, 2, 2))}, enumerable=False
    ),
}
