"""The mean gain of a sum of independent losses, many of them alike, enclosed from a lattice of frequencies.

t is the sum of k centred losses (loss minus eps/k), `upper` gives them masses p, and the gain is
    sum over k-tuples of p...p (1 - e^-t)_+ = C * mean of psi(t),    psi(t) = e^(-ct) (1 - e^-t)_+,    c > 0,
under the law R tilted by e^(ct), where C = M(c)^k and M(s) is the sum of p e^(s loss).  The mean of t_+ is the same
with psi(t) = e^(-ct) t_+ : below h is 1 for the gain and 0 for t_+.  Losses of several kinds are several `Atoms`, each
with its number of uses; k is the number of all, and M^k below stands for the product of their M to these numbers.

*Smoothing.*  psi has the transform f(w) = 1/((c+iw)(c+h+iw)).  Cut it off by the even function chi(v) = 1 - v^2 g(v),
where g is 0 up to 1/4, (4v-1)/3 up to 1 and 1/v^2 beyond, so that chi = 0 there.  With period D, frequencies
w_j = 2 pi j/D, J of them and T = 2 pi J/D, the polynomial P(t) = sum over |j| < J of chi(j/J) f(w_j) e^(i w_j t) / D
is, by Poisson's formula, the sum over all m of (psi - e)(t + mD), where e has the transform (1 - chi(w/T)) f(w).  As f
is the mean of (c + x + iw)^-2 over 0 < x < h, f + 1/w^2 and its derivatives of order n are at most
(c + h/2) (n+2)! / |w|^(n+3), and integrating by parts twice gives T |e(t)| <= min(G0, G2/(Tt)^2) with
    G0 = 11/(8 pi) + 0.67 (c + h/2)/T,    G2 = 20/(3 pi) + 58 (c + h/2)/T:
the first terms are the integral of g and the variation of g', over pi, the others bound what f + 1/w^2 adds.

*The kink.*  With x = Tt/2, min(G0, G2/(4x^2)) <= a/(x^2 + pi^2/4) for a = (G2 + pi^2 G0)/4, and 1/(x^2 + pi^2/4) is at
most b(x) = sin^2 x/x^2 + cos^2 x (1/(x - pi/2)^2 + 1/(x + pi/2)^2)/2 by Jensen.  The sum of b over the shifts of t by
mD is B(t), the sum over |j| < J of (1 - |j|/J)(1 + cos(pi j/J)) e^(i w_j t) / J: Fejer kernels, with the same
frequencies.  So P differs from the periodic sum of psi by at most (a/T) B everywhere, and both have means under R that
are finite sums of k-th powers of the transform of one tilted loss.  Where the losses are spread out, the mean of B is
of order 1/T, and the width of the enclosure of order 1/T^2, whatever k is.

*Wrapping.*  psi(t) is at most b e^(-rt) for t > 0, with r = c and b = 1 for the gain, r = 7c/8 and b = 8/(ec) for t_+.
psi >= 0, so its periodic sum is above it, by at most b e^(-r(D-A))/(1 - e^(-rD)) for -A <= t <= D and
b/(1 - e^(-rD)) elsewhere; Chernoff's bound covers R outside of [-A, D].

*Nothing happens.*  The tuples whose losses are all exactly 0 gain nothing: their mass at t = 0, where the kink is, is
taken out of R.

*Rounding.*  u = 2^-53.  Weights and two unit numbers an atom come from balls; powers of unit numbers by a tree of
products, each within 2.5 u; sums of n complex products, added up in any order (a matrix product, supposed to be the
conventional one), within 3 n u of the sum of the moduli.  The j-th
value of the transform is then within h_j = `fixed` + min(j, 2*stride) * `growing`, its k-th power within
1.1 k (h_j + 3u), a product of such powers within the sum of these, as long as that is at most 0.05; once more for what
is taken out.  With q = c(c+h) the coefficients of P are at most
1/(D (q + w_j^2)), so that they sum to at most 1/(D q) + 1/(2 sqrt q), and with the weights |j| to at most
D (1 + log J)/(2 pi^2); those of B sum to at most 2.  Sums are taken in runs of 1024, which are added exactly.  Floats
choose c, D, A and J; none is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, fsum, inf, isqrt, log, pi, prod, sqrt
from operator import mul
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.integer_law import UNIT, Doubles

BITS = 128
MOST_NODES = 1 << 23
BLOCK = 1 << 18
RUN = 1024
ATTEMPTS = 4
STEEPEST = 1e9
LAZY = 0.875  # r/c for t_+ : the closer to 1, the larger b


# Independent losses, many of them alike: their masses, the sums that a tilt makes of them, and its weights as doubles.


NEGLIGIBLE = 2.0**-64

Kind = tuple[Sequence[arb], Sequence[arb], int]
"""Positive masses under `upper`, centred losses, and how many losses are of this kind."""


@dataclass(frozen=True, slots=True)
class Atoms:
    """Masses under `upper` and centred losses, as balls, and roughly the logarithms of the masses and the losses."""

    masses: Sequence[arb]
    losses: Sequence[arb]
    log_masses: Doubles
    near: Doubles
    uses: int

    @classmethod
    def of(cls, masses: Sequence[arb], losses: Sequence[arb], uses: int) -> Atoms:
        """The atoms with these positive masses and these losses."""
        logs = np.array([float(mass.log().mid()) for mass in masses])
        return cls(masses, losses, logs, np.array([float(loss.mid()) for loss in losses]), uses)

    def tilted(self, s: float) -> list[arb]:
        """p e^(s loss) for every atom; their sum is M(s)."""
        tilt = arb(s)
        return [mass * (tilt * loss).exp() for mass, loss in zip(self.masses, self.losses, strict=True)]

    def silent(self, share: Share) -> float:
        """The tilted weight of the atoms whose loss is exactly 0."""
        return fsum(weight for i, weight in zip(share.kept, share.weights, strict=True) if self.losses[i].is_zero())

    def about(self, s: float) -> tuple[float, float, float]:
        """Roughly log M(s), and the mean and the variance of the loss under the tilt."""
        exponents = self.log_masses + s * self.near
        top = float(exponents.max())
        weights = np.exp(exponents - top)
        whole = float(weights.sum())
        weights /= whole
        mean = float((weights * self.near).sum())
        return top + log(whole), mean, float((weights * (self.near - mean) ** 2).sum())

    def share(self, c: float) -> Share:
        """The tilted weights."""
        balls = self.tilted(c)
        total = sum(balls, arb(0))
        shares = [ball / total for ball in balls]
        weights = np.array([float(share.mid()) for share in shares])
        kept = np.flatnonzero(weights > NEGLIGIBLE / len(weights))
        doubt = float(sum((share.rad() for share in shares), arb(0)).upper().mid())
        return Share(weights[kept], kept, 2 * doubt + 4 * UNIT + 2 * NEGLIGIBLE, total)


@dataclass(frozen=True, slots=True)
class Total:
    """All losses: of several kinds, independent of each other."""

    kinds: tuple[Atoms, ...]
    h: int

    @classmethod
    def of(cls, kinds: Sequence[Kind], h: int = 1) -> Total:
        """The losses of these kinds."""
        return cls(tuple(Atoms.of(*kind) for kind in kinds), h)

    @property
    def uses(self) -> int:
        """k."""
        return sum(kind.uses for kind in self.kinds)

    def about(self, s: float) -> tuple[float, ...]:
        """Roughly log M(s)^k, and the mean and the variance of the sum under the tilt."""
        found = [[kind.uses * value for value in kind.about(s)] for kind in self.kinds]
        return tuple(map(fsum, zip(*found, strict=True)))

    def spread(self, s: float) -> float:
        """Roughly the standard deviation of the sum under the tilt, and never 0."""
        return sqrt(self.about(s)[2]) + 1e-9

    def reach(self, c: float, goal: float, sign: int) -> tuple[float, float]:
        """(A, b): roughly the least A that Chernoff's bound with exponent b gives R[sign * t > A] <= e^-goal."""
        here = self.about(c)[0]
        exponents = [2.0 ** (i / 4) * sqrt(2 * goal) / self.spread(c) for i in range(-12, 9)]
        return min(((self.about(c + sign * b)[0] - here + goal) / b, b) for b in exponents)

    def generating(self, s: float) -> arb:
        """M(s)^k."""
        return prod((sum(kind.tilted(s), arb(0)) ** kind.uses for kind in self.kinds), start=arb(1))

    def largest(self) -> arb:
        """The largest value of the sum, from above."""
        found = ((kind.uses, max(kind.losses, key=lambda loss: loss.upper())) for kind in self.kinds)
        return sum((uses * loss.upper() for uses, loss in found), arb(0))


@dataclass(frozen=True, slots=True)
class Share:
    """The tilted weights of one kind as floats with a bound on their total error, which atoms they are of, and M(c)."""

    weights: Doubles
    kept: npt.NDArray[np.int64]
    error: float
    whole: arb


@dataclass(frozen=True, slots=True)
class Tilt:
    """The tilt c, the tilted weights of every kind, and C = M(c)^k."""

    c: float
    shares: tuple[Share, ...]
    constant: arb


# Powers of many complex numbers of modulus 1 in double precision, with bounds of their errors, and sums over them.


Complexes = npt.NDArray[np.complex128]
Numbers = TypeVar("Numbers", Doubles, Complexes)

(DEPTH, SIDE) = (32, 45)
"""The sides of a tile: about 2^16 products, few enough that no library takes threads: on a busy machine they wait."""


def tiled_product(left: Complexes, right: Complexes) -> Complexes:
    """The sum over i of left[i, a] right[i, b] for all a and b, in tiles."""
    (count, rows), columns = left.shape, right.shape[1]
    turned, result = np.ascontiguousarray(left.T), np.zeros((rows, columns), dtype=np.complex128)
    for i in range(0, count, DEPTH):
        for a in range(0, rows, SIDE):
            part = turned[a : a + SIDE, i : i + DEPTH]
            for b in range(0, columns, SIDE):
                result[a : a + SIDE, b : b + SIDE] += part @ right[i : i + DEPTH, b : b + SIDE]
    return result


def powers(angles: Sequence[arb], count: int) -> tuple[Complexes, float]:
    """e^(i angle) to the powers 0, ..., count - 1, a row for every angle, and a bound on error/power."""
    sines, cosines = zip(*(angle.sin_cos() for angle in angles), strict=True)
    doubt = max(float(ball.rad()) for balls in (sines, cosines) for ball in balls)
    units = np.array([complex(float(x.mid()), float(y.mid())) for x, y in zip(cosines, sines, strict=True)])
    table = np.ones((len(units), count), dtype=np.complex128)
    done, top = 1, units
    while done < count:
        more = min(done, count - done)
        np.multiply(table[:, :more], top[:, None], out=table[:, done : done + more])
        done, top = done + more, top * top
    return table, 1.01 * (2 * doubt + 5 * UNIT)


def power(values: Numbers, k: int) -> Numbers:
    """values^k by repeated squaring: of real numbers within about 2 k u of itself."""
    result = None
    while True:
        if k & 1:
            result = values if result is None else result * values
        k >>= 1
        if not k:
            return values if result is None else result
        values = values * values


# The enclosure of the mean.


@dataclass(frozen=True, slots=True)
class Circle:
    """The period D, and a bound on how much the periodic sum of psi exceeds psi in the mean."""

    period: float
    wrapped: arb


def total_gain(kinds: Sequence[Kind], width: float, spare: float = 0.0) -> arb:
    """An enclosure of the sum over k-tuples of p...p (1 - e^-t)_+, t the sum of the losses of several kinds.

    It is meant to be no wider than `width` times (its value + `spare`), and is wider where MOST_NODES don't suffice.
    *Holds when* the masses are positive and sum to at most 1 (caller).  *Raises* `Undecided` for a k beyond floats.
    """
    return enclosed_mean(kinds, 1, width, spare)


def mean_positive(masses: Sequence[arb], values: Sequence[arb], k: int, width: float) -> arb:
    """An enclosure of the mean of t_+, t the sum of k independent values; otherwise as `total_gain`.

    *Holds when* the values are of the order of 1 (caller), for the sake of the width only.
    """
    return enclosed_mean([(masses, values, k)], 0, width, 0.0)


def enclosed_mean(kinds: Sequence[Kind], h: int, width: float, spare: float) -> arb:
    """C times the mean of psi, enclosed."""
    with ctx.workprec(bits_for(kinds)):
        if is_silent(kinds):
            return arb(0)
        total = Total.of(kinds, h)
        tilt = tilt_of(total)
        crude = arb(0).union(tilt.constant * height(total, tilt))
        if tilt.c >= STEEPEST or crude.upper() <= width * spare:
            return crude
        best = refined(total, tilt, width, spare)
        return best if best.rad() < crude.rad() else crude


def bits_for(kinds: Sequence[Kind]) -> int:
    """The precision of balls: k-th powers lose log k bits."""
    return BITS + 2 * sum(uses for _, _, uses in kinds).bit_length()


def is_silent(kinds: Sequence[Kind]) -> bool:
    """Whether no sum is above 0: a kind has no atom at all, or none has a loss that may be above 0."""
    return any(not masses for masses, _, _ in kinds) or all(loss <= 0 for _, losses, _ in kinds for loss in losses)


def chernoff(masses: Sequence[arb], values: Sequence[arb], k: int) -> arb:
    """A quick upper bound on the mean of t_+, t the sum of k independent values: C times the largest psi."""
    return enclosed_mean([(masses, values, k)], 0, 1.0, inf).upper()


def height(total: Total, tilt: Tilt) -> arb:
    """A bound on psi(t) where t is at most the largest sum."""
    largest = total.largest()
    return -(-largest).expm1() if total.h else largest.min(1 / (tilt.c * arb(1).exp()))


def refined(total: Total, tilt: Tilt, width: float, spare: float) -> arb:
    """The narrowest of a few enclosures, each with as many nodes as the last one's width calls for."""
    c = tilt.c
    square = c * (c + total.h)
    value = 0.4 / max(sqrt(total.about(c)[2]), 1 / c) / square  # roughly the mean of psi
    goal = min(width * (1 + spare / (float(tilt.constant) * value or inf)), 0.25)
    circle = circle_of(total, tilt, min(goal * value, 0.25) / 32)
    nodes, best = ceil(circle.period * sqrt(90 * square / goal) / (2 * pi)), arb.pos_inf()
    for _ in range(ATTEMPTS):
        nodes = max(64, min(nodes, MOST_NODES))
        ball = enclosure(total, tilt, circle, nodes, node_sums(total, tilt, circle, nodes))
        if best.is_finite() and ball.rad() > 0.7 * best.rad():
            return ball if ball.rad() < best.rad() else best
        best = ball
        wanted = width * (ball.lower() + spare)
        ratio = float((2 * ball.rad() / wanted).upper().mid()) if wanted > 0 else inf
        if ratio <= 1 or nodes == MOST_NODES:
            break
        nodes = int(min(nodes * max(1.2, 1.15 * sqrt(ratio)), 16.0 * nodes))
    return best


def tilt_of(total: Total) -> Tilt:
    """The tilt near the saddle point, where the mean of the sum is 1/c + 1/(c+h)."""
    low, high = 1e-9, STEEPEST
    while high > low * 1.001:
        c = sqrt(low * high)
        low, high = (low, c) if total.about(c)[1] > 1 / c + 1 / (c + total.h) else (c, high)
    shares = tuple(kind.share(high) for kind in total.kinds)
    constant = prod((share.whole**kind.uses for kind, share in zip(total.kinds, shares, strict=True)), start=arb(1))
    return Tilt(high, shares, constant)


def circle_of(total: Total, tilt: Tilt, small: float) -> Circle:
    """A period for which wrapping adds about `small`, and a proved bound on what it adds."""
    c, (rate, height) = tilt.c, envelope(tilt.c, total.h)
    goal = log(float(height) / small)
    (left, down), (right, up) = (total.reach(c, goal, sign) for sign in (-1, 1))
    least = total.spread(c)
    left = max(left, least)
    period = max(left + goal / rate, right, least)
    share = height / (1 - (-rate * arb(period)).exp())
    inner = (-rate * (arb(period) - left)).exp()
    before = total.generating(c - down) / tilt.constant * (-down * arb(left)).exp()
    beyond = total.generating(c + up) / tilt.constant * (-up * arb(period)).exp()
    return Circle(period, share * (inner + before + beyond))


def envelope(c: float, h: int) -> tuple[float, arb]:
    """(r, b) with psi(t) <= b e^(-rt) for all t > 0."""
    rate = c if h else c * LAZY
    return rate, arb(1) if h else 1 / ((arb(c) - rate) * arb(1).exp())


def enclosure(total: Total, tilt: Tilt, circle: Circle, nodes: int, sums: Sums) -> arb:
    """C times the mean of P, give or take (a/T) times that of B, the wrapping and the rounding."""
    c, period = arb(tilt.c), arb(circle.period)
    cut = 2 * arb.pi() * nodes / period
    relative = (c + total.h * 0.5) / cut
    flat, steep = 11 / (8 * arb.pi()) + 0.67 * relative, 20 / (3 * arb.pi()) + 58 * relative
    factor = (steep + arb.pi() ** 2 * flat) / (4 * cut)
    square = c * (c + total.h)
    rounding = (1 / (period * square) + 1 / (2 * square.sqrt())) * sums.fixed
    rounding += period * (1 + arb(nodes).log()) / (2 * arb.pi() ** 2) * sums.growing
    slack = factor * (sums.kernel + 2 * (arb(sums.fixed) + sums.farthest)) + rounding
    low, high = arb(sums.smooth) - slack - circle.wrapped, arb(sums.smooth) + slack
    return (tilt.constant * low.union(high)).nonnegative_part()


@dataclass(frozen=True, slots=True)
class Sums:
    """The means of P and of B; a term is wrong by fixed + min(growing * j, farthest) in units of its coefficient."""

    smooth: float
    kernel: float
    fixed: float
    growing: float
    farthest: float


@dataclass(frozen=True, slots=True)
class Table:
    """What the transform of one kind is made of: powers of unit numbers for small and large steps, and their errors."""

    small: Complexes
    large: Complexes
    uses: int
    silent: complex
    fixed: float
    growing: float

    @classmethod
    def of(cls, kind: Atoms, share: Share, units: Sequence[tuple[arb, int]]) -> Table:
        """The table for frequencies that are sums of these units, each taken the given number of times."""
        (small, doubt), (large, more) = (powers([unit * kind.losses[i] for i in share.kept], n) for unit, n in units)
        fixed, growing = 3.2 * UNIT * (len(share.kept) + 2) + share.error, 1.05 * max(doubt, more)
        silent = power(np.array([kind.silent(share)], dtype=np.complex128), kind.uses)[0]
        return cls(small * share.weights[:, None], large, kind.uses, complex(silent), fixed, growing)

    def values(self, first: int, rows: int) -> Complexes:
        """The k-th power of the transform at some rows of frequencies."""
        return power(tiled_product(self.large[:, first : first + rows], self.small), self.uses)


def node_sums(total: Total, tilt: Tilt, circle: Circle, nodes: int) -> Sums:
    """The means of P and of B as floats, with what bounds their errors."""
    stride = isqrt(nodes - 1) + 1
    shapes = ((1, stride), (stride, -(-nodes // stride)))
    units = [(2 * arb.pi() * step / arb(circle.period), count) for step, count in shapes]
    tables = [Table.of(kind, share, units) for kind, share in zip(total.kinds, tilt.shares, strict=True)]
    turn_small, turn_large = (powers([arb.pi() * step / nodes], count)[0][0] for step, count in shapes)
    fixed = fsum(table.uses * (table.fixed + 3 * UNIT) for table in tables)
    growing = fsum(table.uses * table.growing for table in tables)
    if fixed + 2 * stride * growing > 0.05:
        raise Undecided(f"a composition of {total.uses} mechanisms is beyond double precision")
    silent = reduce(mul, (table.silent for table in tables))
    rows = max(1, BLOCK // stride)
    blocks = []
    for first in range(0, shapes[1][1], rows):
        values = reduce(mul, (table.values(first, rows) for table in tables)).ravel()[: nodes - first * stride]
        turns = np.multiply.outer(turn_large[first : first + rows], turn_small).real.ravel()[: len(values)]
        blocks.append(block_sums(values - silent, turns, first * stride, nodes, (tilt.c, total.h), circle))
    smooth, kernel = (fsum(part) for part in zip(*blocks, strict=True))
    farthest = 4.0 * stride * growing  # also covers the cosines of B
    return Sums(smooth, kernel, 2.2 * fixed + (RUN + 512) * UNIT, 1.1 * growing, farthest)


def block_sums(
    values: Complexes, turns: Doubles, first: int, nodes: int, exponents: tuple[float, int], circle: Circle
) -> tuple[float, float]:
    """What the frequencies first, first + 1, ... and their negatives add to the means of P and of B."""
    (c, h), j = exponents, np.arange(first, first + len(values), dtype=np.float64)
    v = j / nodes
    frequencies = (2 * pi / circle.period) * j
    squares = frequencies * frequencies
    cutoff = 1 - v * v * ((4 * v - 1) / 3).clip(0)
    scale = 2 * cutoff / (circle.period * (c * c + squares) * ((c + h) ** 2 + squares))
    terms = scale * ((c * (c + h) - squares) * values.real + (2 * c + h) * frequencies * values.imag)
    kernel = (2 / nodes) * (1 - v) * (1 + turns) * values.real
    if first == 0:
        terms[0], kernel[0] = terms[0] / 2, kernel[0] / 2
    return run_sum(terms), run_sum(kernel)


def run_sum(terms: Doubles) -> float:
    """The sum, within 1024 u of the sum of the moduli and a rounding."""
    return fsum(np.add.reduceat(terms, np.arange(0, len(terms), RUN)))
