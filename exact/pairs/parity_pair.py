"""The privacy of P_DE with real messages: one pool, the pair that a changed user touches, the worst background.

Legend: A = ((1+z)/2)^m, B = ((1-z)/2)^m; a user whose bit is one with probability (1-s)/2 contributes the factor A + sB
to the generating function of the ones in a pool.  M = N*m are the bits in it, and kappa_j = ||A^(N-j) B^j||_1 (the sum
of the absolute values of the coefficients; docs/shares.md).  law_C = A^C (A + qB)^(N-C), the ones in a pool with C
holders.  A user who changes from a to b, with CA other holders of a and CB other holders of b, gives
    upper = law_(CA+1) x law_CB,    lower = law_CA x law_(CB+1),
so the opposite change is the background (CB, CA).  rho_C = law_(C+1)/law_C.  E = e^eps >= 1, so that every
hockey-stick divergence is at most the total variation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import accumulate
from math import comb
from typing import Literal, NamedTuple

from flint import arb, arb_poly, ctx, fmpz_poly

from exact.errors import ParameterError
from exact.numbers.real import Real
from exact.parameters import check_count, check_parity_curve, check_pool, check_share

Background = tuple[int, int]

GUARD = 64
EXPLICIT_TERMS = 8
ATTEMPTS = 4
GROUPS = 32
ENUMERATED_BITS = 2000
ENUMERATED_USERS = 200


def parity_law_balls(users: int, holders: int, m: int, q: Real, precision: int) -> list[arb]:
    """Enclosures of the masses of `parity_law`, each with at least `precision` correct leading bits.

    *Formula*: A + qB = (1-p')(A+B) + p'(A-B), whose coefficients are positive: no product cancels.
    *Holds when*: 0 <= q < 1 (checked), so that no mass is zero.  *Exactness*: enclosure.
    """
    check_pool(users, holders, m)
    check_share(q)
    inner = precision + 16 + 2 * (users * m).bit_length()
    while True:
        law = positive_law(users, holders, m, (1 - q) / 2, inner)
        if all(mass.rel_accuracy_bits() >= precision for mass in law):
            return law
        inner *= 2


def positive_law(users: int, holders: int, m: int, flip: Real, precision: int) -> list[arb]:
    """The masses as balls, from products of polynomials without a negative coefficient."""
    with ctx.workprec(precision):
        odd = flip.accurate_ball(precision)
        even = 1 - odd
        scale = arb(2) ** (m - 1)
        bits = arb_poly([comb(m, i) * (odd if i % 2 else even) / scale for i in range(m + 1)])
        uniform = fmpz_poly([1, 1]) ** (m * holders)
        held = arb_poly([arb(c) for c in uniform.coeffs()]) * (1 / arb(2) ** (m * holders))
        return list((held * bits ** (users - holders)).coeffs())


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
    C(N, J)^(1-m/2) where J is the first of them.  *Exactness*: sound upper.
    """
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


def settled(evaluate: Callable[[int], arb], precision: int) -> arb:
    """The first enclosure with `precision` correct leading bits, or the best one after a few attempts."""
    ball = evaluate(precision + GUARD)
    for attempt in range(1, ATTEMPTS):
        if ball.rel_accuracy_bits() >= precision:
            return ball
        ball = evaluate((precision + GUARD) << attempt)
    return ball


class Single(NamedTuple):
    """One pool, or upper bounds of it: a gained and a lost holder at E and at sqrt(E), and the total variation."""

    gain: arb
    lose: arb
    gain_root: arb
    lose_root: arb
    tv: arb


class ParityPools:
    """The laws of one pool and their curves at one precision, each computed once."""

    def __init__(self, users: int, m: int, q: Real, exp_eps: Real, precision: int) -> None:
        self.users, self.m, self.q, self.precision = users, m, q, precision
        self.bound = exp_eps.ball(precision)
        self.laws: dict[int, list[arb]] = {}
        self.curves: dict[int, GainCurve] = {}
        self.singles: dict[int, Single] = {}

    def law(self, holders: int) -> list[arb]:
        """The masses of law_C."""
        if holders not in self.laws:
            self.laws[holders] = parity_law_balls(self.users, holders, self.m, self.q, self.precision)
        return self.laws[holders]

    def curve(self, holders: int) -> GainCurve:
        """The whole curve t -> sum max(law_(C+1) - t*law_C, 0), with its ratios rho_C."""
        if holders not in self.curves:
            with ctx.workprec(self.precision):
                self.curves[holders] = GainCurve(self.law(holders + 1), self.law(holders))
        return self.curves[holders]

    def single(self, holders: int) -> Single:
        """The divergences of law_(C+1) and law_C."""
        if holders not in self.singles:
            with ctx.workprec(self.precision):
                more, fewer = self.law(holders + 1), self.law(holders)
                root = self.bound.sqrt()
                self.singles[holders] = Single(
                    gain=gain_over(more, fewer, self.bound),
                    lose=gain_over(fewer, more, self.bound),
                    gain_root=gain_over(more, fewer, root),
                    lose_root=gain_over(fewer, more, root),
                    tv=gain_over(more, fewer, arb(1)),
                )
        return self.singles[holders]

    def pair(self, background: Background) -> arb:
        """sum_y law_CB(y) * g(E * rho_CB(y)), g the curve of the pool of a."""
        curve, ratios = self.curve(background[0]), self.curve(background[1]).ratios
        with ctx.workprec(self.precision):
            second = zip(self.law(background[1]), ratios, strict=True)
            return sum((mass * curve.at(self.bound * ratio) for mass, ratio in second), arb(0))


def gain_over(upper: list[arb], lower: list[arb], bound: arb) -> arb:
    """sum max(upper - bound*lower, 0) at the working precision.  *Exactness*: enclosure, undecided signs included."""
    return sum(((p - bound * r).nonnegative_part() for p, r in zip(upper, lower, strict=True)), arb(0))


class GainCurve:
    """t -> sum_x max(upper(x) - t*lower(x), 0), by sorted ratios and suffix sums.

    Every x is certainly below t (it adds nothing), certainly above (it is in a suffix sum), or undecided (its
    max(., 0) is enclosed on its own), so the value is enclosed whatever the order of overlapping balls is.
    *Holds when* no mass of `lower` is zero (caller; so it is because q < 1).
    """

    def __init__(self, upper: list[arb], lower: list[arb]) -> None:
        self.ratios = ratio = [above / below for above, below in zip(upper, lower, strict=True)]
        order = sorted(range(len(ratio)), key=lambda x: ratio[x].mid())
        self.upper, self.lower = [upper[x] for x in order], [lower[x] for x in order]
        self.most = list(accumulate((ratio[x].upper() for x in order), max))
        self.least = list(accumulate((ratio[x].lower() for x in reversed(order)), min))[::-1]
        self.upper_sums = list(accumulate(reversed(self.upper), initial=arb(0)))[::-1]
        self.lower_sums = list(accumulate(reversed(self.lower), initial=arb(0)))[::-1]

    @cached_property
    def groups(self) -> list[tuple[arb, arb]]:
        """Neighbours in the order, taken together: the mass under `lower`, and a ratio that none is below."""
        starts = range(0, len(self.lower), max(1, len(self.lower) // GROUPS))
        return [(sum(self.lower[x : x + starts.step], arb(0)), self.least[x]) for x in starts]

    def at(self, t: arb) -> arb:
        """An enclosure of the value at t, at the working precision."""
        first, above = bisect_right(self.most, t.lower()), bisect_left(self.least, t.upper())
        total = (self.upper_sums[above] - t * self.lower_sums[above]).nonnegative_part()
        for x in range(first, above):
            total += (self.upper[x] - t * self.lower[x]).nonnegative_part()
        return total


def parity_pool_delta(users: int, holders: int, m: int, q: Real, exp_eps: Real, gain: bool, precision: int) -> arb:
    """The hockey-stick divergence of law_(C+1) from law_C (`gain`) or of law_C from law_(C+1), C = holders.

    *Exactness*: enclosure.
    """
    check_parity_curve(users, holders, m, q, exp_eps)

    def evaluate(inner: int) -> arb:
        pools = ParityPools(users, m, q, exp_eps, inner)
        more, fewer = pools.law(holders + 1), pools.law(holders)
        with ctx.workprec(inner):
            return gain_over(*((more, fewer) if gain else (fewer, more)), pools.bound)

    return settled(evaluate, precision)


def check_background(users: int, background: Background) -> None:
    """*Raises* `ParameterError` unless the other holders of a and of b are different users."""
    a, b = background
    if a < 0 or b < 0 or a + b > users - 1:
        raise ParameterError("holders", f"{a},{b}", f"two counts, at least 0, with a sum of at most {users - 1}")


def parity_pair_delta(
    users: int, holders_a: int, holders_b: int, m: int, q: Real, exp_eps: Real, precision: int
) -> arb:
    """The hockey-stick divergence of the pair of pools.  *Exactness*: enclosure."""
    check_parity_curve(users, 0, m, q, exp_eps)
    check_background(users, (holders_a, holders_b))
    return settled(lambda p: ParityPools(users, m, q, exp_eps, p).pair((holders_a, holders_b)), precision)


def backgrounds(users: int, k: int) -> Iterator[Background]:
    """Every (CA, CB) that other users can form: none for k = 1, CA + CB = N-1 for k = 2, at most N-1 for more.

    >>> list(backgrounds(2, 2))
    [(0, 1), (1, 0)]
    """
    for a in range(users if k > 1 else 0):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            yield a, b


Candidate = tuple[arb, Background, int]
"""Minus an upper bound of a divergence, which comes first in a heap, its background, and how sharp the bound is."""


def worst_background(
    users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int
) -> tuple[arb, Background | None]:
    """The largest divergence over every background and neighbour, and where it is taken (None for k = 1).

    A background is left out only where an upper bound of its divergence is at most a value that was found.
    Where several values overlap, the background is one of them; where all are 0, the first.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0), None
    where: list[Background] = []

    def evaluate(inner: int) -> arb:
        ball, background = search(ParityPools(users, m, q, exp_eps, inner), k)
        where[:] = [background]
        return ball

    return settled(evaluate, precision), where[0]


def search(pools: ParityPools, k: int) -> tuple[arb, Background]:
    """Best first, each background by ever sharper bounds and at last by its value."""
    crude = [pools.single(0), *(Single(tv, tv, tv, tv, tv) for tv in crude_tvs(pools)[1:])]
    with ctx.workprec(pools.precision):
        root = pools.bound.sqrt()
        pairs = backgrounds(pools.users, k)
        heap: list[Candidate] = [(-split_upper(crude[a], crude[b], root), (a, b), 0) for a, b in pairs]
        heapify(heap)
        best, where = arb(0), next(backgrounds(pools.users, k))
        while heap and not -heap[0][0] <= best.lower():
            _, (a, b), stage = heappop(heap)
            if stage == 0:
                heappush(heap, (-split_upper(pools.single(a), pools.single(b), root), (a, b), 1))
            elif stage == 1:
                heappush(heap, (-grouped_upper(pools, (a, b)), (a, b), 2))
            else:
                value = pools.pair((a, b))
                where = (a, b) if value.mid() > best.mid() else where
                best = best.max(value)
    return best, where


def split_upper(a: Single, b: Single, root: arb) -> arb:
    """An upper bound of a pair from its single pools, root = sqrt(E).

    *Formula*: for E = uv, P_a P_b - E Q_a Q_b = (P_a - u Q_a) P_b + u Q_a (P_b - v Q_b), so the divergence is at
    most gain_a(u) + u lose_b(v), and, with a and b exchanged, lose_b(v) + v gain_a(u).
    """
    halves = (a.gain_root + root * b.lose_root).min(b.lose_root + root * a.gain_root)
    return (a.tv + b.lose).min(a.gain + b.tv).min(halves).upper()


def grouped_upper(pools: ParityPools, background: Background) -> arb:
    """An upper bound of a pair: as `ParityPools.pair`, with the least ratio of a group for the whole group."""
    curve = pools.curve(background[0])
    with ctx.workprec(pools.precision):
        groups = pools.curve(background[1]).groups
        return sum((mass * curve.at(pools.bound * ratio) for mass, ratio in groups), arb(0)).upper()


def crude_tvs(pools: ParityPools) -> list[arb]:
    """Upper bounds of the total variation of law_(C+1) and law_C for C = 0, ..., N-1.

    *Formula*: the difference is q A^C B (A+qB)^(N-C-1).  Laws have norm 1, so its norm is at most q for C = 0 and
    q ||A^C B|| <= q C(Cm+m, m)^(-1/2); expanded, at most q * sum_j C(N-C-1, j) q^j kappa_(j+1), which only
    falls as C grows.
    """
    users, m = pools.users, pools.m
    with ctx.workprec(GUARD):
        share = pools.q.ball_here()
        terms = (arb.bin_uiui(users - 2, j) * share**j * kappa_upper(users, m, j + 1) for j in range(users - 1))
        expanded = sum(terms, arb(0))
        bounds = [arb(1)] + [kappa_upper(c + 1, m, 1).min(expanded) for c in range(1, users)]
        return [(share * bound / 2).upper() for bound in bounds]


def ideal_pair_delta(share: arb, bound: arb) -> arb:
    """The divergence with an ideal modular sum and no other holder: Ber(1/2) x Ber((1-Q)/2) against the swap.

    *Formula*: max(0, (1+Q) - E(1-Q))/4, Q = q^N = `share`, E = `bound` >= 1 (caller); zero from
    E = (1+Q)/(1-Q) = 2e^eps' - 1 on.  *Exactness*: enclosure at the working precision.
    """
    return ((1 + share) - bound * (1 - share)).nonnegative_part() / 4


def ideal_pool_delta(share: arb, bound: arb) -> arb:
    """The same for one pool: max(0, 1 - E(1-Q))/2 for a gained holder; a lost one, max(0, 1+Q-E)/2, is no worse."""
    return (1 - bound * (1 - share)).nonnegative_part() / 2


def bounded_delta(users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int) -> arb:
    """The largest divergence over every background and neighbour, from the ideal sum: [ideal - err, ideal + err].

    *Formula*: each law is within r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j, in norm, of A^N (a holder) or of
    A^N + q^N B^N (none), whose pairs are those of the ideal sum; half of it for each of two pools on both sides
    gives err = (1+E) r.  The worst ideal background is (0, 0), or (0, N-1) for k = 2.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0)
    radius = middle_norm_upper(users, m, q, precision)
    bound = exp_eps.ball(precision)
    with ctx.workprec(precision + users.bit_length()):
        share = q.ball_here() ** users
        error = (1 + bound) * radius
        ideal = (ideal_pair_delta if k > 2 or users == 1 else ideal_pool_delta)(share, bound)
        return (ideal - error).lower().max(arb(0)).union((ideal + error).upper().min(arb(1)))


def distinct_delta(
    users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int
) -> tuple[arb, Background | None, Literal["enumerated", "bounded"]]:
    """delta of P_DE at e^eps over every background and neighbour, a background, and how it was found.

    "enumerated": the background is where the maximum is taken, of all that there are.  "bounded": the pool is
    large; the enclosure covers every background, and the one returned is the worst of the ideal sum.
    """
    if users <= ENUMERATED_USERS and users * m <= ENUMERATED_BITS:
        return *worst_background(users, k, m, q, exp_eps, precision), "enumerated"
    ideal = None if k == 1 else (0, 0) if k > 2 or users == 1 else (0, users - 1)
    return bounded_delta(users, k, m, q, exp_eps, precision), ideal, "bounded"
