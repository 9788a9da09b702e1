"""Lemma ut-transformation: diluting D."""

from __future__ import annotations

from proofs.statement import Constant, Statement
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
        smt("p + x <= 1/2", ("p <= 1/3", "x < 1/6"), says="1/3 + 1/6 = 1/2", p="[0, 1]", x="[0, 1]"),
    ),
    argument=(
        "The first two steps: the total variation of the mixture and U is half the sum of 2/9 |p - u|. On a uniform stream all inputs of R in Q_P, the n/3 dummies before, the n/3 of the stream and the n/3 after, are independent uniform samples, whatever n' is, and A gets their shuffled messages: Q_P on U^(n/3) is P on U^n. On a stream from D, let b ~ Bin(n, 2/9). P on n samples of the mixture gets b messages of R(D) and n - b of R(U), shuffled; "
        "Q_P gets min(b, n/3) and the rest. With the same b the two are the same unless b > n/3, so their laws differ by at most P[b > n/3] in total variation, which is below 1/6. P says 'uniform' on the mixture with probability at most 1/3, so Q_P does with at most 1/3 + 1/6."
    ),
    constants=(Constant("9/2", twin="with 4.4 alpha", by="4.4"),),
    twins=(
        smt("2/9*t > a", ("t > 4.4*a",), says="with 4.4 alpha", t="[0, 1]", a="(0, 1)"),
        smt("p + x <= 0.49", ("p <= 1/3", "x < 1/6"), says="with 0.49", p="[0, 1]", x="[0, 1]"),
    ),
)
