"""How well the shares of P_MOD hide who held what: the total variation between inputs of one parity.

Legend: M = N*m the bits in the pool, A and B as in `pairs.parity_pair`, K_d the Krawtchouk polynomials of M.  The
proofs are in docs/shares.md.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import NamedTuple

from flint import arb, ctx, fmpq, fmpz, fmpz_poly
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.pairs.parity_pair import middle_norm_upper
from panshuffle.exact.parameters import check_pool, refuse_if
from panshuffle.exact.real import Real, as_fraction, ball_of, largest, real

EXACT_BITS = 6_000


def share_tv(users: int, ones: int, m: int) -> Fraction:
    """The total variation between the pools of an input with `ones` ones and of (ones mod 2, 0, ..., 0).

    *Exactness*: exact.

    >>> share_tv(4, 4, 4)
    Fraction(31, 512)
    """
    check_pool(users, ones, m)
    even, odd = (fmpz_poly([comb(m, i) * (i % 2 == u) for i in range(m + 1)]) for u in (0, 1))
    rest, low = users - ones, ones % 2
    change = even**rest * odd**low * (odd ** (ones - low) - even ** (ones - low))
    total = sum((abs(c) for c in change.coeffs()), fmpz(0))
    return as_fraction(fmpq(total, fmpz(2) ** ((m - 1) * users + 1)))


def krawtchouk(size: int, degree: int, x: int) -> list[int]:
    """K_0(x), ..., K_degree(x): K_d(x) is the coefficient of z^d in (1-z)^x (1+z)^(size-x).

    >>> krawtchouk(4, 2, 1)
    [1, 2, 0]
    """
    values = [1, size - 2 * x]
    for d in range(1, degree):
        values.append(((size - 2 * x) * values[d] - (size - d + 1) * values[d - 1]) // (d + 1))
    return values[: degree + 1]


def roots_below(size: int, degree: int, x: int) -> int:
    """The number of roots of K_degree that are less than x: the changes of sign in K_0(x), ..., K_degree(x).

    >>> [roots_below(4, 2, x) for x in range(5)]
    [0, 0, 1, 1, 2]
    """
    signs = [value > 0 for value in krawtchouk(size, degree, x) if value]
    return sum(left != right for left, right in pairwise(signs))


def first_norm(users: int, m: int, parity: int, precision: int) -> arb:
    """sum |f_x| over the x of one parity, f_x the coefficients of A^(N-1) B.

    *Formula*: f has the sign (-1)^v(x), v(x) the roots of K_m below x, and the sum of f over the x <= X of X's
    parity is G(X) = [z^X] (1+z)^(M-m-1) (1-z)^(m-1) / 2^M, so that the norm is 2 * sum (-1)^(i-1) G(X_i) over the
    last X_i with v(X_i) < i.  *Holds when* users >= 2 (caller).  *Exactness*: enclosure.
    """
    size = users * m
    with ctx.workprec(precision + 32 + size.bit_length()):
        total = arb(0)
        for i in range(1, m + 1):
            cut = last_below(size, m, i, parity)
            if 0 <= cut <= size - 2:
                value = krawtchouk(size - 2, m - 1, cut)[m - 1] * arb.bin_uiui(size - 2, cut)
                total += value if i % 2 else -value
        return 2 * total / arb.bin_uiui(size - 2, m - 1) / arb(2) ** size


def last_below(size: int, m: int, i: int, parity: int) -> int:
    """The last x <= size of this parity with fewer than i roots of K_m below x (-1 or less if there is none)."""
    places = range(parity, size + 1, 2)
    return parity - 2 + 2 * bisect_left(places, i, key=lambda x: roots_below(size, m, x))


class Leading(NamedTuple):
    """TV(ones) = 2*(ones - ones mod 2)*norm[ones mod 2], up to `error`."""

    norms: tuple[arb, arb]
    error: arb

    def at(self, ones: int) -> arb:
        """The leading term."""
        return 2 * (ones - ones % 2) * self.norms[ones % 2]


def leading(users: int, m: int, precision: int) -> Leading:
    """The term of A^(N-1) B and A B^(N-1), and a bound of all others.  *Holds when* users >= 3 (caller)."""
    norms = (first_norm(users, m, 0, precision), first_norm(users, m, 1, precision))
    return Leading(norms, middle_norm_upper(users, m, real(1), precision, first=2))


def worst_share_tv(users: int, m: int) -> tuple[Fraction, int]:
    """The largest `share_tv` over all inputs, and the number of ones where it is taken.

    Inputs whose leading term and error bound stay below a value already found are not computed.
    *Exactness*: exact.

    >>> worst_share_tv(2, 5)
    (Fraction(1, 16), 2)
    """
    check_pool(users, 0, m)
    best, where = Fraction(0), 0
    bound = leading(users, m, 64) if users >= 3 else None
    for ones in range(users, 1, -1):
        if bound is None or not bound.at(ones) + bound.error < ball_of(best, 64):
            best, where = max((best, where), (share_tv(users, ones, m), ones))
    return best, where


def share_tv_ball(users: int, ones: int, m: int, precision: int) -> arb:
    """An enclosure of `share_tv`, for any number of users in milliseconds: the leading term and the error bound.

    For m = 2 the value with all ones is known from below: 1 - C(N', floor(N'/2))/2^N' with N' = N - (N mod 2).
    """
    check_pool(users, ones, m)
    if users <= 3:
        return ball_of(share_tv(users, ones, m), precision)
    if m == 1:
        return arb(ones > 1)
    bound = leading(users, m, precision)
    with ctx.workprec(precision):
        lower, upper = (bound.at(ones) - bound.error).max(arb(0)), (bound.at(ones) + bound.error).min(arb(1))
        if m == 2 and ones == users:
            even = users - users % 2
            lower = lower.max(1 - arb.bin_uiui(even, even // 2) / arb(2) ** even)
        return lower.union(upper)


def worst_share_tv_ball(users: int, m: int, precision: int) -> arb:
    """An enclosure of the largest `share_tv`: leading terms rise with the ones of either parity."""
    if users <= 3:
        return ball_of(worst_share_tv(users, m)[0], precision)
    return largest(share_tv_ball(users, ones, m, precision) for ones in (users - 1, users))


class LeastMessages(NamedTuple):
    """The least m that serves, an enclosure of its worst TV, and one for m-1, which does not serve."""

    m: int
    meets: arb
    fails: arb | None


def least_messages(users: int, sigma: Real, precision: int = 64) -> LeastMessages:
    """The least m with worst TV < 2^-sigma (strict), with the values at m and at m-1.

    Every smaller m was computed and does not serve; that every larger one does is not claimed.
    *Holds when*: sigma > 0 (checked).  *Raises* `Undecided` where a large pool is too close to call.

    >>> least_messages(2, real(3)).m
    5
    """
    refuse_if(not sigma > 0, "sigma", sigma, "a finite number above 0")
    target, fails = real(2) ** -sigma, None
    for m in range(1, 4 + max(1, sigma.floor())):
        ball, serves = compare_tv(users, m, target, precision)
        if serves:
            return LeastMessages(m, ball, fails)
        fails = ball
    raise InputError(f"no m up to {m} serves sigma = {sigma}: the theorem of docs/shares.md is contradicted")


def compare_tv(users: int, m: int, target: Real, precision: int) -> tuple[arb, bool]:
    """The worst TV, and whether it is less than the target: by balls, then exactly."""
    goal, ball = target.accurate_ball(precision), worst_share_tv_ball(users, m, precision)
    if ball < goal or ball > goal:
        return ball, bool(ball < goal)
    if users * m > EXACT_BITS:
        raise Undecided(f"whether m = {m} serves {users} users is too close to call without {users * m} exact masses")
    tv = worst_share_tv(users, m)[0]
    return ball_of(tv, precision), target > tv
