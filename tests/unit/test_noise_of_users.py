"""Sums whose noise the users add: Skellam and Poisson-binomial, against sums over all outcomes and all backgrounds."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb

import mpmath
import pytest
from flint import ctx
from panshuffle.exact.accuracy.poisson_binomial import sum_error
from panshuffle.exact.accuracy.skellam import noise_error
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.skellam import far_point, law_of_skellam, mass_ball, masses, upper_ball
from panshuffle.exact.numbers.real import exp, real
from panshuffle.exact.randomizers.two_messages import BITS, Coins, Worst, WorstCurve
from panshuffle.exact.views import poisson_binomial, skellam
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.skellam import Skellam

import panshuffle
from panshuffle.card import reference_of
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
        listed = masses(real(v), 0, most, 100)
        for x in (0, 1, 2, 7, most // 2):
            assert contains(mass_ball(real(v), -x, 100), law[x]) and contains(listed[x], law[x])
            beyond = mpmath.fsum(law[y] for y in range(x, most + 1))
            assert contains(upper_ball(real(v), x, 80), beyond, 12) or beyond < 1e-9
            with ctx.workprec(120):
                assert (upper_ball(real(v), x, 80) + upper_ball(real(v), 1 - x, 80) - 1).contains(0)
    found = law_of_skellam(real(v)).enclose(100)
    assert sum(found.listed.values()).overlaps(1 - found.tail) and found.tail < 2**-60


@pytest.mark.parametrize(
    ("v", "factor"),
    list(product(VARIANCES, ["1", "11/10", "3", "50"] if FULL else ["11/10"])) + [("1/2", "50")] * (not FULL),
)
def test_skellam_is_the_sum_over_all_outcomes(v, factor):
    """By the definition, with the masses of two Poisson draws; the order of the neighbours does not matter."""
    low, high = (mpmath.mpf(end) for end in skellam.view(real(v)).curve.delta(real(factor)).enclosure(12))
    with mpmath.workdps(40):
        most = 150 if v != "400" else 700
        law, e = (
            poisson_difference(Fraction(v), most),
            mpmath.mpf(Fraction(factor).numerator) / Fraction(factor).denominator,
        )
        for step in (1, -1):
            inside = range(2 - most, most - 1)
            truth = mpmath.fsum(max(law[x - step] - e * law[x], mpmath.mpf(0)) for x in inside)
            if truth > 1e-25:
                assert low * (1 - mpmath.mpf("1e-11")) <= truth <= high * (1 + mpmath.mpf("1e-11"))


def test_skellam_worst_shift():
    """No data and no shift by less is worse: bits move the sum by at most 1, and a shift by 2 would be worse."""
    law = poisson_difference(Fraction(3), 60)
    for e in (mpmath.mpf(1), mpmath.mpf("1.5"), mpmath.mpf(4)):
        deltas = [mpmath.fsum(max(law[x - by] - e * law[x], 0) for x in range(-50, 50)) for by in (0, 1, 2)]
        assert deltas[0] <= deltas[1] <= deltas[2]


def test_skellam_at_its_ends():
    """delta at e^eps = 1 is the largest mass; no eps has delta = 0; far beyond, the enclosure is from 0 on."""
    for v in VARIANCES:
        curve = skellam.view(real(v)).curve
        assert curve.delta(real(1)).ball(80).overlaps(mass_ball(real(v), 0, 100))
        assert curve.epsilon(real(0)).infinite
    low, high = skellam.view(real(5)).curve.delta(exp(real(10**6))).enclosure(5)
    assert (low, float(high)) == ("0", 0.0)
    assert skellam.view(real(10**9)).curve.delta(exp(real("1e-4"))).enclosure(4)[0].startswith("6.733")


def test_more_skellam_noise_is_never_less_private():
    for factor in ("1", "6/5", "3"):
        deltas = [skellam.view(real(Fraction(i, 3))).curve.delta(real(factor)).ball(80) for i in range(1, 30)]
        assert all(more <= less for less, more in pairwise(deltas))


def test_skellam_errors_and_far_points():
    with mpmath.workdps(30):
        law = poisson_difference(Fraction(9), 60)
        for alpha in (0, 2, 5, Fraction(11, 2)):
            truth = 1 - mpmath.fsum(mass for x, mass in law.items() if abs(x) <= alpha)
            assert contains(noise_error(real(9)).chance(real(alpha)).ball(80), truth, 12)
        for beta in ("1/2", "1/10", "1e-6"):
            found = noise_error(real(9), real(beta)).least_alpha(real(beta)).fraction
            beyond = [1 - mpmath.fsum(law[x] for x in range(-a, a + 1)) for a in (int(found) - 1, int(found))]
            assert beyond[0] > Fraction(beta).numerator / mpmath.mpf(Fraction(beta).denominator) >= beyond[1]
            assert far_point(real(9), real(beta)) >= found
    with pytest.raises(ParameterError, match="no largest value"):
        noise_error(real(9), real(0))


@pytest.mark.parametrize("lam", ["0", "-1", "1e10"])
def test_what_is_no_skellam_noise_is_refused(lam):
    for make in (skellam.view, law_of_skellam, noise_error, lambda v: Skellam(1, v)):
        with pytest.raises(ParameterError):
            make(real(lam))


def test_the_skellam_card():
    """gamma*lam is the variance of those who take part, so half of the users need twice the lam."""
    whole, half = panshuffle.protocol("skellam"), panshuffle.protocol("skellam", gamma="1/2")
    target = {"at_eps": 1, "at_delta": "1e-6", "real": True}
    low, high = (Fraction(end) for end in (whole.calibrate(**target).lower, whole.calibrate(**target).upper))
    assert 2 * low <= Fraction(half.calibrate(**target).upper) and Fraction(half.calibrate(**target).lower) <= 2 * high
    assert panshuffle.protocol("skellam", lam=9).accuracy(beta="1/10").exact == "5"
    with pytest.raises(InputError, match="both directions"):
        panshuffle.protocol("skellam", lam=9).privacy(at_eps=1, direction="gain")
    found = reference_of(Skellam(4, real(8)), [1, 0])
    assert found.laws[0].mass(1).overlaps(mass_ball(real(4), 0, 100))
    assert found.laws[0].up_to(1).overlaps(upper_ball(real(4), 0, 100))


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
    assert poisson_binomial.view(users, m, real(p)).curve.delta(real(factor)).exact == worst
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
        curve = poisson_binomial.view(users, m, real("1/3")).curve
        assert curve.delta(real(2**m)).enclosure(3) == ("0", "0")
        assert float(curve.epsilon(real(0)).enclosure(8)[1]) == pytest.approx(m * 0.6931471805, rel=1e-7)


def test_more_users_copies_and_flips_are_monotone():
    """More users and more flips are post-processing, fewer copies are, too; enclosures may overlap."""
    ends = {}
    for users, m, p in ((n, m, p) for n in (3, 60, 900) for m in (1, 2) for p in ("1/4", "2/5")):
        delta = poisson_binomial.view(users, m, real(p)).curve.delta(real("5/4")).enclosure(8)
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
    for make in (poisson_binomial.view, PoissonBinomial):
        with pytest.raises(ParameterError):
            make(n, m, real(p))


def test_the_least_flip_probability():
    """Both witnesses, on either side of the target."""
    found = panshuffle.protocol("poisson-binomial", n=12, m=2).calibrate(at_eps=1, at_delta="1e-3", digits=4)
    low, high = found.lower, found.upper
    deltas = [by_force(12, 2, Fraction(p), Fraction(271828182845904524, 10**17))[0] for p in (low, high)]
    assert deltas[0] > Fraction("9.99e-4") and deltas[1] < Fraction("1.001e-3")
