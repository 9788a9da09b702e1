"""Laws of the second zoo's wrong noise, bugs made from a law, and evidence for what is not a product of marginals."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from random import Random

from tests.blind_zoo_bug import NOISE, Bug, bug, evidence_of
from tests.blind_zoo_draws import Law, as_law, binomial_masses, convolved, poisson_masses, shifted
from tests.blind_zoo_online import machine

Draw = Callable[[Random], int]
SMALLEST = 1e-18
"""Tails below this are cut: no number of runs shows them."""


def reach(r: float) -> int:
    """Where r^g falls below what is kept."""
    return math.ceil(math.log(SMALLEST) / math.log(r))


def drawn(law: Law) -> Draw:
    """A sampler of the law, by inversion of its cumulative table."""
    values = sorted(law)
    total = sum(law.values())
    steps = list(accumulate(law[value] / total for value in values))[:-1]
    return lambda rng: values[bisect_right(steps, rng.random())]


def binomial_law(l: int, p: float) -> Law:
    return as_law(binomial_masses(l, float(p)))


def poisson_law(mean: float) -> Law:
    return as_law(poisson_masses(float(mean)))


def geometric_law(r: float) -> Law:
    return {g: (1 - r) * r**g for g in range(reach(r))}


def negative_binomial_law(l: int, p: float) -> Law:
    return {g: math.comb(g + l - 1, g) * p**l * (1 - p) ** g for g in range(l * reach(1 - p))}


def two_sided_law(r: float) -> Law:
    return {v: (1 - r) / (1 + r) * r ** abs(v) for v in range(1 - reach(r), reach(r))}


def from_cumulative(below: Callable[[float], float], low: int, high: int, edge: float) -> Law:
    """The law of a real number with this distribution function, put on v where it lies in [v + edge - 1, v + edge)."""
    return {v: below(v + edge) - below(v + edge - 1) for v in range(low, high + 1)}


def normal_law(mean: float, variance: float, edge: float = 0.5) -> Law:
    """A normal number rounded to the nearest whole one (edge 1/2) or down (edge 1), within nine deviations."""
    reach, scale = 9 * math.sqrt(variance), math.sqrt(2 * variance)
    return from_cumulative(
        lambda x: math.erfc((mean - x) / scale) / 2, math.floor(mean - reach), math.ceil(mean + reach), edge
    )


def laplace_law(scale: float) -> Law:
    """A Laplace number, rounded to the nearest whole one."""
    half = 1 - math.exp(-0.5 / scale)
    tail = {
        v: math.exp(-(v - 0.5) / scale) * (1 - math.exp(-1 / scale)) / 2 for v in range(1, reach(math.exp(-1 / scale)))
    }
    return {0: half} | tail | {-v: mass for v, mass in tail.items()}


def uniform_law(low: int, high: int) -> Law:
    return dict.fromkeys(range(low, high + 1), 1 / (high - low + 1))


def moved(law: Law, change: Callable[[int], int]) -> Law:
    """The law of change(X)."""
    total: Law = {}
    for value, mass in law.items():
        total[change(value)] = total.get(change(value), 0.0) + mass
    return total


def kept(law: Law, allowed: Callable[[int], bool]) -> Law:
    """The law given that X is allowed, which is what a redraw of the others gives."""
    share = sum(mass for value, mass in law.items() if allowed(value))
    return {value: mass / share for value, mass in law.items() if allowed(value)}


def mixed(usual: Law, rare: Law, share: float) -> Law:
    return {v: (1 - share) * usual.get(v, 0.0) + share * rare.get(v, 0.0) for v in usual.keys() | rare.keys()}


def central_noise(name: str, scene: str, cause: str, runs: int, law: Law, area: str = NOISE) -> Bug:
    """A bug that gives a central mechanism noise of this law."""
    right, draw = machine(scene), drawn(law)
    evidence = evidence_of([shifted(law, right.value())], right.coordinates(), runs)
    return bug(name, scene, area, cause, runs, evidence, noise=lambda self, rng: draw(rng))


def pool_evidence(scene: str, wrong: dict[int, Law], runs: int) -> float | None:
    """The evidence where the coordinates with these places have these laws and the others the right one."""
    right = machine(scene).coordinates()
    return evidence_of([wrong.get(place, law) for place, law in enumerate(right)], right, runs)


def same_evidence(pairs: dict[tuple[int, int], float], first: Law, second: Law) -> float:
    """KL of a joint law against the product of two marginal laws, in nats."""
    return sum(p * math.log(p / first[a] / second[b]) for (a, b), p in pairs.items() if p > 0)


def common_part(common: Law, first: Law, second: Law | None = None) -> float:
    """The information between C + X and C + Y, with C, X, Y independent."""
    second = first if second is None else second
    joint: dict[tuple[int, int], float] = {}
    for c, mass in common.items():
        for x, p in first.items():
            for y, q in second.items():
                joint[c + x, c + y] = joint.get((c + x, c + y), 0.0) + mass * p * q
    return same_evidence(joint, convolved(common, first), convolved(common, second))


def sticky_evidence(law: Law, share: float) -> float:
    """The information between successive runs where a run takes over the value of the last with this probability."""
    others = (1 - share) * math.log1p(-share)
    again = {a: (1 - share) * p + share for a, p in law.items() if p > 0}
    return sum(law[a] * ((1 - law[a]) * others + again[a] * math.log(again[a] / law[a])) for a in again)
