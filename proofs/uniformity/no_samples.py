"""Section 4: n ~ Pois(m) samples may be none."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 4, Poissonization, with Algorithm R_UT",
    kind="prose",
    printed="With n ~ Pois(m) users, each of whom adds Pois(lambda/n) noise messages to a pool, the noise of a pool is Pois(lambda): n (lambda/n) = lambda.",
    steps=(
        identity("n*(lam/n) = lam", says="for every n that Pois(m) may take", n="integer [0, inf)", lam="(0, inf)"),
    ),
    why="n = 0 has the probability e^-m: lambda/0 is not defined, and there is nobody to add noise.",
    repair=Repair(
        "For n >= 1; an analyzer that adds the noise itself when there are no messages has exactly the law that is analysed, and without that both errors grow by "
        "at most e^-m.",
        (
            identity("n*(lam/n) = lam", says="for n >= 1", n="integer [1, inf)", lam="(0, inf)"),
            inequality(
                "exp(-m) < 10^(-23)",
                says="e^-m is below 10^-23 at m = 54, the least m of uniformity-tester-theorem",
                m="[54, inf)",
            ),
        ),
    ),
    survives="The tester's theorem survives, with the analyzer's noise for n = 0.",
    twins=(
        identity("n*(lam/n) = lam", says="for every real n >= 0", n="[0, inf)", lam="(0, inf)"),
        inequality("exp(-m) < 10^(-23)", says="for m >= 50", m="[50, inf)"),
    ),
)
