"""Appendix A.3: proofs for section 4.1."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent
from panshuffle.proofs.section_4_1 import BINOMIAL_NOISE, NOISE_SIZES, OPPOSITE_TERMS, UNIFORM_COUNT
from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, moment, refutation, theorems

binomial_moments = Statement(
    where="Appendix A.3, proof of Claim moments, first sentence",
    kind="step",
    printed=r"$\mathrm{Bin}(l, 1/2) - l/2$ has the first four moments 0, $l/4$, 0, $3l^{2}/16 - l/8$.",
    kernel=theorems("binomial-moments"),
    for_all="l in [0, inf)",
    steps=tuple(
        moment(
            f"value = {value}",
            BINOMIAL_NOISE,
            mean_of=f"(X - l/2)^{order}",
            says=f"the moment of order {order}",
            l="[0, inf)",
        )
        for order, value in enumerate(("0", "l/4", "0", "3*l^2/16 - l/8"), start=1)
    ),
    near_misses=moment(
        "value = 3*l^2/16 - 0.12*l",
        BINOMIAL_NOISE,
        mean_of="(X - l/2)^4",
        says="The fourth moment has $0.12 l$ in place of $l/8$.",
    ),
)


variance_b = Statement(
    where="Appendix A.3, proof of Claim moments-uniform, Equation var-b and the lines after it",
    printed=r"$\mathrm{Var}[B] = k^{2}/m^{2} \sum l_{j} E[(c_{j} - m/k)^{2}]$, which is $k/m \sum l_{j}$ under the uniform law, where $E[(c_{j} - m/k)^{2}] = m/k$.",
    reading=r"Everything is given the $l_{j}$; $n \sim \mathrm{Pois}(m)$, so $c_{j} \sim \mathrm{Pois}(m/k)$ under the uniform law.",
    covers=("eq:var-b",),
    for_all="k in [1, inf); m, mu in (0, inf); l in [0, inf)",
    steps=(
        moment(
            "value = 0",
            BINOMIAL_NOISE,
            mean_of="2*k/m*(X - l/2)*v",
            says=r"given the counts, $v = c_{j} - m/k$, $B$ has mean 0, and its terms are uncorrelated",
            each="j",
            v="(-inf, inf)",
            **NOISE_SIZES,
        ),
        moment(
            "value = k^2/m^2*l*v^2",
            BINOMIAL_NOISE,
            mean_of="(2*k/m*(X - l/2)*v)^2",
            says=r"so $\mathrm{Var}[B]$ is the sum of the means of $k^{2}/m^{2} l_{j} v^{2}$",
            each="j",
            v="(-inf, inf)",
            **NOISE_SIZES,
        ),
        moment(
            "value = m/k",
            UNIFORM_COUNT,
            mean_of="(c - m/k)^2",
            says=r"$E[(c_{j} - m/k)^{2}] = m/k$ under the uniform law, $n \sim \mathrm{Pois}(m)$ and $c_{j} \sim \mathrm{Bin}(n, 1/k)$ given $n$",
        ),
        identity("k^2/m^2*l*(m/k) = k/m*l", says="the last line", each="j"),
    ),
    kernel=theorems("variance-b-poisson", "count-deviation", "paper-claim-moments-uniform"),
    constants=(Constant("1", by="1.02"),),
    near_misses=identity(
        "4*k^2/m^2*(l/4)*(m/k) = 1.02*k/m*l",
        says="Under the uniform law $\\mathrm{Var}[B]$ is $1.02 (k/m) \\sum l_{j}$.",
    ),
)


centred_noise = Statement(
    label="eq:var-b",
    where="Appendix A.3, the sentence after Equation var-b",
    kind="step",
    printed=r"Equation var-b follows from $E_{j} \sim \mathrm{Bin}(l_{j}, 1/2)$: then $E[E_{j}^{2}] = l_{j}/4$.",
    severity="convention",
    for_all="l in [0, inf)",
    steps=moment(
        "value = l/4", BINOMIAL_NOISE, mean_of="X^2", says=r"$E[X^{2}] = l/4$ for $X \sim \mathrm{Bin}(l, 1/2)$"
    ),
    kernel=refutation("uncentred-refuted", "$l = 1$: the second moment of a fair bit is $1/2$, not $1/4$"),
    why=r"$E_{j}$ is $\mathrm{Bin}(l_{j}, 1/2)$ less its mean; $\mathrm{Bin}(l, 1/2)$ itself has the second moment $l/4 + l^{2}/4$.",
    repair=Repair(
        r"$E_{j} \sim \mathrm{Bin}(l_{j}, 1/2) - l_{j}/2$.",
        moment("value = l/4", BINOMIAL_NOISE, mean_of="(X - l/2)^2", says="$E[E_{j}^{2}]$"),
        kernel=theorems("centred-second-moment"),
    ),
    survives="Equation var-b is right.",
    near_misses=moment(
        "value = l/4 + l^2/8",
        BINOMIAL_NOISE,
        mean_of="X^2",
        says="The second moment of $\\mathrm{Bin}(l, 1/2)$ is $l/4 + l^{2}/8$.",
    ),
)


symmetric_division = Statement(
    label="clm:symmetric-mean-zero",
    where="Appendix A.3, proof of Claim symmetric-mean-zero, the first display",
    printed=r"For any $v \ne 0$ and real $d_{j}$: $P[E_{j} d_{j} = v] = P[E_{j} = v/d_{j}]$: the events are the same, $(v/d) d = v$.",
    covers=("display-53",),
    severity="convention",
    for_all="v, d in (0, inf); e in (-inf, inf)",
    steps=identity("(v/d)*d = v", says="for all $v$ and $d$", d="[0, inf)"),
    kernel=refutation("symmetric-division-refuted", "$v = 1$, $d = 0$"),
    why="$d_{j} = 0$ is allowed, and $v/0$ is not defined. (In $B$, $d_{j} = c_{j} - m/k$ is 0 whenever the count is $m/k$.)",
    repair=Repair(
        r"For $d_{j} \ne 0$ as printed; for $d_{j} = 0$ the term is 0, which is symmetric.",
        (
            identity("(v/d)*d = v", says="for $d > 0$", v="(-inf, inf)"),
            identity("(v/d)*d = v", says="for $d < 0$", for_all="v in (-inf, inf); d in (-inf, 0)"),
            identity("e*0 = -(e*0)", says="for $d = 0$ the term is 0, which is its own opposite"),
        ),
        kernel=theorems("symmetric-division", "paper-clm-symmetric-mean-zero"),
    ),
    survives="The claim survives.",
    near_misses=identity("(v/d)*d = 1.02*v", says="$(v/d) d = 1.02 v$ for all $v$ and $d$ above 0."),
)


def convolution_over(says: str, first: Law, second: Law, grid: list[Fraction]) -> Step:
    """P[t + t' = v] is the sum over u in the grid of P[t = u] P[t' = v - u]."""
    truth = image(independent(first, second), lambda parts: parts[0] + parts[1])

    def summed(v: Fraction) -> Fraction:
        return sum((first.get(u, Fraction(0)) * second.get(v - u, Fraction(0)) for u in grid), Fraction(0))

    values = sorted(v for v in truth if isinstance(v, Fraction))
    return exhaustive(
        says,
        lambda v: summed(v) == truth[v],
        values,
        lambda v: f"v = {v}: the sum is {summed(v)}, the probability {truth[v]}",
    )


HALF_STEPS: Law = {Fraction(-1, 2): Fraction(1, 2), Fraction(1, 2): Fraction(1, 2)}

WHOLE_STEPS: Law = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}

INTEGERS = [Fraction(u) for u in range(-3, 4)]


symmetric_convolution = Statement(
    label="clm:symmetric-mean-zero",
    where="Appendix A.3, proof of Claim symmetric-mean-zero, the second display",
    printed=r"$P[t + t' = v]$ = sum over $u \in Z$ of $P[t = u] P[t' = v - u]$, for symmetric $T$, $T'$ such as those of $E_{j} d_{j}$.",
    covers=("display-54",),
    severity="unproved step",
    steps=convolution_over("with t = E_1/2, d_1 = 1/2, E_1 a fair sign", HALF_STEPS, WHOLE_STEPS, INTEGERS),
    why="The $d_{j}$ are real, so the $E_{j} d_{j}$ are not integers; the sum has to run over the support.",
    repair=Repair(
        "The sum over the support of $T$, which is countable.",
        OPPOSITE_TERMS,
        argument=(
            "The events $t = u$, for $u$ in the support of $T$, are disjoint and have total probability 1; on each, $t + t' = v$ means $t' = v - u$, and $t$ and "
            "$t'$ are independent. So $P[t + t' = v]$ is the sum over the support of $P[t = u] P[t' = v - u]$, the support being finite or countable. Symmetry "
            "turns each product into one of the same value, as the first step says, and the support into itself."
        ),
        kernel=theorems("symmetric-mean-zero"),
    ),
    survives="The claim survives.",
    near_misses=convolution_over(
        "The sum over the integers is enough for two half-integers t and t'.", HALF_STEPS, HALF_STEPS, INTEGERS
    ),
)
