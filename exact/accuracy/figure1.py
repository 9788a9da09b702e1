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


@dataclass(frozen=True)
class Cell:
    """One cell: the task, the model, whether it is an upper or a lower one or both, its formula in k, a, eps, delta."""

    task: str
    model: str
    kind: str
    slug: str
    formula: Callable[[Real, Real, Real, Real], Real]

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
        return self.formula(real(k), real(alpha), real(eps), real(delta))


def central_histogram(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """(1/eps) log min(1/delta, k)."""
    return log(1 / delta if 1 / delta < k else k) / eps


def noisy_histogram(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """(1/eps^2) log(1/delta)."""
    return log(1 / delta) / (eps * eps)


def central_uniformity(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """k^(1/2)/a^2 + k^(1/2)/(a eps^(1/2)) + k^(1/3)/(a^(4/3) eps^(2/3)) + 1/(a eps)."""
    root = sqrt(k)
    third = k ** Fraction(1, 3) / (a ** Fraction(4, 3) * eps ** Fraction(2, 3))
    return root / (a * a) + root / (a * sqrt(eps)) + third + 1 / (a * eps)


def main_term(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """k^(2/3)/(a^(4/3) eps^(2/3)) + k^(1/2)/a^2."""
    first = k ** Fraction(2, 3) / (a ** Fraction(4, 3) * eps ** Fraction(2, 3))
    return first + sqrt(k) / (a * a)


def pan_uniformity(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """The main term and k^(1/2)/(a eps)."""
    return main_term(k, a, eps, delta) + sqrt(k) / (a * eps)


def shuffle_uniformity(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """The pan-private bound times log(k/delta)^(1/2)."""
    return pan_uniformity(k, a, eps, delta) * sqrt(log(k / delta))


def uniformity_lower(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """The main term and 1/(a eps)."""
    return main_term(k, a, eps, delta) + 1 / (a * eps)


def distinct_upper(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """k^(1/2)/eps."""
    return sqrt(k) / eps


def distinct_lower(k: Real, a: Real, eps: Real, delta: Real) -> Real:
    """(k/eps)^(1/2)."""
    return sqrt(k / eps)


FIGURE_1 = (
    Cell("histogram", "central", "both", "figure-central-histogram", central_histogram),
    Cell("histogram", "pan", "upper", "figure-pan-histogram", noisy_histogram),
    Cell("histogram", "robust shuffle", "upper", "figure-shuffle-histogram", noisy_histogram),
    Cell("uniformity", "central", "both", "figure-central-uniformity", central_uniformity),
    Cell("uniformity", "pan", "upper", "figure-pan-uniformity-upper", pan_uniformity),
    Cell("uniformity", "pan", "lower", "uniformity-lower-bound-pan", uniformity_lower),
    Cell("uniformity", "robust shuffle", "upper", "figure-uniformity-upper", shuffle_uniformity),
    Cell("uniformity", "robust shuffle", "lower", "figure-uniformity-lower", uniformity_lower),
    Cell("distinct-elements", "central", "both", "figure-central-distinct", lambda k, a, eps, delta: 1 / eps),
    Cell("distinct-elements", "pan", "upper", "figure-pan-distinct-upper", distinct_upper),
    Cell("distinct-elements", "pan", "lower", "figure-distinct-lower", distinct_lower),
    Cell("distinct-elements", "robust shuffle", "upper", "figure-distinct-upper", distinct_upper),
    Cell("distinct-elements", "robust shuffle", "lower", "figure-distinct-lower", distinct_lower),
)
