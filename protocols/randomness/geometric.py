"""Exact draws from the geometric law G >= 0 with P[G >= i] = e^(-eps*i)."""

from __future__ import annotations

from functools import lru_cache

from panshuffle.exact.parameters import check_positive
from panshuffle.exact.real import Real, exp
from panshuffle.protocols.randomness.bernoulli import Sampler, bernoulli_sampler
from panshuffle.protocols.randomness.bits import BitSource, sample_below


@lru_cache(maxsize=1024)
def geometric_sampler(eps: Real) -> Sampler:
    """The sampler of G, in constant expected time for every eps.

    Written G = s*H + L with s about 1/eps: L and H are independent, L on 0, ..., s-1 with mass in
    proportion to e^(-eps*i), H geometric with ratio e^(-eps*s), which is at most e^(-1/2).
    """
    check_positive("eps", eps)
    step = max(1, (1 / eps).floor())
    carry = bernoulli_sampler(exp(-eps * step))

    def sample(source: BitSource) -> int:
        high = 0
        while carry(source):
            high += 1
        return step * high + sample_low(step, eps, source)

    return sample


def sample_low(step: int, eps: Real, source: BitSource) -> int:
    """L on 0, ..., step-1 with mass in proportion to e^(-eps*i), by rejection."""
    while True:
        low = sample_below(step, source)
        if bernoulli_sampler(exp(-eps * low))(source):
            return low
