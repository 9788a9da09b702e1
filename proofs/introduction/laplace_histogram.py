"""Section 5: the naive histogram with Laplace noise depends on k."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 5, before Theorem hist-pan",
    kind="prose",
    printed="A naive solution that adds Laplace noise to each bin incurs a logarithmic dependence on the domain size.",
    reading="k >= 2 bins, independent Lap(b) noise in each, b = Theta(1/eps); the l-infinity error is the largest of the k noises.",
    steps=(
        identity("exp(-(b*log(k))/b) = 1/k", says="P[|Lap(b)| > b ln k] = e^(-ln k) = 1/k", b="(0, inf)", k="[2, inf)"),
        inequality("log(1 - x) <= -x", says="with x = 1/k: (1 - 1/k)^k <= 1/e", x="(0, 1/2]"),
        inequality("exp(-1) < 0.37", says="1/e < 0.37"),
    ),
    argument=(
        "|Lap(b)| is exponential with mean b, so P[|noise_j| > b ln k] = 1/k for each bin. The bins are independent, so all k noises are within b ln k with probability "
        "(1 - 1/k)^k <= 1/e < 0.37: with probability above 0.63 the l-infinity error is above b ln k, which is Theta(log(k)/eps)."
    ),
    twins=(
        inequality("log(1 - x) <= -1.02*x", says="at most e^-1.02", x="(0, 1/2]"),
        identity("exp(-(b*log(k))/b) = 1/k^2", says="with 1/k^2", b="(0, inf)", k="[2, inf)"),
        inequality("exp(-1) < 0.36", says="1/e < 0.36"),
    ),
)
