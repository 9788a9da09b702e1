"""The same questions put to dp-accounting, scipy and mpmath, as their users would; answers are floats.

Everybody starts from the parameters, so that the masses which dp-accounting asks for are part of its time.  `whole`
is every outcome (of the joint law, for a Poisson pool), `window` the outcomes within eight standard deviations, which
is what somebody would do who knows that the rest is not needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from math import log
from typing import Any

Masses = dict[Any, float]

MODULES = {"dp-accounting": "dp_accounting", "scipy": "scipy", "mpmath": "mpmath", "ours": "exact"}
DEVIATIONS = 8


def installed(peer: str) -> bool:
    """Whether a peer can be imported; its name may go on with how it is used."""
    return find_spec(MODULES[peer.partition(",")[0]]) is not None


@lru_cache
def module(name: str) -> Any:
    """An optional module, without types."""
    return import_module(name)


def loss_law(upper: Masses, lower: Masses) -> Any:
    """dp-accounting's privacy loss law of a pair, on its default grid."""
    library = module("dp_accounting.pld.privacy_loss_distribution")
    return library.from_two_probability_mass_functions(lower, upper)


def binomial_masses(l: int, window: bool) -> tuple[Masses, Masses]:
    """Logarithms of the masses of Bin(l, 1/2) and of 1 + Bin(l, 1/2)."""
    reach = DEVIATIONS * round(l**0.5 / 2) if window else l
    outcomes = range(max(0, l // 2 - reach), min(l, l // 2 + reach) + 1)
    logs = module("scipy.stats").binom.logpmf(outcomes, l, 0.5).tolist()
    return dict(zip(outcomes, logs, strict=True)), {x + 1: m for x, m in zip(outcomes, logs, strict=True)}


def accounted_binomial(l: int, exp_eps: float, k: int, window: bool) -> Callable[[int], float]:
    """dp-accounting on Bin(l, 1/2) against 1 + Bin(l, 1/2), k times."""

    def task(_: int) -> float:
        law = loss_law(*binomial_masses(l, window))
        return float((law.self_compose(k) if k > 1 else law).get_delta_for_epsilon(log(exp_eps)))

    return task


def poisson_masses(mu: int) -> tuple[list[int], list[float]]:
    """Outcomes of Pois(mu) within eight standard deviations, and the logarithms of their masses."""
    reach = DEVIATIONS * round(mu**0.5)
    outcomes = range(max(0, mu - reach), mu + reach + 1)
    return list(outcomes), module("scipy.stats").poisson.logpmf(outcomes, mu).tolist()


def joint_masses(mu: int) -> tuple[Masses, Masses]:
    """The laws of (ones + 1, zeros) and of (ones, zeros + 1)."""
    cells = list(zip(*poisson_masses(mu), strict=True))
    upper = {(x + 1, y): a + b for x, a in cells for y, b in cells}
    return upper, {(x, y + 1): a + b for x, a in cells for y, b in cells}


def accounted_joint(mu: int, exp_eps: float) -> Callable[[int], float]:
    """dp-accounting on the joint law of the pool's view."""
    return lambda _: float(loss_law(*joint_masses(mu)).get_delta_for_epsilon(log(exp_eps)))


def accounted_counts(mu: int, exp_eps: float) -> Callable[[int], float]:
    """dp-accounting on ones and zeros as two mechanisms, composed."""

    def task(_: int) -> float:
        plain = dict(zip(*poisson_masses(mu), strict=True))
        moved = {x + 1: m for x, m in plain.items()}
        return float(loss_law(moved, plain).compose(loss_law(plain, moved)).get_delta_for_epsilon(log(exp_eps)))

    return task


def scipy_shift(l: int, exp_eps: float, cut: int) -> Callable[[int], float]:
    """Two tails of the binomial law in doubles."""
    law = module("scipy.stats").binom
    return lambda _: float(law.cdf(cut, l, 0.5) - exp_eps * law.cdf(cut - 1, l, 0.5))


def scipy_pool(mu: int, exp_eps: float) -> Callable[[int], float]:
    """The sum over zeros of two tails of the ones, in doubles; the ratio at (x, y) is x/y."""
    numpy, law = module("numpy"), module("scipy.stats").poisson
    zeros = numpy.array(poisson_masses(mu)[0])

    def task(_: int) -> float:
        least = numpy.floor(exp_eps * zeros)
        gains = law.pmf(zeros, mu) * law.sf(least - 1, mu) - exp_eps * law.pmf(zeros - 1, mu) * law.sf(least, mu)
        return float(gains.sum())

    return task


def scipy_pair(l: int, exp_eps: float) -> Callable[[int], float]:
    """The same for two binomial pools, where the ratio at (x, y) is x (l+1-y) / (y (l+1-x))."""
    numpy, law = module("numpy"), module("scipy.stats").binom
    rows = numpy.array(list(binomial_masses(l, True)[0]))

    def task(_: int) -> float:
        least = numpy.floor(exp_eps * rows * (l + 1) / (l + 1 - rows + exp_eps * rows))
        gains = law.pmf(rows, l, 0.5) * law.sf(least - 1, l, 0.5)
        return float((gains - exp_eps * law.pmf(rows - 1, l, 0.5) * law.sf(least, l, 0.5)).sum())

    return task


def mpmath_shift(l: int, exp_eps: str, cut: int) -> Callable[[int], float]:
    """E b(c) - (E-1) F(c) at 50 digits, with F(c)/b(c) = 2F1(1, -c; l-c+1; -1); betainc takes minutes."""
    mp = module("mpmath")

    def task(_: int) -> float:
        with mp.workdps(50):
            mass, factor = mp.binomial(l, cut) * mp.mpf(2) ** -l, mp.mpf(exp_eps)
            return float(mass * (factor - (factor - 1) * mp.hyp2f1(1, -cut, l - cut + 1, -1)))

    return task
