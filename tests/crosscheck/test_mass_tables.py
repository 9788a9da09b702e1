"""The tables of masses that runs are compared with."""

import math
from fractions import Fraction
from math import comb, factorial

import pytest
from flint import arb, arb_poly, ctx, fmpq
from panshuffle.crosscheck.mass_tables import (
    MassTable,
    binomial,
    ideal_pool,
    image,
    mixture,
    normal,
    parity_pool,
    poisson,
    symmetric_geometric,
)
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real

from tests.conftest import FULL
from tests.unit import laws

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def masses(table, first, last):
    return [float(table.mass(x).mid()) for x in range(first, last + 1)]


def contains(ball, value):
    with ctx.workprec(400):
        return ball.overlaps(arb(fmpq(value.numerator, value.denominator)))


@pytest.mark.parametrize(("n", "p"), [(1, THIRD), (7, Fraction(1, 10)), (30, HALF)])
def test_binomial_tables_enclose_the_exact_masses(n, p):
    table = binomial(n, real(p))
    assert all(contains(table.mass(x), mass) for x, mass in laws.binomial(n, p).items())
    assert not table.possible(-1)
    assert not table.possible(n + 1)


def test_a_large_binomial_table_agrees_with_integers():
    n, x = 100_000, 50_100
    exact = Fraction(comb(n, x), 2**n)
    assert binomial(n, real(HALF)).mass(x).overlaps(arb(comb(n, x)) / arb(2) ** n)
    assert abs(float(binomial(n, real(HALF)).up_to(n // 2).mid()) - 0.5 - comb(n, n // 2) / 2**n / 2) < 1e-12
    assert float(exact) > 0


def test_poisson_and_geometric_tables_sum_to_one_and_agree_with_closed_forms():
    table = poisson(real("7/2"))
    assert all(abs(float(table.mass(x).mid()) - math.exp(-3.5) * 3.5**x / factorial(x)) < 1e-15 for x in range(30))
    assert abs(sum(masses(table, 0, 200)) - 1) < 1e-12
    two_sided = symmetric_geometric(real(THIRD))
    assert all(abs(float(two_sided.mass(x).mid()) - 0.5 * 3.0 ** -abs(x)) < 1e-15 for x in range(-20, 20))


@pytest.mark.parametrize(("users", "holders", "m"), [(1, 0, 1), (2, 1, 3), (3, 3, 2), (4, 2, 3)])
def test_parity_pools_agree_with_listing_all_vectors(users, holders, m):
    table = parity_pool(users, holders, m, real(THIRD), real(0))
    flips = [HALF] * holders + [THIRD] * (users - holders)
    exact = laws.parity_pool(flips, m)
    assert all(contains(table.mass(x), exact.get(x, Fraction(0))) for x in range(users * m + 1))


@pytest.mark.parametrize(("users", "m", "q"), [(6, 5, HALF), (9, 4, Fraction(9, 10)), (5, 7, Fraction(-1))])
def test_large_parity_pools_enclose_what_the_polynomial_gives(users, m, q):
    exact = parity_pool(users, 1, m, real(q), real(0))
    rough = ideal_pool(users, m, [(users - 1, real(q).ball(160)), (1, arb(0))])
    assert all(rough.mass(x).overlaps(exact.mass(x)) for x in range(users * m + 1))
    assert all(rough.mass(x).upper() >= exact.mass(x).lower() for x in range(users * m + 1))


@pytest.mark.parametrize(("users", "m"), [(60, 30), (700, 3), (900, 2)])
def test_what_is_absurd_is_known_to_be_in_large_parity_pools(users, m):
    """The bounds far out and on a parity that is all but excluded hold, and are not far above the truth."""
    q = 1 - Fraction(1, 10**40)
    with ctx.workprec(users * m + 500):
        plus, minus, sign = arb_poly([0.5, 0.5]) ** m, arb_poly([0.5, -0.5]) ** m, real(q).ball_here()
        exact = (plus + minus * arb_poly([sign])) ** users
    with ctx.workprec(160):
        table = ideal_pool(users, m, [(users, real(q).ball_here())])
    spread, middle = math.sqrt(users * m * (2 if m == 2 else 1)) / 2, users * m // 2
    for x in (middle + 1 - middle % 2, *(round(middle + side * spread * far) for far in (9, 13) for side in (1, -1))):
        assert exact[x].lower() <= table.mass(x).upper()
        assert table.mass(x).upper() < (1e-36 if x % 2 else exact[x].upper() ** arb(0.8))
    listed = sum((exact[x] for x in range(table.first, table.first + len(table.masses))), arb(0))
    assert 1 - listed.upper() <= table.tail


def test_tails_are_bounded_by_their_own_size():
    """What the tables leave out is about 1e-304 in place of what rounding leaves of 1."""
    coins = 5000 if FULL else 2000
    exact = [Fraction(comb(coins, x), 2**coins) for x in range(coins + 1)]
    table = binomial(coins, real(HALF))
    left = sum(exact[: table.first]) + sum(exact[table.first + len(table.masses) :])
    assert 0 < left < Fraction(1, 10**300)
    with ctx.workprec(400):
        assert arb(fmpq(left.numerator, left.denominator)) <= table.tail < 1e-299
    rare = poisson(real(9))
    last = rare.first + len(rare.masses) - 1
    with ctx.workprec(400):
        after = (-arb(9)).exp() * arb(9) ** (last + 1) / arb(factorial(last + 1))
        assert after <= rare.tail < 1e-300


def test_sums_mixtures_and_images_enclose_those_of_fractions():
    first, second = laws.binomial(3, THIRD), laws.binomial(4, HALF)
    exact = laws.image(laws.independent(first, second), sum)
    table = binomial(3, real(THIRD)).plus(binomial(4, real(HALF)))
    assert all(contains(table.mass(x), mass) for x, mass in exact.items())
    both = mixture([(THIRD, binomial(3, real(THIRD))), (1 - THIRD, binomial(4, real(HALF)))])
    assert all(contains(both.mass(x), THIRD * first.get(x, 0) + (1 - THIRD) * second.get(x, 0)) for x in range(5))
    parity = image(table, lambda x: x % 2)
    assert contains(parity.mass(0), sum(mass for x, mass in exact.items() if x % 2 == 0))
    poisson_even = image(poisson(real(2)), lambda x: x % 2).mass(0)
    assert poisson_even.overlaps(((-arb(4)).exp() + 1) / 2)


def test_alternatives_sum_to_at_most_one():
    assert sum(masses(normal(3.0, 2.0), -40, 40)) <= 1


@pytest.mark.long
def test_tables_refuse_what_is_too_large():
    with pytest.raises(InputError):
        binomial(10**14, real(HALF))
    assert isinstance(binomial(10**6 if FULL else 10**5, real(HALF)), MassTable)
