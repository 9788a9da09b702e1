"""Somebody's program, spoken to over its standard input and output: a request a line in, a result a line out."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any

from crosscheck.runs import Run, parse_line
from exact.errors import InputError

LONGEST_LINE = 50_000_000
LONGEST_COMPLAINT = 200
CHUNK = 1 << 16


@contextmanager
def started(command: str, seconds: float) -> Iterator[Remote]:
    """The program, which is ended when the `with` block is left, whatever it does.

    *Raises* `InputError` for one that can't be started.
    """
    words = shlex.split(command) if command.count("'") % 2 == 0 and command.count('"') % 2 == 0 else command.split()
    if not words:
        raise InputError("command = '' is not allowed: the name of a program is needed")
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, start_new_session=True
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            raise InputError(f"command = {words[0][:80]} can't be started ({reason})") from None
        try:
            yield Remote(process, complaints, seconds)
        finally:
            end(process)


class Remote:
    """A program that answers requests.

    *Raises* `InputError` where it ends, hangs, floods or answers with something else than a run.
    """

    def __init__(self, process: subprocess.Popen[bytes], complaints: IO[bytes], seconds: float) -> None:
        self.process, self.complaints, self.seconds = process, complaints, seconds
        self.rest = b""

    def ask(self, request: Mapping[str, Any], number: int) -> tuple[str, Run]:
        """The answer to one request, as text and as a run."""
        self.send((json.dumps(request) + "\n").encode(), number)
        text = self.line(number)
        return text, parse_line(text, f"the command's answer {number}")

    def send(self, data: bytes, number: int) -> None:
        """Writes a request; a program that does not read it is not waited for longer than the limit."""
        pipe = self.process.stdin
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        deadline = time.monotonic() + self.seconds
        while data:
            if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
                raise InputError(f"the command did not read request {number} within {self.seconds:g} seconds")
            try:
                data = data[os.write(pipe.fileno(), data[:CHUNK]) :]
            except BrokenPipeError:
                raise self.ended(number) from None
            except BlockingIOError:
                continue

    def line(self, number: int) -> str:
        """The next line of the program's output."""
        pipe = self.process.stdout
        assert pipe is not None
        deadline = time.monotonic() + self.seconds
        parts, size = [self.rest], len(self.rest)
        while b"\n" not in parts[-1]:
            if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise InputError(f"the command gave no answer to request {number} within {self.seconds:g} seconds")
            parts.append(os.read(pipe.fileno(), CHUNK))
            size += len(parts[-1])
            if not parts[-1]:
                raise self.ended(number)
            if size > LONGEST_LINE:
                raise InputError(
                    f"the command's answer {number} is longer than {LONGEST_LINE} bytes, or has no end of line"
                )
        text, _, self.rest = b"".join(parts).partition(b"\n")
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise InputError(f"the command's answer {number} is not UTF-8 text") from None

    def ended(self, number: int) -> InputError:
        """The sentence for a program that has ended."""
        try:
            status: int | str = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            status = "unknown"
        self.complaints.seek(0)
        lines = self.complaints.read()[-10_000:].decode(errors="replace").strip().splitlines()
        said = f", its last words: {lines[-1][:LONGEST_COMPLAINT]}" if lines else ""
        return InputError(f"the command ended before it answered request {number} (exit status {status}{said})")


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that we started, and everything that it started in its group."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=0.2)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def answers(remote: Remote, request: Mapping[str, Any], runs: int) -> Iterator[tuple[str, Run]]:
    """The answers to so many requests, which differ in their number only."""
    for number in range(1, runs + 1):
        yield remote.ask({"run": number, **request}, number)
