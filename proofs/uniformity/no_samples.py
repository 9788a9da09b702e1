"""Section 4: n ~ Pois(m) samples may be none."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 4, Poissonization, with Algorithm R_UT",
    kind="prose",
    printed="With n ~ Pois(m) users, each of whom adds Pois(lambda/n) noise messages to a pool, the noise of a pool is Pois(lambda): n (lambda/n) = lambda.",
    severity="convention",
    steps=(
        identity("n*(lam/n) = lam", says="for every n that Pois(m) may take", n="integer [0, inf)", lam="(0, inf)"),
    ),
    why="n = 0 has the probability e^-m: lambda/0 is not defined, and there is nobody to add noise.",
    repair=Repair(
        "For n >= 1; an analyzer that adds the noise itself when there are no messages has exactly the law that is analysed, and without that both errors grow by "
        "at most e^-m.",
        argument=(
            "For n >= 1 users a pool's noise is a sum of n independent Pois(lambda/n), which is Pois(lambda). The law with an analyzer that draws the noise itself when there is no message is the law that is analysed, for every n; without that the two laws differ on an event of probability P[n = 0] = e^-m only."
        ),
        rests_on=("poisson-sums",),
        steps=(
            identity("n*(lam/n) = lam", says="for n >= 1", n="integer [1, inf)", lam="(0, inf)"),
            inequality(
                "exp(-m) < 10^(-23)",
                says="e^-m is below 10^-23 from m = 54 on, and the repaired tester asks for m >= 54 sqrt(k)/alpha^2",
                m="[54, inf)",
            ),
        ),
    ),
    survives="The tester's theorem survives, with the analyzer's noise for n = 0.",
    constants=(Constant("54", twin="for m >= 52.9", by="52.9"),),
    twins=(
        identity("n*(lam/n) = 1.02*lam", says="the repair with 1.02 lambda", n="integer [1, inf)", lam="(0, inf)"),
        inequality("exp(-m) < 10^(-23)", says="for m >= 52.9", m="[52.9, inf)"),
    ),
)
