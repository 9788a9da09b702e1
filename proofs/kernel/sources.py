"""The Coq files: their order, their digests, and the few commands that they may use."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from proofs.kernel.pins import PINS

PROJECT = "_CoqProject"
LIBRARY = "PanshuffleKernel"
COMMANDS = {
    *("From", "Import", "Open", "Definition", "Fixpoint", "Lemma", "Theorem", "Corollary"),
    *("Section", "End", "Instance", "Proof", "Qed", "Defined"),
}
IN_SECTIONS = {"Variable", "Variables", "Hypothesis", "Hypotheses", "Let"}
FORBIDDEN = re.compile(
    r"\b(admit|give_up|Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort|bypass_check"
    r"|native_compute|native_cast_no_check|Unset|Notation|Infix|Coercion|Canonical|Load|Declare|Global)\b"
)
SENTENCE = re.compile(r"(.*?)\.(?=\s|$)", re.DOTALL)
ATTRIBUTE = re.compile(r"#\[local\]\s*")
REQUIRED = re.compile(rf"From {LIBRARY} Require Import ([\w\s]+)")
DEFINED = re.compile(r"(?:Definition|Fixpoint)\s+([A-Za-z_][\w']*)")
OPENERS = {"Lemma", "Theorem", "Corollary", "Instance"}


@dataclass(frozen=True)
class Fault:
    """What is wrong, in one line."""

    reason: str


def read_order(folder: Path) -> list[str]:
    """The modules in the order in which they compile, as the project file lists them.

    Raises: ValueError, where the project file and the folder do not list the same files.
    """
    lines = (folder / PROJECT).read_text(encoding="utf-8").split("\n")
    listed = [line.strip() for line in lines if line.strip().endswith(".v")]
    present = sorted(path.name for path in folder.glob("*.v"))
    if sorted(listed) != present:
        odd = sorted(set(listed) ^ set(present)) or ["a file twice"]
        raise ValueError(f"{PROJECT} and the folder disagree on {', '.join(odd)}")
    return [name.removesuffix(".v") for name in listed]


def digest(text: bytes) -> str:
    """The sha256 of some bytes."""
    return hashlib.sha256(text).hexdigest()


def digests(folder: Path) -> dict[str, str]:
    """The sha256 of every Coq file, of the project file and of the pins."""
    names = [*(f"{module}.v" for module in read_order(folder)), PROJECT, PINS]
    return {name: digest((folder / name).read_bytes()) for name in names}


def required(text: str) -> list[str]:
    """The modules of ours that a file requires."""
    return [module for group in REQUIRED.findall(uncommented(text)) for module in group.split()]


def defined(text: str) -> list[str]:
    """The names that a file defines."""
    sentences = [sentence[1].strip() for sentence in SENTENCE.finditer(uncommented(text))]
    return [found[1] for found in map(DEFINED.match, sentences) if found]


def uncommented(text: str) -> str:
    """The text with its comments and strings blanked out, line by line as long as before."""
    out: list[str] = []
    depth, quoted, at = 0, False, 0
    while at < len(text):
        two, one = text[at : at + 2], text[at]
        if not quoted and two == "(*":
            depth, step = depth + 1, 2
        elif not quoted and depth and two == "*)":
            depth, step = depth - 1, 2
        elif one == '"':
            quoted, step = not quoted, 1
        else:
            step = 0
        hidden = step > 0 or depth > 0 or quoted
        width = step or 1
        out.append("".join("\n" if mark == "\n" else " " if hidden else mark for mark in text[at : at + width]))
        at += width
    return "".join(out)


def source_faults(module: str, text: str) -> list[Fault]:
    """The commands that a file must not use, with their lines.

    Coq is the judge of proofs; this refuses what could change the meaning of a pin or hide an assumption.
    """
    clean = uncommented(text)
    faults = []
    for found in FORBIDDEN.finditer(clean):
        faults.append(Fault(f"{module}.v, line {line_of(clean, found.start())}: {found[0]} is not allowed"))
    sections = 0
    proving = False
    for sentence in SENTENCE.finditer(clean):
        words = ATTRIBUTE.sub("", sentence[1].strip().lstrip("-+*{} \n")).split()
        command = words[0] if words else ""
        where = f"{module}.v, line {line_of(clean, sentence.end(1))}"
        if proving:
            proving = command not in {"Qed", "Defined"}
            if proving and re.match(r"[A-Z]", command) and command != "Proof":
                faults.append(Fault(f"{where}: {command} is not allowed inside a proof"))
            continue
        sections += {"Section": 1, "End": -1}.get(command, 0)
        if command in IN_SECTIONS:
            if sections == 0:
                faults.append(Fault(f"{where}: {command} is not allowed outside of a section"))
        elif command not in COMMANDS:
            faults.append(Fault(f"{where}: {command or 'an empty sentence'} is not one of the allowed commands"))
        proving = command in OPENERS
    return faults


def line_of(text: str, position: int) -> int:
    """The number of the line at a position, from 1."""
    return text.count("\n", 0, position) + 1
