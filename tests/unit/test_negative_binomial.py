"""Negative binomial noise: its law as a sum of geometric draws, its curve in both directions, its draws."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import mpmath
import pytest
from panshuffle.exact.accuracy.negative_binomial import noise_error
from panshuffle.exact.curves.law_pair import pair_curve
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.negative_binomial import (
    far_point,
    law_of_negative_binomial,
    lower_ball,
    lower_exact,
    mass_ball,
    upper_ball,
)
from panshuffle.exact.numbers.real import exp, log, real
from panshuffle.exact.views.negative_binomial import shifted_pair, view
from panshuffle.protocols.negative_binomial import NegativeBinomial
from panshuffle.protocols.randomness.coins import Coins

import panshuffle
from panshuffle.card import reference_of
from tests.brute_force.enumeration import AllCoins, following
from tests.every import every

CHANCES = [Fraction(1, 2), Fraction(1, 5), Fraction(5, 6)]


def convolved(l, p, most):
    """The masses at 0, ..., most of a sum of l geometric draws, one after another."""
    law = [Fraction(1), *[Fraction(0)] * most]
    for _ in range(l):
        for x in range(most + 1):
            law[x] = law[x] * p + (law[x - 1] * (1 - p) if x else 0)
    return law


def ends(ball):
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def encloses(ball, value, bits=60):
    low, high = ends(ball)
    return low <= value <= high and high - low <= value / 2**bits


def shift_by_definition(l, p, factor, direction, dps=50):
    """The sum over all outcomes, in mpmath, until the masses are negligible."""
    with mpmath.workdps(dps):
        total, before, mass, x = mpmath.mpf(0), mpmath.mpf(0), p**l, 0
        while x < l / p or mass > mpmath.mpf(10) ** -dps:
            upper, lower = (mass, before) if direction == "lose" else (before, mass)
            total += max(upper - factor * lower, 0)
            before, mass, x = mass, mass * (1 - p) * (x + l) / (x + 1), x + 1
        return total


@every("p", CHANCES)
@every("l", [1, 2, 5])
def test_the_law_is_a_sum_of_geometric_draws(l, p):
    law = convolved(l, p, 30)
    for x in range(31):
        assert lower_exact(l, p, x) == sum(law[: x + 1])
        assert encloses(mass_ball(l, real(p), x, 80), law[x])
        assert encloses(lower_ball(l, real(p), x, 80), sum(law[: x + 1]))
        assert encloses(upper_ball(l, real(p), x, 80), 1 - sum(law[:x]))
    assert (lower_exact(l, p, -1), lower_ball(l, real(p), -1, 64), upper_ball(l, real(p), 0, 64)) == (0, 0, 1)
    found = law_of_negative_binomial(l, real(p)).enclose(100)
    assert all(encloses(found.listed[x], law[x], 80) for x in range(31) if x in found.listed)
    assert 0 < found.tail < 2**-100
    assert law_of_negative_binomial(l, real(1)).exact == {0: 1}


@pytest.mark.parametrize(("l", "p", "most"), [(1, "1/2", "1e-9"), (50, "1/20", "1e-30"), (3, "1", "1e-9")])
def test_a_far_point_is_far(l, p, most):
    x = far_point(l, real(p), real(most))
    assert 1 - lower_exact(l, Fraction(p), x) <= Fraction(most)


@pytest.mark.parametrize("direction", ["gain", "lose"])
@pytest.mark.parametrize(
    ("l", "p", "exp_eps"),
    [
        (40, "1/3", "6/5"),
        (300, "9/10", "2"),
        (25, "1/40", "101/100"),
        (2, "1/200", "401/400"),
        (60, "exp(-1)", "exp(1/6)"),
        (7, "1-exp(-2)", "exp(3/2)"),
    ],
)
def test_the_curve_is_the_sum_over_all_outcomes(l, p, exp_eps, direction):
    low, high = view(l, real(p), direction).curve.delta(real(exp_eps)).enclosure(25)
    with mpmath.workdps(60):
        numbers = {"exp": mpmath.exp, "mpf": mpmath.mpf}
        chance, factor = (eval(text.replace("/", "/mpf(1)/"), numbers) for text in (p, exp_eps))
        expected = shift_by_definition(l, chance, factor, direction, 60)
        assert mpmath.mpf(low) - mpmath.mpf(10) ** -55 <= expected <= mpmath.mpf(high) + mpmath.mpf(10) ** -55
        assert expected > mpmath.mpf(10) ** -30


def test_one_geometric_draw_has_closed_forms():
    """lose: delta = p at every eps.  gain: 1 - E(1 - p), which is 0 from 1/(1 - p) on."""
    for p in CHANCES:
        for factor in (Fraction(1), Fraction(9, 8), Fraction(6, 5), Fraction(2), Fraction(10**9)):
            assert view(1, real(p), "lose").curve.delta(real(factor)).exact == p
            assert view(1, real(p), "gain").curve.delta(real(factor)).exact == max(0, 1 - factor * (1 - p))
            assert view(1, real(p)).curve.delta(real(factor)).exact == p
    assert view(1, real("exp(-1)")).curve.epsilon(real("exp(-1)")).exact == 0
    assert view(1, real("1/5")).curve.epsilon(real("1/5") - real("1e-30")).infinite


@every("l", [1, 2, 6, 40])
@every("p", ["1/2", "1/5", "5/6", "1-exp(-1)", "exp(-3)"])
def test_gain_is_pure_from_its_largest_ratio_on(l, p):
    """b(x-1)/b(x) = x/(q(x+l-1)) rises to 1/q: delta is 0 there, and positive just before."""
    curve, end = view(l, real(p), "gain").curve, 1 / (1 - real(p))
    assert curve.delta(end).exact == 0
    assert curve.delta(end + real("1e-9")).exact == 0
    for before in ("1e-3", "1e-9", "1e-30"):
        ball = curve.delta(end - real(before)).ball(64)
        assert ball > 0
        assert ball < 2 * (real(before) * (1 - real(p))).ball(200)
    low, high = curve.epsilon(real(0)).enclosure(20)
    with mpmath.workdps(40):
        expected = mpmath.mpf(log(end).ball(130).mid().str(35, radius=False))
        assert mpmath.mpf(low) <= expected <= mpmath.mpf(high)
    assert view(l, real(p)).curve.epsilon(real(0)).infinite


def test_closer_to_the_end_than_any_precision():
    """For l = 1 gain is 1 - Eq: 2^-40001, which no ball that is tried tells from 0, is still enclosed."""
    close = Fraction(1, 2**40000)
    low, high = ends(view(1, real("1/2"), "gain").curve.ball(real(2 - close), 64))
    assert low <= close / 2 <= high < 2 * close


@pytest.mark.parametrize("direction", ["gain", "lose", None])
def test_a_half_that_is_not_seen_to_be_one(direction):
    """Cuts that are ties, and the end of gain at E = 2, that no precision decides: the enclosures are still narrow."""
    hidden, half = real("sqrt(2)/sqrt(8)"), real("1/2")
    for l, factor in product((1, 2, 3, 7), ("1", "5/4", "3/2", "2", "3")):
        true = view(l, half, direction).curve.delta(real(factor)).exact
        found = view(l, hidden, direction).curve
        low, high = ends(found.ball(real(factor), 100))
        assert low <= true <= high and high - low <= Fraction(1, 2**80)
        assert view(l, half, direction).curve.epsilon(real(0)).infinite == found.epsilon(real(0)).infinite
    record = NegativeBinomial(2, 3, hidden)
    assert record.release([1, 0], Coins(seed=3)) >= 1
    assert encloses(noise_error(3, hidden, False).chance(real(1)).ball(80), Fraction(11, 16))


@pytest.mark.parametrize(("l", "p"), [(3, "1/2"), (5, "1/5"), (4, "5/6"), (2, "9/10"), (6, "exp(-1)")])
def test_lose_stays_at_the_mass_that_only_one_law_has(l, p):
    """b(0) = p^l, from the ratio b(1)/b(0) = lq on."""
    limit, reached = real(p) ** l, l * (1 - real(p))
    for direction in ("lose", None):
        curve = view(l, real(p), direction).curve
        for factor in (reached, 2 * reached + 1, exp(real(10**5))):
            if factor >= 1:
                ball = curve.delta(factor).ball(100) - limit.ball(100)
                assert ball.contains(0) and ball.rad() < 2**-60
        assert curve.epsilon(limit * real("999/1000")).infinite
        low, high = curve.epsilon(limit).enclosure(20)
        expected = max(0, float(log(reached)))
        assert float(low) - 1e-12 <= expected <= float(high) + 1e-12
        if reached > 1:
            assert curve.compare_at(reached * real("999/1000"), limit) == 1


def test_no_noise_is_two_disjoint_laws():
    for direction in (None, "gain", "lose"):
        curve = view(4, real(1), direction).curve
        assert curve.delta(real(10**9)).exact == 1
        assert curve.epsilon(real("0.999")).infinite
    assert NegativeBinomial(2, 4, real(1)).release([1, 1], Coins()) == 2


@pytest.mark.parametrize("factor", ["1", "11/10", "3/2", "4"])
def test_more_noise_is_never_less_private(factor):
    for p in ("1/2", "1/5", "19/20"):
        deltas = [view(l, real(p)).curve.delta(real(factor)).exact for l in range(1, 30)]
        assert all(more <= fewer for fewer, more in pairwise(deltas))
    for l in (1, 3, 8):
        deltas = [view(l, real(Fraction(i, 12))).curve.delta(real(factor)).exact for i in range(1, 13)]
        assert all(less <= more for less, more in pairwise(deltas))


def test_rare_successes_and_large_numbers_are_affordable():
    """At E = 1 both directions are the largest mass; 2^-80 relative, whatever the parameters."""
    for l, p in ((5, "1e-9"), (10**9, "1/2"), (10**12, "1e-6"), (1, "1e-30"), (10**6, "1-1e-12")):
        mode = ((l - 1) * (1 - real(p)) / real(p)).floor()
        for direction in ("gain", "lose"):
            ball = view(l, real(p), direction).curve.ball(real(1), 80)
            assert (ball / mass_ball(l, real(p), mode, 100) - 1).contains(0)
            assert ball.rel_accuracy_bits() >= 80


def test_exact_values_where_they_are_affordable():
    curve = view(6, real("1/2")).curve
    assert curve.delta(real("19/10")).exact is not None
    factor = 2 - Fraction(1, 10**30)
    near = curve.delta(real(factor))
    assert near.exact is None
    low, high = near.enclosure(40)
    expected = Fraction(1, 64) + Fraction(6, 128) - factor * Fraction(1, 64)  # lose: the points 0 and 1
    assert Fraction(low) <= expected <= Fraction(high)


@pytest.mark.parametrize(("l", "p"), [(1, "1/2"), (4, "1/3"), (3, "exp(-1)"), (2, "1")])
def test_the_exported_pair_has_the_same_curve(l, p):
    for pair, direction in ((shifted_pair(l, real(p), None), "gain"), (shifted_pair(l, real(p), 8).swapped(), "lose")):
        for factor in ("1", "4/3", "5"):
            true = ends(view(l, real(p), direction).curve.ball(real(factor), 80))
            low, high = (Fraction(end) for end in pair_curve(pair).delta(real(factor)).enclosure(15))
            assert low <= true[1] and true[0] <= high and high - low < Fraction(1, 10**5)


def test_a_pair_that_is_too_large_is_refused():
    with pytest.raises(InputError, match="more than 200000"):
        shifted_pair(10, real("1e-9"), None)


@pytest.mark.parametrize(("l", "p"), [(0, "1/2"), (2, "0"), (2, "3/2"), (2, "-1/2"), (True, "1/2")])
def test_what_is_no_noise_is_refused(l, p):
    for make in (view, law_of_negative_binomial, lambda l, p: NegativeBinomial(1, l, p)):
        with pytest.raises(ParameterError):
            make(l, real(p))
    with pytest.raises(ParameterError):
        noise_error(l, real(p), True)


@pytest.mark.parametrize(("l", "p"), [(1, "1/2"), (4, "1/3"), (9, "5/6"), (3, "1")])
def test_the_reference_is_the_law_moved_by_the_sum(l, p):
    """So is what a mistake in l makes of it; the law without a mistake is not among the mistakes, but for p = 1/2."""
    record, law = NegativeBinomial(4, l, real(p)), convolved(l, Fraction(p), 40)
    found = reference_of(record, [1, 0, 1, 1])
    assert all(found.laws[0].mass(3 + x).overlaps(real(mass).ball(150)) for x, mass in enumerate(law))
    assert found.laws[0].mass(2) == 0
    assert found.laws[0].up_to(43).overlaps(real(sum(law)).ball(150))
    fewer = next(bug.laws()[0] for bug in found.bugs if bug.name == "off by one in l")
    assert fewer.mass(4).overlaps(real(convolved(l - 1, Fraction(p), 1)[1]).ball(150))
    exchanged = [bug for bug in found.bugs if bug.name == "p and 1 - p are exchanged"]
    assert len(exchanged) == (p != "1")
    for bug in found.bugs if p != "1" else ():  # where there is no noise, its mistakes show nothing
        same = all(bug.laws()[0].mass(x).overlaps(found.laws[0].mass(x)) for x in range(-40, 60))
        assert same == ((bug in exchanged or bug.name == "wrong coin: p = 1/2") and p == "1/2"), bug.name


def both_directions(l, p, factor, most=200):
    """By the definition; outcomes from `most` on are one, beyond all cuts."""
    law = convolved(l, p, most - 1)
    more, fewer = ([0, *law[:-1], 1 - sum(law[:-1])], [*law, 1 - sum(law)])
    return [sum(max(a - factor * b, 0) for a, b in zip(*pair, strict=True)) for pair in ((more, fewer), (fewer, more))]


def test_what_the_card_asks():
    """One draw with p = 1/2 is above 1 with probability 1/4; less its mean 1, it is 2 or more off with 1/8."""
    one = panshuffle.protocol("negative-binomial", l=1, p="1/2")
    assert (one.accuracy(alpha=1, raw=True).exact, one.accuracy(alpha=1).exact) == ("1/4", "1/8")
    assert (one.accuracy(beta="1/4", raw=True).exact, one.accuracy(beta="1/8").exact) == ("1", "1")
    three = panshuffle.protocol("negative-binomial", l=3, p="1/3")
    gain, lose = both_directions(3, Fraction(1, 3), Fraction(5, 4))
    for direction, delta in (("gain", gain), ("lose", lose), (None, max(gain, lose))):
        answer = three.privacy(at_exp_eps="5/4", direction=direction)
        assert (answer.exact, answer.scope) == (str(delta), "this pair" if direction else "all neighbours")
    least = panshuffle.protocol("negative-binomial", p="1/3").calibrate(at_exp_eps="3/2", at_delta="1/100").exact
    deltas = [max(both_directions(l, Fraction(1, 3), Fraction(3, 2))) for l in range(1, 12)]
    assert int(least) == 1 + next(i for i, delta in enumerate(deltas) if delta <= Fraction(1, 100))
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        panshuffle.protocol("negative-binomial", p=1).calibrate(at_eps=1, at_delta="1/2")


def test_many_successes_are_drawn_together():
    """Seeded draws, so that nothing is left to chance, and of laws that draws one by one would take hours for."""
    for l, p in ((10**9, Fraction(1, 2)), (10**6, Fraction(99, 100)), (300, Fraction(1, 10))):
        mean, spread = l * (1 - p) / p, float(l * (1 - p) / p**2) ** 0.5
        drawn = NegativeBinomial(1, l, real(p)).release([0], Coins(seed=7))
        assert abs(drawn - mean) < 8 * spread


class Pruned(Exception):
    """A branch of little mass."""


class NearlyAllCoins(AllCoins):
    """Coins that follow a script, where a geometric draw is known up to some value, and little mass ends a branch."""

    def choose(self, masses):
        choice = super().choose(masses)
        if self.mass < Fraction(1, 10**4):
            raise Pruned
        return choice

    def geometric(self, eps):
        ratio = exp(-eps).fraction
        i = self.choose([*((1 - ratio) * ratio**i for i in range(30)), ratio**30])
        if i == 30:
            raise Pruned
        return i


@pytest.mark.parametrize(("l", "p"), [(1, "1/2"), (2, "1/2"), (2, "1/3"), (3, "1/3"), (4, "3/4")])
def test_every_branch_of_the_draw_leads_to_the_law(l, p):
    """Blocks of tosses, then geometric draws: what is found is at most the law, and what is pruned is missing."""
    record, script, found, pruned = NegativeBinomial(1, l, real(p)), [], Counter(), Fraction(0)
    while script is not None:
        coins = NearlyAllCoins(script)
        try:
            found[record.failures(coins)] += coins.mass
        except Pruned:
            pruned += coins.mass
        script = following([choice for choice, _ in coins.choices], [size for _, size in coins.choices])
    assert sum(found.values()) + pruned == 1
    assert pruned < Fraction(1, 5)
    law = convolved(l, Fraction(p), max(found))
    assert all(0 <= law[x] - found[x] <= pruned for x in found)
