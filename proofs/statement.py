"""A statement of the paper: what is printed, how it is checked, what holds instead, what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from symbolic.answer import Answer

KINDS = (
    "definition",
    "algorithm",
    "theorem",
    "lemma",
    "fact",
    "claim",
    "corollary",
    "display",
    "step",
    "prose",
    "figure",
    "worst neighbour",
    "sharper",
)


@dataclass(frozen=True)
class Step:
    """One thing that a prover decides: what it says, who decides it, and the exact text that is decided.

    `domains` are those of the claim's variables, where it is a claim in variables.
    """

    says: str
    prover: str
    text: str
    check: Callable[[], Answer] = field(compare=False)
    domains: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Repair:
    """What holds in place of a refuted statement: in words, with steps of its own.

    A repair without steps is a description, and the verdict stays *refuted*.  `rests_on` is what the repair needs
    beyond the statement's own `rests_on`.
    """

    says: str
    steps: tuple[Step, ...] = ()
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Statement:
    """What is printed, where, and the steps that decide it anew each time.

    `covers` are the keys of `proofs/paper.json` that the statement accounts for.  `steps` decide what is printed:
    all proved, or one refuted with its witness.  `twins` are false neighbours of the statement, the smallest
    meaningful changes; each must come back refuted.  `also` are other ways to the same, on which nothing rests: each
    must come back proved, and none lowers the tier.  `cited` is the source of what is taken from elsewhere.
    `implementation` is where a definition is implemented and tested.  For a refuted statement, `why` says what goes
    wrong and `survives` what becomes of the statements above it.
    """

    where: str
    kind: str
    printed: str
    label: str | None = None
    covers: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    rests_on: tuple[str, ...] = ()
    twins: tuple[Step, ...] = ()
    also: tuple[Step, ...] = ()
    repair: Repair | None = None
    why: str = ""
    survives: str = ""
    cited: str | None = None
    implementation: str | None = None
