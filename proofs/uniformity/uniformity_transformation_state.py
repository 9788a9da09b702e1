"""Algorithm Q_P for uniformity testing: is it an online algorithm as printed?"""

from __future__ import annotations

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.scope import check_scope, line


def check(state: str) -> Answer:
    """The update may use the next element and the state only (and what is fixed: n, k and R)."""
    update = line("I_i <- S(I_{i-1}, R(x_i)) if i <= n', S(I_{i-1}, R(U)) otherwise", uses="I x_i n' i R k")
    return check_scope((*state.split(), "x_i", "R", "k", "n"), [update])


def check_repaired(state: str) -> Answer:
    """The same for the update that counts down how many of the coming elements are still used."""
    lines = [
        line("I_i <- S(I_{i-1}, R(x_i)) if left > 0, S(I_{i-1}, R(U)) otherwise", uses="I x_i left R k", defines="I"),
        line("left <- max(0, left - 1)", uses="left", defines="left"),
    ]
    return check_scope((*state.split(), "x_i", "R", "k", "n"), lines)


STATEMENT = Statement(
    label="alg:ut-transformation",
    where="section 4.2, Algorithm Q_P for uniformity testing",
    printed="The internal state is the shuffled messages I_i, and the update is a function of it and x_i.",
    check=lambda: check(state="I"),
    repair="The state also holds how many of the coming elements are still used, n' at the start.",
    check_repair=lambda: check_repaired(state="I left"),
)
