"""Algorithm Q_P for uniformity testing: is it an online algorithm as printed?"""

from __future__ import annotations

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.scope import check_scope, line


def check(state: str) -> Answer:
    """The update may use the next element and the state only (and what is fixed: n, k and R)."""
    update = line("I_i <- S(I_{i-1}, R(x_i)) if i <= n', S(I_{i-1}, R(U)) otherwise", uses="I x_i n' i R k")
    return check_scope((*state.split(), "x_i", "R", "k", "n"), [update])


STATEMENT = Statement(
    label="alg:ut-transformation",
    where="section 4.2, Algorithm Q_P for uniformity testing",
    printed="The internal state is the shuffled messages I_i, and the update is a function of it and x_i.",
    check=lambda: check(state="I"),
    repair="The state also holds how many of the coming elements are still used, which follows from n' and i.",
    check_repair=lambda: check(state="I n' i"),
)
