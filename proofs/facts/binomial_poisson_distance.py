"""How far a binomial law is from the Poisson law of the same mean."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from proofs.statement import Constant, Statement, Step
from proofs.steps import computed, identity, smt
from symbolic.decision import Decision, Status

CASES = [(n, Fraction(t, 10)) for n in (1, 2, 3, 5, 10, 20) for t in (1, 2, 5, 9)]


def within(says: str, factor: Fraction) -> Step:
    """The total variation of Bin(n, t) and Pois(n t) is at most factor t, for n <= 20 and t in tenths."""

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
    printed="For 0 < t <= 1 and n >= 1 the total variation of Bin(n, t) and Pois(n t) is at most t.",
    steps=(
        identity(
            "t*((1 - t)*a + t*b) - t*a = t^2*(b - a)",
            says="one bit B of the sum W, a = E[f(W - B + 1)], b = E[f(W - B + 2)]: t E[f(W + 1)] - E[B f(W)]",
            t="(0, 1]",
            a="(-inf, inf)",
            b="(-inf, inf)",
        ),
        identity(
            "n*t^2*(1/(n*t)) = t", says="n bits, and f(x + 1) - f(x) is at most 1/(n t)", n="[1, inf)", t="(0, 1]"
        ),
        smt("j/a <= 1", ("j <= a",), says="in the jump of f", j="[0, inf)", a="[1, inf)"),
        within("Bin(n, t) and Pois(n t) for n <= 20 and t in tenths", Fraction(1)),
    ),
    argument=(
        "Let l = n t, p the masses of Pois(l), F(x) and G(x) the sums of p up to x and from x on. For a whole a >= 0 let f(0) = 0 and l f(x+1) - x f(x) = 1[x = a] - p(a). Multiply by p(x), use l p(x) = (x+1) p(x+1) and add up: l p(x) f(x+1) = p(a)(1[a <= x] - F(x)). So f(x+1) = -p(a) F(x)/(l p(x)) for x < a and p(a) G(x+1)/(l p(x)) for x >= a. "
        "F(x)/p(x) is the sum over k <= x of x(x-1)...(x-k+1)/l^k, which grows with x, and G(x+1)/p(x) the sum over k >= 1 of l^k/((x+1)...(x+k)), which falls: f falls everywhere but from a to a + 1, where it jumps by (G(a+1) + (l/a) F(a-1))/l, or by G(1)/l if a = 0. (l/a) F(a-1) is the sum over j = 1, ..., a of (j/a) p(j) <= F(a) - p(0) by the third step, so the jump is at most "
        "(1 - p(0))/l <= 1/l. For a set A let f be the sum of these functions over a in A: f(x+1) - f(x) is at most the jump of the one with a = x, so at most 1/l; the complement of A has the function -f, so it is at least -1/l, too. Now let W be the sum of n independent bits B_i with probability t. P[W in A] - Pois(l)(A) = E[l f(W+1) - W f(W)] is the sum over i of t E[f(W+1)] - E[B_i f(W)], "
        "with W - B_i independent of B_i: by the first step t^2 E[f(W - B_i + 2) - f(W - B_i + 1)], at most t^2/l. The second step adds up n of them. This is the method of Stein and Chen."
    ),
    constants=(Constant("1", slack="not tight: 0.37 t is above all the values computed, and 0.25 t is refuted"),),
    twins=(
        within("at most 0.25 t", Fraction(1, 4)),
        identity(
            "t*((1 - t)*a + t*b) - t*a = 1.02*t^2*(b - a)",
            says="with 1.02 t^2",
            t="(0, 1]",
            a="(-inf, inf)",
            b="(-inf, inf)",
        ),
    ),
)
