"""f(x) + Bin(l, p) for a 1-sensitive f."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import binomial, image, worst_is
from proofs.statement import Statement, Step
from proofs.steps import identity, kernel, smt

CASES = [(1, Fraction(1, 3)), (3, Fraction(1, 2)), (4, Fraction(1, 5))]


def worst(l: int, p: Fraction, sensitivity: int = 1, shown: str = "") -> Step:
    """All f(x) in 0, 1 times the sensitivity, against the curve of exact.views.binomial."""
    from exact.numbers.real import real
    from exact.views.binomial import view

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
    printed="For a 1-sensitive f, every neighbouring pair is a shift of Bin(l, p) by 1, in one of two directions, or none at all.",
    steps=(
        kernel("binomial-mechanism-pairs"),
        identity(
            "z - (f + 1) = (z - 1) - f",
            says="the law at f + 1 is the law at f, shifted by 1, whatever f is",
            z="(-inf, inf)",
            f="(-inf, inf)",
        ),
        *(worst(l, p) for l, p in CASES),
    ),
    argument=(
        "By the kernel's theorem privacy for all 1-sensitive f is privacy for all pairs of whole numbers that differ by at most 1. Subtracting the smaller one is a bijection of the outcomes, so a pair that differs by 1 has "
        "the divergences of Bin(l, p) and 1 + Bin(l, p), in one of the two directions, and an equal pair has none."
    ),
    twins=(
        worst(3, Fraction(1, 2), 2, "for a 2-sensitive f"),
        smt("d*(d - 1)*(d + 1) = 0", ("-1 <= d", "d <= 2"), says="with |d| <= 2", d="integer (-inf, inf)"),
    ),
)
