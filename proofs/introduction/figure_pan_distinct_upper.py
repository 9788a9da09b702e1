"""Figure 1, pan, distinct elements, upper bound: proved with a counter of its own, after Dwork et al."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality, smt

STATEMENT = Statement(
    where="Figure 1, pan, distinct elements, upper bound; section 1.2, first paragraph",
    kind="figure",
    printed="Pan, distinct elements: additive error O(sqrt(k)/eps) with constant probability, for delta = 0 and eps = O(1).",
    reading="The paper cites Dwork et al. for it; here the probability is 2/3, eps <= c for a constant c, and pan-privacy is the record-level one of section 2.2.",
    rests_on=("pan-privacy", "post-processing", "hoeffding"),
    steps=(
        inequality(
            "(1 + 2*e/5)/(1 - 2*e/5) <= exp(e)",
            says="the state: one bit goes from Ber(1/2 + eps/5) to Ber(1/2), another the other way",
            e="(0, 1]",
        ),
        smt(
            "v - u <= 2",
            ("u^2 = (z - c)^2", "v^2 = (z - d)^2", "c - d <= 2", "d - c <= 2"),
            says="the output: sums C, C' at most 2 apart, so the densities of C + Lap(2/eps) have the ratio e^((|z-C'| - |z-C|) eps/2) <= e^eps",
            z="(-inf, inf)",
            c="[0, inf)",
            d="[0, inf)",
            u="[0, inf)",
            v="[0, inf)",
        ),
        identity(
            "(k/2 + (e/5)*d - k/2)/(e/5) = d",
            says="E[C] = k/2 + (eps/5) D, so the estimate (C + L - k/2)/(eps/5) has mean D",
            k="[1, inf)",
            d="[0, inf)",
            e="(0, 1]",
        ),
        identity(
            "2*exp(-2*(k/2*log(12))/k) = 1/6",
            says="|C - E[C]| < sqrt(k ln(12)/2) except with probability 1/6",
            k="[1, inf)",
        ),
        identity("exp(-(2/e*log(6))/(2/e)) = 1/6", says="|L| <= (2/eps) ln 6 except with probability 1/6", e="(0, 1]"),
        inequality(
            "5*(sqrt(log(12)/2) + 2*log(6)) <= 24", says="sqrt(k) >= 1/eps: the error is at most 24 sqrt(k)/eps"
        ),
        smt(
            "r^2 <= r/e",
            ("r <= 1/e",),
            says="sqrt(k) <= 1/eps: a constant answer errs by at most k <= sqrt(k)/eps",
            r="[1, inf)",
            e="(0, 1]",
        ),
    ),
    argument=(
        "Let eps <= 1. If sqrt(k) <= 1/eps answer 1, whatever the stream; the error is below k, the last step. Otherwise keep one bit for each element of [k], at first fair; when an element j comes, redraw its bit from Ber(1/2 + eps/5); in the end "
        "output (C + L - k/2)/(eps/5), C being the sum of the bits and L ~ Lap(2/eps). Accuracy: the bits are independent, Ber(1/2 + eps/5) for the D elements that came and fair for the others, so hoeffding and the tail of L give the error "
        "(sqrt(k ln(12)/2) + (2/eps) ln 6)/(eps/5) with probability 2/3, at most 24 sqrt(k)/eps because 1/eps <= sqrt(k). Privacy: let the streams differ at time i, a against b, and the intrusion be at t. If i <= t, the states at t are independent bits of "
        "which only those of a and b may have other laws, the ratio of the masses of a state is at most (1 + 2eps/5)/(1 - 2eps/5) <= e^eps, and the pair of state and output is a random function of the state at t, the later elements being the same: "
        "post-processing. If i > t, fix all coins but L: the state at t is the same, and the final bits differ at most in those of a and b, so the sums differ by at most 2 and the densities of the output by a factor of at most e^eps; averaging over the coins, "
        "which have one law for both streams, keeps that. For 1 < eps <= c the algorithm with eps = 1 has the error 24 sqrt(k) <= 24c sqrt(k)/eps."
    ),
    twins=(
        inequality("(1 + 2*e/3.9)/(1 - 2*e/3.9) <= exp(e)", says="with a bias of eps/3.9", e="(0, 1]"),
        inequality(
            "5*(sqrt(log(12)/2) + 2*log(6)) <= 23.4",
            says="with 23.4",
        ),
        smt(
            "v - u <= 1.95",
            ("u^2 = (z - c)^2", "v^2 = (z - d)^2", "c - d <= 2", "d - c <= 2"),
            says="with Lap(1.95/eps)",
            z="(-inf, inf)",
            c="[0, inf)",
            d="[0, inf)",
            u="[0, inf)",
            v="[0, inf)",
        ),
    ),
    constants=(Constant("24", twin="with 23.4", by="23.4"),),
)
