"""Theorem ut-upper-bound-prelim, privacy: a power and a logarithm."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, proof of privacy: 'bounded by 2 exp(-ln(2/delta)^gamma) < 2 delta^gamma'",
    kind="step",
    printed="2 exp(-ln(2/delta)^gamma) < 2 delta^gamma.",
    reading="ln(2/delta)^gamma is ln((2/delta)^gamma) = gamma ln(2/delta), here and in Bin(20 c^2 ln(2k/delta)^gamma, 1/2); read as a power of the logarithm it would be false (the first twin).",
    steps=(kernel("log-power"),),
    constants=(Constant("2", twin="with 1.95 delta^gamma", by="1.95"),),
    twins=(
        inequality("2*exp(-log(2/d)^g) < 2*d^g", says="with (ln(2/delta))^gamma", d="(0, 1)", g="(0, 1]"),
        inequality("2*(d/2)^g < 1.95*d^g", says="with 1.95 delta^gamma", d="(0, 1)", g="(0, 1]"),
    ),
)
