"""A pool of the distinct elements protocol: the number of ones among the messages of all users."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from flint import arb, ctx
from panshuffle.crosscheck.court.family import DELTA, PRECISION, Bounds, Case, Family
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.real import Real, real
from panshuffle.exact.views.distinct_elements import pool_curve


def pool_law(users: int, holders: int, m: int, q: Fraction) -> list[Fraction]:
    """The law of the pool, one user after the other: a holder's parity is a fair bit, another's 1 with (1-q)/2."""
    total = [Fraction(1)]
    for user in range(users):
        odd = Fraction(1, 2) if user < holders else (1 - q) / 2
        one = [comb(m, x) * (odd if x % 2 else 1 - odd) / 2 ** (m - 1) for x in range(m + 1)]
        folded = [Fraction(0)] * (len(total) + m)
        for x, mass in enumerate(total):
            for y, other in enumerate(one):
                folded[x + y] += mass * other
        total = folded
    return total


def second(case: Case, exp_eps: Real) -> Bounds:
    """The sum of the positive parts over the laws that are convolved user by user, in rationals."""
    users, holders, m, q = (Fraction(case[letter]) for letter in ("users", "holders", "m", "q"))
    upper, lower = (pool_law(int(users), int(holders) + more, int(m), q) for more in (1, 0))
    with ctx.workprec(PRECISION):
        factor = exp_eps.ball_here()
        gains = [real(p).ball_here() - factor * real(r).ball_here() for p, r in zip(upper, lower, strict=True)]
        return Bounds.of(sum((gain.nonnegative_part() for gain in gains), arb(0)))


def check(case: Case) -> None:
    """*Raises* `ParameterError` for too many holders, or a pool that is too large."""
    if case["holders"] >= case["users"]:
        raise ParameterError("holders", case["holders"], f"at most {case['users'] - 1}")
    if case["users"] * case["m"] > 400:
        raise ParameterError("users", case["users"], "such that users * m is at most 400")


FAMILY = Family(
    __name__,
    3,
    "ones among m messages of each user; holders send uniform bits, the others bits whose parity is 1 with "
    "probability (1-q)/2; one more user becomes a holder",
    {"users": 1, "holders": 0, "m": 1, "q": 0.0},
    lambda case: pool_curve(case["users"], case["holders"], case["m"], case.exact("q"), True),
    second,
    "the generating function of the pool, in balls or rationals",
    "the laws of the users convolved one by one, in rationals",
    1,
    below={"q": 1.0},
    check=check,
)
BATTERY = (FAMILY.problem(DELTA, 0.5, quick=True, users=10, holders=1, m=3, q=0.9),)
