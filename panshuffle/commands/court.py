"""`panshuffle court`: accountants judged against certified truth."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from panshuffle.crosscheck.court.accountant import Accountant, accountant_of, known, with_checkouts
from panshuffle.crosscheck.court.battery import BATTERY, chosen
from panshuffle.crosscheck.court.judgment import Judgment, judgment
from panshuffle.crosscheck.court.page import as_csv, as_html, as_markdown, as_text
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.output import check_ending, destination, with_progress
from panshuffle.question import number

MOST_SECONDS = 3600


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check_ending("output", args.output, (".html", ".md", ".json", ".csv"))
    if args.no_shrink and args.reproductions is not None:
        raise InputError("--no-shrink and --reproductions exclude each other")
    directory = directory_of(args.reproductions)
    seconds = seconds_of(args.seconds)
    named = [accountant_of(name) for name in dict.fromkeys(args.accountant)] if args.accountant else known().values()
    accountants = with_checkouts(named, args.checkout or ())
    questions = chosen(args.problem, args.quick)
    if args.list:
        return print_list(accountants, args.json)
    found = judgment(questions, accountants, seconds, not args.no_shrink, with_progress)
    write(found, args.output, directory)
    if args.json:
        print(json.dumps(found.as_json()))
    elif args.output is None:
        print(as_text(found), end="")
    elif found.how_to_install:
        print(found.how_to_install)
    return 0


def seconds_of(text: str) -> float:
    """The time limit.  *Raises* `ParameterError` unless it is positive and at most an hour."""
    value = number("seconds", text)
    if not (value > 0 and value <= MOST_SECONDS):
        raise ParameterError("seconds", text, f"above 0 and at most {MOST_SECONDS}")
    return float(value)


def directory_of(path: str | None) -> str | None:
    """The directory, which is made if need be.  *Raises* `InputError` where it can't be."""
    if path is not None:
        try:
            Path(path).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(
                f"reproductions = {path} is not a directory that can be made ({problem.strerror})"
            ) from None
    return path


def write(found: Judgment, output: str | None, directory: str | None) -> None:
    """Writes the page and the reproductions."""
    if output is not None:
        makers = {".html": as_html, ".md": as_markdown, ".csv": as_csv}
        make = makers.get(output[output.rindex(".") :], lambda found: json.dumps(found.as_json(), indent=1) + "\n")
        with destination(output) as stream:
            stream.write(make(found))
    for one in found.reproductions if directory is not None else ():
        for name, text in one.files().items():
            with destination(str(Path(directory or "") / name)) as stream:
                stream.write(text)


def print_list(accountants: list[Accountant], as_json: bool) -> int:
    """The accountants with their versions, and the questions by name."""
    names = [problem.case.name for problem in BATTERY]
    versions = {one.name: one.version for one in accountants}
    if as_json:
        print(json.dumps({"accountants": versions, "questions": names}))
        return 0
    for one in accountants:
        print(f"{one.name} {one.version or f'is not here: {one.how_to_get}'}")
    print("\n".join(names))
    return 0
