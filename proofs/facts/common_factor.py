"""An independent part that both laws share does not change a divergence."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, independent, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt

LAWS: list[Law] = [binomial(l, Fraction(p, 4)) for l in (1, 2) for p in (1, 2, 3)]
CASES = [(p, q, r, Fraction(e, 2)) for p in LAWS for q in LAWS for r in LAWS for e in (2, 3, 5)]


def unchanged(says: str, copies: int) -> Step:
    """delta of (p, r) against (q, r) is delta of p against q, with so many copies of the first part."""

    def holds(case: tuple[Law, Law, Law, Fraction]) -> bool:
        p, q, r, exp_eps = case
        first, second = independent(*[p] * copies, r), independent(*[q] * copies, r)
        return stick(first, second, exp_eps) == stick(p, q, exp_eps)

    return exhaustive(says, holds, CASES, lambda case: f"{case[0]} against {case[1]} at e^eps = {case[3]}")


STATEMENT = Statement(
    where="used wherever the paper says that it suffices to look at the messages that differ",
    kind="fact",
    printed="If R is independent of P and of Q, the divergence of (P, R) from (Q, R) is that of P from Q, at every e^eps.",
    steps=(kernel("common-factor"),),
    twins=(
        unchanged("with two copies of the part that differs", 2),
        smt("r*x <= 0", ("x <= 1/100",), says="with x <= 1/100", r="[0, 1]", x="(-inf, inf)"),
    ),
)
