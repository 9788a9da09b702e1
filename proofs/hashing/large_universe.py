"""Appendix A.2: for k >= n^2 the accuracy of P_DE is not meaningful."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, first paragraph",
    kind="prose",
    printed="When k >= n^2, the distinct elements protocol P_DE does not provide a meaningful notion of accuracy.",
    reading="The alpha of Theorem de_upper, Part II, is larger than n for every eps > 0 and beta in (0,1), while 1 <= D(x) <= n: any constant in [1, n] as the answer errs by less. The sentence is about that guarantee: for e^eps of the order of k the protocol itself errs by far less than n.",
    steps=(kernel("large-universe"),),
    constants=(Constant("1", twin="for k >= 0.98 n^2", by="0.98"),),
    twins=(
        inequality("sqrt(2*log(2/b)) > 1.2", says="with 1.2", b="(0, 1)"),
        smt(
            "r*f > n",
            ("r^2 = k", "k >= 0.98*n^2", "f > 1"),
            says="for k >= 0.98 n^2",
            r="[0, inf)",
            k="[1, inf)",
            n="[1, inf)",
            f="[0, inf)",
        ),
    ),
)
