"""Figure 1, pan, uniformity testing, upper bound."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="Figure 1, pan, uniformity testing, upper bound",
    kind="figure",
    printed="Pan-private uniformity testing: O(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + sqrt(k)/(alpha eps)) samples, for delta = 0 and eps = O(1).",
    cited="Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)
