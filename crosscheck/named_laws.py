"""Laws by their names, as people write them: "Pois(3)", "Bin(10, 1/3)"."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from crosscheck.mass_tables import MassTable, bernoulli, binomial, listed, poisson, symmetric_geometric
from crosscheck.reference.negative_binomial import negative_binomial
from crosscheck.reference.skellam import skellam
from exact.errors import InputError
from exact.numbers.grammar import parse
from exact.numbers.real import Real, real

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
    "ber": (1, bernoulli),
    "bin": (2, lambda n, p: binomial(whole(n, "Bin"), p)),
    "pois": (1, poisson),
    "nb": (2, lambda l, p: negative_binomial(whole(l, "NB"), p)),
    "geo": (1, lambda p: negative_binomial(1, p)),
    "skellam": (1, skellam),
    "dlap": (1, symmetric_geometric),
    "unif": (2, uniform),
}
"""How many parameters a law has; NB and Geo count failures, Skellam(v) has variance v, DLap(r) is as r^|x|."""


def named_law(text: str) -> MassTable:
    """The law of that name.  *Raises* `InputError` for a name or parameters that are not known.

    >>> float(named_law("Bin(2, 1/2)").mass(1))
    0.5
    """
    found = NAMED.fullmatch(text)
    name = found[1].lower() if found else ""
    if found is None or name not in LAWS:
        raise InputError(f"the law '{text[:40]}' is not known: Ber, Bin, Pois, NB, Geo, Skellam, DLap or Unif")
    wanted, law = LAWS[name]
    parts = [part for part in found[2].split(",") if part.strip()]
    if len(parts) != wanted:
        raise InputError(f"the law '{text[:40]}' has {len(parts)} parameters where {wanted} are needed")
    return law(*(real(parse(part).constant) for part in parts))
