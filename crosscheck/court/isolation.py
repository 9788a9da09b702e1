"""An accountant in a process of its own: cases in and replies out, and nothing that it can break."""

from __future__ import annotations

import os

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.family import Case, Reply
from panshuffle.exact.child import Child, Ended, Late
from panshuffle.exact.errors import InputError

LOADING_SECONDS = 60.0  # how long an accountant may take to be imported; the slowest takes a few seconds
GRACE_SECONDS = 10.0  # how much longer than its own time limit the worker itself may take, on a busy machine
MEGABYTES = 4096  # of memory for one reply, as much as a small machine has
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A copy of a process has none of its threads, so that a numerical library must not rely on any."""


class IsolatedAccountant:
    """One accountant behind a time limit and a memory limit for every case."""

    def __init__(self, accountant: Accountant, seconds: float, megabytes: int = MEGABYTES) -> None:
        if not hasattr(os, "fork"):
            raise InputError("the court needs an operating system that can fork, such as Linux or macOS")
        self.seconds = seconds
        self.closed: str | None = None
        arguments = (accountant.reference, str(seconds), str(megabytes))
        self.child = Child.of_module("panshuffle.crosscheck.court.worker", *arguments, **ONE_THREAD)
        first = self.reply(None, LOADING_SECONDS)
        if "ready" not in first:
            self.close(first["said"])

    def ask(self, case: Case) -> Reply:
        """The reply: claims, or a verdict and what was said."""
        if self.closed is not None:
            return {"verdict": "crashed", "said": self.closed}
        return self.reply(case.as_json(), self.seconds + GRACE_SECONDS)

    def reply(self, request: dict[str, object] | None, seconds: float) -> Reply:
        """What the worker says to a request within a time; a worker that says nothing is closed."""
        try:
            found: Reply = self.child.ask(request, seconds)
            return found
        except Late:
            found = {"verdict": "timed out", "said": f"no sign of life within {seconds:g} seconds"}
        except Ended:
            found = {"verdict": "crashed", "said": "its process ended"}
        self.close(found["said"])
        return found

    def close(self, why: str = "it is closed") -> None:
        """Ends the worker."""
        self.closed = why
        self.child.end()

    def __enter__(self) -> IsolatedAccountant:
        return self

    def __exit__(self, *problem: object) -> None:
        if self.closed is None:
            self.close()
