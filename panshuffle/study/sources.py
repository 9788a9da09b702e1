"""The version of the code: a hash of the installed sources, so that changed code is never served an old answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("exact", "symbolic", "proofs", "protocols", "panshuffle")
ARITHMETIC = ("python-flint", "numpy")
"""Packages of others whose version is part of the code's: the digits of an enclosure may depend on them."""
SUFFIXES = (".py", ".json", ".toml", ".v")


@cache
def folders() -> tuple[tuple[str, Path], ...]:
    """The folders in which our packages are installed."""
    found = []
    for package in PACKAGES:
        spec = find_spec(package)
        places = [] if spec is None else spec.submodule_search_locations or []
        found += [(package, Path(place)) for place in places]
    return tuple(found)


def sources() -> Iterator[tuple[str, Path]]:
    """Every source with its name, in order."""
    for package, folder in folders():
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES and not path.name.startswith("."):
                yield f"{package}/{path.relative_to(folder).as_posix()}", path


def code_version() -> str:
    """A hash of all our sources as they are now, and of the versions of the arithmetic."""
    digest = sha256("\n".join(f"{name} {version(name)}" for name in ARITHMETIC).encode())
    for name, path in sources():
        digest.update(f"\n{name} ".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


class Watch:
    """The version of the code that this process has loaded.

    Modules are loaded when they are needed.  Each time that more of them are, the sources have to be what they were
    when the process began: what a process has loaded is then one version, and no mixture.
    """

    def __init__(self) -> None:
        self.version = code_version()
        self.loaded = 0

    def confirm(self) -> bool:
        """Whether everything that is loaded is of that version."""
        if len(sys.modules) != self.loaded and self.version:
            self.loaded = len(sys.modules)
            try:
                unchanged = code_version() == self.version
            except OSError:
                unchanged = False
            self.version = self.version if unchanged else ""
        return bool(self.version)
