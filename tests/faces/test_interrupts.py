"""An interrupted or killed `panshuffle verify` leaves nothing behind: no worker, no solver."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATEMENTS = ("compressed-tester-constants", "uniformity-tester-theorem", "uniformity-tester", "compression-moments")
PROC = Path("/proc")
INTERRUPTED = (130, -signal.SIGINT)
"""What a shell shows as 130.  Python ends by the signal itself if it came inside an `exec`, as of a new dataclass."""


def at_once():
    """Two seconds; on a busy machine as long as a hundred empty programs take, or as processes want each core."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True, timeout=120)
    return max(2.0, 100 * (time.monotonic() - start), os.getloadavg()[0] / (os.cpu_count() or 1))


def processes(session):
    """The command lines of the processes of a session that still run."""
    found = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            try:
                state, _, _, theirs = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                line = (folder / "cmdline").read_text()
            except OSError:
                continue
            if int(theirs) == session and state != "Z":
                found[int(folder.name)] = line
    return found


def waited(condition, seconds):
    """How many seconds passed until a condition holds."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds
        time.sleep(0.02)
    return time.monotonic() - start


@pytest.fixture
def verify():
    """A run in a session of its own that has workers, and a solver under one of them."""
    command = [sys.executable, "-m", "panshuffle", "verify", *STATEMENTS]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        waited(lambda: any("smt_solver" in line for line in processes(process.pid).values()), 60)
        yield process
    finally:
        for pid in processes(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=60)


if PROC.is_dir():

    def test_an_interrupt_ends_it_at_once_with_all_its_children(verify):
        os.killpg(verify.pid, signal.SIGINT)
        start = time.monotonic()
        _, errors = verify.communicate(timeout=60)
        assert time.monotonic() - start < at_once()
        assert errors.decode() == "panshuffle: interrupted\n"
        assert verify.returncode in INTERRUPTED
        assert waited(lambda: not processes(verify.pid), 60) < at_once()

    def test_an_interrupt_of_the_parent_alone_ends_its_children_too(verify):
        verify.send_signal(signal.SIGINT)
        verify.communicate(timeout=60)
        assert waited(lambda: not processes(verify.pid), 60) < at_once()

    def test_a_killed_parent_leaves_no_worker_and_no_solver(verify):
        verify.kill()
        verify.communicate(timeout=60)
        assert waited(lambda: not processes(verify.pid), 60) < 1 + at_once()
