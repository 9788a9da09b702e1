"""Figure 1, central, histograms."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="Figure 1, central, histograms",
    kind="figure",
    printed="Central, histograms: l-infinity error Theta((1/eps) log(min(1/delta, k))), for eps = O(1) and delta < 1/n < eps.",
    cited="Bun, Nissim, Stemmer 2016; Hardt, Talwar 2010; Beimel, Brenner, Kasiviswanathan, Nissim 2010, as the paper cites them; not re-proved here",
)
