"""Lemma de-lower-bound-pan-2."""

from __future__ import annotations

from proofs.statement import Repair, Statement, Step
from proofs.steps import no_constant, smt


def constant_answer(says: str) -> Step:
    """No constant c > 0 has alpha >= c sqrt(k/eps) for every eps <= 1: at k = 2 the constant answer 3/2 is better.

    It is (0, 0)-private, whatever n is, and errs by at most 1/2.
    """
    return no_constant(
        says,
        smt(
            "1/4 < c^2*(2/c^2)",
            says="k = 2, eps = c^2, any n, delta = 0: the constant answer 3/2 errs by at most 1/2, less than c sqrt(2/eps), however small c is",
            c="(0, 1]",
        ),
        "c",
        toward="0",
    )


def large_enough(says: str, least: str) -> Step:
    """At k = 2 an answer that errs by 1/2 is no contradiction for the constant 1/4 if k eps is at least this (it is)."""
    return smt("1/4 >= (1/4)^2*(2/e)", ("2*e >= " + least,), says=says, e="(0, 1]")


STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, Lemma de-lower-bound-pan-2",
    kind="lemma",
    printed=(
        "Let eps <= 1, delta = O(eps/n), beta < 0.1. If an (eps, delta)-pan-private Q solves the (alpha, beta)-distinct elements problem on length "
        "n >= k/eps, then alpha = Omega(sqrt(k/eps))."
    ),
    covers=("lem:de-lower-bound-pan-2",),
    steps=(constant_answer("some constant c > 0 has alpha >= c sqrt(k/eps) for every k and eps <= 1"),),
    why=(
        "D(x) is between 1 and k, so the constant answer (k+1)/2 errs by less than k/2, and with eps below 1/k that is less than sqrt(k/eps). The "
        "reduction works on the domain [k eps], which must be large."
    ),
    repair=Repair(
        "The same for k eps above a constant, on the cited Lemma de-lower-bound-pan on the domain [k eps].",
        (
            smt(
                "a >= c*r/s",
                ("a*s^2 >= c*r*s",),
                says="alpha eps >= c sqrt(k eps) gives alpha >= c sqrt(k/eps), r = sqrt(k), s = sqrt(eps)",
                a="(0, inf)",
                c="(0, inf)",
                r="(0, inf)",
                s="(0, 1]",
            ),
            smt(
                "n1/e >= k",
                ("n1 >= k*e",),
                says="the stream handed to Q has n'/eps >= k elements",
                n1="(0, inf)",
                e="(0, 1]",
                k="[1, inf)",
            ),
        ),
        ("distinct-lower-bound-pan", "group-privacy-step"),
    ),
    survives="Theorem de-lower-bound inherits the missing hypothesis; so does Figure 1.",
    twins=(
        large_enough("k eps >= 0.9 is enough for the constant 1/4 at k = 2", "0.9"),
        smt(
            "a >= c*r/s",
            ("a*s^2 >= 0.99*c*r*s",),
            says="the rearrangement with 0.99",
            a="(0, inf)",
            c="(0, inf)",
            r="(0, inf)",
            s="(0, 1]",
        ),
    ),
)
