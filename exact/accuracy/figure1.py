"""The cells of Figure 1 as functions, with the constant 1 wherever the paper has O, Omega or Theta.

They show how the bounds grow, not where they lie: a constant is hidden in each.  Lower bounds are those of the figure;
two of them fail for small k eps (distinct-lower-bound-pan-2) and hold for pure privacy only, as the figure says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exact.numbers.real import Real, log, real, sqrt
from exact.parameters import check_count, check_open_unit, check_positive


@dataclass(frozen=True)
class Letters:
    """What the cells depend on."""

    k: Real
    alpha: Real
    eps: Real
    delta: Real


@dataclass(frozen=True)
class Cell:
    """One cell: the task, the model, whether it is an upper or a lower bound or both, and its formula."""

    task: str
    model: str
    kind: str
    slug: str
    formula: Callable[[Letters], Real]

    def value(
        self, k: int, eps: Real | Fraction | int, delta: Real | Fraction | int, alpha: Real | Fraction | int = 1
    ) -> Real:
        """The formula with constant 1; alpha is the distance of uniformity testing.

        >>> round(float(FIGURE_1[-1].value(k=100, eps=Fraction(1, 4), delta=Fraction(1, 10**6))), 6)
        20.0
        """
        check_count("k", k)
        letters = Letters(real(k), real(alpha), real(eps), real(delta))
        check_positive("eps", letters.eps)
        check_positive("alpha", letters.alpha)
        check_open_unit("delta", letters.delta)
        return self.formula(letters)


def central_histogram(at: Letters) -> Real:
    """(1/eps) log min(1/delta, k)."""
    return log(1 / at.delta if 1 / at.delta < at.k else at.k) / at.eps


def noisy_histogram(at: Letters) -> Real:
    """(1/eps^2) log(1/delta)."""
    return log(1 / at.delta) / (at.eps * at.eps)


def central_uniformity(at: Letters) -> Real:
    """k^(1/2)/a^2 + k^(1/2)/(a eps^(1/2)) + k^(1/3)/(a^(4/3) eps^(2/3)) + 1/(a eps)."""
    root, a, eps = sqrt(at.k), at.alpha, at.eps
    third = at.k ** Fraction(1, 3) / (a ** Fraction(4, 3) * eps ** Fraction(2, 3))
    return root / (a * a) + root / (a * sqrt(eps)) + third + 1 / (a * eps)


def main_term(at: Letters) -> Real:
    """k^(2/3)/(a^(4/3) eps^(2/3)) + k^(1/2)/a^2."""
    first = at.k ** Fraction(2, 3) / (at.alpha ** Fraction(4, 3) * at.eps ** Fraction(2, 3))
    return first + sqrt(at.k) / (at.alpha * at.alpha)


def pan_uniformity(at: Letters) -> Real:
    """The main term and k^(1/2)/(a eps)."""
    return main_term(at) + sqrt(at.k) / (at.alpha * at.eps)


def shuffle_uniformity(at: Letters) -> Real:
    """The pan-private bound times log(k/delta)^(1/2)."""
    return pan_uniformity(at) * sqrt(log(at.k / at.delta))


def uniformity_lower(at: Letters) -> Real:
    """The main term and 1/(a eps)."""
    return main_term(at) + 1 / (at.alpha * at.eps)


def distinct_upper(at: Letters) -> Real:
    """k^(1/2)/eps."""
    return sqrt(at.k) / at.eps


def distinct_lower(at: Letters) -> Real:
    """(k/eps)^(1/2)."""
    return sqrt(at.k / at.eps)


FIGURE_1 = (
    Cell("histogram", "central", "both", "figure-central-histogram", central_histogram),
    Cell("histogram", "pan", "upper", "figure-pan-histogram", noisy_histogram),
    Cell("histogram", "robust shuffle", "upper", "figure-shuffle-histogram", noisy_histogram),
    Cell("uniformity", "central", "both", "figure-central-uniformity", central_uniformity),
    Cell("uniformity", "pan", "upper", "figure-pan-uniformity-upper", pan_uniformity),
    Cell("uniformity", "pan", "lower", "uniformity-lower-bound-pan", uniformity_lower),
    Cell("uniformity", "robust shuffle", "upper", "figure-uniformity-upper", shuffle_uniformity),
    Cell("uniformity", "robust shuffle", "lower", "figure-uniformity-lower", uniformity_lower),
    Cell("distinct-elements", "central", "both", "figure-central-distinct", lambda at: 1 / at.eps),
    Cell("distinct-elements", "pan", "upper", "figure-pan-distinct-upper", distinct_upper),
    Cell("distinct-elements", "pan", "lower", "figure-distinct-lower", distinct_lower),
    Cell("distinct-elements", "robust shuffle", "upper", "figure-distinct-upper", distinct_upper),
    Cell("distinct-elements", "robust shuffle", "lower", "figure-distinct-lower", distinct_lower),
)
