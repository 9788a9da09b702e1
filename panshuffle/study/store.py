"""The store of answers: one file an answer, named by the question and the code's version, safe against being killed.

A file appears in one step (written beside its place, flushed to the disk, renamed) and carries a checksum.  A question
that is being computed is claimed by a lock on one byte of the file `claims`, which the system drops when the process
that holds it ends, however it ends: there are no stale claims.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from panshuffle.exact.errors import InputError
from panshuffle.study.answering import StudyOutcome
from panshuffle.study.study_file import Entry

NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
"""What a file system without record locks says; two studies may then both compute a question, and store the same."""


class Store:
    """The answers that are there, and the claims on those that are being computed."""

    def __init__(self, folder: str, code: str) -> None:
        self.folder = Path(folder)
        self.code = code
        self.damaged: set[str] = set()
        self.stored = 0
        self.claims = -1

    @contextmanager
    def opened(self) -> Iterator[None]:
        """The store made ready for claims and answers.  *Raises* `InputError` where it can't be written."""
        trial = self.folder / f".{os.getpid()}.tmp"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.remove_temporary()
            write_flushed(trial, b"")
            trial.unlink()
            self.claims = os.open(self.folder / "claims", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as problem:
            raise self.unwritable(problem) from None
        try:
            yield
        finally:
            os.close(self.claims)

    def unwritable(self, problem: OSError) -> InputError:
        """The sentence on a store that can't be written."""
        safe = f"; the {self.stored} answers of this run are safe, run the same command again" if self.stored else ""
        return InputError(f"store {self.folder}: the folder can't be written ({problem.strerror}){safe}")

    def path(self, question: Entry) -> Path:
        """The place of an answer."""
        key = question.key(self.code)
        return self.folder / key[:2] / f"{key}.json"

    def get(self, question: Entry) -> StudyOutcome | None:
        """The stored outcome; None where there is none or it is not what was written."""
        path = self.path(question)
        try:
            content = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as problem:
            raise InputError(f"store {self.folder}: {path.name} can't be read ({problem.strerror})") from None
        found = checked(content, question.text, self.code)
        if found is None:
            self.damaged.add(question.text)
        return found

    def put(self, question: Entry, outcome: StudyOutcome) -> None:
        """Stores an outcome.  *Raises* `InputError` where the disk is full or the folder can't be written."""
        body = json.dumps({"question": question.text, "code": self.code, "outcome": outcome}).encode()
        path = self.path(question)
        temporary = path.with_name(f".{path.stem}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(exist_ok=True)
            try:
                write_flushed(temporary, sha256(body).hexdigest().encode() + b"\n" + body + b"\n")
                temporary.replace(path)
            finally:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
            flush_folder(path.parent)
        except OSError as problem:
            raise self.unwritable(problem) from None
        self.stored += 1

    def claim(self, question: Entry) -> bool:
        """Whether the question is now ours to compute; not if another process is computing it."""
        try:
            from fcntl import LOCK_EX, LOCK_NB, lockf
        except ImportError:
            return True
        try:
            lockf(self.claims, LOCK_EX | LOCK_NB, 1, self.offset(question))
        except (BlockingIOError, PermissionError):
            return False
        except OSError as problem:
            if problem.errno not in NO_LOCKS:
                raise self.unwritable(problem) from None
        return True

    def release(self, question: Entry) -> None:
        """Gives up the claim on a question."""
        try:
            from fcntl import LOCK_UN, lockf
        except ImportError:
            return
        with suppress(OSError):
            lockf(self.claims, LOCK_UN, 1, self.offset(question))

    def offset(self, question: Entry) -> int:
        """The byte of the file `claims` that stands for the question: 60 bits of its key."""
        return int(question.key(self.code)[:15], 16)

    def remove_temporary(self) -> None:
        """Removes what killed processes have left half written."""
        for path in (*self.folder.glob(".*.tmp"), *self.folder.glob("??/.*.tmp")):
            process = path.name.split(".")[-2]
            if process.isdigit() and not is_alive(int(process)):
                path.unlink(missing_ok=True)


def checked(content: bytes, text: str, code: str) -> StudyOutcome | None:
    """The outcome in a stored file; None unless the checksum, the question and the code are right."""
    digest, _, body = content.partition(b"\n")
    if sha256(body.removesuffix(b"\n")).hexdigest().encode() != digest:
        return None
    entry = json.loads(body)
    if (entry["question"], entry["code"]) != (text, code):
        return None
    found: StudyOutcome = entry["outcome"]
    return found


def write_flushed(path: Path, content: bytes) -> None:
    """Writes a new file and waits until the disk has it."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_folder(folder: Path) -> None:
    """Waits until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_alive(process: int) -> bool:
    """Whether a process of that number runs on this machine."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
