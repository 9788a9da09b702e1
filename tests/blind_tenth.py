"""The tenth zoo of planted bugs: all topics as one tuple."""

from __future__ import annotations

from tests import (
    blind_tenth_between,
    blind_tenth_dropouts,
    blind_tenth_encoding,
    blind_tenth_hash,
    blind_tenth_noise,
    blind_tenth_order,
    blind_tenth_output,
    blind_tenth_parameters,
    blind_tenth_pools,
    blind_tenth_state,
)
from tests.blind_zoo_bug import Bug

BUGS: tuple[Bug, ...] = (
    *blind_tenth_noise.BUGS,
    *blind_tenth_encoding.BUGS,
    *blind_tenth_order.BUGS,
    *blind_tenth_between.BUGS,
    *blind_tenth_pools.BUGS,
    *blind_tenth_dropouts.BUGS,
    *blind_tenth_parameters.BUGS,
    *blind_tenth_output.BUGS,
    *blind_tenth_state.BUGS,
    *blind_tenth_hash.BUGS,
)
