"""What the tests share: how large the sweeps are, and a source of bits for each."""

import os
import signal

import pytest

FULL = bool(os.environ.get("PANSHUFFLE_FULL"))

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as below a shell's background job: children would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sweep_factor() -> int:
    """1, or 10 where the sweeps run at their full counts."""
    return 10 if FULL else 1
