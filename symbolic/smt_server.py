"""The solvers' processes: one for each solver, which loads it once and puts each text to a copy of itself.

Every text meets a solver that has just been loaded, so an answer does not depend on the texts before it.
"""

from __future__ import annotations

import atexit

from panshuffle.exact.child import Child, Ended, Late
from panshuffle.symbolic import budget
from panshuffle.symbolic.budget import TooSlow
from panshuffle.symbolic.decision import NoAnswer


class SolverEnded(NoAnswer):
    """A solver's process ended without an answer, as when it is killed or has no memory left."""


class Server:
    """A process that answers the texts that it is sent, one after the other."""

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.child = Child.of_module("panshuffle.symbolic.smt_solver", solver)

    def answer(self, text: str, limit: int) -> list[str]:
        """The lines of the answer to a text.

        *Raises* `SolverEnded` where there is none, `TooSlow` at the outer guard.
        """
        try:
            lines: list[str] = self.child.ask([text, limit], budget.GUARD_SECONDS)
        except Late:
            self.child.end()
            raise TooSlow from None
        except Ended:
            lines = ["its process is gone"]
        if lines[0] not in ("sat", "unsat", "unknown"):
            self.child.end()
            raise SolverEnded(f"{self.solver} ended without an answer ({lines[0]})")
        return lines


SERVERS: dict[str, Server] = {}
"""The servers of this process, by solver."""


def server(solver: str) -> Server:
    """The server of a solver in this process, started when it is first asked for, or again after it ended."""
    found = SERVERS.get(solver)
    if found is None or not found.child.running:
        if found is not None:
            found.child.end()
        SERVERS[solver] = found = Server(solver)
    return found


@atexit.register
def end_servers() -> None:
    """Ends the servers of this process."""
    for found in SERVERS.values():
        found.child.end()
    SERVERS.clear()
