"""Lemma de-lower-bound-pan: cited."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="lem:de-lower-bound-pan",
    where="section 3.2, Lemma de-lower-bound-pan",
    kind="lemma",
    printed=(
        "If an (eps, delta)-pan-private Q solves the (alpha, beta)-distinct elements problem on length n for alpha = o(sqrt(k)), beta < 0.1 and "
        "n >= k, then eps = omega(1) or delta = omega(1/n)."
    ),
    covers=("lem:de-lower-bound-pan",),
    cited="implicit in Corollary 3 of Mir, Muthukrishnan, Nikolov, Wright 2011, as the paper cites it; not re-proved here",
)
