"""Section 1.1: Laplace noise on the distinct count."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality, smt

RANGE = {"z": "(-inf, inf)", "d": "[0, inf)", "d1": "[0, inf)", "u": "[0, inf)", "v": "[0, inf)"}
ABSOLUTE = ("u^2 = (z - d)^2", "v^2 = (z - d1)^2", "d1 - d <= 1", "d - d1 <= 1")

STATEMENT = Statement(
    where="section 1.1, first item",
    kind="prose",
    printed="In contrast, adding Lap(1/eps) noise to the true distinct count guarantees O(1/eps) error in the central model.",
    reading="eps > 0; the output is eps-differentially private, and a constant probability is meant: here 2/3.",
    rests_on=("geometric-worst-neighbour",),
    steps=(
        smt(
            "v - u <= 1",
            ABSOLUTE,
            says="||z - D'| - |z - D|| <= 1, so the ratio of the densities e^(-eps |z - D|) is at most e^eps; u = |z - D|, v = |z - D'|",
            **RANGE,
        ),
        identity("exp(-(t/e)/(1/e)) = exp(-t)", says="P[|Lap(1/eps)| > t/eps] = e^-t", t="(0, inf)", e="(0, inf)"),
        inequality("exp(-1.1) < 1/3", says="the error is at most 1.1/eps with probability above 2/3"),
    ),
    argument=(
        "A changed row moves D by at most 1 (geometric-worst-neighbour), so by the first step the densities of the output at neighbouring datasets have a ratio of "
        "at most e^eps everywhere, which is eps-privacy. |Lap(1/eps)| is exponential with mean 1/eps; at t = 1.1 the second and the third step give the error."
    ),
    twins=(
        smt("v - u <= 0.98", ABSOLUTE, says="with 0.98 eps", **RANGE),
        inequality("exp(-1.09) < 1/3", says="1.09/eps with probability above 2/3"),
    ),
    constants=(Constant("1.1", twin="1.09/eps with probability above 2/3", by="1.09"),),
)
