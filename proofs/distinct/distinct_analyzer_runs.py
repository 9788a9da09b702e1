"""Algorithm A_DE: does it run as printed, and is its output a real number?"""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import computed, kernel, smt
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line

INPUTS = ("y", "n", "eps", "delta", "k", "A_MOD")


def check(without: tuple[str, ...] = ()) -> Decision:
    """Every name is defined before its use; k is the size of the domain, fixed with the problem."""
    body = [
        line("sigma <- log((e^eps + 1)/delta)", uses="eps delta", defines="sigma"),
        line("for j in [k]", uses="k", defines="j"),
        line("y^(j) <- ()", uses="j", defines="y^(j)"),
        line("for (j, l_t) in y: append l_t to y^(j)", uses="y j y^(j)", defines="y^(j)"),
        line("C_j <- A_MOD(y^(j))", uses="A_MOD y^(j)", defines="C_j"),
        line("C <- sum of the C_j", uses="C_j k", defines="C"),
        line("return (2Ce^eps - k)/(e^eps - 1)", uses="C eps k"),
    ]
    return check_scope([name for name in INPUTS if name not in without], body)


STATEMENT = Statement(
    label="alg:de-upper-analyzer",
    where="section 3.1, Algorithm A_DE",
    kind="algorithm",
    printed="A_DE, given y, n, eps and delta, outputs z = (2C e^eps - k)/(e^eps - 1), a real number.",
    reading="k is the size of the domain, fixed with the problem; A_MOD is that of the cited protocol for modular sums.",
    covers=("alg:de-upper-analyzer",),
    also=(kernel("paper-algorithms-run"),),
    steps=(
        computed("every name in A_DE is defined before its use", check, "scope"),
        smt(
            "-k/(E - 1) <= (2*C*E - k)/(E - 1) <= k*(2*E - 1)/(E - 1)",
            ("C <= k",),
            says="z is defined and finite for eps > 0, E = e^eps",
            E="(1, inf)",
            k="[1, inf)",
            C="[0, inf)",
        ),
    ),
    twins=(
        computed("without the input eps", lambda: check(("eps",)), "scope"),
        smt(
            "(2*C*E - k)/(E - 1) <= 0.99*k*(2*E - 1)/(E - 1)",
            ("C <= k",),
            says="with 0.99 of the largest value",
            E="(1, inf)",
            k="[1, inf)",
            C="[0, inf)",
        ),
    ),
)
