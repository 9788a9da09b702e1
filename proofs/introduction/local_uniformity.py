"""Section 1.2: uniformity testing under local privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 1.2, first paragraph",
    kind="prose",
    printed="Theta(k) is the optimal dependence of the sample complexity of uniformity testing for the strictly more private model of sequentially interactive local privacy.",
    reading="The dependence on k for fixed alpha and eps.",
    cited="Acharya, Canonne, Freitag, Tyagi 2019 and Amin, Joseph, Mao 2019, as the paper cites them; not re-proved here",
)
