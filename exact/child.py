"""Processes of our own: started in a group of their own, asked with a deadline, and ended whatever happens.

`Child` is the side of whoever starts one.  A program of ours takes its side with `own_pipes` and `end_with_parent`, and
computes what may not end in a copy of itself with `in_copy`.  Nothing here waits longer than it is told to.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TextIO

ROOT = str(Path(sys.modules[__name__.partition(".")[0]].__path__[0]).resolve().parent)  # where our package is
CHUNK = 1 << 16  # bytes read or written at a time: what a pipe holds on Linux
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux: the signal that a process gets when its parent is gone
LOOK_EVERY = 0.5  # seconds between two looks at the parent, where the kernel does not tell
EXIT_SECONDS = 1.0  # how long a process whose pipes are closed may take until it has a status
LONGEST_COMPLAINT = 10_000  # bytes of the standard error that are looked at for its last line
GUARD = "import os, signal, sys; sys.stdin.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"
"""A program that ends a group when its own input ends, which it does when whoever started it is gone."""


class Late(Exception):
    """A process did not read or answer in time."""


class Ended(Exception):
    """A process is gone, or has closed its pipes."""


class TooLong(Exception):
    """A line is longer than is allowed, or has no end."""


class Child:
    """A process with its own group, and pipes to its standard input and output that never block.

    A foreign program is in a session of its own, without a terminal, and its standard error is kept for `last_words`.
    *Raises* `OSError` or `ValueError` for a command that can't be started.
    """

    def __init__(
        self, command: Sequence[str], foreign: bool = False, environment: dict[str, str] | None = None
    ) -> None:
        self.owner, self.rest = os.getpid(), bytearray()
        with ExitStack() as beside:
            self.complaints = beside.enter_context(tempfile.TemporaryFile()) if foreign else None
            self.process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.complaints or subprocess.DEVNULL,
                env=environment,
                start_new_session=foreign,
                process_group=None if foreign else 0,
            )
            self.beside = beside.pop_all()
        if foreign:
            try:
                self.beside.callback(end_guard, guard_of(self.process.pid))
            except OSError:
                self.end()
                raise
        assert self.process.stdin is not None and self.process.stdout is not None
        self.into, self.out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.into, False)
        os.set_blocking(self.out, False)

    @classmethod
    def of_module(cls, module: str, *arguments: str, **variables: str) -> Child:
        """A module of ours, run as a program; its first argument is this process, for `end_with_parent`.

        It finds our packages where this process found them, and nothing in the current folder.
        """
        given = os.environ.get("PYTHONPATH")
        paths = [*([] if sysconfig.get_path("purelib") == ROOT else [ROOT]), *([given] if given else [])]
        command = [sys.executable, "-P", "-m", module, str(os.getpid()), *arguments]
        return cls(command, environment=os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | variables)

    @property
    def running(self) -> bool:
        """Whether it runs, and is a child of this process and not of one that this is a copy of."""
        return self.owner == os.getpid() and self.process.poll() is None

    def send(self, data: bytes, seconds: float) -> None:
        """Writes all of the data.  *Raises* `Late` or `Ended`."""
        deadline = time.monotonic() + seconds
        while data:
            if not ready(self.into, select.POLLOUT, deadline):
                raise Late
            try:
                data = data[os.write(self.into, data[:CHUNK]) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Ended from None

    def line(self, seconds: float, longest: int | None = None) -> bytes:
        """The next line, without its end.  *Raises* `Late`, after which one may ask again, `Ended` or `TooLong`."""
        deadline, looked = time.monotonic() + seconds, 0
        while (end := self.rest.find(b"\n", looked)) < 0:
            looked = len(self.rest)
            if longest is not None and looked > longest:
                raise TooLong
            if not ready(self.out, select.POLLIN, deadline):
                raise Late
            part = os.read(self.out, CHUNK)
            if not part:
                raise Ended
            self.rest += part
        found = bytes(self.rest[:end])
        del self.rest[: end + 1]
        return found

    def ask(self, request: object, seconds: float) -> Any:
        """What it answers to a request, both JSON on one line.  *Raises* `Late` or `Ended`."""
        self.send((json.dumps(request) + "\n").encode(), seconds)
        return json.loads(self.line(seconds))

    def status(self) -> int | None:
        """The exit status of a process that has closed its pipes; None if it goes on nevertheless."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(EXIT_SECONDS)
        return None

    def last_words(self) -> str | None:
        """The last line of a foreign program's standard error."""
        if self.complaints is None:
            return None
        self.complaints.seek(max(0, self.complaints.seek(0, os.SEEK_END) - LONGEST_COMPLAINT))
        lines = self.complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else None

    def end(self, grace: float = 0.0) -> None:
        """Ends it with its whole group; with some grace its pipes are closed first, and it may end by itself.

        In a copy of the process that started it, only the pipes are closed.  It may be called again.
        """
        if self.owner == os.getpid() and not grace:
            end_group(self.process.pid)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if self.owner == os.getpid():
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(grace)
            end_group(self.process.pid)
            self.process.wait()
            self.beside.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *problem: object) -> None:
        self.end()


def ready(descriptor: int, event: int, deadline: float) -> bool:
    """Whether a pipe can be read or written, or its other end is gone, before the deadline."""
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(1000 * max(0.0, deadline - time.monotonic())))


def guard_of(group: int) -> subprocess.Popen[bytes]:
    """A process that ends a group once this process is gone, however it ended."""
    command = [sys.executable, "-I", "-S", "-c", GUARD, str(group)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0)


def end_guard(guard: subprocess.Popen[bytes]) -> None:
    """Ends it, before the group's number may be somebody else's."""
    guard.kill()
    guard.communicate()


def end_group(leader: int) -> None:
    """Kills what is left of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end_with_parent(parent: int) -> None:
    """Makes the kernel (on Linux) and a thread (elsewhere, too) end this process when its parent is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Ends this process once it has another parent."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)


def own_pipes(parent: str) -> tuple[TextIO, TextIO]:
    """Requests and replies of a program that `Child.of_module` started, which ends with its parent from now on.

    What else in this process reads the standard input or writes to the standard output meets nothing.
    """
    end_with_parent(int(parent))
    requests, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w", buffering=1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    return requests, replies


def in_copy(work: Callable[[], object], seconds: float | None = None, foreign: bool = False) -> tuple[Any, int]:
    """What `work` gives, as JSON, in a copy of this process, and the copy's exit status; None if it gave nothing.

    The copy has its own group, which is ended, and ends with this process; so does, where the work is foreign, whatever
    that started.  *Raises* `Late` after so many seconds.
    """
    reading, writing = os.pipe()
    here, start = os.getpid(), time.monotonic()
    process = os.fork()
    if process == 0:
        answer_in_copy(work, here, writing)
    os.close(writing)
    with suppress(OSError):  # the copy does the same: whoever is first
        os.setpgid(process, process)
    guard = None
    try:
        guard = guard_of(process) if foreign else None
        text = all_of(reading, None if seconds is None else start + seconds)
    except BaseException:
        end_group(process)
        raise
    finally:
        os.close(reading)
        _, status = os.waitpid(process, 0)
        end_group(process)
        if guard is not None:
            end_guard(guard)
    with suppress(ValueError):
        return json.loads(text), os.waitstatus_to_exitcode(status)
    return None, os.waitstatus_to_exitcode(status)


def all_of(descriptor: int, deadline: float | None) -> bytes:
    """What a pipe gives until its other end is closed.  *Raises* `Late` at the deadline."""
    parts = [b""]
    while deadline is None or ready(descriptor, select.POLLIN, deadline):
        parts.append(os.read(descriptor, CHUNK))
        if not parts[-1]:
            return b"".join(parts)
    raise Late


def answer_in_copy(work: Callable[[], object], parent: int, pipe: int) -> None:
    """Writes what `work` gives and ends this process."""
    status = 1
    try:
        os.setpgid(0, 0)
        end_with_parent(parent)
        with os.fdopen(pipe, "w") as stream:
            json.dump(work(), stream)
        status = 0
    finally:
        os._exit(status)
