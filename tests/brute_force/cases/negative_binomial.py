"""The negative binomial mechanism: the tosses of a coin one by one, until the l-th success."""

from fractions import Fraction

import mpmath
from panshuffle.exact.numbers.real import log, real
from panshuffle.protocols.negative_binomial import NegativeBinomial

from tests.brute_force.case import Case

DATA = (1, 0, 1)


def view(l, p, data=DATA):
    record = NegativeBinomial(len(data), l, real(p))
    return lambda coins: record.release(data, coins)


def tossed(l, p, tosses):
    """2 + the failures when the l-th success has come, by the law of the successes after each toss."""
    successes, law = [1, *[0] * (l - 1)], {}
    for toss in range(tosses):
        law[2 + toss + 1 - l] = successes[l - 1] * p
        successes = [successes[i] * (1 - p) + (successes[i - 1] * p if i else 0) for i in range(l)]
    return {outcome: mass for outcome, mass in law.items() if mass}


def irrational(l, tosses):
    """The same for p = 1/e, rounded down at 40 digits."""
    with mpmath.workdps(60):
        law = tossed(l, mpmath.exp(-1), tosses)
        return {outcome: Fraction(int(mass * 10**40), 10**40) for outcome, mass in law.items()}


def counted_from_one(coins):
    return 2 + sum(1 + coins.geometric(log(real("3/2"))) for _ in range(4))


def one_draw(coins):
    return 2 + 4 * coins.geometric(log(real("3/2")))


CASES = {
    "p = 1/3": Case(
        view(4, "1/3"),
        tossed(4, Fraction(1, 3), 80),
        {
            "one success too few": view(3, "1/3"),
            "p = 0.36": view(4, "0.36"),
            "p and 1 - p exchanged": view(4, "2/3"),
            "tosses counted": counted_from_one,
            "one draw for all": one_draw,
        },
        enumerable=False,
        runs=40_000,
    ),
    "p = 1/e": Case(
        view(2, "exp(-1)"),
        irrational(2, 80),
        {"p = 0.4": view(2, "0.4"), "zeros counted": view(2, "exp(-1)", (0, 1, 0))},
        enumerable=False,
        runs=40_000,
    ),
}
