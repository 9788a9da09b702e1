"""Section 2.3: the error of the example."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import identity, inequality, no_constant, smt

STATEMENT = Statement(
    where="section 2.3, the example after the definition of shuffle privacy",
    kind="prose",
    printed="With p ~ log(1/delta)/(eps^2 n) the analyzer may recover estimates with error ~ sqrt(log(1/delta))/eps.",
    reading="'~' is up to constants: p = K ln(1/delta)/(eps^2 n) with a constant K, and n so large that p <= 1/4.",
    severity="false",
    steps=(
        no_constant(
            "some constant C bounds the error of some analyzer by C sqrt(ln(1/delta))/eps, for every n",
            smt(
                "(2*C + 1)/2 > C",
                says="eps = 1, delta = 1/e, n = 2C + 1: if all users hold (0, 1) or all hold (1, 0), the 2n unlabelled messages have one law, and the sums differ by n; whatever the analyzer answers, it is off by n/2 > C for one of them half of the time",
                C="[1, inf)",
            ),
            "C",
        ),
    ),
    why="The shuffler mixes first and second bits, so nothing tells the two sums apart.",
    repair=Repair(
        "With each bit labelled by its position the error is at most 3 sqrt(K ln(1/delta))/eps with probability at least 2/3.",
        (
            identity(
                "(s*(1 - p)*p + (n - s)*p*(1 - p))/(1 - 2*p)^2 = n*p*(1 - p)/(1 - 2*p)^2",
                says="the variance of the estimate (c - pn)/(1 - 2p): each of the n bits has the variance p(1-p), whatever it is",
                s="[0, inf)",
                n="[1, inf)",
                p="[0, 1/2)",
            ),
            smt("n*p*(1 - p)/(1 - 2*p)^2 <= 3*(n*p)", says="p <= 1/4: at most 3np", n="[1, inf)", p="[0, 1/4]"),
            identity(
                "n*(K*L/(e^2*n)) = K*L/e^2",
                says="np = K ln(1/delta)/eps^2, L = ln(1/delta)",
                n="[1, inf)",
                K="(0, inf)",
                L="(0, inf)",
                e="(0, inf)",
            ),
            inequality(
                "3*log(8/d) <= 12*log(1/d)",
                says="the p of the privacy claim has ln(8/delta) <= 4 ln(1/delta), delta <= 1/2",
                d="(0, 1/2]",
            ),
        ),
        ("chebyshev", "two-bit-sum-separates:repaired", "two-bit-sum-privacy:repaired"),
        argument=(
            "By two-bit-sum-separates the estimate of a sum is unbiased. Its variance is np(1-p)/(1-2p)^2 <= 3np = 3K ln(1/delta)/eps^2 for p <= 1/4, so by chebyshev the error is at most "
            "3 sqrt(K ln(1/delta))/eps with probability at least 2/3. two-bit-sum-privacy asks for p of that order, with ln(8/delta) <= 4 ln(1/delta)."
        ),
    ),
    survives="Nothing rests on the example.",
    twins=(
        smt("n*p*(1 - p)/(1 - 2*p)^2 <= 2.9*(n*p)", says="with 2.9", n="[1, inf)", p="[0, 1/4]"),
        identity(
            "n*(K*L/(e^2*n)) = K*L/e",
            says="with an error ~ sqrt(log(1/delta)/eps)",
            n="[1, inf)",
            K="(0, inf)",
            L="(0, inf)",
            e="(0, inf)",
        ),
        inequality("3*log(8/d) <= 12*log(1/d)", says="for delta up to 0.51", d="(0, 0.51]"),
    ),
    constants=(Constant("3", twin="with 2.9", by="2.9"),),
)
