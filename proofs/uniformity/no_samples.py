"""Section 4: n ~ Pois(m) samples may be none."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import identity, kernel, kernel_refutation

STATEMENT = Statement(
    where="section 4, Poissonization, with Algorithm R_UT",
    kind="prose",
    printed="With n ~ Pois(m) users, each of whom adds Pois(lambda/n) noise messages to a pool, the noise of a pool is Pois(lambda): n (lambda/n) = lambda.",
    severity="convention",
    steps=(kernel_refutation("pool-noise-refuted", "n = 0: nobody adds noise"),),
    why="n = 0 has the probability e^-m: lambda/0 is not defined, and there is nobody to add noise.",
    repair=Repair(
        "For n >= 1; the tester's law is within e^-m of the one that is analysed, in which every pool has noise Pois(lambda).",
        (
            kernel("pool-noise"),
            kernel("poissonized-run"),
        ),
    ),
    survives="The tester's theorem survives, with the analyzer's noise for n = 0.",
    twins=(
        identity("n*(lam/n) = 1.02*lam", says="the repair with 1.02 lambda", n="integer [1, inf)", lam="(0, inf)"),
        identity("n*(lam/n) = 0.98*lam", says="the repair with 0.98 lambda", n="integer [1, inf)", lam="(0, inf)"),
    ),
)
