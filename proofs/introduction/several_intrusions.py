"""Section 2.2, a footnote."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.2, a footnote",
    kind="prose",
    printed="The precise assumption of one internal state intrusion is necessary: pan-privacy against several intrusions collapses to the much stronger notion of local privacy.",
    rests_on=("pan-privacy",),
    cited="Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)
