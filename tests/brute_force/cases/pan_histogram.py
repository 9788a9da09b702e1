"""The pan-private histogram with lam = 1 and two bins."""

from fractions import Fraction

from panshuffle.protocols.model.online import run
from panshuffle.protocols.pan_histogram import PanHistogram

from tests.brute_force.case import Case
from tests.unit.laws import binomial, image, independent

ALGORITHM = PanHistogram(n=2, k=2, lam=1)
STREAM = (2, 2)
NOISE = binomial(1, Fraction(1, 2))


def view(algorithm, t):
    def sample(coins):
        seen = run(algorithm, STREAM, coins, t)
        return tuple(seen.state), tuple(seen.output)

    return sample


def law(t):
    def seen(noise):
        return (noise[0], noise[1] + t), (noise[0] + noise[2], noise[1] + noise[3] + 2)

    return image(independent(NOISE, NOISE, NOISE, NOISE), seen)


class SharedNoise(PanHistogram):
    def initial(self, coins):
        return [self.pan_sum.initial(coins)] * self.k


CASES = {
    f"t = {t}": Case(view(ALGORITHM, t), law(t), {"one noise for all bins": view(SharedNoise(2, 2, 1), t)})
    for t in range(3)
}
