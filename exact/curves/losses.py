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
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import floor, inf, isfinite, nextafter
from operator import neg

from flint import arb, ctx
from panshuffle.exact.curves.curve import Curve, worse
from panshuffle.exact.curves.law_pair import Json, checked_object, loaded, number_of
from panshuffle.exact.errors import InputError, ParameterError, Undecided
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
    table = checked_object(loaded(text), FORMAT, KEYS)
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
