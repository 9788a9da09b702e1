"""The exact loss of P_DE with an ideal modular sum."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, kernel, smt

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed=(
        "With an ideal modular sum (each pool shows its sum mod 2 only) the loss of P_DE for N honest users, delta = 0, is exactly ln(2e^eps' - 1) if k >= 3, or k = 2 and N = 1; it is exactly eps' if k = 2 and N >= 2. Both are less than 2 eps'."
    ),
    hypotheses=("eps' > 0", "N >= 1 honest users"),
    rests_on=("or-simulation", "distinct-ber", "common-factor"),
    steps=(
        kernel("pair-tight-privacy"),
        kernel("pair-tight-least"),
        kernel("pair-tight-ratio"),
        kernel("pair-tight-attained"),
        kernel("pair-tight-below-composition"),
        identity(
            "(1/2)/(1/(2*D)) = D",
            says="one pool alone, D = e^eps': the ratio at 1 is e^eps' (at 0 it is within it)",
            D="(1, inf)",
        ),
        smt("1/D <= 1/(2 - 1/D) <= D", says="one pool alone: the ratio at 0", D="(1, inf)"),
        smt("D < 2*D - 1", says="and e^eps' < 2e^eps' - 1", D="(1, inf)"),
    ),
    argument=(
        "A user goes from a to b. The other pools are a common factor (common-factor). Let CA and CB be the numbers of other honest holders of a and of b. A pool with a holder is Ber(1/2) (or-simulation), one without is Ber(1/(2e^eps')) (distinct-ber). CA = CB = 0: the pair goes from Ber(1/2) x Ber(1/(2e^eps')) "
        "to Ber(1/(2e^eps')) x Ber(1/2), whose loss is ln(2e^eps' - 1) by the first two kernel theorems, attained at (1, 0). CA >= 1, CB = 0 or the other way round: one pool is fair in both and the other has the loss eps'. CA, CB >= 1: no loss. CA + CB <= N - 1, with equality for k = 2; so CA = CB = 0 is possible "
        "if N = 1, or if the others hold a third element, k >= 3; and for k = 2 and N >= 2 it is not, but CA = N - 1, CB = 0 is. For k = 1 there are no two datasets."
    ),
    twins=(
        inequality("log(2*exp(e) - 1) < 1.95*e", says="less than 1.95 eps'", e="(0, inf)"),
        inequality("log(2*exp(e) - 1) <= e + log(2) - 1/100", says="at most eps' + ln 2 - 0.01", e="(0, inf)"),
        identity(
            "(1 - 1/(2*D))*(1/2)/(1/(2*D)*(1/2)) = D",
            says="eps' for k >= 3, too: the ratio at (1, 0) is e^eps'",
            D="(1, inf)",
        ),
    ),
    constants=(Constant("2", twin="less than 1.95 eps'", by="1.95"),),
)
