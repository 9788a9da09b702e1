"""Somebody's program, spoken to over its standard input and output: a request a line in, a result a line out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from panshuffle.crosscheck.runs import Run, parse_line
from panshuffle.exact.child import Child, Ended, Late, TooLong
from panshuffle.exact.errors import InputError

LONGEST_LINE = 50_000_000  # bytes of an answer: about a million pools, or ten million messages
LONGEST_COMPLAINT = 200  # characters of the program's last words that fit into a sentence
GRACE_SECONDS = 0.2  # how long a program may take to end by itself once there are no more requests


@contextmanager
def started(command: str, seconds: float) -> Iterator[ForeignProgram]:
    """The program, which is ended when the `with` block is left, whatever it does.

    *Raises* `InputError` for one that can't be started.
    """
    words = shlex.split(command) if command.count("'") % 2 == 0 and command.count('"') % 2 == 0 else command.split()
    if not words:
        raise InputError("command = '' is not allowed: the name of a program is needed")
    try:
        child = Child(words, foreign=True)
    except OSError as problem:
        raise InputError(f"command = {words[0][:80]} can't be started ({problem.strerror or problem})") from None
    except ValueError as problem:
        raise InputError(f"command = {words[0][:80]} can't be started ({problem})") from None
    try:
        yield ForeignProgram(child, seconds)
    finally:
        child.end(GRACE_SECONDS)


class ForeignProgram:
    """A program that answers requests.

    *Raises* `InputError` where it ends, hangs, floods or answers with something else than a run.
    """

    def __init__(self, child: Child, seconds: float) -> None:
        self.child, self.seconds = child, seconds

    def ask(self, request: Mapping[str, object], number: int) -> tuple[str, Run]:
        """The answer to one request, as text and as a run."""
        text = self.answer((json.dumps(request) + "\n").encode(), number)
        return text, parse_line(text, f"the command's answer {number}")

    def answer(self, request: bytes, number: int) -> str:
        """The line that a request is answered with."""
        failure = f"the command did not read request {number} within {self.seconds:g} seconds"
        try:
            self.child.send(request, self.seconds)
            failure = f"the command gave no answer to request {number} within {self.seconds:g} seconds"
            return self.child.line(self.seconds, LONGEST_LINE).decode()
        except Late:
            raise InputError(failure) from None
        except Ended:
            raise InputError(f"the command ended before it answered request {number} ({self.end_in_words()})") from None
        except TooLong:
            raise InputError(
                f"the command's answer {number} is longer than {LONGEST_LINE} bytes, or has no end of line"
            ) from None
        except UnicodeDecodeError:
            raise InputError(f"the command's answer {number} is not UTF-8 text") from None

    def end_in_words(self) -> str:
        """How the program ended."""
        status, words = self.child.status(), self.child.last_words()
        said = f", its last words: {words[:LONGEST_COMPLAINT]}" if words else ""
        return f"exit status {'unknown' if status is None else status}{said}"


def answers(program: ForeignProgram, request: Mapping[str, object], runs: int) -> Iterator[tuple[str, Run]]:
    """The answers to so many requests, which differ in their number only."""
    for number in range(1, runs + 1):
        yield program.ask({"run": number, **request}, number)
