"""Divergences against the maximum over all events and against mpmath; certified numbers and how they are shown."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.laws.law import law_of_binomial, law_of_poisson, rational_law, shift
from panshuffle.exact.laws.law import product as product_law
from panshuffle.exact.pairs.divergence import hockey_stick
from panshuffle.exact.real import INFINITE, MOST_DIGITS, Certified, Real, exp, log, real, sqrt

from tests.every import every

BOUNDS = st.fractions(1, 5, max_denominator=6)


@st.composite
def law_pairs(draw):
    outcomes = range(draw(st.integers(1, 5)))
    laws = []
    for _ in range(2):
        weights = [draw(st.integers(0, 4)) for _ in outcomes]
        weights[draw(st.sampled_from(outcomes))] += 1
        laws.append({x: Fraction(weight, sum(weights)) for x, weight in zip(outcomes, weights, strict=True)})
    return laws


def point(value):
    """All mass at one value."""
    return rational_law({value: Fraction(1)})


def events(outcomes):
    return (event for size in range(len(outcomes) + 1) for event in combinations(outcomes, size))


def worst_event(upper, lower, bound):
    """max over all events of P[event] - bound * Q[event]."""
    return max(sum(upper[x] for x in event) - bound * sum(lower[x] for x in event) for event in events(list(upper)))


def ends(ball):
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def encloses(ball, value, slack):
    low, high = ends(ball)
    return low - slack <= fraction_of(value) <= high + slack


@given(law_pairs(), BOUNDS)
@settings(deadline=None)
def test_hockey_stick_is_the_worst_event(laws, bound):
    upper, lower = map(rational_law, laws)
    expected = worst_event(*laws, bound)
    assert hockey_stick(upper, lower, real(bound)).exact == expected
    low, high = ends(hockey_stick(upper, lower, real(bound)).ball(60))
    assert low <= expected <= high


@given(law_pairs())
@settings(deadline=None)
def test_total_variation_is_the_worst_event_and_half_the_distance(laws):
    upper, lower = map(rational_law, laws)
    value = hockey_stick(upper, lower, real(1)).exact
    assert value == worst_event(*laws, 1) == worst_event(*reversed(laws), 1)
    assert value == sum(abs(laws[0][x] - laws[1][x]) for x in laws[0]) / 2
    assert hockey_stick(lower, upper, real(1)).exact == value


@pytest.mark.parametrize("text", ["exp(1)", "sqrt(3)", "exp(1/1000)", "exp(5)"])
def test_irrational_bounds(text):
    upper, lower = law_of_binomial(9, real("1/3")), shift(law_of_binomial(9, real("1/3")), 1)
    ball = hockey_stick(upper, lower, real(text)).ball(220)
    with mpmath.workdps(80):
        factor = {
            "exp(1)": mpmath.e,
            "sqrt(3)": mpmath.sqrt(3),
            "exp(1/1000)": mpmath.exp(mpmath.mpf(1) / 1000),
            "exp(5)": mpmath.exp(5),
        }[text]
        masses = [mpmath.binomial(9, x) * mpmath.mpf(2) ** (9 - x) / mpmath.mpf(3) ** 9 for x in range(10)]
        pairs = zip([*masses, 0], [0, *masses], strict=True)
        expected = mpmath.fsum(max(a - factor * b, 0) for a, b in pairs)
        assert encloses(ball, expected, Fraction(1, 10**70))


@every("precision", [24, 53, 200])
@every(("first", "second", "bound"), [("1", "2", "1"), ("1/2", "3", "3/2"), ("4", "1", "exp(1)")])
def test_tails_are_enclosed(first, second, bound, precision):
    """Pois(a) against Pois(b), summed far beyond every tail."""
    ball = hockey_stick(law_of_poisson(real(first)), law_of_poisson(real(second)), real(bound)).ball(precision)
    with mpmath.workdps(90):
        means = [mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator for text in (first, second)]
        factor = mpmath.e if bound == "exp(1)" else mpmath.mpf(Fraction(bound).numerator) / Fraction(bound).denominator
        laws = [[mpmath.exp(-mean) * mean**x / mpmath.factorial(x) for x in range(250)] for mean in means]
        expected = mpmath.fsum(max(p - factor * q, 0) for p, q in zip(*laws, strict=True))
        assert encloses(ball, expected, Fraction(1, 10**80))
        assert ball.rel_accuracy_bits() > precision - 16


def test_a_tail_against_a_finite_law():
    """Pois(1) against Bin(2, 1/2): outside 0, 1, 2 everything is gained."""
    ball = hockey_stick(law_of_poisson(real(1)), law_of_binomial(2, real("1/2")), real(2)).ball(150)
    back = hockey_stick(law_of_binomial(2, real("1/2")), law_of_poisson(real(1)), real(1)).ball(150)
    with mpmath.workdps(80):
        p = [mpmath.exp(-1) / mpmath.factorial(x) for x in range(3)]
        q = [mpmath.mpf(1) / 4, mpmath.mpf(1) / 2, mpmath.mpf(1) / 4]
        gained = 1 - mpmath.fsum(p) + mpmath.fsum(max(a - 2 * b, 0) for a, b in zip(p, q, strict=True))
        lost = mpmath.fsum(max(b - a, 0) for a, b in zip(p, q, strict=True))
        assert encloses(ball, gained, Fraction(1, 10**70))
        assert encloses(back, lost, Fraction(1, 10**70))


def test_joint_laws_and_disjoint_laws():
    one, two = (rational_law({x: Fraction(1, 2) for x in (u, u + 2)}) for u in (0, 1))
    assert hockey_stick(one, two, real(1)).exact == 1
    assert hockey_stick(one, two, real(10**9)).exact == 1
    assert hockey_stick(point(0), point(0), real(1)).exact == 0
    p, q = {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
    upper, lower = ({(x, y): a[x] * b[y] for x, y in product((0, 1), repeat=2)} for a, b in ((p, q), (q, p)))
    first, second = product_law(*map(rational_law, (p, q))), product_law(*map(rational_law, (q, p)))
    assert (
        hockey_stick(first, second, real("3/2")).exact == worst_event(upper, lower, Fraction(3, 2)) == Fraction(3, 16)
    )


def test_a_negative_eps_is_refused():
    with pytest.raises(InputError):
        hockey_stick(point(0), point(1), real("1/2"))


def unit(text, digits):
    """One unit of the last of so many digits of a number."""
    return Fraction(10) ** (Decimal(text).adjusted() - digits + 1)


def check_text(value, lower, upper, digits):
    """Outward, as close as the digits allow, and no more digits than asked for."""
    low, high = Fraction(lower), Fraction(upper)
    assert low <= value <= high
    for text in (lower, upper):
        significant = text.lower().split("e")[0].replace("-", "").replace(".", "").lstrip("0")
        assert len(significant.rstrip("0")) <= digits
    if low != high:
        # 9.99 and 10 are one unit of the smaller of the two apart
        assert high - low <= max(unit(lower, digits), unit(upper, digits))
        assert low < value < high


RATIONALS = [
    Fraction(1, 3),
    Fraction(-1, 3),
    Fraction(2, 3),
    Fraction(1, 4),
    Fraction(999999, 1000000),
    Fraction(10**40 + 1, 10**40),
    Fraction(-(10**40) - 1, 10**40),
    Fraction(1, 7 * 10**4000),
    Fraction(-1, 10**4000),
    Fraction(22 * 10**4000, 7),
    Fraction(-(10**500) + 1),
    Fraction(123456789),
    Fraction(10**15),
    Fraction(10**16 - 1),
    Fraction(1, 10**5),
    Fraction(1, 10**6),
    Fraction(99999, 10**10),
    Fraction(4265, 262144),
]


@every("digits", [*range(1, 51)])
def test_exact_numbers_are_rounded_outward(digits):
    for value in RATIONALS:
        check_text(value, *Certified.of(value).enclosure(digits), digits)


@given(
    st.integers(-(10**30), 10**30),
    st.integers(1, 10**30),
    st.integers(-60, 60),
    st.integers(1, 50),
)
@settings(deadline=None, max_examples=300)
def test_any_rational_is_rounded_outward(numerator, denominator, exponent, digits):
    value = Fraction(numerator, denominator) * Fraction(10) ** exponent
    lower, upper = Certified.of(value).enclosure(digits)
    if value == 0:
        assert (lower, upper) == ("0", "0")
    else:
        check_text(value, lower, upper, digits)


@given(st.integers(1, 10**12), st.integers(-40, 40), st.integers(12, 50), st.booleans())
@settings(deadline=None)
def test_a_number_of_few_digits_is_shown_exactly(mantissa, exponent, digits, negative):
    value = (-1 if negative else 1) * mantissa * Fraction(10) ** exponent
    lower, upper = Certified.of(value).enclosure(digits)
    assert lower == upper
    assert Fraction(lower) == value


@every("digits", [1, 2, 3, 10, 17, 50, 400])
@every(
    ("number", "expected"),
    [
        (sqrt(real(2)), lambda: mpmath.sqrt(2)),
        (-exp(real("1/3")), lambda: -mpmath.exp(mpmath.mpf(1) / 3)),
        (exp(real(-10000)), lambda: mpmath.exp(-10000)),
        (exp(real(10000)), lambda: mpmath.exp(10000)),
        (-exp(real(-9210)), lambda: -mpmath.exp(-9210)),
        (log(real(2)) / 10**9, lambda: mpmath.log(2) / 10**9),
    ],
)
def test_irrational_numbers_are_rounded_outward(number, expected, digits):
    lower, upper = Certified.of(number).enclosure(digits)
    with mpmath.workdps(900):
        value = fraction_of(expected())
    check_text(value, lower, upper, digits)


def test_a_tiny_number_beside_a_large_ball():
    """A ball that never separates from 0 has lower end 0 where the number can't be negative."""

    def evaluate(precision):
        with ctx.workprec(precision):
            return arb(0, arb(2) ** -60)

    assert Certified(evaluate, nonnegative=True).enclosure(3)[0] == "0"
    lower, upper = Certified(evaluate).enclosure(3)
    assert Fraction(lower) <= -Fraction(1, 2**60) < Fraction(1, 2**60) <= Fraction(upper) < Fraction(1, 2**59)
    with pytest.raises(Undecided):
        Certified(evaluate, nonnegative=True).decide(0)
    assert Certified(evaluate).decide(Fraction(1, 2**58)) == -1
    assert Certified(evaluate).decide(real("-1e-17")) == 1


@pytest.mark.parametrize("digits", [0, -1, MOST_DIGITS + 1, 10**9])
def test_digits_that_cannot_be_shown_are_refused(digits):
    for value in (Certified.of(1), INFINITE, Certified.of(sqrt(real(2)))):
        with pytest.raises(ParameterError, match="digits"):
            value.enclosure(digits)


@given(st.fractions(max_denominator=50), st.fractions(max_denominator=50))
def test_decisions_between_rationals(first, second):
    expected = (first > second) - (first < second)
    assert Certified.of(first).decide(second) == expected
    assert Certified.of(first).decide(Real(second)) == expected


def test_decisions_between_close_numbers():
    root = Certified.of(sqrt(real(2)))
    with mpmath.workdps(3000):
        close = Fraction(int(mpmath.floor(mpmath.sqrt(2) * mpmath.mpf(10) ** 2900)), 10**2900)
    assert root.decide(close) == 1
    assert root.decide(close + Fraction(1, 10**2900)) == -1
    assert root.decide(exp(real(1))) == -1
    assert Certified.of(2).decide(exp(real(1))) == -1
    assert INFINITE.decide(10**100) == 1
    assert not INFINITE.ball(53).is_finite()


def test_a_value_that_is_the_target_is_not_decided_by_balls():
    same = Certified((sqrt(real(2)) * sqrt(real(3))).ball)
    with pytest.raises(Undecided):
        same.decide(sqrt(real(6)))
