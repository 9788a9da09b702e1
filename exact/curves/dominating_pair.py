"""A finite pair of laws that is at least as bad as a mechanism, from points of the mechanism's certified curve.

Legend: h(E) is the largest delta at E = e^eps >= 1 over all ordered pairs of neighbours, delta_E(P||Q) the sum of
(P - E Q)_+ for any E >= 0.

*Below 1.*  delta_E(P||Q) = 1 - E + E delta_(1/E)(Q||P), so for E < 1 it is at most 1 - E + E h(1/E), because the two
neighbours may be exchanged.  With that, h is a bound for all E >= 0; it is convex, it does not increase, h(0) = 1.

*Chords.*  Given points (E_j, d_j) with h(E_j) <= d_j, the least convex function H through or below them, their
reflections and (0, 1), constant after the last one, is at least h: between two of its corners it is a chord, and h is
below the chord of its own values.

*A pair.*  H is delta_E(P||Q) of a pair: at a corner E > 0 the slope of H jumps by some q, and one outcome has the
masses P = E q, Q = q; one has P = H(infinity), Q = 0 and one P = 0, Q = 1 + H'(0).  All of this is rational.

*Composition.*  Let M_1, M_2 be mechanisms, M_2 chosen with the output y of M_1 in hand, dominated by (P_1, Q_1) and
(P_2, Q_2) in this sense: delta_E(M_i(x)||M_i(x')) <= delta_E(P_i||Q_i) for all E >= 0, all ordered neighbours, and
every y.  With m, m' the laws of y, delta_E of both outputs is the sum over y of m(y) delta_e(M_2(x)||M_2(x')), where
e = E m'(y)/m(y); that is at most the same with (P_2, Q_2), which is delta_E(m x P_2||m' x Q_2), the sum over z of
P_2(z) delta_e(m||m'), e = E Q_2(z)/P_2(z); at most the same with (P_1, Q_1), which is delta_E(P_1 x P_2||Q_1 x Q_2).
Outcomes with m(y) = 0 add nothing, and those with m'(y) = 0 add m(y).  By induction a product of dominating pairs
dominates any number of mechanisms, each chosen after the outputs before it; and as every ordered pair of neighbours is
covered, so is either order of the two.

*Sampling.*  Let every row of the data be left with probability q, and replaced by a fixed one otherwise,
independently.  Given what happens to the others, the view is (1-q) R + q P on one neighbour and (1-q) R + q P' on the
other, R, P and P' being laws of the mechanism on data that differ in one row.  For E' = 1 + q (E - 1) and b = E'/E,
    (1-q) R + q P - E' ((1-q) R + q P') = q (P - E ((1-b) R + b P')),
so delta is at most q ((1-b) delta_E(P||R) + b delta_E(P||P')) <= q h(E): the point (E, d) becomes (E', q d).  If the
mechanism sees a uniformly random subset with the share q of the rows instead, the same holds: R is the law without the
changed row, and a subset without it becomes one with it when a random row of it gives way.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp as float_exp
from math import expm1

from flint import arb
from panshuffle.exact.curves.curve import Curve, EnclosedCurve, is_certified_at_least
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.law import Law, rational_law
from panshuffle.exact.numbers.certified import dyadic, quotient
from panshuffle.exact.numbers.real import Real

Point = tuple[Fraction, Fraction]
"""(E, d): delta is at most d at e^eps = E."""

NODES = 200
"""On thirteen standard deviations of a loss: chords add less than 1/1000 of its variance."""
NEGLIGIBLE = Fraction(1, 1 << 128)
"""A delta that no composition of 10^6 uses brings near anything that is asked for."""
LEAST = NEGLIGIBLE / (1 << 128)
"""A delta below that is rounded up to it."""
SLACK = Fraction(1, 1 << 20)
"""Where delta is so close to its limit, a larger eps brings nothing."""
LARGEST_EPS = 300.0
"""e^eps is a double, and so is its square."""
FIRST_EPS, GROWTH = 2.0**-40, 4.0
EXACT_NODES = 64
"""So many exact points keep a composition exact; more are rounded up."""
BITS = 128


def upper_of(curve: Curve) -> Curve:
    """The curve, or the upper one where it lies between two."""
    return upper_of(curve.above) if isinstance(curve, EnclosedCurve) else curve


def delta_upper(curve: Curve, e: Fraction, exact: bool) -> Fraction:
    """delta at e^eps, rounded up unless it is asked for exactly and known."""
    if exact and curve.exact is not None:
        return curve.exact(e)
    if curve.pure is not None and is_certified_at_least(Real(e), curve.pure):
        return Fraction(0)
    return rounded_up(curve.ball(Real(e), BITS))


def rounded_up(value: arb) -> Fraction:
    """A short rational that is at least a probability."""
    if value.is_zero() or not value < 1:
        return Fraction(0) if value.is_zero() else Fraction(1)
    return LEAST if value < quotient(LEAST) else dyadic(value.upper())


def curve_points(curve: Curve, ratios: Sequence[Fraction] = ()) -> list[Point]:
    """Points of a curve from above: at these e^eps, or on a grid as far as delta matters."""
    found = upper_of(curve)
    nodes = sorted({Fraction(1), *ratios}) if ratios else grid(found)
    exact = len(nodes) <= EXACT_NODES
    return [(node, delta_upper(found, node, exact)) for node in nodes]


def grid(curve: Curve) -> list[Fraction]:
    """e^eps at equal distances of eps, from 1 to where delta is 0, negligible, or at its limit."""
    last = last_eps(curve)
    nodes = {1 + Fraction(expm1(last * i / NODES)) for i in range(NODES + 1)}
    pure = None if curve.pure is None else curve.pure.fraction
    return sorted(node for node in nodes if pure is None or node < pure) + ([] if pure is None else [pure])


def last_eps(curve: Curve) -> float:
    """Roughly the least eps from which on delta does not matter."""
    low, high = FIRST_EPS, FIRST_EPS
    while high < LARGEST_EPS and not is_last(curve, high):
        low, high = high, high * GROWTH
    for _ in range(6):  # to within a few percent
        middle = (low + high) / 2
        low, high = (low, middle) if is_last(curve, middle) else (middle, high)
    return high


def is_last(curve: Curve, eps: float) -> bool:
    """Whether delta is negligible, or next to its limit, at about this eps."""
    value, limit = delta_upper(curve, Fraction(float_exp(eps)), False), rounded_up(curve.limit.ball(BITS))
    return value <= NEGLIGIBLE + limit * (1 + SLACK)


def sampled_points(points: Sequence[Point], q: Real) -> list[Point]:
    """The points where a row takes part with probability q.  *Raises* `ParameterError` for no rational q in (0, 1]."""
    share = q.fraction
    if share is None or not 0 < share <= 1:
        raise ParameterError("sampled", q, "a rational number, above 0 and at most 1")
    return [(1 + share * (node - 1), share * delta) for node, delta in points]


def dominating_pair(points: Sequence[Point]) -> tuple[Law, Law]:
    """The pair of the chords between points of a curve from above.  *Raises* `InputError` where there is no point."""
    if not points:
        raise InputError("a curve without points has no pair")
    corners = hull([(Fraction(0), Fraction(1)), *reflected(points), *falling(points)])
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(corners)] + [Fraction(0)]
    lower = {i: after - before for i, (before, after) in enumerate(pairwise(slopes), start=1)}
    upper = {i: corners[i][0] * mass for i, mass in lower.items()}
    end = len(corners)
    return rational_law({**upper, end: corners[-1][1]}), rational_law({**lower, 0: 1 + slopes[0]})


def falling(points: Sequence[Point]) -> list[Point]:
    """The points by rising E, none above one before it: delta does not increase."""
    found: list[Point] = []
    for node, delta in sorted(points):
        found.append((node, min(delta, found[-1][1]) if found else delta))
    return found


def reflected(points: Sequence[Point]) -> list[Point]:
    """The points at 1/E, for the two neighbours exchanged."""
    return [(1 / node, 1 - (1 - delta) / node) for node, delta in reversed(falling(points)) if node > 1]


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the largest convex function below the points, which come by rising E."""
    found: list[Point] = []
    for x, y in points:
        while len(found) > 1 and is_above(found[-2], found[-1], (x, y)):
            found.pop()
        found.append((x, y))
    return found


def is_above(left: Point, middle: Point, right: Point) -> bool:
    """Whether the middle point is on or above the chord of the others."""
    return (middle[1] - left[1]) * (right[0] - left[0]) >= (right[1] - left[1]) * (middle[0] - left[0])
