"""The cells of Figure 1 as functions, with the constant 1 wherever the paper has O, Omega or Theta.

They show how the bounds grow, not where they lie: a constant is hidden in each.  Lower bounds are those of the figure;
two of them fail for small k eps (distinct-lower-bound-pan-2) and hold for pure privacy only, as the figure says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.exact.parameters import check_count, check_open_unit, check_positive
from panshuffle.exact.real import Real, log, real, sqrt

Power = Fraction | int
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@dataclass(frozen=True)
class Cell:
    """One cell: the task, the model, whether it is an upper or a lower one or both, and its formula.

    `terms` has the powers of k, alpha and eps in each summand of the formula, and `logarithm` is a factor of all.
    """

    task: str
    model: str
    kind: str
    slug: str
    terms: tuple[tuple[Power, Power, Power], ...]
    logarithm: Callable[[Real, Real], Real] = lambda k, delta: real(1)

    def value(
        self, k: int, eps: Real | Fraction | int, delta: Real | Fraction | int, alpha: Real | Fraction | int = 1
    ) -> Real:
        """The formula with constant 1; alpha is the distance of uniformity testing.

        >>> round(float(FIGURE_1[-1].value(k=100, eps=Fraction(1, 4), delta=Fraction(1, 10**6))), 6)
        20.0
        """
        check_count("k", k)
        check_positive("eps", real(eps))
        check_positive("alpha", real(alpha))
        check_open_unit("delta", real(delta))
        products = (real(k) ** i * real(alpha) ** j * real(eps) ** l for i, j, l in self.terms)
        return sum(products, real(0)) * self.logarithm(real(k), real(delta))


MAIN = ((2 * THIRD, -4 * THIRD, -2 * THIRD), (HALF, -2, 0))
CENTRAL = ((HALF, -2, 0), (HALF, -1, -HALF), (THIRD, -4 * THIRD, -2 * THIRD), (0, -1, -1))
PAN, LOWER = (*MAIN, (HALF, -1, -1)), (*MAIN, (0, -1, -1))
DISTINCT, DISTINCT_LOWER = ((HALF, 0, -1),), ((HALF, 0, -HALF),)
FIGURE_1 = (
    Cell(
        "histogram",
        "central",
        "both",
        "figure-central-histogram",
        ((0, 0, -1),),
        lambda k, delta: log(1 / delta if 1 / delta < k else k),
    ),
    Cell("histogram", "pan", "upper", "figure-pan-histogram", ((0, 0, -2),), lambda k, delta: log(1 / delta)),
    Cell(
        "histogram",
        "robust shuffle",
        "upper",
        "figure-shuffle-histogram",
        ((0, 0, -2),),
        lambda k, delta: log(1 / delta),
    ),
    Cell("uniformity", "central", "both", "figure-central-uniformity", CENTRAL),
    Cell("uniformity", "pan", "upper", "figure-pan-uniformity-upper", PAN),
    Cell("uniformity", "pan", "lower", "uniformity-lower-bound-pan", LOWER),
    Cell(
        "uniformity", "robust shuffle", "upper", "figure-uniformity-upper", PAN, lambda k, delta: sqrt(log(k / delta))
    ),
    Cell("uniformity", "robust shuffle", "lower", "figure-uniformity-lower", LOWER),
    Cell("distinct-elements", "central", "both", "figure-central-distinct", ((0, 0, -1),)),
    Cell("distinct-elements", "pan", "upper", "figure-pan-distinct-upper", DISTINCT),
    Cell("distinct-elements", "pan", "lower", "figure-distinct-lower", DISTINCT_LOWER),
    Cell("distinct-elements", "robust shuffle", "upper", "figure-distinct-upper", DISTINCT),
    Cell("distinct-elements", "robust shuffle", "lower", "figure-distinct-lower", DISTINCT_LOWER),
)
