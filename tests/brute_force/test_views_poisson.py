"""The views with Poisson noise, against the reference protocol and direct sums."""

from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import pytest
from panshuffle.exact.real import exp, real
from panshuffle.exact.views.uniformity import compressed_uniformity_view, pan_uniformity_view, uniformity_view
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.shuffle import pools_of
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.uniformity import Uniformity

from tests.brute_force.enumerated_views import BOUNDS, divergence, ends, fraction_of, marginal, sum_of, worst
from tests.brute_force.enumeration import AllCoins
from tests.every import every


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
        low, high = ends(uniformity_view(lam, real(users) / n, k, pool).curve.ball(real(bound), 60))
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


@every("mu", [Fraction(1, 20), Fraction(1, 4), Fraction(1), Fraction(5, 2)])
@every("bound", BOUNDS)
def test_one_poisson_pool_is_the_double_sum(mu, bound):
    most = 40
    low, high = bracket(pool_sum(mu, bound, most), mu, 2, most)
    view = uniformity_view(real(2 * mu), real(1), pool=True)
    ball_low, ball_high = ends(view.curve.ball(real(bound), 100))
    assert ball_low <= high
    assert low <= ball_high
    assert max(high, ball_high) - min(low, ball_low) < Fraction(1, 10**25)


@every("mu", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)])
@every("bound", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(25)])
def test_two_poisson_pools_are_the_fourfold_sum(mu, bound):
    most = 14
    low, high = bracket(pair_sum(mu, bound, most), mu, 4, most)
    for gamma in (Fraction(1), Fraction(1, 3)):
        ball_low, ball_high = ends(uniformity_view(real(2 * mu / gamma), real(gamma), 2).curve.ball(real(bound), 90))
        assert ball_low <= high
        assert low <= ball_high
        assert max(high, ball_high) - min(low, ball_low) < Fraction(1, 10**10)


def test_compressed_uniformity_for_one_partition():
    """k_hat = 2 divides k = 4: the view of the groups.  k = 3 is padded, and the groups bound it from above."""
    lam, bound = real("1/8"), Fraction(3, 2)
    for k in (3, 4):
        view = compressed_uniformity_view(lam, real(1), k, 2)
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
        view = pan_uniformity_view(3, k, lam, t)
        assert (view.upper_bound, view.two_sided) == (t == 0, t == 1)
        low, high = (Fraction(end) for end in view.delta(real(bound)).enclosure(20))
        assert joint - (bound + 1) * missing <= high
        assert low <= joint + (bound + 1) * missing
        assert t == 0 or bound > 1 or low > Fraction(1, 100)
        assert PanUniformity(protocol).length == 1


@pytest.mark.parametrize(
    ("n", "k", "lam", "eps"),
    [(9, 3, "20", "0.4"), (9, 2, "4", "0.7"), (30, 3, "40", "1"), (12, 40, "9", "0"), (300, 5, "100", "0.5")],
)
def test_the_lower_end_of_pan_uniformity_is_the_best_tail_of_a_difference(n, k, lam, eps):
    """By convolutions of all dummies' steps and of both Poisson draws, for every cut; those tried are close to it."""
    first = (n - n // 3 + 1) // 2
    with mpmath.workdps(50):
        mean, e = mpmath.mpf(lam) * (first + 1) / n, mpmath.exp(mpmath.mpf(eps))
        law = {0: mpmath.mpf(1)}
        for _ in range(first):
            law = stepped(law, {2: mpmath.mpf(1) / k, 0: 1 - mpmath.mpf(2) / k, -2: mpmath.mpf(1) / k})
        draws = {x: mpmath.exp(-mean) * mean**x / mpmath.factorial(x) for x in range(int(mean + 15 * mean**0.5 + 30))}
        law = stepped(stepped(law, draws), {-x: mass for x, mass in draws.items()})
        unused = (mpmath.mpf(7) / 9) ** n
        best = max(
            (1 - unused) * (tail_of(law, c - 2) - e * tail_of(law, c + 2)) - unused * (e - 1) * tail_of(law, c - 2)
            for c in range(-60, 120)
        )
        low = mpmath.mpf(pan_uniformity_view(n, k, real(lam)).delta(exp(real(eps))).enclosure(20)[0])
        assert best * mpmath.mpf("0.98") <= low <= best * (1 + mpmath.mpf(10) ** -18)


def stepped(law, step):
    """The law of a sum."""
    found = {}
    for (x, p), (y, q) in product(law.items(), step.items()):
        found[x + y] = found.get(x + y, 0) + p * q
    return found


def tail_of(law, cut):
    return mpmath.fsum(mass for x, mass in law.items() if x >= cut)


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
