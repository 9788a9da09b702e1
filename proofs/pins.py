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
from panshuffle.proofs.verdict import Verdict, as_pinned

ROOT = Path(__file__).parent
PINS = ROOT / "pins.json"
FRAME = ("panshuffle.proofs.statement", "panshuffle.proofs.steps")
"""What every statement imports: not part of any one of them."""
IN_PARTS = ("steps", "kernel", "near_misses", "repair")
"""The fields of a statement of which not the value but the parts are hashed."""


COLUMNS = ("here", "provers", "kernel")
"""The fields of a verdict that say what it stands on."""


def fingerprint(slug: str, statement: Statement) -> str:
    """A hash of all that the statement says, of what its steps decide, and of the code that decides it.

    The code is the statement's entry and every function and constant of this package that it uses, and they use.
    """
    repair = statement.repair
    content = [
        [str(value) for name, value in vars(statement).items() if name not in IN_PARTS],
        [texts(statement.steps), texts(statement.kernel), texts(statement.near_misses)],
        [repair.says, texts(repair.steps), repair.rests_on, repair.argument, repair.checked, texts(repair.kernel)]
        if repair
        else None,
        code(f"panshuffle.proofs.{modules()[slug]}", slug.replace("-", "_")) if slug in modules() else None,
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:16]


class Source:
    """The text of a module, name by name, with the names that each uses, and those that are imported."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.texts: dict[str, str] = {}
        self.uses: dict[str, set[str]] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom):
                self.imported |= taken(node)
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                for name in defined(node):
                    self.add(name, node)

    def add(self, name: str, node: ast.stmt) -> None:
        """Notes that a part of the text defines a name, or changes what it stands for."""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        self.texts[name] = self.texts.get(name, "") + "\n".join(self.lines[first - 1 : node.end_lineno]) + "\n"
        self.uses.setdefault(name, set()).update(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        for inner in ast.walk(node):
            if isinstance(inner, ast.ImportFrom):
                self.imported |= taken(inner)
                self.uses[name] |= taken(inner).keys()


LOOSE = ""
"""The name under which a module's text stands that defines no name by itself: it may concern all of them."""


def defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module's body defines, or `LOOSE` where it may do anything."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    named = [part.id for part in parts if isinstance(part, ast.Name)]
    whole = isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and len(named) == len(parts)
    return named if whole else [LOOSE]


def taken(node: ast.ImportFrom) -> dict[str, tuple[str, str]]:
    """What an import takes: the module and the name there, by the name here."""
    return {alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names}


@cache
def source(name: str) -> Source | None:
    """The text of a module of this package that is not in every statement's frame."""
    path = ROOT / (name.removeprefix("panshuffle.proofs.").replace(".", "/") + ".py")
    ours = name.startswith("panshuffle.proofs.") and name not in FRAME and path.is_file()
    return Source(path.read_text(encoding="utf-8")) if ours else None


def code(module: str, name: str) -> list[str]:
    """The texts of a name and of all of this package that it uses, directly or not, each after its place."""
    found: dict[tuple[str, str], str] = {}
    waiting = [(module, name), (module, LOOSE)]
    while waiting:
        place = waiting.pop()
        text = source(place[0])
        if place in found or text is None:
            continue
        found[place] = text.texts.get(place[1], "")
        waiting += [(place[0], used) for used in (*text.uses.get(place[1], ()), LOOSE)]
        if place[1] in text.imported:
            found[place] += " ".join(text.imported[place[1]])
            waiting.append(text.imported[place[1]])
    return [f"{home}.{own}\n{text}" for (home, own), text in sorted(found.items()) if text]


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
        for column in COLUMNS:
            now = as_pinned(getattr(verdict, column))
            if verdict.verdict == pinned[slug]["verdict"] and now != pinned[slug].get(column):
                found.append(f"{slug} has {column}: {now}, but {pinned[slug].get(column)} is pinned")
    return found


def pinned_verdict(slug: str) -> Verdict:
    """The pinned verdict of a statement, without its steps."""
    pin = pins().get(slug)
    if pin is None:
        return Verdict(slug, "open", problem="it is not pinned")
    return Verdict(slug, pin["verdict"], pin["here"], pin["provers"], pin["kernel"])


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
            **{column: as_pinned(getattr(verdict, column)) for column in COLUMNS},
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
