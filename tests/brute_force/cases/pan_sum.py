"""Q_ZSUM with lam = 2: the joint law of a state and the output."""

from fractions import Fraction

from panshuffle.protocols.model.online import run
from panshuffle.protocols.pan_sum import PanSum

from tests.brute_force.case import Case
from tests.unit.laws import binomial, image, independent

ALGORITHM = PanSum(n=3, lam=2)
STREAM = (1, 1, 0)
NOISE = binomial(2, Fraction(1, 2))


def view(algorithm, t):
    def sample(coins):
        seen = run(algorithm, STREAM, coins, t)
        return seen.state, seen.output

    return sample


def law(t):
    return image(independent(NOISE, NOISE), lambda noise: (noise[0] + sum(STREAM[:t]), sum(noise) + sum(STREAM)))


class OneNoise(PanSum):
    def output(self, state, coins):
        return state


class NoiseAtTheEnd(PanSum):
    def initial(self, coins):
        return 0

    def output(self, state, coins):
        return super().output(state, coins) + super().initial(coins)


CASES = {
    f"t = {t}": Case(
        view(ALGORITHM, t),
        law(t),
        {"no second noise": view(OneNoise(3, 2), t), "bare state": view(NoiseAtTheEnd(3, 2), t)},
    )
    for t in range(4)
}
