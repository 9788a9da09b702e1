"""The factor 2 in 2 eps^gamma/gamma is removable."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import derivative, identity, inequality

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"
LARGEST = "1.523"

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I, Case 2",
    kind="sharper",
    printed="For eps <= 1.523, so for eps <= ln 2: eps' <= eps^gamma/gamma, an equality at gamma = 1; the printed bound is twice that.",
    hypotheses=("0 < eps <= 1.523", "gamma in (0,1]"),
    steps=(
        identity("1 - exp(log(1 - exp(-e))) = exp(-e)", says="1 - e^-u = e^-eps, so L(u) = ln eps", e="(0, inf)"),
        derivative(
            "log(-log(1 - exp(-z)))",
            "z",
            "1/((exp(z) - 1)*log(1 - exp(-z)))",
            says="L'(z) = 1/((e^z - 1) ln(1 - e^-z))",
            z="(0, inf)",
        ),
        derivative(
            "1/((exp(z) - 1)*log(1 - exp(-z)))",
            "z",
            "-(exp(z)*log(1 - exp(-z)) + 1)/((exp(z) - 1)*log(1 - exp(-z)))^2",
            says="L''(z) = -(e^z ln(1 - e^-z) + 1)/((e^z - 1) ln(1 - e^-z))^2",
            z="(0, inf)",
        ),
        inequality(
            "q*log(q)^2 <= (1 - q)^2", says="z^2 L'' <= 1, first half: q = e^-z, q ln^2 q <= (1-q)^2", q="(0, 1)"
        ),
        inequality("-log(1 - q) - q <= log(1 - q)^2", says="second half: with f = -ln(1-q), f - q <= f^2", q="(0, 1)"),
        identity(
            "-(1/q*(-f) + 1)/((1/q - 1)*(-f))^2 = q*(f - q)/((1 - q)^2*f^2)",
            says="L'' = q (f - q)/((1-q)^2 f^2), so z^2 L'' <= 1 is the product of the two halves",
            q="(0, 1)",
            f="(0, inf)",
        ),
        inequality(
            "(exp(e) - 1)*log(1 - exp(-e)) + e >= e*log(e)",
            says="the worst z = u: L(u) <= 1 + u L'(u), with e^u - 1 = 1/(e^eps - 1)",
            e=f"(0, {LARGEST}]",
        ),
        identity("1/(1 - exp(-e)) - 1 = 1/(exp(e) - 1)", says="e^u - 1 = 1/(e^eps - 1)", e="(0, inf)"),
    ),
    argument=(
        "Let u = -ln(1 - e^-eps), so that 1 - e^-u = e^-eps, and L(z) = ln(-ln(1 - e^-z)): then ln eps = L(u) and, because (1 - e^-eps)^gamma = e^(-gamma u), ln eps' = L(gamma u). The claim is "
        "G(gamma) = gamma L(u) - ln gamma - L(gamma u) >= 0 on (0, 1]. G(1) = 0, so it is enough that G' = L(u) - 1/gamma - u L'(gamma u) <= 0, that is L(u)/u <= 1/z + L'(z) at z = gamma u <= u. The right side has "
        "the derivative -1/z^2 + L''(z), which is at most 0 if z^2 L''(z) <= 1: with q = e^-z and f = -ln(1-q), z = -ln q and z^2 L'' = (q ln^2 q/(1-q)^2) ((f-q)/f^2), a product of two factors of which the first is "
        "in [0, 1] and the second at most 1 by the two halves. So the right side is least at z = u, where the claim is L(u) <= 1 + u L'(u); times eps, with u = -ln(1 - e^-eps), e^u - 1 = 1/(e^eps - 1) and "
        "L'(u) = 1/((e^u - 1) ln(1 - e^-u)) = -(e^eps - 1)/eps, it is (e^eps - 1) ln(1 - e^-eps) + eps >= eps ln eps, the step for eps <= 1.523."
    ),
    constants=(
        Constant("1", twin="with the constant 0.99", by="0.99"),
        Constant("1.523", twin="for eps up to 1.55", by="1.55"),
    ),
    twins=(
        inequality(f"{EPS_PRIME} <= 0.99*e^g/g", says="with the constant 0.99", e="(0, 1.5]", g="(0, 1]"),
        inequality(f"{EPS_PRIME} <= e^g/g", says="for eps up to 1.55", e="(0, 1.55]", g="(0, 1]"),
        inequality(
            "(exp(e) - 1)*log(1 - exp(-e)) + e >= e*log(e)", says="the worst z, for eps up to 1.524", e="(0, 1.524]"
        ),
    ),
)
