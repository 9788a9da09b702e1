"""A zoo of planted bugs, written without knowledge of the cross-checker that is tested with it.

`SCENES` are the questions, `RIGHT` an independent right implementation of each, `BUGS` wrong ones of the kinds that
programmers and systems make.  Everything runs on Python's own generator; shuffle protocols show their messages.
"""

from __future__ import annotations

from tests import (
    blind_zoo_dropouts,
    blind_zoo_encodings,
    blind_zoo_hashes,
    blind_zoo_independence,
    blind_zoo_noise_central,
    blind_zoo_noise_pools,
    blind_zoo_order,
    blind_zoo_outputs,
    blind_zoo_parameters,
    blind_zoo_repeats,
    blind_zoo_sources,
    blind_zoo_states,
)
from tests.blind_zoo_bug import AREAS, Bug, Make
from tests.blind_zoo_online import machine
from tests.blind_zoo_scenes import SCENES, Scene

__all__ = ["AREAS", "BUGS", "RIGHT", "SCENES", "Bug", "Scene"]

RIGHT: dict[str, Make] = {key: machine(key).runs for key in SCENES}

BUGS: tuple[Bug, ...] = (
    *blind_zoo_parameters.BUGS,
    *blind_zoo_noise_central.BUGS,
    *blind_zoo_noise_pools.BUGS,
    *blind_zoo_encodings.BUGS,
    *blind_zoo_hashes.BUGS,
    *blind_zoo_order.BUGS,
    *blind_zoo_repeats.BUGS,
    *blind_zoo_sources.BUGS,
    *blind_zoo_independence.BUGS,
    *blind_zoo_dropouts.BUGS,
    *blind_zoo_outputs.BUGS,
    *blind_zoo_states.BUGS,
)
