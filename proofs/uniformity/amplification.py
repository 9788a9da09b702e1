"""Section 4: a separation Delta can be amplified by O(1/Delta^2) repetitions."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality, kernel

STATEMENT = Statement(
    where="section 4, after the definition of uniformity testing",
    kind="prose",
    printed="Any such separation Delta between the probabilities of outputting 'uniform' given uniform and non-uniform samples can be amplified, to an overall 2/3, using O(1/Delta^2) repetitions.",
    reading="The repetitions are independent, on fresh samples, and a number between the two probabilities, such as p + Delta/2, is known to the tester.",
    steps=(kernel("amplification"),),
    constants=(Constant("2.2", twin="r = 2.19/Delta^2", by="2.19"),),
    twins=(
        inequality("exp(-2.19/2) < 1/3", says="r = 2.19/Delta^2", x="[0, 1]"),
        identity("exp(-2*(r*D/2)^2/r) = exp(-r*D^2)", says="with exp(-r Delta^2)", r="[1, inf)", D="(0, 1]"),
    ),
)
