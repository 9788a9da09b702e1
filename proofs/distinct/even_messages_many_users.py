"""What an even number of messages gives P_DE with many users.

Letters: p = (1-q)/2, rho = m/(m-1), p~ has the odds sqrt(rho) p/(1-p), and q~ = 1 - 2p~.
"""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import computed, kernel
from panshuffle.symbolic.decision import Decision, Status


def bound(users: int, m: int, q: str) -> str:
    """The bound as a text: w(e) = (e/(Np) + (1 - e/N)/(1 - p))/2 with e = N p~ (1 + q~^(N-1))/(1 - q~^N)."""
    odds = f"sqrt({m}/{m - 1})*(1 - {q})/(1 + {q})"
    tilted = f"(({odds})/(1 + {odds}))"
    e = f"({users}*{tilted}*(1 + (1 - 2*{tilted})^{users - 1})/(1 - (1 - 2*{tilted})^{users}))"
    return f"({e}/({users}*(1 - {q})/2) + (1 - {e}/{users})/(1 - (1 - {q})/2))/2"


def largest(users: int, m: int, q: Fraction, holders: int) -> Fraction:
    """The largest ratio of the pool's law with so many holders, 1 or 0, to the other one."""
    from panshuffle.exact.pairs.parity_pair import parity_law

    laws = parity_law(users, holders, m, q), parity_law(users, 1 - holders, m, q)
    return max(a / b for a, b in zip(*laws, strict=True))


def below(
    says: str,
    cases: list[tuple[int, int, Fraction]],
    tilt: bool = True,
    factor: Fraction = Fraction(1),
    holders: int = 1,
) -> Step:
    """The exact ratio is at most the bound, at these points; without the tilt it is the ideal one."""

    def check() -> Decision:
        from panshuffle.exact.real import real, sqrt

        for users, m, q in cases:
            odds = sqrt(real(Fraction(m, m - 1) if tilt else Fraction(1))) * real((1 - q) / (1 + q))
            p = odds / (1 + odds)
            e = users * p * (1 + (1 - 2 * p) ** (users - 1)) / (1 - (1 - 2 * p) ** users)
            w = (e / real(users * (1 - q) / 2) + (1 - e / users) / real((1 + q) / 2)) / 2
            allowed, truth = (real(factor) * w).ball(128), real(largest(users, m, q, holders)).ball(128)
            if not truth <= allowed:
                text = f"N = {users}, m = {m}, q = {q}: {truth.str(8)} against {allowed.str(8)}"
                return Decision(Status.REFUTED if truth > allowed else Status.UNDECIDED, "ball computation", text)
        return Decision(Status.PROVED, "ball computation")

    return computed(says, check, "ball", "parity_law against all messages, tests/test_parity.py")


STATEMENT = Statement(
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="Even m, a pool of N users without a holder, q = 1 - 2p', rho = m/(m-1): the law with a new holder is at most max(w(e), 1+q) times the law without one, w(h) = (h/(Np') + (1 - h/N)/(1-p'))/2, e = N p~ (1 + q~^(N-1))/(1 - q~^N), where p~ has the odds sqrt(rho) p'/(1-p') and q~ = 1 - 2p~. With rho = 1 in place of m/(m-1) it is w(e) = 1/(1-q^N) = e^eps'. So the pair of pools has the pure loss ln max(w(e), 1+q) + ln(1+q) at most.",
    hypotheses=("m is even", "N >= 1", "0 < q < 1, and sqrt(rho) (1-q) <= 1 + q, so that q~ >= 0"),
    steps=(
        kernel("even-messages-many"),
        kernel("even-messages-many-pool"),
        kernel("even-messages-ideal"),
    ),
    twins=(
        below("with rho = 1, the ideal 1/(1 - q^N): N = 12, m = 2, q = 0.99", [(12, 2, Fraction(99, 100))], tilt=False),
        below(
            "with 0.99 of the bound: N = 12, m = 2, q = 0.99", [(12, 2, Fraction(99, 100))], factor=Fraction(99, 100)
        ),
        below(
            "the other way round, without a holder against with one: N = 3, m = 2, q = 1/2",
            [(3, 2, Fraction(1, 2))],
            holders=0,
        ),
    ),
    constants=(Constant("rho", slack="at N = 3, m = 2 the bound is attained, so no smaller rho will do for all N"),),
)
