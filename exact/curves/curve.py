"""A privacy curve: delta as a function of e^eps, and its exact inverse.

delta(E) is convex, continuous and not increasing in E = e^eps, and strictly decreasing where it is positive;
so eps at delta is a root that can be bracketed, and the bracket is certified at both ends.  A view answers with
its curve, what that covers and why, and the paper's bound beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.errors import ParameterError, Undecided
from panshuffle.exact.parameters import refuse_if
from panshuffle.exact.real import (
    DEFAULT_DIGITS,
    INFINITE,
    Certified,
    Real,
    between,
    check_digits,
    dyadic,
    exp,
    largest,
    largest_of,
    log,
    real,
    scaled_bounds,
    span,
)

LARGEST_EPS = 1 << 40
LEAST_EPS = Fraction(1, 1 << 400)
UNDECIDED_STEPS = 12
SECANT_STEPS = 10
ZERO = real(0)
ALL_NEIGHBOURS = "all neighbours"
THIS_PAIR = "this pair"
EXACT, TWO_SIDED, UPPER_BOUND = "exact", "two-sided", "upper bound"
"""Kinds of answers: the enclosure shrinks with the digits; both ends are proved; only the upper end is meant."""
LARGEST_FACTOR_BITS = 2048
BOUND_DIGITS = 5


@dataclass(frozen=True)
class Curve:
    """delta at e^eps (enclosed at a precision), exactly for rational e^eps where that is cheap, and the pure e^eps.

    `pure` is the least e^eps at which delta is 0, where it is a known expression; `pure_epsilon` encloses its logarithm
    where it is only that.  With neither, no eps has delta = 0.  `limit` is delta as eps grows: the mass of `upper` that
    `lower` does not have.  `limit_reached` is the least e^eps at which it is reached, where that is known, and
    `limit_from` one from which on it is.  `ceiling` is an upper bound that takes no time, for comparisons far below it.
    """

    ball: Callable[[Real, int], arb]
    exact: Callable[[Fraction], Fraction] | None = None
    pure: Real | None = None
    pure_epsilon: Callable[[], Certified] | None = None
    limit: Real = ZERO
    limit_reached: Real | None = None
    limit_from: Real | None = None
    ceiling: Callable[[Real], arb] | None = None

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps.  *Raises* `ParameterError` unless e^eps >= 1."""
        if not exp_eps >= 1:
            raise ParameterError("eps", log(exp_eps) if exp_eps > 0 else exp_eps, "at least 0")
        if self.pure is not None and is_certified_at_least(exp_eps, self.pure):
            return Certified.of(0)
        lasting = self.limit_from if self.limit_reached is None else self.limit_reached
        if lasting is not None and is_certified_at_least(exp_eps, lasting):
            return Certified.of(self.limit)
        e = exp_eps.fraction
        if self.exact is not None and e is not None:
            return Certified.of(self.exact(e))
        return Certified(lambda precision: self.ball(exp_eps, precision), probability=True)

    def epsilon(self, delta: Real, digits: int = 10) -> Certified:
        """The least eps >= 0 at which the curve is at most delta; infinite where no eps reaches it.

        The enclosure is as narrow as `digits` asks for; more digits need another call.
        *Raises* `ParameterError` unless 0 <= delta <= 1.
        """
        check_digits(digits)
        refuse_if(not (delta >= 0 and delta <= 1), "delta", delta, "between 0 and 1")
        if delta.fraction == 0:
            return self.pure_eps()
        if self.compare_at(real(1), delta) == -1:
            return Certified.of(0)
        if self.limit.sign() and (self.limit - delta).sign() >= 0:
            return self.at_the_limit(delta)

        def compare(eps: Real) -> int:
            return self.compare_at(exp(eps), delta)

        return bracket(compare, digits, lambda eps: self.excess(eps, delta, digits))

    def at_the_limit(self, delta: Real) -> Certified:
        """Infinity for a delta below the limit, and where the limit is reached for the limit itself.

        *Raises* `Undecided` where that is not known.
        """
        if self.limit != delta and (self.limit - delta).sign() > 0:
            return INFINITE
        if self.limit == delta and self.limit_reached is not None:
            return Certified.of(log(self.limit_reached) if self.limit_reached > 1 else 0)
        raise Undecided("delta is the limit of the curve as eps grows: whether a finite eps reaches it is not decided")

    def excess(self, eps: Fraction, delta: Real, digits: int) -> Fraction | None:
        """A value near ln(delta at eps) - ln(delta), to guess a root with; None where there is none."""
        precision = 4 * digits + 64
        ball = self.delta(exp(Real(eps))).ball(precision)
        with ctx.workprec(precision):
            value = (ball.mid() / delta.ball_here()).log() if ball.mid() > 0 else arb.pos_inf()
        return dyadic(value) if value.is_finite() else None

    def pure_eps(self) -> Certified:
        """The eps from which on delta is 0; infinite where there is none."""
        if self.pure is not None:
            return Certified.of(log(self.pure))
        return INFINITE if self.pure_epsilon is None else self.pure_epsilon()

    def compare_at(self, exp_eps: Real, delta: Real) -> int:
        """-1 where the curve is certified to be at most delta at e^eps, 1 where it is above, 0 if undecided."""
        try:
            if delta.fraction == 0:
                return -1 if self.pure_eps().decide(log(exp_eps)) <= 0 else 1
            if self.ceiling is not None and self.ceiling(exp_eps) < delta.ball(64):
                return -1
            return -1 if self.delta(exp_eps).decide(delta) <= 0 else 1
        except Undecided:
            return 0


def is_certified_at_least(value: Real, bound: Real) -> bool:
    """Whether value >= bound is certified."""
    try:
        return value >= bound
    except Undecided:
        return False


def bracket(
    compare: Callable[[Real], int], digits: int, excess: Callable[[Fraction], Fraction | None] | None = None
) -> Certified:
    """The point where `compare` turns from 1 to -1, enclosed to the digits, or as far as it decides.

    Both ends are certified: the lower one is a point that compares as 1 (or 0 itself), the upper one as -1.
    *Holds when* compare is monotone apart from undecided points (caller).  *Raises* `Undecided` beyond the largest eps.
    """
    low, high = Fraction(0), Fraction(1)
    while (sign := compare(Real(high))) != -1:
        low, high = high if sign == 1 else low, 2 * high
        if high > LARGEST_EPS:
            raise Undecided(f"no eps up to {LARGEST_EPS} is certified to reach this delta")
    while high > 2 * low and high > LEAST_EPS and (sign := compare(Real((low + high) / 2))):
        low, high = ((low + high) / 2, high) if sign == 1 else (low, (low + high) / 2)
    guess = None if excess is None else secant_root(excess, low, high, digits)
    if guess is not None:
        low, high = around(guess, compare, low, high, digits)
    low, high = bisected(compare, low, high, lambda x, y: y - x <= x / 10 ** (digits + 1) or y <= LEAST_EPS)
    return Certified(lambda precision: span(low, high, precision), nonnegative=True)


def bisected(
    compare: Callable[[Real], int], above: Fraction, below: Fraction, close: Callable[[Fraction, Fraction], bool]
) -> tuple[Fraction, Fraction]:
    """The last points that compare as 1 and as -1, by bisection until they are close or one between is undecided."""
    while not close(above, below):
        middle = (above + below) / 2
        sign = compare(Real(middle))
        if sign == 0:
            return last_certain(compare, above, middle, 1), last_certain(compare, below, middle, -1)
        above, below = (middle, below) if sign == 1 else (above, middle)
    return above, below


def secant_root(
    excess: Callable[[Fraction], Fraction | None], low: Fraction, high: Fraction, digits: int
) -> Fraction | None:
    """A guess at the root of `excess` between low and high; None where the secant method leaves them."""
    left, right = low or high / 2, high
    at_left, at_right = excess(left), excess(right)
    for _ in range(SECANT_STEPS):
        if at_right is not None:
            break
        right = (left + right) / 2
        at_right = excess(right)
    for _ in range(SECANT_STEPS):
        if at_left is None or at_right is None or at_left == at_right:
            return None
        guess = right - at_right * (right - left) / (at_right - at_left)
        guess = guess.limit_denominator(10 ** (digits + 30))
        if not low < guess < high:
            return None
        step, last = abs(guess - right), abs(right - left)
        if step < guess / 10 ** (digits + 3) or (step < guess / 1000 and 4 * step > last):
            return guess
        left, at_left, right, at_right = right, at_right, guess, excess(guess)
    return right


def around(
    guess: Fraction, compare: Callable[[Real], int], low: Fraction, high: Fraction, digits: int
) -> tuple[Fraction, Fraction]:
    """The narrowest bracket around a guess, over growing widths, whose ends are certified; at worst (low, high)."""
    width = Fraction(1, 10 ** (digits + 2))
    while width < 1:
        left, right = guess * (1 - width), guess * (1 + width)
        if left > low and compare(Real(left)) == 1:
            low = left
        if right < high and compare(Real(right)) == -1:
            high = right
        if (low == left or left <= low) and (high == right or right >= high):
            return low, high
        width *= 10
    return low, high


def last_certain(compare: Callable[[Real], int], certain: Fraction, undecided: Fraction, sign: int) -> Fraction:
    """A point that still compares with this sign, close to where that stops on the way to an undecided one.

    It is at most an eighth farther from that one than need be, unless it is some thousand times closer than at first.
    """
    centre = undecided
    for _ in range(UNDECIDED_STEPS):
        if 8 * abs(undecided - certain) <= abs(undecided - centre):
            break
        middle = (certain + undecided) / 2
        certain, undecided = (middle, undecided) if compare(Real(middle)) == sign else (certain, middle)
    return certain


def worse(*curves: Curve) -> Curve:
    """The curve that is the larger of several at every e^eps, such as the two directions of a pair."""

    def ball(exp_eps: Real, precision: int) -> arb:
        values = [curve.ball(exp_eps, precision) for curve in curves]
        with ctx.workprec(precision):
            return largest(values)

    if len(curves) == 1:
        return curves[0]
    exacts = [curve.exact for curve in curves if curve.exact is not None]
    exact = (lambda e: max(part(e) for part in exacts)) if len(exacts) == len(curves) else None
    pures = [curve.pure for curve in curves if curve.pure is not None]
    limit = max(curve.limit for curve in curves)
    if len(pures) == len(curves):
        return Curve(ball, exact, max(pures))
    finite = all(curve.pure is not None or curve.pure_epsilon is not None for curve in curves)
    pure_epsilon = (lambda: largest_of(curve.pure_eps() for curve in curves)) if finite else None
    reached = [curve.limit_reached for curve in curves if curve.limit_reached is not None]
    lasting = max(reached) if len(reached) == len(curves) else None
    return Curve(ball, exact, None, pure_epsilon, limit, limit_from=lasting)


@dataclass(frozen=True)
class PaperBound:
    """A printed statement, solved for delta at eps and for eps at delta; None where its hypotheses fail."""

    slug: str
    delta: Callable[[Real], Real | None]
    epsilon: Callable[[Real], Real | None]


@dataclass(frozen=True)
class View:
    """The curve of a view.  `why` argues that no neighbour is worse.

    `upper_bound` says that it is only a bound, `two_sided` that it is enclosed and does not shrink with the digits.
    """

    curve: Curve
    scope: str
    why: str
    paper: PaperBound | None = None
    background_at: Callable[[Real | None], tuple[int, ...] | None] = lambda exp_eps: None
    upper_bound: bool = False
    two_sided: bool = False

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps; of a bound nothing is known from below."""
        return self.known(self.curve.delta(exp_eps))

    def epsilon(self, delta: Real, digits: int = DEFAULT_DIGITS) -> Certified:
        """eps at delta; of a bound nothing is known from below."""
        return self.known(self.curve.epsilon(delta, digits))

    def known(self, value: Certified) -> Certified:
        """What a value of the curve says of the truth."""
        return between(Certified.of(0), value) if self.upper_bound else value


NO_NEIGHBOUR = Curve(lambda exp_eps, precision: real(0).ball(precision), lambda e: Fraction(0), real(1))
"""The curve where no two neighbours differ: delta = 0 at eps = 0."""

DISJOINT = Curve(
    lambda exp_eps, precision: real(1).ball(precision), lambda e: Fraction(1), limit=real(1), limit_reached=real(1)
)
"""The curve of two laws with disjoint supports: delta = 1 at every eps."""


def exponential_bound(
    slug: str,
    size: Real,
    factor: int = 1,
    power: Real | None = None,
    eps_factor: int = 1,
    inner_factor: int = 2,
) -> PaperBound:
    """The bound delta = factor * (inner_factor e^(-size/c^2))^power at eps_factor*eps, c = (e^eps+1)/(e^eps-1).

    This is the shape of every bound that the paper derives from its binomial mechanism lemma, solved for
    the given noise; None where the inner delta is not below 1, which the statement asks for.
    """
    gamma = power if power is not None else real(1)

    def delta(at: Real) -> Real | None:
        eps = at / eps_factor
        if not eps > 0:
            return None
        c = (exp(eps) + 1) / (exp(eps) - 1)
        inner = inner_factor * exp(-size / c**2)
        return factor * inner**gamma if inner < 1 else None

    def epsilon(at: Real) -> Real | None:
        if not at > 0:
            return None
        inner = (at / factor) ** (1 / gamma)
        if not inner < 1:
            return None
        c_squared = size / log(inner_factor / inner)
        if not c_squared > 1:
            return None
        c = c_squared ** Fraction(1, 2)
        return eps_factor * log((c + 1) / (c - 1))

    return PaperBound(slug, delta, epsilon)


def pure_bound(slug: str, eps: Real, delta: Real | None = None) -> PaperBound:
    """The bound that is (eps, delta) and says nothing below that eps or that delta."""
    least = delta if delta is not None else real(0)
    return PaperBound(slug, lambda at: least if at >= eps else None, lambda at: eps if at >= least else None)


@dataclass(frozen=True)
class EnclosedCurve(Curve):
    """A curve between two others; its limit is that of the lower one."""

    below: Curve = field(kw_only=True)
    above: Curve = field(kw_only=True)

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps, from both sides."""
        return between(self.below.delta(exp_eps), self.above.delta(exp_eps))

    def epsilon(self, delta: Real, digits: int = DEFAULT_DIGITS) -> Certified:
        """The least eps at which the curve is at most delta, from both sides; an open side is 0 or infinity."""
        ends = []
        for curve, unknown in ((self.below, Certified.of(0)), (self.above, INFINITE)):
            try:
                ends.append(curve.epsilon(delta, min(digits, BOUND_DIGITS)))
            except Undecided:
                ends.append(unknown)
        return between(*ends)

    def pure_eps(self) -> Certified:
        """The eps from which on delta is 0, from both sides."""
        return between(self.below.pure_eps(), self.above.pure_eps())


def enclosed(below: Curve, above: Curve) -> Curve:
    """The curve between two."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            return below.ball(exp_eps, precision).union(above.ball(exp_eps, precision))

    return EnclosedCurve(ball, limit=below.limit, below=below, above=above)


def factor_ends(exp_eps: Real, bits: int) -> tuple[int, int | None]:
    """Integers (a, b) with a <= e^eps * 2^bits <= b; b is None, and a only a bound, for an absurdly large e^eps."""
    exponent = log(exp_eps).ball(64)
    if exponent > LARGEST_FACTOR_BITS:
        return 1 << (LARGEST_FACTOR_BITS + bits), None
    return scaled_bounds(exp_eps, bits)
