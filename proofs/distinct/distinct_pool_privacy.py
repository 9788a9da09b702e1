"""Section 3.1: the privacy of one pool."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import mixture, shares, stick, total
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def pool(says: str, read_at: Fraction, allowed: Fraction) -> Step:
    """One pool of two users, q = 1/2, m = 6: delta at `read_at`, with a holder against without."""
    m, q = 6, Fraction(1, 2)

    def law(holds: bool) -> dict[object, Fraction]:
        user = [Fraction(1, 2) if holds else (1 - q) / 2, (1 - q) / 2]
        return dict(total([mixture([(shares(0, m), 1 - p), (shares(1, m), p)]) for p in user]))

    def delta(exp_eps: Fraction) -> Fraction:
        return max(stick(law(True), law(False), exp_eps), stick(law(False), law(True), exp_eps))

    return exhaustive(
        says,
        lambda exp_eps: delta(exp_eps) <= allowed,
        [read_at],
        lambda exp_eps: f"two users, q = 1/2, m = {m}: delta at e^eps = {exp_eps} is {delta(exp_eps)}",
        whole=True,
    )


STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, proof of Theorem de_upper, the two inequalities for one pool and the composition after them",
    kind="display",
    printed="For any T: P[(S o R_MOD^(gamma n))(u^(a)) in T] <= e^eps(gamma) P[(S o R_MOD^(gamma n))(u^(a)') in T] + 2 delta/gamma, and the same with u and u' exchanged; the privacy guarantee follows from composition.",
    reading="As for Part I of the theorem; eps(gamma) is eps + ln(1/gamma), or 2 eps^gamma/gamma if eps <= ln 2.",
    covers=("display-6",),
    steps=(
        kernel("pool-privacy"),
        kernel("paper-thm-de-upper-i"),
    ),
    twins=(
        pool("one pool, e^eps' = 4/3: delta = 0 at e^eps = 1.3", Fraction(13, 10), Fraction(0)),
        pool("one pool: delta at most 1/100 at eps = 0", Fraction(1), Fraction(1, 100)),
    ),
    constants=(Constant("2", slack="not tight: delta/gamma suffices for one pool"),),
)
