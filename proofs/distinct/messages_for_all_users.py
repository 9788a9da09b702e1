"""The least number of messages that serves every number of users."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs.statement import Constant, Statement, Step
from proofs.steps import computed, exhaustive, identity, inequality, kernel, smt
from symbolic.decision import Decision, Status


def direct(says: str, cases: list[tuple[int, int]], bound: int = 1) -> Step:
    """TV(N, h, m) <= 2^(bound-m) for every h, in rational numbers."""
    from exact.pairs.share_distance import share_tv

    def holds(case: tuple[int, int]) -> bool:
        users, m = case
        limit = Fraction(2) ** (bound - m)
        return all(share_tv(users, h, m) <= limit for h in range(users + 1))

    return exhaustive(says, holds, cases, lambda case: f"N = {case[0]}, m = {case[1]}", whole=True)


def norm_sum_below(users: int, m: int, crude: bool) -> bool:
    """Whether U(N, m), or the cruder V(N, m), is certainly below 2^(1-m)."""
    from flint import arb, ctx

    with ctx.workprec(128):
        total = arb(0)
        for j in range(1, users):
            weight = arb(comb(users, j))
            total += weight ** (1 - arb(m) / 2) if crude else weight / arb(comb(users * m, m * j)).sqrt()
        return bool(total < arb(2) ** (1 - m))


def first_settled(users: int) -> int:
    """m_0(N): the least m >= 3 with V(N, m) < 2^(1-m)."""
    return next(m for m in range(3, 40) if norm_sum_below(users, m, crude=True))


def finite_cases(largest: int) -> Decision:
    """For 5 <= N < largest and 3 <= m < m_0(N): by the norms, or else by TV itself for every h."""
    from exact.pairs.share_distance import share_tv

    for users in range(5, largest):
        for m in range(3, first_settled(users)):
            if norm_sum_below(users, m, crude=False):
                continue
            if not all(share_tv(users, h, m) < Fraction(2) ** (1 - m) for h in range(users + 1)):
                return Decision(Status.REFUTED, "ball computation", f"N = {users}, m = {m}")
    return Decision(Status.PROVED, "ball computation")


def tail_at(users: int) -> Decision:
    """Whether the decreasing bound of step 4 is below 1/4 at N."""
    from exact.numbers.grammar import parse

    n = users
    bound = parse(
        f"2/sqrt({n}) + 2*sqrt(2)/sqrt({n}*({n}-1)) + 2*sqrt(6)/sqrt({n}*({n}-1)*({n}-2)) + sqrt(24)/sqrt({n}*({n}-1))"
    )
    if bound.ball(64) < parse("1/4").ball(64):
        return Decision(Status.PROVED, "ball computation")
    return Decision(Status.REFUTED, "ball computation", f"N = {n}: the bound is not below 1/4")


FORMULA = "none is needed: one closed formula, evaluated by Arb"
SHARES = "share_tv against all messages, tests/test_parity.py"

STATEMENT = Statement(
    where="beside Theorem ikos, section 3.1",
    kind="sharper",
    printed=(
        "With m >= 3 messages a user the total variation between the shuffled shares of h and of (sum of h mod 2, 0, ..., 0) is at most 2^(1-m) for every N >= 2 and every input, so the least m that makes it less than 2^-sigma for all N at once is the least m >= 3 above sigma + 1, without "
        "log n."
    ),
    hypotheses=("sigma > 0", "N >= 2 honest users"),
    rests_on=("krawtchouk-norm",),
    steps=(
        identity(
            "(A - B)^2 - (A + B)^2 = -4*A*B",
            says="1. h = 2, 3: D is -4AB times laws, of norm 4 * 2^-m",
            A="[0, 1]",
            B="[0, 1]",
        ),
        identity(
            "(A - B)^4 - (A + B)^4 = -8*(A^3*B + A*B^3)",
            says="2. N = h = 4: TV <= 4 C(4m, m)^(-1/2)",
            A="[0, 1]",
            B="[0, 1]",
        ),
        smt(
            "(4*m + 3)*(4*m + 2)*(4*m + 1) >= (3*m + 3)*(3*m + 2)*(3*m + 1)",
            says="2. C(4m, m) > 4^(m+1) goes from m to m + 1",
            m="[3, inf)",
        ),
        exhaustive("2. it holds at m = 4: C(16, 4) > 4^5", lambda m: comb(4 * m, m) > 4 ** (m + 1), [4], whole=True),
        direct("2. and N = 2, 3, 4 at m = 3 by itself", [(2, 3), (3, 3), (4, 3)]),
        inequality(
            "1/sqrt(n) < 1/2",
            says="3. from m to m + 1 each term of V is multiplied by at most N^(-1/2) < 1/2",
            n="[5, inf)",
        ),
        smt("(n - 7)^2 < (n - 2)*(n - 3)", says="4. the last term at most sqrt(24/(N(N-1)))", n="[8, inf)"),
        computed(
            "4. at N = 150 the bound is below 1/4; it falls with N", lambda: tail_at(150), "ball", FORMULA, whole=True
        ),
        computed(
            "5. all 121 cases 5 <= N < 150, 3 <= m < m_0(N)", lambda: finite_cases(150), "ball", SHARES, whole=True
        ),
        identity(
            "((1 + z)/2)^2 - ((1 - z)/2)^2 = z", says="6. m = 2: A - B = z, a user with bit 1 sends one 1", z="[-1, 1]"
        ),
        identity("((1 + z)/2)^2 + ((1 - z)/2)^2 = (1 + z^2)/2", says="6. and A + B = (1 + z^2)/2", z="[-1, 1]"),
        smt(
            "(2*r + 1)^2*(2*r + 3) <= (2*r + 2)^2*(2*r + 1)",
            says="6. (C(2r, r)/4^r)^2 (2r + 1) does not grow with r, so C(2r, r)/4^r <= 1/sqrt(2r + 1)",
            r="[0, inf)",
        ),
        kernel("two-messages-refuted"),
    ),
    argument=(
        "Let A = ((1+z)/2)^m, B = ((1-z)/2)^m and |.| the sum of the absolute values of the coefficients; a user with bit 0 has the generating function A + B, one with bit 1 has A - B, both laws. With h ones among N bits and r = h mod 2, twice the total variation is |D|, "
        "D = (A+B)^(N-h) (A-B)^h - (A+B)^(N-r) (A-B)^r = sum of c_j A^(N-j) B^j with c_0 = c_N = 0 and |c_j| <= 2 C(N,j). By krawtchouk-norm |A^(N-j) B^j| <= C(Nm, mj)^(-1/2), so TV <= U(N,m) = sum over 0 < j < N of C(N,j) C(Nm,mj)^(-1/2), and C(Nm,mj) >= C(N,j)^m makes "
        "U <= V(N,m) = sum of C(N,j)^(1-m/2). h <= 1: D = 0. (1) h = 2 or 3: D is -4AB times laws, and |AB| = |((1-z^2)/4)^m| = 2^-m: TV <= 2^(1-m), with equality for N = h = 2. This is all of N = 2, 3. (2) N = h = 4: D = -8(A^3 B + A B^3), -16 times the even part of A^3 B, whose norm is at most "
        "C(4m,m)^(-1/2)/2 (the even places carry half of the sum of squares behind krawtchouk-norm, because the polynomials of degrees m and 3m are orthogonal, and half of the mass): TV <= 4 C(4m,m)^(-1/2), below 2^(1-m) where C(4m,m) > 4^(m+1), for m >= 4 by induction, with the factor "
        "4(4m+3)(4m+2)(4m+1)/((3m+3)(3m+2)(3m+1)) >= 4; m = 3 is computed. (3) N >= 5: from m to m + 1 each term of V is multiplied by C(N,j)^(-1/2) <= N^(-1/2) < 1/2, so V(N,m) < 2^(1-m) from the first such m, m_0(N), on. (4) m_0(N) = 3 for N >= 150: the terms with 4 <= j <= N-4 are N - 7, each at most "
        "C(N,4)^(-1/2), which the step sums; the bound falls with N and is below 1/4 at 150. (5) The remaining N and m are finitely many and computed. So every m >= 3 above sigma + 1 will do, and none that is at most sigma + 1 does, because of N = h = 2. m = 1 is not above sigma + 1. (6) m = 2 does not do, whatever sigma: with N = h even, the number of "
        "ones is N against 2 Bin(N, 1/2), so TV = 1 - C(N,N/2)/2^N, which tends to 1 and is above 2^-sigma for large N; the kernel has TV > 1/2 for some N."
    ),
    constants=(Constant("2", slack="attained at N = h = 2, so no smaller factor will do"),),
    twins=(
        direct("at m = 2: N = 4", [(4, 2)]),
        direct("with 2^-m in place of 2^(1-m): N = 2, m = 3", [(2, 3)], 0),
        computed("4. already at N = 100", lambda: tail_at(100), "ball", FORMULA),
    ),
)
