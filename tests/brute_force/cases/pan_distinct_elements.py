"""Q_P on P_DE for n = 3 users, q = 1/2 (p' = 1/4): one dummy, one element, one dummy."""

from fractions import Fraction

from panshuffle.exact.real import log, real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.model.online import run
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements

from tests.brute_force.case import Case
from tests.unit.laws import image, independent, parity_pool

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
ALGORITHM = PanDistinctElements(DistinctElements(n=3, k=2, eps=log(real("8/7")), m=1))
STREAM = (2,)


def view(algorithm, t):
    def sample(coins):
        seen = run(algorithm, STREAM, coins, t)
        return seen.state[1, 1], seen.state[2, 1], seen.output.fraction

    return sample


def law(t):
    """e^eps = 1/(1 - 1/8) = 8/7, so z = (2 C 8/7 - 2)/(1/7) = 16 C - 14."""
    first = [HALF, QUARTER, HALF]
    second = [QUARTER, HALF, QUARTER]
    parts = [parity_pool(flips[a:b], 1) for flips in (first, second) for a, b in ((0, 1 + t), (1 + t, 3))]

    def seen(ones):
        parities = (ones[0] + ones[1]) % 2 + (ones[2] + ones[3]) % 2
        return ones[0], ones[2], Fraction(16 * parities - 14)

    return image(independent(*parts), seen)


class NoFinalDummies(PanDistinctElements):
    def output(self, state, coins):
        return self.protocol.analyze(list(state.elements()))


class OtherDummy(PanDistinctElements):
    def dummies(self, count, coins):
        return super().dummies(count, coins) if not count else self.collected(count, coins)

    def collected(self, count, coins):
        from panshuffle.protocols.model.transformation import collect

        return collect(self.protocol.randomize(2, coins) for _ in range(count))


CASES = {
    f"t = {t}": Case(
        view(ALGORITHM, t),
        law(t),
        {
            "no dummies at the end": view(NoFinalDummies(ALGORITHM.protocol), t),
            "dummies of another element": view(OtherDummy(ALGORITHM.protocol), t),
        },
        runs=40_000,
    )
    for t in (0, 1)
}
