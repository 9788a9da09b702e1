"""The pinned form of every statement: what is printed, what its steps decide, and the verdict that was reached.

A statement that no longer is what was pinned, or no longer comes out as it did, makes `panshuffle verify` fail.
`python -m proofs.pins` checks the whole ledger and pins it as it is: a deliberate act, to be read in the change.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from proofs.ledger import modules
from proofs.statement import Statement, Step
from proofs.verdict import KERNEL, Verdict

ROOT = Path(__file__).parent
PINS = ROOT / "pins.json"
FRAME = ("proofs.statement", "proofs.steps")
"""What every statement imports: not part of any one of them."""
MACHINERY = "machinery"
IMPORT = re.compile(r"^ *from (?P<module>exact[\w.]*) import (?P<names>\([^)]*\)|.*)$", re.MULTILINE)
"""The key, which is no slug, of the digests of the code that decides all of them."""
BESIDE = ("proofs/paper.py", "proofs/errata.py")
"""What only reads the paper and prints verdicts."""


def fingerprint(slug: str, statement: Statement) -> str:
    """A hash of all that the statement says, of what its steps decide, and of the code of its file that decides it."""
    repair = statement.repair
    content = [
        [str(value) for name, value in vars(statement).items() if name not in ("steps", "also", "twins", "repair")],
        [texts(statement.steps), texts(statement.also), texts(statement.twins)],
        [repair.says, texts(repair.steps), repair.rests_on, repair.argument, repair.checked] if repair else None,
        [digest for _, digest in sorted(sources(modules()[slug]).items())] if slug in modules() else None,
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:16]


@cache
def imported(name: str) -> tuple[str, tuple[str, ...]] | None:
    """The digest of a file of this package and the modules that it takes something from, if it is a file."""
    path = ROOT / (name.removeprefix("proofs.").replace(".", "/") + ".py")
    if not path.is_file():
        return None
    text = path.read_bytes()
    nodes = ast.walk(ast.parse(text))
    return hashlib.sha256(text).hexdigest(), tuple(
        n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module
    )


def sources(module: str) -> dict[str, str]:
    """The digests of a statement's file and of the files of this package that it takes parts of its check from."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        taken = None if name in found or name in FRAME else imported(name)
        if taken is not None:
            found[name] = taken[0]
            waiting += taken[1]
    return found


def machinery() -> dict[str, str]:
    """The digests of the code that decides: the provers, the exact arithmetic, and the ledger's own, by package."""
    packages = {
        "symbolic": (ROOT.parent / "symbolic").rglob("*.py"),
        "exact": reached([*(ROOT.parent / "symbolic").rglob("*.py"), *ROOT.rglob("*.py")]),
        "proofs": [*ROOT.glob("*.py"), *(ROOT / "kernel").glob("*.py")],
    }
    return {name: digest_of(sorted(paths)) for name, paths in packages.items()}


def reached(paths: Iterable[Path]) -> set[Path]:
    """The files of `exact/` that some files import, directly or not; a protocol's view need not be among them."""
    found: set[Path] = set()
    waiting = list(paths)
    while waiting:
        for path in places_in_exact(waiting.pop().read_text(encoding="utf-8")):
            if path not in found and path.is_file():
                found.add(path)
                waiting.append(path)
    return found


def places_in_exact(text: str) -> Iterator[Path]:
    """The places in `exact/` that a module's imports may mean: a module, or one of a package."""
    for match in IMPORT.finditer(text):
        folder = ROOT.parent.joinpath(*match["module"].split("."))
        yield folder.with_suffix(".py")
        yield from (folder / f"{name}.py" for name in re.findall(r"\w+", match["names"]))


def digest_of(paths: Iterable[Path]) -> str:
    """One digest of some files and of their places."""
    rows = []
    for path in paths:
        place = path.relative_to(ROOT.parent).as_posix()
        if place not in BESIDE:
            rows.append([place, hashlib.sha256(path.read_bytes()).hexdigest()])
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def machinery_differences() -> list[str]:
    """In which packages the code that decides differs from what is pinned, one sentence each."""
    pinned, now = content().get(MACHINERY, {}), machinery()
    return [
        f"the provers' code in {name}/ differs from what was pinned: run python -m proofs.pins after a full run"
        for name in now
        if now[name] != pinned.get(name)
    ]


def texts(steps: tuple[Step, ...]) -> list[list[str]]:
    """What steps decide, as text."""
    return [[step.says, step.prover, step.text, "finite" if step.finite else ""] for step in steps]


@cache
def content() -> dict[str, dict[str, str]]:
    """The file of the pins."""
    found: dict[str, dict[str, str]] = json.loads(PINS.read_text(encoding="utf-8"))
    return found


def pins() -> dict[str, dict[str, str]]:
    """The pinned fingerprint and verdict by slug."""
    return {slug: pin for slug, pin in content().items() if slug != MACHINERY}


def differences(statements: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> list[str]:
    """In which ways the statements and their verdicts differ from what is pinned, one sentence each."""
    pinned = pins()
    found: list[str] = []
    for slug, verdict in verdicts.items():
        if slug not in pinned:
            found.append(f"{slug} is not pinned")
            continue
        if fingerprint(slug, statements[slug]) != pinned[slug]["fingerprint"]:
            found.append(f"{slug} differs from its pinned form")
        if verdict.verdict != pinned[slug]["verdict"]:
            found.append(f"{slug} is {verdict.verdict}, but {pinned[slug]['verdict']} is pinned")
        elif verdict.tier.removesuffix(" (recorded)") != pinned[slug]["tier"]:
            found.append(f"{slug} has the tier {verdict.tier}, but {pinned[slug]['tier']} is pinned")
        elif verdict.coverage != pinned[slug].get("coverage"):
            found.append(f"{slug} covers {verdict.coverage or 'nothing'}, but {pinned[slug].get('coverage')} is pinned")
    return found


def pinned_verdict(slug: str) -> Verdict:
    """The pinned verdict of a statement, without its steps."""
    pin = pins().get(slug)
    if pin is None:
        return Verdict(slug, "open", "none", "", None, (), (), (), 0.0, "it is not pinned")
    tier = pin["tier"] + (" (recorded)" if pin["tier"].startswith(KERNEL) else "")
    return Verdict(slug, pin["verdict"], tier, pin["coverage"], None, (), (), (), 0.0)


def missing(slugs: Mapping[str, object]) -> list[str]:
    """The pinned statements that are no longer in the ledger."""
    return [f"{slug} is pinned, but not in the ledger" for slug in pins() if slug not in slugs]


def main() -> None:
    """Checks the ledger and pins it as it is."""
    from proofs.check import check_ledger
    from proofs.ledger import statements
    from proofs.selftest import faults

    known = statements()
    verdicts = check_ledger(list(known))
    rows = {
        slug: {
            "fingerprint": fingerprint(slug, known[slug]),
            "verdict": verdict.verdict,
            "severity": known[slug].severity,
            "coverage": verdict.coverage,
            "tier": verdict.tier.removesuffix(" (recorded)"),
        }
        for slug, verdict in sorted(verdicts.items())
    }
    problems = faults()
    if problems:
        raise SystemExit(f"nothing is pinned: {problems[0]}")
    PINS.write_text(json.dumps({MACHINERY: machinery(), **rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
