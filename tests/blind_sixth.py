"""Sixth zoo: all planted bugs."""

from __future__ import annotations

from tests import (
    blind_sixth_encoding,
    blind_sixth_noise,
    blind_sixth_output,
    blind_sixth_parameters,
    blind_sixth_pools,
    blind_sixth_runs,
    blind_sixth_state,
)
from tests.blind_zoo_bug import Bug

BUGS: tuple[Bug, ...] = (
    blind_sixth_noise.BUGS
    + blind_sixth_parameters.BUGS
    + blind_sixth_encoding.BUGS
    + blind_sixth_runs.BUGS
    + blind_sixth_pools.BUGS
    + blind_sixth_output.BUGS
    + blind_sixth_state.BUGS
)
