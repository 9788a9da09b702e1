"""`panshuffle annotate`: the reader's copy of the paper with the verdicts in its margin."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from panshuffle.annotated.page import Copy, annotated, copy_of
from panshuffle.answer import Json
from panshuffle.exact.errors import InputError
from panshuffle.last_run import verdicts_of
from panshuffle.output import check_ending, destination, progress
from panshuffle.proofs.ledger import statements


def run(args: argparse.Namespace) -> int:
    """Writes the page with the verdicts of the last run; status 1 where a word of the source is not on it."""
    check_ending("output", args.output, (".html", ".htm"))
    copy = read_copy(args.paper)
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        found = annotated(copy, known, verdicts_of(known, advance, args.anew))
        stream.write(found.page)
    result = {"page": args.output, **found.said}
    print(json.dumps(result) if args.json else sentence(result, [item.key for item in found.matches.missing]))
    return int(bool(result["lost"]))


def sentence(result: dict[str, Json], missing: list[str]) -> str:
    """What was done, in words."""
    lost = result["lost"]
    found = "{page}: {matched} environments and displays matched, {errata} errata in place; ".format(**result)
    found += f"{result['words']} words and {result['formulas']} formulas, "
    found += f"but without {lost}" if lost else "none lost"
    return found + (f"\nnot found in the source: {', '.join(missing)}" if missing else "")


def read_copy(path: str) -> Copy:
    """A copy of the paper from a file.  *Raises* `InputError` where it can't be read."""
    try:
        return copy_of(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not a text in UTF-8") from None
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror})") from None
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None
