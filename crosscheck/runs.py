"""Runs of somebody's implementation, as `panshuffle sample` writes them: read from files, or asked of a program."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from panshuffle.exact.child import Child, Ended, Late, TooLong
from panshuffle.exact.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


KEYS = ("pools", "messages", "state", "output", "run", "hash")
LARGEST = 10**15  # whole numbers above this are not exact in everybody's JSON
ROWS = 4096  # rows of an array that are read together
LABEL = re.compile(r"-?[0-9]{1,11}")


@dataclass(frozen=True)
class Run:
    """What one run shows; a part that is absent is None.

    `public` are the values of public randomness on the users' data, `unknown` the names of what is not looked at.
    """

    pools: Mapping[int, tuple[int, int]] | None = None
    messages: tuple[tuple[int, int], ...] | None = None
    state: object = None
    output: object = None
    public: tuple[int, ...] | None = None
    unknown: tuple[str, ...] = ()

    def pool(self, j: int) -> tuple[int, int]:
        """(zeros, ones) of a pool; a pool that is not named is empty."""
        return (self.pools or {}).get(j, (0, 0))

    def pools_up_to(self, k: int) -> list[tuple[int, int]]:
        """(zeros, ones) of the pools 1, ..., k."""
        return [self.pool(j) for j in range(1, k + 1)]

    def elsewhere(self, k: int) -> int:
        """The number of messages with a label outside 1, ..., k."""
        return sum(sum(pool) for j, pool in (self.pools or {}).items() if not 1 <= j <= k)


def run_of(value: object, where: str) -> Run:
    """The run that a JSON object describes.  *Raises* `InputError`, naming the place, for anything else.

    >>> run_of({"pools": {"1": [3, 4]}, "output": 1}, "line 1").pool(1)
    (3, 4)
    """
    if not isinstance(value, dict):
        raise InputError(f'{where}: a run is a JSON object such as {{"output": 3}}')
    unknown = tuple(str(key)[:40] for key in value if key not in KEYS)
    if not any(value.get(key) is not None for key in KEYS[:4]):
        if unknown:
            raise InputError(f"{where}: the key '{unknown[0]}' is not known: runs have {', '.join(KEYS)}")
        raise InputError(f"{where}: the run shows nothing: one of {', '.join(KEYS[:4])} is needed")
    pools = None if value.get("pools") is None else pools_of_json(value["pools"], where)
    messages = None if value.get("messages") is None else messages_of_json(value["messages"], where)
    if messages is not None:
        pools = agreeing(pools, messages, where)
    state = value.get("state")
    for key in ("state", "output"):
        check_finite(value.get(key), f"{where}: {key}")
    if isinstance(state, dict) and "pools" in state:
        state = state | {"pools": pools_of_json(state["pools"], f"{where}: state")}
    public = value.get("hash")
    if public is not None and not (isinstance(public, list) and all(map(whole, public))):
        raise InputError(f"{where}: the hash is a list of whole numbers, the values of the users' elements")
    return Run(pools, messages, state, value.get("output"), None if public is None else tuple(public), unknown)


def check_finite(value: object, where: str) -> None:
    """*Raises* `InputError` for a number that is not finite or too large, also in a list."""
    if isinstance(value, float) and not abs(value) <= 1e300:
        raise InputError(f"{where} is not a finite number")
    if isinstance(value, int) and abs(value) > 10**300:
        raise InputError(f"{where} is a number of more than 300 digits")
    for item in value if isinstance(value, list) else ():
        check_finite(item, where)


def whole(value: object) -> TypeGuard[int]:
    """Whether a JSON value is a whole number that is not too large."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def pools_of_json(value: object, where: str) -> dict[int, tuple[int, int]]:
    """The pools {"j": [zeros, ones]} of a run."""
    if isinstance(value, list):
        value = {str(j): counts for j, counts in enumerate(value, start=1)}
    if not isinstance(value, dict):
        raise InputError(f'{where}: pools are an object such as {{"1": [zeros, ones]}}')
    pools: dict[int, tuple[int, int]] = {}
    for label, counts in value.items():
        if LABEL.fullmatch(label) is None:
            raise InputError(f"{where}: the pool's label '{label[:40]}' is not a whole number")
        if int(label) in pools:
            raise InputError(f"{where}: pool {int(label)} is given twice")
        if not (isinstance(counts, list) and len(counts) == 2 and all(whole(c) and c >= 0 for c in counts)):
            shown = json.dumps(counts)[:40]
            raise InputError(f"{where}: pool {label} is {shown}, not [zeros, ones], two whole numbers of at least 0")
        pools[int(label)] = (counts[0], counts[1])
    return pools


def messages_of_json(value: object, where: str) -> tuple[tuple[int, int], ...]:
    """The messages of a run as (label, bit): pairs [j, bit], or bits, which are in pool 1."""
    if not isinstance(value, list):
        raise InputError(f"{where}: messages are a list of bits, or of pairs [j, bit]")
    messages = [item if isinstance(item, list) else [1, item] for item in value]
    for item, parts in zip(value, messages, strict=True):
        if len(parts) != 2 or not all(map(whole, parts)) or parts[1] not in (0, 1):
            raise InputError(f"{where}: the message {json.dumps(item)[:40]} is neither a bit nor a pair [j, bit]")
    return tuple((label, bit) for label, bit in messages)


def agreeing(
    pools: dict[int, tuple[int, int]] | None, messages: Sequence[tuple[int, int]], where: str
) -> dict[int, tuple[int, int]]:
    """The pools of the messages.  *Raises* `InputError` where the run also gives pools, and they are others."""
    counted: dict[int, list[int]] = {}
    for label, bit in messages:
        counted.setdefault(label, [0, 0])[bit] += 1
    result = {label: (zeros, ones) for label, (zeros, ones) in counted.items()}
    if pools is not None:
        for label in sorted({*pools, *result}):
            if pools.get(label, (0, 0)) != result.get(label, (0, 0)):
                given, seen = list(pools.get(label, (0, 0))), list(result.get(label, (0, 0)))
                raise InputError(f"{where}: pool {label} is {given}, but its messages count to {seen}")
    return result


def parse_line(text: str, where: str) -> Run:
    """The run that a line of JSON describes."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{where}: the text is truncated or is not JSON: {text.strip()[:40]}") from None
    return run_of(value, where)


def runs_of_lines(lines: Iterable[str], name: str) -> Iterator[Run]:
    """The runs of a file of JSON lines; empty lines are skipped."""
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield parse_line(text, f"{name}, line {number}")


def runs_of_csv(lines: Iterable[str], name: str) -> Iterator[Run]:
    """The runs of a CSV file.

    Its columns are zeros_J and ones_J for pool J, output or output_J, state or state_J, and n_left; of a state that
    holds pools, state_zeros_J and state_ones_J.
    """
    import csv

    rows = csv.reader(lines)
    try:
        header = [column.strip() for column in next(rows, [])]
        slots = slots_of(header, name)
        for number, row in enumerate(rows, start=2):
            if not any(cell.strip() for cell in row):
                continue
            where = f"{name}, line {number}"
            if len(row) != len(header):
                raise InputError(f"{where}: {len(row)} columns where the header has {len(header)}")
            yield run_of(object_of(slots, row, where), where)
    except csv.Error as problem:
        raise InputError(f"{name}, line {rows.line_num}: the text is not CSV ({problem})") from None


def arrays_of_npy(path: str) -> Iterator[npt.NDArray[np.int64]]:
    """The runs of a NumPy file, some thousands at a time: a run is a row, [zeros, ones] of each pool or the output.

    *Raises* `InputError` for a file that is not an array of whole numbers.
    """
    import numpy as np

    try:
        runs = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror or 'it is no array'})") from None
    except ValueError:
        raise InputError(f"{path}: the file is not an array that NumPy wrote") from None
    if runs.dtype.kind not in "iu" or not 1 <= runs.ndim <= 3:
        raise InputError(f"{path}: an array of whole numbers is needed, one run a row")
    paired = runs.ndim == 2 and runs.shape[1] % 2 == 0
    for start in range(0, len(runs), ROWS):
        block = np.array(runs[start : start + ROWS])
        if block.size and (int(block.max()) > LARGEST or int(block.min()) < -LARGEST):
            raise InputError(f"{path}: rows {start + 1} to {start + len(block)} hold a number beyond {LARGEST}")
        block = block.astype(np.int64)
        yield block.reshape(len(block), -1, 2) if paired else block


def slots_of(header: Sequence[str], name: str) -> list[tuple[str, int]]:
    """What the columns hold.  *Raises* `InputError` for a header that does not say what a run is."""
    slots = [slot_of(column, name) for column in header]
    if len(set(slots)) != len(slots) or not header:
        raise InputError(f"{name}: the header row must name each column once")
    for kind in ("", "state_"):
        zeros, ones = ({j for other, j in slots if other == f"{kind}{part}"} for part in ("zeros", "ones"))
        if zeros != ones:
            j = min(zeros ^ ones)
            raise InputError(f"{name}: the columns {kind}zeros_{j} and {kind}ones_{j} are needed together")
    for kind in ("output", "state"):
        places = sorted(j for other, j in slots if other == kind)
        if places not in ([], [0], list(range(1, len(places) + 1))):
            raise InputError(f"{name}: the columns of the {kind} must be {kind}, or {kind}_1, {kind}_2, and so on")
    kinds = {kind for kind, _ in slots}
    if "state" in kinds and kinds & {"n_left", "state_zeros"}:
        raise InputError(f"{name}: a state is a number, numbers, or pools: state excludes n_left and state_zeros_J")
    return slots


COLUMN = re.compile(r"(zeros|ones|state_zeros|state_ones|output|state)_([0-9]{1,11})")


def slot_of(column: str, name: str) -> tuple[str, int]:
    """What a column holds: (kind, index), where the index of a column without one is 0."""
    if column in ("output", "state", "n_left"):
        return column, 0
    if column in ("zeros", "ones", "state_zeros", "state_ones"):
        return column, 1
    found = COLUMN.fullmatch(column)
    if found is not None and (int(found[2]) or found[1].endswith(("zeros", "ones"))):
        return found[1], int(found[2])
    raise InputError(
        f"{name}: the column '{column[:40]}' is not known: zeros_J, ones_J, output, output_J, state, state_J, n_left"
    )


def object_of(slots: Sequence[tuple[str, int]], row: Sequence[str], where: str) -> dict[str, Any]:
    """The JSON object that a row of CSV stands for."""
    value, state = dict[str, Any](), dict[str, Any]()
    for (kind, index), cell in sorted(zip(slots, row, strict=True)):
        number = cell_value(cell.strip(), where)
        if kind.endswith(("zeros", "ones")):
            holder = state if kind.startswith("state_") else value
            holder.setdefault("pools", {}).setdefault(f"{index}", [0, 0])[kind.endswith("ones")] = number
        elif kind == "n_left":
            state["n_left"] = number
        elif index:
            value.setdefault(kind, []).append(number)
        else:
            value[kind] = number
    return value | ({"state": state} if state else {})


def cell_value(text: str, where: str) -> object:
    """The value of a cell: a number, or a word such as "uniform"."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if text.replace(" ", "").isalpha():
            return text
        raise InputError(f"{where}: '{text[:40]}' is not a number") from None


LONGEST_LINE = 50_000_000  # bytes of an answer: about a million pools, or ten million messages
LONGEST_COMPLAINT = 200  # characters of the program's last words that fit into a sentence
FIRST_ANSWERS = 3  # answers after which it is seen for a moment whether a program prints more than it was asked for
PATIENCE = 0.02  # seconds of that moment
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
        run = parse_line(text, f"the command's answer {number}")
        self.expect_no_more(number)
        return text, run

    def expect_no_more(self, number: int) -> None:
        """*Raises* `InputError` where another line follows an answer."""
        with suppress(Late, Ended, TooLong):
            self.child.line(PATIENCE if number <= FIRST_ANSWERS else 0.0, LONGEST_LINE)
            raise InputError(f"the command printed more than one line for request {number}, and a run is one line")

    def answer(self, request: bytes, number: int) -> str:
        """The line that a request is answered with."""
        failure = f"the command did not read request {number} within {self.seconds:g} seconds"
        try:
            self.child.send(request, self.seconds)
            failure = f"the command gave no answer to request {number} within {self.seconds:g} seconds"
            failure += ": it has to end each answer with a newline, and to flush its output"
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
