"""What the tests share: how large the sweeps are, and a source of bits for each."""

import os
import shutil
import signal
from pathlib import Path

import pytest

FULL = bool(os.environ.get("PANSHUFFLE_FULL"))

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as below a shell's background job: children would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """A command that runs in a test's own process does not say that it goes on, however busy the machine is."""
    import panshuffle.main

    monkeypatch.setattr(panshuffle.main, "SILENCE", 10**6)


@pytest.fixture(scope="session")
def sweep_factor() -> int:
    """1, or 10 where the sweeps run at their full counts."""
    return 10 if FULL else 1


def copied_kernel(folder: Path) -> Path:
    """A copy of the kernel's sources, pins and record."""
    from proofs.kernel.pins import HERE

    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return folder
