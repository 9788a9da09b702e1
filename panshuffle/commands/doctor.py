"""`panshuffle doctor`: what is installed, which commands need what is not, and how to get it."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

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


def run(args: argparse.Namespace) -> int:
    """Looks for everything; status 0 where the core is there."""
    found = [look(need) for need in NEEDS]
    about = {"panshuffle": installed("panshuffle") or "not installed", "python": platform.python_version()}
    beside = Path(sys.executable).with_name("panshuffle")
    command = str(beside) if beside.exists() else f"{sys.executable} -m panshuffle"
    about |= {"kind": "a clone" if is_clone() else "an install", "where": str(CHECKOUT), "command": command}
    if args.json:
        print(json.dumps(about | {"findings": found}))
    else:
        print("panshuffle {panshuffle}, {kind} in {where}, Python {python}\nthe command: {command}".format(**about))
        print("\n".join(line for one in found for line in words(**one)))
    return int(bool(found[0]["missing"]))


def look(need: Need) -> dict[str, Any]:
    """What was found of a need: the versions that are there, what is missing, and how to get that."""
    packages = {name: installed(name) for name in need.packages}
    programs = {name: "found" if shutil.which(name) else None for name in need.programs}
    there = {name: found for name, found in (packages | programs).items() if found}
    missing = [name for name in packages | programs if name not in there]
    get = []
    if any(name in packages for name in missing):
        what = f"[{need.extra}]" if need.extra else ""
        get.append(f"{sys.executable} -m pip install {f'-e {CHECKOUT}' if is_clone() else 'panshuffle'}{what}")
    if any(name in programs for name in missing):
        get.append(f"apt-get install {need.debian} (Debian, Ubuntu)")
    return {"name": need.name, "commands": need.commands, "there": there, "missing": missing, "get": get}


def words(name: str, commands: str, there: dict[str, str], missing: list[str], get: list[str]) -> Iterator[str]:
    """What was found, in lines."""
    known = ", ".join(f"{one} {found}" if found != "found" else one for one, found in there.items()) or "nothing"
    if not missing:
        yield f"ok       {name}: {known}"
        return
    yield f"missing  {name}: {known}; without {', '.join(missing)}"
    yield f"         needed by {commands}"
    yield from (f"         get it: {line}" for line in get)


def installed(name: str) -> str | None:
    """The version of a package, None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def is_clone() -> bool:
    """Whether this is a checkout of the repository, not an installed package."""
    return (CHECKOUT / "pyproject.toml").is_file()
