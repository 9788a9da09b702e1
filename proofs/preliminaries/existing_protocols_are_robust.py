"""Section 2.3: other protocols that are robust."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.3, last paragraph",
    kind="prose",
    printed="Many existing shuffle protocols are robustly shuffle private: each user contributes some noise, and the union of the honest users' noise suffices, as Ghazi, Pagh and Velingker argue.",
    reading="One of them, Balcer and Cheu's counting protocol, is proved robust in Appendix A.4.",
    cited="Ghazi, Pagh, Velingker 2019, as the paper cites it; not re-proved here",
)
