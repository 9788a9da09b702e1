"""What a view answers: its curve, what it covers and why, and the paper's bound beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exact.curves.curve import Curve
from exact.numbers.real import Real, exp, log, real

ALL_NEIGHBOURS = "all neighbours"
THIS_PAIR = "this pair"


@dataclass(frozen=True)
class PaperBound:
    """A printed statement, solved for delta at eps and for eps at delta; None where its hypotheses fail."""

    slug: str
    delta: Callable[[Real], Real | None]
    epsilon: Callable[[Real], Real | None]


@dataclass(frozen=True)
class View:
    """The curve of a view.  `why` argues that no neighbour is worse; `upper_bound` says that it is only a bound."""

    curve: Curve
    scope: str
    why: str
    paper: PaperBound | None = None
    background_at: Callable[[Real | None], tuple[int, ...] | None] = lambda exp_eps: None
    upper_bound: bool = False


NO_NEIGHBOUR = Curve(lambda exp_eps, precision: real(0).ball(precision), lambda e: Fraction(0), real(1))
"""The curve where no two neighbours differ: delta = 0 at eps = 0."""

DISJOINT = Curve(lambda exp_eps, precision: real(1).ball(precision), lambda e: Fraction(1), limit=real(1))
"""The curve of two laws with disjoint supports: delta = 1 at every eps."""


def exponential_bound(
    slug: str,
    size: Real,
    factor: int = 1,
    power: Real | None = None,
    eps_factor: int = 1,
    inner_factor: int = 2,
) -> PaperBound:
    """The bound delta = factor * (inner_factor e^(-size/c^2))^power at eps_factor*eps, c = (e^eps+1)/(e^eps-1).

    This is the shape of every bound that the paper derives from its binomial mechanism lemma, solved for
    the given noise; None where the inner delta is not below 1, which the statement asks for.
    """
    gamma = power if power is not None else real(1)

    def delta(at: Real) -> Real | None:
        eps = at / eps_factor
        if not eps > 0:
            return None
        c = (exp(eps) + 1) / (exp(eps) - 1)
        inner = inner_factor * exp(-size / c**2)
        return factor * inner**gamma if inner < 1 else None

    def epsilon(at: Real) -> Real | None:
        if not at > 0:
            return None
        inner = (at / factor) ** (1 / gamma)
        if not inner < 1:
            return None
        c_squared = size / log(inner_factor / inner)
        if not c_squared > 1:
            return None
        c = c_squared ** Fraction(1, 2)
        return eps_factor * log((c + 1) / (c - 1))

    return PaperBound(slug, delta, epsilon)


def pure_bound(slug: str, eps: Real, delta: Real | None = None) -> PaperBound:
    """The bound that is (eps, delta) and says nothing below that eps or that delta."""
    least = delta if delta is not None else real(0)
    return PaperBound(slug, lambda at: least if at >= eps else None, lambda at: eps if at >= least else None)
