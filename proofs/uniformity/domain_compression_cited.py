"""Domain compression as its authors have it."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 4.1.2, the source of Lemma partition",
    kind="fact",
    printed=(
        "For 2 <= k^ <= k, k^ dividing k, and a uniformly random partition into groups of equal size: with probability at least 1/954 the "
        "total variation of D_G and U is at least alpha sqrt(k^)/(477 sqrt(10k))."
    ),
    cited="Acharya, Canonne, Han, Sun, Tyagi 2019, and Amin, Joseph, Mao 2019, as the paper cites them; not re-proved here",
)
