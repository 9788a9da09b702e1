"""The solvers' processes: one for each solver, which loads it once and puts each text to a copy of itself.

Every text meets a solver that has just been loaded, so an answer does not depend on the texts before it.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from symbolic import budget
from symbolic.answer import NoAnswer
from symbolic.budget import TooSlow

PROGRAM = Path(__file__).with_name("smt_solver.py")


class SolverEnded(NoAnswer):
    """A solver's process ended without an answer, as when it is killed or has no memory left."""


class Server:
    """A process that answers the texts that it is sent, one after the other."""

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.owner = os.getpid()
        command = [sys.executable, "-P", str(PROGRAM), solver, str(self.owner)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Where texts go in and answers come out."""
        assert self.process.stdin is not None and self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def answer(self, text: str, limit: int) -> list[str]:
        """The lines of the answer to a text.

        *Raises* `SolverEnded` where there is none, `TooSlow` at the outer guard.
        """
        into, out = self.pipes
        data = text.encode()
        with suppress(BrokenPipeError):
            into.write(f"{limit} {len(data)}\n".encode() + data)
            into.flush()
        if not select.select([out], [], [], budget.GUARD_SECONDS)[0]:
            self.end()
            raise TooSlow
        size = out.readline()
        lines = out.read(int(size)).decode().split("\n") if size else []
        if not lines or lines[0] not in ("sat", "unsat", "unknown"):
            self.end()
            raise SolverEnded(f"{self.solver} ended without an answer ({lines[0] if lines else 'its process is gone'})")
        return lines

    def end(self) -> None:
        """Ends the process and what it started."""
        self.process.kill()
        for pipe in self.pipes:
            with suppress(BrokenPipeError):
                pipe.close()
        self.process.wait()


SERVERS: dict[str, Server] = {}
"""The servers of this process, by solver."""


def server(solver: str) -> Server:
    """The server of a solver in this process, started when it is first asked for, or again after it ended."""
    found = SERVERS.get(solver)
    if found is not None and found.owner == os.getpid() and found.process.poll() is not None:
        found.end()
        found = None
    if found is None or found.owner != os.getpid():
        SERVERS[solver] = found = Server(solver)
    return found


@atexit.register
def end_servers() -> None:
    """Ends the servers of this process."""
    for found in SERVERS.values():
        if found.owner == os.getpid() and found.process.poll() is None:
            found.end()
    SERVERS.clear()
