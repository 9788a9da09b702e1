"""Claim robust_bc against the definition of robust shuffle privacy: for all n?"""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import inequality, smt

STATEMENT = Statement(
    label="claim:robust_bc",
    where="Appendix A.4, Claim robust_bc, with Definition robust_shuffle_dp, which quantifies over all n",
    kind="claim",
    printed="P^zsum, with p = 1 - (10/n) c^2 ln(2/delta), is a protocol for all n in N: p is a probability.",
    steps=(
        inequality(
            "1 - 10*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)/10 >= 0", says="p >= 0 at n = 10", e="(0, 1]", d="(0, 1)"
        ),
    ),
    why="The claim fixes n from below, so P^zsum is robustly shuffle private for those n only; the definition asks for all n, and for small n there is no protocol.",
    repair=Repair(
        "Read the definition for one n at a time: P^zsum is private whenever gamma' n users of n >= 20 c^2 ln(2/delta) follow it.",
        (
            smt(
                "1 - 10*x/n >= 1/2",
                ("n >= 20*x",),
                says="then p >= 1/2, x = c^2 ln(2/delta)",
                x="(0, inf)",
                n="(0, inf)",
            ),
        ),
        ("robust-binary-sum",),
    ),
    survives="Nothing rests on small n.",
    twins=(
        smt("1 - 10*x/n >= 1/2", ("n >= 19.9*x",), says="with 19.9", x="(0, inf)", n="(0, inf)"),
        inequality("1 - 10*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)/50 >= 0", says="at n = 50", e="(0, 1]", d="(0, 1)"),
    ),
)
