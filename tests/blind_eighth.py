"""Eighth zoo: all of it."""

from __future__ import annotations

from tests import (
    blind_eighth_between,
    blind_eighth_dropouts,
    blind_eighth_encoding,
    blind_eighth_hash,
    blind_eighth_noise,
    blind_eighth_order,
    blind_eighth_output,
    blind_eighth_parameters,
    blind_eighth_pools,
    blind_eighth_state,
)

BUGS = (
    *blind_eighth_noise.BUGS,
    *blind_eighth_encoding.BUGS,
    *blind_eighth_order.BUGS,
    *blind_eighth_between.BUGS,
    *blind_eighth_pools.BUGS,
    *blind_eighth_dropouts.BUGS,
    *blind_eighth_parameters.BUGS,
    *blind_eighth_output.BUGS,
    *blind_eighth_state.BUGS,
    *blind_eighth_hash.BUGS,
)
