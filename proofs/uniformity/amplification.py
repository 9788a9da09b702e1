"""Section 4: a separation Delta can be amplified by O(1/Delta^2) repetitions."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 4, after the definition of uniformity testing",
    kind="prose",
    printed="A separation Delta between the probabilities of 'not uniform' can be amplified to 2/3 with O(1/Delta^2) repetitions.",
    hypotheses=(
        "the two probabilities p and p + Delta are known, and the repetitions are independent, on fresh samples",
    ),
    rests_on=("hoeffding",),
    steps=(
        identity(
            "2*exp(-2*(r*D/2)^2/r) = 2*exp(-r*D^2/2)",
            says="Hoeffding: the count of r repetitions is within r Delta/2 of its mean",
            r="[1, inf)",
            D="(0, 1]",
        ),
        inequality("2*exp(-3.6/2) < 1/3", says="r = 3.6/Delta^2, rounded up, gives an error below 1/3", x="[0, 1]"),
    ),
    twins=(
        inequality("2*exp(-3.5/2) < 1/3", says="r = 3.5/Delta^2", x="[0, 1]"),
        identity("2*exp(-2*(r*D/2)^2/r) = 2*exp(-r*D^2)", says="with exp(-r Delta^2)", r="[1, inf)", D="(0, 1]"),
    ),
)
