"""From finite laws to countable ones, such as Poisson laws: closeness carries over, moments do not."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

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
    where="used wherever noise is Poisson",
    kind="fact",
    printed="Laws on countably many outcomes may be composed: if d and every k(a) are probability laws, so is the law that draws a from d and then an outcome from k(a), and the mean of a bounded f under it is the mean over a of the means under k(a). Two laws with the same masses have the same mean of every bounded f. Nothing is said of moments, which need not exist.",
    also=(kernel("paper-laws-are-proper"),),
    steps=(
        kernel("countable-bind"),
        kernel("countable-proper"),
        kernel("countable-masses"),
    ),
    twins=(
        truncated("delta does not change", Fraction(0)),
        bounded_mean("means carry over: P[X = n] = 1/(n(n+1)), cut off at N, has a mean of at most 4 for N <= 100"),
    ),
)
