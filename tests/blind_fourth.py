"""The fourth zoo: more slips of programmers, by an author who has not seen what looks for them, on the same scenes."""

from __future__ import annotations

from tests import (
    blind_fourth_encoding,
    blind_fourth_hashes,
    blind_fourth_noise,
    blind_fourth_order,
    blind_fourth_pools,
    blind_fourth_released,
)
from tests.blind_zoo_bug import Bug

MODULES = (
    blind_fourth_noise,
    blind_fourth_encoding,
    blind_fourth_order,
    blind_fourth_pools,
    blind_fourth_released,
    blind_fourth_hashes,
)
BUGS: tuple[Bug, ...] = tuple(bug for module in MODULES for bug in module.BUGS)
