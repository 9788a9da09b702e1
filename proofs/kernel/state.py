"""The kernel's answers for the ledger: the tier says whether Coq ran for them or an earlier run is recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.checker import ClaimState, State, kernel_state, quiet, recorded_states
from panshuffle.proofs.kernel.coq import installed
from panshuffle.proofs.kernel.pins import HERE, claim
from panshuffle.proofs.kernel.sources import digests
from panshuffle.proofs.root import digest
from panshuffle.proofs.verdict import KERNEL, RECORDED
from panshuffle.symbolic.decision import Decision, Status


@dataclass(frozen=True)
class Run:
    """What a run of Coq in this process or its parent came to: the sources that it saw, and the claims that failed with the reason."""

    sources: str
    failed: dict[str, str]


RUNS: list[Run] = []
"""The last run, if there was one; worker processes are handed it when they start."""


def check_now(say: Callable[[str], None] = quiet) -> dict[str, ClaimState]:
    """The states after a full run of Coq, which `answer` then uses.

    Raises: InputError, where Coq is not on the machine.
    """
    if not installed():
        raise InputError("--kernel needs Coq 8.16 (the programs coqc and coqchk), which is not on this machine")
    states = kernel_state(run=True, say=say)
    failed = {name: state.reason or "it failed" for name, state in states.items() if state.state is not State.CHECKED}
    adopt(Run(fingerprint(), failed))
    return states


def last_run() -> Run | None:
    """The last run of Coq that this process knows of."""
    return RUNS[-1] if RUNS else None


def adopt(run: Run | None) -> None:
    """Makes a run the last one: for worker processes of the one that ran Coq."""
    RUNS[:] = [] if run is None else [run]


def answer(name: str) -> Decision:
    """Proved, at the tier that the evidence has here and now, or undecided with the reason.

    Raises: ValueError, where the pins have no such claim.
    """
    known = claim(name)
    run = last_run()
    if run is not None and run.sources == fingerprint():
        reason = run.failed.get(name)
        return Decision(Status.UNDECIDED, "none", reason) if reason else Decision(Status.PROVED, KERNEL)
    state = recorded()[known.name]
    if state.state is State.RECORDED:
        return Decision(Status.PROVED, RECORDED)
    return Decision(Status.UNDECIDED, "none", state.reason)


@cache
def recorded() -> dict[str, ClaimState]:
    """The states by the record alone."""
    return recorded_states()


@cache
def fingerprint() -> str:
    """One digest of all sources and pins."""
    return digest(json.dumps(digests(HERE), sort_keys=True).encode("utf-8"))
