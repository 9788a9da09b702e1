"""Section 1.2: bit sums in the shuffle model."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 1.2, second paragraph",
    kind="prose",
    printed="For shuffle private bit summation a line of papers has obtained O(1/eps) accuracy, tight with that of the central model.",
    cited="Cheu et al. 2019; Balle, Bell, Gascon, Nissim 2019 and 2020; Ghazi et al. 2020, as the paper cites them; not re-proved here",
)
