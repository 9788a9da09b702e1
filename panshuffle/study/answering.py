"""The answer to one question, by one version of the code and no other, so that changed code is never served an old one.

The version is a hash of the installed sources, and of the versions of what the digits may depend on.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from panshuffle.answer import answer as answered
from panshuffle.answer import resolve
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.output import located
from panshuffle.question import Json, Question
from panshuffle.study.study_file import Entry

PACKAGES = ("panshuffle", *(f"panshuffle.{name}" for name in ("exact", "symbolic", "proofs", "protocols")))
ARITHMETIC = ("python-flint", "numpy")
"""Packages of others whose version is part of the code's: the digits of an enclosure may depend on them."""
SUFFIXES = (".py", ".json", ".toml", ".v")
ONE_AT_A_TIME = threading.Lock()
"""The precision of a process's balls belongs to one question at a time."""
OTHER_CODE = (
    "a worker has other sources of panshuffle, or other versions of python-flint and numpy, than this study: they were "
    "changed while it ran, or the worker is older than the change; what is stored is safe, run the same command again"
)
LOADED: dict[int, str] = {}
"""The version of the sources when this process had loaded a number of modules; they are loaded when they are needed."""


class StudyOutcome(TypedDict):
    """What came of a question: the command's object or an error, the seconds, and whether it may be stored."""

    answer: dict[str, Json] | None
    error: str | None
    seconds: float
    lasting: bool


@cache
def folders() -> dict[str, Path]:
    """The folders in which our packages are installed."""
    return {name.replace(".", "/"): Path(next(iter(import_module(name).__path__))) for name in PACKAGES}


def code_version() -> str:
    """A hash of all our sources as they are now, and of the versions of the arithmetic."""
    digest = sha256("\n".join(f"{name} {version(name)}" for name in ARITHMETIC).encode())
    sources = {
        f"{package}/{path.relative_to(folder).as_posix()}": path
        for package, folder in folders().items()
        for path in folder.rglob("*")
        if path.suffix in SUFFIXES and not path.name.startswith(".")
    }
    for name in sorted(sources):
        digest.update(f"\n{name} ".encode() + sha256(sources[name].read_bytes()).digest())
    return digest.hexdigest()[:16]


def confirm(code: str) -> None:
    """*Raises* `InputError` unless everything that is loaded is of this version: a mixture answers nothing."""
    if len(sys.modules) not in LOADED:
        try:
            LOADED[len(sys.modules)] = code_version()
        except OSError:  # a source that is being replaced
            LOADED[len(sys.modules)] = ""
    if set(LOADED.values()) != {code}:
        raise InputError(OTHER_CODE)


def answer_text(text: str, code: str) -> StudyOutcome:
    """The outcome of a question in its canonical line, by the version of the code that is asked for and no other."""
    with ONE_AT_A_TIME:
        confirm(code)
        found = outcome(Question.of_json(text))
        confirm(code)
        return found


def check_questions(path: str, entries: Sequence[Entry]) -> None:
    """*Raises* `InputError`, with the entry of the file, for the first question that would be refused.

    Every question is resolved: its numbers, its target, the record of its protocol.  What comes out only by computing,
    such as a target that nothing meets, is a row of the table.
    """
    for entry in entries:
        with located(f"{path}: {entry.where}"):
            resolve(entry.question)


def outcome(question: Question) -> StudyOutcome:
    """The outcome of a question; what goes wrong inside is an error, too, but not one to keep."""
    begun = sum(os.times()[:4])  # what this process and those that it has started took, however busy the machine is
    answer, error, lasting = None, None, True
    try:
        answer = answered(question).as_dict()
    except (InputError, Undecided) as problem:
        error = str(problem)
    except Exception as problem:
        error, lasting = f"an error inside panshuffle: {type(problem).__name__}: {problem}", False
    return StudyOutcome(answer=answer, error=error, seconds=sum(os.times()[:4]) - begun, lasting=lasting)
