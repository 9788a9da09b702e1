"""Fifth zoo: all its bugs."""

from __future__ import annotations

from tests import (
    blind_fifth_encoding,
    blind_fifth_noise,
    blind_fifth_order,
    blind_fifth_output,
    blind_fifth_parameters,
    blind_fifth_pools,
)
from tests.blind_zoo_bug import Bug

BUGS: tuple[Bug, ...] = (
    *blind_fifth_parameters.BUGS,
    *blind_fifth_noise.BUGS,
    *blind_fifth_encoding.BUGS,
    *blind_fifth_order.BUGS,
    *blind_fifth_pools.BUGS,
    *blind_fifth_output.BUGS,
)
