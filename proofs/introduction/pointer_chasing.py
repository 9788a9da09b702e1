"""Section 5, last paragraph."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 5, last paragraph",
    kind="prose",
    printed="The histogram solves pointer chasing on vectors of length l with O((1/eps^2) log(1/delta)) samples, (eps, delta)-pan-privately; sequentially interactive local privacy needs Omega(l).",
    cited="Balcer, Cheu 2020 and Joseph, Mao, Roth 2020, as the paper cites them; not re-proved here",
)
