"""Parameters: their domains, checked in one place so that every refusal reads the same, and the paper's formulas.

Formulas are exact; where one is broken, what is used in its place.

Legend: c = (e^eps + 1)/(e^eps - 1), p' the flip probability of P_DE, sigma the security parameter,
m the messages a user sends to a pool (P_DE) or the expected sample size (P_UT), lam the noise scale,
tau the tester's threshold, k_hat the size of the compressed domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from panshuffle.exact.errors import InputError, ParameterError, shortened
from panshuffle.exact.real import Real, exp, log, real, sqrt

THIRD = Fraction(1, 3)
"""The error that the paper allows a tester."""


def refuse_if(fault: object, name: str, value: object, allowed: str) -> None:
    """*Raises* `ParameterError` where there is a fault.

    >>> refuse_if(False, "k", 2, "even")
    """
    if fault:
        raise ParameterError(name, value, allowed)


def check_count(name: str, value: object, least: int = 1) -> None:
    """*Raises* `ParameterError` unless the value is a whole number, at least `least`.

    >>> check_count("k", 0)
    Traceback (most recent call last):
    panshuffle.exact.errors.ParameterError: k = 0 is not allowed: k must be a whole number, at least 1
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(name, value, f"a whole number, at least {least}")


def check_real(name: str, value: object) -> Real:
    """The value, if it is a `Real`."""
    if not isinstance(value, Real):
        raise ParameterError(name, value, 'an exact number (write real("0.1"))')
    return value


def check_positive(name: str, value: object) -> None:
    """*Raises* `ParameterError` unless the value is positive."""
    refuse_if(not check_real(name, value) > 0, name, value, "a finite number above 0")


def check_open_unit(name: str, value: object) -> Real:
    """The value.  *Raises* `ParameterError` unless 0 < value < 1."""
    number = check_real(name, value)
    refuse_if(not (number > 0 and number < 1), name, value, "strictly between 0 and 1")
    return number


def check_between(name: str, value: object, least: Fraction | int, most: Fraction | int) -> None:
    """*Raises* `ParameterError` unless least <= value <= most."""
    number = check_real(name, value)
    if not (number >= least and number <= most):
        raise ParameterError(name, value, f"between {least} and {most}")


def check_pool(users: int, holders: int, m: int) -> None:
    """*Raises* `ParameterError` unless 0 <= holders <= users, 1 <= users and 1 <= m."""
    check_count("users", users)
    check_count("m", m)
    check_count("holders", holders, least=0)
    if holders > users:
        raise ParameterError("holders", holders, f"at most the number of users ({users})")


def check_share(q: Real) -> None:
    """*Raises* `ParameterError` unless 0 <= q < 1."""
    refuse_if(not (q >= 0 and q < 1), "q", q, "at least 0 and less than 1")


def honest_users(n: int, gamma: Real) -> int:
    """N = gamma * n, the number of users who take part.

    >>> from panshuffle.exact.real import real
    >>> honest_users(6, real("1/3"))
    2
    >>> honest_users(6, real("0.3"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    panshuffle.exact.errors.ParameterError: gamma = 3/10 is not allowed: ... a whole number (n = 6)
    """
    check_count("n", n)
    refuse_if(not (check_real("gamma", gamma) > 0 and gamma <= 1), "gamma", gamma, "above 0 and at most 1")
    honest = (gamma * n).fraction
    if honest is None or honest.denominator != 1:
        raise ParameterError("gamma", gamma, f"such that gamma*n is a whole number (n = {n})")
    return honest.numerator


def check_element(value: object, k: int) -> None:
    """*Raises* `ParameterError` unless the value is in [k] = {1, ..., k}."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= k:
        raise ParameterError("x", value, f"an element of [k] = {{1, ..., {k}}}")


def check_bit(value: object, name: str = "x") -> None:
    """*Raises* `ParameterError` unless the value is 0 or 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in (0, 1):
        raise ParameterError(name, value, "0 or 1")


def check_pair(value: object) -> None:
    """*Raises* `ParameterError` unless the value is a pair of bits."""
    if not isinstance(value, tuple) or len(value) != 2 or not all(bit in (0, 1) for bit in value):
        raise ParameterError("x", value, "a pair of bits")


def check_rows(data: Sequence[object], least: int, most: int) -> None:
    """*Raises* `InputError` unless the data has an allowed number of rows."""
    if not least <= len(data) <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise InputError(f"the data has {len(data)} rows where {allowed} are allowed")


def log2(x: Real | Fraction | int) -> Real:
    """The logarithm to base 2, rational for a power of two.

    >>> log2(real("1/8"))
    Real('-3')
    """
    x = real(x)
    if x.fraction is not None and x.fraction > 0:
        for part, sign in ((x.fraction, 1), (1 / x.fraction, -1)):
            if part.denominator == 1 and part.numerator & (part.numerator - 1) == 0:
                return real(sign * (part.numerator.bit_length() - 1))
    return log(x) / log(2)


def ratio_c(eps: Real) -> Real:
    """c = (e^eps + 1)/(e^eps - 1).

    >>> ratio_c(log(real(3)))
    Real('2')
    """
    check_positive("eps", eps)
    return (exp(eps) + 1) / (exp(eps) - 1)


def flip_probability(n: int, eps: Real) -> Real:
    """p' = (1 - (1 - e^-eps)^(1/n)) / 2: n such coins, added mod 2, are Ber(1/(2e^eps)).

    >>> flip_probability(1, log(real(2)))
    Real('1/4')
    """
    check_count("n", n)
    check_positive("eps", eps)
    return (1 - (1 - exp(-eps)) ** Fraction(1, n)) / 2


def sigma(eps: Real, delta: Real) -> Real:
    """The security parameter log2((e^eps + 1)/delta).

    The printed log has no base; only base 2 makes (e^eps' + 1) * 2^-sigma the printed delta'.

    >>> sigma(log(real(3)), real("1/2"))
    Real('3')
    """
    check_positive("eps", eps)
    check_open_unit("delta", delta)
    return log2((exp(eps) + 1) / delta)


def messages(eps: Real, delta: Real) -> int:
    """The least m >= 3 with 2^(1-m) < 2^-sigma, the number of messages a user of P_DE sends to each pool.

    The printed randomizer uses m without defining it.  Two honest users are at total variation exactly
    2^(1-m) from the ideal sum, so no smaller m reaches 2^-sigma for every number of users.

    >>> messages(log(real(3)), real("1/2"))
    5
    """
    return max(3, sigma(eps, delta).floor() + 2)


def messages_in_comment(n: int, eps: Real, delta: Real) -> int:
    """m = 7 + ceil(2*sigma + 2*log2(n-1)), from a line of the paper's source that is commented out.

    *Raises* `InputError` for n = 1, where the formula is not defined.

    >>> messages_in_comment(3, log(real(3)), real("1/2"))
    15
    """
    check_count("n", n)
    if n == 1:
        raise InputError("m = paper is not allowed for n = 1: its formula takes the logarithm of n - 1 = 0")
    return 7 + (2 * sigma(eps, delta) + 2 * log2(real(n - 1))).ceil()


def binomial_coins(p: Real, eps: Real, delta: Real) -> int:
    """The least l with l * min(p, 1-p) >= 10 c^2 ln(2/delta), as the binomial mechanism lemma asks.

    >>> binomial_coins(real("1/2"), log(real(3)), real("1/2"))
    111
    """
    check_open_unit("p", p)
    least = p if p <= Fraction(1, 2) else 1 - p
    return (10 * ratio_c(eps) ** 2 * log(2 / check_open_unit("delta", delta)) / least).ceil()


def lam_uniformity(k: int, eps: Real, delta: Real) -> int:
    """lam = 40 c^2 ln(2k/delta), rounded up: the noise scale of P_UT as printed.

    >>> lam_uniformity(1, log(real(3)), real("1/2"))
    222
    """
    check_count("k", k)
    return (40 * ratio_c(eps) ** 2 * log(2 * k / check_open_unit("delta", delta))).ceil()


def lam_pan(eps: Real, delta: Real) -> int:
    """lam = 20 c^2 ln(2/delta), rounded up: the noise of Q_ZSUM and of the pan-private histogram as printed.

    >>> lam_pan(log(real(3)), real("1/2"))
    111
    """
    return (20 * ratio_c(eps) ** 2 * log(2 / check_open_unit("delta", delta))).ceil()


def zsum_probability(n: int, eps: Real, delta: Real) -> Real:
    """p = 1 - (10/n) c^2 ln(2/delta), the noise coin of P^zsum.

    *Raises* `InputError` unless n >= 20 c^2 ln(2/delta), as the claim asks (then p >= 1/2).
    """
    check_count("n", n)
    scale = 10 * ratio_c(eps) ** 2 * log(2 / check_open_unit("delta", delta))
    if not real(n) >= 2 * scale:
        needed = shortened((2 * scale).ceil())
        sentence = f"is too small for this eps and delta: P^zsum needs n to be at least {needed}"
        raise InputError(f"n = {shortened(n)} {sentence}")
    return 1 - scale / n


def threshold(k: int, lam: Real, m: Real, g: int = 1) -> Real:
    """The repaired threshold of P_UT: the mean of Z' under uniformity plus sqrt(2g) standard deviations.

    *Formula*: with mu = m/k, under Poissonization, E[Z'] = k^2 lam/(4m) and
    Var[Z'] = (k/m)^2 * k * (2(mu + lam/4)^2 + 5 lam/16); Cantelli's inequality then bounds the
    probability of a false "not uniform" by 1/(1 + 2g), which is 1/3 for g = 1 (compressed-tester-constants).

    >>> threshold(1, real(4), real(4)).ball(30).str(6, radius=False)
    '2.78106'
    """
    check_tester(k, lam, m)
    variance = (k / m) ** 2 * k * (2 * (m / k + lam / 4) ** 2 + 5 * lam / 16)
    return k**2 * lam / (4 * m) + sqrt(2 * g * variance)


def threshold_as_printed(k: int, lam: Real, m: Real, alpha: Real) -> Real:
    """The printed tau, which contains k^2 lam/(2m) where the statistic has mean k^2 lam/(4m).

    >>> threshold_as_printed(1, real(4), real(1), real("1/2")).ball(30).str(6, radius=False)
    '52.0030'
    """
    check_tester(k, lam, m)
    check_open_unit("alpha", alpha)
    k32, root = real(k) ** Fraction(3, 2), sqrt(lam)
    return (
        3 * alpha**2 * m / 250 + k**2 * lam / (2 * m) + 5 * k32 * lam / m + 10 * k * root / sqrt(m) + 5 * k32 * root / m
    )


def check_tester(k: int, lam: Real, m: Real) -> None:
    """*Raises* `ParameterError` unless k >= 1, lam > 0 and m > 0."""
    check_count("k", k)
    check_positive("lam", lam)
    check_positive("m", m)


def compressed_size(k: int, eps: Real, alpha: Real) -> int:
    """k_hat = k^(2/3) eps^(4/3) / alpha^(4/3), rounded up, and kept between min(2, k) and k.

    >>> compressed_size(1000, real(1), real(1) / 8)
    1000
    """
    check_count("k", k)
    check_positive("eps", eps)
    check_open_unit("alpha", alpha)
    size = (real(k) ** Fraction(2, 3) * (eps / alpha) ** Fraction(4, 3)).ceil()
    return min(max(size, 2), k)


def hashed_size(n: int, c: Real) -> int:
    """k' = ceil(c * n^(4/3)), the domain that P_HDE hashes to.

    >>> hashed_size(8, real(1))
    16
    """
    check_count("n", n)
    return (c * real(n) ** Fraction(4, 3)).ceil()


def blocks(n: int) -> tuple[int, int, int]:
    """(dummies before, elements of the stream, dummies after), n in all.

    The paper takes n/3 each.  Where 3 does not divide n the stream has floor(n/3) elements and the
    dummies before and after share the rest; each part of the view that holds the changed element then
    still has at least n/3 executions of the randomizer.

    >>> blocks(6), blocks(7), blocks(8)
    ((2, 2, 2), (3, 2, 2), (3, 2, 3))
    """
    stream = n // 3
    return (n - stream + 1) // 2, stream, (n - stream) // 2


def check_shift(l: int, p: Real, exp_eps: Real) -> None:
    """*Raises* `ParameterError` unless l >= 0, 0 <= p <= 1 and E > 0."""
    check_count("l", l, 0)
    check_between("p", p, 0, 1)
    check_positive("exp_eps", exp_eps)
