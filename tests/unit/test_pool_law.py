"""What a protocol says that a user adds to a pool, against its own randomizer run under all coins."""

from fractions import Fraction
from itertools import product

import pytest
from flint import ctx
from panshuffle.exact.laws.pool_law import Coin, Ones, Shares
from panshuffle.exact.real import exp, log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

from tests.brute_force.enumeration import law_of

P = real("1/3")
EPS = log(real("9/8"))
"""With two users q = (1 - e^-eps)^(1/2) is 1/3."""


def ones(messages, label=None):
    """The ones among messages, or among those with a label."""
    return sum(messages) if label is None else sum(bit for j, bit in messages if j == label)


ADDED = {
    "binary-sum": (BinarySum(2, P), lambda own, coins: ones(BinarySum(2, P).randomize(own, coins))),
    "modular-sum": (ModularSum(2, 3), lambda own, coins: ones(ModularSum(2, 3).randomize(own, coins))),
    "poisson-binomial": (
        PoissonBinomial(2, 3, real("1/4")),
        lambda own, coins: ones(PoissonBinomial(2, 3, real("1/4")).randomize(own, coins)),
    ),
    "two-bit-sum": (TwoBitSum(2, P), lambda own, coins: ones(TwoBitSum(2, P).randomize((own, 0), coins), 1)),
    "shuffle-histogram": (
        ShuffleHistogram(2, 2, P),
        lambda own, coins: ones(ShuffleHistogram(2, 2, P).randomize(2 - own, coins), 1),
    ),
    "distinct-elements": (
        DistinctElements(2, 2, EPS, 3),
        lambda own, coins: ones(DistinctElements(2, 2, EPS, 3).randomize(2 - own, coins), 1),
    ),
}


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize(("users", "holders"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)])
def test_a_pool_is_what_its_users_send(name, users, holders):
    record, added = ADDED[name]

    def run(coins):
        return sum(added(int(user < holders), coins) for user in range(users))

    assert record.pool_law.ones(users, holders).law().exact == law_of(run)


@pytest.mark.parametrize(
    ("record", "released"),
    [
        (Binomial(2, 3, P), lambda bits, coins: Binomial(2, 3, P).release(bits, coins)),
        (PanSum(2, 3), lambda bits, coins: PanSum(2, 3).initial(coins) + sum(bits)),
        (PanHistogram(2, 2, 3), lambda bits, coins: PanHistogram(2, 2, 3).pan_sum.initial(coins) + sum(bits)),
    ],
)
def test_noise_of_nobody_is_added_once(record, released):
    for bits in product((0, 1), repeat=2):
        run = law_of(lambda coins, bits=bits: released(bits, coins))
        assert record.pool_law.ones(2, sum(bits)).law().exact == run


@pytest.mark.parametrize("p", ["0", "1/3", "1"])
@pytest.mark.parametrize("sign", ["-1", "0", "2/3", "1"])
def test_enclosed_masses_hold_the_exact_ones(p, sign):
    law = Ones(1, ((Coin(real(p)), 4), (Shares(real(sign), 3), 2)))
    exact = law.exact()
    for ball, mass in zip(law.balls(100), exact, strict=False):
        with ctx.workprec(200):
            assert (
                abs(ball - mass.numerator / ball.__class__(mass.denominator)) < 2**-90
                and ball.rel_accuracy_bits() >= 100
            )
    assert not any(exact[len(law.balls(100)) :]) and sum(exact) == 1


def test_an_irrational_part_leaves_enclosures_only():
    law = Ones(0, ((Coin(exp(real(-1))), 2), (Coin(P), 1)))
    assert law.exact() is None and law.law().exact is None
    total = sum(float(mass.mid()) for mass in law.law().enclose(80).listed.values())
    assert abs(total - 1) < 1e-12 and law.largest == 3
    assert law.times(2).plus(Ones(2)).certain == 2 and law.times(0) == Ones()
    assert Fraction(1, 1) == sum(Ones(2).exact())
