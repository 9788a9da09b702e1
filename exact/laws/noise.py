"""Binomial and Poisson noise: certified masses, a walk along them, and tails, to full relative accuracy.

A tail beyond the mean is the mass at its first point times the sum S of the ratios of the further masses to it.
`fraction_side` has S, by a continued fraction of positive terms.  Less than `FAR` standard deviations from the mean,
the tail is carried there from a mean for which it is far, by integrating its derivative in the mean, with Cauchy's
bound on the remainder.  Floats choose between the ways and lengths; balls alone make the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import takewhile
from math import ceil, inf, log, log2, sqrt

from flint import arb, ctx, fmpz
from panshuffle.exact.errors import Undecided
from panshuffle.exact.parameters import check_between, check_count, check_positive
from panshuffle.exact.real import HALF, Real, precise

(GUARD, NARROW, FAR, ANCHOR) = (16, 24.0, 3.0, 5.5)


@dataclass(frozen=True, slots=True)
class Expansion:
    """g(u), g(0) = 1: the derivative in the mean of a tail, at the mean plus u, over that at the mean.

    (d0 + d1 u + d2 u^2) g' = (n0 + n1 u) g, and |g| <= exp(`log_bound(R)`) on |u| <= R < `limit`.
    """

    d: tuple[arb, arb, int]
    n: tuple[arb, int]
    limit: arb
    log_bound: Callable[[arb], arb]


def deviation(variance: arb) -> float:
    """Roughly the square root.  *Raises* `Undecided` where it is not known, or not a float."""
    value = float(variance)
    if not 0 <= value < inf:
        raise Undecided("the variance of a law is beyond the range of floats")
    return sqrt(value)


@dataclass(frozen=True, slots=True)
class BinomialLaw:
    """Bin(l, p) with q = 1 - p and 0 < p < 1, in balls."""

    l: int
    p: arb
    q: arb

    def centre(self) -> tuple[arb, float]:
        """The mean, and roughly the standard deviation."""
        mean = self.p * self.l
        return mean, deviation(mean * self.q)

    def mass(self, x: int) -> arb:
        """P[X = x]."""
        if not 0 <= x <= self.l:
            return arb(0)
        choose = arb(self.l + 1).lgamma() - arb(x + 1).lgamma() - arb(self.l - x + 1).lgamma()
        return choose.exp() * self.p ** fmpz(x) * self.q ** fmpz(self.l - x)

    def rises(self) -> Callable[[int], arb]:
        """The function x -> P[X = x + 1]/P[X = x]."""
        odds = self.p / self.q
        return lambda x: odds * (self.l - x) / (x + 1)

    def falls(self) -> Callable[[int], arb]:
        """The function x -> P[X = x - 1]/P[X = x]."""
        against = self.q / self.p
        return lambda x: against * x / (self.l + 1 - x)

    def above(self, x: int) -> Side:
        """The masses at x, x+1, ..., l."""
        rise = self.rises()
        return Side(lambda j: rise(x + j), self.q * x, x - self.p * self.l, 1 + self.p, self.p, self.l - x + 1)

    def below(self, x: int) -> Side:
        """The masses at x, x-1, ..., 0."""
        return BinomialLaw(self.l, self.q, self.p).above(self.l - x)

    def moved(self, by: arb) -> BinomialLaw:
        """The law whose mean is larger by this much."""
        return BinomialLaw(self.l, self.p + by / self.l, self.q - by / self.l)

    def expansion(self, x: int) -> Expansion:
        """(1 + u/(lp))^(x-1) (1 - u/(lq))^(l-x)."""
        (yes, no, a, b) = (self.p * self.l, self.q * self.l, x - 1, self.l - x)
        (square, tilt) = (yes * no, no * a - yes * b)

        def log_bound(r: arb) -> arb:
            return abs(tilt / square) * r + a * log_excess(r / yes) + b * log_excess(r / no)

        return Expansion((square, no - yes, -1), (tilt, -(a + b)), yes.min(no), log_bound)


@dataclass(frozen=True, slots=True)
class PoissonLaw:
    """Pois(mu), mu > 0, in a ball; there is no largest value l."""

    mu: arb
    l: None = None

    def centre(self) -> tuple[arb, float]:
        """The mean, and roughly the standard deviation."""
        return self.mu, deviation(self.mu)

    def mass(self, x: int) -> arb:
        """P[X = x]."""
        return (-self.mu - arb(x + 1).lgamma()).exp() * self.mu ** fmpz(x) if x >= 0 else arb(0)

    def rises(self) -> Callable[[int], arb]:
        """The function x -> P[X = x + 1]/P[X = x]."""
        return lambda x: self.mu / (x + 1)

    def falls(self) -> Callable[[int], arb]:
        """The function x -> P[X = x - 1]/P[X = x]."""
        inverse = 1 / self.mu
        return lambda x: inverse * x

    def above(self, x: int) -> Side:
        """The masses at x, x+1, ..."""
        rise = self.rises()
        return Side(lambda j: rise(x + j), arb(x), x - self.mu, arb(1), self.mu, None)

    def below(self, x: int) -> Side:
        """The masses at x, x-1, ..., 0."""
        fall = self.falls()
        return Side(lambda j: fall(x - j), self.mu, self.mu - x, arb(2), arb(1), x + 1)

    def moved(self, by: arb) -> PoissonLaw:
        """The law whose mean is larger by this much."""
        return PoissonLaw(self.mu + by)

    def expansion(self, x: int) -> Expansion:
        """(1 + u/mu)^(x-1) e^-u."""
        (mu, a, tilt) = (self.mu, x - 1, x - 1 - self.mu)
        return Expansion((mu, arb(1), 0), (tilt, -1), mu, lambda r: abs(tilt / mu) * r + a * log_excess(r / mu))


Noise = BinomialLaw | PoissonLaw


def walk(noise: Noise, start: int, step: int) -> Iterator[arb]:
    """The masses at start, start + step, ... (step 1 or -1) to the end of the law, each from the last by their ratio.

    All are balls at the precision in force while they are asked for.
    """
    (x, mass, ratio) = (start, noise.mass(start), noise.rises() if step > 0 else noise.falls())
    while x >= 0 and (noise.l is None or x <= noise.l):
        yield mass
        (x, mass) = (x + step, mass * ratio(x))


def around(noise: Noise, centre: int, bits: int) -> tuple[int, list[arb]]:
    """A first value, and the masses from it on: all around the centre that are not seen to be below 2^-bits."""
    least = arb(2) ** -bits

    def matters(mass: arb) -> bool:
        return mass.is_finite() and not mass < least

    ups, downs = (list(takewhile(matters, walk(noise, centre, step))) for step in (1, -1))
    return centre + 1 - len(downs), [*reversed(downs[1:]), *ups]


def log_excess(x: arb) -> arb:
    """-log(1-x) - x = x^2/2 + x^3/3 + ..., for 0 <= x < 1."""
    return -(-x).log1p() - x


def upper_tail(law: Noise, x: int, bits: int) -> arb:
    """P[X >= x] for any x."""
    if x <= 0 or (law.l is not None and x > law.l):
        return arb(int(x <= 0))
    (mean, spread) = law.centre()
    distance = inf if spread < NARROW else abs(float(x - mean)) / spread
    if distance < FAR:
        return carried_tail(law, x, bits)
    if x < mean:
        return 1 - lower_tail(law, x - 1, bits)
    return law.mass(x) * side_sum(law.above(x), distance, bits)


def lower_tail(law: Noise, x: int, bits: int, mass: arb | None = None) -> arb:
    """P[X <= x] for any x; P[X = x] may be given if it is known."""
    if x < 0 or (law.l is not None and x >= law.l):
        return arb(int(x >= 0))
    (mean, spread) = law.centre()
    distance = inf if spread < NARROW else abs(float(x - mean)) / spread
    if distance < FAR or not x < mean:
        return 1 - upper_tail(law, x + 1, bits)
    return (law.mass(x) if mass is None else mass) * side_sum(law.below(x), distance, bits)


def carried_tail(law: Noise, x: int, bits: int) -> arb:
    """P[X >= x] near the mean: the tail at a smaller mean plus the integral of its derivative x P[X = x] / mean."""
    (mean, spread) = law.centre()
    half = arb((float(mean - x) + ANCHOR * spread) / 2)
    middle = law.moved(-half)
    change = middle.mass(x) * x / middle.centre()[0] * integral(middle.expansion(x), half, spread, bits)
    return upper_tail(law.moved(-2 * half), x, bits) + change


def integral(g: Expansion, half: arb, spread: float, bits: int) -> arb:
    """The integral of g from -half to half, by its Taylor coefficients with g_k half^k in place of g_k."""
    radius = (g.limit / 2).min(arb((2 + 0.75 * sqrt(bits)) * spread))
    (growth, ratio, square) = (g.log_bound(radius), half / radius, half * half)
    if not (radius < g.limit and ratio < 1):
        raise Undecided("a law is too narrow for its tail to be integrated")
    count = 2 * ceil((bits + 1.5 * float(growth)) / (-2 * log2(float(ratio)))) + 4
    (previous, current, total) = (arb(0), arb(1), arb(1))
    for k in range(count - 1):
        new = (g.n[0] - g.d[1] * k) * half * current + square * (g.n[1] - g.d[2] * (k - 1)) * previous
        (previous, current) = (current, new / (g.d[0] * (k + 1)))
        if k % 2:
            total += current / (k + 2)
    rest = growth.exp() * ratio ** fmpz(count) / (1 - ratio)
    return 2 * half * (total + arb(0, rest.abs_upper()))


def binomial_law(l: int, p: Real, bits: int) -> BinomialLaw:
    """Bin(l, p) for 0 < p < 1, to be used with `bits` bits."""
    yes = p.accurate_ball(bits)
    return BinomialLaw(l, yes, 1 - yes if ctx.prec > bits and yes < 0.75 else (1 - p).accurate_ball(bits))


def working_bits(precision: int, largest: int) -> int:
    """Bits that leave `precision` of them after masses at points up to `largest`."""
    return precision + 2 * GUARD + largest.bit_length()


def binomial_value(l: int, p: Real, x: int, precision: int, value: Callable[[Noise, int, int], arb]) -> arb:
    """`value(law, x, bits)` for Bin(l, p); the law of one point is taken as Bin(0, 1/2), moved.

    >>> binomial_upper_ball(4, HALF, 3, 53).str(10, radius=False)
    '0.3125000000'
    """
    check_count("l", l, 0)
    check_between("p", p, Fraction(0), Fraction(1))
    if p.fraction in (0, 1):
        (l, p, x) = (0, HALF, x - l if p.fraction == 1 else x)
    bits = working_bits(precision, l)
    with ctx.workprec(bits):
        return value(binomial_law(l, p, bits), x, precision + GUARD)


def poisson_value(mu: Real, x: int, precision: int, value: Callable[[Noise, int, int], arb]) -> arb:
    """`value(law, x, bits)` for Pois(mu)."""
    check_positive("mu", mu)
    bits = working_bits(precision, max(mu.ceil(), x))
    with ctx.workprec(bits):
        return value(PoissonLaw(mu.accurate_ball(bits)), x, precision + GUARD)


def mass_at(law: Noise, x: int, bits: int) -> arb:
    """P[X = x]."""
    return law.mass(x)


binomial_mass_ball = partial(binomial_value, value=mass_at)
binomial_lower_ball = partial(binomial_value, value=lower_tail)
binomial_upper_ball = partial(binomial_value, value=upper_tail)
poisson_mass_ball = partial(poisson_value, value=mass_at)
poisson_lower_ball = partial(poisson_value, value=lower_tail)
poisson_upper_ball = partial(poisson_value, value=upper_tail)
"""P[X = x], P[X <= x] and P[X >= x] of (l, p, x, precision) and of (mu, x, precision), to about `precision` bits."""


def poisson_masses(mu: Real, precision: int) -> tuple[list[arb], arb]:
    """Masses of Pois(mu) from 0 on until they fall below 2^-precision, and a bound on the mass of what is left out."""
    with ctx.workprec(precision + 32):
        mean, masses, least = mu.ball_here(), list[arb](), arb(2) ** -precision
        for mass in walk(PoissonLaw(mean), 0, 1):
            if len(masses) > 2 * mean + 1 and not mass > least:
                break
            masses.append(mass)
        return masses, 2 * mass


# The tail of a law over its first mass, by a continued fraction of positive terms that brackets it when it is cut off.
#
# Where the law is narrow or its masses fall fast, the ratios of its masses are summed directly.  Floats choose between
# the ways and lengths; balls make the values.


@dataclass(frozen=True, slots=True)
class Side:
    """The masses from one point outward, relative to the first, w_0 = 1, w_1, ..., and the numbers of their fraction.

    `step(j)` = w_(j+1)/w_j does not increase in j.  With f_m the sum of C(j, m) w_j over j, so that S = f_0, and
    rho_m = m f_m/f_(m-1): multiplying the law's ratio w_j/w_(j-1) by C(j, m), clearing its denominator and summing
    over j >= 1 gives S = `scale`/(`margin` + rho_1) and rho_m = alpha_m/(beta_m + rho_(m+1)), where
    alpha_m = `rate` m (`length` - m), or `rate` m without a length, and beta_m = `margin` + m `slope`.
    """

    step: Callable[[int], arb]
    scale: arb
    margin: arb
    slope: arb
    rate: arb
    length: int | None


def side_sum(side: Side, distance: float, bits: int) -> arb:
    """The sum S; `distance` from the mean in standard deviations, infinite for a narrow law, guides the length."""
    if distance == inf or not side.margin > 0 or float(side.step(0)) < 0.5:
        return summed_side(side, bits)
    wanted = (bits + 4) * log(2) / 2  # term n divides the error by about exp(distance/sqrt(n)), the first ones by less
    count = ceil((wanted / distance) ** 2 + wanted / 2) + 3
    (total, known) = (fraction_side(side, count), 0)
    while known < total.rel_accuracy_bits() < bits:
        (known, count) = (total.rel_accuracy_bits(), 2 * count)
        total = fraction_side(side, count)
    return total


def summed_side(side: Side, bits: int) -> arb:
    """S = 1 + r_0 (1 + r_1 (1 + ...)), cut off where the rest is between 1 and 1/(1-r)."""
    (steps, rest, left) = (list[arb](), arb(1), float(bits))
    while side.length is None or len(steps) < side.length - 1:
        step = side.step(len(steps))
        if left < 0 and step < 1:
            rest = arb(1).union(1 / (1 - step))
            break
        left += log2(max(float(step), 1e-300))
        steps.append(step)
    for step in reversed(steps):
        rest = 1 + step * rest
    return rest


def fraction_side(side: Side, count: int) -> arb:
    """S from `count` terms of its continued fraction, for margin + slope > 0.

    The rest rho_(count+1) that is left out is between 0 and alpha/beta; every term makes the ball around it shorter.
    """
    size = side.length
    count = count if size is None else min(count, size - 1)

    def term(n: int, rest: arb) -> arb:
        alpha = side.rate * (n if size is None else n * (size - n))
        return alpha / (side.margin + n * side.slope + rest)

    rho = arb(0).union(term(count + 1, arb(0)))
    for n in range(count, 0, -1):
        rho = term(n, rho)
    return side.scale / (side.margin + rho)


# The Skellam law, the difference of two independent Pois(v/2): mean 0, variance v; its masses.
#
# *Formula*: P[X = x] = f(x) = e^-v I_|x|(v), I the modified Bessel function.  f is even and log-concave, since Poisson
# laws are, so f(x+1)/f(x) falls in x, and what lies beyond K >= 0 is between f(K+1) and f(K+1)/(1 - f(K+1)/f(K)).
# Masses next to each other come from f(x-1) = f(x+1) + (2x/v) f(x), downward, where every term is positive.


LARGEST_VARIANCE = 10**9
"""A tail near the centre sums about sqrt(2 v bits) masses, half a second for this v."""
WHAT = "a mass of a Skellam law"


def skellam_mass_ball(v: Real, x: int, precision: int) -> arb:
    """P[X = x], with `precision` correct bits.

    >>> from panshuffle.exact.real import real
    >>> skellam_mass_ball(real(1), 0, 53).str(10, radius=False)
    '0.4657596076'
    """

    def evaluate(bits: int) -> arb:
        with ctx.workprec(bits):
            return v.ball_here().bessel_i(abs(x), scaled=True)

    return precise(evaluate, precision, WHAT, precision + GUARD)


def skellam_masses(v: Real, last: int, precision: int) -> list[arb]:
    """The masses at 0, ..., last with about `precision` correct bits."""
    bits = working_bits(precision, last)
    after, mass = skellam_mass_ball(v, last + 1, bits), skellam_mass_ball(v, last, bits)
    with ctx.workprec(bits):
        step, found = 2 / v.accurate_ball(bits), [mass]
        for x in range(last, 0, -1):
            after, mass = mass, after + step * x * mass
            found.append(mass)
    return found[::-1]


def skellam_reach(v: Real, x: int, bits: int) -> int:
    """A place beyond x >= 0 where the masses have fallen by about 2^-bits: where -log f grows about as asinh(x/v)."""
    variance, fall, more = float(v), bits * log(2), 0.0
    slope = x / (variance + x)
    for _ in range(4):
        more = 2 * fall / (slope + sqrt(slope**2 + 2 * fall / (variance + x + more)))
    return x + int(more) + GUARD


def skellam_beyond(last: arb, after: arb) -> arb:
    """What lies beyond K, from f(K) and f(K+1)."""
    return after.union(after / (1 - after / last))
