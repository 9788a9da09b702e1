"""Figure 1, pan, distinct elements, upper bound."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="Figure 1, pan, distinct elements, upper bound",
    kind="figure",
    printed="Pan, distinct elements: additive error O(sqrt(k)/eps), for delta = 0 and eps = O(1).",
    cited="Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010, as the paper cites it; not re-proved here",
)
