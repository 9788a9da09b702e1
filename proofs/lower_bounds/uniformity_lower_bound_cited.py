"""The pan-private lower bound for uniformity testing, as its authors have it."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 4.2, the source of Lemma ut-lower-bound-pan",
    kind="fact",
    printed="For k >= 2, eps = O(1) and alpha < 1/2, any eps-pan-private alpha-uniformity tester needs Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)) samples.",
    cited="Theorem 3 of Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)
