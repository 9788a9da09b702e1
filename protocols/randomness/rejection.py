"""Exact draws from a log-concave law on the integers, at a cost that does not grow with its spread.

Write q for the mass at the mode.  A log-concave mass function satisfies
    mass(x) <= q * min(1, e^(1 - q*|x - mode|)):
with i = |x - mode| and mass(x) = q*e^(-t), log-concavity gives mass >= q*e^(-t*j/i) at the j-th point
between, so 1 >= q * sum_{j<i} e^(-t*j/i) >= q*i*(1 - e^(-t))/t, hence q*i <= t/(1 - e^(-t)) <= 1 + t.
With blocks of s >= 1/q points to each side of the mode, block b therefore has mass at most
q * min(1, 2^(1-b)) at each point.  A point is proposed from that envelope and kept with the ratio of the
two, which is drawn exactly from enclosures; about one proposal in six is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flint import arb, ctx
from panshuffle.exact.real import ball_bounds, finite, refine
from panshuffle.protocols.randomness.bernoulli import sample_event
from panshuffle.protocols.randomness.bits import BitSource, sample_below

LogMass = Callable[[int], arb]


def sample_log_concave(mode: int, least: int, most: int | None, log_mass: LogMass, source: BitSource) -> int:
    """A draw from the law exp(log_mass) on least, ..., most (None: no end), whose largest mass is at `mode`.

    *Exactness*: exact; log_mass returns an enclosure at the working precision.
    """
    width = block_width(log_mass, mode)
    while True:
        x, block = propose(mode, width, source)
        if x < least or (most is not None and x > most):
            continue
        if sample_event(partial(ratio_bounds, log_mass, x, mode, block), source):
            return x


def block_width(log_mass: LogMass, mode: int) -> int:
    """An integer that is at least 1/q, and not much more, for the mass q at the mode."""

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return (-log_mass(mode)).exp()

    ball = refine(evaluate, lambda ball: ball.rel_accuracy_bits() >= 4, "the mass at a mode")
    return ball_bounds(ball, 0)[1]


def propose(mode: int, width: int, source: BitSource) -> tuple[int, int]:
    """A point from the envelope, and its block: blocks 0, 1, 2, 3, ... have weights 1, 1, 1/2, 1/4, ..."""
    block = 0
    if sample_below(3, source):
        block = 1
        while source.getrandbits(1):
            block += 1
    step = block * width + sample_below(width, source)
    return (mode + step if source.getrandbits(1) else mode - 1 - step), block


def ratio_bounds(log_mass: LogMass, x: int, mode: int, block: int, bits: int) -> tuple[int, int]:
    """Enclosure of mass(x) / envelope(x), scaled by 2^bits.

    *Raises* `ArithmeticError` for a ratio above 1, which would mean that the law is not log-concave or the mode wrong.
    """

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return (log_mass(x) - log_mass(mode)).exp() * arb(2) ** max(0, block - 1)

    bounds = ball_bounds(finite(evaluate, bits + 64 + max(x, mode).bit_length()), bits)
    if bounds[0] > 1 << bits:
        raise ArithmeticError("a mass exceeds its envelope")
    return bounds
