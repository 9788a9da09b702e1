"""The Poisson-binomial sum: N users send m copies of their bit, each flipped with probability p < 1/2.

Legend: q1 = 1 - p, q0 = p, E = e^eps, B1 ~ Bin(m, q1), B0 ~ Bin(m, q0), W the ones of the other users, g its law.

*The best event.*  The shuffled bits are their number of ones up to a uniform order.  g is log-concave, so W + B1 has a
monotone likelihood ratio to W + B0, and the best event is a tail:
    D(t) = P[W + B1 >= t] - E P[W + B0 >= t] = (the sum of A_j g(t-j) over 1 <= j <= m) - (E-1) P[W >= t],
A_j = P[B1 >= j] - E P[B0 >= j].  D rises up to the first t with P[W + B1 = t] > E P[W + B0 = t], and falls then.
Exchanging 0 and 1 exchanges the directions, and a background with its mirror image; so one direction is enough.

*Backgrounds.*  As in `two_messages`, showing the messages of some users leaves the curve of the others, which bounds
many backgrounds at once.  With e = E^(1/m) and r = 1 + (e-1)/(q1 - e q0) the law R(i) = g(i) r^i / C is centred where
the best event begins, up to m, and
    D(t) = C r^-t ((the sum of A_j r^j R(t-j)) - (E-1) (the sum of R(t+i) r^-i over i >= 0)).

*The end.*  The ratio of the masses of an outcome is at most (q1/q0)^m, which N m ones have; from there on delta is 0,
and before it at most 1 - E (q0/q1)^m.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import arb, ctx

from exact.curves.curve import ALL_NEIGHBOURS, View
from exact.errors import ParameterError, Undecided
from exact.laws.noise import BinomialLaw
from exact.numbers.real import Real
from exact.parameters import check_count
from exact.randomizers.enumeration import cost
from exact.randomizers.randomizer import Multiset, Randomizer
from exact.randomizers.shuffled_view import MOST_USERS, shuffled_view
from exact.randomizers.two_messages import BITS, Coins, Tilted, Worst, WorstCurve

MOST_COPIES = 64
"""Each copy is one more mass of R to compute."""
MOST_COST = 100_000
"""Enumeration that takes longer than a tenth of a second a point is slower than branch and bound."""
NEAR = 3
"""So many places on either side of where the best event is expected to begin are looked at."""
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
    if m > MOST_COPIES:
        raise ParameterError("m", m, f"a whole number from 1 to {MOST_COPIES}")
    if not (p > 0 and p < Fraction(1, 2)):
        raise ParameterError("p", p, "above 0 and below 1/2")


def view(users: int, m: int, p: Real) -> View:
    """The view of N honest users.

    >>> from exact.numbers.real import real
    >>> view(1, 2, real("1/4")).curve.delta(real(3)).exact
    Fraction(3, 8)
    """
    check_count("n", users)
    check_flip(m, p)
    if users * m > MOST_USERS:
        raise ParameterError("n", users, f"such that there are at most {MOST_USERS} messages")
    randomizer = user(m, p)
    if cost(randomizer, users) <= MOST_COST:
        found = shuffled_view(randomizer, users)
        return View(found.view.curve, ALL_NEIGHBOURS, ENUMERATED)
    worst = Worst([Copies(1 - p, p, m)], users)
    curve = WorstCurve(
        lambda exp_eps, precision: curve.delta(exp_eps).ball(precision), None, ((1 - p) / p) ** m, worst=worst
    )

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


@dataclass(frozen=True)
class Copies(Coins):
    """The probabilities of a one, the larger for `upper`, of each of m bits of a user."""

    m: int

    def delta(self, ones: int, zeros: int, factor: arb) -> arb:
        """delta where so many of the others hold 1 and so many 0, at e^eps = factor."""
        with ctx.workprec(BITS):
            high, low = self.balls
            root = (factor.log() / self.m).exp()
            edge = high - root * low
            if edge <= 0:
                return arb(0)
            if not edge > 0:
                return arb(0).union((1 - factor * (low / high) ** self.m).nonnegative_part().upper())
            coins = ((high, self.m * ones), (low, self.m * zeros))
            return self.best(Tilted.of(coins, 1 + (root - 1) / edge), factor)

    def best(self, tilted: Tilted, factor: arb) -> arb:
        """The largest D(t).  *Raises* `Undecided` where R's masses don't show that the first t is among those tried."""
        m, r = self.m, tilted.ratio
        half, centre = tilted.half_period() + m, int(tilted.mean)
        values, omitted = tilted.transform(half, centre)
        outside = tilted.outside(half - 4 - m)
        doubt = arb(0).union(outside) + 2 * omitted * arb(0, 1)
        first = self.middle(r) - NEAR
        last = first + 2 * NEAR
        masses = {i: tilted.mass(values, half, i, doubt) for i in range(first - 1 - m, last + 1)}
        gains, tails = weights(self, factor, r)

        def excess(place: int) -> arb:
            return sum((weight * masses[place - i] for i, weight in enumerate(gains)), arb(0))

        tried = [excess(place) for place in range(first - 1, last + 1)]
        begins = centre + first <= 0 or any(value <= 0 for value in tried)
        if not (begins and (centre + last > tilted.users + m or any(value >= 0 for value in tried))):
            raise Undecided("the masses of a sum of bits are not told apart")
        rest = tilted.tail(values, half, last + 1, outside, omitted)
        found = arb(0)
        for place in range(last, first - 1, -1):
            rest = masses[place] + rest / r
            ahead = sum((weight * masses[place - j] for j, weight in enumerate(tails, start=1)), arb(0))
            found = found.max(tilted.constant * r ** -(centre + place) * (ahead - (factor - 1) * rest))
        return found

    def middle(self, r: arb) -> int:
        """About how many ones of the m the changed user adds where the best event begins, under both laws tilted."""
        high, low = self.balls
        return int(float(self.m * sum((q * r / (1 - q + q * r) for q in (high, low)), arb(0))) / 2)


def weights(copies: Copies, factor: arb, r: arb) -> tuple[list[arb], list[arb]]:
    """(P[B1 = i] - E P[B0 = i]) r^i for i = 0, ..., m, and A_j r^j for j = 1, ..., m."""
    m, (above, below) = copies.m, [BinomialLaw(copies.m, q, 1 - q) for q in copies.balls]
    gains = [above.mass(i) - factor * below.mass(i) for i in range(m + 1)]
    tails = [sum(gains[j:], arb(0)) for j in range(1, m + 1)]
    return [gain * r**i for i, gain in enumerate(gains)], [tail * r**j for j, tail in enumerate(tails, start=1)]
