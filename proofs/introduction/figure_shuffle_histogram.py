"""Figure 1, robust shuffle, histograms."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="Figure 1, robust shuffle, histograms",
    kind="figure",
    printed="Robust shuffle, histograms: l-infinity error O((1/eps^2) log(1/delta)), for eps = O(1) and delta < 1/n < eps.",
    reading=(
        "The protocol and its error are Balcer and Cheu's; that it is robust is Claim robust_bc. A loss of (eps, 2(delta/2)^gamma) at gamma n users means a "
        "logarithm larger by 1/gamma at a given robust delta, a constant for a fixed gamma."
    ),
    rests_on=("robust-binary-sum", "composition"),
    cited="Balcer, Cheu 2020, as the paper cites it; not re-proved here",
)
