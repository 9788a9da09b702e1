"""Appendix A.3: the first four moments of E_j."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel, moment

NOISE = {"X": "Bin(l, 1/2)"}

STATEMENT = Statement(
    where="Appendix A.3, proof of Claim moments, first sentence",
    kind="step",
    printed="Bin(l, 1/2) - l/2 has the first four moments 0, l/4, 0, 3l^2/16 - l/8.",
    steps=(kernel("binomial-moments"),),
    also=tuple(
        moment(
            f"value = {value}", NOISE, mean_of=f"(X - l/2)^{order}", says=f"the moment of order {order}", l="[0, inf)"
        )
        for order, value in enumerate(("0", "l/4", "0", "3*l^2/16 - l/8"), start=1)
    ),
    twins=(
        moment(
            "value = 3*l^2/16 - 0.12*l", NOISE, mean_of="(X - l/2)^4", says="with 0.12 l in place of l/8", l="[0, inf)"
        ),
        moment(
            "value = 0.18*l^2 - l/8",
            NOISE,
            mean_of="(X - l/2)^4",
            says="with 0.18 l^2 in place of 3l^2/16",
            l="[0, inf)",
        ),
        moment("value = 0.26*l", NOISE, mean_of="(X - l/2)^2", says="with second moment 0.26 l", l="[0, inf)"),
    ),
)
