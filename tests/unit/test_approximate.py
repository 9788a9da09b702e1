"""The approximate simulator: its counts agree with the exact laws as far as 40,000 runs can tell."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from panshuffle.exact.real import log, real
from panshuffle.protocols.approximate.simulator import simulate_pools, simulate_transformation
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity

from tests.brute_force.counts import check_counts
from tests.unit.laws import binomial, image, independent, parity_pool, poisson, shares

RUNS = 40_000
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
EPS = log(real("4/3"))
LAWS = {
    "modular-sum": (ModularSum(2, 3), (1, 0), image(independent(shares(1, 3), shares(0, 3)), lambda v: (sum(v),))),
    "distinct-elements": (
        DistinctElements(2, 2, EPS, 2),
        (1, 1),
        independent(parity_pool((HALF, HALF), 2), parity_pool((QUARTER, QUARTER), 2)),
    ),
    "uniformity": (
        Uniformity.repaired(4, 2, real(3), real(4)),
        (1, 1),
        independent(*(image(poisson(Fraction(3, 4), 12), lambda s, c=c: c + s) for c in (2, 0))),
    ),
    "binary-sum": (BinarySum(3, real("3/4")), (1, 0), image(binomial(2, 3 * QUARTER), lambda v: (1 + v,))),
    "shuffle-histogram": (
        ShuffleHistogram(2, 2, real("3/4")),
        (2,),
        image(independent(binomial(1, 3 * QUARTER), binomial(1, 3 * QUARTER)), lambda v: (v[0], 1 + v[1])),
    ),
    "two-bit-sum": (
        TwoBitSum(2, real("1/4")),
        ((1, 0),),
        independent(binomial(1, 3 * QUARTER), binomial(1, QUARTER)),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_ones_follow_the_law(name):
    protocol, data, law = LAWS[name]
    pools = simulate_pools(protocol, data, RUNS, np.random.default_rng(1))
    answer = check_counts(law, Counter(map(tuple, pools[:, :, 1].tolist())))
    assert answer.consistent, answer
    assert protocol.analyze_pools(pools[0].tolist()) is not None


def test_a_protocol_without_simulator_is_refused():
    with pytest.raises(TypeError):
        simulate_pools(object(), (), 1, np.random.default_rng(1))


def test_transformations_use_n_executions_in_all():
    rng = np.random.default_rng(2)
    online = PanDistinctElements(DistinctElements(6, 2, EPS, 2))
    for t in range(3):
        state, left, _ = simulate_transformation(online, (1, 2), t, rng)
        assert state.sum(axis=1).tolist() == [2 * (2 + t)] * 2
        assert left == 2 - t
    tester = PanUniformity(Uniformity.repaired(6, 2, real(1), real(6)))
    lefts = Counter(simulate_transformation(tester, (1, 2), 0, rng)[1] for _ in range(4000))
    few = binomial(6, Fraction(2, 9))
    assert check_counts({0: few[0], 1: few[1], 2: 1 - few[0] - few[1]}, lefts).consistent
