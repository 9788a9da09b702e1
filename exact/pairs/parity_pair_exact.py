"""The privacy of P_DE with real messages for a rational q and e^eps, exactly; letters as in `pairs.parity_pair`."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import comb

from flint import fmpq, fmpz, fmpz_poly
from panshuffle.exact.numbers.certified import as_fraction
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.pairs.parity_background import backgrounds, check_background
from panshuffle.exact.pairs.parity_pair import Background
from panshuffle.exact.parameters import check_count, check_parity_curve, check_pool, refuse_if


def parity_law(users: int, holders: int, m: int, q: Fraction) -> list[Fraction]:
    """The masses of 0, ..., N*m ones: the coefficients of A^C (A + qB)^(N-C), C = holders.

    *Exactness*: exact.

    >>> parity_law(1, 0, 2, Fraction(1, 2))
    [Fraction(3, 8), Fraction(1, 4), Fraction(3, 8)]
    """
    check_pool(users, holders, m)
    refuse_if(not -1 <= q <= 1, "q", q, "between -1 and 1")
    even, odd = q.denominator + q.numerator, q.denominator - q.numerator
    bits = fmpz_poly([comb(m, i) * (odd if i % 2 else even) for i in range(m + 1)])
    law = bits ** (users - holders) * fmpz_poly([1, 1]) ** (m * holders)
    scale = fmpz(2) ** (m * users) * fmpz(q.denominator) ** (users - holders)
    return [as_fraction(fmpq(law[i], scale)) for i in range(m * users + 1)]


def parity_pool_delta_exact(users: int, holders: int, m: int, q: Fraction, exp_eps: Fraction, gain: bool) -> Fraction:
    """The same for rational q and e^eps.  *Exactness*: exact.

    >>> parity_pool_delta_exact(1, 0, 1, Fraction(1, 2), Fraction(1), gain=True)
    Fraction(1, 4)
    """
    check_parity_curve(users, holders, m, Real(q), Real(exp_eps))
    more, fewer = (parity_law(users, c, m, q) for c in (holders + 1, holders))
    upper, lower = (more, fewer) if gain else (fewer, more)
    return sum((max(p - exp_eps * r, Fraction(0)) for p, r in zip(upper, lower, strict=True)), Fraction(0))


def parity_pair_delta_exact(
    users: int, holders_a: int, holders_b: int, m: int, q: Fraction, exp_eps: Fraction
) -> Fraction:
    """The same for rational q and e^eps.  *Exactness*: exact.

    >>> parity_pair_delta_exact(1, 0, 0, 1, Fraction(1, 2), Fraction(1))
    Fraction(1, 4)
    """
    check_parity_curve(users, 0, m, Real(q), Real(exp_eps))
    check_background(users, (holders_a, holders_b))
    a_more, a_fewer, b_more, b_fewer = (
        parity_law(users, c, m, q) for c in (holders_a + 1, holders_a, holders_b + 1, holders_b)
    )
    order = sorted((p / r, p, r) for p, r in zip(a_more, a_fewer, strict=True))
    ratios = [ratio for ratio, _, _ in order]
    upper = list(accumulate((p for _, p, _ in reversed(order)), initial=Fraction(0)))[::-1]
    lower = list(accumulate((r for _, _, r in reversed(order)), initial=Fraction(0)))[::-1]
    total = Fraction(0)
    for p, r in zip(b_fewer, b_more, strict=True):
        x = bisect_left(ratios, exp_eps * r / p)
        total += p * upper[x] - exp_eps * r * lower[x]
    return total


def worst_background_exact(
    users: int, k: int, m: int, q: Fraction, exp_eps: Fraction, dummies: int = 0
) -> tuple[Fraction, Background | None]:
    """The largest divergence over every background and neighbour, all of them computed.  *Exactness*: exact."""
    check_parity_curve(users, 0, m, Real(q), Real(exp_eps))
    check_count("k", k)
    found = [(parity_pair_delta_exact(users, *where, m, q, exp_eps), where) for where in backgrounds(users, k, dummies)]
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))
