"""Two independent opposite shifts: the pool of P_UT, and two binomial pools that a changed user touches.

X and Y are independent with one law b, G(t) = P[X >= t], E = e^eps; upper = (X+1, Y), lower = (X, Y+1).  The
ratio of the masses at (x, y) rises in x, so in row y it is above E for the x above one threshold t, and
delta = sum over y of b(y) G(t) - E b(y-1) G(t+1).  Rows are summed from large y to small: then t falls, G grows
by masses that are added to it, and no digit is lost.  Rows left out are worth at most b(y) G(t) each.

For Pois(mu) the ratio is x/y.  For Bin(l, p), M = l + 1, it is x (M-y) / (y (M-x)), without p, so it is above E for
x > E y M / (M - y + E y).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import log

from flint import arb, ctx
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.noise import GUARD, Noise, PoissonLaw, binomial_law, lower_tail, upper_tail, working_bits
from panshuffle.exact.laws.pool_law import noisy_count
from panshuffle.exact.pairs.divergence import pair_gain, turned
from panshuffle.exact.parameters import check_positive, check_shift
from panshuffle.exact.real import Real, first_true, precise, real, scaled_bounds

LONGEST_STEP = 200
LARGEST_FLOAT = 1e150
LARGEST_COUNT = 1 << 512
REST_BITS = 10


@dataclass(frozen=True, slots=True)
class Boundary:
    """What the sum needs to know: the law, and the least and the largest t that E allows in a row.

    `law(bits)` is in balls of so many bits, `top` its largest value, and `threshold(n, d, y)` is the t for E = n/d.
    `rate` and `edge` are floats: roughly -log b(x), and the threshold before rounding.
    """

    law: Callable[[int], Noise]
    top: int | None
    threshold: Callable[[int, int, int], int]
    rate: Callable[[float], float]
    edge: Callable[[float], float]
    mean: float

    def above(self, x: float) -> float:
        """Roughly -log P[X >= x]."""
        return self.rate(x) if x > self.mean else 0.0

    def cost(self, y: float) -> float:
        """Roughly -log of the mass of row y beyond its threshold."""
        return self.rate(y) + self.above(self.edge(y))


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows first..last that are summed; counts beyond `cap` do not matter."""

    first: int
    last: int
    cap: int


def factor_bounds(exp_eps: Real, bits: int) -> tuple[int, int, int]:
    """(n, m, d) with n/d <= E <= m/d, equal for a rational E."""
    if exp_eps.fraction is not None:
        return exp_eps.fraction.numerator, exp_eps.fraction.numerator, exp_eps.fraction.denominator
    return (*scaled_bounds(exp_eps, bits), 1 << bits)


def moderate_float(value: Real) -> float:
    """The value as a positive float that can be squared."""
    ball = value.ball(64)
    return min(max(float(ball), 1 / LARGEST_FLOAT), LARGEST_FLOAT) if ball.is_finite() else LARGEST_FLOAT


def window(boundary: Boundary, bits: int) -> Rows:
    """The rows outside of which there is less than about 2^-bits of the whole, which is what a single tail bounds."""
    (cost, mean, top) = (boundary.cost, boundary.mean, boundary.top)
    valley = first_true(lambda y: cost(y + 1) >= cost(y), int(mean))
    enough = min(cost(0.0), cost(valley)) + 0.7 * bits + log(mean + 2) + 3
    cap = first_true(lambda x: boundary.above(x) > enough, LARGEST_COUNT if top is None else top + 1)
    first = first_true(lambda y: boundary.rate(y) < enough, int(mean) + 1, int(mean))
    last = first_true(
        lambda y: boundary.edge(y + 1) > cap or (y > mean and cost(y + 1) > enough),
        LARGEST_COUNT if top is None else top,
    )
    return Rows(max(first - 1, 0), last, cap)


def boundary_delta(boundary: Boundary, exp_eps: Real, precision: int) -> arb:
    """The divergence, with the rows that matter at this precision, and every other one included in the radius."""
    rows = window(boundary, precision)
    bits = working_bits(precision, 4 * (boundary.top or max(rows.cap, rows.last, int(boundary.mean))))
    (least, most, scale), start = factor_bounds(exp_eps, bits), rows.last + 1

    def thresholds(y: int) -> tuple[int, int]:
        return boundary.threshold(least, scale, y), boundary.threshold(most, scale, y)

    with ctx.workprec(bits):
        law = boundary.law(bits)
        rest = lower_tail(law, rows.first - 1, REST_BITS)
        rest += upper_tail(law, start, REST_BITS) * upper_tail(law, min(thresholds(start)[0], rows.cap), REST_BITS)
        return boundary_sum(law, thresholds, rows, exp_eps.ball(bits), precision + GUARD) + arb(0).union(rest)


def boundary_sum(law: Noise, thresholds: Callable[[int], tuple[int, int]], rows: Rows, factor: arb, bits: int) -> arb:
    """The rows of the window, from the last to the first.

    At a threshold that the bounds on E leave open the larger t is taken, and the point t itself is added for
    what it may be worth, which is the positive part of a number around 0.  *Raises* `Undecided` for two such points.
    """
    (ratio, total, row_mass, t) = (law.falls(), arb(0), law.mass(rows.last), -1)
    (mass, tail) = (arb(0), arb(0))
    for y in range(rows.last, rows.first - 1, -1):
        (least, most) = thresholds(y)
        if t < 0 or t - most > LONGEST_STEP:
            (t, mass, tail) = (most, law.mass(most), upper_tail(law, most, bits))
        while t > most:
            mass *= ratio(t)
            tail += mass
            t -= 1
        fall = ratio(y)
        total += row_mass * (tail + factor * fall * (mass - tail))
        if most - least > 1:
            raise Undecided("the factor E is not known well enough to place a threshold")
        if least < most:
            total += row_mass * (mass * ratio(t) - factor * fall * mass).nonnegative_part()
        row_mass *= fall
    return total


def poisson_pool_delta(mu: Real, exp_eps: Real, precision: int) -> arb:
    """The divergence of (O+1, Z) from (O, Z+1) for independent O, Z ~ Pois(mu), with `precision` correct bits.

    >>> from panshuffle.exact.real import real
    >>> poisson_pool_delta(real(5), real(2), 64).str(15, radius=False)
    '0.0704821085997397'
    """
    check_positive("mu", mu)
    check_positive("exp_eps", exp_eps)
    what = "the divergence of a Poisson pool"
    delta = partial(boundary_delta, poisson_boundary(mu, exp_eps), exp_eps)
    return precise(delta, precision, what, precision + GUARD // 2)


def poisson_pool_ceiling(mu: Real, exp_eps: Real) -> arb:
    """An upper bound of the same: s e^(mu(s - 1 + s^-E - 1)), s = E^(1/(1+E)).

    *Proof*: delta is at most the probability under (O+1, Z) that the ratio exceeds E, P[O + 1 > E Z], which by Markov's
    inequality is at most the mean of s^(O + 1 - E Z), for every s >= 1.  *Exactness*: sound upper.
    """
    with ctx.workprec(128):
        factor = exp_eps.ball_here()
        s = (factor.log() / (1 + factor)).exp().max(arb(1))
        return (s * (mu.ball_here() * (s + s ** (-factor) - 2)).exp()).upper()


def poisson_boundary(mu: Real, exp_eps: Real) -> Boundary:
    """Where the ratio x/y is E."""
    (mean, factor) = (moderate_float(mu), moderate_float(exp_eps))

    def rate(x: float) -> float:
        return x * log(x / mean) - x + mean if x > 0 else mean

    def law(bits: int) -> Noise:
        return PoissonLaw(mu.accurate_ball(bits))

    return Boundary(law, None, lambda n, d, y: n * y // d, rate, lambda y: factor * y, mean)


def binomial_pair_delta(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """The divergence of (X+1, Y) from (X, Y+1) for independent X, Y ~ Bin(l, p), with `precision` correct bits.

    >>> binomial_pair_delta(12, real("1/2"), real("9/4"), 64).str(15, radius=False)
    '0.100264400243759'
    """
    check_shift(l, p, exp_eps)
    if l == 0 or p.fraction in (0, 1):
        return arb(1)
    what = "the divergence of a pair of binomial pools"
    delta = partial(boundary_delta, binomial_boundary(l, p, exp_eps), exp_eps)
    return precise(delta, precision, what, precision + GUARD // 2)


def binomial_boundary(l: int, p: Real, exp_eps: Real) -> Boundary:
    """Where the ratio x (M-y) / (y (M-x)) is E."""
    (yes, no, factor) = (moderate_float(p * l), moderate_float((1 - p) * l), moderate_float(exp_eps))

    def rate(x: float) -> float:
        return (x * log(x / yes) if x > 0 else 0) + ((l - x) * log((l - x) / no) if x < l else 0)

    return Boundary(
        partial(binomial_law, l, p),
        l,
        lambda n, d, y: n * y * (l + 1) // (d * (l + 1 - y) + n * y),
        rate,
        lambda y: min(factor * y * (l + 1) / (max(l + 1 - y, 0) + factor * y), l + 1.0),
        yes,
    )


def binomial_pair_delta_exact(l: int, p: Fraction, exp_eps: Fraction) -> Fraction:
    """The divergence of (X+1, Y) from (X, Y+1) for independent X, Y ~ Bin(l, p), as a rational.

    >>> binomial_pair_delta_exact(12, Fraction(1, 2), Fraction(9, 4))
    Fraction(3364315, 33554432)
    """
    check_shift(l, real(p), real(exp_eps))
    shift = noisy_count(l, Real(p)).change(1, 0)
    return pair_gain(shift, turned(shift), exp_eps)
