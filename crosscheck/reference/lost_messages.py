"""What may happen to messages after they are sent: lost, sent twice, drawn with replacement, torn from their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import comb

from panshuffle.crosscheck.mass_tables import MassTable, binomial, mixture, point
from panshuffle.crosscheck.reference.model import DROPOUTS, MESSAGES, ORDER, Bug, Fit, Laws, fixed, pool_laws
from panshuffle.exact.real import Real, real

RARE = 3.0  # nats that these mistakes have to be better by than one in what is sent
MOST_MESSAGES = 200  # messages up to which these mistakes are tried: about a second


def sizes_of(laws: Laws) -> list[int] | None:
    """The numbers of messages of the pools, where they are fixed and not too many."""
    sizes = [law.first for law in laws[1::2] if len(law.masses) == 1]
    return sizes if len(sizes) == len(laws) // 2 and 0 < sum(sizes) <= MOST_MESSAGES else None


def mishandled(laws: Laws) -> Iterator[Bug]:
    """Messages that are drawn with replacement, or whose labels and bits are shuffled apart."""
    sizes = sizes_of(laws)
    if sizes is None:
        return
    total, ones = sum(sizes), laws[2::2]
    yield fixed("zeros are not sent", MESSAGES, *pool_laws([(law, law) for law in ones]))
    zeros = [law.negated().moved(size) for law, size in zip(ones, sizes, strict=True)]
    yield fixed("ones are not sent", MESSAGES, *pool_laws([(law, point(0)) for law in zeros]))
    again = [drawn_again(law, size, total) for law, size in zip(ones, sizes, strict=True)]
    yield replace(fixed("messages are drawn with replacement", ORDER, *pool_laws(again)), price=RARE)
    if len(sizes) > 1:
        everything = reduce(MassTable.plus, ones)
        apart = [(point(size), dealt(everything, size, total)) for size in sizes]
        yield replace(fixed("labels and bits are shuffled apart", ORDER, *pool_laws(apart)), price=RARE)


def drawn_again(law: MassTable, size: int, total: int) -> tuple[MassTable, MassTable]:
    """(messages, ones) of a pool where as many messages as there are in all are drawn from them."""
    ones = mixture([(mass, binomial(total, share(x, total))) for x, mass in enumerate(law.masses, start=law.first)])
    return binomial(total, share(size, total)), ones


def share(part: int, total: int) -> Real:
    """A part of all messages, as a probability."""
    return real(Fraction(min(max(part, 0), total), total))


def dealt(law: MassTable, size: int, total: int) -> MassTable:
    """The ones of a pool that gets so many of all messages at random, from the law of all ones."""
    parts = []
    for x, mass in enumerate(law.masses, start=law.first):
        ways = {i: comb(x, i) * comb(total - x, size - i) for i in range(max(0, size - total + x), min(x, size) + 1)}
        parts += [(mass * (way / comb(total, size)), point(i)) for i, way in ways.items()]
    return mixture(parts)


def lossy(laws: Laws) -> tuple[Fit, ...]:
    """Messages that are lost, or sent twice, now and then."""
    sizes = sizes_of(laws)
    if sizes is None:
        return ()

    def lost(part: Real) -> Laws:
        return pool_laws([(binomial(size, 1 - part), thinned(law, 1 - part)) for law, size in pairs(laws, sizes)])

    def doubled(part: Real) -> Laws:
        more = [(binomial(size, part).moved(size), more_of(law, part)) for law, size in pairs(laws, sizes)]
        return pool_laws(more)

    words = {"about {:.0%} of the messages are lost": lost, "about {:.0%} of the messages are sent twice": doubled}
    return tuple(Fit(name, real(0), Fraction(0), Fraction(1), of, DROPOUTS) for name, of in words.items())


def pairs(laws: Laws, sizes: Sequence[int]) -> list[tuple[MassTable, int]]:
    """The law of the ones and the number of messages of each pool."""
    return list(zip(laws[2::2], sizes, strict=True))


def thinned(law: MassTable, chance: Real) -> MassTable:
    """The law of how many of so many are kept, each with this chance."""
    return mixture([(mass, binomial(x, chance)) for x, mass in enumerate(law.masses, start=law.first)])


def more_of(law: MassTable, chance: Real) -> MassTable:
    """The law of so many, each of which counts twice with this chance."""
    return mixture([(mass, binomial(x, chance).moved(x)) for x, mass in enumerate(law.masses, start=law.first)])
