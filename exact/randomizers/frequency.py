"""How well a randomizer with a name counts one value: messages support values, and the supports are counted.

Legend: q1 the probability that a message supports the value that its user holds, q0 that it supports another given one,
n users, of whom n_v hold the value v.

The supports of v are Bin(n_v, q1) + Bin(n - n_v, q0), so (supports - n q0)/(q1 - q0) is an unbiased estimate of n_v.
Its variance is affine in n_v, and is largest where all users hold v, or none.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw
from panshuffle.exact.errors import InputError
from panshuffle.exact.numbers.certified import Certified, largest_of
from panshuffle.exact.numbers.real import Real, real
from panshuffle.exact.randomizers.named import named_randomizer, optimised_bits, symmetric_bits
from panshuffle.exact.randomizers.randomizer import Multiset, UserLaw

UNARY = {"unary-symmetric": symmetric_bits, "unary-optimised": optimised_bits}
"""A message supports the values whose bits are set."""
ORACLES = ("k-ary", *UNARY, "subset-selection", "hadamard", "hashing-binary", "hashing-optimised")
"""In the others every mass is p times a constant or that constant, and a message supports those who send it with p."""


@dataclass(frozen=True)
class Supports:
    """q1 and q0."""

    held: Real
    other: Real

    def variance(self, users: int) -> Certified:
        """The largest variance of an estimate, over all numbers of holders."""
        square = (self.held - self.other) ** 2
        return largest_of(Certified.of(users * q * (1 - q) / square) for q in (self.held, self.other))

    def error(self, users: int, holders: int = 0) -> AffineError:
        """The law of the error for a value that so many users hold."""
        law = CountLaw(((holders, self.held), (users - holders, self.other)))
        return AffineError(law, self.held - self.other, law.mean())


def supports_of(name: str, k: int, p: Real, value: int = 0, other: int = 1) -> Supports:
    """q1 and q0 of a randomizer with a name; they are the same for every value and every other one.

    *Raises* `InputError` for a randomizer that does not count values, and as `named_randomizer`.

    >>> supports_of("k-ary", 3, real(4))
    Supports(held=Real('2/3'), other=Real('1/6'))
    """
    if name not in ORACLES:
        raise InputError(f"named = {name} does not count values: it must be one of {', '.join(ORACLES)}")
    found = named_randomizer(name, k, p)
    if name in UNARY:
        return Supports(*UNARY[name](p))
    least = min(mass for mass in found.laws[value].values())
    chosen = {letter for letter, mass in found.laws[value].items() if mass != least}
    held, away = (share(law, chosen, least, p) for law in (found.laws[value], found.laws[other]))
    return Supports(held, away)


def share(law: UserLaw, chosen: Collection[Multiset], least: Real, p: Real) -> Real:
    """The probability of some messages: (a p + b)/(A p + B), where so many masses of them and of all are the larger."""
    larger = {letter for letter, mass in law.items() if mass != least}
    a, b = len(larger & {*chosen}), len({*chosen} - larger)
    of, rest = len(larger), len(law) - len(larger)
    return real(Fraction(a, of)) if a * rest == b * of else (a * p + b) / (of * p + rest)
