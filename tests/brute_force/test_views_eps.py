"""eps at a delta, and the pure eps, against independent laws."""

from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import pytest
from panshuffle.exact.real import log, real
from panshuffle.exact.views.binomial import (
    binary_sum_view,
    binomial_view,
    pan_histogram_view,
    pan_sum_view,
    shuffle_histogram_view,
)
from panshuffle.exact.views.distinct_elements import distinct_elements_view, modular_sum_view
from panshuffle.exact.views.flipped_bits import two_bit_sum_view
from panshuffle.exact.views.released import geometric_distinct_elements_view, randomized_or_view
from panshuffle.exact.views.uniformity import uniformity_view
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

from tests.brute_force.enumerated_views import (
    fraction_of,
    hashes,
    marginal,
    mp,
    online_law,
    pools_law,
    rational_share,
    sorted_rows,
)
from tests.brute_force.enumeration import law_of


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
        "binomial": (binomial_view(30, real("1/3")), shift_at(30, Fraction(1, 3)), ["1/10", "1e-3", "1e-5"]),
        "shuffle-histogram": (
            shuffle_histogram_view(2, 3, real("1/2")),
            enumerated_at(pools_law(ShuffleHistogram(3, 2, real("1/2")), 2), list(product((1, 2), repeat=3))),
            ["1/2", "3/10"],
        ),
        "two-bit-sum": (
            two_bit_sum_view(2, real("1/4")),
            enumerated_at(pools_law(TwoBitSum(2, real("1/4")), 2), two),
            ["1/4", "1/50"],
        ),
        "distinct-elements": (
            distinct_elements_view(3, 3, 3, eps, 2),
            enumerated_at(pools_law(DistinctElements(3, 3, eps, 2), 3), three),
            ["1/5", "1/40"],
        ),
        "uniformity pool": (
            uniformity_view(real(5), real(1), 2, pool=True),
            pool_at(Fraction(5, 2)),
            ["1/5", "1/10"],
        ),
        "randomized-or": (
            randomized_or_view(log(real(3))),
            lambda factor: max(mpmath.mpf(1) / 2 - factor / 6, mpmath.mpf(5) / 6 - factor / 2, 0),
            ["1/10", "1/1000"],
        ),
        "geometric": (
            geometric_distinct_elements_view(2, 3, log(real(3))),
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
    assert binomial_view(30, real("1/3")).curve.epsilon(real("1/2")).exact == 0
    assert modular_sum_view().curve.epsilon(real(1)).exact == 0
    assert two_bit_sum_view(3, real("1/2")).curve.epsilon(real("1e-9")).exact == 0


def unreached_mass(law_at, datasets):
    """The largest mass, over all neighbours, of the outcomes that only one of the two laws has."""
    pairs = (pair for pair in product(datasets, repeat=2) if sum(map(int.__ne__, *map(hashes, pair))) == 1)
    return max(sum(mass for key, mass in law_at(a).items() if key not in law_at(b)) for a, b in pairs)


def test_eps_is_infinite_below_the_mass_that_one_law_does_not_have():
    bits, elements = list(product((0, 1), repeat=2)), list(product((1, 2), repeat=2))
    views = [
        (binary_sum_view(2, real("1/3")), pools_law(BinarySum(2, real("1/3")), None), bits),
        (shuffle_histogram_view(2, 2, real("1/3")), pools_law(ShuffleHistogram(2, 2, real("1/3")), 2), elements),
        (pan_sum_view(3), cache(lambda stream: online_law(PanSum(2, 3), stream, 1)), bits),
        (pan_histogram_view(2, 2), cache(lambda stream: online_law(PanHistogram(2, 2, 2), stream, 1)), elements),
    ]
    for view, law_at, datasets in views:
        limit = unreached_mass(law_at, datasets)
        assert view.curve.epsilon(real(limit - Fraction(1, 1000))).infinite
        assert not view.curve.epsilon(real(limit + Fraction(1, 1000))).infinite
    assert modular_sum_view().curve.epsilon(real("0.999")).infinite


@pytest.mark.parametrize("pool", [True, False])
def test_eps_is_infinite_below_the_mass_of_no_noise(pool):
    """A pool without noise zeros has mass e^-mu under one law and 0 under the other; the pair has two such pools."""
    curve = uniformity_view(real(5), real(1), 2, pool).curve
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
    check_pure(distinct_elements_view(3, users, k, eps, m), largest_ratio(law_at, datasets))
    first = {data: marginal(law_at(data)) for data in datasets}
    check_pure(distinct_elements_view(3, users, k, eps, m, pool=True), largest_ratio(first.get, datasets))


def test_pure_eps_of_the_others():
    two = list(product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=2))
    for p in ("1/4", "0", "1/2"):
        law_at = pools_law(TwoBitSum(2, real(p)), 2)
        check_pure(two_bit_sum_view(2, real(p)), largest_ratio(law_at, two))
    bits = list(product((0, 1), repeat=2))
    for p in ("1/3", "0", "1"):
        check_pure(binary_sum_view(2, real(p)), largest_ratio(pools_law(BinarySum(2, real(p)), None), bits))
    check_pure(modular_sum_view(), largest_ratio(pools_law(ModularSum(2, 2), None), bits))
    elements = list(product((1, 2), repeat=2))
    histogram = pools_law(ShuffleHistogram(2, 2, real("1/3")), 2)
    check_pure(shuffle_histogram_view(2, 2, real("1/3")), largest_ratio(histogram, elements))
    check_pure(pan_sum_view(2), largest_ratio(lambda stream: online_law(PanSum(2, 2), stream, 1), bits))
    central = RandomizedOr(2, log(real("7/3")))
    check_pure(
        randomized_or_view(central.eps),
        largest_ratio(lambda data: law_of(lambda coins: central.release(data, coins)), bits),
    )
    check_pure(geometric_distinct_elements_view(2, 3, log(real("7/3"))), Fraction(7, 3))
    for pool in (True, False):
        assert uniformity_view(real(3), real(1), 2, pool).curve.epsilon(real(0)).infinite
