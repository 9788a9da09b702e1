"""Section 4: n ~ Pois(m) samples in place of m."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, moment

PEEL = {"m": "(0, inf)", "s": "[0, inf)", "t": "[0, 1]", "p": "[0, 1]", "z": "(0, 1)"}

STATEMENT = Statement(
    where="section 4, the paragraph on Poissonization",
    kind="prose",
    printed="Using n ~ Pois(m) samples in place of m ensures that sampled counts of different elements are independent over the randomness of drawing n; Pois(m) concentrates around m, so "
    "O(m) samples are guaranteed at the cost of a constant decrease in success probability.",
    reading="The counts are independent, and the count of an element of probability p_j is Pois(m p_j), which is what is used.",
    steps=(
        kernel("paper-poissonization"),
        kernel("samples-at-most"),
    ),
    constants=(Constant("10", slack="10m and 1/10 are one choice: P[n >= 2m] is at most 2 e^(-m/4) already"),),
    twins=(
        identity(
            "exp(m*((s + p*z) - (t + p))) = exp(m*(s - t))*exp(0.98*m*p*(z - 1))", says="with Pois(0.98 m p)", **PEEL
        ),
        moment("value = 1.02*m", {"X": "Pois(m)"}, mean_of="X", says="with mean 1.02m", m="(0, inf)"),
    ),
)
