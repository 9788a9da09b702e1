"""Section 1.2, on Cheu, Smith, Ullman, Zeber, Zhilyaev."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 1.2, on Cheu, Smith, Ullman, Zeber, Zhilyaev",
    kind="prose",
    printed="A single-message (eps, delta)-shuffle private protocol on n users is (eps + ln n, delta)-locally private.",
    cited="Cheu, Smith, Ullman, Zeber, Zhilyaev 2019, as the paper cites it; not re-proved here",
)
