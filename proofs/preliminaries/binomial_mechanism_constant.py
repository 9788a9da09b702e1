"""The binomial mechanism lemma with the constant 1.03 in place of 10."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import computed, kernel, smt
from panshuffle.symbolic.decision import Decision, Status

K = "1.03"


SECOND = "shift_delta against sums of masses, tests/test_shift.py"


def too_small(constant: str) -> Decision:
    """Whether the constant fulfils the lemma at l = 3*10^8, p = 1/1000, E = 30, delta = 2 e^(-lp/(K c^2))."""
    from panshuffle.exact.real import exp, parse, real
    from panshuffle.exact.views.binomial import shift_delta

    l, p, exp_eps = 300_000_000, parse("1/1000"), real(30)
    promised = real(2) * exp(-(l * p) / (parse(constant) * parse("(31/29)^2")))
    truth = shift_delta(l, p, exp_eps, 256)
    text = f"l = {l}, p = 1/1000, e^eps = 30: the true delta is above the promised 2 e^(-lp/({constant} c^2))"
    if truth > promised.ball(256):
        return Decision(Status.REFUTED, "ball computation", text)
    return Decision(Status.PROVED if truth < promised.ball(256) else Status.UNDECIDED, "ball computation")


STATEMENT = Statement(
    where="beside Lemma b_noise, section 2.1",
    kind="sharper",
    printed="Lemma b_noise holds with the constant 1.03 in place of 10, and with none below 1.025.",
    hypotheses=(
        "f is 1-sensitive",
        "l in N, p in (0,1), eps > 0, delta in (0,1)",
        "l min(p,1-p) >= 1.03 c^2 ln(2/delta)",
    ),
    steps=(kernel("paper-lem-b-noise-sharp"),),
    constants=(Constant("1.03", twin="with the constant 1.025", by="1.025"),),
    twins=(
        computed("with the constant 1", lambda: too_small("1"), "ball", SECOND),
        computed("with the constant 1.025", lambda: too_small("1.025"), "ball", SECOND),
        smt(
            "(p - p/(p + E*(1 - p)))^2/(2*p*(1 - p)) >= p*((E - 1)/(E + 1))^2",
            says="losing, for E up to 5/2",
            p="(0, 1/2]",
            E="(1, 5/2]",
        ),
    ),
)
