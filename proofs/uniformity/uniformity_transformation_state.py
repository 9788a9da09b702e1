"""Algorithm Q_P for uniformity testing: is it an online algorithm as printed?"""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import computed
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line


def check(state: str) -> Decision:
    """The update may use the next element and the state only (and what is fixed: n, k and R)."""
    update = line("I_i <- S(I_{i-1}, R(x_i)) if i <= n', S(I_{i-1}, R(U)) otherwise", uses="I x_i n' i R k")
    return check_scope((*state.split(), "x_i", "R", "k", "n"), [update])


def check_repaired(state: str) -> Decision:
    """The same for the update that counts down how many of the coming elements are still used."""
    lines = [
        line("I_i <- S(I_{i-1}, R(x_i)) if left > 0, S(I_{i-1}, R(U)) otherwise", uses="I x_i left R k", defines="I"),
        line("left <- max(0, left - 1)", uses="left", defines="left"),
    ]
    return check_scope((*state.split(), "x_i", "R", "k", "n"), lines)


STATEMENT = Statement(
    label="alg:ut-transformation",
    where="section 4.2, Algorithm Q_P for uniformity testing, its state",
    kind="algorithm",
    printed="The internal state is the shuffled messages I_i, and the update is a function of it and x_i.",
    covers=("alg:ut-transformation",),
    severity="convention",
    steps=(computed("the update uses the state I and x_i only", lambda: check(state="I"), "scope"),),
    why="The update compares i with n', and neither is in the state.",
    repair=Repair(
        "The state also holds how many of the coming elements are still used, n' at the start.",
        (
            computed(
                "the update uses the state (I, left) and x_i only", lambda: check_repaired(state="I left"), "scope"
            ),
        ),
    ),
    survives="Lemma ut-transformation: what is added to the state does not depend on the data.",
    twins=(
        computed("with the state (I, n')", lambda: check(state="I n'"), "scope"),
        computed("the repaired update with the state I", lambda: check_repaired(state="I"), "scope"),
    ),
)
