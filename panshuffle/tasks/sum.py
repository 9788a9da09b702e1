"""Plans for a sum of bits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from panshuffle.answers import plan as planning
from panshuffle.answers.plan import DRAWN_EPS0, Drawn, Given, Plan, Target
from panshuffle.card import AnyCard
from panshuffle.catalogue.binary_sum import CARD as BITS
from panshuffle.catalogue.geometric_distinct_elements import CARD as CENTRAL
from panshuffle.catalogue.pan_sum import CARD as PAN
from panshuffle.catalogue.poisson_binomial import CARD as FLIPPED
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Real, exp, real
from panshuffle.exact.views.flipped_bits import poisson_binomial_view
from panshuffle.output import with_progress

COPIES = (1, 4)
"""One flipped bit a user is randomized response; with more of them the noise has finer steps."""
SAME_NOISE = "two-sided geometric noise, as on a count of distinct elements: one user moves either by at most 1"
IS_TEST = False
HAS_ELEMENTS = False


def plans(target: Target) -> list[Plan]:
    """Noise bits and flipped bits behind a shuffler, the pan-private sum, and the central baseline."""
    n = target.users()
    honest_users(n, real(target.gamma))
    rows: list[tuple[str, Callable[[], Plan]]] = [(BITS.name, lambda: noise_bits(n, target))]
    rows += [(f"{FLIPPED.name} with m = {m}", partial(flipped, n, m, target)) for m in COPIES]
    rows.append((PAN.name, lambda: online(n, target)))
    return planning.possible(with_progress(rows, "plan"), central(n, target))


def noise_bits(n: int, target: Target) -> Plan:
    """P^zsum."""
    p = planning.calibrated(BITS, {"n": str(n)}, target)
    params, chance = {"n": str(n), "p": p}, real(p)
    left = n * real(target.gamma)
    return row(BITS, params, left * chance * (1 - chance), "2 (the bit and a noise bit), 2 bits", target)


def flipped(n: int, m: int, target: Target) -> Plan:
    """m copies of the bit, each flipped."""
    size = {"n": str(n), "m": str(m)}
    flip = real(planning.calibrated(FLIPPED, size, target, least=True))
    variance = n * real(target.gamma) * flip * (1 - flip) / (m * (1 - 2 * flip) ** 2)
    return row(FLIPPED, size | {"p": planning.decimal_above(flip)}, variance, f"{m} (flipped bits), {m} bits", target)


def online(n: int, target: Target) -> Plan:
    """Binomial noise before and after the stream."""
    lam = planning.calibrated(PAN, {}, target)
    return row(PAN, {"n": str(n), "lam": lam}, real(lam) / 2, "none: one online algorithm", target)


def central(n: int, target: Target) -> Plan:
    """Two-sided geometric noise at a trusted curator, which has delta = 0."""
    ratio = exp(-target.at_eps)
    params = {"n": str(n), "k": str(n), "eps": target.eps}
    return row(CENTRAL, params, 2 * ratio / (1 - ratio) ** 2, "the data itself", target, SAME_NOISE)


def row(card: AnyCard, params: Given, variance: Real, sends: str, target: Target, *notes: str) -> Plan:
    """A plan with the exact variance of its error."""
    found = planning.plan_of(card, params, params, sends, target, {}, *notes)
    found.error["variance"] = planning.decimal_above(variance)
    return found


def values(target: Target) -> Drawn:
    """The eps of randomized response over n."""
    target.users()
    flip = 1 / (exp(DRAWN_EPS0) + 1)
    what = f"eps at delta of one flipped bit a user, eps0 = {DRAWN_EPS0}"
    return planning.over_n(what, 2, lambda size: poisson_binomial_view(size, 1, flip).curve, target)
