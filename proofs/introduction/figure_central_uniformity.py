"""Figure 1, central, uniformity testing."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="Figure 1, central, uniformity testing",
    kind="figure",
    printed="Central uniformity testing: Theta(sqrt(k)/alpha^2 + sqrt(k)/(alpha sqrt(eps)) + k^(1/3)/(alpha^(4/3) eps^(2/3)) + 1/(alpha eps)) samples, for eps = O(1).",
    cited="Acharya, Sun, Zhang 2018, as the paper cites it; not re-proved here",
)
