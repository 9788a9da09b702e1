"""P_HDE for k = 3 elements and n = 2 users, hashed to k' = ceil(2^(4/3)) = 3 values."""

from fractions import Fraction

from panshuffle.exact.real import log, real
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.model.shuffle import execute, pools_of

from tests.brute_force.case import Case
from tests.unit.laws import independent, mixture, parity_pool

PROTOCOL = HashedDistinctElements(n=2, k=3, eps=log(real("4/3")), m=1, c=real(1))
DATA = (1, 2)


def view(coins, publish=PROTOCOL.publish):
    execution = execute(publish(coins), DATA, coins)
    return tuple(ones for _, ones in pools_of(execution.messages, 3))


def law():
    """Over the six functions h(x) = (a (x-1) + b) mod 3 + 1 with a in {1, 2}, b in {0, 1, 2}."""
    parts = []
    for a in (1, 2):
        for b in range(3):
            hashed = [1 + (a * (x - 1) + b) % 3 for x in DATA]
            pools = [parity_pool([Fraction(1, 2 if h == j else 4) for h in hashed], 1) for j in (1, 2, 3)]
            parts.append((Fraction(1, 6), independent(*pools)))
    return mixture(parts)


def without_hash(coins):
    return tuple(ones for _, ones in pools_of(execute(PROTOCOL.protocol, DATA, coins).messages, 3))


def all_to_one(coins):
    execution = execute(PROTOCOL.protocol, (1 + coins.below(3),) * 2, coins)
    return tuple(ones for _, ones in pools_of(execution.messages, 3))


CASES = {"ones": Case(view, law(), {"no hash": without_hash, "everything collides": all_to_one}, runs=40_000)}
