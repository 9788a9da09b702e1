"""A child process that ends with its parent, however the parent ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

SET_DEATH_SIGNAL = 1
LOOK_EVERY = 0.5


def end_with_parent(parent: int) -> None:
    """Makes the kernel (on Linux) and a thread (elsewhere, too) end this process when its parent is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Ends this process once it has another parent."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)
