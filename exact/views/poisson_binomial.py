"""The Poisson-binomial sum: N users send m copies of their bit, each flipped with probability p < 1/2.

Every user sends m coins, so `exact.randomizers.two_messages` has its best events, its bounds and its end.  The shuffled
bits are their number of ones up to a uniform order.  Exchanging 0 and 1 exchanges the directions, and a background with
its mirror image; so one direction is enough.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, View
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.randomizers.enumeration import cost
from panshuffle.exact.randomizers.randomizer import Multiset, Randomizer
from panshuffle.exact.randomizers.shuffled_view import MOST_USERS, shuffled_view
from panshuffle.exact.randomizers.two_messages import Coins, Worst, WorstCurve
from panshuffle.exact.real import Real

MOST_COPIES = 64
"""Each copy is one more mass of R to compute."""
MOST_COST = 100_000
"""Enumeration that takes longer than a tenth of a second a point is slower than branch and bound."""
ENUMERATED = (
    "The shuffled bits are their number of ones up to a uniform order.  Every background of the other users is "
    "enumerated, and exchanging 0 and 1 exchanges the directions."
)
BOUNDED = (
    "The shuffled bits are their number of ones up to a uniform order, and the best event is that there are at least "
    "so many.  Above: backgrounds in which nearly as many users hold 1 are bounded together, by telling the messages "
    "of those that differ; all of them are covered.  Below: this background (users with 1, users with 0), exactly."
)


def check_flip(m: int, p: Real) -> None:
    """*Raises* `ParameterError` unless 1 <= m <= 64 and 0 < p < 1/2."""
    check_count("m", m)
    refuse_if(m > MOST_COPIES, "m", m, f"a whole number from 1 to {MOST_COPIES}")
    refuse_if(not (p > 0 and p < Fraction(1, 2)), "p", p, "above 0 and below 1/2")


def view(users: int, m: int, p: Real) -> View:
    """The view of N honest users.

    >>> from panshuffle.exact.real import real
    >>> view(1, 2, real("1/4")).curve.delta(real(3)).exact
    Fraction(3, 8)
    """
    check_count("n", users)
    check_flip(m, p)
    refuse_if(users * m > MOST_USERS, "n", users, f"such that there are at most {MOST_USERS} messages")
    randomizer = user(m, p)
    if cost(randomizer, users) <= MOST_COST:
        found = shuffled_view(randomizer, users)
        return View(found.view.curve, ALL_NEIGHBOURS, ENUMERATED)
    worst = Worst([Coins(1 - p, p, m)], users)
    curve = WorstCurve.of(worst, ((1 - p) / p) ** m)

    def held(exp_eps: Real | None) -> tuple[int, int] | None:
        place = None if exp_eps is None else worst.best(exp_eps)
        return None if place is None else (place.ones, place.zeros)

    return View(curve, ALL_NEIGHBOURS, BOUNDED, background_at=held, two_sided=True)


def user(m: int, p: Real) -> Randomizer:
    """One user, as a randomizer."""
    flipped, kept = ([comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(m + 1)] for q in (p, 1 - p))

    def law(masses: list[Real]) -> dict[Multiset, Real]:
        return {(m - i, i): mass for i, mass in enumerate(masses)}

    return Randomizer(("0", "1"), ("0", "1"), (law(flipped), law(kept)))
