"""Theorem ut-app-upper-bound: there is such a protocol."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, smt

GROUPS = {"h": "[2, inf)", "K": "[2, inf)", "a": "(0, 1)"}

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, Theorem ut-app-upper-bound",
    kind="theorem",
    printed=(
        "Let gamma in (0,1], eps > 0, alpha, delta in (0,1). There exists a protocol that is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1) and delta = o(1), solves "
        "alpha-uniformity testing with sample complexity m = O((k^(2/3)/(alpha^(4/3) eps^(2/3)) + k^(1/2)/(alpha eps) + k^(1/2)/alpha^2) ln^(1/2)(k/delta))."
    ),
    covers=("thm:ut-app-upper-bound", "display-30"),
    reading="There exists a protocol: not the one of the printed proof, whose groups, threshold and repetitions fail, but the one that is put together here. k >= 2; gamma n is a whole number.",
    rests_on=(
        "compressed-tester-constants",
        "uniformity-tester-theorem",
        "uniformity-noise",
        "fixed-sample-size",
        "compression-keeps-uniform:repaired",
        "compressed-sample-size",
        "group-count:repaired",
    ),
    steps=(
        smt("(h - 1)/(4*K) >= h/(8*K)", says="alpha^^2 >= alpha^2 h/(8K)", h="[2, inf)", K="[2, inf)"),
        identity(
            "540*h^(1/2)/(a*(h/(8*K))^(1/2))^2 = 4320*(K/(a^2*h^(1/2)))",
            says="540 h^(1/2)/alpha^^2 is O(T_3)",
            **GROUPS,
        ),
        identity(
            "4*(10*l)^(1/2)*h^(3/4)/(a*(h/(8*K))^(1/2)) = 4*80^(1/2)*l^(1/2)*(K^(1/2)*h^(1/4)/a)",
            says="4 (10 lambda)^(1/2) h^(3/4)/alpha^ is O(T_1 eps lambda^(1/2))",
            l="[1, inf)",
            **GROUPS,
        ),
        inequality(
            "(exp(e) + 1)/(exp(e) - 1) <= 1 + 2/e",
            says="c <= (2 + eps)/eps, so lambda = O(ln(1/delta)/eps^2) for eps = O(1)",
            e="(0, inf)",
        ),
        inequality("2*(1/2)^g*2 <= 8", says="4(delta/2)^gamma <= 8 delta^gamma", g="(0, 1]"),
        identity("31/100 + 1/100 = 8/25", says="the larger error with a fixed number of users, below 1/3"),
        smt("1/3.2 + 1/100 < 1/3", says="and without groups, g = 1.1"),
    ),
    argument=(
        "Let x = k^(2/3) eps^(4/3)/alpha^(4/3). If x > k/2, run the tester of uniformity-tester-theorem on [k] with g = 1.1, without groups: it needs m = O(k^(1/2)/alpha^2 + lambda^(1/2) k^(3/4)/alpha), and k <= 2x makes k^(3/4) = k^(1/2) k^(1/4) at most a constant times k^(1/2) x^(1/4), so the second term is O(T_1 ln^(1/2)) at k^ = x, and the first is in the bound. Otherwise let h be 2 if x < 2, else x rounded up (at most 1.5x), pad [k] to "
        "K = h s elements, s = k/h rounded up, so K < k + h <= 2k and s >= 2 (x <= k/2 gives h < k for k >= 3; for k = 2 the first tester serves, k being a constant), which halves alpha at most, and run five copies as in compressed-tester-constants: they need O(540 h^(1/2)/alpha^^2 + 4(10 lambda)^(1/2) h^(3/4)/alpha^) samples, which the first three steps bound by O(T_3 + T_1 eps lambda^(1/2)) at k^ = h, and rounding and padding cost constant factors (group-count). By compressed-sample-size T_1 and T_3 are within "
        "the claimed bound in each case. lambda = 2.65 c^2 ln(2/delta), or 1 if that is more, is O(ln(1/delta)/eps^2) for eps = O(1) and delta = o(1), so eps lambda^(1/2) = O(ln^(1/2)(k/delta)). Privacy: the copies with noise from everybody are as private as P_UT, which is (2 eps, 4(delta/2)^gamma)-private at this lambda, for every gamma. A fixed number n of users in place of Poisson ones, 100 times as many as the copies need in the mean, with coins of their own: the errors grow by 1/100, to at most 32/100, or 1/3.2 + 1/100 without groups, below 1/3."
    ),
    above=("figure-uniformity-upper",),
    constants=(
        Constant("8", slack="8 delta^gamma is not tight: 4(delta/2)^gamma holds"),
        Constant("2", slack="2 eps is what composition of the two pools gives"),
    ),
    twins=(
        smt("(h - 1)/(4*K) >= 1.02*h/(8*K)", says="alpha^^2 >= 1.02 alpha^2 h/(8K)", h="[2, inf)", K="[2, inf)"),
        identity("540*h^(1/2)/(a*(h/(8*K))^(1/2))^2 = 4320*(K/(a^2*h^(1/4)))", says="T_3 with h^(1/4)", **GROUPS),
        identity("31/100 + 1/100 = 1/3", says="the errors are 1/3 exactly"),
    ),
)
