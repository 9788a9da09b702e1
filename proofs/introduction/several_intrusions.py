"""Section 2.2, a footnote."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.2, a footnote",
    kind="prose",
    printed="Pan-privacy against several intrusions collapses to local privacy.",
    cited="Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)
