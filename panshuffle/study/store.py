"""The store of outcomes: a file to which each is appended with its checksum as it arrives, safe against being killed.

A line is there once the disk has it; half a line, which a killed writer leaves, is cut off.  A study that has the store
open locks others out, by a lock that the system drops when its process ends, however it ends.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Self, TypedDict

from panshuffle.exact.errors import InputError
from panshuffle.study.answering import StudyOutcome

NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
"""What a file system without locks says; nobody may then run two studies on one store at once."""


class Stored(TypedDict):
    """A line of the store."""

    question: str
    code: str
    outcome: StudyOutcome


class Store:
    """The outcomes that are kept for one version of the code, by the questions' lines, while the store is open.

    `damaged` counts the lines that are not as they were written, `stored` those that were added.  *Raises* `InputError`
    where the folder can't be read or written, or another study has it open.
    """

    def __init__(self, folder: str, code: str) -> None:
        self.folder, self.code = Path(folder), code
        self.outcomes: dict[str, StudyOutcome] = {}
        self.damaged = self.stored = 0
        self.opened = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                self.lock_out(opened.enter_context((self.folder / "lock").open("ab")))
                self.read(self.folder / "answers")
                self.answers = opened.enter_context((self.folder / "answers").open("ab", buffering=0)).fileno()
            except OSError as problem:
                raise self.unusable(problem) from None
            self.opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    def lock_out(self, lock: IO[bytes]) -> None:
        """Keeps other studies out.  *Raises* `InputError` where one of them does that already."""
        with suppress(ImportError):
            from fcntl import LOCK_EX, LOCK_NB, flock

            try:
                flock(lock, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise InputError(f"store {self.folder}: another study is using it; wait until that has ended") from None
            except OSError as problem:
                if problem.errno not in NO_LOCKS:
                    raise

    def unusable(self, problem: OSError) -> InputError:
        """The sentence on a store that can't be written."""
        safe = f"; the {self.stored} answers of this run are safe, run the same command again" if self.stored else ""
        return InputError(f"store {self.folder}: the folder can't be written ({problem.strerror}){safe}")

    def read(self, path: Path) -> None:
        """Reads what is there; damaged lines, and half a line at the end, are taken out."""
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        found = [(line, entry(line)) for line in lines]
        self.damaged = sum(one is None and line.endswith(b"\n") for line, one in found)
        for _, one in found:
            if one is not None and one["code"] == self.code:
                self.outcomes[one["question"]] = one["outcome"]
        if any(one is None for _, one in found):
            repaired = path.with_suffix(".repaired")
            with repaired.open("wb") as stream:
                stream.writelines(line for line, one in found if one is not None)
                stream.flush()
                os.fsync(stream.fileno())
            repaired.replace(path)

    def put(self, question: str, outcome: StudyOutcome) -> None:
        """Adds an outcome and waits until the disk has it."""
        body = json.dumps({"question": question, "code": self.code, "outcome": outcome}).encode()
        left = memoryview(sha256(body).hexdigest().encode() + b" " + body + b"\n")
        try:
            while left:
                left = left[os.write(self.answers, left) :]
            os.fsync(self.answers)
        except OSError as problem:
            raise self.unusable(problem) from None
        self.outcomes[question] = outcome
        self.stored += 1


def entry(line: bytes) -> Stored | None:
    """What a line says; None unless it is what was written."""
    digest, _, body = line.removesuffix(b"\n").partition(b" ")
    if sha256(body).hexdigest().encode() != digest or not line.endswith(b"\n"):
        return None
    found: Stored | list[object] = json.loads(body)
    return found if isinstance(found, dict) and set(found) == set(Stored.__annotations__) else None
