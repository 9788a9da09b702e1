"""The Coq files: their order, their digests, and their text without comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from panshuffle.proofs.kernel.pins import PINS
from panshuffle.proofs.root import digest

PROJECT = "_CoqProject"
LIBRARY = "PanshuffleKernel"
SENTENCE = re.compile(r"(.*?)\.(?=\s|$)", re.DOTALL)
REQUIRED = re.compile(rf"From {LIBRARY} Require (?:Import )?([\w\s]+)")
DEFINED = re.compile(r"(?:Definition|Fixpoint)\s+([A-Za-z_][\w']*)")


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
    """The text with its comments and what is in strings blanked out, line by line as long as before.

    The marks of a string outside of comments stay.
    """
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
        hidden = depth > 0 or (step == 2 or quoted if one != '"' else False)
        width = step or 1
        out.append("".join("\n" if mark == "\n" else " " if hidden else mark for mark in text[at : at + width]))
        at += width
    return "".join(out)


def line_of(text: str, position: int) -> int:
    """The number of the line at a position, from 1."""
    return text.count("\n", 0, position) + 1
