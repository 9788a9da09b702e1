"""Lemma de-lower-bound-pan-2: what its proof needs."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality, smt

STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="beside Lemma de-lower-bound-pan-2 and Theorem de-lower-bound, section 3.2",
    kind="sharper",
    printed=(
        "alpha = Omega(sqrt(k/eps)) holds for k eps above a constant already with n >= k (n >= 3k for the theorem) and delta = O(1/n), in place of "
        "n >= k/eps and delta = O(eps/n)."
    ),
    hypotheses=(
        "eps <= 1, beta < 0.1, k eps above a constant",
        "whole numbers: ceilings and floors are ignored, as in the paper",
    ),
    rests_on=(
        "distinct-lower-bound-pan",
        "group-privacy-step:repaired",
        "distinct-transformation-privacy",
        "distinct-transformation-accuracy",
    ),
    steps=(
        smt(
            "n*e >= k*e",
            ("n >= k",),
            says="Q' has length n' = n eps on the domain [k eps], and n' >= k eps if n >= k",
            n="(0, inf)",
            k="[1, inf)",
            e="(0, 1]",
        ),
        inequality(
            "(exp(1) - 1)/(exp(e) - 1) <= (exp(1) - 1)/e", says="its delta' is at most (e-1) delta/eps", e="(0, 1]"
        ),
        smt(
            "g*d/e <= g*c/(n*e)",
            ("d <= c/n",),
            says="which is O(1/n') if delta = O(1/n), g = e - 1",
            g="(0, 2]",
            d="[0, 1]",
            e="(0, 1]",
            c="(0, inf)",
            n="(0, inf)",
        ),
        smt(
            "a >= c*r/s",
            ("a*s^2 >= c*r*s",),
            says="alpha eps >= c sqrt(k eps) gives alpha >= c sqrt(k/eps)",
            a="(0, inf)",
            c="(0, inf)",
            r="(0, inf)",
            s="(0, 1]",
        ),
        smt("n/3 >= k", ("n >= 3*k",), says="and Q_P has length n/3 >= k", n="(0, inf)", k="[1, inf)"),
    ),
    argument=(
        "As in the lemma's proof: Q' on the domain [k eps] hands 1/eps copies to Q, answers eps times its answer, and has length n' = n eps. By the repaired group privacy it is (1, delta')-pan-private with delta' <= (e-1) delta/eps. If delta <= c/n, delta' <= (e-1) c/(n eps) = O(1/n'): "
        "the third step. If n >= k, n' >= k eps: the first step. So the cited lemma applies to Q' on [k eps] for k eps above a constant: alpha eps >= c' sqrt(k eps), and the fourth step divides by eps. For the theorem apply this to Q_P, which has length n/3 >= k and error alpha + 1."
    ),
    twins=(
        smt("n*e >= k*e", ("n >= 0.99*k",), says="with n >= 0.99k", n="(0, inf)", k="[1, inf)", e="(0, 1]"),
        smt(
            "g*d/e <= g*c/n",
            ("d <= c/n",),
            says="delta' = O(1/n)",
            g="(0, 2]",
            d="[0, 1]",
            e="(0, 1]",
            c="(0, inf)",
            n="(0, inf)",
        ),
    ),
)
