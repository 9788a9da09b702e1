"""Theorem de_upper, Part I, with a number of messages that does not depend on n."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.distinct.distinct_elements_privacy import holds_at
from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Parts I and III",
    kind="sharper",
    printed="With m >= 3 messages a label and 2^(1-m) <= delta/(e^eps+1), whatever n is, P_DE is (2 eps(gamma), 2 delta/gamma, gamma)-robustly shuffle private, eps(gamma) as in Part I: the number of messages does not have to grow with n.",
    hypotheses=("eps > 0, delta in (0,1), gamma in (0,1]",),
    steps=(kernel("distinct-privacy-three-messages"),),
    twins=(
        holds_at(
            "three messages are enough: two users, e^eps = 16/7, at 2 eps, delta = 10^-4",
            2,
            3,
            Fraction(3, 4),
            Fraction(256, 49),
            Fraction(2, 10**4),
        ),
        holds_at(
            "with eps(gamma) in place of 2 eps(gamma): one user, e^eps = 2, m = 8",
            1,
            8,
            Fraction(1, 2),
            Fraction(2),
            Fraction(4, 10**6),
        ),
    ),
    constants=(Constant("3", slack="two messages are not enough for all numbers of users"),),
)
