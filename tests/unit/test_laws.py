"""The laws of `exact.laws` against naive second constructions: lists of all outcomes, and mpmath."""

from fractions import Fraction
from itertools import product
from math import prod

import mpmath
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws import law as operations
from panshuffle.exact.laws.integer_law import binomial_floor, law_of_masses
from panshuffle.exact.laws.law import (
    law_of_bernoulli,
    law_of_binomial,
    law_of_poisson,
    rational_law,
)
from panshuffle.exact.laws.noise import binomial_law, walk
from panshuffle.exact.laws.pool_law import Ones, Shares
from panshuffle.exact.real import exp, real, sqrt

from tests.every import every

CHANCES = st.fractions(0, 1, max_denominator=9)


def ends(ball):
    """The exact ends of a ball."""
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def encloses(ball, value):
    low, high = ends(ball)
    return low <= value <= high


def near(ball, value, digits=60):
    """Whether a ball, widened by the rounding of an mpmath value of so many digits, contains that value."""
    low, high = ends(ball)
    slack = abs(fraction_of(value)) / 10**digits
    return low - slack <= fraction_of(value) <= high + slack


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def positive(law):
    return {outcome: mass for outcome, mass in law.items() if mass}


def all_coins(n, p):
    """Every vector of n coins with its mass."""
    return {bits: prod((p if bit else 1 - p for bit in bits), start=Fraction(1)) for bits in product((0, 1), repeat=n)}


def collected(pairs):
    law = {}
    for outcome, mass in pairs:
        law[outcome] = law.get(outcome, Fraction(0)) + mass
    return positive(law)


@st.composite
def small_laws(draw):
    outcomes = draw(st.lists(st.integers(-3, 6), min_size=1, max_size=4, unique=True))
    weights = [draw(st.integers(0, 5)) for _ in outcomes]
    weights[0] += 1
    return {outcome: Fraction(weight, sum(weights)) for outcome, weight in zip(outcomes, weights, strict=True)}


@given(st.integers(0, 6), CHANCES)
@settings(deadline=None)
def test_binomial_is_the_number_of_ones_of_all_coin_vectors(n, p):
    expected = collected((sum(bits), mass) for bits, mass in all_coins(n, p).items())
    law = law_of_binomial(n, real(p))
    assert law.exact == expected
    assert law.mass(-1) == law.mass(n + 1) == 0
    assert law_of_bernoulli(real(p)).exact == positive({0: 1 - p, 1: p})


@every("m", range(1, 8))
@every("u", [0, 1])
def test_shares_are_uniform_among_vectors_of_one_parity(m, u):
    vectors = [bits for bits in product((0, 1), repeat=m) if sum(bits) % 2 == u]
    law = Ones(0, ((Shares(real(1 - 2 * u), m), 1),)).law()
    assert law.exact == collected((sum(bits), Fraction(1, len(vectors))) for bits in vectors)


@given(small_laws(), small_laws(), st.integers(-4, 4), st.integers(1, 4))
@settings(deadline=None)
def test_operations_are_sums_over_all_pairs(first, second, by, modulus):
    left, right = rational_law(first), rational_law(second)
    pairs = [((x, y), a * b) for x, a in first.items() for y, b in second.items()]
    assert operations.product(left, right).exact == collected(pairs)
    assert operations.shift(left, by).exact == positive({x + by: mass for x, mass in first.items()})
    weight = Fraction(1, modulus)
    mixed = collected(
        [*((x, weight * m) for x, m in first.items()), *((x, (1 - weight) * m) for x, m in second.items())]
    )
    assert operations.mixture(weight, left, right).exact == mixed


def test_products_of_three_laws():
    shares = rational_law({1: Fraction(3, 4), 3: Fraction(1, 4)})
    laws = [law_of_binomial(2, real("1/3")), shares, rational_law({5: Fraction(1)})]
    assert operations.product(*laws).mass((1, 3, 5)) == Fraction(4, 9) * Fraction(1, 4)
    assert operations.product(laws[0]).exact == {(0,): Fraction(4, 9), (1,): Fraction(4, 9), (2,): Fraction(1, 9)}


@every("precision", [20, 53, 240])
@every("text", ["1/1000", "1/3", "2", "exp(1)", "17/2", "60"])
def test_poisson_masses_and_tail(text, precision):
    masses = law_of_poisson(real(text)).enclose(precision)
    with mpmath.workdps(100):
        mean = mpmath.e if text == "exp(1)" else mpmath.mpf(Fraction(text).numerator) / Fraction(text).denominator
        exact = [mpmath.exp(-mean) * mean**x / mpmath.factorial(x) for x in range(len(masses.listed))]
        assert list(masses.listed) == list(range(len(exact)))
        assert all(near(masses.listed[x], value, 80) for x, value in enumerate(exact))
        rest = fraction_of(1 - mpmath.fsum(exact))
        check_tail(masses, rest, precision)


def check_tail(masses, rest, precision):
    """The tail is a bound on the rest that is not absurdly large, and all listed masses and the rest make 1."""
    low, high = (sum(part) for part in zip(*map(ends, masses.listed.values()), strict=True))
    assert ends(masses.tail)[1] >= rest - Fraction(1, 10**90)
    assert low <= 1 <= high + ends(masses.tail)[1]
    assert ends(masses.tail)[1] <= 400 * Fraction(1, 2**precision)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_binomial_with_an_irrational_chance(n):
    law = law_of_binomial(n, sqrt(real("1/2")))
    assert law.exact is None
    masses = law.enclose(200)
    assert masses.tail == 0
    with mpmath.workdps(90):
        p = mpmath.sqrt(mpmath.mpf(1) / 2)
        assert set(masses.listed) == set(range(n + 1))
        for x, ball in masses.listed.items():
            assert near(ball, mpmath.binomial(n, x) * p**x * (1 - p) ** (n - x), 80)
            assert ball.rel_accuracy_bits() > 180


def test_operations_on_enclosed_laws():
    """The shift, a product and a mixture of Bin(4, 1/e), against mpmath."""
    p = exp(real(-1))
    moved = operations.shift(law_of_binomial(4, p), 3).enclose(220)
    joint = operations.product(law_of_binomial(1, p), law_of_binomial(4, p)).enclose(220)
    third = Fraction(1, 3)
    mixed = operations.mixture(third, rational_law({0: Fraction(1)}), law_of_binomial(4, p)).enclose(220)
    with mpmath.workdps(90):
        q = mpmath.exp(-1)
        masses = [mpmath.binomial(4, x) * q**x * (1 - q) ** (4 - x) for x in range(5)]
        for x, mass in enumerate(masses):
            assert near(moved.listed[x + 3], mass, 80)
            assert near(joint.listed[1, x], q * mass, 80)
            assert near(mixed.listed[x], (2 * mass + (x == 0)) / 3, 80)


@pytest.mark.parametrize(
    "masses",
    [{}, {0: Fraction(1, 2)}, {0: Fraction(3, 2), 1: Fraction(-1, 2)}, {0: Fraction(1), 1: Fraction(1, 10**30)}],
)
def test_masses_that_are_no_law_are_refused(masses):
    with pytest.raises(InputError, match="sum to 1"):
        rational_law(masses)


def test_outcomes_of_mass_zero_are_not_in_the_support():
    law = rational_law({2: Fraction(0), 1: Fraction(1, 3), 0: Fraction(2, 3)})
    assert sorted(law.exact) == [0, 1]
    assert 2 not in law.enclose(53).listed


def test_a_law_cannot_be_changed():
    masses = {0: Fraction(1)}
    law = rational_law(masses)
    masses[0] = Fraction(2)
    assert law.mass(0) == 1
    with pytest.raises(TypeError):
        law.exact[0] = Fraction(2)


@every(
    "call",
    [
        lambda: law_of_bernoulli(real("5/4")),
        lambda: law_of_bernoulli(real("-1/4")),
        lambda: law_of_bernoulli(sqrt(real(2))),
        lambda: law_of_binomial(-1, real("1/2")),
        lambda: law_of_poisson(real(0)),
        lambda: law_of_poisson(real(-1)),
    ],
)
def test_parameters_outside_their_domain_are_refused(call):
    with pytest.raises(ParameterError):
        call()


@every(
    "call",
    [
        lambda: law_of_poisson(real(1)).mass(0),
    ],
)
def test_what_has_no_answer_is_refused(call):
    with pytest.raises(InputError):
        call()


def binomial_masses(n, p):
    """Bin(n, p) by adding one coin after another."""
    masses = {0: Fraction(1)}
    for _ in range(n):
        longer = {}
        for x, mass in masses.items():
            longer[x] = longer.get(x, 0) + mass * (1 - p)
            longer[x + 1] = longer.get(x + 1, 0) + mass * p
        masses = longer
    return masses


@every("start", [0, 3, 9])
@every("step", [1, -1])
def test_a_walk_along_binomial_noise(start, step):
    masses = binomial_masses(9, Fraction(2, 7))
    with ctx.workprec(120):
        found = list(walk(binomial_law(9, real("2/7"), 120), start, step))
    wanted = [masses[x] for x in range(start, 10 if step > 0 else -1, step)]
    assert len(found) == len(wanted)
    assert all(
        encloses(ball, mass) and ball.rel_accuracy_bits() > 100 for ball, mass in zip(found, wanted, strict=True)
    )


@given(st.integers(0, 12), CHANCES, st.integers(4, 40))
@settings(max_examples=60, deadline=None)
def test_binomial_bounds_from_below(n, p, bits):
    law, masses = binomial_floor(n, real(p), bits), binomial_masses(n, p)
    assert all(0 <= int(q) <= masses.get(x, 0) * 2**bits for x, q in law.items())
    assert all(int(dict(law.items()).get(x, 0)) >= mass * 2**bits - 2 for x, mass in masses.items())
    for least in range(-1, n + 2):
        assert encloses(law.chance(least), sum(mass for x, mass in masses.items() if x >= least))


@given(st.dictionaries(st.integers(-3, 3), st.integers(1, 20), min_size=1, max_size=4), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_sums_images_and_cuts_stay_below(weights, count):
    """Every operation on lower bounds gives lower bounds, and a mass is at most its bound and all that is missing."""
    total, bits = sum(weights.values()), 24
    step = {x: Fraction(w, total) for x, w in weights.items()}
    bounds = {x: (w << bits) // total for x, w in weights.items()}
    masses = {0: Fraction(1)}
    for _ in range(count):
        longer = {}
        for (x, a), (y, b) in product(masses.items(), step.items()):
            longer[x + y] = longer.get(x + y, 0) + a * b
        masses = longer
    law = law_of_masses(bounds, bits).times(count, cut=8)
    squares = {}
    for x, mass in masses.items():
        squares[x * x] = squares.get(x * x, 0) + mass
    higher = {x + 2: mass for x, mass in masses.items()}
    pairs = [(law, masses), (law.image(lambda x: x * x), squares), (law.above(5), masses), (law.moved(2), higher)]
    for found, true in pairs:
        listed = dict(found.items())
        missing = 2**bits - found.total()
        assert all(int(q) <= true.get(x, 0) * 2**bits for x, q in listed.items())
        assert all(mass * 2**bits <= int(listed.get(x, 0)) + missing for x, mass in true.items())
    assert law.added(law).total() == 2 * law.total()


def test_masses_of_coins_that_nearly_always_show_one():
    masses = law_of_binomial(3, real("1-exp(-100)")).enclose(64).listed
    with mpmath.workdps(200):
        rare = mpmath.exp(-100)
        for x, mass in masses.items():
            truth = mpmath.binomial(3, x) * (1 - rare) ** x * rare ** (3 - x)
            assert abs(mpmath.mpf(mass.mid().str(80, radius=False)) / truth - 1) < 1e-15
