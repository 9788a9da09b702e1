"""The second zoo: planted bugs by an author who has not seen what looks for them, on the scenes of the first."""

from __future__ import annotations

from tests import (
    blind_second_absent,
    blind_second_answers,
    blind_second_counters,
    blind_second_dummies,
    blind_second_encoding,
    blind_second_hashing,
    blind_second_noise,
    blind_second_order,
    blind_second_parameters,
    blind_second_pools,
    blind_second_repeats,
    blind_second_seeds,
    blind_second_shared,
    blind_second_shares,
    blind_second_states,
)
from tests.blind_zoo_bug import Bug

MODULES = (
    blind_second_parameters,
    blind_second_noise,
    blind_second_pools,
    blind_second_encoding,
    blind_second_shares,
    blind_second_order,
    blind_second_repeats,
    blind_second_seeds,
    blind_second_shared,
    blind_second_counters,
    blind_second_absent,
    blind_second_answers,
    blind_second_states,
    blind_second_dummies,
    blind_second_hashing,
)
BUGS: tuple[Bug, ...] = tuple(bug for module in MODULES for bug in module.BUGS)
