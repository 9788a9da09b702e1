"""The record of the last full successful run, for machines without Coq: it says what ran, and is no run itself."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

RECORD = "record.json"
REPEAT = "anyone with Coq 8.16 and Coquelicot 3 (Debian: apt-get install coq libcoq-coquelicot): make kernel"


@dataclass(frozen=True)
class Record:
    """What was checked, by which Coq: digests of the sources and of the definitions as Coq printed them.

    `claims` gives for each claim the definitions that its statement rests on; `repeat` says who can repeat the run.
    """

    repeat: str = REPEAT
    coq: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    claims: dict[str, list[str]] = field(default_factory=dict)


def read_record(folder: Path) -> Record:
    """The record of a folder, an empty one where there is none."""
    path = folder / RECORD
    return Record(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Record()


def write_record(folder: Path, record: Record) -> None:
    """Put a record into a folder."""
    beside = folder / f"{RECORD}.new"
    beside.write_text(json.dumps(asdict(record), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    beside.replace(folder / RECORD)
