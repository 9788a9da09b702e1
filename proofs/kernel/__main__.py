"""`python -m panshuffle.proofs.kernel`: the full check with Coq, exit status 0 where every claim holds.

With the variable PANSHUFFLE_KERNEL_BUILD, a folder, compiled files are kept there and only what changed is compiled.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from panshuffle.proofs.kernel.checker import REPEAT, ClaimState, State, examine, recorded_states, write_record
from panshuffle.proofs.kernel.coq import installed
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.sources import audit


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
    """The exit status: 0 where every claim holds as far as was asked for; without Coq none is more than recorded."""
    parser = argparse.ArgumentParser(
        prog="python -m panshuffle.proofs.kernel", description="Check the kernel claims with Coq."
    )
    parser.add_argument("--record", action="store_true", help="rewrite the record after a full success")
    parser.add_argument("--json", action="store_true", help="print one object a claim")
    parser.add_argument("--no-coqchk", action="store_true", help="leave out the independent checker: compiled, no more")
    parser.add_argument("--audit", action="store_true", help="say what decides the statements of Paper.v, and no more")
    chosen = parser.parse_args(arguments)
    if chosen.record and (chosen.no_coqchk or not installed()):
        parser.error("--record needs Coq and the independent checker")
    start = perf_counter()
    paper = audit(HERE)
    lines = "\n".join([paper.summary(), *paper.faults])
    if chosen.audit:
        sys.stdout.write(lines + "\n")
        return 1 if paper.faults else 0
    write(lines)
    if installed():
        states = checked(chosen)
    else:
        write(f"not run here: coqc and coqchk are not installed; {REPEAT}")
        states = recorded_states()
    if chosen.json:
        sys.stdout.write(json.dumps([as_row(state) for state in states.values()], indent=1) + "\n")
    else:
        for name, state in states.items():
            sys.stdout.write(f"{state.state.value:9} {name}{': ' + state.reason if state.reason else ''}\n")
    count = Counter(state.state for state in states.values())
    parts = [f"{number} {state.value}" for state, number in count.items()]
    write(f"{len(states)} claims: {', '.join(parts) or 'none'}, {perf_counter() - start:.0f} s")
    return 1 if count[State.FAILED] or paper.faults or not states else 0


def checked(chosen: argparse.Namespace) -> dict[str, ClaimState]:
    """The states after a run of Coq, which is recorded if that is asked for and nothing failed."""
    done = examine(HERE, write, not chosen.no_coqchk, not chosen.record)
    if chosen.record and all(state.state is State.CHECKED for state in done.states.values()):
        write_record(HERE, done.record)
        write("recorded; python -m panshuffle.proofs.pins puts the record into the root of trust")
    return done.states


if __name__ == "__main__":
    sys.exit(main())
