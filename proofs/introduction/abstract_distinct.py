"""The abstract: Theta(sqrt(k)) for distinct elements."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality

STATEMENT = Statement(
    where="the abstract; section 3.2, 'this dependence on k is tight for the setting where n = Omega(k)'",
    kind="prose",
    printed=(
        "Focusing on the dependence on the domain size k, robust approximate shuffle privacy and approximate pan-privacy have additive error Theta(sqrt(k)) for counting "
        "distinct elements."
    ),
    reading=(
        "eps, gamma and beta are constants, eps <= 1, beta < 0.1, gamma = 1/3 in the lower bound, n >= 3k, delta = O(1/n) with a small enough constant, and k is large: sqrt(k) is both an "
        "upper and a lower bound up to constants that depend on eps and gamma."
    ),
    rests_on=(
        "pan-privacy",
        "distinct-accuracy",
        "distinct-elements-privacy",
        "figure-pan-distinct-upper",
        "distinct-lower-bound-hypotheses",
    ),
    steps=(
        inequality(
            "exp(e)/(exp(e) - 1)*sqrt(2*log(2/b)) <= 3/e*sqrt(log(2/b))",
            says="alpha <= (3/eps) sqrt(ln(2/beta)) sqrt(k) with the protocol's eps <= 1, a constant times sqrt(k)",
            e="(0, 1]",
            b="(0, 1)",
        ),
    ),
    argument=(
        "Above: P_DE with a constant eps is robustly private with a constant loss (distinct-elements-privacy; the protocol's eps is chosen for the loss that is wanted) and its "
        "error is a constant times sqrt(k) (distinct-accuracy); the pan-private counter is figure-pan-distinct-upper. Below: distinct-lower-bound-hypotheses at a constant eps, "
        "c sqrt(k/eps) for k eps above a constant, that is for large k."
    ),
    twins=(
        inequality("exp(e)/(exp(e) - 1)*sqrt(2) <= 2.2/e", says="with 2.2/eps", e="(0, 1]"),
        inequality("sqrt(k) <= 1.02*k^0.49", says="an error of 1.02 k^0.49", k="[1, inf)"),
    ),
)
