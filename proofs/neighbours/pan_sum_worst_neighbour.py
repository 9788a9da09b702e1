"""Q_ZSUM: (I_t, output) at every time t."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, worst_is
from proofs.histogram.pan_sum import view
from proofs.statement import Statement, Step
from proofs.steps import identity


def joint(stream: tuple[int, ...], t: int, lam: int) -> Law:
    """The law of (I_t, output)."""
    return view(stream, t, lam, lam)


def worst(n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams of n bits at time t against the curve of exact.views.pan_sum."""
    from exact.views import pan_sum

    curve = pan_sum.view(coins).curve
    return worst_is(
        says or f"n = {n}, t = {t}, lam = {lam}: the largest delta over all neighbouring streams is the curve's",
        (0, 1),
        n,
        lambda stream: joint(stream, t, lam),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


SHIFTS = (
    identity(
        "(s + a + 1 + b + e) - (s + a + 1) = b + e",
        says="a change before t shifts I_t, and the output less I_t is independent of the change",
        s="[0, inf)",
        a="[0, inf)",
        b="[0, inf)",
        e="[0, inf)",
    ),
    identity(
        "(s + a + (b + 1) + e) - (s + a) = (b + e) + 1",
        says="a change after t leaves I_t alone and shifts the output less I_t",
        s="[0, inf)",
        a="[0, inf)",
        b="[0, inf)",
        e="[0, inf)",
    ),
)
"""What a change before and after t does to the state and to the output less the state."""

STATEMENT = Statement(
    where="the view of Q_ZSUM (section 5)",
    kind="worst neighbour",
    printed="At every time t, every neighbouring pair of (I_t, output) is worth one shift of Bin(lam, 1/2) by 1.",
    rests_on=("common-factor",),
    steps=(
        *SHIFTS,
        *(worst(2, t, lam, lam) for t in (0, 1, 2) for lam in (1, 3)),
    ),
    argument=(
        "Let s be the noise before the stream, a the sum up to t, b the sum after t and e the noise at the end: I_t = s + a, and the output is s + a + b + e. (I_t, output) and (I_t, output - I_t) determine each other. "
        "The second is a pair of independent parts, s + a and b + e, with s and e both Bin(lam, 1/2). Changing one bit before t changes a by 1 and leaves the other part alone; after t it changes b by 1 and leaves I_t alone. The part that does not "
        "change is a common factor; the other is Bin(lam, 1/2) plus a number, shifted by 1."
    ),
    twins=(
        worst(2, 1, 3, 6, "as private as one shift of Bin(2 lam, 1/2), the noise of the output alone"),
        worst(2, 2, 3, 2, "as one shift of Bin(lam - 1, 1/2)"),
    ),
)
