"""Lemma ut-transformation: diluting D."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, proof of Lemma ut-transformation, accuracy, and its displays",
    kind="step",
    printed=(
        "If the total variation of D and U is above 9 alpha/2, that of (2/9)D + (7/9)U and U is above alpha; on uniform streams Q_P is P on uniform "
        "samples; and among n samples from the mixture Bin(n, 2/9) are from D, so with n' = min(Bin(n, 2/9), n/3) of them the laws differ by "
        "less than 1/6 if P[Bin(n, 2/9) > n/3] < 1/6, and 1/3 + 1/6 = 1/2."
    ),
    covers=("display-36", "display-37", "display-38"),
    rests_on=("transformation-tail",),
    steps=(
        identity(
            "(2/9*p + 7/9*u) - u = 2/9*(p - u)",
            says="each mass of the mixture is 2/9 of the way from U to D",
            p="[0, 1]",
            u="[0, 1]",
        ),
        smt(
            "2/9*t > a",
            ("t > 9*a/2",),
            says="so 2/9 of a distance above 9 alpha/2 is above alpha",
            t="[0, 1]",
            a="(0, 1)",
        ),
        identity(
            "1/3 + 1/3 + 1/3 = 1",
            says="n/3 dummies, n/3 stream elements, n/3 dummies: n samples, all uniform if the stream is",
        ),
        smt("p + x <= 1/2", ("p <= 1/3", "x < 1/6"), says="1/3 + 1/6 = 1/2", p="[0, 1]", x="[0, 1]"),
    ),
    twins=(
        smt("2/9*t > a", ("t > 4.4*a",), says="with 4.4 alpha", t="[0, 1]", a="(0, 1)"),
        identity("(2/9*p + 7/9*u) - u = 1/3*(p - u)", says="with 1/3", p="[0, 1]", u="[0, 1]"),
    ),
)
