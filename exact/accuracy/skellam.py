"""The error of a sum with Skellam noise: the noise itself, which has mean 0."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, ctx

from exact.accuracy.affine_error import AffineError
from exact.errors import ParameterError
from exact.laws.noise import GUARD
from exact.laws.skellam import check_noise, far_point, upper_ball
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real


@dataclass(frozen=True)
class SkellamLaw:
    """The law with variance v.  It has no largest value: `largest` is one that is passed with an allowed chance."""

    v: Real
    largest: int

    def mean(self) -> Real:
        """E[X]."""
        return real(0)

    def variance(self) -> Real:
        """Var[X]."""
        return self.v

    def outside(self, most: int, least: int) -> Certified:
        """P[X <= most or X >= least], for most < least."""
        plain = self.plain(most, least)
        return self.tails(most, least) if plain is None else Certified.of(plain)

    def plain(self, most: int, least: int) -> int | None:
        """That probability where it is plainly 1; it is never 0, since the noise has no largest value."""
        return 1 if most >= least - 1 else None

    def tails(self, most: int, least: int) -> Certified:
        """That probability where it is not.

        >>> SkellamLaw(real(1), 9).outside(-1, 1).enclosure(8)
        ('0.53424039', '0.5342404')
        """
        return Certified(lambda precision: self.outside_ball(most, least, precision), probability=True)

    def outside_ball(self, most: int, least: int, precision: int) -> arb:
        """The same, enclosed to about `precision` bits."""
        with ctx.workprec(precision + GUARD):
            return upper_ball(self.v, -most, precision) + upper_ball(self.v, least, precision)


def noise_error(v: Real, beta: Real | None = None) -> AffineError:
    """The error of a sum with this noise, of which the chances are known, and the least alpha for this beta.

    *Raises* `ParameterError` for beta = 0, which no alpha has.

    >>> noise_error(real(9), real("1/10")).least_alpha(real("1/10"))
    Real('5')
    """
    check_noise(v)
    if beta is not None and beta.sign() == 0:
        raise ParameterError("beta", beta, "above 0: this noise has no largest value")
    return AffineError(SkellamLaw(v, 0 if beta is None else far_point(v, beta)), real(1), real(0))
