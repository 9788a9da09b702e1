"""The audit of `Paper.v`, the file of statements: each is proved, refuted and repaired, cited, or listed as open.

A person who reads `Paper.v` and trusts Coq must not have to look for what is missing: the pins' file decides every closed
definition of type Prop by exactly one theorem, of exactly that type or its negation.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from panshuffle.proofs.kernel.pins import PINS, read_claims
from panshuffle.proofs.kernel.sources import Fault, required, uncommented

PAPER = "Paper"
MOST_LINES = 700
REPAIRED = "_repaired"
CLOSED = re.compile(r"\bDefinition\s+([A-Za-z_][\w']*)\s*:\s*Prop\s*:=")
NAMED = re.compile(r"\b(?:Definition|Fixpoint|Record)\s+([A-Za-z_][\w']*)")
PROVING = re.compile(r"\b(Proof|Qed|Defined|Theorem|Lemma|Corollary|Instance|Ltac|Axiom|Section|Variable|Hypothesis)\b")
STATEMENT = re.compile(rf"(~ )?{PAPER}\.([A-Za-z_][\w']*)")


@dataclass(frozen=True)
class Audit:
    """The statements of the file by what decides them, in its order, and what is wrong."""

    proved: tuple[str, ...]
    refuted: tuple[str, ...]
    cited: tuple[str, ...]
    open: tuple[str, ...]
    faults: tuple[Fault, ...]

    def summary(self) -> str:
        """The counts in one line, and what is open by name."""
        left = f"; open, and in no count: {', '.join(self.open)}" if self.open else ""
        counts = f"{len(self.proved)} proved, {len(self.refuted)} refuted and repaired, {len(self.cited)} cited"
        return f"{PAPER}.v: {counts}{left}"


def audit(folder: Path) -> Audit:
    """What the pins of a folder decide of the statements of its file."""
    text = (folder / f"{PAPER}.v").read_text(encoding="utf-8")
    names = closed_statements(text)
    decided, wrong = decisions(folder)
    cited, left = listed(folder)
    refuted = {name: repair for name, (negated, repair) in decided.items() if negated}
    proved = [name for name in names if name in decided and name not in refuted]
    faults = [*text_faults(text), *wrong]
    for name in names:
        ways = [name in decided, name in cited, name in left]
        if sum(ways) != 1:
            faults.append(f"{PAPER}.{name} is decided {sum(ways)} times: by a pin, cited or open, and only once")
    for name in [*decided, *cited, *left]:
        if name not in names:
            faults.append(f"{PINS} decides {PAPER}.{name}, which is not a statement of {PAPER}.v")
    for name, repair in refuted.items():
        if (repair or name + REPAIRED) not in proved:
            faults.append(f"{PAPER}.{name} is refuted, and {repair or name + REPAIRED} is not proved in its place")
    return Audit(
        tuple(proved),
        tuple(name for name in names if name in refuted),
        tuple(name for name in names if name in cited),
        tuple(name for name in names if name in left),
        tuple(Fault(fault) for fault in faults),
    )


def closed_statements(text: str) -> list[str]:
    """The closed definitions of type Prop, in the order of the file.

    >>> closed_statements("Definition a : Prop := True. (* Definition b : Prop := c. *) Definition d (n : nat) : Prop := e.")
    ['a']
    """
    return CLOSED.findall(uncommented(text))


def text_faults(text: str) -> list[str]:
    """What is wrong with the file itself: too long, a proof in it, another file of ours behind it, something unused."""
    clean = uncommented(text)
    lines = text.count("\n")
    faults = [f"{PAPER}.v has {lines} lines, more than {MOST_LINES}"] if lines > MOST_LINES else []
    faults += [f"{PAPER}.v has statements only, no {found}" for found in sorted(set(PROVING.findall(clean)))]
    faults += [f"{PAPER}.v requires {module}: it has to stand alone" for module in required(text)]
    names = NAMED.findall(clean)
    faults += [f"{PAPER}.v defines {name} twice" for name in sorted({name for name in names if names.count(name) > 1})]
    helpers = [name for name in names if name not in CLOSED.findall(clean)]
    unused = [name for name in helpers if len(re.findall(rf"(?<![\w']){re.escape(name)}(?![\w'])", clean)) < 2]
    return faults + [f"{PAPER}.{name} is neither a statement nor used by one" for name in unused]


def decisions(folder: Path) -> tuple[dict[str, tuple[bool, str]], list[str]]:
    """For each statement that a pin decides, whether it is refuted and what is named as its repair; and what is wrong."""
    found: dict[str, tuple[bool, str]] = {}
    faults = []
    for claim in read_claims(folder).values():
        match = STATEMENT.fullmatch(claim.statement)
        if match is None:
            continue
        if match[2] in found:
            faults.append(f"{PAPER}.{match[2]} is decided by two pins")
        found[match[2]] = (match[1] is not None, claim.repair.removeprefix(f"{PAPER}."))
    return found, faults


def listed(folder: Path) -> tuple[list[str], list[str]]:
    """The statements that the pins' file lists as cited, each with what is taken from where, and as open.

    Raises: ValueError, where a citation does not say what is taken.
    """
    rows = tomllib.loads((folder / PINS).read_text(encoding="utf-8"))
    for row in rows.get("cited", []):
        if not row["source"] or not row["takes"]:
            raise ValueError(f"{PINS}: {row['statement']} is cited without what is taken, or from where")
    cited = [str(row["statement"]).removeprefix(f"{PAPER}.") for row in rows.get("cited", [])]
    return cited, [str(name).removeprefix(f"{PAPER}.") for name in rows.get("open", [])]
