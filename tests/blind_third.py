"""The third zoo: slips of programmers, by an author who has not seen what looks for them, on the same scenes."""

from __future__ import annotations

from tests import (
    blind_third_between,
    blind_third_dropouts,
    blind_third_encoding,
    blind_third_hashes,
    blind_third_noise,
    blind_third_order,
    blind_third_outputs,
    blind_third_parameters,
    blind_third_pools,
    blind_third_states,
)
from tests.blind_zoo_bug import Bug

MODULES = (
    blind_third_noise,
    blind_third_parameters,
    blind_third_encoding,
    blind_third_order,
    blind_third_between,
    blind_third_pools,
    blind_third_dropouts,
    blind_third_outputs,
    blind_third_states,
    blind_third_hashes,
)
BUGS: tuple[Bug, ...] = tuple(bug for module in MODULES for bug in module.BUGS)

EASY = {
    "third-failures-n-for-l",
    "third-hashed-whole-exponent",
    "third-uniformity-log-arguments",
    "third-distinct-budget-split",
    "third-pan-uniformity-share-zero",
    "third-histogram-seen-labels",
    "third-zsum-runs-collapsed",
    "third-modular-falsy-filtered",
    "third-copies-loop-variable",
    "third-modular-gamma-drops",
    "third-two-bit-equal-rows",
    "third-histogram-index-less-one",
    "third-uniformity-tau-precedence",
    "third-two-bit-first-pool-twice",
    "third-pan-histogram-no-time",
    "third-pan-distinct-time-of-dummies",
    "third-two-bit-whole-quotient",
    "third-pan-sum-expm1-again",
    "third-uniformity-k-for-n",
    "third-poisson-loop-one-more",
}
"""Nearer to what the earlier zoos have, or hard to miss: set apart by the author before any of them was tried."""
