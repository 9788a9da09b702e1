"""From finite laws to countable ones, such as Poisson laws."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, binomial, stick
from proofs.statement import Statement, Step
from proofs.steps import exhaustive, smt


def truncated(says: str, factor: Fraction) -> Step:
    """Cutting laws off where they have mass h left changes delta by at most factor (1 + E) h: for Bin(6, p) at every cut."""
    cases = [
        (Fraction(p, 4), Fraction(q, 4), cut, Fraction(e))
        for p in (1, 2, 3)
        for q in (1, 2, 3)
        for cut in range(1, 7)
        for e in (1, 2)
    ]

    def holds(case: tuple[Fraction, Fraction, int, Fraction]) -> bool:
        p, q, cut, exp_eps = case
        laws = [binomial(6, p), binomial(6, q)]
        kept: list[Law] = [{x: mass for x, mass in law.items() if isinstance(x, int) and x < cut} for law in laws]
        lost = max(1 - sum(law.values(), Fraction(0)) for law in kept)
        return abs(stick(laws[0], laws[1], exp_eps) - stick(kept[0], kept[1], exp_eps)) <= factor * (1 + exp_eps) * lost

    return exhaustive(says, holds, cases, str)


MASSES = {"E": "[1, inf)", **dict.fromkeys(("p", "q", "p1", "q1", "d", "h"), "[0, 1]")}

STATEMENT = Statement(
    where="used wherever noise is Poisson: the kernel's theorems are for finite laws",
    kind="fact",
    printed=(
        "Post-processing, composition, the transformations and moments hold for laws on countable sets if they hold for finite ones: laws cut off with mass h left "
        "are within total variation h, a guarantee (eps, delta) becomes (eps, delta + (1 + e^eps) h), and h goes to 0."
    ),
    steps=(
        smt(
            "p <= E*q + d + (1 + E)*h",
            ("p <= p1 + h", "q1 <= q + h", "p1 <= E*q1 + d"),
            says="P <= e^eps Q + delta for the laws that are cut off gives it for the whole ones up to (1 + e^eps) h",
            **MASSES,
        ),
        smt(
            "x > d + (1 + E)*h",
            ("x > d", "h < (x - d)/(1 + E)"),
            says="so a violation x > delta would remain a violation for small h",
            x="[0, 1]",
            d="[0, 1]",
            h="[0, 1]",
            E="[1, inf)",
        ),
        truncated("Bin(6, p) cut off at every point: delta changes by at most (1 + E) h", Fraction(1)),
    ),
    twins=(
        smt(
            "p <= E*q + d + E*h",
            ("p <= p1 + h", "q1 <= q + h", "p1 <= E*q1 + d"),
            says="up to e^eps h",
            **MASSES,
        ),
        truncated("delta does not change", Fraction(0)),
    ),
)
