"""The error of the Poisson-binomial sum, for every number of ones among the data."""

from __future__ import annotations

from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw
from panshuffle.exact.accuracy.worst_input import MOST_WORK, Case
from panshuffle.exact.numbers.real import Real


def sum_error(users: int, ones: int, m: int, p: Real, absent: int = 0) -> AffineError:
    """The error where so many of the users hold 1: (C - E[C])/(m(1 - 2p)), C a sum of two binomial counts.

    An estimate that takes off the noise of `absent` users more is off by that.

    >>> from panshuffle.exact.numbers.real import real
    >>> sum_error(2, 1, 1, real("1/4")).chance(real("1/2")).exact
    Fraction(3, 8)
    """
    law = CountLaw(((m * ones, 1 - p), (m * (users - ones), p)))
    return AffineError(law, m * (1 - 2 * p), law.mean() + m * absent * p)


def cases(users: int, m: int, p: Real, absent: int = 0) -> list[Case]:
    """One case for each number of ones; exchanging 0 and 1 turns an unbiased error around: half of them are enough.

    Where that is too much work, no ones and half of them: all have the same variance, and a skewness between theirs.
    """
    most = users if absent else users // 2
    looked_at = range(most + 1) if all_cases(users, m) else (0, users // 2)
    return [Case(ones, sum_error(users, ones, m, p, absent)) for ones in looked_at]


def all_cases(users: int, m: int) -> bool:
    """Whether every number of ones is looked at."""
    return (users // 2 + 1) * users * m <= MOST_WORK
