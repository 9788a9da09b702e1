"""P_DE with more messages than can be enumerated: its distance from the ideal modular sum.  Standard library only.

Legend: as in `exact.check`, and Q = q^N, kappa_j = ||A^(N-j) B^j||_1 <= C(Nm, mj)^(-1/2) (docs/shares.md).
With at least one holder a law is A^N, and with none A^N + q^N B^N, up to r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j in
norm; so every delta is within (1+E) r of what the parities of the two pools alone give, which is largest with no
other holder: max(0, (1+Q) - E (1-Q))/4; for k = 2 the pool of b has one, and it is max(0, 1 - E (1-Q))/2.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, isqrt

from exact.check import Bounds, Interval, Rejected, integer_power

EXPLICIT_TERMS = 8
MOST_USERS, MOST_SHARES = 10**12, 1000


def parity_event(users: int, k: int, q: Interval, bits: int) -> Bounds:
    """{odd number of ones in the pool of a, even in that of b}, with no other holder; for k = 2 {odd in that of a}.

    The parity of a pool is exactly the sum of the users' bits: fair with a holder, odd with probability (1-Q)/2
    without.
    """
    low, high = integer_power(q, users, bits)
    half = Fraction(1, 2)
    if k == 2 and users > 1:
        return Bounds(half, half, (1 - high) / 2, (1 - low) / 2)
    return Bounds((1 + low) / 4, (1 + high) / 4, (1 - high) / 4, (1 - low) / 4)


def ideal_upper(users: int, k: int, m: int, q: Interval, exp_eps: Fraction, bits: int) -> Fraction:
    """An upper bound of delta over all neighbours."""
    event = parity_event(users, k, q, bits)
    ideal = max(event.p_high - exp_eps * event.q_low, Fraction(0))
    return ideal + (1 + exp_eps) * radius(users, m, q, bits)


def radius(users: int, m: int, q: Interval, bits: int) -> Fraction:
    """An upper bound of r.

    Terms j and N-j together; those from J on, far from both ends, are at most C(N, j)^(1-m/2) <= C(N, J)^(1-m/2)
    each, because C(Nm, mj) >= C(N, j)^m and m >= 2.
    """
    if users > MOST_USERS or not 2 <= m <= MOST_SHARES:
        raise Rejected(f"the ideal sum is compared for at most {MOST_USERS} users and 2 to {MOST_SHARES} messages")
    total, last = Fraction(0), min(EXPLICIT_TERMS, users - 1)
    for j in range(1, last + 1):
        if 2 * j <= users:
            powers = integer_power(q, j, bits)[1]
            if 2 * j < users:
                powers += integer_power(q, users - j, bits)[1]
            total += comb(users, j) * powers / isqrt(comb(users * m, m * j))
    beyond = users - 2 * last - 1
    if beyond > 0:
        total += beyond * Fraction(1, isqrt(comb(users, last + 1) ** (m - 2)))
    return total
