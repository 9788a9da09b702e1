"""The pair of P_DE against the joint law of the real randomizer, over all neighbouring datasets, and against mpmath."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.pairs.parity_pair import (
    Change,
    CroppedPools,
    GainCurve,
    LargePools,
    ParityPools,
    Stretch,
    background_box,
    backgrounds,
    enclosed,
    ideal_loss_delta,
    ideal_pair_delta,
    ideal_pool_delta,
    near_ideal,
    parity_law,
    possible,
    stretches,
    worst_background_exact,
)
from panshuffle.exact.real import as_fraction, exp, log, real
from panshuffle.protocols.distinct_elements import DistinctElements

from tests.brute_force.enumeration import law_of
from tests.conftest import FULL
from tests.every import every

BOUNDS = [Fraction(1), Fraction(3, 2), Fraction(6)]


def large(users, k, m, q):
    return LargePools(Change(users, m, q, k))


def single_exact(users, holders, m, q, bound, gain):
    return Change(users, m, real(q), ways=(gain,)).exact((holders,), bound)


def share(n, eps):
    return (1 - exp(-real(eps))) ** Fraction(1, n)


def encloses(ball, value):
    middle, radius = as_fraction(ball.mid().fmpq()), as_fraction(ball.rad().fmpq())
    return abs(value - middle) <= radius


def below(value, upper):
    """Whether a rational is at most an exact ball."""
    return value <= as_fraction(upper.fmpq())


@cache
def user_law(protocol, x):
    """The law of the number of ones that one user adds to each pool, by running R_DE under all coins."""

    def counts(coins):
        ones = [0] * protocol.k
        for j, bit in protocol.randomize(x, coins):
            ones[j - 1] += bit
        return tuple(ones)

    return law_of(counts)


@cache
def joint_law(protocol, data):
    """The view of all pools; sorted data only, because the shuffler forgets the order."""
    law = {(0,) * protocol.k: Fraction(1)}
    for x in data:
        step = {}
        for (before, weight), (added, mass) in product(law.items(), user_law(protocol, x).items()):
            after = tuple(map(sum, zip(before, added, strict=True)))
            step[after] = step.get(after, 0) + weight * mass
        law = step
    return law


def divergence(upper, lower, bound):
    return sum((max(mass - bound * lower.get(view, 0), Fraction(0)) for view, mass in upper.items()), Fraction(0))


def worst_of_all_neighbours(protocol, users, bound):
    """The maximum over every dataset of the honest users and every change of the first of them."""
    worst = Fraction(0)
    for rest in product(range(1, protocol.k + 1), repeat=users - 1):
        if list(rest) == sorted(rest):
            for a, b in product(range(1, protocol.k + 1), repeat=2):
                laws = [joint_law(protocol, tuple(sorted((x, *rest)))) for x in (a, b)]
                worst = max(worst, divergence(*laws, bound))
    return worst


@pytest.mark.parametrize(("n", "users"), [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3)])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("m", [1, 2, 3] if FULL else [1, 2])
def test_worst_background_is_the_worst_over_all_neighbouring_datasets(n, users, k, m):
    """1 - e^-eps = 2^-n makes q = 1/2, so that everything is rational."""
    protocol = DistinctElements(n, k, -log(real(1 - Fraction(1, 2**n))), m)
    assert (1 - 2 * protocol.p_prime).fraction == Fraction(1, 2)
    for bound in BOUNDS:
        expected = worst_of_all_neighbours(protocol, users, bound)
        exact, where = worst_background_exact(users, k, m, Fraction(1, 2), bound)
        assert exact == expected
        assert where is None if k == 1 else Change(users, m, real("1/2")).exact(where, bound) == exact
        if k > 1:
            change = Change(users, m, real("1/2"), k)
            assert encloses(change.worst(real(bound), 60)[0], expected)
            assert encloses(near_ideal(change, real(bound), 60), expected)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_balls_and_fractions_agree_with_the_double_sum(data):
    users, m = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    a = data.draw(st.integers(0, users - 1))
    b = data.draw(st.integers(0, users - 1 - a))
    q = data.draw(st.fractions(0, Fraction(29, 30), max_denominator=30))
    bound = data.draw(st.fractions(1, 6, max_denominator=12))
    upper, lower = ([parity_law(users, c, m, q) for c in pair] for pair in ((a + 1, b), (a, b + 1)))
    cells = list(product(range(users * m + 1), repeat=2))
    terms = [upper[0][x] * upper[1][y] - bound * lower[0][x] * lower[1][y] for x, y in cells]
    expected = sum((max(term, Fraction(0)) for term in terms), Fraction(0))
    assert Change(users, m, real(q)).exact((a, b), bound) == expected
    for precision in (4, 53):
        assert encloses(Change(users, m, real(q)).at((a, b), real(bound), precision), expected)
    for gain in (True, False):
        single = Change(users, m, real(q), ways=(gain,))
        exact = single.exact((a if gain else b,), bound)
        assert exact <= expected
        assert encloses(single.at((a if gain else b,), real(bound), 53), exact)
    assert encloses(near_ideal(Change(users, m, real(q), 3), real(bound), 53), max(expected, whole(users, m, q, bound)))


def whole(users, m, q, bound):
    return worst_background_exact(users, 3, m, q, bound)[0]


DRAWN_SHARES = st.one_of(st.fractions(0, Fraction(29, 30), max_denominator=30), st.just(Fraction(999, 1000)))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_bound_that_prunes_is_an_upper_bound(data):
    """A box of backgrounds, by whole and by cropped laws, against the exact value of each background in it."""
    users, m = data.draw(st.integers(2, 7)), data.draw(st.integers(1, 4))
    q = data.draw(DRAWN_SHARES)
    bound = data.draw(st.fractions(1, 6, max_denominator=12))
    box = tuple(Stretch(*sorted(data.draw(st.tuples(*[st.integers(0, users - 1)] * 2)))) for _ in range(2))
    for pools in (ParityPools(users, m, real(q), 64), CroppedPools(users, m, real(q))):
        ball = real(bound).ball(pools.precision)
        with ctx.workprec(pools.precision):
            together = Change(users, m, real(q)).measure(pools, box, ball).upper()
        for a, b in backgrounds(users, 3):
            if box[0].first <= a <= box[0].last and box[1].first <= b <= box[1].last:
                exact = Change(users, m, real(q)).exact((a, b), bound)
                assert below(exact, together)
                assert encloses(Change(users, m, real(q)).measure(pools, background_box((a, b)), ball), exact)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_cropped_laws_enclose_the_exact_ones(data):
    """With a precision so low that much is cropped, the kept masses and what is left out are still enclosed."""
    users, m = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 4))
    holders, q = data.draw(st.integers(0, users - 1)), data.draw(DRAWN_SHARES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("panshuffle.exact.pairs.parity_pair.CROPPED_PRECISION", data.draw(st.integers(12, 60)))
        patch.setattr("panshuffle.exact.pairs.parity_pair.KEPT_BITS", 3)
        cropped = CroppedPools(users, m, real(q))
        laws, pool = cropped.laws(users, holders), cropped.pool(Stretch(holders, holders))
    for law, count in zip(laws, (holders + 1, holders), strict=True):
        exact = parity_law(users, count, m, q)
        assert all(encloses(mass, exact[x]) for x, mass in enclosed(law))
    for gain in (True, False):
        exact = single_exact(users, holders, m, q, Fraction(5, 4), gain)
        assert encloses(pool.gain(arb("1.25")) if gain else pool.lose(arb("1.25")), exact)


def test_stretches_and_boxes_cover_every_background():
    for users, k in product(range(1, 40), (2, 3)):
        cuts = stretches(users)
        assert [c for cut in cuts for c in range(cut.first, cut.last + 1)] == list(range(users))
        for a, b in backgrounds(users, k):
            boxes = [box for box in product(cuts, cuts) if box[0].first <= a <= box[0].last]
            (box,) = (box for box in boxes if box[1].first <= b <= box[1].last)
            assert possible(box, users, k)
    for first, last in product(range(12), repeat=2):
        if first < last:
            left, right = Stretch(first, last).halves()
            assert (left.first, right.first, right.last) == (first, left.last + 1, last)
            assert left.first <= left.last < right.last + 1
            assert right.first <= right.last


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_large_pools_enclose_the_enumeration(data):
    """The search with cropped laws and few tries, the ideal sum, and both, at sizes that are enumerated too."""
    users, m = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 6))
    k, q = data.draw(st.sampled_from((2, 3))), data.draw(DRAWN_SHARES)
    bound = data.draw(st.one_of(st.fractions(1, 8, max_denominator=12), st.sampled_from((Fraction(1), Fraction(3000)))))
    exact = worst_background_exact(users, k, m, q, bound)[0]
    pair, at = LargePools(Change(users, m, real(q), k)), real(bound)
    assert encloses(near_ideal(pair.change, at, 60), exact)
    assert encloses(pair.worst(at, 60)[0], exact)
    assert not (pair.change.is_pure(at, 60) and exact)
    for tries in (0, 1, 3, 8):
        with ctx.workprec(pair.pools.precision):
            found = pair.change.search(pair.pools, at, tries)
            assert encloses(found.best.lower().union(found.upper), exact)
    for ways in ((True, False), (True,), (False,)):
        single = max(single_exact(users, c, m, q, bound, gain) for c in range(users) for gain in ways)
        pool = LargePools(Change(users, m, real(q), ways=ways))
        assert encloses(near_ideal(pool.change, at, 60), single)
        assert encloses(pool.worst(at, 60)[0], single)
        assert encloses(pool.change.worst(at, 60)[0], single)
        assert not (pool.change.is_pure(at, 60) and single)
        for tries in (0, 1, 2):
            with ctx.workprec(pool.pools.precision):
                found = pool.change.search(pool.pools, at, tries)
                assert encloses(found.best.lower().union(found.upper), single)


@pytest.mark.parametrize(("n", "k", "m"), [(60, 3, 2), (60, 2, 2), (45, 3, 3), (40, 4, 6), (90, 3, 1)])
def test_large_pools_agree_with_whole_laws(n, k, m):
    """Real shares, from eps = 0 to far beyond the ideal threshold: enclosed, and never rising."""
    q, last = share(n, 1), arb(1)
    large = LargePools(Change(n, m, q, k))
    for eps in ("0", "1/10", "1", "1.4", "1.5", "1.6", "2", "5", "9"):
        truth = Change(n, m, q, k).worst(exp(real(eps)), 60)[0]
        found = large.worst(exp(real(eps)), 60)[0]
        assert found.overlaps(truth)
        assert found.lower() <= truth.upper()
        assert found.upper() >= truth.lower()
        assert found.upper() <= last * (1 + arb(2) ** -30)
        last = found.upper()


@pytest.mark.parametrize(("k", "m"), [(3, 6), (2, 6), (3, 3), (3, 2)])
def test_the_ideal_bound_never_rises(k, m):
    q = share(50_000, "0.551878")
    uppers = [near_ideal(Change(45_000, m, q, k), exp(real(eps)), 80).upper() for eps in range(12)]
    assert all(later <= before * (1 + arb(2) ** -25) for before, later in pairwise(uppers))


def test_two_messages_of_many_users():
    """The pairs that no bound by the ideal sum reaches: n = 201 against whole laws, n = 1,000 beyond the threshold."""
    q = share(201, 1)
    ball, where = large(1200, 3, 2, share(1200, 1)).worst(exp(real(1)), 60)
    assert where == (0, 0) and not Change(1200, 2, q).is_enumerated
    assert ball.rel_accuracy_bits() >= 35
    assert ball.overlaps(Change(1200, 2, share(1200, 1)).at((0, 0), exp(real(1)), 60))
    assert (
        LargePools(Change(201, 2, q, 10))
        .worst(exp(real(1)), 60)[0]
        .overlaps(Change(201, 2, q, 10).worst(exp(real(1)), 60)[0])
    )
    beyond = large(1000, 10, 2, share(1000, 1)).worst(exp(real("1.5")), 60)[0]
    assert beyond.str(5, radius=False) == "5.7258e-18"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=12), st.integers(0, 40))
def test_wide_balls_and_ties_are_covered_whatever_their_order(masses, numerator):
    """Every mass with an error of 1/4 or so: the curve encloses the value of each choice of true masses."""
    t = Fraction(numerator, 8)
    upper, lower = ([arb(mass[i], 0.25) for mass in masses] for i in (0, 1))
    curve = GainCurve(upper, lower)
    point, wide = (curve.at(arb(fmpq(t.numerator, t.denominator)) + arb(0, radius)) for radius in (0, 0.125))
    for shift in (Fraction(0), Fraction(1, 5), Fraction(-1, 4)):
        assert encloses(point, sum(max(p + shift - t * (r - shift), Fraction(0)) for p, r in masses))
        for s in (t - Fraction(1, 8), t + Fraction(1, 8)):
            assert encloses(wide, sum(max(p + shift - s * (r - shift), Fraction(0)) for p, r in masses))


def test_published_values():
    """DESIGN.md and its companions: the pair at E = 2e-1, and the background that is worse than none."""
    ball = Change(10, 4, share(10, 1)).at((0, 0), 2 * exp(real(1)) - 1, 100)
    assert ball.str(30, radius=False).startswith("0.000261161645073959163884036672")
    q, bound = share(10, 1), real(8)
    assert Change(10, 3, q).at((0, 0), bound, 53).str(3, radius=False) == "5.27e-6"
    assert Change(10, 3, q).at((1, 0), bound, 53).str(3, radius=False) == "9.02e-6"
    worst, where = Change(10, 3, q, 3).worst(bound, 53)
    assert where == (1, 0)
    assert worst.overlaps(Change(10, 3, q).at((1, 0), bound, 53))


@pytest.mark.parametrize(
    ("users", "a", "b", "m", "bound"), [(6, 0, 0, 3, "4.4"), (5, 1, 2, 2, "1.1"), (7, 2, 0, 3, "3")]
)
def test_irrational_pairs_agree_with_mpmath(users, a, b, m, bound):
    """q = (1 - e^-1)^(1/9): a third of the nine users may be dishonest."""
    ball = Change(users, m, share(9, 1)).at((a, b), real(bound), 180)
    with mpmath.workdps(90):
        q = (1 - mpmath.exp(-1)) ** (mpmath.mpf(1) / 9)
        flip = (1 - q) / 2

        def law(holders):
            masses = [mpmath.mpf(1)]
            for i in range(users):
                p = mpmath.mpf(1) / 2 if i < holders else flip
                added = [comb(m, x) * (p if x % 2 else 1 - p) / 2 ** (m - 1) for x in range(m + 1)]
                step = [mpmath.mpf(0)] * (len(masses) + m)
                for (x, u), (y, v) in product(enumerate(masses), enumerate(added)):
                    step[x + y] += u * v
                masses = step
            return masses

        laws = [law(c) for c in (a + 1, b, a, b + 1)]
        cells = product(range(users * m + 1), repeat=2)
        e = mpmath.mpf(bound)
        total = mpmath.fsum(max(laws[0][x] * laws[1][y] - e * laws[2][x] * laws[3][y], 0) for x, y in cells)
        assert ball.rel_accuracy_bits() >= 180
        assert abs(mpmath.mpf(ball.mid().str(80, radius=False)) / total - 1) < mpmath.mpf(10) ** -50


@pytest.mark.parametrize(
    ("users", "k", "m", "bound"), [(9, 3, 3, "4"), (9, 2, 3, "2"), (12, 5, 4, "6"), (14, 3, 5, "1.2")]
)
def test_pruning_finds_the_maximum_of_all_backgrounds(users, k, m, bound):
    q = share(users + 2, 1)
    worst, where = Change(users, m, q, k).worst(real(bound), 80)
    pools = ParityPools(users, m, q, 160)
    values = {
        pair: Change(users, m, q, k).measure(pools, background_box(pair), real(bound).ball(160))
        for pair in backgrounds(users, k)
    }
    with ctx.workprec(160):
        best = max(values.values(), key=lambda ball: ball.mid())
        assert worst.overlaps(best)
        assert values[where].overlaps(best)
        assert worst.rel_accuracy_bits() >= 80


def test_changing_direction_is_exchanging_the_two_pools():
    users, m, q, bound = 4, 2, Fraction(2, 3), Fraction(3, 2)
    for a, b in backgrounds(users, 3):
        upper, lower = ([parity_law(users, c, m, q) for c in pair] for pair in ((a, b + 1), (a + 1, b)))
        cells = product(range(users * m + 1), repeat=2)
        terms = (upper[0][x] * upper[1][y] - bound * lower[0][x] * lower[1][y] for x, y in cells)
        assert sum(max(t, Fraction(0)) for t in terms) == Change(users, m, real(q)).exact((b, a), bound)


def test_backgrounds_are_those_that_datasets_give():
    for users, k in product(range(1, 5), range(2, 5)):
        seen = {(rest.count(1), rest.count(2)) for rest in product(range(1, k + 1), repeat=users - 1)}
        assert sorted(seen) == sorted(backgrounds(users, k))
    assert list(backgrounds(3, 1)) == []


def test_ideal_pairs_are_those_of_two_bits():
    for numerator, bound in product(range(8), BOUNDS):
        held, free = [Fraction(1, 2)] * 2, [Fraction(8 + numerator, 16), Fraction(8 - numerator, 16)]
        pair = sum(max(held[x] * free[y] - bound * free[x] * held[y], Fraction(0)) for x in (0, 1) for y in (0, 1))
        gain = sum(max(p - bound * r, Fraction(0)) for p, r in zip(held, free, strict=True))
        lose = sum(max(p - bound * r, Fraction(0)) for p, r in zip(free, held, strict=True))
        balls = arb(fmpq(numerator, 8)), arb(fmpq(bound.numerator, bound.denominator))
        assert encloses(ideal_pair_delta(*balls), pair)
        assert encloses(ideal_pool_delta(*balls), max(gain, lose))
        assert encloses(ideal_loss_delta(*balls), lose)
        assert pair >= max(gain, lose)


@every(("users", "k", "m"), [(30, 3, 6), (30, 2, 6), (60, 4, 5), (12, 3, 12)])
@every("bound", ["1", "2.5", "4", "6"])
def test_the_bound_for_many_users_encloses_the_enumeration(users, k, m, bound):
    q = share(users, 1)
    whole_laws = Change(users, m, q, k).worst(real(bound), 60)[0]
    bounded = near_ideal(Change(users, m, q, k), real(bound), 60)
    assert bounded.contains(whole_laws)


def test_many_users():
    """N = 600,000: the ideal value (1 + Q - E(1 - Q))/4 to many digits, Q = 1 - 1/e; zero beyond 2e - 1."""
    n = 600_000
    assert not Change(n, 22, share(n, 1)).is_enumerated
    ball, where = large(n, 3, 22, share(n, 1)).worst(real(3), 100)
    assert where == (0, 0)
    with ctx.workprec(200):
        q = 1 - arb(-1).exp()
        assert ball.contains((1 + q - 3 * (1 - q)) / 4)
    assert ball.rel_accuracy_bits() >= 90
    beyond = large(n, 3, 22, share(n, 1)).worst(real(5), 100)[0]
    assert beyond.contains(0)
    assert beyond < arb(10) ** -55
    assert large(n, 2, 22, real("0.999999")).worst(real(2), 60)[1] == (0, n - 1)


def test_one_hundred_users_are_enumerated():
    n, m = 100, 10
    change = Change(n, m, share(n, 1))
    ball, where = change.worst(2 * exp(real(1)) - 1, 53)
    assert where == (0, 0) and change.is_enumerated
    assert ball.overlaps(Change(n, m, share(n, 1)).at((0, 0), 2 * exp(real(1)) - 1, 53))
    assert 0 < ball < arb(10) ** -12


@every(
    "call",
    [
        lambda: Change(3, 2, real("1/2"), ways=(True,)).at((3,), real(2), 53),
        lambda: Change(3, 2, real(1), ways=(True,)).at((0,), real(2), 53),
        lambda: Change(3, 2, real("1/2")).at((2, 1), real(2), 53),
        lambda: Change(3, 2, real("1/2")).at((-1, 1), real(2), 53),
        lambda: Change(3, 2, real("1/2")).at((0, 0), real("1/2"), 53),
        lambda: Change(3, 2, real("1/2"), 0).worst(real(2), 53),
        lambda: worst_background_exact(3, 2, 2, Fraction(-1, 2), Fraction(2)),
    ],
)
def test_parameters_outside_their_domain_are_refused(call):
    with pytest.raises(ParameterError):
        call()
