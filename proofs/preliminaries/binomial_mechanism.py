"""Lemma b_noise: the binomial mechanism."""

from __future__ import annotations

from panshuffle.proofs.preliminaries.binomial_mechanism_constant import SECOND, too_small
from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import computed, kernel
from panshuffle.symbolic.decision import Decision, Status


def without_min() -> Decision:
    """The lemma with l p in place of l min(p, 1-p), at l = 1000, p = 9999/10000, e^eps = 2, delta = 10^-4."""
    from fractions import Fraction

    from panshuffle.exact.real import log, real
    from panshuffle.exact.views.binomial import shift_delta_exact

    l, p, delta = 1000, Fraction(9999, 10000), Fraction(1, 10000)
    allowed = (real(l * p) - 10 * 9 * log(real(2 / delta))).ball(64) > 0
    truth = shift_delta_exact(l, 1 - p, Fraction(2))
    text = f"l = {l}, p = {p}, e^eps = 2, delta = {delta}: the condition holds, the true delta is {float(truth):.3f}"
    refuted = bool(allowed) and truth > delta
    return Decision(Status.REFUTED if refuted else Status.UNDECIDED, "exact rational computation", text)


STATEMENT = Statement(
    label="lem:b_noise",
    where="section 2.1, Lemma (Binomial Mechanism), privacy; the same in Appendix A.4, for delta in (0, 1]",
    kind="lemma",
    printed="If f is 1-sensitive and l min(p,1-p) >= 10 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), the algorithm that outputs "
    "f(x) + Bin(l, p) is (eps, delta)-differentially private.",
    hypotheses=(
        "f is 1-sensitive, with whole values",
        "l in N, p in (0,1), eps > 0, delta in (0,1), in Appendix A.4 (0,1]",
    ),
    covers=("lem:b_noise", "display-2", "lemma-15", "display-56"),
    steps=(
        kernel("paper-lem-b-noise"),
        kernel("paper-lem-appendix-c"),
    ),
    constants=(
        Constant("10", slack="not tight: 1.03 suffices and 1.025 does not"),
        Constant("2", slack="the 2 in ln(2/delta) pays for a factor E^a <= 2; it is not claimed to be tight"),
    ),
    twins=(
        computed("with the constant 1.025", lambda: too_small("1.025"), "ball", SECOND),
        computed("with l p in place of l min(p, 1-p)", without_min, second=SECOND),
    ),
)
