"""The error of P_DE: C_j is a fair bit where j is held, and Ber((1 - Q)/2) elsewhere, Q = (1 - e^-eps)^(N/n)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw, first_true
from panshuffle.exact.accuracy.worst_input import Case, Rising
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.numbers.certified import Certified
from panshuffle.exact.numbers.real import HALF, Real, exp, log, real, sqrt
from panshuffle.exact.parameters import check_count, check_open_unit, check_positive, refuse_if

LARGEST_DOMAIN = 10**9


def estimate_error(
    k: int,
    distinct: int,
    eps: Real,
    gamma: Real | None = None,
    corrected: bool = False,
    held: int | None = None,
) -> AffineError:
    """The error z - D of P_DE with D distinct elements among the honest users' data, a fraction gamma of n.

    With dropouts A_DE is biased; `corrected` is the estimate (2C - k(1-Q))/Q from the number of users that the messages
    show, which is unbiased for every gamma, and the same as A_DE at gamma = 1.  `held` is the number of pools that
    hold something, where that is not D.

    >>> estimate_error(16, 16, log(real(2))).chance(real(19)).exact
    Fraction(697, 32768)
    """
    check_count("k", k)
    check_positive("eps", eps)
    refuse_if(k > LARGEST_DOMAIN, "k", k, f"at most {LARGEST_DOMAIN}, for the law of the error")
    held = distinct if held is None else held
    if not 0 <= held <= k:
        raise ParameterError("distinct", held, f"a whole number from 0 to {k}")
    free, rate = chances(eps, gamma, corrected)
    law = CountLaw(((held, HALF), (k - held, free)))
    return AffineError(law, rate, HALF * k - (k - distinct) * rate)


@lru_cache(maxsize=64)
def chances(eps: Real, gamma: Real | None, corrected: bool) -> tuple[Real, Real]:
    """(1 - Q)/2, the chance of a one where nobody holds an element, and half of what the estimate divides by."""
    full = 1 - exp(-eps)
    share = full ** (gamma if gamma is not None else real(1))
    return (1 - share) / 2, (share if corrected else full) / 2


def distinct_cases(
    k: int, counts: Sequence[int], eps: Real, gamma: Real | None = None, corrected: bool = False
) -> Rising:
    """A case for each number of distinct elements, in rising order."""
    return Rising(len(counts), lambda i: Case(counts[i], estimate_error(k, counts[i], eps, gamma, corrected)))


def transformed_cases(k: int, counts: Sequence[int], eps: Real) -> Rising:
    """The same for the pan-private counter: its dummies hold the element 1, which the stream may lack.

    For each number D, D pools are held and then D + 1, if there are as many; both rise from each to the next.

    >>> [case.error.law.mean().fraction for case in transformed_cases(2, [1], log(real(2)))]
    [Fraction(3, 4), Fraction(1, 1)]
    """
    places = 2 * len(counts) - (1 if counts and counts[-1] == k else 0)

    def case(place: int) -> Case:
        distinct = counts[place // 2]
        return Case(distinct, estimate_error(k, distinct, eps, held=distinct + place % 2))

    return Rising(places, case)


def paper_alpha(k: int, eps: Real, beta: Real) -> Real:
    """Theorem de_upper, Part II: e^eps/(e^eps-1) sqrt(2k ln(2/beta))."""
    check_open_unit("beta", beta)
    return exp(eps) / (exp(eps) - 1) * sqrt(2 * k * log(2 / beta))


def paper_beta(k: int, eps: Real, alpha: Real) -> Real:
    """The same, solved for beta: 2 exp(-alpha^2 (1 - e^-eps)^2/(2k)).

    >>> from panshuffle.exact.numbers.real import real
    >>> alpha = paper_alpha(16, real(1), real("1/10"))
    >>> round(float(paper_beta(16, real(1), alpha)), 12)
    0.1
    """
    ratio = alpha * (1 - exp(-eps))
    return 2 * exp(-(ratio * ratio) / (2 * k))


def geometric_chance(eps: Real, alpha: Real) -> Certified:
    """P[|V| > alpha] for the two-sided geometric noise V of the central baseline: 2 e^(-eps (a+1))/(1 + e^-eps).

    >>> geometric_chance(log(real(2)), real(0)).exact
    Fraction(2, 3)
    """
    check_positive("eps", eps)
    refuse_if(alpha < 0, "alpha", alpha, "at least 0")
    return Certified.of(2 * exp(-eps * (alpha.floor() + 1)) / (1 + exp(-eps)))


def geometric_alpha(eps: Real, beta: Real) -> int:
    """The least alpha with P[|V| > alpha] <= beta, a whole number.

    >>> geometric_alpha(log(real(2)), real("1/3"))
    1
    """
    check_open_unit("beta", beta)
    guess = max(0, int(float(log(2 / (beta * (1 + exp(-eps)))) / eps)))
    return first_true(lambda alpha: geometric_chance(eps, real(alpha)).decide(beta) <= 0, 2 * guess + 4, guess)
