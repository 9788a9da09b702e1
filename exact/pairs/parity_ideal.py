"""How far the pools of P_DE are from an ideal modular sum: norms, the ideal divergences, and what they bound.

Legend: as in `pairs.parity_pair`; M = N*m are the bits of a pool, and kappa_j = ||A^(N-j) B^j||_1 (the sum of the
absolute values of the coefficients; docs/shares.md).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, ctx
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.parameters import check_count, check_parity_curve

EXPLICIT_TERMS = 8
MOST_TERMS = 200
"""For m = 1 so many terms are summed: for more the sum is beyond every use."""


def kappa_upper(users: int, m: int, j: int) -> arb:
    """An upper bound of kappa_j = ||A^(N-j) B^j||_1 at the working precision: C(M, mj)^(-1/2).

    *Proof*: the coefficient of z^x is w_x K(x)/C(M, mj), w_x = C(M, x)/2^M, K the Krawtchouk polynomial of
    degree mj, because C(M, mj) [z^x](1+z)^(M-mj)(1-z)^mj = C(M, x) K(x).  Orthogonality gives
    sum_x w_x K(x)^2 = C(M, mj), and Cauchy-Schwarz with sum_x w_x = 1 gives
    kappa_j <= (sum_x w_x K(x)^2)^(1/2) / C(M, mj) = C(M, mj)^(-1/2).
    """
    return arb.bin_uiui(users * m, m * min(j, users - j)).rsqrt()


def middle_norm_upper(users: int, m: int, q: Real, precision: int, first: int = 1) -> arb:
    """An upper bound of sum_{j=first}^{N-first} C(N, j) q^j kappa_j, rounded up.

    Terms j and N-j are added together (one term if they are the same).  Those far from both ends are bounded
    together: C(M, mj) >= C(N, j)^m, hence, for m >= 2, each is at most C(N, j)^(1-m/2) <=
    C(N, J)^(1-m/2) where J is the first of them.  For m = 1 and many users the terms are C(N, j)^(1/2) q^j at most, and
    are bounded by N 2^(N/2), which tells nothing.  *Exactness*: sound upper.
    """
    if m == 1 and users > MOST_TERMS:
        return users * arb(2) ** (arb(users) / 2)
    with ctx.workprec(precision):
        share, total = q.ball_here(), arb(0)
        last = users - first if m == 1 else min(users - first, first + EXPLICIT_TERMS - 1)
        for j in range(first, last + 1):
            if 2 * j <= users:
                powers = share**j if 2 * j == users else share**j + share ** (users - j)
                total += arb.bin_uiui(users, j) * powers * kappa_upper(users, m, j)
        beyond = users - 2 * last - 1
        if beyond > 0 and last >= first:
            total += beyond * arb.bin_uiui(users, last + 1) ** ((2 - arb(m)) / 2)
        return total.upper()


def ideal_pair_delta(share: arb, bound: arb) -> arb:
    """The divergence with an ideal modular sum and no other holder: Ber(1/2) x Ber((1-Q)/2) against the swap.

    *Formula*: max(0, (1+Q) - E(1-Q))/4, Q = q^N = `share`, E = `bound` >= 1 (caller); zero from
    E = (1+Q)/(1-Q) = 2e^eps' - 1 on.  *Exactness*: enclosure at the working precision.
    """
    return ((1 + share) - bound * (1 - share)).nonnegative_part() / 4


def ideal_pool_delta(share: arb, bound: arb) -> arb:
    """The same for one pool: max(0, 1 - E(1-Q))/2 for a gained holder; a lost one, max(0, 1+Q-E)/2, is no worse."""
    return (1 - bound * (1 - share)).nonnegative_part() / 2


def ideal_loss_delta(share: arb, bound: arb) -> arb:
    """The same for one pool that loses a holder: max(0, 1+Q-E)/2."""
    return (1 + share - bound).nonnegative_part() / 2


def bounded_delta(users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int) -> arb:
    """The largest divergence over every background and neighbour, from the ideal sum: [ideal, ideal + err].

    *Formula*: the parity of a pool is exactly that of the ideal sum, and a function of the view, so that delta is at
    least the ideal value.  Each law is within r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j, in norm, of A^N (a holder) or of
    A^N + q^N B^N (none), whose pairs are those of the ideal sum; half of it for each of two pools on both sides
    gives err = (1+E) r.  The worst ideal background is (0, 0), or (0, N-1) for k = 2.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0)
    return near_ideal(users, m, q, exp_eps, precision, ideal_pair_delta if k > 2 or users == 1 else ideal_pool_delta)


def bounded_pool_delta(users: int, m: int, q: Real, exp_eps: Real, ways: tuple[bool, ...], precision: int) -> arb:
    """The same for one pool that gains (True) or loses (False) a holder; half of the error would do."""
    check_parity_curve(users, 0, m, q, exp_eps)
    return near_ideal(users, m, q, exp_eps, precision, ideal_pool_delta if True in ways else ideal_loss_delta)


def near_ideal(users: int, m: int, q: Real, exp_eps: Real, precision: int, ideal: Callable[[arb, arb], arb]) -> arb:
    """[ideal, ideal + err], err = (1+E) r.

    delta does not increase in E, so ideal + err at any point from 1 to E is an upper bound at E.  It is convex and has
    its corner where the ideal value becomes 0, at (1+Q)/(1-Q) for a pair and at 1/(1-Q) or 1+Q for a pool: the least is
    at one of these, at 1 or at E.
    """
    radius, bound = middle_norm_upper(users, m, q, precision), exp_eps.ball(precision)
    with ctx.workprec(precision + users.bit_length()):
        share = q.ball_here() ** users
        ends = ((1 + share) / (1 - share), 1 / (1 - share), 1 + share)
        points = [arb(1), bound, *(end for end in ends if end <= bound)]
        upper = min((ideal(share, point) + (1 + point) * radius).upper() for point in points)
        return ideal(share, bound).lower().max(arb(0)).union(upper.min(arb(1)))
