"""Section 3.1 and Appendix A.1: slips of the pen."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import computed, identity
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line


def ideal(argument: str) -> Decision:
    """'M(u): takes input y and outputs the shuffled messages of (sum of u_t mod 2, 0, ..., 0)'."""
    return check_scope(
        [argument],
        [line("return (S o R_MOD)((sum of u_t mod 2, 0, ..., 0))", uses="u")],
    )


def product(factor: bool) -> Decision:
    """'Define Y_i = 1 - 2X_i, and define Y = prod': with or without the factor Y_i."""
    uses = "Y_i" if factor else "nothing-after-prod"
    return check_scope(
        ["X_i"], [line("Y_i <- 1 - 2 X_i", uses="X_i", defines="Y_i"), line("Y <- prod", uses=uses, defines="Y")]
    )


STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper; Appendix A.1, proof of Lemma distinct-ber; Algorithm A_DE",
    kind="prose",
    printed=(
        "'u^(a) = (u_1^(a), ..., u_n^(a))' for the gamma n honest users; 'M(u), the algorithm that takes input y'; 'Y = prod_{i=1}^{gamma n}' without a factor; A_DE sets sigma, which it does not use."
    ),
    steps=(
        computed("M is defined on its input: with the input y", lambda: ideal("y"), "scope"),
        computed("Y is defined: the product without a factor", lambda: product(factor=False), "scope"),
        identity("n = g*n", says="u^(a) has as many entries as there are honest users", n="[1, inf)", g="(0, 1]"),
    ),
    why="M is written as a function of u and said to take y; the product has no factor; the vector has gamma n entries, not n. An unused line does no harm.",
    severity="convention",
    repair=Repair(
        "M takes input u; Y is the product of the Y_i; u^(a) has the entries 1, ..., gamma n; the line that sets sigma in A_DE may be left out.",
        (
            computed("with the input u", lambda: ideal("u"), "scope"),
            computed("with the factor Y_i", lambda: product(factor=True), "scope"),
        ),
    ),
    survives="Slips: nothing rests on them.",
    twins=(
        computed("with the input x in place of y", lambda: ideal("x"), "scope"),
        identity("n = 0.98*n + g*n", says="with 0.98n + gamma n entries", n="[1, inf)", g="(0, 1]"),
    ),
)
