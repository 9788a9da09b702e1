"""Corollary on P_HDE, Part I: privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part I",
    kind="corollary",
    printed="P_HDE is (2 eps + 2 ln(1/gamma), 2 delta/gamma, gamma)-robustly shuffle private.",
    hypotheses=("eps > 0, delta in (0,1), gamma in (0,1]",),
    reading="As for P_DE, P_MOD sends m(n) uniform one-bit shares a label with 4 n 2^-m(n) <= 2^-sigma, and sigma is to base 2, so that 2^-sigma = delta/(e^eps+1) (second kernel theorem). The guarantee is for every fixed h, which is public.",
    covers=("corollary-1",),
    steps=(
        kernel("paper-cor-hde-i"),
        kernel("hashed-distinct-privacy"),
        kernel("binary-sigma"),
    ),
    constants=(
        Constant(
            "2",
            slack="one pool's delta' <= delta/gamma is tight to 3 per cent, as a twin says; that two pools need twice as much is not claimed",
        ),
    ),
    twins=(
        smt("4*d/g <= 2*d/g", says="from Theorem de_upper as printed, with 4 delta/gamma", d="(0, 1)", g="(0, 1]"),
        inequality(
            "(exp(log(1/(1 - (1 - exp(-e))^g))) + 1)/(exp(e) + 1) <= 0.97/g",
            says="one pool's delta' is at most 0.97 delta/gamma",
            e="(0, 5]",
            g="(0, 1]",
        ),
    ),
)
