"""The Skellam sum: the law of a difference of two Poisson draws, from products of their masses."""

from fractions import Fraction

import mpmath
from panshuffle.exact.numbers.real import real
from panshuffle.protocols.skellam import Skellam

from tests.brute_force.case import Case

DATA = (1, 0, 1)


def view(lam, n=3, data=DATA):
    record = Skellam(n, real(lam))
    return lambda coins: record.release(data, coins)


def difference(mean, total, most=60):
    """total + Pois(mean) - Pois(mean), rounded down at 40 digits."""
    with mpmath.workdps(60):
        masses = [mpmath.exp(-mean) * mpmath.mpf(mean) ** x / mpmath.factorial(x) for x in range(most)]
        law = {}
        for x, a in enumerate(masses):
            for y, b in enumerate(masses):
                law[total + x - y] = law.get(total + x - y, 0) + a * b
        return {outcome: Fraction(int(mass * 10**40), 10**40) for outcome, mass in law.items() if mass > 1e-30}


def one_draw(coins):
    return 2 + coins.poisson(real(2))


CASES = {
    "lam = 4": Case(
        view("4"),
        difference(2, 2),
        {"lam = 5": view("5"), "half of it": view("2"), "one draw": one_draw, "zeros counted": view("4", 3, (0, 1, 0))},
        enumerable=False,
        runs=40_000,
    ),
    "a third of the users": Case(
        view("6", 6, (1, 0)),
        difference(1, 1),
        {"the noise of all": view("6", 2, (1, 0)), "as if three were there": view("6", 6, (1, 0, 0))},
        enumerable=False,
        runs=40_000,
    ),
}
