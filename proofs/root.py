"""The root of trust: one file with the digest of every file that a verdict rests on.

`proofs/root.sha256` is in the format of the program sha256sum, so that nobody has to believe this module:
`sha256sum -c proofs/root.sha256` says the same.  Whoever has one digest, that of this file, has pinned all others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from panshuffle.proofs.ledger import modules

ROOT = Path(__file__).parent
LIST = "root.sha256"
KERNEL_DATA = ("*.v", "*.toml", "*.json", "_CoqProject")
Thing = TypeVar("Thing")
LINE = re.compile(r"([0-9a-f]{64})  (\S+)")
IMPORT = re.compile(r"^ *from panshuffle\.(?P<module>exact[\w.]*) import (?P<names>\([^)]*\)|.*)$", re.MULTILINE)


def digest(content: bytes) -> str:
    """The sha256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def closed(start: Iterable[Thing], beneath: Callable[[Thing], Iterable[Thing]]) -> set[Thing]:
    """Some things with all that is beneath them, directly or not.

    >>> sorted(closed([12], lambda number: [number // 2] if number else []))
    [0, 1, 3, 6, 12]
    """
    found: set[Thing] = set()
    waiting = list(start)
    while waiting:
        thing = waiting.pop()
        if thing not in found:
            found.add(thing)
            waiting += beneath(thing)
    return found


def trusted() -> list[Path]:
    """The files that a verdict rests on: provers, exact arithmetic, statements, ledger, kernel, and what is pinned."""
    code = [*(ROOT.parent / "symbolic").rglob("*.py"), *ROOT.rglob("*.py")]
    kernel = [path for pattern in KERNEL_DATA for path in (ROOT / "kernel").glob(pattern)]
    return sorted({*closed(code, imported_of_exact), *kernel, ROOT / "pins.json", ROOT / "paper.json"})


def imported_of_exact(path: Path) -> Iterator[Path]:
    """The files of `exact/` that a file imports, modules or those of a package."""
    for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
        folder = ROOT.parent.joinpath(*match["module"].split("."))
        places = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", match["names"]))]
        yield from (place for place in places if place.is_file())


def now() -> dict[str, str]:
    """The digests of the trusted files as they are, by place."""
    return {path.relative_to(ROOT.parent).as_posix(): digest(path.read_bytes()) for path in trusted()}


def pinned() -> dict[str, str]:
    """The digests of the trusted files as they are pinned, by place; none where the list is not a list of digests."""
    path = ROOT / LIST
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found = [LINE.fullmatch(line) for line in lines]
    return {match[2]: match[1] for match in found if match} if all(found) else {}


def root_digest() -> str:
    """The digest of the list itself: the one number that stands for everything else."""
    path = ROOT / LIST
    return digest(path.read_bytes()) if path.is_file() else "none"


def differing(here: Mapping[str, str], there: Mapping[str, str]) -> list[str]:
    """The places where a file is not the same in both, or is missing in one."""
    return sorted(place for place in here.keys() | there.keys() if here.get(place) != there.get(place))


def is_section(place: str) -> bool:
    """Whether a file has statements of the ledger, whose fingerprints cover what they use of it."""
    folder, _, name = place.partition("/")
    return folder == "proofs" and name.removesuffix(".py") in modules().values()


def machinery_differences() -> list[str]:
    """Which files that decide about all statements are not as pinned, one sentence each."""
    return [said(place) for place in differing(now(), pinned()) if not is_section(place)]


def differences_from_root() -> list[str]:
    """Which trusted files are not as pinned, one sentence each."""
    return [said(place) for place in differing(now(), pinned())]


def said(place: str) -> str:
    """What to say of a file that is not as it is pinned."""
    return f"{place} is not as proofs/{LIST} has it: run python -m panshuffle.proofs.pins after a deliberate change"


def kernel_faults(digests: dict[str, str]) -> list[str]:
    """Which files of the kernel, given by name with their digests, are not as pinned, one sentence each."""
    head = "proofs/kernel/"
    there = {place.removeprefix(head): value for place, value in pinned().items() if place.startswith(head)}
    there = {name: value for name, value in there.items() if not name.endswith(".py")}
    return [said(head + name) for name in differing(digests, there)]


def text_of_now() -> str:
    """The list as the files are."""
    return "".join(f"{value}  {place}\n" for place, value in now().items())


def write(text: str, path: Path = ROOT / LIST) -> None:
    """Puts a list, or another text, into its place, in one act."""
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
