"""Programs that a test starts: none is waited for without end, and none outlives its test."""

import subprocess
from contextlib import contextmanager, suppress
from threading import Timer

import psutil

PATIENCE = 120.0
"""Seconds, many times what any of them takes on a busy machine."""


def end(process):
    """Kills a program with all that it started."""
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.kill()
        for child in family:
            with suppress(psutil.NoSuchProcess):
                child.kill()


@contextmanager
def limited(process, seconds=PATIENCE):
    """Ends a program after some seconds, so that whoever reads from it or waits for it goes on."""
    timer = Timer(seconds, end, [process])
    timer.daemon = True
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()


@contextmanager
def started(command, seconds=PATIENCE, **more):
    """A program that runs for so many seconds at the most, and not longer than the block."""
    with subprocess.Popen(command, **more) as process, limited(process, seconds):
        try:
            yield process
        finally:
            end(process)
