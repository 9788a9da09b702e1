"""Random and extreme parameters: every certified number encloses one that was computed another way.

The other ways are sums over all outcomes, in rationals where E is rational, and in mpmath with at least 60 digits
beyond the largest term elsewhere.  Sizes are those of the default run; the full run has ten times as many points.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from random import Random

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.laws.noise import (
    binomial_lower_ball,
    binomial_mass_ball,
    binomial_upper_ball,
    poisson_lower_ball,
    poisson_upper_ball,
)
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta, binomial_pair_delta_exact, poisson_pool_delta
from panshuffle.exact.pairs.parity_pair import (
    Change,
)
from panshuffle.exact.pairs.poisson_pair import poisson_pair_delta
from panshuffle.exact.real import exp, real
from panshuffle.exact.views.binomial import shift_delta, shift_delta_exact

from tests.every import every
from tests.unit.laws import parity_pool

SIZES = {
    "shift": 900,
    "binomial tails": 900,
    "poisson tails": 300,
    "binomial pair": 350,
    "poisson pool": 150,
    "parity pool": 300,
    "parity pair": 80,
    "poisson pair": 60,
}
TINY = Fraction(1, 10**9)
EDGES = [
    TINY,
    1 - TINY,
    Fraction(1, 10**15),
    1 - Fraction(1, 10**15),
    Fraction(1, 2),
    Fraction(1, 3),
    Fraction(0),
    Fraction(1),
]
PRECISIONS = [10, 30, 53, 120]
SLACK = Fraction(1, 10**55)


def ends(ball):
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def mp(value):
    return mpmath.mpf(value.numerator) / value.denominator


def encloses(ball, value):
    """value is a rational, or (lower, upper) where it is known up to that."""
    low, high = ends(ball)
    least, most = value if isinstance(value, tuple) else (value, value)
    return low <= most and least <= high


def some_chance(random):
    if random.random() < 0.3:
        return random.choice(EDGES)
    size = random.choice([7, 100, 10**6])
    return Fraction(random.randint(1, size - 1), size)


def some_factor(random):
    """(E as a Real, E as a rational or None, eps as a rational)."""
    if random.random() < 0.6:
        e = random.choice(
            [
                Fraction(1),
                1 + TINY,
                1 + Fraction(random.randint(1, 40), 20),
                Fraction(random.randint(1, 30)),
                Fraction(10) ** random.randint(1, 304),
            ]
        )
        return real(e), e, None
    eps = random.choice(
        [TINY, Fraction(1, 10**5), Fraction(random.randint(1, 400), 100), Fraction(random.randint(5, 700))]
    )
    return exp(real(eps)), None, eps


def positive_parts(pairs, rational, eps):
    """The sum of max(a - E b, 0) over pairs of rationals: exactly, or (lower, upper) from mpmath."""
    if rational is not None:
        return sum((max(a - rational * b, Fraction(0)) for a, b in pairs), Fraction(0))
    with mpmath.workdps(80 + int(eps)):
        factor = mpmath.exp(mp(eps))
        value = fraction_of(mpmath.fsum(max(mp(a) - factor * mp(b), 0) for a, b in pairs))
    return value * (1 - SLACK), value * (1 + SLACK) + SLACK**2


@cache
def binomial_masses(l, p):
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


def some_size(random, most):
    return random.choice([0, 1, 1, 2, 3, random.randint(4, most)])


def accurate(ball, precision):
    return ball.is_zero() or ball.rel_accuracy_bits() >= precision


def sweep(name, factor, check):
    """Runs `check(random)` until so many points, which it counts, have been looked at."""
    random, points = Random(f"panshuffle: {name}"), 0
    while points < SIZES[name] * factor:
        points += check(random)
    return points


def check_shift(random):
    l, p, (e, rational, eps) = some_size(random, 25), some_chance(random), some_factor(random)
    law = binomial_masses(l, p)
    expected = positive_parts(zip([*law, Fraction(0)], [Fraction(0), *law], strict=True), rational, eps)
    precision = random.choice(PRECISIONS)
    ball = shift_delta(l, real(p), e, precision)
    assert encloses(ball, expected), (l, p, e, precision)
    assert accurate(ball, precision)
    if rational is not None:
        assert shift_delta_exact(l, p, rational) == expected
    return 1


def check_binomial_tails(random):
    """All three values at a few points, one incremental sum for all of them."""
    l, p, precision = some_size(random, 60), some_chance(random), random.choice(PRECISIONS)
    below = [Fraction(0)]
    for mass in binomial_masses(l, p):
        below.append(below[-1] + mass)
    xs = {-1, 0, l, l + 1, *(random.randint(0, l) for _ in range(3))}
    for x in xs:
        inside = below[min(max(x + 1, 0), l + 1)]
        mass = binomial_masses(l, p)[x] if 0 <= x <= l else Fraction(0)
        for function, value in (
            (binomial_lower_ball, inside),
            (binomial_mass_ball, mass),
            (binomial_upper_ball, 1 - inside + mass),
        ):
            assert encloses(function(l, real(p), x, precision), value), (function.__name__, l, p, x, precision)
    return 3 * len(xs)


def check_poisson_tails(random):
    mu, precision = some_mean(random, 40), random.choice(PRECISIONS)
    xs = sorted({0, 1, *(random.randint(0, 60) for _ in range(3))})
    with mpmath.workdps(150):
        mass, below, masses = mpmath.exp(-mp(mu)), mpmath.mpf(0), []
        for x in range(xs[-1] + 1):
            masses.append((below, mass))
            below, mass = below + mass, mass * mp(mu) / (x + 1)
        for x in xs:
            before, here = masses[x]
            for function, value in ((poisson_lower_ball, before + here), (poisson_upper_ball, 1 - before)):
                exact = fraction_of(value)
                known = exact - Fraction(1, 10**140), exact + Fraction(1, 10**140)
                assert encloses(function(real(mu), x, precision), known), (function.__name__, mu, x, precision)
    return 2 * len(xs)


def some_mean(random, most):
    return random.choice(
        [TINY, Fraction(1, 100), Fraction(random.randint(1, 40), 20), Fraction(random.randint(1, most))]
    )


def check_binomial_pair(random):
    l, p, (e, rational, eps) = some_size(random, 7), some_chance(random), some_factor(random)
    law = [Fraction(0), *binomial_masses(l, p), Fraction(0)]
    cells = product(range(l + 2), repeat=2)
    expected = positive_parts([(law[x] * law[y + 1], law[x + 1] * law[y]) for x, y in cells], rational, eps)
    precision = random.choice(PRECISIONS)
    ball = binomial_pair_delta(l, real(p), e, precision)
    assert encloses(ball, expected), (l, p, e, precision)
    assert accurate(ball, precision)
    if rational is not None:
        assert binomial_pair_delta_exact(l, p, rational) == expected
    return 1


def check_poisson_pool(random):
    """The double sum, up to 45: for a mean up to 3 less than 1e-28 is left out."""
    mu, (e, rational, eps) = some_mean(random, 3), some_factor(random)
    precision, most = random.choice(PRECISIONS), 45
    digits = 60 + int(eps or 0) + (len(str(int(rational))) if rational is not None else 0)
    with mpmath.workdps(digits):
        factor = mpmath.exp(mp(eps)) if rational is None else mp(rational)
        w = [mpmath.mpf(0), *(mpmath.exp(-mp(mu)) * mp(mu) ** i / mpmath.factorial(i) for i in range(most))]
        gains = (w[x] * w[y + 1] - factor * w[x + 1] * w[y] for y in range(most) for x in range(most))
        value = mpmath.fsum(gain for gain in gains if gain > 0)
        tail = 4 * mp(mu) ** (most - 1) / mpmath.factorial(most - 1)
        known = fraction_of(value) * (1 - SLACK), fraction_of(value + tail) * (1 + SLACK)
    ball = poisson_pool_delta(real(mu), e, precision)
    assert encloses(ball, known), (mu, e, precision)
    assert accurate(ball, precision)
    return 1


@cache
def pool_law(users, holders, m, q):
    """By listing all vectors of messages of each user."""
    law = parity_pool([Fraction(1, 2)] * holders + [(1 - q) / 2] * (users - holders), m)
    return [law.get(x, Fraction(0)) for x in range(users * m + 1)]


def some_share(random):
    return random.choice([Fraction(0), Fraction(1, 2), 1 - TINY, TINY, Fraction(9, 10), Fraction(2, 3)])


def check_parity_pool(random):
    users, m, q = random.choice([1, 1, 2, 3]), random.randint(1, 4), some_share(random)
    holders, gain, precision = random.randint(0, users - 1), random.random() < 0.5, random.choice(PRECISIONS)
    e, rational, eps = some_factor(random)
    more, fewer = pool_law(users, holders + 1, m, q), pool_law(users, holders, m, q)
    pairs = list(zip(more, fewer, strict=True) if gain else zip(fewer, more, strict=True))
    expected = positive_parts(pairs, rational, eps)
    change = Change(users, m, real(q), ways=(gain,))
    ball = change.at((holders,), e, precision)
    assert encloses(ball, expected), (users, holders, m, q, e, gain, precision)
    if rational is not None:
        assert change.exact((holders,), rational) == expected
    return 1


def check_parity_pair(random):
    users, m, q = random.choice([1, 2, 3]), random.randint(1, 3), some_share(random)
    a = random.randint(0, users - 1)
    b, precision = random.randint(0, users - 1 - a), random.choice(PRECISIONS)
    e, rational, eps = some_factor(random)
    laws = [pool_law(users, c, m, q) for c in (a + 1, b, a, b + 1)]
    cells = product(range(users * m + 1), repeat=2)
    expected = positive_parts([(laws[0][x] * laws[1][y], laws[2][x] * laws[3][y]) for x, y in cells], rational, eps)
    ball = Change(users, m, real(q)).at((a, b), e, precision)
    assert encloses(ball, expected), (users, a, b, m, q, e, precision)
    if rational is not None:
        assert Change(users, m, real(q)).exact((a, b), rational) == expected
    return 1


def check_poisson_pair(random):
    """The fourfold sum up to 8 in each count, in whole numbers, and what it leaves out."""
    mu = random.choice([TINY, Fraction(1, 100), Fraction(1, 10), Fraction(random.randint(1, 8), 20)])
    rational, most = random.choice([Fraction(1), 1 + TINY, Fraction(random.randint(3, 20), 2), Fraction(10**100)]), 8
    precision = random.choice([10, 30, 53])
    weights = [Fraction(0), Fraction(1)]
    for i in range(1, most):
        weights.append(weights[-1] * mu / i)
    scale = 5040 * mu.denominator ** (most - 1)
    v = [int(weight * scale) for weight in weights]
    one = [(v[x] * v[y + 1], v[x + 1] * v[y]) for x, y in product(range(most), repeat=2)]
    two = [(b, a) for a, b in one]
    one, two = ([pair for pair in part if any(pair)] for part in (one, two))
    e, d = rational.numerator, rational.denominator
    # the second pool loses a one, and its cells are (ones, zeros), so upper and lower change places
    total = sum(max(d * a * p - e * b * q, 0) for (a, b), (p, q) in product(one, two))
    with mpmath.workdps(70):
        value = mp(Fraction(total, d * scale**4)) * mpmath.exp(-4 * mp(mu))
        tail = 8 * mp(mu) ** (most - 1) / mpmath.factorial(most - 1)
        known = fraction_of(value) * (1 - SLACK), fraction_of(value + tail) * (1 + SLACK)
    assert encloses(poisson_pair_delta(real(mu), real(rational), precision), known), (mu, rational, precision)
    return 1


CHECKS = {
    "shift": check_shift,
    "binomial tails": check_binomial_tails,
    "poisson tails": check_poisson_tails,
    "binomial pair": check_binomial_pair,
    "poisson pool": check_poisson_pool,
    "parity pool": check_parity_pool,
    "parity pair": check_parity_pair,
    "poisson pair": check_poisson_pair,
}


@pytest.mark.parametrize("name", SIZES)
def test_sweep(name, sweep_factor):
    assert sweep(name, sweep_factor, CHECKS[name]) >= SIZES[name] * sweep_factor


def test_the_sweeps_have_as_many_points_as_promised(sweep_factor):
    assert CHECKS.keys() == SIZES.keys()
    assert sum(SIZES.values()) * sweep_factor >= (20_000 if sweep_factor > 1 else 3_000)


@given(
    st.integers(0, 30),
    st.fractions(0, 1, max_denominator=1000),
    st.fractions(1, 50, max_denominator=1000),
    st.integers(4, 200),
)
@settings(deadline=None, max_examples=150)
def test_any_shift(l, p, factor, precision):
    law = binomial_masses(l, p)
    expected = positive_parts(zip([*law, Fraction(0)], [Fraction(0), *law], strict=True), factor, None)
    assert encloses(shift_delta(l, real(p), real(factor), precision), expected)
    assert shift_delta_exact(l, p, factor) == expected


@given(
    st.integers(0, 6),
    st.fractions(0, 1, max_denominator=100),
    st.fractions(1, 50, max_denominator=100),
    st.integers(4, 120),
)
@settings(deadline=None, max_examples=100)
def test_any_pair_of_shifts(l, p, factor, precision):
    law = [Fraction(0), *binomial_masses(l, p), Fraction(0)]
    pairs = [(law[x] * law[y + 1], law[x + 1] * law[y]) for x, y in product(range(l + 2), repeat=2)]
    expected = positive_parts(pairs, factor, None)
    assert encloses(binomial_pair_delta(l, real(p), real(factor), precision), expected)
    assert binomial_pair_delta_exact(l, p, factor) == expected


@given(st.integers(0, 80), st.fractions(0, 1, max_denominator=1000), st.integers(-2, 82), st.integers(4, 200))
@settings(deadline=None, max_examples=150)
def test_any_binomial_tail(l, p, x, precision):
    law = binomial_masses(l, p)
    assert encloses(binomial_lower_ball(l, real(p), x, precision), sum(law[: max(x + 1, 0)], Fraction(0)))
    assert encloses(binomial_upper_ball(l, real(p), x, precision), sum(law[max(x, 0) :], Fraction(0)))


@every("eps", ["1e-9", "1e-3", "1", "30", "700"])
@every("p", [TINY, 1 - TINY, Fraction(1, 2)])
@every("l", [0, 1, 20])
def test_corners_of_the_shift(l, p, eps):
    law = binomial_masses(l, p)
    pairs = list(zip([*law, Fraction(0)], [Fraction(0), *law], strict=True))
    ball = shift_delta(l, real(p), exp(real(eps)), 80)
    assert encloses(ball, positive_parts(pairs, None, Fraction(eps)))


@pytest.mark.parametrize("l", [400, 3000])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 50), Fraction(19, 20)])
def test_tails_of_wide_laws(l, p):
    """From the mean to many standard deviations away, by incremental sums in whole numbers."""
    yes, no = p.numerator, p.denominator - p.numerator
    weights = [comb(l, x) * yes**x * no ** (l - x) for x in range(l + 1)]
    whole, below = p.denominator**l, 0
    spread, points = (l * p * (1 - p)) ** Fraction(1, 2), 0
    wanted = {int(l * p + step * float(spread)) for step in (-12, -6, -3.1, -2.9, -1, 0, 1, 2.9, 3.1, 6, 12)}
    for x, weight in enumerate(weights):
        if x in wanted:
            assert encloses(binomial_upper_ball(l, real(p), x, 90), Fraction(whole - below, whole))
            assert encloses(binomial_lower_ball(l, real(p), x, 90), Fraction(below + weight, whole))
            points += 1
        below += weight
    assert points >= 5
