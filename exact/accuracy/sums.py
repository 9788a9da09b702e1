"""The errors of the sums and histograms: binomial noise, as the protocols leave it or less its mean."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx
from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw, check_beta, first_true
from panshuffle.exact.accuracy.distinct_elements import MOST_WORK, Case
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.real import HALF, Certified, Real, real

LARGEST_EXACT_BITS = 4_000


def noise_error(coins: int, p: Real, debiased: bool) -> AffineError:
    """The error of a sum with Bin(coins, p) noise: the noise itself, or the noise less its mean.

    >>> noise_error(4, HALF, False).chance(real(3)).exact
    Fraction(1, 16)
    >>> noise_error(4, HALF, True).chance(real(1)).exact
    Fraction(1, 8)
    """
    check_count("coins", coins, 0)
    return AffineError(CountLaw(((coins, p),)), real(1), coins * p if debiased else real(0))


def pan_sum_error(lam: int, debiased: bool) -> AffineError:
    """Q_ZSUM: the two draws together are Bin(2 lam, 1/2)."""
    check_count("lam", lam)
    return noise_error(2 * lam, HALF, debiased)


def any_of(one: Certified, bins: int) -> Certified:
    """1 - (1 - chance)^bins: that at least one of that many independent bins does what one does with this chance."""
    if one.exact is not None and one.exact.denominator.bit_length() * bins <= LARGEST_EXACT_BITS:
        return Certified.of(1 - (1 - one.exact) ** bins)

    def ball(precision: int) -> arb:
        chance = one.ball(precision + bins.bit_length())
        with ctx.workprec(precision + bins.bit_length() + 16):
            return -((-chance).log1p() * bins).expm1() if chance < 1 else arb(1)

    return Certified(ball, probability=True)


def largest_of(error: AffineError, bins: int, alpha: Real) -> Certified:
    """P[the largest of the errors of independent bins is above alpha].

    >>> largest_of(noise_error(1, HALF, False), 2, real(0)).exact
    Fraction(3, 4)
    """
    check_count("k", bins)
    return any_of(error.chance(alpha), bins)


def least_alpha_of(error: AffineError, bins: int, beta: Real) -> Real:
    """The least alpha with P[the largest error is above alpha] <= beta."""
    check_beta(beta)
    if beta >= 1:
        return real(0)
    return error.least_alpha(share_of(beta, bins))


def share_of(beta: Real, bins: int) -> Real:
    """The chance of one of the given number of independent bins with which that of any of them is beta."""
    return 1 - (1 - beta) ** (1 / real(bins))


@dataclass(frozen=True)
class ClippedSum:
    """P^zsum as its analyzer has it, max(0, ones - n), for `users` of n users and their bits in each of k bins.

    The error of a bin that holds S ones is -min(S, n - B), B ~ Bin(users, p): it is above alpha in size only where
    S is.  At most users/(floor(alpha) + 1) bins hold that many, and the worst data have as many of those as possible.
    """

    n: int
    users: int
    p: Real
    bins: int = 1

    def chance(self, alpha: Real) -> Certified:
        """The largest P[the largest error is above alpha] over all data.

        >>> ClippedSum(2, 2, HALF).chance(real(0)).exact
        Fraction(3, 4)
        """
        refuse_if(alpha < 0, "alpha", alpha, "at least 0")
        least = alpha.floor() + 1
        full = min(self.bins, self.users // least)
        law = CountLaw(((self.users, self.p),))
        return any_of(law.outside(self.n - least, self.users + 1), full) if full else Certified.of(0)

    def least_alpha(self, beta: Real) -> Real:
        """The least alpha with that probability at most beta, a whole number."""
        check_beta(beta)
        return real(first_true(lambda alpha: self.chance(real(alpha)).decide(beta) <= 0, self.users))


# The error of the Poisson-binomial sum, for every number of ones among the data.


def sum_error(users: int, ones: int, m: int, p: Real, absent: int = 0) -> AffineError:
    """The error where the given number of the users hold 1: (C - E[C])/(m(1 - 2p)), C a sum of two binomial counts.

    An estimate that takes off the noise of `absent` users more is off by that.

    >>> from panshuffle.exact.real import real
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
