"""The pinned form of every statement: what is printed, what its steps decide, and the verdict that was reached.

A statement that no longer is what was pinned, or no longer comes out as it did, makes `panshuffle verify` fail.
`python -m panshuffle.proofs.pins` checks the whole ledger and pins it as it is: a deliberate act, to be reviewed.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from panshuffle.proofs import root
from panshuffle.proofs.ledger import modules
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.verdict import Verdict, as_recorded

ROOT = Path(__file__).parent
PINS = ROOT / "pins.json"
FRAME = ("panshuffle.proofs.statement", "panshuffle.proofs.steps")
"""What every statement imports: not part of any one of them."""


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
    path = ROOT / (name.removeprefix("panshuffle.proofs.").replace(".", "/") + ".py")
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


def texts(steps: tuple[Step, ...]) -> list[list[str]]:
    """What steps decide, as text."""
    return [[step.says, step.prover, step.text, "finite" if step.finite else ""] for step in steps]


@cache
def pins() -> dict[str, dict[str, str]]:
    """The pinned fingerprint and verdict by slug."""
    found: dict[str, dict[str, str]] = json.loads(PINS.read_text(encoding="utf-8"))
    return found


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
        elif as_recorded(verdict.tier) != pinned[slug]["tier"]:
            found.append(f"{slug} has the tier {verdict.tier}, but {pinned[slug]['tier']} is pinned")
        elif verdict.coverage != pinned[slug].get("coverage"):
            found.append(f"{slug} covers {verdict.coverage or 'nothing'}, but {pinned[slug].get('coverage')} is pinned")
    return found


def pinned_verdict(slug: str) -> Verdict:
    """The pinned verdict of a statement, without its steps."""
    pin = pins().get(slug)
    if pin is None:
        return Verdict(slug, "open", "none", "", None, (), (), (), 0.0, "it is not pinned")
    return Verdict(slug, pin["verdict"], pin["tier"], pin["coverage"], None, (), (), (), 0.0)


def missing(slugs: Mapping[str, object]) -> list[str]:
    """The pinned statements that are no longer in the ledger."""
    return [f"{slug} is pinned, but not in the ledger" for slug in pins() if slug not in slugs]


def rows() -> dict[str, dict[str, str]]:
    """What there is to pin, after checking the whole ledger."""
    from panshuffle.proofs.check import check_ledger
    from panshuffle.proofs.ledger import statements

    known = statements()
    return {
        slug: {
            "fingerprint": fingerprint(slug, known[slug]),
            "verdict": verdict.verdict,
            "severity": known[slug].severity,
            "coverage": verdict.coverage,
            "tier": as_recorded(verdict.tier),
        }
        for slug, verdict in sorted(check_ledger(list(known)).items())
    }


def faults_now() -> list[str]:
    """Why nothing may be pinned: a prover that believes a false claim, or a record of other sources of the kernel."""
    from panshuffle.proofs.kernel.checker import State, recorded_states
    from panshuffle.proofs.selftest import faults

    states = recorded_states().items()
    return faults() + [f"{name}: {found.reason}" for name, found in states if found.state is State.FAILED]


def main() -> None:
    """Checks the ledger and pins it as it is: first the code and the kernel, then what they come to."""
    before = (root.ROOT / root.LIST).read_text(encoding="utf-8")
    root.write(root.text_of_now())
    try:
        problems = faults_now()
        if problems:
            raise SystemExit(f"nothing is pinned: {problems[0]}")
        PINS.write_text(json.dumps(rows(), indent=1) + "\n", encoding="utf-8")
    except BaseException:
        root.write(before)
        raise
    root.write(root.text_of_now())


if __name__ == "__main__":
    main()
