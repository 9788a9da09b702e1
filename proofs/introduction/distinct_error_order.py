"""Section 3.1: the accuracy of the central OR, summed over the domain."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, no_constant

STATEMENT = Statement(
    where="section 3.1, the accuracy of the centrally private solution",
    kind="prose",
    printed="By concentration across the k instances of OR, the centrally private solution achieves accuracy roughly O(sqrt(k)/eps).",
    reading=(
        "eps = O(1), as Figure 1 says, so eps <= c for a constant c, and a constant failure probability, here 1/3; eps is the parameter of one OR (a changed "
        "row touches two of them, so the loss of all k together is at most 2 eps, of the same order)."
    ),
    rests_on=("distinct-accuracy",),
    steps=(
        inequality(
            "exp(e)/(exp(e) - 1) <= (1 + e)/e",
            says="e^eps/(e^eps - 1) <= (1 + eps)/eps, at most (1 + c)/eps for eps <= c",
            e="(0, inf)",
        ),
        inequality(
            "exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 3/e",
            says="with 3 sqrt(k)/eps for eps <= 1 and beta = 1/3",
            e="(0, 1]",
        ),
    ),
    argument=(
        "The k outputs are independent bits, fair for the D(x) elements that occur and Ber(1/(2e^eps)) for the others: the same bits whose sum "
        "distinct-accuracy de-biases, so the error is at most e^eps/(e^eps - 1) sqrt(2k ln(2/beta)) except with probability beta. By the first step that is at "
        "most (1 + c) sqrt(2 ln(2/beta)) sqrt(k)/eps for eps <= c."
    ),
    twins=(
        no_constant(
            "without a bound on eps: some constant C bounds alpha/sqrt(k) by C/eps for every eps > 0",
            inequality(
                "exp(C)/(exp(C) - 1)*sqrt(2*log(6)) > 1",
                says="at eps = C, C/eps = 1, but alpha/sqrt(k) = e^C/(e^C - 1) sqrt(2 ln 6) is above 1, for every C > 0",
                C="(0, inf)",
            ),
            "C",
        ),
        inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 2.9/e", says="with 2.9 for eps <= 1", e="(0, 1]"),
        inequality("exp(e)/(exp(e) - 1) <= (0.99 + e)/e", says="with (0.99 + eps)/eps", e="(0, inf)"),
    ),
    constants=(Constant("3", twin="with 2.9 for eps <= 1", by="2.9"),),
    referee="One may object that the bound does not fall with 1/eps as eps grows; but the paper's figure says eps = O(1), and a twin shows that this is needed.",
)
