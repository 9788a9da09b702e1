"""Masses and tails against Fraction sums, sums of masses in mpmath, and quadrature where no sum is feasible."""

from fractions import Fraction
from math import comb, isqrt

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.noise import (
    BinomialLaw,
    PoissonLaw,
    binomial_lower_ball,
    binomial_mass_ball,
    binomial_upper_ball,
    carried_tail,
    fraction_side,
    poisson_lower_ball,
    poisson_mass_ball,
    poisson_upper_ball,
    summed_side,
)
from panshuffle.exact.real import exp, real

from tests.every import every

TINY = Fraction(1, 10**9)
PRECISIONS = st.sampled_from([10, 53, 117, 600])
CHANCES = st.one_of(st.sampled_from([0, TINY, Fraction(1, 2), 1 - TINY, 1]), st.fractions(0, 1, max_denominator=50))


def as_fraction(number: arb) -> Fraction:
    mantissa, exponent = number.man_exp()
    return int(mantissa) * Fraction(2) ** int(exponent)


def contains(ball: arb, value: Fraction | mpmath.mpf) -> bool:
    """Whether a finite ball holds the value, which is taken to 60 digits if it comes from mpmath."""
    if not ball.is_finite():
        return False
    slack = Fraction(0)
    if isinstance(value, mpmath.mpf):
        value = exact_fraction(value)
        slack = abs(value) / 10**60
    return abs(value - as_fraction(ball.mid())) <= as_fraction(ball.rad()) + slack


def encloses(ball: arb, value: Fraction | mpmath.mpf, precision: int) -> bool:
    """Whether a ball holds the value and has `precision` - 10 bits of it."""
    exact = exact_fraction(value) if isinstance(value, mpmath.mpf) else value
    return contains(ball, value) and as_fraction(ball.rad()) * 2 ** (precision - 10) <= abs(exact)


def exact_fraction(value: mpmath.mpf) -> Fraction:
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * int(mantissa) * Fraction(2) ** int(exponent)


def rational_masses(l: int, p: Fraction) -> list[Fraction]:
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


@given(st.integers(0, 60), CHANCES, st.integers(-2, 62), PRECISIONS)
@settings(deadline=None)
def test_binomial_balls_enclose_the_rational_sums(l, p, x, precision):
    masses = rational_masses(l, Fraction(p))
    point = masses[x] if 0 <= x <= l else Fraction(0)
    assert encloses(binomial_mass_ball(l, real(p), x, precision), point, precision)
    assert encloses(binomial_lower_ball(l, real(p), x, precision), sum(masses[: max(x + 1, 0)]), precision)
    assert encloses(binomial_upper_ball(l, real(p), x, precision), sum(masses[max(x, 0) :]), precision)


@given(st.integers(1, 40), st.integers(1, 40), st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=30))
@settings(deadline=None)
def test_both_forms_of_the_sum_of_ratios_are_the_rational_sum(l, x, p):
    x = min(x, l)
    assume(x + 1 > (l + 1) * p)
    with ctx.workprec(300):
        chance = real(p)
        side = BinomialLaw(l, chance.ball_here(), (1 - chance).ball_here()).above(x)
        masses = rational_masses(l, p)
        expected = sum(masses[x:]) / masses[x]
        assert encloses(fraction_side(side, l + 1), expected, 250)
        assert encloses(summed_side(side, 280), expected, 250)
        for count in (1, 2, 3, 8, 20):
            bracket = fraction_side(side, count)
            assert contains(bracket, expected) or (x <= l * p and not bracket.is_finite())


@pytest.mark.long
@given(
    st.integers(1, 10**12),
    st.fractions(Fraction(1, 10**9), 1 - Fraction(1, 10**9), max_denominator=10**9),
    st.floats(0, 1),
    st.integers(1, 60),
    st.sampled_from([40, 90, 400]),
)
@settings(deadline=None)
def test_a_cut_off_fraction_encloses_the_sum_of_ratios(l, p, outward, count, bits):
    """The fraction at any length and precision against the sum in 120 digits, from the mean to the end of the law."""
    x = min(int(l * p) + 1 + int((l - l * p) * Fraction(outward) ** 8), l)
    with mpmath.workdps(150):
        odds, term, total, at = mpmath.mpf(p.numerator) / (p.denominator - p.numerator), mpmath.mpf(1), mpmath.mpf(0), x
        while term > total * mpmath.mpf(10) ** -140 and at - x < 40_000:
            total, term, at = total + term, term * odds * (l - at) / (at + 1), at + 1
        assume(at - x < 40_000)
        with ctx.workprec(bits):
            law = BinomialLaw(l, real(p).ball_here(), (1 - real(p)).ball_here())
            for side in (law.above(x), BinomialLaw(l, law.q, law.p).below(l - x)):
                ball = fraction_side(side, count)
                assert not ball.is_finite() or contains(ball, total)
                assert contains(fraction_side(side, 20 + 3 * count), total) or bits == 40


@given(st.integers(1, 10**4), st.booleans(), st.integers(0, 500), st.integers(1, 40), st.sampled_from([40, 200]))
@settings(deadline=None)
def test_a_cut_off_poisson_fraction_encloses_the_sum_of_ratios(mu, up, away, count, bits):
    x = mu + 1 + away if up else max(mu - 1 - away, 0)
    with mpmath.workdps(150):
        term, total, at = mpmath.mpf(1), mpmath.mpf(0), x
        while term > total * mpmath.mpf(10) ** -140:
            total, term, at = total + term, term * mu / (at + 1) if up else term * at / mu, at + (1 if up else -1)
        with ctx.workprec(bits):
            law = PoissonLaw(arb(mu))
            ball = fraction_side(law.above(x) if up else law.below(x), count)
            assert not ball.is_finite() or contains(ball, total)
            assert contains(fraction_side(law.above(x) if up else law.below(x), 20 + 3 * count), total)


def mp_masses(l: int | None, rate: mpmath.mpf, start: int, step: int) -> mpmath.mpf:
    """The sum of the masses at start, start + step, ... of Bin(l, rate), or of Pois(rate) where l is None."""
    if l is None:
        mass = mpmath.exp(start * mpmath.log(rate) - rate - mpmath.loggamma(start + 1))
    else:
        choose = mpmath.loggamma(l + 1) - mpmath.loggamma(start + 1) - mpmath.loggamma(l - start + 1)
        mass = mpmath.exp(choose + start * mpmath.log(rate) + (l - start) * mpmath.log1p(-rate))
    total, x = mpmath.mpf(0), start
    while mass > total * mpmath.mpf(10) ** -75:
        total += mass
        if l is None:
            mass *= rate / (x + 1) if step > 0 else x / rate
        else:
            odds = rate / (1 - rate)
            mass *= (l - x) * odds / (x + 1) if step > 0 else x / ((l - x + 1) * odds)
        x += step
    return total


@every("deviations", [-40, -5, -3.1, -2.9, 0, 0.3, 2.9, 3.1, 5, 40])
@every(("l", "p"), [(10**4, "1/2"), (10**5, "1/3"), (10**6, "1e-3"), (10**5, "1-1e-9"), (10**6, "1e-9")])
def test_binomial_tails_enclose_the_sums_of_masses(l, p, deviations):
    chance = real(p).fraction
    x = round(l * chance) + int(deviations * isqrt(int(l * chance * (1 - chance)) + 1))
    x = min(max(x, 1), l - 1)
    with mpmath.workdps(90):
        rate = mpmath.mpf(chance.numerator) / chance.denominator
        if x >= l * chance:
            small = mp_masses(l, rate, x, 1)
            assert encloses(binomial_upper_ball(l, real(p), x, 117), small, 117)
            assert encloses(binomial_lower_ball(l, real(p), x - 1, 117), 1 - small, 117)
        else:
            small = mp_masses(l, rate, x, -1)
            assert encloses(binomial_lower_ball(l, real(p), x, 117), small, 117)
            assert encloses(binomial_upper_ball(l, real(p), x + 1, 117), 1 - small, 117)


@every("deviations", [-60, -5, -3.1, -2.9, -0.5, 0, 1, 2.9, 3.1, 5, 60])
@every("mu", ["1e-9", "5", "575", "600", "50000", "exp(7)"])
def test_poisson_balls_enclose_the_sums_of_masses(mu, deviations):
    with mpmath.workdps(90):
        rate = (
            mpmath.exp(7)
            if mu == "exp(7)"
            else mpmath.mpf(1) * real(mu).fraction.numerator / real(mu).fraction.denominator
        )
        x = max(int(rate + deviations * mpmath.sqrt(rate) + 0.5), 1)
        if x >= rate:
            small = mp_masses(None, rate, x, 1)
            assert encloses(poisson_upper_ball(real(mu), x, 117), small, 117)
            assert encloses(poisson_lower_ball(real(mu), x - 1, 117), 1 - small, 117)
        else:
            small = mp_masses(None, rate, x, -1)
            assert encloses(poisson_lower_ball(real(mu), x, 117), small, 117)
            assert encloses(poisson_upper_ball(real(mu), x + 1, 117), 1 - small, 117)
        mass = mpmath.exp(x * mpmath.log(rate) - rate - mpmath.loggamma(x + 1))
        assert encloses(poisson_mass_ball(real(mu), x, 117), mass, 117)


def beta_tail(l: int, x: int) -> mpmath.mpf:
    """P[Bin(l, 1/2) >= x] as the integral of x P[Bin(l, p) = x] / p over 0 < p < 1/2, by quadrature."""
    constant = mpmath.loggamma(l + 1) - mpmath.loggamma(x) - mpmath.loggamma(l - x + 1)
    width = 1 / mpmath.sqrt(4 * l)

    def density(u):
        return (
            mpmath.exp(constant + (x - 1) * mpmath.log(0.5 - u * width) + (l - x) * mpmath.log(0.5 + u * width)) * width
        )

    return mpmath.quad(density, [0, 1, 2, 4, 6, 9, 12, 15, 18])


@pytest.mark.parametrize("l", [10**9, 10**15])
@pytest.mark.parametrize("deviations", [-1, 0, 2.5, 5])
def test_tails_of_huge_laws_enclose_a_quadrature(l, deviations):
    x = l // 2 + int(deviations * isqrt(l) / 2)
    with mpmath.workdps(90):
        expected = beta_tail(l, x)
        assert encloses(binomial_upper_ball(l, real("1/2"), x, 117), expected, 117)
        assert encloses(binomial_lower_ball(l, real("1/2"), x - 1, 117), 1 - expected, 117)


@given(
    st.integers(0, 50).map(lambda power: 2**power + 7),
    st.fractions(0, 1, max_denominator=10**12).filter(lambda p: 0 < p < 1),
    st.floats(-60, 60),
    PRECISIONS,
)
@settings(max_examples=80, deadline=None)
def test_neighbouring_tails_differ_by_the_mass_between_them(l, p, deviations, precision):
    x = int(l * p + Fraction(deviations) * isqrt(int(l * p * (1 - p)) + 1))
    with ctx.workprec(precision + 100):
        upper, beyond = (binomial_upper_ball(l, real(p), at, precision) for at in (x, x + 1))
        lower, mass = binomial_lower_ball(l, real(p), x, precision), binomial_mass_ball(l, real(p), x, precision)
        assert (upper - beyond).overlaps(mass)
        assert (lower + beyond).overlaps(arb(1))
        assert all(ball == 0 or ball.rel_accuracy_bits() >= precision - 10 for ball in (upper, lower, mass))


def test_a_tail_of_1e_minus_4000_has_its_digits():
    l, x = 20000, 19500
    expected = Fraction(sum(comb(l, k) for k in range(x, l + 1)), 2**l)
    assert expected < Fraction(1, 10**4000)
    assert encloses(binomial_upper_ball(l, real("1/2"), x, 200), expected, 200)
    assert encloses(binomial_lower_ball(l, real("1/2"), l - x, 200), expected, 200)


@pytest.mark.parametrize("law", [(900, Fraction(1, 2)), (8000, Fraction(9, 10)), (2700, Fraction(1, 4))])
@pytest.mark.parametrize("bits", [40, 300])
def test_a_carried_tail_is_the_rational_one(law, bits):
    l, p = law
    masses = rational_masses(l, p) if l < 1000 else None
    with ctx.workprec(bits + 60):
        ball = BinomialLaw(l, real(p).ball_here(), (1 - real(p)).ball_here())
        for x in (int(l * p) - 20, int(l * p) + 5):
            numerators = (
                comb(l, k) * p.numerator**k * (p.denominator - p.numerator) ** (l - k) for k in range(x, l + 1)
            )
            expected = sum(masses[x:]) if masses else Fraction(sum(numerators), p.denominator**l)
            assert encloses(carried_tail(ball, x, bits), expected, bits)


def test_irrational_parameters_and_parameters_at_the_end_of_the_range():
    with mpmath.workdps(90):
        assert encloses(binomial_upper_ball(1, exp(real(-10000)), 1, 80), mpmath.exp(-10000), 80)
        assert encloses(poisson_lower_ball(exp(real(2)), 0, 80), mpmath.exp(-mpmath.exp(2)), 80)
        small = mpmath.exp(-10000)
        assert encloses(binomial_mass_ball(1, exp(real(-10000)), 1, 80), small, 80)
    assert poisson_upper_ball(real(5), -3, 53) == 1
    assert poisson_lower_ball(real(5), -1, 53) == 0
    assert poisson_mass_ball(real(5), -1, 53) == 0
    with ctx.workprec(90):
        assert PoissonLaw(arb(7)).mass(0).overlaps(arb(-7).exp())


@pytest.mark.parametrize(("l", "p"), [(-1, "1/2"), (3, "-0.1"), (3, "1.1")])
def test_parameters_outside_their_domain_are_refused(l, p):
    with pytest.raises(ParameterError):
        binomial_upper_ball(l, real(p), 1, 53)
    with pytest.raises(ParameterError):
        poisson_upper_ball(real(0), 1, 53)
