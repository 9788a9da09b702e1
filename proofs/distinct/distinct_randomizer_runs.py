"""Algorithm R_DE: does it run as printed?"""

from __future__ import annotations

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.scope import check_scope, line

INPUTS = ("x", "k", "n", "eps", "delta", "R_MOD")


def check(m_is_a_parameter: bool) -> Answer:
    """Every name is defined before its use, with the printed inputs or with m as one more."""
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
    return check_scope((*INPUTS, "m") if m_is_a_parameter else INPUTS, body)


STATEMENT = Statement(
    label="alg:de-upper-randomizer",
    where="section 3.1, Algorithm R_DE",
    printed="R_DE runs as printed.",
    check=lambda: check(m_is_a_parameter=False),
    repair="m is a parameter of the protocol.",
    check_repair=lambda: check(m_is_a_parameter=True),
)
