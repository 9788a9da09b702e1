"""f(x) + Bin(l, p) for a 1-sensitive f."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import binomial, image, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel, smt

CASES = [(1, Fraction(1, 3)), (3, Fraction(1, 2)), (4, Fraction(1, 5))]


def worst(l: int, p: Fraction, sensitivity: int = 1, shown: str = "") -> Step:
    """All f(x) in 0, 1 times the sensitivity, against the curve of exact.views.binomial."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import binomial_view as view

    curve = view(l, real(p)).curve
    return worst_is(
        shown or f"l = {l}, p = {p}: the largest delta over f(x), f(x') that differ by 1 is the curve's",
        (0, sensitivity),
        1,
        lambda x: image(binomial(l, p), lambda noise: x[0] + noise),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of the binomial mechanism (section 2.1)",
    kind="worst neighbour",
    printed=(
        "The binomial mechanism with Bin(l, p), a finite law, is (eps, delta)-private for every 1-sensitive f, every universe and every n, if and only if Bin(l, p) and Bin(l, p) + 1 are (eps, delta)-close in both directions."
    ),
    hypotheses=(
        "0 <= p <= 1",
        "eps, delta >= 0",
    ),
    steps=(kernel("binomial-worst-neighbour"),),
    also=(
        kernel("binomial-mechanism-pairs"),
        *(worst(l, p) for l, p in CASES),
    ),
    twins=(
        worst(3, Fraction(1, 2), 2, "for a 2-sensitive f"),
        smt("d*(d - 1)*(d + 1) = 0", ("-1 <= d", "d <= 2"), says="with |d| <= 2", d="integer (-inf, inf)"),
    ),
)
