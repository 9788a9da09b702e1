"""The least number of messages that serves every number of users: docs/shares.md has the proof in full."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs.statement import Statement, Step
from proofs.steps import computed, exhaustive, identity, inequality, smt
from symbolic.answer import Answer, Status


def direct(says: str, cases: list[tuple[int, int]], bound: int = 1) -> Step:
    """TV(N, h, m) <= 2^(bound-m) for every h, in rational numbers."""
    from exact.parity import share_tv

    def holds(case: tuple[int, int]) -> bool:
        users, m = case
        limit = Fraction(2) ** (bound - m)
        return all(share_tv(users, h, m) <= limit for h in range(users + 1))

    return exhaustive(says, holds, cases, lambda case: f"N = {case[0]}, m = {case[1]}")


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


def finite_cases(largest: int) -> Answer:
    """For 5 <= N < largest and 3 <= m < m_0(N): by the norms, or else by TV itself for every h."""
    from exact.parity import share_tv

    for users in range(5, largest):
        for m in range(3, first_settled(users)):
            if norm_sum_below(users, m, crude=False):
                continue
            if not all(share_tv(users, h, m) < Fraction(2) ** (1 - m) for h in range(users + 1)):
                return Answer(Status.REFUTED, "ball computation", f"N = {users}, m = {m}")
    return Answer(Status.PROVED, "ball computation")


def tail_at(users: int) -> Answer:
    """Whether the decreasing bound of step 4 is below 1/4 at N."""
    from exact.grammar import parse

    n = users
    bound = parse(
        f"2/sqrt({n}) + 2*sqrt(2)/sqrt({n}*({n}-1)) + 2*sqrt(6)/sqrt({n}*({n}-1)*({n}-2)) + sqrt(24)/sqrt({n}*({n}-1))"
    )
    if bound.ball(64) < parse("1/4").ball(64):
        return Answer(Status.PROVED, "ball computation")
    return Answer(Status.REFUTED, "ball computation", f"N = {n}: the bound is not below 1/4")


STATEMENT = Statement(
    where="beside Theorem ikos, section 3.1",
    kind="sharper",
    printed=(
        "With m >= 3 messages a user the total variation of Theorem ikos is at most 2^(1-m) for every N >= 2 and every input, so "
        " the least m for all N at once is the least m >= 3 above sigma + 1, without log n."
    ),
    hypotheses=("N >= 2", "m >= 3"),
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
        exhaustive("2. it holds at m = 4: C(16, 4) > 4^5", lambda m: comb(4 * m, m) > 4 ** (m + 1), [4]),
        direct("2. and N = 2, 3, 4 at m = 3 by itself", [(2, 3), (3, 3), (4, 3)]),
        inequality(
            "1/sqrt(n) < 1/2",
            says="3. from m to m + 1 each term of V is multiplied by at most N^(-1/2) < 1/2",
            n="[5, inf)",
        ),
        smt("(n - 7)^2 < (n - 2)*(n - 3)", says="4. the last term at most sqrt(24/(N(N-1)))", n="[8, inf)"),
        computed("4. at N = 150 the bound is below 1/4; it falls with N", lambda: tail_at(150), "ball"),
        computed("5. all 121 cases 5 <= N < 150, 3 <= m < m_0(N)", lambda: finite_cases(150), "ball"),
    ),
    twins=(
        direct("at m = 2: N = 4", [(4, 2)]),
        direct("with 2^-m in place of 2^(1-m): N = 2, m = 3", [(2, 3)], 0),
        computed("4. already at N = 100", lambda: tail_at(100), "ball"),
    ),
)
