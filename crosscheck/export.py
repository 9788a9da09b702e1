"""Exact pairs of laws for other people's accountants."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module
from typing import Any

from flint import arb, ctx
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import Law, Masses
from panshuffle.exact.real import ball_of, rounded_float

BITS = 128  # enough to find the next double
REST = "the rest"


def to_dp_accounting(
    upper: Law, lower: Law, pessimistic_estimate: bool = True, value_discretization_interval: float = 1e-4
) -> Any:
    """The pair as a `PrivacyLossDistribution` of dp-accounting, which has to be installed.

    Its delta is that of `upper` against `lower`, in this direction only.  Every mass is rounded so that the loss and
    its mass err on the side that was asked for: up, or down for an optimistic one.  What a law does not list is an
    outcome that only `upper` has where the estimate is pessimistic, and left out where it is not.
    *Raises* `InputError` where dp-accounting is missing.
    """
    library = dp_accounting()
    above, below = log_masses(upper, lower, pessimistic_estimate)
    return library.from_two_probability_mass_functions(
        below,
        above,
        pessimistic_estimate=pessimistic_estimate,
        value_discretization_interval=value_discretization_interval,
    )


def dp_accounting() -> Any:
    """The module of dp-accounting that has its losses.  *Raises* `InputError` where it is not installed."""
    try:
        return import_module("dp_accounting.pld.privacy_loss_distribution")
    except ImportError:
        raise InputError("dp-accounting is not installed: pip install 'panshuffle[accountants]'") from None


def log_masses(upper: Law, lower: Law, pessimistic: bool = True) -> tuple[dict[Hashable, float], dict[Hashable, float]]:
    """The logarithms of the masses of both laws as doubles, rounded to one side.

    Pessimistic: those of `upper` up and those of `lower` down, so that loss and mass are at least the true ones.

    >>> from fractions import Fraction
    >>> from panshuffle.exact.laws.law import rational_law
    >>> die = rational_law({face: Fraction(1, 6) for face in range(1, 7)})
    >>> round(log_masses(die, die)[0][3], 12)
    -1.791759469228
    """
    above, below = enclosed(upper), enclosed(lower)
    with ctx.workprec(BITS):
        found = {x: rounded_float(mass.log(), pessimistic) for x, mass in above.listed.items() if mass > 0}
        if pessimistic and not above.tail.is_zero():
            found[REST] = rounded_float(above.tail.upper().log(), True)
        more = arb(0) if pessimistic else below.tail.upper()
        listed = dict(below.listed) if more.is_zero() else dict.fromkeys(found, arb(0)) | dict(below.listed)
        other = {
            x: rounded_float((mass + more).log(), not pessimistic) for x, mass in listed.items() if mass + more > 0
        }
    return found, other


def enclosed(law: Law) -> Masses:
    """The masses as balls: from the rationals themselves, or as the law encloses them."""
    if law.exact is None:
        return law.enclose(BITS)
    return Masses({x: ball_of(mass, BITS) for x, mass in law.exact.items()}, arb(0))
