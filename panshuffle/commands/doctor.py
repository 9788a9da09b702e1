"""`panshuffle doctor`: what is installed, which commands need what is not, and how to get it."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Need:
    """Something that may be missing: its name, the commands that need it, and how to get it."""

    name: str
    commands: str
    extra: str = ""
    packages: Sequence[str] = ()
    programs: Sequence[str] = ()
    debian: str = ""


TEXT = Path(__file__).with_name("doctor.toml").read_text(encoding="utf-8")
NEEDS = [Need(**row) for row in tomllib.loads(TEXT)["need"]]


@dataclass(frozen=True)
class Finding:
    """What was found of a need: the versions that are there, what is missing, and how to get that."""

    name: str
    commands: str
    there: dict[str, str]
    missing: list[str]
    get: list[str]


def run(args: argparse.Namespace) -> int:
    """Looks for everything; status 0 where the core is there."""
    found = [look(need) for need in NEEDS]
    about = {"panshuffle": installed("panshuffle") or "not installed", "python": platform.python_version()}
    beside = Path(sys.executable).with_name("panshuffle")
    command = str(beside) if beside.exists() else f"{sys.executable} -m panshuffle"
    about |= {"kind": "a clone" if is_clone() else "an install", "where": str(CHECKOUT), "command": command}
    if args.json:
        print(json.dumps(about | {"findings": [asdict(one) for one in found]}))
    else:
        print(f"panshuffle {about['panshuffle']}, {about['kind']} in {about['where']}, Python {about['python']}")
        print(f"the command: {about['command']}")
        for one in found:
            print(words(one))
    return int(bool(found[0].missing))


def look(need: Need) -> Finding:
    """What is there of a need."""
    packages = {name: installed(name) for name in need.packages}
    programs = {name: "found" if shutil.which(name) else None for name in need.programs}
    everything = {**packages, **programs}
    there = {name: found for name, found in everything.items() if found}
    missing = [name for name in everything if name not in there]
    get = []
    if any(name in need.packages for name in missing):
        what = f"[{need.extra}]" if need.extra else ""
        get.append(f"{sys.executable} -m pip install {f'-e {CHECKOUT}' if is_clone() else 'panshuffle'}{what}")
    if any(name in need.programs for name in missing):
        get.append(f"apt-get install {need.debian} (Debian, Ubuntu)")
    return Finding(need.name, need.commands, there, missing, get)


def words(finding: Finding) -> str:
    """A finding in a few lines."""
    there = ", ".join(f"{name} {found}" if found != "found" else name for name, found in finding.there.items())
    head = f"{'ok     ' if not finding.missing else 'missing'}  {finding.name}: {there or 'nothing'}"
    if not finding.missing:
        return head
    lines = [f"{head}; without {', '.join(finding.missing)}", f"         needed by {finding.commands}"]
    return "\n".join([*lines, *(f"         get it: {line}" for line in finding.get)])


def installed(name: str) -> str | None:
    """The version of a package, None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def is_clone() -> bool:
    """Whether this is a checkout of the repository, not an installed package."""
    return (CHECKOUT / "pyproject.toml").is_file()
