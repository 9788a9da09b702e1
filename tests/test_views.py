"""Every view against the reference protocol: run under all coins, for all neighbouring datasets, in both directions."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import mpmath
import pytest

from exact.numbers.real import exp, log, real
from exact.pairs.share_distance import share_tv, worst_share_tv
from exact.views import (
    binary_sum,
    binomial,
    compressed_uniformity,
    distinct_elements,
    geometric_distinct_elements,
    modular_sum,
    negative_binomial,
    pan_distinct_elements,
    pan_histogram,
    pan_sum,
    pan_uniformity,
    randomized_or,
    shuffle_histogram,
    two_bit_sum,
    uniformity,
)
from protocols.binary_sum import BinarySum
from protocols.binomial import Binomial
from protocols.compressed_uniformity import CompressedUniformity
from protocols.distinct_elements import DistinctElements
from protocols.hashed_distinct_elements import HashedDistinctElements
from protocols.model.online import run
from protocols.model.shuffle import execute, pool_of_bits, pools_of
from protocols.model.transformation import blocks
from protocols.modular_sum import ModularSum
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.pan_histogram import PanHistogram
from protocols.pan_sum import PanSum
from protocols.pan_uniformity import PanUniformity
from protocols.randomized_or import RandomizedOr
from protocols.shuffle_histogram import ShuffleHistogram
from protocols.two_bit_sum import TwoBitSum
from protocols.uniformity import Uniformity
from tests.enumeration import AllCoins, law_of

BOUNDS = [Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(25)]
CHANCES = [Fraction(1, 2), Fraction(1, 5), Fraction(5, 6)]


def divergence(upper, lower, bound):
    gains = (mass - bound * lower.get(outcome, 0) for outcome, mass in upper.items())
    return sum((gain for gain in gains if gain > 0), Fraction(0))


def worst(law_at, datasets, bound):
    """The maximum over all ordered pairs of datasets that differ in one row."""
    laws = {data: law_at(data) for data in datasets}
    pairs = (pair for pair in product(datasets, repeat=2) if sum(map(int.__ne__, *map(hashes, pair))) == 1)
    return max((divergence(laws[a], laws[b], bound) for a, b in pairs), default=Fraction(0))


def hashes(data):
    return [hash(row) for row in data]


def ends(ball):
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


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


def pools_law(protocol, k):
    """data -> the law of the pools of all messages; users are independent, and each is run under all coins."""

    @cache
    def user(x):
        def counts(coins):
            messages = protocol.randomize(x, coins)
            return tuple(map(tuple, pools_of(messages, k) if k else pool_of_bits(messages)))

        return law_of(counts)

    @cache
    def law_at(data):
        return sum_of([user(x) for x in data])

    return law_at


def sum_of(laws):
    """The law of the sum, pool by pool, of independent pools."""
    total = None
    for law in laws:
        if total is None:
            total = law
            continue
        step = {}
        for (before, weight), (added, mass) in product(total.items(), law.items()):
            after = tuple((a + c, b + d) for (a, b), (c, d) in zip(before, added, strict=True))
            step[after] = step.get(after, 0) + weight * mass
        total = step
    return total


@pytest.mark.parametrize("p", [*CHANCES, Fraction(0), Fraction(1)])
@pytest.mark.parametrize("l", [0, 1, 2, 5])
def test_binomial(l, p):
    protocol = Binomial(2, l, real(p))
    datasets = list(product((0, 1), repeat=2))
    check_exact(binomial.view(l, real(p)), lambda x: law_of(lambda coins: protocol.release(x, coins)), datasets)
    for bound in BOUNDS:
        laws = [law_of(lambda coins, bits=bits: protocol.release(bits, coins)) for bits in ((0, 0), (1, 0))]
        gain, lose = divergence(laws[1], laws[0], bound), divergence(*laws, bound)
        assert binomial.view(l, real(p), "gain").curve.delta(real(bound)).exact == gain
        assert binomial.view(l, real(p), "lose").curve.delta(real(bound)).exact == lose


@pytest.mark.parametrize("p", [*CHANCES, Fraction(1)])
@pytest.mark.parametrize("l", [1, 2, 5])
def test_negative_binomial(l, p):
    """All outcomes from 80 on are one: the likelihood ratio is monotone, and no cut is so far, so nothing is lost."""
    most = 80

    @cache
    def law_at(data):
        noise = {x: comb(x + l - 1, x) * p**l * (1 - p) ** x for x in range(most - sum(data))}
        law = {sum(data) + x: mass for x, mass in noise.items() if mass}
        return {**law, most: 1 - sum(law.values())}

    check_exact(negative_binomial.view(l, real(p)), law_at, list(product((0, 1), repeat=2)))
    for bound in BOUNDS:
        more, fewer = law_at((1, 0)), law_at((0, 0))
        for direction, pair in (("gain", (more, fewer)), ("lose", (fewer, more))):
            curve = negative_binomial.view(l, real(p), direction).curve
            assert curve.delta(real(bound)).exact == divergence(*pair, bound)


@pytest.mark.parametrize("p", [*CHANCES, Fraction(0), Fraction(1)])
@pytest.mark.parametrize(("n", "users"), [(1, 1), (2, 1), (2, 2), (4, 2), (3, 3)])
def test_binary_sum(n, users, p):
    law_at = pools_law(BinarySum(n, real(p)), None)
    check_exact(binary_sum.view(users, real(p)), law_at, list(product((0, 1), repeat=users)))


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


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize(
    ("n", "users", "k"), [(1, 1, 2), (2, 1, 2), (2, 2, 2), (4, 2, 2), (3, 3, 2), (2, 2, 3), (3, 1, 1)]
)
def test_shuffle_histogram(n, users, k, p):
    law_at = pools_law(ShuffleHistogram(n, k, real(p)), k)
    datasets = [*product(range(1, k + 1), repeat=users)]
    check_exact(shuffle_histogram.view(k, users, real(p)), law_at, datasets, BOUNDS if k < 3 else BOUNDS[2:4])
    if k > 1:
        first = {data: marginal(law_at(data)) for data in datasets}
        check_exact(shuffle_histogram.view(k, users, real(p), pool=True), first.get, datasets)


def marginal(law, pool=0):
    """The law of one pool."""
    result = {}
    for pools, mass in law.items():
        result[pools[pool]] = result.get(pools[pool], 0) + mass
    return result


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 5), Fraction(3, 8), Fraction(1, 2)])
@pytest.mark.parametrize("users", [1, 2, 3])
def test_two_bit_sum(users, p):
    """All changes of a user's two bits, those of one bit too; the worst changes both."""
    law_at = pools_law(TwoBitSum(users, real(p)), 2)
    datasets = list(product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=users))
    check_exact(two_bit_sum.view(users, real(p)), law_at, datasets, BOUNDS[1:5] if users < 3 else BOUNDS[2:3])
    first = {data: marginal(law_at(data)) for data in datasets}
    check_exact(two_bit_sum.view(users, real(p), pool=True), first.get, datasets, BOUNDS[1:4])


@pytest.mark.parametrize("exp_eps", ["2", "3/2", "10"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_randomized_or(n, exp_eps):
    protocol = RandomizedOr(n, log(real(exp_eps)))
    datasets = list(product((0, 1), repeat=n))
    law_at = cache(lambda data: law_of(lambda coins: protocol.release(data, coins)))
    check_exact(randomized_or.view(protocol.eps), law_at, datasets)
    zeros, ones = law_at((0,) * n), law_at((1,) * n)
    for bound in BOUNDS:
        for direction, expected in (("gain", (ones, zeros)), ("lose", (zeros, ones))):
            value = randomized_or.view(protocol.eps, direction).curve.delta(real(bound)).exact
            assert value == divergence(*expected, bound)


def online_law(algorithm, stream, t):
    """The law of (I_t, output)."""

    def view(coins):
        seen = run(algorithm, stream, coins, t)
        return plain(seen.state), plain(seen.output)

    return law_of(view)


def plain(value):
    if isinstance(value, Counter):
        return tuple(sorted(value.items()))
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize(("n", "lam"), [(1, 1), (1, 4), (2, 3), (3, 2)])
def test_pan_sum_at_every_time(n, lam):
    for t in range(n + 1):
        law_at = cache(lambda stream, t=t: online_law(PanSum(n, lam), stream, t))
        check_exact(pan_sum.view(lam), law_at, list(product((0, 1), repeat=n)))


@pytest.mark.parametrize(("n", "k", "lam"), [(1, 2, 1), (2, 2, 2), (1, 3, 1), (2, 1, 2)])
def test_pan_histogram_at_every_time(n, k, lam):
    streams = list(product(range(1, k + 1), repeat=n))
    for t in range(n + 1):
        law_at = cache(lambda stream, t=t: online_law(PanHistogram(n, k, lam), stream, t))
        check_exact(pan_histogram.view(k, lam), law_at, streams, BOUNDS[:5])
    if k > 1:
        for bound in BOUNDS:
            one = pan_histogram.view(k, lam, pool=True).curve.delta(real(bound)).exact
            assert one == worst(lambda stream: one_bin_law(n, lam, stream), streams, bound)


def one_bin_law(n, lam, stream):
    """The view of the bin of element 1 at the end of the stream."""
    return online_law(PanSum(n, lam), tuple(int(x == 1) for x in stream), n)


def rational_share(n, q):
    """eps with (1 - e^-eps)^(1/n) = q."""
    return -log(real(1 - q**n))


@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize(("n", "users"), [(1, 1), (3, 1), (2, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_distinct_elements(n, users, k, q):
    for m in (1, 2, 3) if k * users < 9 else (2,):
        eps = rational_share(n, q)
        law_at = pools_law(DistinctElements(n, k, eps, m), k)
        datasets = list(product(range(1, k + 1), repeat=users))
        bounds = BOUNDS[2:5] if k * users < 9 else BOUNDS[2:3]
        check_exact(distinct_elements.view(n, users, k, eps, m), law_at, sorted_rows(datasets), bounds)
        if k > 1:
            first = {data: marginal(law_at(data)) for data in datasets}
            view = distinct_elements.view(n, users, k, eps, m, pool=True)
            check_exact(view, first.get, datasets, bounds)


def sorted_rows(datasets):
    """Neighbours up to the order of the rows, which the shuffler forgets: the first row changes, the rest is sorted."""
    return [data for data in datasets if list(data[1:]) == sorted(data[1:])]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_distinct_elements_with_given_holders(m):
    n = users = 3
    eps = rational_share(n, Fraction(1, 2))
    law_at = pools_law(DistinctElements(n, 3, eps, m), 3)
    for rest in ((3, 3), (1, 3), (1, 2), (2, 2)):
        upper, lower = law_at((1, *rest)), law_at((2, *rest))
        holders = (rest.count(1), rest.count(2))
        for bound in BOUNDS[1:5]:
            pair = distinct_elements.view(n, users, 3, eps, m, holders=holders)
            assert pair.scope == "this pair"
            assert pair.curve.delta(real(bound)).exact == divergence(upper, lower, bound)
            for direction, laws in (("gain", (upper, lower)), ("lose", (lower, upper))):
                one = distinct_elements.view(n, users, 3, eps, m, True, direction, (holders[0],))
                assert one.curve.delta(real(bound)).exact == divergence(*map(marginal, laws), bound)


def test_hashed_distinct_elements_for_every_hash_function():
    """n = 2, k' = 3 = k: for each h, neighbours of the view of R_DE o h are among those of P_DE on [k']."""
    eps, m = rational_share(2, Fraction(1, 2)), 2
    hashed = HashedDistinctElements(2, 3, eps, m, real(1))
    assert hashed.protocol.k == 3
    view = distinct_elements.view(2, 2, 3, eps, m)
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


@pytest.mark.parametrize(("n", "k", "m"), [(3, 2, 1), (3, 2, 3), (3, 3, 2), (5, 2, 2), (6, 2, 2)])
def test_pan_distinct_elements_is_bounded_at_every_time(n, k, m):
    eps = rational_share(n, Fraction(1, 2))
    algorithm = PanDistinctElements(DistinctElements(n, k, eps, m))
    streams = list(product(range(1, k + 1), repeat=algorithm.length))
    whole, positive = pan_distinct_elements.view(n, k, eps, m), 0
    assert whole.upper_bound
    for t in range(algorithm.length + 1):
        law_at = cache(lambda stream, t=t: batch_law(algorithm, stream, t))
        view = pan_distinct_elements.view(n, k, eps, m, t)
        for bound in BOUNDS[1:4]:
            joint = worst(law_at, streams, bound)
            positive += joint > 0
            assert joint <= view.curve.delta(real(bound)).exact <= whole.curve.delta(real(bound)).exact
    assert positive


@pytest.mark.parametrize("m", [1, 2, 3])
def test_modular_sum(m):
    law_at = pools_law(ModularSum(3, m), None)
    check_exact(modular_sum.view(), law_at, list(product((0, 1), repeat=3)))


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 2), (3, 3), (4, 2), (4, 4)])
def test_modular_sum_total_variation(n, m):
    law_at = pools_law(ModularSum(n, m), None)
    values = {}
    for ones in range(n + 1):
        data, plainest = (1,) * ones + (0,) * (n - ones), (ones % 2,) + (0,) * (n - 1)
        values[ones] = divergence(law_at(data), law_at(plainest), Fraction(1))
        assert share_tv(n, ones, m) == values[ones]
    assert worst_share_tv(n, m)[0] == max(values.values())


class PoissonCoins(AllCoins):
    """Coins whose Poisson draws are cut off: the masses of a law sum to less than 1 by what is missing."""

    def __init__(self, script, most):
        super().__init__(script)
        self.most = most

    def poisson(self, mean):
        with mpmath.workdps(60):
            mu = mpmath.mpf(mean.fraction.numerator) / mean.fraction.denominator
            masses = [mpmath.exp(-mu) * mu**i / mpmath.factorial(i) for i in range(self.most)]
            return self.choose([Fraction(int(mpmath.floor(mass * 2**60)), 2**60) for mass in masses])


def poisson_pools_law(protocol, k, most):
    """As pools_law, for draws that are cut off."""

    @cache
    def user(x):
        law, script = {}, []
        while script is not None:
            coins = PoissonCoins(script, most)
            key = tuple(map(tuple, pools_of(protocol.randomize(x, coins), k)))
            law[key] = law.get(key, 0) + coins.mass
            script = following(coins.choices)
        return law

    return cache(lambda data: sum_of([user(x) for x in data]))


def following(choices):
    """The next script in lexicographic order."""
    for position in range(len(choices) - 1, -1, -1):
        choice, size = choices[position]
        if choice + 1 < size:
            return [*(c for c, _ in choices[:position]), choice + 1]
    return None


@pytest.mark.parametrize(("n", "users"), [(1, 1), (2, 1), (2, 2)])
def test_uniformity_against_the_reference_protocol(n, users):
    """Cutting off a draw loses mass; the divergence is off by at most E + 1 times as much."""
    lam, k = real("1/8"), 2
    law_at = poisson_pools_law(Uniformity.repaired(n, k, lam, real(n)), k, 4)
    datasets = list(product((1, 2), repeat=users))
    missing = max(1 - sum(law_at(data).values()) for data in datasets)
    assert 0 < missing < Fraction(1, 10**4)
    for pool, bound in product((False, True), BOUNDS[:4]):
        laws = {data: marginal(law_at(data)) if pool else law_at(data) for data in datasets}
        value = worst(laws.get, datasets, bound)
        low, high = ends(uniformity.view(lam, real(users) / n, k, pool).curve.ball(real(bound), 60))
        assert value - (bound + 1) * missing <= high
        assert low <= value + (bound + 1) * missing


def poisson_weights(mu, most):
    """mu^i / i!, which is the mass without its factor e^-mu."""
    weights = [Fraction(1)]
    for i in range(1, most):
        weights.append(weights[-1] * mu / i)
    return weights


def bracket(total, mu, copies, most):
    """e^(-copies*mu) * total, and the same plus what `copies` tails beyond most - 1 may hold."""
    with mpmath.workdps(60):
        mean = mpmath.mpf(mu.numerator) / mu.denominator
        low = mpmath.mpf(total.numerator) / total.denominator * mpmath.exp(-copies * mean)
        tail = mean ** (most - 1) / mpmath.factorial(most - 1) * 2
        return fraction_of(low) * (1 - Fraction(1, 10**50)), fraction_of(low + copies * tail) * (
            1 + Fraction(1, 10**50)
        )


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def pool_sum(mu, bound, most):
    """The sum over (x, y) of the positive parts for one pool, without e^(-2 mu)."""
    w = [Fraction(0), *poisson_weights(mu, most)]
    cells = product(range(most), repeat=2)
    return sum((max(w[x] * w[y + 1] - bound * w[x + 1] * w[y], Fraction(0)) for x, y in cells), Fraction(0))


def pair_sum(mu, bound, most):
    """The same over (x1, y1, x2, y2) for two pools, the second with zeros and ones exchanged; whole numbers inside."""
    w = [Fraction(0), *poisson_weights(mu, most)]
    scale = max(weight.denominator for weight in w) * mu.denominator**most
    v = [int(weight * scale) for weight in w]
    assert all(Fraction(a, scale) == b for a, b in zip(v, w, strict=True))
    cells = [(v[x] * v[y + 1], v[x + 1] * v[y]) for x, y in product(range(most), repeat=2)]
    swapped = [(v[x + 1] * v[y], v[x] * v[y + 1]) for x, y in product(range(most), repeat=2)]
    e, d = bound.numerator, bound.denominator
    total = 0
    # the second pool loses a one: its upper law is (O, Z + 1), with the cells named (ones, zeros)
    for (a, b), (p, q) in product(cells, swapped):
        gain = d * a * p - e * b * q
        if gain > 0:
            total += gain
    return Fraction(total, d) / scale**4


@pytest.mark.parametrize("mu", [Fraction(1, 20), Fraction(1, 4), Fraction(1), Fraction(5, 2)])
@pytest.mark.parametrize("bound", BOUNDS)
def test_one_poisson_pool_is_the_double_sum(mu, bound):
    most = 40
    low, high = bracket(pool_sum(mu, bound, most), mu, 2, most)
    view = uniformity.view(real(2 * mu), real(1), pool=True)
    ball_low, ball_high = ends(view.curve.ball(real(bound), 100))
    assert ball_low <= high
    assert low <= ball_high
    assert max(high, ball_high) - min(low, ball_low) < Fraction(1, 10**25)


@pytest.mark.parametrize("mu", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)])
@pytest.mark.parametrize("bound", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(25)])
def test_two_poisson_pools_are_the_fourfold_sum(mu, bound):
    most = 14
    low, high = bracket(pair_sum(mu, bound, most), mu, 4, most)
    for gamma in (Fraction(1), Fraction(1, 3)):
        ball_low, ball_high = ends(uniformity.view(real(2 * mu / gamma), real(gamma), 2).curve.ball(real(bound), 90))
        assert ball_low <= high
        assert low <= ball_high
        assert max(high, ball_high) - min(low, ball_low) < Fraction(1, 10**10)


def test_compressed_uniformity_for_one_partition():
    """k_hat = 2 divides k = 4: the view of the groups.  k = 3 is padded, and the groups bound it from above."""
    lam, bound = real("1/8"), Fraction(3, 2)
    for k in (3, 4):
        view = compressed_uniformity.view(lam, real(1), k, 2)
        assert view.upper_bound == (k == 3)
        record = CompressedUniformity.repaired(1, k, 2, lam, real(1))
        law_at = poisson_pools_law(record.publish(AllCoins([])), 2, 3)
        datasets = [(x,) for x in range(1, k + 1)]
        missing = max(1 - sum(law_at(data).values()) for data in datasets)
        value = worst(law_at, datasets, bound)
        low, high = ends(view.curve.ball(real(bound), 60))
        assert value - (bound + 1) * missing <= high
        if k == 4:
            assert low <= value + (bound + 1) * missing
        else:
            assert 0 < value < low


@pytest.mark.parametrize("t", [0, 1])
def test_pan_uniformity_is_bounded(t):
    """n = 3: a dummy, one element, a dummy; the element is used with probability 1 - (7/9)^3."""
    lam, k = real("3/8"), 2
    protocol = Uniformity.repaired(3, k, lam, real(3))
    law_at = poisson_pools_law(protocol, k, 3)
    used = 1 - Fraction(7, 9) ** 3
    dummy = {}
    for x in (1, 2):
        for pools, mass in law_at((x,)).items():
            dummy[pools] = dummy.get(pools, 0) + mass / 2
    laws = {x: view_of_stream(protocol, dummy, law_at((x,)), used, t) for x in (1, 2)}
    missing = max(1 - sum(law.values()) for law in laws.values())
    assert missing < Fraction(1, 400)
    for bound in (Fraction(1), Fraction(3, 2)):
        joint = max(divergence(laws[1], laws[2], bound), divergence(laws[2], laws[1], bound))
        assert joint > (bound + 1) * missing or bound > 1
        view = pan_uniformity.view(3, k, lam, t)
        assert view.upper_bound
        assert joint - (bound + 1) * missing <= ends(view.curve.ball(real(bound), 60))[1]
        assert PanUniformity(protocol).length == 1


def view_of_stream(protocol, dummy, element, used, t):
    """The law of (messages at t, elements still used at t, output)."""
    joint = {}
    for n_left, chance in ((1, used), (0, 1 - used)):
        own = element if n_left else dummy
        early = dummy if t == 0 else sum_of([dummy, own])
        late = sum_of([own, dummy]) if t == 0 else dummy
        for (state, weight), (rest, mass) in product(early.items(), late.items()):
            final = [(a + c, b + d) for (a, b), (c, d) in zip(state, rest, strict=True)]
            key = state, n_left if t == 0 else 0, output_of(protocol, tuple(final))
            joint[key] = joint.get(key, 0) + chance * weight * mass
    return joint


@cache
def output_of(protocol, pools):
    return protocol.analyze_pools(pools)


@pytest.mark.parametrize("eps", ["log(2)", "1/3", "2"])
@pytest.mark.parametrize("bound", ["1", "5/4", "3"])
def test_geometric_distinct_elements_is_the_sum_over_all_values(eps, bound):
    view = geometric_distinct_elements.view(2, 4, real(eps))
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
    assert geometric_distinct_elements.view(2, 1, real(eps)).curve.delta(real(bound)).exact == 0


def mp(value):
    value = Fraction(value)
    return mpmath.mpf(value.numerator) / value.denominator


def shift_at(l, p):
    """E -> the larger divergence of a shift, by the definition, in mpmath."""

    def delta(factor):
        law = [mpmath.binomial(l, x) * mp(p) ** x * (1 - mp(p)) ** (l - x) for x in range(l + 1)]
        pairs = list(zip([*law, mpmath.mpf(0)], [mpmath.mpf(0), *law], strict=True))
        return max(
            mpmath.fsum(max(b - factor * a, 0) for a, b in pairs), mpmath.fsum(max(a - factor * b, 0) for a, b in pairs)
        )

    return delta


def enumerated_at(law_at, datasets):
    """E -> the worst divergence of enumerated laws, in mpmath."""
    pairs = [pair for pair in product(datasets, repeat=2) if sum(map(int.__ne__, *map(hashes, pair))) == 1]

    def delta(factor):
        laws = {data: {key: mp(mass) for key, mass in law_at(data).items()} for data in datasets}
        return max(
            mpmath.fsum(max(mass - factor * laws[b].get(key, 0), 0) for key, mass in laws[a].items()) for a, b in pairs
        )

    return delta


def pool_at(mu):
    """E -> the double sum of one Poisson pool, in mpmath."""

    def delta(factor):
        w = [mpmath.mpf(0), *(mpmath.exp(-mp(mu)) * mp(mu) ** i / mpmath.factorial(i) for i in range(45))]
        cells = product(range(45), repeat=2)
        return mpmath.fsum(max(w[x] * w[y + 1] - factor * w[x + 1] * w[y], 0) for x, y in cells)

    return delta


def readable():
    two = list(product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=2))
    three = sorted_rows(list(product((1, 2, 3), repeat=3)))
    eps = rational_share(3, Fraction(4, 5))
    return {
        "binomial": (binomial.view(30, real("1/3")), shift_at(30, Fraction(1, 3)), ["1/10", "1e-3", "1e-5"]),
        "shuffle-histogram": (
            shuffle_histogram.view(2, 3, real("1/2")),
            enumerated_at(pools_law(ShuffleHistogram(3, 2, real("1/2")), 2), list(product((1, 2), repeat=3))),
            ["1/2", "3/10"],
        ),
        "two-bit-sum": (
            two_bit_sum.view(2, real("1/4")),
            enumerated_at(pools_law(TwoBitSum(2, real("1/4")), 2), two),
            ["1/4", "1/50"],
        ),
        "distinct-elements": (
            distinct_elements.view(3, 3, 3, eps, 2),
            enumerated_at(pools_law(DistinctElements(3, 3, eps, 2), 3), three),
            ["1/5", "1/40"],
        ),
        "uniformity pool": (
            uniformity.view(real(5), real(1), 2, pool=True),
            pool_at(Fraction(5, 2)),
            ["1/5", "1/10"],
        ),
        "randomized-or": (
            randomized_or.view(log(real(3))),
            lambda factor: max(mpmath.mpf(1) / 2 - factor / 6, mpmath.mpf(5) / 6 - factor / 2, 0),
            ["1/10", "1/1000"],
        ),
        "geometric": (
            geometric_distinct_elements.view(2, 3, log(real(3))),
            lambda factor: max((1 - factor / 3) / (1 + mpmath.mpf(1) / 3), 0),
            ["1/10", "1/1000"],
        ),
    }


READABLE = readable()


@pytest.mark.parametrize("name", READABLE)
def test_eps_at_delta_is_between_its_two_ends(name):
    """By an independent delta: at the lower end it is at least the target, at the upper end at most."""
    view, delta_at, targets = READABLE[name]
    for target in targets:
        lower, upper = view.curve.epsilon(real(target), 12).enclosure(12)
        with mpmath.workdps(60):
            low, high = mp(Fraction(lower)), mp(Fraction(upper))
            assert 0 <= high - low <= high * mpmath.mpf(10) ** -10
            slack = mpmath.mpf(10) ** -40
            assert delta_at(mpmath.exp(low)) >= mp(Fraction(target)) - slack
            assert delta_at(mpmath.exp(high)) <= mp(Fraction(target)) + slack


def test_eps_is_zero_where_delta_is_large():
    assert binomial.view(30, real("1/3")).curve.epsilon(real("1/2")).exact == 0
    assert modular_sum.view().curve.epsilon(real(1)).exact == 0
    assert two_bit_sum.view(3, real("1/2")).curve.epsilon(real("1e-9")).exact == 0


def unreached_mass(law_at, datasets):
    """The largest mass, over all neighbours, of the outcomes that only one of the two laws has."""
    pairs = (pair for pair in product(datasets, repeat=2) if sum(map(int.__ne__, *map(hashes, pair))) == 1)
    return max(sum(mass for key, mass in law_at(a).items() if key not in law_at(b)) for a, b in pairs)


def test_eps_is_infinite_below_the_mass_that_one_law_does_not_have():
    bits, elements = list(product((0, 1), repeat=2)), list(product((1, 2), repeat=2))
    views = [
        (binary_sum.view(2, real("1/3")), pools_law(BinarySum(2, real("1/3")), None), bits),
        (shuffle_histogram.view(2, 2, real("1/3")), pools_law(ShuffleHistogram(2, 2, real("1/3")), 2), elements),
        (pan_sum.view(3), cache(lambda stream: online_law(PanSum(2, 3), stream, 1)), bits),
        (pan_histogram.view(2, 2), cache(lambda stream: online_law(PanHistogram(2, 2, 2), stream, 1)), elements),
    ]
    for view, law_at, datasets in views:
        limit = unreached_mass(law_at, datasets)
        assert view.curve.epsilon(real(limit - Fraction(1, 1000))).infinite
        assert not view.curve.epsilon(real(limit + Fraction(1, 1000))).infinite
    assert modular_sum.view().curve.epsilon(real("0.999")).infinite


@pytest.mark.parametrize("pool", [True, False])
def test_eps_is_infinite_below_the_mass_of_no_noise(pool):
    """A pool without noise zeros has mass e^-mu under one law and 0 under the other; the pair has two such pools."""
    curve = uniformity.view(real(5), real(1), 2, pool).curve
    with mpmath.workdps(40):
        none = mpmath.exp(-mpmath.mpf(5) / 2)
        limit = fraction_of(none if pool else 1 - (1 - none) ** 2)
    assert curve.epsilon(real(limit - Fraction(1, 1000)), 4).infinite
    assert not curve.epsilon(real(limit + Fraction(1, 100)), 4).infinite


def largest_ratio(law_at, datasets):
    """The largest ratio of masses over all neighbours; None where supports differ."""
    best = Fraction(1)
    for a, b in product(datasets, repeat=2):
        if sum(map(int.__ne__, *map(hashes, (a, b)))) != 1:
            continue
        upper, lower = law_at(a), law_at(b)
        if any(key not in lower for key in upper):
            return None
        best = max(best, *(mass / lower[key] for key, mass in upper.items()))
    return best


def check_pure(view, ratio):
    """eps at delta = 0 is the logarithm of the largest ratio; delta is 0 there and positive before."""
    answer = view.curve.epsilon(real(0))
    if ratio is None:
        assert answer.infinite
        return
    with mpmath.workdps(60):
        value = fraction_of(mpmath.log(mp(ratio)))
    lower, upper = map(Fraction, answer.enclosure(30))
    assert lower - Fraction(1, 10**50) <= value <= upper + Fraction(1, 10**50)
    assert upper - lower <= Fraction(1, 10**28)
    assert view.curve.delta(real(ratio)).exact in (0, None)
    assert ratio == 1 or view.curve.delta(real((1 + 99 * ratio) / 100)).decide(0) == 1


@pytest.mark.parametrize("m", [1, 2, 3, 4])
@pytest.mark.parametrize(("users", "k"), [(2, 2), (2, 3), (3, 2)])
def test_pure_eps_of_distinct_elements(users, k, m):
    eps = rational_share(3, Fraction(1, 2))
    law_at = pools_law(DistinctElements(3, k, eps, m), k)
    datasets = sorted_rows(list(product(range(1, k + 1), repeat=users)))
    check_pure(distinct_elements.view(3, users, k, eps, m), largest_ratio(law_at, datasets))
    first = {data: marginal(law_at(data)) for data in datasets}
    check_pure(distinct_elements.view(3, users, k, eps, m, pool=True), largest_ratio(first.get, datasets))


def test_pure_eps_of_the_others():
    two = list(product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=2))
    for p in ("1/4", "0", "1/2"):
        law_at = pools_law(TwoBitSum(2, real(p)), 2)
        check_pure(two_bit_sum.view(2, real(p)), largest_ratio(law_at, two))
    bits = list(product((0, 1), repeat=2))
    for p in ("1/3", "0", "1"):
        check_pure(binary_sum.view(2, real(p)), largest_ratio(pools_law(BinarySum(2, real(p)), None), bits))
    check_pure(modular_sum.view(), largest_ratio(pools_law(ModularSum(2, 2), None), bits))
    elements = list(product((1, 2), repeat=2))
    histogram = pools_law(ShuffleHistogram(2, 2, real("1/3")), 2)
    check_pure(shuffle_histogram.view(2, 2, real("1/3")), largest_ratio(histogram, elements))
    check_pure(pan_sum.view(2), largest_ratio(lambda stream: online_law(PanSum(2, 2), stream, 1), bits))
    central = RandomizedOr(2, log(real("7/3")))
    check_pure(
        randomized_or.view(central.eps),
        largest_ratio(lambda data: law_of(lambda coins: central.release(data, coins)), bits),
    )
    check_pure(geometric_distinct_elements.view(2, 3, log(real("7/3"))), Fraction(7, 3))
    for pool in (True, False):
        assert uniformity.view(real(3), real(1), 2, pool).curve.epsilon(real(0)).infinite


def coefficient(eps):
    return ((mpmath.exp(eps) + 1) / (mpmath.exp(eps) - 1)) ** 2


def half_width(target, scale):
    """eps with scale/c^2 = target."""
    root = mpmath.sqrt(scale / target)
    return mpmath.log((root + 1) / (root - 1))


def agrees(number, value):
    low, high = ends(number.ball(240))
    slack = abs(fraction_of(value)) / 10**50
    return low - slack <= fraction_of(value) <= high + slack


@pytest.mark.parametrize("eps", ["1/2", "1", "5/2"])
def test_printed_bounds_as_delta(eps):
    """Lemma b_noise, the claim on P^zsum, the two pan-private sums and the uniformity tester, solved for delta."""
    at = real(eps)
    with mpmath.workdps(60):
        e = mp(Fraction(eps))
        for l, p in ((2000, "1/3"), (4000, "9/10")):
            scale = l * min(mp(Fraction(p)), 1 - mp(Fraction(p))) / 10
            assert agrees(binomial.view(l, real(p)).paper.delta(at), 2 * mpmath.exp(-scale / coefficient(e)))
        inner = 2 * mpmath.exp(-mp(Fraction(9000) / 10 * Fraction(1, 10)) / coefficient(e))
        for gamma, users in ((Fraction(1), 9000), (Fraction(1, 3), 3000)):
            printed = 2 * (inner / 2) ** mp(gamma)
            assert agrees(binary_sum.view(users, real("9/10")).paper.delta(at), printed)
        assert agrees(pan_sum.view(900).paper.delta(at), 2 * mpmath.exp(-45 / coefficient(e)))
        assert agrees(pan_histogram.view(3, 2000).paper.delta(at), 4 * mpmath.exp(-100 / coefficient(e / 2)))
        for gamma in ("1", "1/2"):
            tester = 8 * (2 * 5 * mpmath.exp(-250 / coefficient(e / 2))) ** mp(Fraction(gamma))
            assert agrees(uniformity.view(real(10_000), real(gamma), 5).paper.delta(at), tester)
        online = 8 * (2 * 5 * mpmath.exp(-250 / coefficient(e / 2))) ** (mpmath.mpf(1) / 3)
        assert agrees(pan_uniformity.view(30, 5, real(10_000)).paper.delta(at), online)


@pytest.mark.parametrize("delta", ["1e-3", "1e-8"])
def test_printed_bounds_as_eps(delta):
    at = real(delta)
    with mpmath.workdps(60):
        d = mp(Fraction(delta))
        scale = mp(Fraction(3000, 30))
        assert agrees(binomial.view(3000, real("1/3")).paper.epsilon(at), half_width(mpmath.log(2 / d), scale))
        assert agrees(pan_sum.view(900).paper.epsilon(at), half_width(mpmath.log(2 / d), mpmath.mpf(45)))
        histogram = 2 * half_width(mpmath.log(4 / d), mpmath.mpf(100))
        assert agrees(pan_histogram.view(3, 2000).paper.epsilon(at), histogram)
        inner = (d / 8) ** 2
        tester = 2 * half_width(mpmath.log(10 / inner), mpmath.mpf(250))
        assert agrees(uniformity.view(real(10_000), real("1/2"), 5).paper.epsilon(at), tester)


def test_printed_bounds_say_nothing_where_their_hypotheses_fail():
    assert binomial.view(20, real("1/2")).paper.delta(real(1)) is None
    assert binomial.view(20, real("1/2")).paper.delta(real(0)) is None
    assert binomial.view(20, real("1/2")).paper.epsilon(real("1e-6")) is None
    assert pan_sum.view(100).paper.epsilon(real(0)) is None
    assert uniformity.view(real(10), real(1), 3).paper.delta(real(1)) is None
    assert geometric_distinct_elements.view(2, 3, real(1)).paper.delta(real("1/2")) is None
    assert geometric_distinct_elements.view(2, 3, real(1)).paper.delta(real(1)).fraction == 0
    assert randomized_or.view(real(1)).paper.epsilon(real(0)).fraction == 1


@pytest.mark.parametrize(("eps", "gamma"), [("1/2", "1/2"), ("1/2", "1"), ("1/100", "9/10"), ("2", "1/3")])
def test_printed_bound_of_distinct_elements(eps, gamma):
    """(2 eps(gamma), 4 delta/gamma); for eps <= ln 2 the smaller of the two printed bounds on eps(gamma)."""
    bound = distinct_elements.paper_bound(real(eps), real("1e-6"), Fraction(gamma))
    with mpmath.workdps(60):
        e, g = mp(Fraction(eps)), mp(Fraction(gamma))
        at = e + mpmath.log(1 / g)
        at = 2 * (min(at, 2 * e**g / g) if e <= mpmath.log(2) else at)
        assert agrees(bound.epsilon(real("1/10")), at)
        assert agrees(bound.delta(real(20)), 4 * mpmath.mpf(10) ** -6 / g)
        assert bound.epsilon(real("1e-6")) is None
        assert bound.delta(exp(real(-20))) is None
