"""Algorithm R_DE: does it run as printed?"""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import computed
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line

INPUTS = ("x", "k", "n", "eps", "delta", "R_MOD")


def check(m_is_a_parameter: bool, without: tuple[str, ...] = ()) -> Decision:
    """Every name is defined before its use, with the printed inputs or with m as one more."""
    inputs = [name for name in INPUTS if name not in without]
    body = [
        line("y <- ()", defines="y"),
        line("p' <- (1 - (1 - e^-eps)^(1/n)) / 2", uses="eps n", defines="p'"),
        line("sigma <- log((e^eps + 1)/delta)", uses="eps delta", defines="sigma"),
        line("for j in [k]", uses="k", defines="j"),
        line("draw u from Ber(1/2) if x = j, from Ber(p') otherwise", uses="x j p'", defines="u"),
        line("l in {0,1}^m <- R_MOD(u)", uses="m R_MOD u", defines="l"),
        line("for t in [m]", uses="m", defines="t"),
        line("append (j, l_t) to y", uses="j l t y", defines="y"),
        line("return y", uses="y"),
    ]
    return check_scope((*inputs, "m") if m_is_a_parameter else inputs, body)


STATEMENT = Statement(
    label="alg:de-upper-randomizer",
    where="section 3.1, Algorithm R_DE",
    kind="algorithm",
    printed="R_DE, given x, n, eps and delta, runs: every name that it uses is set before.",
    covers=("alg:de-upper-randomizer",),
    steps=(computed("every name in R_DE is defined before its use", lambda: check(m_is_a_parameter=False), "scope"),),
    severity="convention",
    why="The number m of messages is never set (the line that does so is commented out of the source), and R_MOD is not given sigma: the theorem on modular sums says both.",
    repair=Repair(
        "m is the number of messages that R_MOD sends, a parameter of the protocol.",
        (computed("with m among the inputs every name is defined", lambda: check(m_is_a_parameter=True), "scope"),),
    ),
    survives="Theorem de_upper holds for every m that makes the theorem on modular sums true.",
    twins=(
        computed("with m, but without the inputs n and eps", lambda: check(True, ("n", "eps")), "scope"),
        computed("with m, but without the input delta", lambda: check(True, ("delta",)), "scope"),
    ),
)
