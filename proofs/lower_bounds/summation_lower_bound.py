"""Section 6: the summation lower bound."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 6, third question",
    kind="prose",
    printed="The summation lower bound of Ghazi, Golowich, Kumar, Manurangsi, Pagh and Velingker is not imported from central or pan-privacy, and holds only if each user is limited to O(poly log n) communication.",
    cited="Ghazi, Golowich, Kumar, Manurangsi, Pagh, Velingker 2020, as the paper cites it; not re-proved here",
)
