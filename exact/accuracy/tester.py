"""The uniformity tester's two errors, by its exact law or by its moments, and the samples that it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exact.accuracy.uniformity import Statistic, paired, statistic, uniform
from exact.certified import Certified
from exact.errors import ParameterError
from exact.formulas import threshold
from exact.real import Real, real, sqrt
from exact.validation import check_count, check_open_unit

THIRD = Fraction(1, 3)


def moments(of: Statistic) -> tuple[Real, Real]:
    """The mean and the variance of Z' (uniformity-tester-theorem): with nu = m p_j, mu = m/k and d = nu - mu,
    E = (k/m) sum of d^2 + lam/4 and Var = (k/m)^2 sum of 2 nu^2 + 4 nu d^2 + lam^2/8 + 5 lam/16 + lam mu + lam d^2.

    >>> [str(value) for value in moments(statistic(real(16), real(10), uniform(2)))]
    ['5/8', '247/32']
    """
    mu, lam = of.m / of.k, of.lam
    mean, variance = real(0), real(0)
    for p, count in of.law:
        nu = of.m * p
        d = nu - mu
        mean += count * (d * d + lam / 4)
        variance += count * (2 * nu * nu + 4 * nu * d * d + lam * lam / 8 + 5 * lam / 16 + lam * mu + lam * d * d)
    ratio = of.k / of.m
    return ratio * mean, ratio * ratio * variance


def chance_bounds(of: Statistic, tau: Real) -> tuple[Real, Real]:
    """Bounds of P[Z' > tau] from the two moments, by Cantelli's inequality: good for every k."""
    mean, variance = moments(of)
    gap = tau - mean
    tail = variance / (variance + gap * gap)
    return (real(0), tail) if gap.sign() >= 0 else (1 - tail, real(1))


@dataclass(frozen=True)
class Tester:
    """k elements, noise lam, and a threshold for every m."""

    k: int
    lam: Real
    tau: Callable[[Real], Real]

    def errors(self, m: Real, far: list[Fraction]) -> tuple[Certified, Certified]:
        """P["not uniform"] under the uniform distribution, and P["uniform"] under a far one."""
        tau = self.tau(m)
        first = statistic(m, self.lam, uniform(self.k)).chance_above(tau)
        second = statistic(m, self.lam, far).chance_above(tau)
        return first, Certified(lambda precision: 1 - second.ball(precision), probability=True)

    def works(self, m: int, far: list[Fraction]) -> bool:
        """Whether both errors are at most 1/3."""
        return all(error.decide(THIRD) <= 0 for error in self.errors(real(m), far))


def repaired(k: int, lam: Real) -> Tester:
    """The tester with the threshold of uniformity-tester-theorem."""
    return Tester(k, lam, lambda m: threshold(k, lam, m))


def least_samples(tester: Tester, far: list[Fraction], most: int = 1 << 24) -> tuple[int, bool]:
    """The least m found at which both errors are at most 1/3, where m - 1 fails, and whether every smaller m was tried.

    Feasibility is not monotone in m; every m is tried up to 64, and beyond that the boundary is found by doubling and
    bisection.  *Raises* `ParameterError` where no m up to `most` will do.
    """
    for m in range(1, 65):
        if tester.works(m, far):
            return m, True
    low, high = 64, 128
    while not tester.works(high, far):
        low, high = high, 2 * high
        if high > most:
            raise ParameterError(
                "m", f"above {most}", "found within the limit: the alternative is too close to uniform"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tester.works(middle, far) else (middle, high)
    return high, False


def sufficient_samples(k: int, lam: Real, alpha: Real) -> int:
    """uniformity-tester-theorem: m >= 54 k^(1/2)/alpha^2 and m >= 4 k^(3/4) lam^(1/2)/alpha is enough, lam >= 1."""
    check_count("k", k)
    check_open_unit("alpha", alpha)
    if lam < 1:
        raise ParameterError("lam", lam, "at least 1, for the theorem on the repaired tester")
    root = sqrt(real(k))
    return max((54 * root / (alpha * alpha)).ceil(), (4 * root * sqrt(root) * sqrt(lam) / alpha).ceil())


def paired_alternative(k: int, alpha: Fraction) -> list[Fraction]:
    """The paired distribution at total variation alpha."""
    return paired(k, alpha)
