"""The composition of mechanisms, each given by its pair of laws and a number of uses: certified from both sides.

delta(E) is the sum over tuples of outcomes, one for each use, of max(prod upper - E prod lower, 0).  Outcomes with one
ratio upper/lower are merged; a tuple counts through its type, how often each ratio of each mechanism occurs in it.  Few
types are summed, exactly or in balls.  Where there are many, write the loss of an outcome as ln(upper/lower): the sum
over tuples of finite loss is the mean gain that `mean_gain` encloses from above and from below, for any number of uses
and however small it is.  A tuple with an outcome that its `lower` misses counts in full: 1 - prod (1 - missed mass).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import pairwise, product
from math import ceil, comb, expm1, factorial, inf, log2, prod
from math import exp as float_exp

from flint import arb, ctx
from panshuffle.exact.curves.curve import Curve, EnclosedCurve, is_certified_at_least
from panshuffle.exact.curves.law_pair import LawPair, Mass, pair_curve
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.law import Law, Masses, Number, enclosed_law, mixture, rational_law
from panshuffle.exact.pairs.divergence import check_exp_eps
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.real import Certified, Real, dyadic, exp, log, quotient, real

MOST_TYPES = 20_000
EXACT_TYPES = 2_000
LARGEST_PURE = 1 << 16
NARROWEST = Fraction(1, 10**8)
WIDEST = Fraction(1, 10**6)
PRECISIONS = (128, 256, 512, 1024)
SMALL_BITS = 100


@dataclass(frozen=True)
class Pairs:
    """Masses (upper, lower) of the outcomes that both have; for the others, bounds on what they add.

    `missed` is the mass under upper of outcomes that lower does not list, `doubt` a bound on theirs under lower, and
    `tail` a bound on the mass under upper of all others.  Tuples with a missed outcome gain at least their mass under
    upper less k * doubt * E; those with neither gain what the shared ones do, and at most k * tail more.
    """

    shared: Sequence[tuple[arb, arb]]
    missed: arb
    doubt: arb
    tail: arb

    @property
    def complete(self) -> bool:
        """Whether there is nothing that a higher precision would add."""
        return self.doubt.is_zero() and self.tail.is_zero()

    def without_small(self) -> Pairs:
        """The same with masses below 2^-SMALL_BITS in the tail: a first attempt, for a delta that is not tiny."""
        least = arb(2) ** -SMALL_BITS
        kept = [(p, q) for p, q in self.shared if not p < least]
        dropped = sum((p.upper() for p, _ in self.shared if p < least), arb(0))
        return Pairs(kept, self.missed, self.doubt, self.tail + dropped.upper()) if kept else self


@dataclass(frozen=True)
class Used:
    """A mechanism: the two laws of its view, and how often it is used."""

    upper: Law
    lower: Law
    uses: int

    @cached_property
    def pairs(self) -> Callable[[int], Pairs]:
        """The masses as balls of a given number of bits, remembered: one curve asks for few."""
        return cache(partial(pairs_of, self.upper, self.lower))


def composed_delta(upper: Law, lower: Law, k: int, exp_eps: Real, relative_width: Fraction) -> arb:
    """An enclosure of delta at e^eps for k independent runs of one mechanism, as narrow as asked for where possible.

    *Exactness*: enclosure.  *Raises* as `mixed_delta`.

    >>> from panshuffle.exact.laws.law import law_of_bernoulli
    >>> said, meant = law_of_bernoulli(real("3/4")), law_of_bernoulli(real("1/4"))
    >>> composed_delta(said, meant, 2, real(2), Fraction(1, 10**9)).str(8, radius=False)  # 9/16 - 2 * 1/16
    '0.43750000'
    """
    return mixed_delta([Used(upper, lower, k)], exp_eps, relative_width)


def mixed_delta(parts: Sequence[Used], exp_eps: Real, relative_width: Fraction) -> arb:
    """An enclosure of delta at e^eps for independent runs of several mechanisms, as narrow as asked for where possible.

    Few types (see above) are enclosed to any width; otherwise widths below about 1e-9 are not reached, nor is any where
    the sum of the losses has an atom at eps or where the uses are beyond 10^6: the enclosure is then wider.
    *Exactness*: enclosure.  *Raises* `ParameterError` unless uses >= 1, e^eps >= 1 and 0 < relative_width < 1.
    """
    check_exp_eps(exp_eps)
    uses = checked_uses(parts)
    refuse_if(not 0 < relative_width < 1, "relative_width", relative_width, "strictly between 0 and 1")
    best = arb.pos_inf()
    for precision in PRECISIONS:
        bits = precision + ceil(log2(1 / relative_width)) + 2 * uses.bit_length()
        found = [(part.pairs(bits), part.uses) for part in parts]
        if precision == PRECISIONS[0] and all_types(found) > MOST_TYPES:
            found = [(pairs.without_small(), k) for pairs, k in found]
        ball = delta_at(found, exp_eps, relative_width, bits)
        shrinks = not best.is_finite() or ball.rad() < 0.5 * best.rad()
        best = ball if not best.is_finite() or ball.rad() < best.rad() else best
        with ctx.workprec(bits):
            if not shrinks or 2 * best.rad() <= best.lower() * arb(quotient(relative_width)):
                break
        if all(pairs.complete for pairs, _ in found) and all_types(found) > MOST_TYPES:
            break
    return best


def checked_uses(parts: Sequence[Used]) -> int:
    """How many uses there are.  *Raises* `ParameterError` where there are none, or a mechanism has none."""
    for part in parts:
        check_count("k", part.uses)
    check_count("k", sum(part.uses for part in parts))
    return sum(part.uses for part in parts)


def mixed_curve(parts: Sequence[Used]) -> Curve:
    """delta as a function of e^eps for independent runs of several mechanisms.

    *Raises* `InputError` for laws without exact masses (their pure eps is not known).
    """
    checked_uses(parts)
    if any(law.exact is None for part in parts for law in (part.upper, part.lower)):
        raise InputError("the curve of a composition needs laws with exact masses")
    tables = [(*merged(part.upper, part.lower), part.uses) for part in parts]
    size = prod(types(len(shared), k) for shared, _, k in tables)
    exact: Callable[[Fraction], Fraction] | None = None
    if size <= EXACT_TYPES:
        certain = 1 - prod((1 - missed) ** k for _, missed, k in tables)
        exact = lru_cache(maxsize=64)(lambda e: type_sum([(shared, k) for shared, _, k in tables], e) + certain)
    lost = [(missed, k) for _, missed, k in tables if missed]
    ratios = [(max((p / q for p, q in shared), default=Fraction(1)), k) for shared, _, k in tables]
    pure, pure_epsilon = (None, None) if lost else pure_of(ratios)

    @lru_cache(maxsize=64)
    def ball_of_width(exp_eps: Real, width: Fraction) -> arb:
        return mixed_delta(parts, exp_eps, width)

    def ball(exp_eps: Real, precision: int) -> arb:
        narrow = size <= MOST_TYPES
        return ball_of_width(
            exp_eps, Fraction(1, 1 << precision) if narrow else WIDEST if precision < 96 else NARROWEST
        )

    return Curve(ball, exact, pure, pure_epsilon, limit_of(lost))


def pure_of(ratios: Sequence[tuple[Fraction, int]]) -> tuple[Real | None, Callable[[], Certified] | None]:
    """The least e^eps at which delta is 0, the product of the powers of the largest ratios; or its logarithm."""
    bits = sum(k * max(ratio.numerator.bit_length(), ratio.denominator.bit_length()) for ratio, k in ratios)
    if bits <= LARGEST_PURE:
        return real(prod(ratio**k for ratio, k in ratios)), None
    return None, lambda: Certified.of(sum((log(real(ratio)) * k for ratio, k in ratios), real(0)))


def limit_of(lost: Sequence[tuple[Fraction, int]]) -> Real:
    """delta as eps grows: the mass under upper of tuples with a missed outcome."""
    if any(missed == 1 for missed, _ in lost):
        return real(1)
    if sum(k * missed.denominator.bit_length() for missed, k in lost) <= LARGEST_PURE:
        return real(1 - prod((1 - missed) ** k for missed, k in lost))
    return 1 - exp(sum((log(real(1 - missed)) * k for missed, k in lost), real(0)))


def all_types(parts: Sequence[tuple[Pairs, int]]) -> int:
    """How many types there are of tuples of shared outcomes."""
    return prod(types(len(pairs.shared), k) for pairs, k in parts)


def types(ratios: int, k: int) -> int:
    """How many types there are of k-tuples with the given number of ratios.

    >>> types(3, 2)
    6
    """
    return comb(k + ratios - 1, k) if ratios else 0


def merged(upper: Law, lower: Law) -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
    """The exact masses of each ratio upper/lower, and the mass under upper of what lower misses."""
    if upper.exact is None or lower.exact is None:
        raise InputError("this law has no exact masses: ask for its enclosure")
    found: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    missed = Fraction(0)
    for outcome, p in upper.exact.items():
        q = lower.exact.get(outcome)
        if q is None:
            missed += p
            continue
        ratio = quotient(p) / quotient(q)
        key = (int(ratio.p), int(ratio.q))
        (above, below) = found.get(key, (0, 0))
        found[key] = (above + p, below + q) if above else (p, q)
    return list(found.values()), missed


def pairs_of(upper: Law, lower: Law, precision: int) -> Pairs:
    """The masses as balls; a listed one that is not told apart from 0 counts as not listed."""
    with ctx.workprec(precision):
        if upper.exact is not None and lower.exact is not None:
            shared, missed = merged(upper, lower)
            return Pairs(
                [(arb(quotient(p)), arb(quotient(q))) for p, q in shared], arb(quotient(missed)), arb(0), arb(0)
            )
        above, below = upper.enclose(precision), lower.enclose(precision)
        pairs, lost, doubt, tail = list[tuple[arb, arb]](), arb(0), below.tail.upper(), above.tail.upper()
        for outcome, p in above.listed.items():
            q = below.listed.get(outcome, arb(0))
            if p > 0 and q > 0:
                pairs.append((p, q))
            elif p > 0:
                lost += p
                doubt += q.upper()
            else:
                tail += p.upper()
        return Pairs(pairs, lost, doubt, tail)


def delta_at(parts: Sequence[tuple[Pairs, int]], exp_eps: Real, relative_width: Fraction, precision: int) -> arb:
    """The gain of the tuples of finite loss, the mass of the others, and what the tails may add."""
    with ctx.workprec(precision):
        factor, uses = exp_eps.ball_here(), sum(k for _, k in parts)
        certain = 1 - prod(((1 - pairs.missed) ** k for pairs, k in parts), start=arb(1))
        if all_types(parts) <= MOST_TYPES:
            gain = type_sum([(pairs.shared, k) for pairs, k in parts], factor)
        else:
            from panshuffle.exact.curves.mean_gain import total_gain

            share = factor.log() / uses
            kinds = [
                ([p for p, _ in pairs.shared], [(p / q).log() - share for p, q in pairs.shared], k)
                for pairs, k in parts
            ]
            gain = total_gain(kinds, float(relative_width) * 0.95, max(float(certain.lower()), 0.0))
        doubt = sum((k * pairs.doubt for pairs, k in parts), arb(0))
        return gain + certain + (-factor * doubt).union(sum((k * pairs.tail for pairs, k in parts), arb(0)))


def type_sum(parts: Sequence[tuple[Sequence[tuple[Number, Number]], int]], factor: Number) -> Number:
    """The sum over types of max(upper - factor * lower, 0), a type being one of every mechanism."""
    zero = factor - factor
    total = zero
    for types in product(*(type_masses(pairs, k, zero) for pairs, k in parts)):
        above, below = zero + 1, factor
        for p, q in types:
            above, below = above * p, below * q
        total += positive(above - below)
    return total


def type_masses(pairs: Sequence[tuple[Number, Number]], k: int, zero: Number) -> Iterator[tuple[Number, Number]]:
    """The masses of the types of k-tuples: k! times products of mass^n/n!, n adding up to k."""
    tables = [(divided_powers(p, k), divided_powers(q, k)) for p, q in pairs]
    stack = [(0, k, zero + factorial(k), zero + factorial(k))] if pairs else []
    while stack:
        (i, left, p, q) = stack.pop()
        above, below = tables[i]
        if left and i < len(tables) - 1:
            stack.extend((i + 1, left - n, p * above[n], q * below[n]) for n in range(left + 1))
        else:
            yield p * above[left], q * below[left]


def divided_powers(mass: Number, k: int) -> list[Number]:
    """mass^n/n! for n from 0 to k."""
    found = [mass - mass + 1]
    for n in range(1, k + 1):
        found.append(found[-1] * mass / n)
    return found


def positive(value: Number) -> Number:
    """max(value, 0)."""
    return value.nonnegative_part() if isinstance(value, arb) else max(value, Fraction(0))


# A finite pair of laws that is at least as bad as a mechanism, from points of the mechanism's certified curve.
#
# Legend: h(E) is the largest delta at E = e^eps >= 1 over all ordered pairs of neighbours, delta_E(P||Q) the sum of
# (P - E Q)_+ for any E >= 0.
#
# *Below 1.*  delta_E(P||Q) = 1 - E + E delta_(1/E)(Q||P), so for E < 1 it is at most 1 - E + E h(1/E), because the two
# neighbours may be exchanged.  With that, h is a bound for all E >= 0; it is convex, it does not increase, h(0) = 1.
#
# *Chords.*  Given points (E_j, d_j) with h(E_j) <= d_j, the least convex function H through or below them, their
# reflections and (0, 1), constant after the last one, is at least h: between two of its corners it is a chord, and h is
# below the chord of its own values.
#
# *A pair.*  H is delta_E(P||Q) of a pair: at a corner E > 0 the slope of H jumps by some q, and one outcome has the
# masses P = E q, Q = q; one has P = H(infinity), Q = 0 and one P = 0, Q = 1 + H'(0).  All of this is rational.
#
# *Composition.* Let M_1, M_2 be mechanisms, M_2 chosen with the output y of M_1 in hand, dominated by (P_1, Q_1) and
# (P_2, Q_2) in this sense: delta_E(M_i(x)||M_i(x')) <= delta_E(P_i||Q_i) for all E >= 0, all ordered neighbours, and
# every y. With m, m' the laws of y, delta_E of both outputs is the sum over y of m(y) delta_e(M_2(x)||M_2(x')), where
# e = E m'(y)/m(y); that is at most the same with (P_2, Q_2), which is delta_E(m x P_2||m' x Q_2), the sum over z of
# P_2(z) delta_e(m||m'), e = E Q_2(z)/P_2(z); at most the same with (P_1, Q_1), which is delta_E(P_1 x P_2||Q_1 x Q_2).
# Outcomes with m(y) = 0 add nothing, and those with m'(y) = 0 add m(y). By induction a product of dominating pairs
# dominates any number of mechanisms, each chosen after the outputs before it; and as every ordered pair of neighbours
# is covered, so is either order of the two.
#
# *Sampling.* Let every row of the data be left with probability q, and replaced by a fixed one otherwise,
# independently. Given what happens to the others, the view is (1-q) R + q P on one neighbour and (1-q) R + q P' on the
# other, R, P and P' being laws of the mechanism on data that differ in one row. For E' = 1 + q (E - 1) and b = E'/E,
# (1-q) R + q P - E' ((1-q) R + q P') = q (P - E ((1-b) R + b P')), so delta is at most q ((1-b) delta_E(P||R) + b
# delta_E(P||P')) <= q h(E): the point (E, d) becomes (E', q d). If the mechanism sees a uniformly random subset with
# the share q of the rows instead, the same holds: R is the law without the changed row, and a subset without it
# becomes one with it when a random row of it gives way.


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
"""This many exact points keep a composition exact; more are rounded up."""
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
    """The points where a row takes part with probability q.  *Raises* as `rational_share`."""
    share = rational_share(q)
    return [(1 + share * (node - 1), share * delta) for node, delta in points]


def rational_share(q: Real) -> Fraction:
    """q.  *Raises* `ParameterError` unless it is rational and in (0, 1]."""
    if q.fraction is None or not 0 < q.fraction <= 1:
        raise ParameterError("sampled", q, "a rational number, above 0 and at most 1")
    return q.fraction


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


# The laws of two neighbours with few outcomes, for lower bounds: likelihood ratios next to each other are merged.
#
# Merging outcomes is post-processing, so whatever is merged, the divergence is at most that of the laws themselves.


Laws = tuple[Law, Law]
MOST_GROUPS = 2000
"""A composition with this many outcomes takes a fraction of a second."""
LEAST_MASS = 2.0**-100
"""Masses that change no lower bound that is shown."""


@dataclass(frozen=True)
class Rows:
    """The masses (upper, lower) of some outcomes, and bounds on the two masses of all others."""

    masses: Sequence[tuple[arb, arb]]
    rest: tuple[arb, arb]


def ratio_of(row: tuple[Number, Number]) -> float:
    """Roughly upper/lower, to sort by."""
    above, below = (float(mass.mid()) if isinstance(mass, arb) else mass for mass in row)
    return float(above / below) if below > 0 else inf


def grouped(rows: Sequence[tuple[Number, Number]]) -> list[tuple[Number, Number]]:
    """The masses of groups of rows, each of neighbours by their ratio; rows that `lower` misses stay apart.

    Rows that matter are spread evenly over the groups; those before and after them are a group each.
    """
    order = sorted((row for row in rows if ratio_of(row) < inf), key=ratio_of)
    start, stop = 0, len(order)
    if len(order) > MOST_GROUPS:
        matter = [i for i, row in enumerate(order) if not all(mass < LEAST_MASS for mass in row)]
        start, stop = matter[0], matter[-1] + 1
    size = -(-(stop - start) // MOST_GROUPS) or 1
    groups = [order[i : min(i + size, stop)] for i in range(start, stop, size)]
    groups += [order[:start], order[stop:], [row for row in rows if ratio_of(row) == inf]]
    return [added(group) for group in groups if group]


def added(rows: Sequence[tuple[Number, Number]]) -> tuple[Number, Number]:
    """The masses of one group."""
    above, below = rows[0]
    for more, less in rows[1:]:
        above, below = above + more, below + less
    return above, below


def laws_of_rows(rows: Callable[[int], Rows]) -> Laws:
    """The laws whose masses are known at every precision."""

    @lru_cache(maxsize=8)
    def found(precision: int) -> Rows:
        with ctx.workprec(precision):
            listed = rows(precision)
            return Rows(grouped(listed.masses), listed.rest)

    def enclose(precision: int, side: int) -> Masses:
        table = found(precision)
        return Masses({i: row[side] for i, row in enumerate(table.masses)}, table.rest[side])

    return enclosed_law(lambda precision: enclose(precision, 0)), enclosed_law(lambda precision: enclose(precision, 1))


def floor_laws(pair: LawPair) -> Laws:
    """The laws of a pair from a table."""
    exact = rational_rows(pair)
    if exact is not None:
        return laws_of(grouped(exact))

    def rows(precision: int) -> Rows:
        masses = [(ball_of(a, precision), ball_of(b, precision)) for a, b in zip(pair.upper, pair.lower, strict=True)]
        return Rows(masses, (ball_of(pair.upper_rest, precision), ball_of(pair.lower_rest, precision)))

    return laws_of_rows(rows)


def ball_of(mass: Mass, precision: int) -> arb:
    """A ball around both ends of a mass."""
    return mass[0].ball(precision).union(mass[1].ball(precision))


def sampled_laws(laws: Laws, q: Real) -> Laws:
    """The laws where the changed row takes part with probability q, and the row of `lower` stands there otherwise."""
    return mixture(rational_share(q), *laws), laws[1]


def ratios_of(laws: Laws, most: int) -> list[Fraction]:
    """Where the curves of both directions have their kinks, if the laws are exact and have at most that many outcomes.

    *Holds when* that many outcomes are not merged (caller).
    """
    upper, lower = (law.exact for law in laws)
    if upper is None or lower is None or len(upper) > most:
        return []
    found = {mass / lower[outcome] for outcome, mass in upper.items() if outcome in lower}
    return sorted({max(ratio, 1 / ratio) for ratio in found})


# A pair of laws that is used several times, or on a random part of the data.
#
# *Poisson subsampling.*  If every user is included with probability q, the law with the changed user is
# q * upper + (1 - q) * lower, and without him it is lower: this pair is the subsampled mechanism.
#
# *Uses.*  k independent uses on the same data multiply the masses (`composition`).


MOST_USES = 10**6
"""Beyond, the enclosure of a composition becomes wide."""
MOST_OUTCOMES = 20_000
"""With more ratios a composition takes minutes."""


def sampled_pair(pair: LawPair, q: Real) -> LawPair:
    """The pair where each user is included with probability q.  *Raises* `ParameterError` unless 0 < q <= 1."""
    refuse_if(not (q > 0 and q <= 1), "sampled", q, "above 0 and at most 1")
    mixed = tuple(mixed_mass(above, below, q) for above, below in zip(pair.upper, pair.lower, strict=True))
    return LawPair(pair.outcomes, mixed, pair.lower, mixed_mass(pair.upper_rest, pair.lower_rest, q), pair.lower_rest)


def mixed_mass(above: Mass, below: Mass, q: Real) -> Mass:
    """q * above + (1 - q) * below; one number where both are."""
    low = q * above[0] + (1 - q) * below[0]
    if above[0] == above[1] and below[0] == below[1]:
        return low, low
    return low, q * above[1] + (1 - q) * below[1]


def repeated_curve(pair: LawPair, uses: int) -> Curve:
    """The curve of that many uses.  *Raises* `InputError` for several uses of a pair without rational masses."""
    if uses == 1:
        return pair_curve(pair)
    refuse_if(uses > MOST_USES, "uses", uses, f"at most {MOST_USES}")
    if len(pair.outcomes) > MOST_OUTCOMES:
        raise InputError(f"--uses is for at most {MOST_OUTCOMES} outcomes, and there are {len(pair.outcomes)}")
    rows = rational_rows(pair)
    if rows is None:
        raise InputError("--uses needs exact rational masses: write them as fractions, without a remainder")
    return mixed_curve([Used(*laws_of(rows), uses)])


def rational_rows(pair: LawPair) -> list[tuple[Fraction, Fraction]] | None:
    """The masses of the outcomes that either law has, where all of them are rational."""
    exact = [(above[0].fraction, below[0].fraction) for above, below in zip(pair.upper, pair.lower, strict=True)]
    rational = [(above, below) for above, below in exact if above is not None and below is not None]
    return [row for row in rational if any(row)] if pair.is_exact and len(rational) == len(exact) else None


def laws_of(rows: Sequence[tuple[Fraction, Fraction]]) -> Laws:
    """The laws with these masses."""
    upper, lower = zip(*rows, strict=True)
    return rational_law(dict(enumerate(upper))), rational_law(dict(enumerate(lower)))
