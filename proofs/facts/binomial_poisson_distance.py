"""How far a binomial law is from the Poisson law of the same mean, a whole number."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import computed, inequality, kernel
from panshuffle.symbolic.decision import Decision, Status

CASES = [(n, Fraction(m, n)) for n in (2, 3, 5, 10, 20) for m in range(1, n)]


def within(says: str, factor: Fraction) -> Step:
    """The total variation of Bin(n, t) and Pois(n t) is at most factor t, for n <= 20 and whole n t."""

    def check() -> Decision:
        from flint import arb, ctx, fmpq

        with ctx.workprec(128):
            for n, t in CASES:
                mean, total = n * t, arb(0)
                for x in range(n + 1):
                    binomial = comb(n, x) * t**x * (1 - t) ** (n - x)
                    poisson = mean**x / factorial(x)
                    gap = arb(fmpq(binomial.numerator, binomial.denominator))
                    gap -= arb(fmpq(-mean.numerator, mean.denominator)).exp() * arb(
                        fmpq(poisson.numerator, poisson.denominator)
                    )
                    total += gap.max(arb(0))
                bound = arb(fmpq((factor * t).numerator, (factor * t).denominator))
                if not total <= bound:
                    text = f"n = {n}, t = {t}: the total variation is {total.str(5, radius=False)}, not at most {float(factor * t)}"
                    return Decision(Status.REFUTED if total > bound else Status.UNDECIDED, "ball computation", text)
        return Decision(Status.PROVED, "ball computation")

    return computed(says, check, "ball", "none is needed: sums of masses, evaluated by Arb")


STATEMENT = Statement(
    where="not in the paper; used for testers with a fixed number of users",
    kind="fact",
    printed=(
        "For whole 0 < m < n the mean of a bounded function f >= 0 under Bin(n, m/n) is at most (n/(n-m))^(1/2) times its mean under Pois(m). "
        "The total variation of the two laws is at most 1 - (1 - m/n)^(1/2)."
    ),
    steps=(kernel("binomial-below-poisson"), kernel("binomial-poisson-distance")),
    also=(within("the total variation of Bin(n, t) and Pois(n t), n <= 20 and n t whole, is at most t", Fraction(1)),),
    constants=(
        Constant(
            "1/2",
            slack="the exponent is the right one for large n - m, by Stirling's formula; 0.95 times the factor is refuted",
        ),
    ),
    twins=(
        inequality("1/2 <= 0.95*2^(1/2)*exp(-1)", says="0.95 times the factor: n = 2, m = 1, the mass at 1"),
        inequality("1/2 <= exp(-1)", says="without the factor: n = 2, m = 1, the mass at 1"),
        within("a total variation of at most 0.25 t", Fraction(1, 4)),
    ),
)
