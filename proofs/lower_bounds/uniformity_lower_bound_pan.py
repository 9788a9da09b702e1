"""Lemma ut-lower-bound-pan: cited."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="lem:ut-lower-bound-pan",
    where="section 4.2, Lemma ut-lower-bound-pan",
    kind="lemma",
    printed="For eps = O(1) and alpha < 1/2, any eps-pan-private alpha-uniformity tester has sample complexity Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)).",
    reading="k >= 2: for k = 1 there is only the uniform distribution, and nothing to test.",
    covers=("lem:ut-lower-bound-pan", "display-39"),
    cited="Theorem 3 of Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)
