"""Seventh zoo: all of it."""

from __future__ import annotations

from tests import (
    blind_seventh_between,
    blind_seventh_messages,
    blind_seventh_noise,
    blind_seventh_output,
    blind_seventh_state,
)
from tests.blind_zoo_bug import Bug

BUGS: tuple[Bug, ...] = (
    *blind_seventh_noise.BUGS,
    *blind_seventh_messages.BUGS,
    *blind_seventh_between.BUGS,
    *blind_seventh_output.BUGS,
    *blind_seventh_state.BUGS,
)
