"""Exact numbers: the grammar, the normal form and the enclosures, against Fraction and mpmath."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import InputError, NumberError, ParameterError, Undecided
from panshuffle.exact.parameters import log2
from panshuffle.exact.real import ball_bounds, exp, log, real, scaled_bounds, sqrt

from tests.every import every

FRACTIONS = st.fractions(min_value=-50, max_value=50, max_denominator=60)


def mp(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


@given(FRACTIONS, FRACTIONS)
def test_rational_arithmetic_is_that_of_fractions(a, b):
    x, y = real(a), real(b)
    assert ((x + y).fraction, (x - y).fraction, (x * y).fraction) == (a + b, a - b, a * b)
    assert (x < y, x <= y, x > y, x >= y) == (a < b, a <= b, a > b, a >= b)
    if b:
        assert (x / y).fraction == a / b


@given(FRACTIONS, st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=60))
def test_enclosures_contain_the_value_that_mpmath_gives(a, b):
    x = exp(real(a)) * log(1 + real(b)) + sqrt(real(b)) - real(b) ** Fraction(1, 3)
    with mpmath.workdps(80):
        value = mpmath.exp(mp(a)) * mpmath.log(1 + mp(b)) + mpmath.sqrt(mp(b)) - mpmath.cbrt(mp(b))
        lower, upper = scaled_bounds(x, 100)
        assert lower <= value * 2**100 <= upper
        assert upper - lower <= 2 + abs(value)


@given(FRACTIONS)
def test_a_number_reads_back_as_itself(a):
    assert real(str(real(a))) == real(a)
    assert real(str(exp(real(a)) + 3)) == exp(real(a)) + 3


@given(st.integers(-(10**9), 10**9), st.integers(0, 60), st.integers(0, 80), st.integers(0, 70))
def test_ball_bounds_round_outward(middle, shift, radius, bits):
    ball = arb(arb(middle) / 2**shift, arb(radius) / 2**shift)
    lower, upper = ball_bounds(ball, bits)
    assert Fraction(lower, 2**bits) <= Fraction(middle - radius, 2**shift)
    assert Fraction(upper, 2**bits) >= Fraction(middle + radius, 2**shift)


SAME = {
    "exp(log(7/3))": "7/3",
    "log(exp(1/9))": "1/9",
    "exp(-log(4))": "1/4",
    "sqrt(2)*sqrt(8)": None,
    "sqrt(3)*sqrt(3)": "3",
    "exp(2)*exp(-2)": "1",
    "(1/1024)^(1/10)": "1/2",
    "(exp(3))^(1/3) - exp(1)": "0",
    "-2^2": "-4",
    "2^-1": "1/2",
    "2^3^2": "512",
    "--3": "3",
    ".5e1": "5",
    "1 - (1 - sqrt(5))^2 + 5": None,
}


@every("text", SAME)
def test_normal_form(text):
    expected = SAME[text]
    assert real(text).fraction == (None if expected is None else Fraction(expected))


@every(
    "text",
    ["", " ", "nan", "inf", "-inf", "1/0", "0^-1", "(-1)^0.5", "log(0)", "log(-1)", "sqrt(-1)", "1 2", "(1", "1)",
     "2^", "*3", "0x10", "1e", "1_000", "1,5", "é", "import os", "__class__", "9^9^9^9", "1e99999999",
     "exp(exp(exp(99)))", "(" * 200 + "1" + ")" * 200, "2^" * 300 + "2", "1" * 3000],
    # kept in rows: with one entry a line the table can't be seen at once
)  # fmt: skip
def test_text_that_is_no_number_is_refused_in_one_sentence(text):
    with pytest.raises(NumberError) as refusal:
        real(text)
    assert "\n" not in str(refusal.value)


def test_a_binary_float_does_not_get_in():
    with pytest.raises(TypeError):
        real(0.1)
    with pytest.raises(TypeError):
        real(True)


def test_an_undecidable_comparison_says_so():
    zero = log(real(6)) - log(real(2)) - log(real(3))
    with pytest.raises(Undecided):
        zero.sign()


def test_tiny_differences_are_decided():
    assert real("1 - exp(-1e-300)") > 0
    assert real("exp(1e-4000)") > 1
    assert float(real("1e-300")) == 1e-300


def test_floor_and_ceil():
    assert (real("exp(1)").floor(), real("exp(1)").ceil(), (-real("exp(1)")).floor()) == (2, 3, -3)
    assert (real("7/2").floor(), real("7/2").ceil(), real(4).ceil()) == (3, 4, 4)
    assert log2(real(2**70)).fraction == 70


def test_formulas_against_mpmath():
    eps, delta = real("0.7"), real("1e-6")
    with mpmath.workdps(60):
        e, d = mpmath.mpf(7) / 10, mpmath.mpf(10) ** -6
        c = (mpmath.exp(e) + 1) / (mpmath.exp(e) - 1)
        assert formulas.lam_uniformity(50, eps, delta) == mpmath.ceil(40 * c**2 * mpmath.log(100 / d))
        assert formulas.lam_pan(eps, delta) == mpmath.ceil(20 * c**2 * mpmath.log(2 / d))
        assert formulas.binomial_coins(real("3/4"), eps, delta) == mpmath.ceil(40 * c**2 * mpmath.log(2 / d))
        sigma = mpmath.log((mpmath.exp(e) + 1) / d, 2)
        m = formulas.messages(eps, delta)
        assert 1 - m < -sigma <= 2 - m
        assert formulas.messages_in_comment(9, eps, delta) == 7 + mpmath.ceil(2 * sigma + 6)
        p = 1 - 10 * c**2 * mpmath.log(2 / d) / 5000
        assert abs(float(formulas.zsum_probability(5000, eps, delta)) - p) < 1e-15
        assert formulas.hashed_size(10, real("3/2")) == mpmath.ceil(
            mpmath.mpf(3) / 2 * mpmath.mpf(10) ** (mpmath.mpf(4) / 3)
        )
        size = mpmath.mpf(100) ** (mpmath.mpf(2) / 3) * (e / mpmath.mpf("0.5")) ** (mpmath.mpf(4) / 3)
        assert formulas.compressed_size(100, eps, real("1/2")) == mpmath.ceil(size)


def test_the_flip_probability_gives_the_noisy_or():
    """n coins Ber(p'), added mod 2, are Ber(1/(2 e^eps)), here with e^eps = 8/7 and q = 1/2 for three users."""
    p = formulas.flip_probability(3, log(real("8/7")))
    assert p.fraction == Fraction(1, 4)
    odd = 3 * Fraction(1, 4) * Fraction(9, 16) + Fraction(1, 64)
    assert odd == Fraction(7, 16)


def test_the_repaired_threshold_is_mean_plus_root_two_deviations():
    """Moments of one term W = (Y - mu)^2 - Y, Y = c + (O - Z)/2, summed directly over Poisson laws."""
    k, lam, m = 3, Fraction(5), Fraction(4)
    with mpmath.workdps(40):
        mu, half = mp(m / k), mp(lam / 2)
        law_c = [mpmath.exp(-mu) * mu**i / mpmath.factorial(i) for i in range(40)]
        law_o = [mpmath.exp(-half) * half**i / mpmath.factorial(i) for i in range(45)]
        spread: dict[int, mpmath.mpf] = {}
        for i, a in enumerate(law_o):
            for j, b in enumerate(law_o):
                spread[i - j] = spread.get(i - j, 0) + a * b
        first = second = mpmath.mpf(0)
        for c, a in enumerate(law_c):
            for d, b in spread.items():
                y = c + mpmath.mpf(d) / 2
                w = (y - mu) ** 2 - y
                first, second = first + a * b * w, second + a * b * w * w
        scale = k / mp(m)
        expected = scale * k * first + mpmath.sqrt(2 * scale**2 * k * (second - first**2))
        assert abs(float(formulas.threshold(k, real(lam), real(m))) - expected) < 1e-9


@every(
    "call",
    [
        lambda: formulas.flip_probability(0, real(1)),
        lambda: formulas.flip_probability(2, real(0)),
        lambda: formulas.sigma(real(1), real(1)),
        lambda: formulas.sigma(real(1), real(0)),
        lambda: formulas.messages_in_comment(1, real(1), real("1/2")),
        lambda: formulas.zsum_probability(10, real(1), real("1e-6")),
        lambda: formulas.compressed_size(0, real(1), real("1/2")),
        lambda: formulas.compressed_size(5, real(1), real(1)),
        lambda: formulas.threshold_as_printed(5, real(1), real(1), real(0)),
    ],
)
def test_parameters_outside_their_domain(call):
    with pytest.raises(InputError):
        call()


def test_the_refusal_names_parameter_value_and_domain():
    with pytest.raises(ParameterError, match=r"^delta = 1 is not allowed: delta must be strictly between 0 and 1$"):
        formulas.sigma(real(1), real(1))
