"""P_DE with q = 1/2, so that p' = 1/4 and e^eps = 4/3 for two users."""

from fractions import Fraction

from panshuffle.exact.real import log, real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.model.shuffle import execute, pools_of

from tests.brute_force.case import Case
from tests.unit.laws import image, independent, parity_pool

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
PROTOCOL = DistinctElements(n=2, k=2, eps=log(real("4/3")), m=2)


def view(protocol, data):
    def sample(coins):
        execution = execute(protocol, data, coins)
        (_, first), (_, second) = pools_of(execution.messages, 2)
        return first, second, execution.output.fraction

    return sample


def law(first, second):
    """Ones of both pools and the estimate z = (2 C 4/3 - 2)/(1/3) = 8 C - 6."""
    pools = independent(parity_pool(first, 2), parity_pool(second, 2))
    return image(pools, lambda ones: (*ones, Fraction(8 * (ones[0] % 2 + ones[1] % 2) - 6)))


class NoHolder(DistinctElements):
    def randomize(self, x, coins):
        shares = self.modular_sum.randomize
        return [(j, bit) for j in (1, 2) for bit in shares(coins.bernoulli(self.p_prime), coins)]


CASES = {
    "everyone": Case(
        view(PROTOCOL, (1, 1)),
        law((HALF, HALF), (QUARTER, QUARTER)),
        {
            "holders not fair": view(NoHolder(2, 2, PROTOCOL.eps, 2), (1, 1)),
            "p' for one user": view(DistinctElements(2, 2, log(real("5/3")), 2), (1, 1)),
            "one message too many": view(DistinctElements(2, 2, PROTOCOL.eps, 3), (1, 1)),
        },
    ),
    "one of two users": Case(view(PROTOCOL, (2,)), law((QUARTER,), (HALF,)), {"no dropout": view(PROTOCOL, (2, 2))}),
}
