"""A formula that stands in a sentence, as a tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Leaf:
    """What has a text and no parts."""

    text: str


class Number(Leaf):
    """A number as it is written."""


class Name(Leaf):
    """A letter, or the name of a Greek one."""


class Word(Leaf):
    """A name of several letters, set upright: a function, a law, an index."""


class Sign(Leaf):
    """An operator or a relation; a quiet one joins two factors without being seen."""


@dataclass(frozen=True)
class Row:
    """Parts one after the other."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Fraction:
    """One expression over another."""

    above: Expression
    below: Expression


@dataclass(frozen=True)
class Root:
    """A square root."""

    inner: Expression


@dataclass(frozen=True)
class Fenced:
    """An expression between brackets."""

    left: str
    inner: Expression
    right: str


@dataclass(frozen=True)
class Scripted:
    """A base with primes, an index and a power."""

    base: Expression
    primes: int = 0
    below: Expression | None = None
    above: Expression | None = None


@dataclass(frozen=True)
class Hatted:
    """A letter under a hat."""

    inner: Expression


Expression = Hatted | Number | Name | Word | Sign | Row | Fraction | Root | Fenced | Scripted
QUIET = Sign("")
THIN = Sign(" ")
"""A product, and the space after the name of a function."""


def inside(found: Expression) -> list[Expression]:
    """A formula and all parts of it."""
    held = [part for value in vars(found).values() for part in (value if isinstance(value, tuple) else (value,))]
    return [found, *(part for child in held if isinstance(child, Expression) for part in inside(child))]
