"""The kernel's answer for every claim: checked by Coq here and now, recorded, or failed.

Both ways to it begin with the root of trust: every file of the kernel must be as it is pinned there.  For
`recorded_states` that and the record are all; for `examine` a copy of the sources is compiled, Coq has to accept each
constant at its pinned statement, the assumptions of each are compared with the four axioms of the real numbers by full
name and the definitions under the statements with the record, and coqchk checks all compiled files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel import pins
from panshuffle.proofs.kernel.coq import (
    ask,
    assumptions,
    build_folder,
    checker_faults,
    compile_sources,
    coqc,
    first_error,
    foreign_axioms,
    installed,
    namesakes,
    path_faults,
    version,
)
from panshuffle.proofs.kernel.pins import HERE, Claim, read_claims
from panshuffle.proofs.kernel.sources import LIBRARY, audit, defined, digests, read_order, source_faults
from panshuffle.proofs.root import closed, differing, digest, kernel_faults, write
from panshuffle.proofs.verdict import KERNEL, RECORDED
from panshuffle.symbolic.decision import Decision, Status

# The record of the last full successful run, for machines without Coq: it says what ran, and is no run itself.

RECORD = "record.json"
REPEAT = "anyone with Coq 8.16 and Coquelicot 3 (Debian: apt-get install coq libcoq-coquelicot): make kernel"


@dataclass(frozen=True)
class Record:
    """What was checked, by which Coq: digests of the sources and of the definitions as Coq printed them.

    `claims` gives for each claim the definitions that its statement rests on; `repeat` says who can repeat the run.
    """

    repeat: str = REPEAT
    coq: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    claims: dict[str, list[str]] = field(default_factory=dict)


def read_record(folder: Path) -> Record:
    """The record of a folder, an empty one where there is none."""
    path = folder / RECORD
    return Record(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Record()


def write_record(folder: Path, record: Record) -> None:
    """Put a record into a folder."""
    write(json.dumps(asdict(record), indent=1, sort_keys=True) + "\n", folder / RECORD)


# The definitions that the pinned statements rest on, found by machine from what Coq prints.


def names_in(printed: str, modules: list[str]) -> set[str]:
    """The constants of our modules that a printed term mentions, as Module.name."""
    pattern = rf"(?<![\w.'])(?:{LIBRARY}\.)?((?:{'|'.join(modules)})\.[A-Za-z_][\w']*)"
    return set(re.findall(pattern, printed))


def print_definitions(
    roots: set[str], likely: set[str], modules: list[str], preamble: str, build: Path
) -> dict[str, str]:
    """What Coq prints for the roots and for everything of ours that they mention, transitively.

    `likely` names are asked for in the first round, so that there is seldom a second one; they may be more than needed.
    """
    printed: dict[str, str] = {}
    wanted = roots | likely
    while wanted:
        printed |= ask({name: f"Print {name}" for name in sorted(wanted)}, preamble, build)
        wanted = {name for text in printed.values() for name in names_in(text, modules)} - printed.keys()
    return {name: printed[name] for name in mentioned(roots, printed, modules)}


def mentioned(roots: set[str], printed: dict[str, str], modules: list[str]) -> list[str]:
    """The names that the roots mention, and what those mention, sorted."""
    return sorted(closed(roots, lambda name: names_in(printed[name], modules)))


def definition_digests(printed: dict[str, str]) -> dict[str, str]:
    """The sha256 of each definition as printed, apart from the places of line breaks."""
    return {name: digest(" ".join(text.split()).encode("utf-8")) for name, text in sorted(printed.items())}


SCOPE = """From Coq Require Import Reals ZArith List Bool Permutation.
Import ListNotations.
Open Scope R_scope.
"""
PINS_FILE = "PinsOfTheLedger"
IN_FULL = "Set Printing All.\nSet Printing Depth 1000000.\nSet Printing Width 200.\n"
"""What makes Coq print definitions whole."""


class State(Enum):
    """How far a claim is established: by Coq and coqchk here, by Coq alone, by an earlier run that is not repeated, or not."""

    CHECKED = "checked"
    COMPILED = "compiled"
    RECORDED = "recorded"
    FAILED = "failed"


@dataclass(frozen=True)
class ClaimState:
    """A claim with its state, and the reason where it failed."""

    claim: Claim
    state: State
    reason: str | None = None


@dataclass(frozen=True)
class Examination:
    """The states of all claims after a run of Coq, and what a record of it says."""

    states: dict[str, ClaimState]
    record: Record


def quiet(line: str) -> None:
    """Say nothing."""


def root_faults(folder: Path) -> list[str]:
    """Which files of the kernel are not as the root of trust has them."""
    record = folder / RECORD
    found = digests(folder) | ({RECORD: digest(record.read_bytes())} if record.exists() else {})
    return kernel_faults(found)


def recorded_states(folder: Path = HERE) -> dict[str, ClaimState]:
    """Each claim as recorded if root and record are of exactly these sources and pins, else as failed."""
    claims = read_claims(folder)
    record = read_record(folder)
    reasons = root_faults(folder)
    odd = differing(digests(folder), record.sources)
    reasons += [f"{name} is not as recorded: run python -m panshuffle.proofs.kernel --record" for name in odd]
    states = {}
    for name, claim in claims.items():
        missing = [] if name in record.claims else ["the record does not have this claim"]
        reason = next(iter(reasons + missing), None)
        states[name] = ClaimState(claim, State.FAILED if reason else State.RECORDED, reason)
    return states


def examine(
    folder: Path = HERE, say: Callable[[str], None] = quiet, independent: bool = True, compare: bool = True
) -> Examination:
    """The states after compiling the sources and asking Coq about every pin, in the folder of `build_folder`.

    `compare` compares with the root and the record; without it the record is about to be rewritten.
    """
    with build_folder() as place:
        return examine_in(place, folder, say, independent, compare)


def examine_in(
    build: Path,
    folder: Path,
    say: Callable[[str], None] = quiet,
    independent: bool = True,
    compare: bool = True,
    only: Collection[str] | None = None,
) -> Examination:
    """As `examine`, in a given folder, where files that are compiled already are not compiled again; all claims or some."""
    claims = {name: claim for name, claim in read_claims(folder).items() if only is None or name in only}
    before = digests(folder)
    faults = prepared(folder, build, say, compare)
    say(f"coqc {len(claims)} pins, and a false one")
    faults = faults or false_pin_faults(claims, read_order(folder), build)
    if faults:
        return Examination(all_failed(claims, faults[0]), Record())
    with ThreadPoolExecutor(1) as beside:
        if independent:
            say("coqchk, all files of ours and all that they need")
            independently = beside.submit(checker_faults, read_order(folder), build)
        reasons, made = judged(claims, folder, build, say)
        if compare:
            reasons |= definition_faults(made, read_record(folder), reasons)
        if independent:
            faults = independently.result() or checker_faults([PINS_FILE], build, alone=True)
            reasons |= {name: faults[0] for name in claims if faults and name not in reasons}
    if digests(folder) != before:
        return Examination(all_failed(claims, "the sources changed while Coq ran"), Record())
    held = State.CHECKED if independent else State.COMPILED
    states = {
        name: ClaimState(claim, State.FAILED if name in reasons else held, reasons.get(name))
        for name, claim in claims.items()
    }
    return Examination(states, made)


def prepared(
    folder: Path,
    build: Path,
    say: Callable[[str], None] = quiet,
    compare: bool = True,
    only: Collection[str] | None = None,
) -> list[str]:
    """What is wrong with the sources, which are compiled in a folder: all of them, or some and what they require."""
    faults = (root_faults(folder) if compare else []) or text_faults(folder, build)
    return faults or compile_sources(folder, build, say, only) or path_faults(build)


def text_faults(folder: Path, build: Path) -> list[str]:
    """What is wrong with the texts of the sources, before anything is compiled."""
    modules = read_order(folder)
    texts = [(module, (folder / f"{module}.v").read_text(encoding="utf-8")) for module in modules]
    faults = [fault for module, text in texts for fault in source_faults(module, text)]
    return faults or namesakes(modules, build) or list(audit(folder).faults)


def judged(
    claims: dict[str, Claim], folder: Path, build: Path, say: Callable[[str], None]
) -> tuple[dict[str, str], Record]:
    """Which claims Coq does not accept on the four axioms, and what a record of the compiled sources says."""
    modules = read_order(folder)
    reasons, preamble = pin_faults(claims, modules, build)
    accepted = {name: claim for name, claim in claims.items() if name not in reasons}
    say("definitions and assumptions")
    types, faulty = types_and_assumptions(accepted, preamble, build)
    roots = {name: names_in(text, modules) for name, text in types.items()}
    every = {root for found in roots.values() for root in found}
    texts = {module: (folder / f"{module}.v").read_text(encoding="utf-8") for module in modules}
    likely = {f"{module}.{name}" for module, text in texts.items() for name in defined(text)}
    printed = print_definitions(every, likely, modules, preamble, build)
    rests = {name: mentioned(found, printed, modules) for name, found in roots.items()}
    made = Record(coq=version(build), sources=digests(folder), definitions=definition_digests(printed), claims=rests)
    return reasons | faulty, made


def false_pin_faults(claims: dict[str, Claim], modules: list[str], build: Path) -> list[str]:
    """What is wrong if Coq does not refuse the first claim's constant at the statement 1 = 2, in its line."""
    load = SCOPE + f"From {LIBRARY} Require {' '.join(modules)}.\n"
    constant = next(iter(claims.values())).constant
    (build / "FalsePin.v").write_text(f"{load}Definition false_pin : 1 = 2 := @{constant}.\n", encoding="utf-8")
    status, errors = coqc("FalsePin.v", build)
    if status == 0:
        return [f"Coq accepts {constant} at the statement 1 = 2"]
    line, said = first_error(errors)
    return [] if line > load.count("\n") else [f"the false pin does not compile: {said}"]


def all_failed(claims: dict[str, Claim], fault: str) -> dict[str, ClaimState]:
    """Every claim failed for one reason."""
    return {name: ClaimState(claim, State.FAILED, fault) for name, claim in claims.items()}


def pin_faults(claims: dict[str, Claim], modules: list[str], build: Path) -> tuple[dict[str, str], str]:
    """Which claims Coq does not accept at their statement, and how to refer to the accepted ones in later questions.

    The statements are read with the notations of the standard library only: our modules are required, not imported.
    """
    reasons: dict[str, str] = {}
    load = SCOPE + f"From {LIBRARY} Require {' '.join(modules)}.\n"
    while True:
        text, ends = load, {}
        for name, claim in claims.items():
            if name not in reasons:
                text += f"Definition {claim.pin} : ({claim.statement}) := @{claim.constant}.\n"
                ends[name] = text.count("\n")
        (build / f"{PINS_FILE}.v").write_text(text, encoding="utf-8")
        status, errors = coqc(f"{PINS_FILE}.v", build)
        if status == 0:
            return reasons, load + f"From {LIBRARY} Require Import {PINS_FILE}.\n" + IN_FULL
        line, said = first_error(errors)
        refused = next((name for name, end in ends.items() if line <= end), None)
        if refused is None or line <= load.count("\n"):
            return reasons | dict.fromkeys(ends, f"the pins do not compile: {said}"), load
        reasons[refused] = f"Coq does not accept {claims[refused].constant} at the pinned statement: {said}"


def types_and_assumptions(
    claims: dict[str, Claim], preamble: str, build: Path
) -> tuple[dict[str, str], dict[str, str]]:
    """The types of the pins as Coq prints them, and which claims rest on anything but the four axioms.

    The assumptions are asked for all at once, then one by one if that shows another.
    """
    if not claims:
        return {}, {}
    together = f"Definition every_pin := ({', '.join(claim.pin for claim in claims.values())}, tt).\n"
    questions = {name: f"Check {claim.pin}" for name, claim in claims.items()}
    types = ask(questions | {"": "Print Assumptions every_pin"}, preamble + together, build)
    if not foreign_axioms(assumptions(types.pop("")), preamble + together, build):
        return types, {}
    answers = ask({name: f"Print Assumptions {claim.pin}" for name, claim in claims.items()}, preamble, build)
    reasons = {}
    for name, printed in answers.items():
        extra = foreign_axioms(assumptions(printed), preamble, build)
        if extra:
            reasons[name] = f"{claims[name].constant} rests on {extra[0]}, which is not one of the four axioms"
    return types, reasons


def definition_faults(made: Record, record: Record, known: dict[str, str]) -> dict[str, str]:
    """Which claims rest on a definition that is not the recorded one."""
    reasons = {}
    for name, rests in made.claims.items():
        changed = [rest for rest in rests if made.definitions[rest] != record.definitions.get(rest)]
        if changed and name not in known:
            reasons[name] = f"the definition {changed[0]} is not as recorded"
    return reasons


# The kernel's answers for the ledger: the tier says whether Coq ran for them or an earlier run is recorded.


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
    states = examine(HERE, say).states
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
    known = pins.claim(name)
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
