"""The verdicts of the last run of the whole ledger, kept for the pages that are made from them.

They are kept in the user's cache folder under a digest of every file that a verdict rests on and of the versions of the
provers: after any change of these there is nothing to take, and the ledger is checked.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from panshuffle.exact.errors import InputError
from panshuffle.output import destination
from panshuffle.proofs.check import check_ledger
from panshuffle.proofs.root import now
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.verdict import StepResult, Verdict, as_pinned

PROVERS = ("python-flint", "sympy", "z3-solver", "cvc5", "mpmath")
GROUPS = ("steps", "repair_steps", "theorems", "near_misses")
NEWEST = 3
"""How many runs are kept."""


def verdicts_of(known: Mapping[str, Statement], advance: Callable[[], None], anew: bool) -> dict[str, Verdict]:
    """The verdicts of all statements: those of the last run with these sources, or else of a run now, which is kept."""
    found = None if anew else kept(known)
    if found is not None:
        if sys.stderr.isatty():
            print("the verdicts are those of the last run with these sources (--anew checks again)", file=sys.stderr)
        return found
    verdicts = check_ledger(list(known), advance)
    keep(verdicts)
    return verdicts


def folder() -> Path:
    """Where runs are kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "panshuffle"


def place() -> Path:
    """The file of a run with these sources, these provers and this Python."""
    content: dict[str, object] = {"files": now(), "python": sys.version}
    for name in PROVERS:
        with suppress(PackageNotFoundError):
            content[name] = version(name)
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return folder() / f"verdicts-{digest[:24]}.json"


def keep(verdicts: Mapping[str, Verdict]) -> None:
    """Keeps a run; where the folder can't be written, nothing is kept."""
    with suppress(OSError, InputError):
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with destination(str(place())) as stream:
            json.dump([asdict(verdict) for verdict in verdicts.values()], stream)
        runs = sorted(folder().glob("verdicts-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in runs[NEWEST:]:
            old.unlink()


def kept(known: Mapping[str, Statement]) -> dict[str, Verdict] | None:
    """The last run with these sources, if there is one; what Coq checked in it is recorded now."""
    try:
        rows = json.loads(place().read_text(encoding="utf-8"))
        found = {row["slug"]: read(row) for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if found.keys() == known.keys() else None


def read(row: dict[str, Any]) -> Verdict:
    """A verdict from its row."""
    groups = {name: tuple(StepResult(**step) for step in row[name]) for name in GROUPS}
    verdict = Verdict(**{**row, **groups, "premises": tuple(row["premises"])})
    return replace(verdict, kernel=as_pinned(verdict.kernel))
