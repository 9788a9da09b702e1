"""P^zsum of Balcer and Cheu, as they write it."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="Appendix A.4, the source of P^zsum",
    kind="fact",
    printed="P^zsum has p = 1 - (50/(eps^2 n)) ln(2/delta), and its authors show its privacy for eps <= 1.",
    cited="Balcer, Cheu 2020, whom the paper cites, from memory of that paper, which is not at hand here: the paper that is checked prints the replaced form only, and 50 agrees with it",
)
