"""Generated theorems, proved by Coq on the pinned sources: what `check --kernel` rests on.

The sources must be those of the root of trust, the definitions under a theorem those of the record, its axioms the
four, and coqchk has to accept them with all that they need; else nothing is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.checker import (
    IN_FULL,
    definition_digests,
    names_in,
    prepared,
    print_definitions,
    read_record,
)
from panshuffle.proofs.kernel.coq import (
    ask,
    assumptions,
    build_folder,
    checker_faults,
    coqc,
    first_error,
    foreign_axioms,
    installed,
)
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.sources import LIBRARY, read_order
from panshuffle.proofs.verdict import KERNEL
from panshuffle.symbolic.decision import Decision, Status

FILE, THEOREM = "Replay", "replayed"


@dataclass(frozen=True)
class Theorem:
    """A generated Coq file with one theorem, `replayed`, and the modules that it needs."""

    source: str
    modules: tuple[str, ...]


def proved(theorems: Sequence[Theorem], build: Path | None = None, folder: Path = HERE) -> list[Decision]:
    """For each theorem proved where Coq and coqchk accept it; undecided with the reason else.

    Raises: InputError, where Coq is not on the machine, or the sources are not the pinned ones or do not compile.
    """
    if not installed():
        raise InputError("a replay needs Coq 8.16 (the programs coqc and coqchk), which is not on this machine")
    with build_folder(build) as made:
        faults = prepared(folder, made, only={module for theorem in theorems for module in theorem.modules})
        if faults:
            raise InputError(faults[0])
        files = [f"{FILE}{number}" for number in range(len(theorems))]
        reasons = [compiled(file, theorem, folder, made) for file, theorem in zip(files, theorems, strict=True)]
        good = [file for file, reason in zip(files, reasons, strict=True) if reason is None]
        faults = checker_faults(good, made) if good else []
    last = faults[0] if faults else None
    return [refused(reason or last) if reason or last else Decision(Status.PROVED, KERNEL) for reason in reasons]


def compiled(file: str, theorem: Theorem, folder: Path, build: Path) -> str | None:
    """Why Coq does not prove a theorem, on the recorded definitions and the four axioms; None where it does."""
    (build / f"{file}.v").write_text(theorem.source, encoding="utf-8")
    status, errors = coqc(f"{file}.v", build)
    return f"Coq says {first_error(errors)[1]}" if status else next(theorem_faults(file, folder, build), None)


def theorem_faults(file: str, folder: Path, build: Path) -> Iterator[str]:
    """What is wrong with the axioms and the definitions under the theorem of a file."""
    order, theorem = read_order(folder), f"{file}.{THEOREM}"
    preamble = f"From Coq Require Import Reals ZArith List.\nFrom {LIBRARY} Require {file}.\n{IN_FULL}"
    printed = ask({"type": f"Check {theorem}", "axioms": f"Print Assumptions {theorem}"}, preamble, build)
    for axiom in foreign_axioms(assumptions(printed["axioms"]), preamble, build):
        yield f"it rests on {axiom}, which is not one of the four axioms"
    roots = names_in(printed["type"], order)
    found = definition_digests(print_definitions(roots, set(), order, preamble, build)) if roots else {}
    known = read_record(folder).definitions
    if not roots:
        yield "it says nothing about a protocol"
    for name, value in found.items():
        if known.get(name) != value:
            yield f"the definition {name} is not as recorded"


def refused(reason: str | None) -> Decision:
    """Not proved, with the reason."""
    return Decision(Status.UNDECIDED, "none", reason)
