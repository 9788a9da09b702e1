"""Lemma partition (Domain Compression): cited."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="lem:partition",
    where="section 4.1.2, Lemma partition (Domain Compression)",
    kind="lemma",
    printed=(
        "If the total variation of D and U is alpha and G is a uniformly random [partition] of [k] into k^ groups, then with probability at "
        "least 1/954 that of D_G and U is at least alpha sqrt(k^)/(477 sqrt(10k))."
    ),
    reading="The word 'partition' is missing; k^ >= 2 (with one group D_G is uniform whatever D is), k^ divides k, and the groups have equal size, as in the papers cited (what becomes of other k is a statement of its own).",
    covers=("lem:partition", "display-29"),
    cited="Acharya, Canonne, Han, Sun, Tyagi 2019, and Amin, Joseph, Mao 2019, as the paper cites them; not re-proved here, and not needed: what the tester uses is proved with better constants",
)
