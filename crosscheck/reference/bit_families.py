"""Families of mistakes in how a user's bit and noise bit are sent: for the diagnosis only.

A letter s is the share of users, or the chance, by which a mistake is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from panshuffle.crosscheck.mass_tables import (
    MassTable,
    bernoulli,
    binomial,
    listed,
    mixture,
    point,
    repeated,
    stretched,
)
from panshuffle.crosscheck.reference.model import DATA, DROPOUTS, LEAST, MOST, NOISE, Fit, Laws, pool_laws
from panshuffle.exact.real import HALF, Real, real

ZERO = real(0)
LARGEST_GROUP = 6  # users who share a coin
MOST_DOUBTED = 1000  # users, times kinds of pools, up to which families of mistakes are tried: about a second
DEAR = 4.0  # nats that a family has to be better by than another value of a parameter
User = tuple[MassTable, MassTable]
"""The ones that a user sends who holds the element, and one who does not."""


def crowd(user: User, users: int, counts: Sequence[int]) -> list[MassTable]:
    """The ones of pools that so many of the users hold."""
    found = {c: repeated(user[0], min(c, users)).plus(repeated(user[1], users - min(c, users))) for c in set(counts)}
    return [found[c] for c in counts]


def pools_of(size: int, ones: Sequence[MassTable]) -> Laws:
    """The laws of pools of a fixed size."""
    return pool_laws([(point(size), law) for law in ones])


def either_user(share: Real, wrong: User, right: User) -> User:
    """A user who makes a mistake with this probability."""
    weight = Fraction(float(share))
    first, second = (mixture([(weight, a), (1 - weight, b)]) for a, b in zip(wrong, right, strict=True))
    return first, second


def summing_users(p: Real) -> dict[str, tuple[str, User]]:
    """Users who should send their bit and a coin, by the mistake that they make; its area."""
    coin, two = bernoulli(p), stretched(bernoulli(p), 2)
    one, sent = point(1), bernoulli(p).moved(1)
    return {
        "the bit is replaced by noise": (DATA, (coin.plus(coin), coin.plus(coin))),
        "the noise bit is replaced by the bit": (DATA, (point(2), point(0))),
        "the bit is inverted": (DATA, (coin, sent)),
        "a bit 1 is sent as 0": (DATA, (coin, coin)),
        "a bit 0 is sent as 1": (DATA, (sent, sent)),
        "the bit is sent OR the noise bit that follows": (DATA, (sent, two)),
        "the bit is sent XOR the noise bit that follows": (DATA, (one, two)),
        "the bit is sent AND the noise bit that follows": (DATA, (two, coin)),
        "the bit is sent OR another noise bit": (DATA, (sent, coin.plus(coin))),
        "the noise bit is 1": (NOISE, (point(2), one)),
        "the messages are lost, and zeros stand in their place": (DROPOUTS, (point(0), point(0))),
        "the noise bit is the inverted bit": (NOISE, (one, one)),
    }


def flipping_users(p: Real) -> dict[str, tuple[str, User]]:
    """Users who should send their bit flipped with probability p, by the mistake that they make; its area."""
    coin, right = bernoulli(p), (bernoulli(1 - p), bernoulli(p))
    return {
        "the bit is not flipped": (NOISE, (point(1), point(0))),
        "the bit is sent as 0": (DATA, (point(0), point(0))),
        "the bit is sent as 1": (DATA, (point(1), point(1))),
        "the bit is replaced by noise": (DATA, (coin, coin)),
        "the bit is inverted": (DATA, (right[1], right[0])),
    }


def user_doubts(users: int, n: int, counts: Sequence[int], size: int, p: Real, flipped: bool) -> tuple[Fit, ...]:
    """Mistakes that some users make, another coin for some of them, and noise bits that are those of another user."""
    coin = bernoulli(p)
    right = (bernoulli(1 - p) if flipped else coin.moved(1), coin)

    def some(mistaken: User) -> Callable[[Real], Laws]:
        return lambda share: pools_of(size, crowd(either_user(share, mistaken, right), users, counts))

    def chance(holders: bool) -> Callable[[Real], Laws]:
        def laws(other: Real) -> Laws:
            held = bernoulli(1 - other) if flipped else bernoulli(other).moved(1)
            return pools_of(size, crowd((held, coin) if holders else (right[0], bernoulli(other)), users, counts))

        return laws

    def paired(pairs: Real) -> Laws:
        again = paired_coins(users, p, (pairs + HALF).floor())
        return pools_of(size, [again.moved(c) for c in counts])

    def present(chance: Real) -> Laws:
        here = either_user(chance, right, (point(0), point(0)))
        everyone = [-(-c * n // users) for c in counts]
        size_law = stretched(binomial(n, chance), size // users)
        return pool_laws([(size_law, law) for law in crowd(here, n, everyone)])

    mistakes = (flipping_users if flipped else summing_users)(p)
    what = "flip probability" if flipped else "chance of the noise bit"
    fits = [
        Fit(f"for about {{:.0%}} of the users {words}", ZERO, Fraction(0), Fraction(1), some(user), area, price=DEAR)
        for words, (area, user) in mistakes.items()
    ]
    words = "who takes part is drawn: each user with a chance of about {:.0%}"
    fits.append(Fit(words, ZERO, Fraction(0), Fraction(1), present, DROPOUTS, price=DEAR))
    for holders in (True, False):
        fits.append(Fit(f"{what} of users whose bit is {int(holders)}", p, LEAST, MOST, chance(holders), price=DEAR))
    if not flipped:
        words = "about {:.0f} users have the noise bit of another user again"
        fits.append(Fit(words, ZERO, Fraction(0), Fraction(users // 2), paired, whole=True, price=DEAR))
    return tuple(fits)


def grouped_coins(coins: int, p: Real, group: int) -> MassTable:
    """The ones of coins that count for so many users each."""
    return stretched(binomial(coins // group, p), group).plus(binomial(coins % group, p))


def paired_coins(coins: int, p: Real, pairs: int) -> MassTable:
    """The ones of coins, so many of which are those of another user again."""
    return stretched(binomial(pairs, p), 2).plus(binomial(coins - 2 * pairs, p))


def evened_coins(coins: int, p: Real) -> MassTable:
    """About np ones, rounded down or up at random: coins that are not independent but evened out."""
    mean = float(p) * coins
    low = int(mean)
    return listed({low: 1 - (mean - low), low + 1: mean - low}) if mean > low else point(low)
