"""Laws by their names, as people write them: "Pois(3)", "Bin(10, 1/3)"."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from panshuffle.crosscheck.mass_tables import (
    MassTable,
    bernoulli,
    binomial,
    listed,
    negative_binomial,
    poisson,
    skellam,
    symmetric_geometric,
)
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, real

NAMED = re.compile(r"\s*([A-Za-z]+)\s*\((.*)\)\s*", re.DOTALL)
MOST_FACES = 100_000  # outcomes of a uniform law


def whole(value: Real, name: str) -> int:
    """A parameter that has to be a whole number.  *Raises* `InputError` for another one."""
    if value.fraction is None or value.fraction.denominator != 1:
        raise InputError(f"the law {name} needs whole numbers, not {value}")
    return value.fraction.numerator


def uniform(low: Real, high: Real) -> MassTable:
    """Every whole number between the two, equally likely."""
    first, last = whole(low, "Unif"), whole(high, "Unif")
    if not 0 <= last - first < MOST_FACES:
        raise InputError("the law Unif(a, b) needs whole numbers a <= b that are not too far apart")
    mass = real(Fraction(1, last - first + 1)).ball(160)
    return listed(dict.fromkeys(range(first, last + 1), mass))


LAWS: dict[str, tuple[int, Callable[..., MassTable]]] = {
    "Ber": (1, bernoulli),
    "Bin": (2, lambda n, p: binomial(whole(n, "Bin"), p)),
    "Pois": (1, poisson),
    "NB": (2, lambda l, p: negative_binomial(whole(l, "NB"), p)),
    "Geo": (1, lambda p: negative_binomial(1, p)),
    "Skellam": (1, skellam),
    "DLap": (1, symmetric_geometric),
    "Unif": (2, uniform),
}
"""How many parameters a law has; NB and Geo count failures, Skellam(v) has variance v, DLap(r) is as r^|x|."""


def named_law(text: str) -> MassTable:
    """The law of that name.  *Raises* `InputError` for a name or parameters that are not known.

    >>> float(named_law("Bin(2, 1/2)").mass(1))
    0.5
    """
    found = NAMED.fullmatch(text)
    if found is None or found[1] not in LAWS:
        raise InputError(f"the law '{text[:40]}' is not known: laws are {', '.join(LAWS)}")
    wanted, law = LAWS[found[1]]
    parts = [part for part in found[2].split(",") if part.strip()]
    if len(parts) != wanted:
        raise InputError(f"the law '{text[:40]}' has {len(parts)} parameters where {wanted} are needed")
    return law(*(real(part.strip()) for part in parts))
