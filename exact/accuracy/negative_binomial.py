"""The error of a sum with negative binomial noise, as the mechanism leaves it or less its mean l(1-p)/p."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from exact.accuracy.affine_error import AffineError
from exact.errors import ParameterError
from exact.laws.negative_binomial import check_noise, far_point, lower_ball, lower_exact, upper_ball
from exact.laws.noise import GUARD
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real

LARGEST_EXACT = 2_000


@dataclass(frozen=True)
class NegativeBinomialLaw:
    """NB(l, p).  It has no largest value: `largest` is one that is passed with a probability that is allowed."""

    l: int
    p: Real
    largest: int

    def mean(self) -> Real:
        """E[X]."""
        return self.l * (1 - self.p) / self.p

    def variance(self) -> Real:
        """Var[X]."""
        return self.mean() / self.p

    def outside(self, most: int, least: int) -> Certified:
        """P[X <= most or X >= least], for most < least.

        >>> NegativeBinomialLaw(2, real("1/2"), 9).outside(0, 2).exact
        Fraction(3, 4)
        """
        plain = self.plain(most, least)
        return self.tails(most, least) if plain is None else Certified.of(plain)

    def plain(self, most: int, least: int) -> int | None:
        """That probability where it is plainly 1; it is never 0, since the noise has no largest value."""
        return 1 if most >= least - 1 or least <= 0 else None

    def tails(self, most: int, least: int) -> Certified:
        """That probability where it is not."""
        l, p = self.l, self.p
        if p.fraction is not None and least + l <= LARGEST_EXACT:
            return Certified.of(1 - lower_exact(l, p.fraction, least - 1) + lower_exact(l, p.fraction, most))
        return Certified(lambda precision: self.outside_ball(most, least, precision), probability=True)

    def outside_ball(self, most: int, least: int, precision: int) -> arb:
        """The same, enclosed to about `precision` bits."""
        with ctx.workprec(precision + GUARD):
            return lower_ball(self.l, self.p, most, precision) + upper_ball(self.l, self.p, least, precision)


def noise_error(l: int, p: Real, debiased: bool, beta: Real | None = None) -> AffineError:
    """The error of a sum with NB(l, p) noise, of which the chances are known, and the least alpha for this beta.

    *Raises* `ParameterError` for beta = 0, which no alpha has unless p = 1.

    >>> noise_error(1, real("1/2"), False).chance(real(1)).exact
    Fraction(1, 4)
    >>> noise_error(1, real("1/2"), True, real("1/4")).least_alpha(real("1/4"))
    Real('1')
    """
    check_noise(l, p)
    if p.fraction != 1 and beta is not None and beta.sign() == 0:
        raise ParameterError("beta", beta, "above 0: this noise has no largest value")
    largest = 0 if p.fraction == 1 or beta is None else far_point(l, p, beta)
    law = NegativeBinomialLaw(l, p, largest)
    return AffineError(law, real(1), law.mean() if debiased else real(0))
