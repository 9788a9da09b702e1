"""A privacy loss distribution on a lattice: masses of the losses j*h under `upper`, and of an infinite loss.

Its delta at E = e^eps is the sum of p_j (1 - E e^(-jh))_+ plus the infinite mass.  The masses are doubles, and h is the
exact value of a double, so that other accountants read the same numbers.

*Rounding.*  An outcome of masses (p, q) whose ratio p/q is between a = e^(jh) and b = e^((j+1)h) is divided between the
losses jh and (j+1)h such that both masses are kept: p_a + p_b = p and p_a/a + p_b/b = q, which is
p_a = a (b q - p)/(b - a), p_b = b (p - a q)/(b - a).  (1 - E x)_+ is convex in x = q/p, of which a mean over 1/a and
1/b takes the place, so delta does not fall at any E; and it rises with every p_j, which are rounded up, so far that the
decimals that denote them are not below the truth either.  The same holds for every product of such laws.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import floor, fsum, inf, isfinite, log, nextafter, sqrt
from operator import mul, neg
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.curves.curve import Curve, worse
from panshuffle.exact.curves.law_pair import Json, loaded, number_of
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.laws.integer_law import UNIT, Doubles
from panshuffle.exact.laws.law import Law
from panshuffle.exact.real import Real, exp, largest, quotient, rounded_float

FORMAT = "panshuffle-losses-1"
KEYS = {"format", "interval", "losses", "infinite", "reverse", "about"}
MOST_LOSSES = 2_000_000
"""Places of the lattice: more than that is too fine an interval."""
BITS = 256
"""Of all balls: sums of tails down to 1e-60 keep many digits."""


@dataclass(frozen=True)
class Losses:
    """The interval h, the masses of the losses j*h by j, and the mass of the infinite loss."""

    interval: float
    masses: Mapping[int, float]
    infinite: float

    def curve(self) -> Curve:
        """delta as a function of e^eps; a function above 1 counts as 1."""
        step = Real(Fraction(self.interval))
        places = sorted(self.masses, reverse=True)
        with ctx.workprec(BITS):
            above = [arb(self.masses[j]) for j in places]
            below = [mass * (-j * step.ball_here()).exp() for j, mass in zip(places, above, strict=True)]
            upper = [arb(0), *accumulate(above)]
            lower = [arb(0), *accumulate(below)]

        def ball(exp_eps: Real, precision: int) -> arb:
            with ctx.workprec(BITS):
                factor = exp_eps.ball_here()
                first = floor(float(factor.log().mid()) / self.interval)
                gains = [arb(0)]
                for least in range(first - 1, first + 3):  # the losses from the least one on count, which is near log E
                    count = bisect_right(places, -least, key=neg)
                    gains.append(upper[count] - factor * lower[count])
                return (largest(gains) + self.infinite).min(1)

        if self.infinite:
            return Curve(ball, limit=Real(min(Fraction(self.infinite), Fraction(1))))
        return Curve(ball, pure=exp(step * max([0, *places])))


def rounded_up(value: arb) -> float:
    """A double such that it and the decimal that denotes it are at least the number; 0 for 0."""
    return 0.0 if value.is_zero() else nextafter(rounded_float(value, up=True), inf)


def losses_of(upper: Law, lower: Law, interval: float) -> Losses:
    """The losses of a pair with exact masses on a lattice, rounded up.

    *Raises* `ParameterError` for an interval that is not allowed, `Undecided` where a place is not decided.
    """
    check_interval(interval)
    if upper.exact is None or lower.exact is None:
        raise InputError("losses are written for laws with exact masses")
    found: dict[int, arb] = {}
    infinite = arb(0)
    with ctx.workprec(BITS):
        step = arb(quotient(Fraction(interval)))
        for outcome, mass in upper.exact.items():
            p, q = arb(quotient(mass)), arb(quotient(lower.exact.get(outcome, Fraction(0))))
            if outcome not in lower.exact:
                infinite += p
                continue
            place = place_of(mass / lower.exact[outcome], interval)
            low, high = (step * place).exp(), (step * (place + 1)).exp()
            shares = low * (high * q - p) / (high - low), high * (p - low * q) / (high - low)
            for j, share in zip((place, place + 1), shares, strict=True):
                found[j] = found.get(j, arb(0)) + share.nonnegative_part()
        check_size(found)
        return Losses(interval, {j: rounded_up(found[j]) for j in sorted(found)}, rounded_up(infinite))


def place_of(ratio: Fraction, interval: float) -> int:
    """A j with e^(jh) <= ratio <= e^((j+1)h)."""
    exact, step = arb(quotient(ratio)).log(), arb(quotient(Fraction(interval)))
    guess = floor(float((exact / step).mid()))
    if exact < step * guess:
        guess -= 1
    if not step * guess <= exact <= step * (guess + 1):
        raise Undecided("whether a loss is above a place of the lattice is not decided")
    return guess


def check_interval(interval: float) -> None:
    """*Raises* `ParameterError` unless the interval is a positive double that is neither tiny nor huge."""
    if not (isfinite(interval) and 1e-9 <= interval <= 10):
        raise ParameterError("pld", repr(interval), "the interval between losses, from 1e-9 to 10")


def check_size(found: Mapping[int, arb]) -> None:
    """*Raises* `ParameterError` for more places than a computer should be asked for."""
    places = max(found, default=0) - min(found, default=0)
    if places > MOST_LOSSES:
        raise ParameterError("pld", places, f"an interval for which the losses have at most {MOST_LOSSES} places")


def curve_of(losses: Losses, reverse: Losses | None) -> Curve:
    """The curve in the worse order of the neighbours."""
    return losses.curve() if reverse is None else worse(losses.curve(), reverse.curve())


def json_of_losses(losses: Losses, reverse: Losses | None, about: Mapping[str, Json]) -> str:
    """The losses as JSON: numbers that are read as the doubles they are."""
    table: dict[str, Json] = {"format": FORMAT, "about": dict(about), "interval": losses.interval, **written(losses)}
    if reverse is not None:
        table["reverse"] = written(reverse)
    return json.dumps(table) + "\n"


def written(losses: Losses) -> dict[str, Json]:
    """The masses as JSON has them."""
    return {"losses": [[j, mass] for j, mass in losses.masses.items()], "infinite": losses.infinite}


def losses_of_text(text: str) -> tuple[Losses, Losses | None]:
    """The losses that a JSON text denotes, and those of the other order where they differ.  *Raises* `InputError`."""
    table = loaded(text)
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise InputError(f'the JSON is not an object with "format": "{FORMAT}"')
    unknown = sorted({*table} - KEYS)
    if unknown:
        raise InputError(f"the key '{unknown[0]}' is unknown: the keys are {', '.join(sorted(KEYS))}")
    interval = double_of(table.get("interval"), "interval")
    check_interval(interval)
    reverse = table.get("reverse")
    if reverse is not None and not isinstance(reverse, dict):
        raise InputError("'reverse' is not an object with losses and infinite")
    return side_of(table, interval), None if reverse is None else side_of(reverse, interval)


def side_of(table: Mapping[str, Json], interval: float) -> Losses:
    """The losses of one order."""
    rows = table.get("losses")
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 2 for row in rows):
        raise InputError("'losses' is missing, or is not a list of [j, mass]")
    masses: dict[int, float] = {}
    for i, (place, mass) in enumerate(rows, start=1):
        where = f"losses, row {i}"
        try:
            j = int(place)
        except (TypeError, ValueError):
            raise InputError(f"{where}: the place is not a whole number") from None
        if j in masses or abs(j) > MOST_LOSSES:
            raise InputError(f"{where}: the place {j} is there twice, or is beyond {MOST_LOSSES}")
        masses[j] = double_of(mass, where)
    if not masses and not table.get("infinite"):
        raise InputError("no mass is listed")
    return Losses(interval, masses, double_of(table.get("infinite", "0"), "infinite"))


def double_of(value: Json, where: str) -> float:
    """The double that a decimal denotes, not negative."""
    number = number_of(value, where)
    found = float(value)
    if not isfinite(found) or number.fraction is None:
        raise InputError(f"{where}: {value} is no finite number")
    return found


# Independent losses, many of them alike: their masses, the sums that a tilt makes of them, and its weights as doubles.
#
# The letters are those of `mean_gain`: p the masses under `upper`, M(s) the sum of p e^(s loss), c the tilt.


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

    def cumulant(self, s: float) -> float:
        """Roughly log M(s)."""
        exponents = self.log_masses + s * self.near
        top = float(exponents.max())
        return top + log(float(np.exp(exponents - top).sum()))

    def tilted(self, s: float) -> list[arb]:
        """p e^(s loss) for every atom; their sum is M(s)."""
        tilt = arb(s)
        return [mass * (tilt * loss).exp() for mass, loss in zip(self.masses, self.losses, strict=True)]

    def extent(self) -> float:
        """Roughly the largest difference of two losses."""
        return float(self.near.max() - self.near.min())

    def silent(self, share: Share) -> float:
        """The tilted weight of the atoms whose loss is exactly 0."""
        return fsum(weight for i, weight in zip(share.kept, share.weights, strict=True) if self.losses[i].is_zero())

    def moments(self, s: float) -> tuple[float, float]:
        """Roughly the mean and the variance of the loss under the tilt."""
        exponents = self.log_masses + s * self.near
        weights = np.exp(exponents - exponents.max())
        weights /= weights.sum()
        mean = float((weights * self.near).sum())
        return mean, float((weights * (self.near - mean) ** 2).sum())

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

    def cumulant(self, s: float) -> float:
        """Roughly log M(s)^k."""
        return fsum(kind.uses * kind.cumulant(s) for kind in self.kinds)

    def moments(self, s: float) -> tuple[float, float]:
        """Roughly the mean and the variance of the sum under the tilt."""
        found = [(kind.uses, kind.moments(s)) for kind in self.kinds]
        return fsum(uses * mean for uses, (mean, _) in found), fsum(uses * spread for uses, (_, spread) in found)

    def spread(self, s: float) -> float:
        """Roughly the standard deviation of the sum under the tilt, and never 0."""
        return sqrt(self.moments(s)[1]) + 1e-9

    def reach(self, c: float, goal: float, sign: int) -> tuple[float, float]:
        """(A, b): roughly the least A that Chernoff's bound with exponent b gives R[sign * t > A] <= e^-goal."""
        here = self.cumulant(c)
        exponents = [2.0 ** (i / 4) * sqrt(2 * goal) / self.spread(c) for i in range(-12, 9)]
        return min(((self.cumulant(c + sign * b) - here + goal) / b, b) for b in exponents)

    def generating(self, s: float) -> arb:
        """M(s)^k."""
        return product(sum(kind.tilted(s), arb(0)) ** kind.uses for kind in self.kinds)

    def extent(self) -> float:
        """Roughly the largest difference of two losses of one kind."""
        return max(kind.extent() for kind in self.kinds)

    def largest(self) -> arb:
        """The largest value of the sum, from above."""
        found = ((kind.uses, max(kind.losses, key=lambda loss: loss.upper())) for kind in self.kinds)
        return sum((uses * loss.upper() for uses, loss in found), arb(0))


def product(factors: Iterable[arb]) -> arb:
    """The product of some balls."""
    return reduce(mul, factors, arb(1))


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
