"""Every view against the reference protocol: run under all coins, for all neighbouring datasets, in both directions."""

from fractions import Fraction
from functools import cache, partial
from itertools import product

import mpmath
import pytest
from panshuffle.exact.pairs.share_distance import share_tv, worst_share_tv
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import log, real
from panshuffle.exact.views.binomial import (
    binary_sum_view,
    binomial_view,
    pan_histogram_view,
    pan_sum_view,
    shuffle_histogram_view,
)
from panshuffle.exact.views.distinct_elements import (
    distinct_elements_view,
    modular_sum_view,
    pan_distinct_elements_view,
)
from panshuffle.exact.views.flipped_bits import two_bit_sum_view
from panshuffle.exact.views.released import geometric_distinct_elements_view, randomized_or_view
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.model.shuffle import execute, pool_of_bits, pools_of
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

from tests.brute_force.enumerated_views import (
    BOUNDS,
    divergence,
    ends,
    fraction_of,
    marginal,
    online_law,
    pools_law,
    rational_share,
    sorted_rows,
    worst,
)
from tests.brute_force.enumeration import AllCoins, law_of
from tests.conftest import FULL
from tests.every import every

CHANCES = [Fraction(1, 2), Fraction(1, 5), Fraction(5, 6)]


def check_exact(view, law_at, datasets, bounds=BOUNDS):
    """The view's delta is the worst of all neighbours, exactly, and its balls enclose it."""
    assert not view.upper_bound
    assert view.scope == "all neighbours"
    for bound in bounds:
        expected = worst(law_at, datasets, bound)
        assert view.curve.delta(real(bound)).exact == expected
        low, high = ends(view.curve.ball(real(bound), 70))
        assert low <= expected <= high
        assert high - low <= Fraction(1, 2**60)


@every("p", [*CHANCES, Fraction(0), Fraction(1)])
@every("l", [0, 1, 2, 5])
def test_binomial(l, p):
    protocol = Binomial(2, l, real(p))
    datasets = list(product((0, 1), repeat=2))
    check_exact(binomial_view(l, real(p)), lambda x: law_of(lambda coins: protocol.release(x, coins)), datasets)
    for bound in BOUNDS:
        laws = [law_of(lambda coins, bits=bits: protocol.release(bits, coins)) for bits in ((0, 0), (1, 0))]
        gain, lose = divergence(laws[1], laws[0], bound), divergence(*laws, bound)
        assert binomial_view(l, real(p), "gain").curve.delta(real(bound)).exact == gain
        assert binomial_view(l, real(p), "lose").curve.delta(real(bound)).exact == lose


@every("p", [*CHANCES, Fraction(0), Fraction(1)])
@every(("n", "users"), [(1, 1), (2, 1), (2, 2), (4, 2), (3, 3)])
def test_binary_sum(n, users, p):
    law_at = pools_law(BinarySum(n, real(p)), None)
    check_exact(binary_sum_view(users, real(p)), law_at, list(product((0, 1), repeat=users)))


def test_the_law_by_users_is_that_of_a_whole_execution():
    for protocol, k, data in (
        (BinarySum(2, real("1/3")), None, (0, 1)),
        (ShuffleHistogram(2, 2, real("1/3")), 2, (1, 2)),
        (TwoBitSum(2, real("1/3")), 2, ((0, 1), (1, 1))),
        (DistinctElements(2, 2, log(real("4/3")), 2), 2, (2, 1)),
    ):

        def whole(coins, protocol=protocol, data=data, k=k):
            messages = execute(protocol, data, coins).messages
            return tuple(map(tuple, pools_of(messages, k) if k else pool_of_bits(messages)))

        assert pools_law(protocol, k)(data) == law_of(whole)


@every("p", CHANCES)
@every(("n", "users", "k"), [(1, 1, 2), (2, 1, 2), (2, 2, 2), (4, 2, 2), (3, 3, 2), (2, 2, 3), (3, 1, 1)])
def test_shuffle_histogram(n, users, k, p):
    law_at = pools_law(ShuffleHistogram(n, k, real(p)), k)
    datasets = [*product(range(1, k + 1), repeat=users)]
    check_exact(shuffle_histogram_view(k, users, real(p)), law_at, datasets, BOUNDS if k < 3 else BOUNDS[2:4])
    if k > 1:
        first = {data: marginal(law_at(data)) for data in datasets}
        check_exact(shuffle_histogram_view(k, users, real(p), pool=True), first.get, datasets)


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 5), Fraction(3, 8), Fraction(1, 2)])
@pytest.mark.parametrize("users", [1, 2, 3])
def test_two_bit_sum(users, p):
    """All changes of a user's two bits, those of one bit too; the worst changes both."""
    law_at = pools_law(TwoBitSum(users, real(p)), 2)
    datasets = list(product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=users))
    check_exact(two_bit_sum_view(users, real(p)), law_at, datasets, BOUNDS[1:5] if users < 3 else BOUNDS[2:3])
    first = {data: marginal(law_at(data)) for data in datasets}
    check_exact(two_bit_sum_view(users, real(p), pool=True), first.get, datasets, BOUNDS[1:4])


@every("exp_eps", ["2", "3/2", "10"])
@every("n", [1, 2, 3])
def test_randomized_or(n, exp_eps):
    protocol = RandomizedOr(n, log(real(exp_eps)))
    datasets = list(product((0, 1), repeat=n))
    law_at = cache(lambda data: law_of(lambda coins: protocol.release(data, coins)))
    check_exact(randomized_or_view(protocol.eps), law_at, datasets)
    zeros, ones = law_at((0,) * n), law_at((1,) * n)
    for bound in BOUNDS:
        for direction, expected in (("gain", (ones, zeros)), ("lose", (zeros, ones))):
            value = randomized_or_view(protocol.eps, direction).curve.delta(real(bound)).exact
            assert value == divergence(*expected, bound)


@pytest.mark.parametrize(("n", "lam"), [(1, 1), (1, 4), (2, 3), (3, 2)])
def test_pan_sum_at_every_time(n, lam):
    for t in range(n + 1):
        law_at = cache(lambda stream, t=t: online_law(PanSum(n, lam), stream, t))
        check_exact(pan_sum_view(lam), law_at, list(product((0, 1), repeat=n)))


@pytest.mark.parametrize(("n", "k", "lam"), [(1, 2, 1), (2, 2, 2), (1, 3, 1), (2, 1, 2)])
def test_pan_histogram_at_every_time(n, k, lam):
    streams = list(product(range(1, k + 1), repeat=n))
    for t in range(n + 1):
        law_at = cache(lambda stream, t=t: online_law(PanHistogram(n, k, lam), stream, t))
        check_exact(pan_histogram_view(k, lam), law_at, streams, BOUNDS[:5])
    if k > 1:
        for bound in BOUNDS:
            one = pan_histogram_view(k, lam, pool=True).curve.delta(real(bound)).exact
            assert one == worst(lambda stream: one_bin_law(n, lam, stream), streams, bound)


def one_bin_law(n, lam, stream):
    """The view of the bin of element 1 at the end of the stream."""
    return online_law(PanSum(n, lam), tuple(int(x == 1) for x in stream), n)


@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(4, 5)] if FULL else [Fraction(4, 5)])
@pytest.mark.parametrize(("n", "users"), [(1, 1), (3, 1), (2, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_distinct_elements(n, users, k, q):
    for m in (1, 2, 3) if k * users < 9 else (2,):
        eps = rational_share(n, q)
        law_at = pools_law(DistinctElements(n, k, eps, m), k)
        datasets = list(product(range(1, k + 1), repeat=users))
        bounds = BOUNDS[2:5] if k * users < 9 else BOUNDS[2:3]
        check_exact(distinct_elements_view(n, users, k, eps, m), law_at, sorted_rows(datasets), bounds)
        if k > 1:
            first = {data: marginal(law_at(data)) for data in datasets}
            view = distinct_elements_view(n, users, k, eps, m, pool=True)
            check_exact(view, first.get, datasets, bounds)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_distinct_elements_with_given_holders(m):
    n = users = 3
    eps = rational_share(n, Fraction(1, 2))
    law_at = pools_law(DistinctElements(n, 3, eps, m), 3)
    for rest in ((3, 3), (1, 3), (1, 2), (2, 2)):
        upper, lower = law_at((1, *rest)), law_at((2, *rest))
        holders = (rest.count(1), rest.count(2))
        for bound in BOUNDS[1:5]:
            pair = distinct_elements_view(n, users, 3, eps, m, holders=holders)
            assert pair.scope == "this pair"
            assert pair.curve.delta(real(bound)).exact == divergence(upper, lower, bound)
            for direction, laws in (("gain", (upper, lower)), ("lose", (lower, upper))):
                one = distinct_elements_view(n, users, 3, eps, m, True, direction, (holders[0],))
                assert one.curve.delta(real(bound)).exact == divergence(*map(marginal, laws), bound)


def test_hashed_distinct_elements_for_every_hash_function():
    """n = 2, k' = 3 = k: for each h, neighbours of the view of R_DE o h are among those of P_DE on [k']."""
    eps, m = rational_share(2, Fraction(1, 2)), 2
    hashed = HashedDistinctElements(2, 3, eps, m, real(1))
    assert hashed.protocol.k == 3
    view = distinct_elements_view(2, 2, 3, eps, m)
    seen = set()
    for a, b in product((0, 1), (0, 1, 2)):
        coins = AllCoins([a, b])
        law_at = pools_law(hashed.publish(coins), 3)
        seen.add(coins.mass)
        for bound in BOUNDS[1:4]:
            value = worst(law_at, list(product((1, 2, 3), repeat=2)), bound)
            assert value == view.curve.delta(real(bound)).exact
    assert seen == {Fraction(1, 6)}


def batch_law(algorithm, stream, t):
    """(I_t, output) of a transformation from its two independent batches of messages."""
    protocol = algorithm.protocol
    before, _, after = blocks(protocol.n)
    law_at = pools_law(protocol, protocol.k)
    early = law_at((1,) * before + tuple(stream[:t]))
    late = law_at(tuple(stream[t:]) + (1,) * after)
    joint = {}
    for (state, weight), (rest, mass) in product(early.items(), late.items()):
        final = [[a + c, b + d] for (a, b), (c, d) in zip(state, rest, strict=True)]
        key = state, protocol.analyze_pools(final)
        joint[key] = joint.get(key, 0) + weight * mass
    return joint


def test_the_batches_make_the_view_of_the_transformation():
    algorithm = PanDistinctElements(DistinctElements(3, 2, rational_share(3, Fraction(1, 2)), 1))
    for stream, t in product([(1,), (2,)], (0, 1)):
        by_run = {}
        for (state, output), mass in online_law(algorithm, stream, t).items():
            counts = dict(state)
            pools = tuple((counts.get((j, 0), 0), counts.get((j, 1), 0)) for j in (1, 2))
            by_run[pools, output] = by_run.get((pools, output), 0) + mass
        assert by_run == batch_law(algorithm, stream, t)


LONG = [(4, 3, 2), (6, 2, 2)] if FULL else []


@pytest.mark.parametrize(("n", "k", "m"), [(3, 2, 3), (3, 3, 2), (4, 2, 1), (4, 3, 1), (7, 2, 1), *LONG])
def test_pan_distinct_elements_at_every_time(n, k, m):
    """The joint law of (I_t, output) over all neighbouring streams: exact where the answer says so, else enclosed."""
    eps = rational_share(n, Fraction(1, 2))
    algorithm = PanDistinctElements(DistinctElements(n, k, eps, m))
    streams = list(product(range(1, k + 1), repeat=algorithm.length))
    views = {t: pan_distinct_elements_view(n, k, eps, m, t) for t in (None, *range(algorithm.length + 1))}
    assert views[None].two_sided == (k > 2 and n % 3 == 1)
    assert [t for t, view in views.items() if view.upper_bound] == [0] * (k > 2)
    laws = {t: cache(partial(batch_law, algorithm, t=t)) for t in views if t is not None}
    for bound in BOUNDS[1:4]:
        truths = {t: worst(law_at, streams, bound) for t, law_at in laws.items()}
        for t, truth in [*truths.items(), (None, max(truths.values()))]:
            found = views[t].delta(real(bound))
            if views[t].two_sided or views[t].upper_bound:
                low, high = found.enclosure(20)
                assert Fraction(low) <= truth <= Fraction(high)
                assert truth > 0 or Fraction(low) == 0
            else:
                assert found.exact == truth


@pytest.mark.long
def test_the_output_of_pan_distinct_elements_may_tell_more_than_the_state():
    """Four users and the change after the last dummies but one: delta is above that of the state, and enclosed."""
    eps = rational_share(4, Fraction(1, 2))
    algorithm = PanDistinctElements(DistinctElements(4, 3, eps, 2))
    law_at = cache(partial(batch_law, algorithm, t=0))
    later = worst(law_at, [(1,), (2,), (3,)], Fraction(3, 2))
    low, high = pan_distinct_elements_view(4, 3, eps, 2).delta(real("3/2")).enclosure(12)
    assert Fraction(low) < later == Fraction(15, 2048) < Fraction(high)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_modular_sum(m):
    law_at = pools_law(ModularSum(3, m), None)
    check_exact(modular_sum_view(), law_at, list(product((0, 1), repeat=3)))


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 2), (3, 3), (4, 2), (4, 4)])
def test_modular_sum_total_variation(n, m):
    law_at = pools_law(ModularSum(n, m), None)
    values = {}
    for ones in range(n + 1):
        data, plainest = (1,) * ones + (0,) * (n - ones), (ones % 2,) + (0,) * (n - 1)
        values[ones] = divergence(law_at(data), law_at(plainest), Fraction(1))
        assert share_tv(n, ones, m) == values[ones]
    assert worst_share_tv(n, m)[0] == max(values.values())


@every("eps", ["log(2)", "1/3", "2"])
@every("bound", ["1", "5/4", "3"])
def test_geometric_distinct_elements_is_the_sum_over_all_values(eps, bound):
    view = geometric_distinct_elements_view(2, 4, real(eps))
    low, high = ends(view.curve.delta(real(bound)).ball(150))
    with mpmath.workdps(80):
        step = (
            mpmath.mpf(1) / 2
            if eps == "log(2)"
            else mpmath.exp(-mpmath.mpf(Fraction(eps).numerator) / Fraction(eps).denominator)
        )
        factor = mpmath.mpf(Fraction(bound).numerator) / Fraction(bound).denominator
        masses = {v: (1 - step) / (1 + step) * step ** abs(v) for v in range(-601, 602)}
        gain = mpmath.fsum(max(masses[v] - factor * masses[v - 1], 0) for v in range(-600, 601))
        lose = mpmath.fsum(max(masses[v - 1] - factor * masses[v], 0) for v in range(-600, 601))
        for value in map(fraction_of, (gain, lose)):
            assert low - Fraction(1, 10**60) <= value <= high + Fraction(1, 10**60)
    assert geometric_distinct_elements_view(2, 1, real(eps)).curve.delta(real(bound)).exact == 0
