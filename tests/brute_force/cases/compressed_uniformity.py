"""P_UT after compression of k = 3 elements, padded to 4, into two groups of two."""

from fractions import Fraction
from itertools import permutations, product

from panshuffle.exact.real import real
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.shuffle import Encoded, execute, pools_of

from tests.brute_force.case import Case
from tests.unit.laws import capped, image, independent, mixture, poisson

MOST = 3
PROTOCOL = CompressedUniformity.repaired(n=2, k=3, k_hat=2, lam=real(1), m=real(2))
DATA = (1, 2)


def view(publish):
    def sample(coins):
        messages = execute(publish(coins), DATA, coins).messages
        return capped(MOST)(count for pool in pools_of(messages, 2) for count in pool)

    return sample


def law():
    """Over all equal partitions of four elements and over who is replaced by the padding element."""
    noise = poisson(Fraction(1, 2), MOST)
    groups: dict = {}
    for partition in set(permutations((1, 1, 2, 2))):
        for replaced in product((False, True), repeat=2):
            mass = Fraction(1, 6)
            for user in replaced:
                mass *= Fraction(1, 4) if user else Fraction(3, 4)
            ones = sum(partition[3 if user else x - 1] == 1 for user, x in zip(replaced, DATA, strict=True))
            groups[ones] = groups.get(ones, Fraction(0)) + mass
    counts = {ones: (2 - ones, ones, ones, 2 - ones) for ones in groups}
    return mixture(
        (mass, independent(*(image(noise, lambda s, c=c: min(c + s, MOST)) for c in counts[ones])))
        for ones, mass in groups.items()
    )


def unequal(coins):
    groups = [1 + coins.below(2) for _ in range(3)]
    return Encoded(PROTOCOL.protocol, lambda x, _: groups[x - 1])


def one_group_each(coins):
    first = 1 + coins.below(2)
    return Encoded(PROTOCOL.protocol, lambda x, _: first if x == 1 else 3 - first)


CASES = {
    "pools": Case(
        view(PROTOCOL.publish),
        law(),
        {"groups of random size": view(unequal), "always apart": view(one_group_each)},
        enumerable=False,
        runs=40_000,
    )
}
