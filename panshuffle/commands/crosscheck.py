"""`panshuffle crosscheck`: somebody's samples, or somebody's program, against the exact laws of a protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from panshuffle.answers import crosscheck
from panshuffle.answers.attack import alarm_of
from panshuffle.card import AnyCard, card
from panshuffle.crosscheck.examination import TOO_FEW
from panshuffle.crosscheck.reference.model import TOLERANCE
from panshuffle.crosscheck.runs import Run, answers, arrays_of_npy, runs_of_csv, runs_of_lines, started
from panshuffle.dataset import Source, read_numbers
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.output import with_progress, writing
from panshuffle.question import Json, Question, number, whole

INCONSISTENT = 1
STOPPED = 2
FEW = 3
MOST_RUNS = 10**8
MOST_SECONDS = 10**6
PRIVACY = "--samples, --input, --neighbour-samples, --neighbour-input and --at-delta are needed together"


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 for consistent or suspicious, 1 for inconsistent, 2 for unreadable runs, 3 for too few."""
    found, asked = card(args.protocol), Question.parsed("crosscheck", args)
    if (args.samples is None) == (args.program is None):
        raise InputError("one of --samples FILE and --command CMD is needed")
    alarm = alarm_of(args.alarm)
    expected = crosscheck.expected_of(asked, source_of(args, args.input))
    reference = crosscheck.read_as(expected.reference, args.hash or crosscheck.ANY, args.analyzer)
    tolerance = float(number("tolerance", args.tolerance)) if args.tolerance else TOLERANCE
    if not 0 <= tolerance < 1:
        raise ParameterError("tolerance", args.tolerance, "at least 0 and below 1")
    question = Question("privacy", args.protocol, tuple(expected.params.given.items()))
    bound = None
    if args.neighbour_samples or args.neighbour_input or args.at_delta:
        check_audit(args, found)
        other = crosscheck.expected_of(asked, source_of(args, args.neighbour_input))
        samples = (runs_of_file(args.samples), runs_of_file(args.neighbour_samples))
        references = (expected.reference, other.reference)
        alarm /= 2  # the verdict and the bound share it
        bound = crosscheck.audited(question, references, samples, number("at-delta", args.at_delta), alarm)
    given = dict(asked.params.given)
    stopped = None
    if args.program is None and args.samples.endswith(".npy"):
        verdict = crosscheck.examined_arrays(reference, arrays_of_npy(args.samples), alarm)
    else:
        runs = runs_of(args, expected.request(given))
        verdict, stopped = crosscheck.examined(reference, runs, alarm, args.program is not None, tolerance)
    enough = whole("at-least", args.at_least or "1", 1, MOST_RUNS)
    answer = crosscheck.CrosscheckAnswer(
        question=question, verdict=verdict, given=given, stopped=stopped, bound=bound, at_least=enough
    )
    print(json.dumps(answer.as_dict()) if args.json else answer.text(picture=sys.stdout.isatty()))
    if stopped is not None:
        print(f"panshuffle: {stopped}", file=sys.stderr)
        return STOPPED
    if not answer.consistent:
        return INCONSISTENT
    return FEW if answer.word == TOO_FEW else 0


def source_of(args: argparse.Namespace, path: str | None) -> Source:
    """The data that the runs were made on."""
    given = {name: getattr(args, name) for name in ("distinct", "ones") if getattr(args, name) is not None}
    if len(given) + (path is not None) != 1:
        raise InputError("the data that the runs were made on is needed once: --input, --distinct or --ones")
    return Source.of(path, given)


def check_audit(args: argparse.Namespace, found: AnyCard) -> None:
    """*Raises* `InputError` unless two samples of neighbours are there."""
    if not (args.neighbour_samples and args.neighbour_input and args.at_delta and args.samples and args.input):
        raise InputError(PRIVACY)
    if "-" in (args.samples, args.neighbour_samples):
        raise InputError("the standard input is read once: with --neighbour-samples both samples must be files")
    width = found.width
    left, right = (
        [tuple(x[i : i + width]) for i in range(0, len(x), width)]
        for x in map(read_numbers, (args.input, args.neighbour_input))
    )
    different = sum(a != b for a, b in zip(left, right, strict=False)) + abs(len(left) - len(right))
    if different != 1 or len(left) != len(right):
        raise InputError(f"{args.neighbour_input}: neighbours differ in one row, these differ in {different}")


def runs_of(args: argparse.Namespace, request: dict[str, Json]) -> Iterator[Run]:
    """The runs, one by one."""
    if args.program is not None:
        yield from runs_of_program(args, request)
        return
    for name in ("runs", "seconds", "keep"):
        if getattr(args, name) is not None:
            raise InputError(f"--{name} has a meaning with --command only")
    yield from runs_of_file(args.samples)


def runs_of_program(args: argparse.Namespace, request: dict[str, Json]) -> Iterator[Run]:
    """The program's answers, kept in a file if asked for."""
    runs = whole("runs", args.runs or "10000", 1, MOST_RUNS)
    seconds = float(number("seconds", args.seconds or "10"))
    if not 0 < seconds < MOST_SECONDS:
        raise ParameterError("seconds", args.seconds, "above 0 and below 10^6")
    with ExitStack() as stack:
        stream = None if args.keep is None else stack.enter_context(kept(args.keep))
        remote = stack.enter_context(started(args.program, seconds))
        replies = answers(remote, request, runs)
        for _ in with_progress(range(runs), "runs"):
            text, result = next(replies)
            if stream is not None:
                stream.write(text + "\n")
            yield result


def kept(path: str) -> TextIO:
    """A file that keeps each line as soon as it is written."""
    with writing(path):
        return Path(path).open("w", encoding="utf-8", buffering=1)


def runs_of_file(path: str) -> Iterator[Run]:
    """The runs of a file, JSON lines or CSV by its ending."""
    lines = decoded_lines(path)
    yield from runs_of_csv(lines, path) if path.endswith(".csv") else runs_of_lines(lines, path)


def decoded_lines(path: str) -> Iterator[str]:
    """The lines of a file or of the standard input.  *Raises* `InputError` for what can't be read or is not text."""
    try:
        if path == "-":
            yield from sys.stdin
            return
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            yield from stream
    except UnicodeDecodeError:
        raise InputError(f"{path}: the file is not UTF-8 text") from None
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror})") from None
