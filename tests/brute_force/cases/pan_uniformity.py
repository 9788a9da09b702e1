"""Q_P on P_UT for n = 3 users: one uniform dummy, one element or dummy, one dummy."""

from fractions import Fraction
from itertools import product

from panshuffle.exact.real import real
from panshuffle.protocols.model.online import run
from panshuffle.protocols.pan_uniformity import PanUniformity, State
from panshuffle.protocols.uniformity import Uniformity

from tests.brute_force.case import Case
from tests.unit.laws import binomial, capped, image, independent, mixture, poisson

MOST = 3
ALGORITHM = PanUniformity(Uniformity.repaired(n=3, k=2, lam=real(1), m=real(3)))
STREAM = (2,)


def view(algorithm, t):
    def sample(coins):
        seen = run(algorithm, STREAM, coins, t).state
        counts = (seen.messages[j, b] for j in (1, 2) for b in (0, 1))
        return (*capped(MOST)(counts), seen.n_left)

    return sample


def law(t):
    """n' ~ Bin(3, 2/9), at most 1; with n' = 1 the element 2 is used, else a uniform one."""
    zero = binomial(3, Fraction(2, 9))[0]
    noise = poisson(Fraction(1 + t, 6), MOST)
    parts = []
    for n_prime, weight in ((0, zero), (1, 1 - zero)):
        for rows in product((1, 2), repeat=1 + t):
            if t and n_prime and rows[1] != 2:
                continue
            mass = weight * Fraction(1, 2 ** (1 + t)) * (2 if t and n_prime else 1)
            counts = [sum((x == j) == one for x in rows) for j in (1, 2) for one in (False, True)]
            pools = independent(*(image(noise, lambda s, c=c: min(c + s, MOST)) for c in counts))
            left = max(0, n_prime - t)
            parts.append((mass, image(pools, lambda pool, left=left: (*pool, left))))
    return mixture(parts)


class AllUsed(PanUniformity):
    def initial(self, coins):
        return State(super().initial(coins).messages, self.length)


class ConstantDummies(PanUniformity):
    def dummy(self, coins):
        return 1


CASES = {
    f"t = {t}": Case(
        view(ALGORITHM, t),
        law(t),
        {
            "n' not drawn": view(AllUsed(ALGORITHM.protocol), t),
            "dummies not uniform": view(ConstantDummies(ALGORITHM.protocol), t),
        },
        enumerable=False,
        runs=30_000,
    )
    for t in (0, 1)
}
