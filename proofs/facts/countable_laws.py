"""From finite laws to countable ones, such as Poisson laws: closeness carries over, moments do not."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, binomial, stick
from proofs.statement import Constant, Statement, Step
from proofs.steps import exhaustive, kernel, smt

MASSES = {"E": "[1, inf)", **dict.fromkeys(("p", "q", "p1", "q1", "d", "h"), "[0, 1]")}
LARGEST_MEAN = 4
CUTS = 100


def moved(law: Law, cut: int) -> Law:
    """The law with all mass from a cut on moved to 0."""
    kept: Law = {x: mass for x, mass in law.items() if isinstance(x, int) and x < cut}
    return {**kept, 0: kept.get(0, Fraction(0)) + 1 - sum(kept.values(), Fraction(0))}


def truncated(says: str, factor: Fraction) -> Step:
    """Moving the mass h beyond a cut changes delta by at most factor (1 + E) h: for Bin(6, p) at every cut."""
    quarters = [Fraction(1, 4), Fraction(2, 4), Fraction(3, 4)]
    cases = [(p, q, cut, Fraction(e)) for p in quarters for q in quarters for cut in range(1, 7) for e in (1, 2)]

    def holds(case: tuple[Fraction, Fraction, int, Fraction]) -> bool:
        p, q, cut, exp_eps = case
        laws = [binomial(6, p), binomial(6, q)]
        less = [moved(law, cut) for law in laws]
        lost = max(sum(m for x, m in law.items() if isinstance(x, int) and x >= cut) for law in laws)
        return abs(stick(laws[0], laws[1], exp_eps) - stick(less[0], less[1], exp_eps)) <= factor * (1 + exp_eps) * lost

    return exhaustive(says, holds, cases, str)


def bounded_mean(says: str) -> Step:
    """The law with P[X = n] = 1/(n(n+1)), cut off at N, has a mean of at most 4 for every N <= 100 (it does not)."""

    def mean(cut: int) -> Fraction:
        return sum((Fraction(n, n * (n + 1)) for n in range(1, cut)), Fraction(0))

    return exhaustive(
        says,
        lambda cut: mean(cut) <= LARGEST_MEAN,
        range(2, CUTS),
        lambda cut: f"cut off at {cut}: {float(mean(cut)):.4f}",
    )


STATEMENT = Statement(
    where="used wherever noise is Poisson: the kernel's theorems are for finite laws",
    kind="fact",
    printed=(
        "Let P and Q be laws on a countable set, and for a finite set F let P_F and Q_F be these laws with all mass outside F moved to one point of F. If P and Q are (eps, delta)-close, so are "
        "P_F and Q_F. If for every h > 0 there is an F outside of which P and Q have mass at most h and for which P_F and Q_F are (eps, delta)-close, P and Q are (eps, delta)-close. So what the kernel "
        "proves of finite laws that are given, that closeness of these makes laws close which are built from them by images, products and mixtures, holds for countable ones. Nothing is said of moments, nor of premises about laws that are built."
    ),
    rests_on=("post-processing",),
    steps=(
        kernel("post-processing"),
        smt(
            "p <= E*q + d + (1 + E)*h",
            ("p <= p1 + h", "q1 <= q + h", "p1 <= E*q1 + d"),
            says="an event: P <= e^eps Q + delta for the laws that are cut off gives it for the whole ones up to (1 + e^eps) h",
            **MASSES,
        ),
        truncated("Bin(6, p) cut off at every point: delta changes by at most (1 + E) h", Fraction(1)),
    ),
    argument=(
        "P_F is the image of P under a map onto F, so closeness passes from P and Q to P_F and Q_F: the sum over the outcomes of an event is a sum over its preimage, for countable sets as for finite ones "
        "(the kernel's theorem is the finite case). Conversely P(T) and P_F(T) differ by at most h for every event T, and so do Q(T) and Q_F(T); the second step gives P(T) <= e^eps Q(T) + delta + (1 + e^eps) h, "
        "and h may be as small as one likes, because a countable set of outcomes has finite subsets of mass at least 1 - h for both laws. For a construction that makes laws from finitely many given countable ones, close in pairs, by "
        "images, products and mixtures: cut every one of them off; they stay close, by the first part, so the finite theorem applies to what is left; the constructed laws are within the sum of the h of the constructed whole ones, because none of the "
        "three enlarges a total variation; so the second part gives the guarantee for the whole ones. A mean is no such construction: the twin on means has a law whose means, cut off, grow without bound."
    ),
    constants=(Constant("1", twin="up to 0.97 (1 + e^eps) h", by="0.97"),),
    twins=(
        smt(
            "p <= E*q + d + 0.97*(1 + E)*h",
            ("p <= p1 + h", "q1 <= q + h", "p1 <= E*q1 + d"),
            says="up to 0.97 (1 + e^eps) h",
            **MASSES,
        ),
        truncated("delta does not change", Fraction(0)),
        bounded_mean("means carry over: P[X = n] = 1/(n(n+1)), cut off at N, has a mean of at most 4 for N <= 100"),
    ),
)
