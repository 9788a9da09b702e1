"""Section 1.2, on Balcer and Cheu."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 1.2, on Balcer and Cheu",
    kind="prose",
    printed="A single-message eps-shuffle private protocol is eps-locally private.",
    cited="Balcer, Cheu 2020, as the paper cites it; not re-proved here",
)
