"""Sums whose noise the users add: Skellam and Poisson-binomial, against sums over all outcomes and all backgrounds."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import mpmath
import pytest
from flint import arb, ctx
from panshuffle.exact.accuracy.estimates import sum_error
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.noise import skellam_beyond, skellam_mass_ball, skellam_masses, skellam_reach
from panshuffle.exact.randomizers.two_messages import BITS, Coins, Worst, WorstCurve
from panshuffle.exact.real import real
from panshuffle.exact.views.flipped_bits import poisson_binomial_view
from panshuffle.protocols.poisson_binomial import PoissonBinomial

import panshuffle
from tests.conftest import FULL
from tests.every import every

pytestmark = pytest.mark.xdist_group("noise of users")  # a law by products is made once
VARIANCES = ["1/100", "1/2", "3", "30", *(["400"] if FULL else [])]


@cache
def poisson_difference(v, most):
    """The masses at -most, ..., most by products of Poisson masses, in mpmath."""
    mean, reach = mpmath.mpf(v.numerator) / (2 * v.denominator), most + 300
    poisson = [mpmath.exp(-mean)]
    for x in range(1, 2 * reach + 200):
        poisson.append(poisson[-1] * mean / x)
    return {x: mpmath.fsum(poisson[y + abs(x)] * poisson[y] for y in range(reach)) for x in range(-most, most + 1)}


def contains(ball, value, digits=25):
    middle, radius = mpmath.mpf(ball.mid().str(60, radius=False)), mpmath.mpf(ball.rad().str(20, radius=False)) * 2
    return abs(middle - value) <= radius + abs(value) * mpmath.mpf(10) ** -digits


@pytest.mark.parametrize("v", VARIANCES)
def test_skellam_masses_and_tails(v):
    with mpmath.workdps(40):
        most = 120 if v != "400" else 400
        law = poisson_difference(Fraction(v), most)
        listed = skellam_masses(real(v), most, 100)
        for x in (0, 1, 2, 7, most // 2):
            assert contains(skellam_mass_ball(real(v), -x, 100), law[x]) and contains(listed[x], law[x])
    far = skellam_reach(real(v), 0, 100)
    *found, last, after = skellam_masses(real(v), far, 100)
    with ctx.workprec(120):
        tail = last + skellam_beyond(last, after)
        assert (2 * sum(found[1:], tail) + found[0]).overlaps(arb(1)) and tail < 2**-60


def binomial(count, q):
    return [comb(count, i) * q**i * (1 - q) ** (count - i) for i in range(count + 1)]


def convolved(first, second):
    law = [Fraction(0)] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            law[i + j] += a * b
    return law


def by_force(users, m, p, factor):
    """The largest delta over all data of the others and both directions, and that of each number of ones."""
    rows = [binomial(m, p), binomial(m, 1 - p)]
    found = {}
    for others in combinations_with_replacement((0, 1), users - 1):
        law = [Fraction(1)]
        for x in others:
            law = convolved(law, rows[x])
        lower, upper = convolved(law, rows[0]), convolved(law, rows[1])
        pairs = ((upper, lower), (lower, upper))
        found[sum(others)] = [sum(max(a - factor * b, 0) for a, b in zip(*pair, strict=True)) for pair in pairs]
    return max(map(max, found.values())), {ones: deltas[0] for ones, deltas in found.items()}


SIZES = [(1, 3, "1/3"), (2, 1, "1/10"), (3, 2, "2/5"), (4, 5, "1/4"), (5, 3, "1/3"), (2, 9, "49/100"), (7, 1, "1/5")]


@every(("users", "m", "p"), SIZES)
@every("factor", ["1", "11/10", "3/2", "4", "100"])
def test_poisson_binomial_by_all_backgrounds(users, m, p, factor):
    """The exact curve is the brute-force maximum; the balls beside it enclose every background by itself."""
    worst, each = by_force(users, m, Fraction(p), Fraction(factor))
    assert poisson_binomial_view(users, m, real(p)).curve.delta(real(factor)).exact == worst
    sides = Coins(1 - real(p), real(p), m)
    for ones, truth in each.items():
        ball = sides.delta(ones, users - 1 - ones, real(factor).ball(BITS))
        assert (ball - real(truth).ball(400)).contains(0) and ball.rad() < 1e-20


@pytest.mark.parametrize(("users", "m", "p"), [(5, 3, "1/3"), (4, 5, "1/4"), (9, 1, "2/5")])
def test_branch_and_bound_encloses_the_brute_force_maximum(users, m, p):
    curve = WorstCurve.of(Worst([Coins(1 - real(p), real(p), m)], users))
    for factor in ("1", "5/4", "2"):
        truth, _ = by_force(users, m, Fraction(p), Fraction(factor))
        low, high = (Fraction(end) for end in curve.delta(real(factor)).enclosure(8))
        assert low <= truth <= high <= Fraction(101, 100) * truth + Fraction(1, 10**20)


def test_poisson_binomial_with_one_copy_is_randomized_response():
    text = {"0": {"0": "3/4", "1": "1/4"}, "1": {"0": "1/4", "1": "3/4"}}
    for n in (20, 2000):
        theirs = panshuffle.randomizer(text, n=n).privacy(at_eps="1/5")
        ours = panshuffle.protocol("poisson-binomial", n=n, m=1, p="1/4").privacy(at_eps="1/5")
        assert (ours.lower, ours.upper) == (theirs.lower, theirs.upper)
        assert ours.kind == ("exact" if n == 20 else "two-sided")


def test_poisson_binomial_is_pure_from_its_largest_ratio_on():
    for users, m in ((3, 2), (5000, 3)):
        curve = poisson_binomial_view(users, m, real("1/3")).curve
        assert curve.delta(real(2**m)).enclosure(3) == ("0", "0")
        assert float(curve.epsilon(real(0)).enclosure(8)[1]) == pytest.approx(m * 0.6931471805, rel=1e-7)


def test_more_users_copies_and_flips_are_monotone():
    """More users and more flips are post-processing, fewer copies are, too; enclosures may overlap."""
    ends = {}
    for users, m, p in ((n, m, p) for n in (3, 60, 900) for m in (1, 2) for p in ("1/4", "2/5")):
        delta = poisson_binomial_view(users, m, real(p)).curve.delta(real("5/4")).enclosure(8)
        ends[users, m, p] = tuple(map(Fraction, delta))
    for (users, m, p), (low, _) in ends.items():
        for (others, copies, flip), (_, high) in ends.items():
            if others <= users and copies >= m and Fraction(flip) <= Fraction(p):
                assert low <= high


@pytest.mark.parametrize(("users", "ones", "m", "p"), [(3, 1, 2, "1/4"), (4, 0, 1, "1/3"), (2, 2, 3, "2/5")])
def test_poisson_binomial_errors_by_enumeration(users, ones, m, p):
    q = Fraction(p)
    law = convolved(binomial(m * ones, 1 - q), binomial(m * (users - ones), q))
    errors = {(x - m * users * q) / (m * (1 - 2 * q)) - ones: mass for x, mass in enumerate(law)}
    assert sum(error * mass for error, mass in errors.items()) == 0
    for alpha in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 3)):
        truth = sum(mass for error, mass in errors.items() if abs(error) > alpha)
        assert sum_error(users, ones, m, real(p)).chance(real(alpha)).exact == truth
    square = sum(error**2 * mass for error, mass in errors.items())
    assert sum_error(users, ones, m, real(p)).variance().fraction == square


@pytest.mark.parametrize(("n", "m", "p"), [(0, 1, "1/4"), (1, 0, "1/4"), (1, 65, "1/4"), (1, 1, "0"), (1, 1, "1/2")])
def test_what_is_no_poisson_binomial_sum_is_refused(n, m, p):
    for make in (poisson_binomial_view, PoissonBinomial):
        with pytest.raises(ParameterError):
            make(n, m, real(p))


def test_the_least_flip_probability():
    """Both witnesses, on either side of the target."""
    found = panshuffle.protocol("poisson-binomial", n=12, m=2).calibrate(at_eps=1, at_delta="1e-3", digits=4)
    low, high = found.lower, found.upper
    deltas = [by_force(12, 2, Fraction(p), Fraction(271828182845904524, 10**17))[0] for p in (low, high)]
    assert deltas[0] > Fraction("9.99e-4") and deltas[1] < Fraction("1.001e-3")
