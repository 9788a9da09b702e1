"""The least noise that meets a target, with both witnesses: this value meets it, the next one does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from panshuffle.exact.curves.curve import EXACT, TWO_SIDED, UPPER_BOUND, Curve, bisected
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.real import Certified, Real, first_true, span

LARGEST = 1 << 62


@dataclass(frozen=True)
class Calibration:
    """The value that was looked for, and the certified deltas at it and at its neighbour that fails.

    `fails` is None where no value fails.  `kind` is "exact" where the value is the one that was looked for, to the
    digits asked for; "two-sided" where it is between the ends, which more digits don't bring closer; "upper bound"
    where it meets the target and a smaller one may too.  `larger_meets` says that of the two ends of an enclosure the
    upper one meets the target.
    """

    value: Certified
    meets: Certified
    fails: Certified | None
    kind: str = EXACT
    larger_meets: bool = False


def meets_target(curve: Curve, exp_eps: Real, delta: Real) -> bool:
    """Whether the curve is at most delta at e^eps.  *Raises* `Undecided` where no precision that is tried tells."""
    sign = curve.compare_at(exp_eps, delta)
    if sign == 0:
        raise Undecided("whether a value meets this target is too close to call")
    return sign == -1


def least_integer(curve_at: Callable[[int], Curve], exp_eps: Real, delta: Real, start: int = 1) -> Calibration:
    """The least integer >= start whose curve meets (eps, delta).

    *Holds when* a larger integer never has a larger delta (caller: more noise is post-processing).
    *Raises* `InputError` where none up to 2^62 meets it.
    """
    found = start + first_true(lambda i: meets_target(curve_at(start + i), exp_eps, delta), LARGEST)
    if found >= LARGEST:
        raise InputError("no value up to 2^62 meets this target")
    fails = curve_at(found - 1).delta(exp_eps) if found > start else None
    return Calibration(Certified.of(found), curve_at(found).delta(exp_eps), fails)


def first_integer(curve_at: Callable[[int], Curve], exp_eps: Real, delta: Real, start: int, most: int) -> Calibration:
    """The first integer from `start` on whose curve is certified to meet the target.

    Every smaller one was tried; where one of them could not be decided, the value is an upper bound of the least, and
    where that was the one before, there is no `fails`.
    *Raises* `InputError` where none up to `most` meets it.
    """
    curve_at = cache(curve_at)
    signs: list[int] = []
    for value in range(start, most + 1):
        signs.append(curve_at(value).compare_at(exp_eps, delta))
        if signs[-1] == -1:
            fails = curve_at(value - 1).delta(exp_eps) if signs[-2:-1] == [1] else None
            kind = UPPER_BOUND if 0 in signs else EXACT
            return Calibration(Certified.of(value), curve_at(value).delta(exp_eps), fails, kind)
    if 0 in signs:
        raise Undecided(f"no value from {start} to {most} is certified to meet this target, and some may")
    raise InputError(f"no value from {start} to {most} meets this target")


def boundary(
    curve_at: Callable[[Real], Curve],
    exp_eps: Real,
    delta: Real,
    good: Fraction,
    bad: Fraction,
    digits: int,
) -> Calibration:
    """The point between a value that meets the target and one that does not, enclosed to the digits.

    The witnesses are the ends of the enclosure: one meets the target, the other fails.  Between them the curve
    is not looked at, so where it is not monotone this is one of the crossings.
    """

    def compare(value: Real) -> int:
        return curve_at(value).compare_at(exp_eps, delta)

    if not meets_target(curve_at(Real(good)), exp_eps, delta):
        raise InputError("no value meets this target")
    if meets_target(curve_at(Real(bad)), exp_eps, delta):
        return Calibration(Certified.of(bad), curve_at(Real(bad)).delta(exp_eps), None)

    def close(x: Fraction, y: Fraction) -> bool:
        return bool(abs(x - y) <= min(abs(y), abs(x) or abs(y)) / 10 ** (digits + 1))

    bad, good = bisected(compare, bad, good, close)
    low, high = min(good, bad), max(good, bad)
    value, kind = Certified(lambda precision: span(low, high, precision)), EXACT if close(bad, good) else TWO_SIDED
    meets, fails = (curve_at(Real(end)).delta(exp_eps) for end in (good, bad))
    return Calibration(value, meets, fails, kind, good > bad)
