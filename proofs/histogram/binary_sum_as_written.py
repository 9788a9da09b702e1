"""P^zsum of Balcer and Cheu, as they write it."""

from __future__ import annotations

from proofs.statement import Statement

STATEMENT = Statement(
    where="Appendix A.4, the source of P^zsum",
    kind="fact",
    printed="P^zsum has p = 1 - (50/(eps^2 n)) ln(2/delta), and its authors show its privacy for eps <= 1.",
    cited="Balcer, Cheu 2020, as the paper cites it; the constant 50 is what makes the paper's replacement give its own p",
)
