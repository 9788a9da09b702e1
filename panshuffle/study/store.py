"""The store of outcomes: a file to which each is appended with its checksum as it arrives, safe against being killed.

A line is there once the disk has it; half a line, which a killed writer leaves, is cut off.  A study that has the store
open locks others out, by a lock that the system drops when its process ends, however it ends.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

from panshuffle.exact.errors import InputError
from panshuffle.output import destination
from panshuffle.study.engine import StudyOutcome

NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
"""What a file system without locks says; nobody may then run two studies on one store at once."""


class Store:
    """The outcomes that are kept for one version of the code, by the questions' lines, while the store is open.

    `damaged` counts the lines that are not as they were written, `stored` those that were added.  *Raises* `InputError`
    where the folder can't be read or written, or another study has it open.
    """

    def __init__(self, folder: str, code: str) -> None:
        self.folder, self.code = Path(folder), code
        self.outcomes: dict[str, StudyOutcome] = {}
        self.damaged = self.stored = 0

    def __enter__(self) -> Self:
        with self.usable(), ExitStack() as opened:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.lock_out(opened.enter_context((self.folder / "lock").open("ab")))
            self.read(self.folder / "answers")
            self.answers = opened.enter_context((self.folder / "answers").open("ab", buffering=0)).fileno()
            self.opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    @contextmanager
    def usable(self) -> Iterator[None]:
        """What goes wrong with the folder, as one sentence."""
        try:
            yield
        except OSError as problem:
            safe = f"; the {self.stored} answers of this run are safe, run the same command again" * bool(self.stored)
            raise InputError(f"store {self.folder}: the folder can't be written ({problem.strerror}){safe}") from None

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

    def read(self, path: Path) -> None:
        """Reads what is there; damaged lines, and half a line at the end, are taken out."""
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = {line: row for line in lines if (row := row_of(line)) is not None}
        left_out = [line for line in lines if line not in whole]
        self.damaged = sum(line.endswith(b"\n") for line in left_out)
        self.outcomes = {row["question"]: row["outcome"] for row in whole.values() if row["code"] == self.code}
        if left_out:
            with destination(str(path)) as stream:
                stream.buffer.writelines(whole)
                stream.buffer.flush()
                os.fsync(stream.fileno())

    def put(self, question: str, outcome: StudyOutcome) -> None:
        """Adds an outcome and waits until the disk has it."""
        body = json.dumps({"question": question, "code": self.code, "outcome": outcome}).encode()
        left = memoryview(checksum(body) + b" " + body + b"\n")
        with self.usable():
            while left:
                left = left[os.write(self.answers, left) :]
            os.fsync(self.answers)
        self.outcomes[question] = outcome
        self.stored += 1


def checksum(body: bytes) -> bytes:
    """What stands before a line, so that damage is noticed."""
    return sha256(body).hexdigest().encode()


def row_of(line: bytes) -> dict[str, Any] | None:
    """The question, code and outcome of a line; None unless it is as it was written."""
    digest, _, body = line.partition(b" ")
    if not body.endswith(b"\n") or checksum(body[:-1]) != digest:
        return None
    found = json.loads(body)
    return found if isinstance(found, dict) and found.keys() == {"question", "code", "outcome"} else None
