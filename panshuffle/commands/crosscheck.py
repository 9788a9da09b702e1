"""`panshuffle crosscheck`: somebody's samples, or somebody's program, against the exact laws of a protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from fractions import Fraction

    from crosscheck.audit import Bound
    from crosscheck.examination import Verdict
    from crosscheck.reference.model import Reference
    from crosscheck.runs import Run

INCONSISTENT = 1
STOPPED = 2
DEFAULT_RUNS = "10000"
MOST_RUNS = 10**8
DEFAULT_ALARM = "1e-9"
DEFAULT_SECONDS = "10"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    data = parser.add_argument_group("the data that the runs were made on (one of these)")
    data.add_argument("--input", metavar="FILE", help="whole numbers, one a user; pairs of bits for two-bit-sum")
    data.add_argument("--distinct", metavar="D", help="the data of sample --distinct D")
    data.add_argument("--ones", metavar="H", help="the data of sample --ones H")
    source = parser.add_argument_group("the implementation (one of these)")
    source.add_argument(
        "--samples", metavar="FILE", help="its runs: JSON lines as of sample, or CSV; - for standard input"
    )
    source.add_argument(
        "--command", dest="program", metavar="CMD", help="a program: a request a line in, a run a line out"
    )
    parser.add_argument("--runs", metavar="R", help=f"most runs of the program (default {DEFAULT_RUNS})")
    parser.add_argument("--seconds", metavar="S", help=f"longest wait for one answer (default {DEFAULT_SECONDS})")
    parser.add_argument("--keep", metavar="FILE", help="write the program's answers to a file, as JSON lines")
    parser.add_argument("--t", metavar="T", help="the state in the runs is that after T elements of the stream")
    parser.add_argument("--alarm", metavar="A", default=DEFAULT_ALARM, help="false-alarm probability (default 1e-9)")
    privacy = parser.add_argument_group("privacy of the samples (with --samples)")
    privacy.add_argument("--neighbour-samples", metavar="FILE", help="runs on a neighbouring input")
    privacy.add_argument("--neighbour-input", metavar="FILE", help="that input, as of --input")
    privacy.add_argument("--at-delta", metavar="X", help="the lower bound on eps is for this delta")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 for consistent, 1 for inconsistent, 2 where the runs could not all be read."""
    from crosscheck.examination import Examination
    from exact.errors import InputError
    from panshuffle.commands.attack import alarm_of

    parameters = Parameters.of(args)
    given = dict(parameters.given)
    if (args.samples is None) == (args.program is None):
        raise InputError("one of --samples FILE and --command CMD is needed")
    alarm = alarm_of(args.alarm)
    reference, request = setting(args, parameters, args.input)
    examination, stopped = Examination(reference, alarm), None
    bound = None
    if args.neighbour_samples or args.neighbour_input or args.at_delta:
        bound = audited(args, reference, dict(parameters.given), alarm)
    try:
        collect(args, examination, request)
    except InputError as problem:
        if not examination.vectors:
            raise
        stopped = str(problem)
    verdict = examination.verdict()
    result = as_json(verdict, args.protocol, given, stopped) | ({} if bound is None else bound_json(*bound))
    print(json.dumps(result)) if args.json else print_verdict(verdict, stopped, bound)
    if stopped is not None:
        print(f"panshuffle: {stopped}", file=sys.stderr)
        return STOPPED
    return 0 if verdict.consistent and not result.get("violates") else INCONSISTENT


def setting(args: argparse.Namespace, parameters: Parameters, path: str | None) -> tuple[Reference, dict[str, Any]]:
    """The reference, and the request that a program is sent."""
    from crosscheck.reference.choose import reference_of
    from exact.errors import InputError
    from panshuffle.commands.sample import time_of
    from panshuffle.recipes import record_of

    for letter in ("copies", "votes"):
        if letter in parameters.given:
            raise InputError(f"--{letter} has no meaning for crosscheck: check the pools of one copy as a tester's")
    given = dict(parameters.given)
    numbers = numbers_of(args, parameters, path)
    record = record_of(parameters)
    data = rows(args, parameters, record, numbers, path)
    t = None if args.t is None else time_of(args.t, record.length) if hasattr(record, "length") else no_time(args)
    request = {"protocol": args.protocol, "parameters": given | {"n": parameters.given["n"]}, "data": data}
    return reference_of(record, data, t), request | ({} if t is None else {"t": t})


def no_time(args: argparse.Namespace) -> int:
    """*Raises* `InputError`: the protocol has no state."""
    from exact.errors import InputError

    raise InputError(f"--t has no meaning for {args.protocol}, which has no internal state")


def numbers_of(args: argparse.Namespace, parameters: Parameters, path: str | None) -> list[int] | None:
    """The numbers of the data's file, if there is one; where n is absent, they tell it."""
    from exact.errors import InputError
    from panshuffle.dataset import read_numbers

    sources = [value for value in (path, args.distinct, args.ones) if value is not None]
    if len(sources) != 1:
        raise InputError("the data that the runs were made on is needed once: --input, --distinct or --ones")
    if path is None:
        return None
    numbers = read_numbers(path)
    derived = args.protocol not in ("pan-distinct-elements", "pan-uniformity") and "gamma" not in parameters.given
    if "n" not in parameters.given and derived:
        parameters.given["n"] = str(len(numbers) // (2 if args.protocol == "two-bit-sum" else 1))
    return numbers


def rows(
    args: argparse.Namespace, parameters: Parameters, record: Any, numbers: list[int] | None, path: str | None
) -> list[Any]:
    """The rows of those who take part."""
    from panshuffle.commands.sample import honest_rows, row_counts
    from panshuffle.dataset import Universe, generator, rows_of
    from protocols.randomness.coins import Coins

    universe = Universe.of(record)
    n, taking_part = row_counts(parameters, record)
    if numbers is not None:
        return list(honest_rows(rows_of(numbers, universe, path or ""), n, taking_part))
    kind = "distinct" if args.distinct is not None else "ones"
    chosen = generator(kind, getattr(args, kind))
    chosen.check(universe, taking_part)
    return chosen.draw(universe, taking_part, Coins(0))


def collect(args: argparse.Namespace, examination: Any, request: dict[str, Any]) -> None:
    """Reads the runs into the examination; a program is stopped as soon as it is found out."""
    from crosscheck.examination import FIRST_LOOK

    next_look = FIRST_LOOK
    for run_ in source_of(args, request):
        examination.add(run_)
        if args.program is not None and len(examination.vectors) == next_look:
            next_look *= 2
            if not examination.verdict().consistent:
                return


def source_of(args: argparse.Namespace, request: dict[str, Any]) -> Iterator[Run]:
    """The runs, one by one."""
    from exact.errors import InputError

    if args.program is None:
        for name in ("runs", "seconds", "keep"):
            if getattr(args, name) is not None:
                raise InputError(f"--{name} has a meaning with --command only")
        yield from runs_of_file(args.samples)
        return
    yield from runs_of_program(args, request)


def runs_of_program(args: argparse.Namespace, request: dict[str, Any]) -> Iterator[Run]:
    """The program's answers, kept in a file if asked for."""
    from crosscheck.remote import answers, started
    from panshuffle.commands.sample import plain_count
    from panshuffle.output import with_progress
    from panshuffle.reading import number

    runs = plain_count("runs", args.runs or DEFAULT_RUNS, 1, MOST_RUNS)
    seconds = float(number("seconds", args.seconds or DEFAULT_SECONDS))
    if not 0 < seconds < 10**6:
        from exact.errors import ParameterError

        raise ParameterError("seconds", args.seconds, "above 0 and below 10^6")
    with ExitStack() as stack:
        stream = None if args.keep is None else stack.enter_context(appended(args.keep))
        remote = stack.enter_context(started(args.program, seconds))
        replies = answers(remote, request, runs)
        for _ in with_progress(range(runs), "runs"):
            text, result = next(replies)
            if stream is not None:
                stream.write(text + "\n")
            yield result


def appended(path: str) -> Any:
    """A file that keeps each line as soon as it is written."""
    from exact.errors import InputError

    try:
        return Path(path).open("w", encoding="utf-8", buffering=1)
    except OSError as problem:
        raise InputError(f"{path}: the file can't be written ({problem.strerror})") from None


def runs_of_file(path: str) -> Iterator[Run]:
    """The runs of a file, JSON lines or CSV by its ending."""
    from crosscheck.runs import runs_of_csv, runs_of_lines

    lines = decoded_lines(path)
    yield from runs_of_csv(lines, path) if path.endswith(".csv") else runs_of_lines(lines, path)


def decoded_lines(path: str) -> Iterator[str]:
    """The lines of a file or of the standard input.  *Raises* `InputError` for what can't be read or is not text."""
    from exact.errors import InputError

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


def audited(
    args: argparse.Namespace, reference: Reference, given: dict[str, str], alarm: Fraction
) -> tuple[Bound, str]:
    """The lower bound on eps that the samples of two neighbours prove, and the exact eps."""
    from crosscheck.audit import audit
    from exact.errors import InputError
    from panshuffle.questions import Choice, view_of
    from panshuffle.reading import number

    if not (args.neighbour_samples and args.neighbour_input and args.at_delta and args.samples and args.input):
        raise InputError(
            "--samples, --input, --neighbour-samples, --neighbour-input and --at-delta are needed together"
        )
    if "-" in (args.samples, args.neighbour_samples):
        raise InputError("the standard input is read once: with --neighbour-samples both samples must be files")
    other, _ = setting(args, Parameters(args.protocol, dict(given)), args.neighbour_input)
    check_neighbours(args.input, args.neighbour_input, args.protocol)
    delta = number("at-delta", args.at_delta)
    bound = audit((reference, other), (runs_of_file(args.samples), runs_of_file(args.neighbour_samples)), delta, alarm)
    view = view_of(Parameters(args.protocol, dict(given)), Choice())
    return bound, view.curve.epsilon(delta).enclosure(10)[1]


def check_neighbours(first: str, second: str, protocol: str) -> None:
    """*Raises* `InputError` unless two files differ in the data of one user."""
    from exact.errors import InputError
    from panshuffle.dataset import read_numbers

    width = 2 if protocol == "two-bit-sum" else 1
    left, right = (
        [tuple(x[i : i + width]) for i in range(0, len(x), width)] for x in map(read_numbers, (first, second))
    )
    different = sum(a != b for a, b in zip(left, right, strict=False)) + abs(len(left) - len(right))
    if different != 1 or len(left) != len(right):
        raise InputError(f"{second}: neighbours differ in one row, these differ in {different}")


def as_json(verdict: Verdict, protocol: str, given: dict[str, str], stopped: str | None) -> dict[str, Any]:
    """The verdict as an object."""
    diagnosis = verdict.diagnosis
    cause = (
        None
        if diagnosis is None
        else {"cause": diagnosis.cause, "area": diagnosis.area, "explained": round(diagnosis.explained, 3)}
    )
    return {
        "protocol": protocol,
        "parameters": given,
        "verdict": "consistent" if verdict.consistent else "inconsistent",
        "runs": verdict.runs,
        "alarm": str(verdict.alarm),
        "log_evidence": None if verdict.evidence > 1e299 else round(verdict.evidence, 3),
        "limit": round(verdict.limit, 3),
        "resolution": verdict.resolution,
        "findings": [finding_json(finding) for finding in verdict.findings],
        "diagnosis": cause,
        "stopped": stopped,
    }


def finding_json(finding: Any) -> dict[str, Any]:
    """One finding as an object; evidence that is infinite is null."""
    evidence = None if finding.log_evidence == float("inf") else round(finding.log_evidence, 3)
    names = ("area", "where", "event", "seen", "expected")
    return {name: getattr(finding, name) for name in names} | {"log_evidence": evidence}


def bound_json(bound: Bound, exact: str) -> dict[str, Any]:
    """The lower bound on eps as an object."""
    from exact.numbers.certified import Certified
    from exact.numbers.real import real

    lower = Certified.of(bound.eps).enclosure(6)[0]
    violates = exact != "inf" and bool(bound.eps > real(exact))
    found = {"eps_at_least": lower, "event": bound.event, "hits": list(bound.hits), "runs": list(bound.runs)}
    return {"privacy": found | {"exact_eps": exact, "error": str(bound.error)}, "violates": violates}


def print_verdict(verdict: Verdict, stopped: str | None, bound: tuple[Bound, str] | None) -> None:
    """The verdict for a person."""
    read = f"{verdict.runs} run{'s' if verdict.runs != 1 else ''}"
    word = "consistent" if verdict.consistent else "INCONSISTENT"
    print(
        f"{word} ({read}, false-alarm probability at most {float(verdict.alarm):g})"
        + (", stopped early" if stopped else "")
    )
    if verdict.consistent:
        print(f"these runs could have shown: {verdict.resolution}")
    print_findings(verdict)
    if bound is not None:
        found = bound_json(*bound)
        privacy = found["privacy"]
        print(f"privacy: the samples prove eps >= {privacy['eps_at_least']} by the event {privacy['event']}")
        print(f"the exact eps is {privacy['exact_eps']}" + (": VIOLATED" if found["violates"] else ""))


def print_findings(verdict: Verdict) -> None:
    """What was found, the most telling first."""
    for finding in verdict.findings[:6]:
        seen = f": {finding.seen} seen, {finding.expected} expected" if finding.seen else ""
        print(f"  {finding.where}: {finding.event}{seen}")
    if verdict.diagnosis is not None:
        print(f"likely cause: {verdict.diagnosis.cause}")
        print(f"area: {verdict.diagnosis.area}")
