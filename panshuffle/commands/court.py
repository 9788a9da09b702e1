"""`panshuffle court`: accountants judged against certified truth."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosscheck.court.judgment import Judgment

ENDINGS = (".html", ".md", ".json", ".csv")
DEFAULT_SECONDS = "30"
MOST_SECONDS = 3600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--accountant",
        metavar="NAME",
        action="append",
        help="only this one, or FILE.py:FUNCTION for yours (repeatable; default: all that are installed)",
    )
    parser.add_argument(
        "--problem", metavar="NAME", action="append", help="only this family or question (repeatable; default: all)"
    )
    parser.add_argument("--quick", action="store_true", help="about half of the questions")
    parser.add_argument("--seconds", metavar="LIMIT", default=DEFAULT_SECONDS, help="for each answer (default 30)")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for minimal reproductions")
    parser.add_argument("--list", action="store_true", help="print the accountants and the questions, and ask nothing")
    parser.add_argument("-o", "--output", metavar="FILE", help="FILE.html, FILE.md, FILE.json or FILE.csv")
    parser.add_argument("--reproductions", metavar="DIR", help="write the minimal reproductions there, as programs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from crosscheck.court.accountant import accountant_of
    from crosscheck.court.battery import chosen
    from crosscheck.court.judgment import judgment
    from crosscheck.court.page import as_text
    from exact.errors import InputError
    from panshuffle.output import with_progress

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise InputError(f"output = {args.output} is not allowed: output must end in .html, .md, .json or .csv")
    if args.no_shrink and args.reproductions is not None:
        raise InputError("--no-shrink and --reproductions exclude each other")
    directory = directory_of(args.reproductions)
    seconds = seconds_of(args.seconds)
    accountants = [accountant_of(name) for name in dict.fromkeys(args.accountant)] if args.accountant else None
    questions = chosen(args.problem, args.quick)
    if args.list:
        return print_list(args.json)
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
    from exact.errors import ParameterError
    from panshuffle.question import number

    value = number("seconds", text)
    if not (value > 0 and value <= MOST_SECONDS):
        raise ParameterError("seconds", text, f"above 0 and at most {MOST_SECONDS}")
    return float(value)


def directory_of(path: str | None) -> str | None:
    """The directory, which is made if need be.  *Raises* `InputError` where it can't be."""
    from pathlib import Path

    from exact.errors import InputError

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
    from pathlib import Path

    from crosscheck.court.page import as_csv, as_html, as_markdown
    from panshuffle.output import destination

    if output is not None:
        makers = {".html": as_html, ".md": as_markdown, ".csv": as_csv}
        make = makers.get(output[output.rindex(".") :], lambda found: json.dumps(found.as_json(), indent=1) + "\n")
        with destination(output) as stream:
            stream.write(make(found))
    for one in found.reproductions if directory is not None else ():
        with destination(str(Path(directory or "") / one.file_name)) as stream:
            stream.write(one.program)


def print_list(as_json: bool) -> int:
    """The accountants with their versions, and the questions by name."""
    from crosscheck.court.accountant import EXTRA, known
    from crosscheck.court.battery import BATTERY

    names = [problem.case.name for problem in BATTERY]
    versions = {one.name: one.version for one in known().values()}
    if as_json:
        print(json.dumps({"accountants": versions, "questions": names}))
        return 0
    for name, version in versions.items():
        print(f"{name} {version or f'is not installed: {EXTRA}'}")
    print("\n".join(names))
    return 0
