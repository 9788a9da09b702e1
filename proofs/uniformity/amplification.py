"""Section 4: a separation Delta can be amplified by O(1/Delta^2) repetitions."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 4, after the definition of uniformity testing",
    kind="prose",
    printed="Any such separation Delta between the probabilities of outputting 'uniform' given uniform and non-uniform samples can be amplified, to an overall 2/3, using O(1/Delta^2) repetitions.",
    reading="The repetitions are independent, on fresh samples, and a number between the two probabilities, such as p + Delta/2, is known to the tester.",
    rests_on=("hoeffding",),
    steps=(
        identity(
            "exp(-2*(r*D/2)^2/r) = exp(-r*D^2/2)",
            says="Hoeffding, one side: the count of r repetitions is r Delta/2 off its mean, to the wrong side",
            r="[1, inf)",
            D="(0, 1]",
        ),
        inequality("exp(-2.2/2) < 1/3", says="r = 2.2/Delta^2, rounded up, gives an error below 1/3", x="[0, 1]"),
    ),
    argument=(
        "Say 'not uniform' has probability at most p on uniform samples and at least p + Delta on far ones. Answer 'not uniform' if at least r(p + Delta/2) of r repetitions do. On uniform samples the count has a mean of at most rp, on far ones of at least r(p + Delta), so a wrong answer means a deviation of at "
        "least r Delta/2 to one side; by Hoeffding's inequality, one side, that has probability at most e^(-r Delta^2/2), which is below 1/3 for r >= 2.2/Delta^2."
    ),
    constants=(Constant("2.2", twin="r = 2.19/Delta^2", by="2.19"),),
    twins=(
        inequality("exp(-2.19/2) < 1/3", says="r = 2.19/Delta^2", x="[0, 1]"),
        identity("exp(-2*(r*D/2)^2/r) = exp(-r*D^2)", says="with exp(-r Delta^2)", r="[1, inf)", D="(0, 1]"),
    ),
)
