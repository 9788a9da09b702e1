"""The error of an estimate that is an affine function of a count: slope (C - centre)."""

from __future__ import annotations

from dataclasses import dataclass

from exact.accuracy.count_law import CountLaw
from exact.certified import Certified
from exact.errors import ParameterError
from exact.real import Real, real


@dataclass(frozen=True)
class AffineError:
    """error = slope (C - centre), slope > 0, C with a known law."""

    law: CountLaw
    slope: Real
    centre: Real

    def chance(self, alpha: Real) -> Certified:
        """P[|error| > alpha].  *Raises* `ParameterError` for a negative alpha."""
        if alpha < 0:
            raise ParameterError("alpha", alpha, "at least 0")
        reach = alpha / self.slope
        return self.law.outside(self.below(reach), self.above(reach))

    def least_alpha(self, beta: Real) -> Real:
        """The least alpha with P[|error| > alpha] <= beta: the size of one of the possible errors, or 0.

        Floats order the counts for the search; each decision is made with the counts themselves.
        *Raises* `ParameterError` unless 0 <= beta <= 1.
        """
        if not (beta >= 0 and beta <= 1):
            raise ParameterError("beta", beta, "between 0 and 1")
        if self.law.outside(self.below(real(0)), self.above(real(0))).decide(beta) <= 0:
            return real(0)
        centre = float(self.centre)
        counts = sorted(range(self.law.largest + 1), key=lambda c: abs(c - centre))
        low, high = 0, len(counts) - 1
        while low < high:
            middle = (low + high) // 2
            if self.chance_beyond(counts[middle]).decide(beta) <= 0:
                high = middle
            else:
                low = middle + 1
        return self.slope * abs_real(counts[low] - self.centre)

    def chance_beyond(self, c: int) -> Certified:
        """P[|error| > the size that the count c has]: counts strictly further from the centre than c."""
        mirror = 2 * self.centre - c
        if (c - self.centre).sign() >= 0:
            return self.law.outside(mirror.ceil() - 1, c + 1)
        return self.law.outside(c - 1, mirror.floor() + 1)

    def below(self, reach: Real) -> int:
        """The largest count that is more than `reach` below the centre."""
        return (self.centre - reach).ceil() - 1

    def above(self, reach: Real) -> int:
        """The least count that is more than `reach` above the centre."""
        return (self.centre + reach).floor() + 1

    def mean(self) -> Real:
        """The bias, E[error]."""
        expected = sum((n * p for n, p in self.law.parts), real(0))
        return self.slope * (expected - self.centre)

    def variance(self) -> Real:
        """Var[error]."""
        total = sum((n * p * (1 - p) for n, p in self.law.parts), real(0))
        return self.slope * self.slope * total


def abs_real(x: Real) -> Real:
    """|x|."""
    return x if x.sign() >= 0 else -x
