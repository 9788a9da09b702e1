"""Where an accountant is heard: its worker process, questions in and replies out, and nothing that it can break."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from crosscheck.court.accountant import Accountant
from crosscheck.court.question import Question
from exact.errors import InputError

LOADING_SECONDS = 60.0
GRACE_SECONDS = 10.0
MEGABYTES = 4096


class Chamber:
    """One accountant behind a time limit and a memory limit for every question."""

    def __init__(self, accountant: Accountant, seconds: float, megabytes: int = MEGABYTES) -> None:
        if not hasattr(os, "fork"):
            raise InputError("the court needs an operating system that can fork, such as Linux or macOS")
        self.seconds = seconds
        self.closed: str | None = None
        self.rest = b""
        root = str(Path(__file__).resolve().parent.parent.parent)
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, "-m", "crosscheck.court.worker", accountant.reference, str(seconds), str(megabytes)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        first = self.reply(LOADING_SECONDS)
        if "ready" not in first:
            self.close(first["said"])

    def ask(self, question: Question) -> dict[str, Any]:
        """The reply: claims, or a verdict and what was said."""
        if self.closed is not None:
            return {"verdict": "crashed", "said": self.closed}
        stream = self.process.stdin
        try:
            if stream is not None:
                stream.write((json.dumps(question.as_json()) + "\n").encode())
                stream.flush()
        except OSError:
            self.close("its process ended")
            return {"verdict": "crashed", "said": "its process ended"}
        reply = self.reply(self.seconds + GRACE_SECONDS)
        if reply.get("broken"):
            self.close(reply["said"])
        return reply

    def reply(self, seconds: float) -> dict[str, Any]:
        """One line of the worker, read within a time."""
        stream, deadline = self.process.stdout, time.monotonic() + seconds
        while stream is not None and b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([stream], [], [], left)[0]:
                return {"verdict": "timed out", "said": f"no sign of life within {seconds:g} seconds", "broken": True}
            part = os.read(stream.fileno(), 1 << 16)
            if not part:
                return {"verdict": "crashed", "said": "its process ended", "broken": True}
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self, why: str = "it is closed") -> None:
        """Ends the worker."""
        self.closed = why
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except OSError:
                    continue

    def __enter__(self) -> Chamber:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.closed is None:
            self.close()
