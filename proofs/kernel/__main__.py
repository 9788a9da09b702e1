"""`python -m proofs.kernel`: the full check with Coq, exit status 0 where every claim holds."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from time import perf_counter

from proofs.kernel.checker import ClaimState, State, examine, recorded_states
from proofs.kernel.coq import installed
from proofs.kernel.pins import HERE
from proofs.kernel.record import write_record


def write(line: str) -> None:
    """One line of progress."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def as_row(state: ClaimState) -> dict[str, object]:
    """A claim and its state for --json."""
    claim = state.claim
    return {
        "name": claim.name,
        "state": state.state.value,
        "reason": state.reason,
        "constant": claim.constant,
        "labels": list(claim.labels),
        "statement": claim.statement,
        "premises": list(claim.premises),
        "differs": claim.differs or None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 where every claim is checked, or recorded where Coq is not installed."""
    parser = argparse.ArgumentParser(prog="python -m proofs.kernel", description="Check the kernel claims with Coq.")
    parser.add_argument("--record", action="store_true", help="rewrite the record after a full success")
    parser.add_argument("--json", action="store_true", help="print one object a claim")
    parser.add_argument("--no-coqchk", action="store_true", help="leave out the independent checker")
    chosen = parser.parse_args(arguments)
    if chosen.record and (chosen.no_coqchk or not installed()):
        parser.error("--record needs Coq and the independent checker")
    start = perf_counter()
    if installed():
        done = examine(HERE, write, not chosen.no_coqchk, compare=not chosen.record)
        states = done.states
        if chosen.record and all(state.state is State.CHECKED for state in states.values()):
            write_record(HERE, done.record)
    else:
        write("coqc is not installed: claims are compared with the record only")
        states = recorded_states()
    if chosen.json:
        sys.stdout.write(json.dumps([as_row(state) for state in states.values()], indent=1) + "\n")
    else:
        for name, state in states.items():
            sys.stdout.write(f"{state.state.value:9} {name}{': ' + state.reason if state.reason else ''}\n")
    failed = sum(state.state is State.FAILED for state in states.values())
    write(f"{len(states)} claims, {failed} failed, {perf_counter() - start:.0f} s")
    return 1 if failed or not states else 0


if __name__ == "__main__":
    sys.exit(main())
