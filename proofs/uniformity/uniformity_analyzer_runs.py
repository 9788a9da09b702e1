"""Algorithm A_UT: does it run as printed?"""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import computed
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line

INPUTS = ("y", "tau", "lambda", "m", "n", "alpha", "k")


def check(without: tuple[str, ...] = ()) -> Decision:
    """Every name is defined before its use; k is the size of the domain, fixed with the problem."""
    body = [
        line("for j in [k]", uses="k", defines="j"),
        line("l_j <- -n + |{y_i : label j}|", uses="n y j", defines="l_j"),
        line("c_j(y) <- -l_j/2 + |{y_i : y_i = (j,1)}|", uses="l_j y j", defines="c_j"),
        line("Z' <- k/m sum of (c_j(y) - m/k)^2 - c_j(y)", uses="k m c_j", defines="Z'"),
        line("return 'not uniform' if Z' > tau otherwise 'uniform'", uses="Z' tau"),
    ]
    return check_scope([name for name in INPUTS if name not in without], body)


STATEMENT = Statement(
    label="alg:ut-a",
    where="section 4.1.1, Algorithm A_UT",
    kind="algorithm",
    printed="A_UT runs as printed and outputs 'uniform' or 'not uniform'.",
    reading="The sum of Z' is over both terms, in brackets, as in the proof.",
    covers=("alg:ut-a",),
    rests_on=("statistic-brackets:repaired",),
    steps=(computed("every name in A_UT is defined before its use", check, "scope"),),
    twins=(
        computed("without the input m", lambda: check(("m",)), "scope"),
        computed("without the input n", lambda: check(("n",)), "scope"),
    ),
)
