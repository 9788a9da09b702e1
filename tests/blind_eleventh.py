"""The eleventh zoo of planted bugs, all areas together."""

from __future__ import annotations

from tests import (
    blind_eleventh_between,
    blind_eleventh_dropouts,
    blind_eleventh_encoding,
    blind_eleventh_hash,
    blind_eleventh_noise,
    blind_eleventh_order,
    blind_eleventh_output,
    blind_eleventh_parameters,
    blind_eleventh_pools,
    blind_eleventh_state,
)

BUGS = (
    *blind_eleventh_noise.BUGS,
    *blind_eleventh_encoding.BUGS,
    *blind_eleventh_order.BUGS,
    *blind_eleventh_between.BUGS,
    *blind_eleventh_pools.BUGS,
    *blind_eleventh_dropouts.BUGS,
    *blind_eleventh_parameters.BUGS,
    *blind_eleventh_output.BUGS,
    *blind_eleventh_state.BUGS,
    *blind_eleventh_hash.BUGS,
)
