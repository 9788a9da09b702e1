"""What samples alone prove about privacy: a lower bound on eps at delta from two neighbouring inputs.

For any event A, P[A] <= e^eps Q[A] + delta.  The event is that the likelihood ratio of the exact laws is above a level,
fixed before the samples are seen; Clopper and Pearson's one-sided bounds on both probabilities, each at its share of
the error, then give eps >= ln((p_low - delta)/q_high), whatever the implementation is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

from crosscheck.reference.model import Reference
from crosscheck.runs import Run
from exact.errors import InputError, ParameterError
from exact.laws.noise import binomial_upper_ball
from exact.numbers.real import Real, real
from exact.numbers.real import log as real_log

LEVELS = tuple(Fraction(i, 4) for i in (-2, -1, 0, 1, 2, 3, 4, 6, 8, 12, 16))
"""Log-ratios above which a run is an event: few, because each takes its share of the error."""
STEPS = 40  # bisections of a probability, which is then known to 1e-12
BITS = 96  # far finer than the bisection


@dataclass(frozen=True)
class Bound:
    """eps is at least `eps`, but for an error of probability `error`; the event and how often it happened."""

    eps: Real
    delta: Real
    error: Fraction
    event: str
    hits: tuple[int, int]
    runs: tuple[int, int]


def lower_probability(hits: int, runs: int, error: Fraction) -> Fraction:
    """A p with P[Bin(runs, p) >= hits] <= error: the true probability is at least p but for this error.

    >>> round(float(lower_probability(10, 10, Fraction(1, 1024))), 9)
    0.5
    """
    if hits == 0:
        return Fraction(0)
    low, high = Fraction(0), Fraction(1)
    for _ in range(STEPS):
        middle = (low + high) / 2
        small = binomial_upper_ball(runs, real(middle), hits, BITS) <= real(error).ball(BITS)
        low, high = (middle, high) if small else (low, middle)
    return low


def upper_probability(hits: int, runs: int, error: Fraction) -> Fraction:
    """A p with P[Bin(runs, p) <= hits] <= error: the true probability is at most p but for this error."""
    return 1 - lower_probability(runs - hits, runs, error)


def level_of(upper: Reference, lower: Reference, vector: Sequence[int]) -> float:
    """About ln of the likelihood ratio of a run: any function of the run will do."""
    total = 0.0
    for p, q, x in zip(upper.laws, lower.laws, vector, strict=True):
        first, second = float(p.mass(x).mid()), float(q.mass(x).mid())
        if first <= 0 or second <= 0:
            return inf if first > second else -inf if second > first else 0.0
        total += log(first) - log(second)
    return total


def audit(
    references: tuple[Reference, Reference], runs: tuple[Iterable[Run], Iterable[Run]], delta: Real, error: Fraction
) -> Bound:
    """The best lower bound on eps at delta, over both directions and all levels.

    *Holds when* the runs are independent and their inputs are neighbours (caller).  *Raises* `InputError` for no run.
    """
    if not 0 < error < 1:
        raise ParameterError("alarm", error, "strictly between 0 and 1")
    first, second = references
    vectors = [[first.read(run) for run in side] for side in runs]
    if not all(vectors):
        raise InputError("no run was read for one of the two neighbours, so there is nothing to compare")
    gains, losses = ([level_of(first, second, vector) for vector in side] for side in vectors)
    directions = (("ln(P/Q)", gains, losses), ("ln(Q/P)", [-x for x in losses], [-x for x in gains]))
    bounds = [
        at_level(f"{words} > {float(level):g}", [[x > level for x in side] for side in sides], delta, error)
        for words, *sides in directions
        for level in LEVELS
    ]
    return max(bounds, key=lambda bound: bound.eps)


def at_level(event: str, happened: Sequence[Sequence[bool]], delta: Real, error: Fraction) -> Bound:
    """The bound from one event, which has its share of the error for each of its two probabilities."""
    share = error / (4 * len(LEVELS))
    (hits, others), (runs, other_runs) = map(sum, happened), map(len, happened)
    p, q = lower_probability(hits, runs, share), upper_probability(others, other_runs, share)
    gain = (real(p) - delta) / real(q) if q else real(1)
    eps = real_log(gain) if gain > 1 else real(0)
    return Bound(eps, delta, error, event, (hits, others), (runs, other_runs))
