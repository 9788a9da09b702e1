"""A statement of the paper: what is printed, how it is checked, what holds instead, what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from panshuffle.proofs.paper import ENVIRONMENTS, items
from panshuffle.symbolic.decision import Decision

KINDS = (*ENVIRONMENTS, "display", "figure", "step", "prose", "worst neighbour", "sharper")
SEVERITIES = {
    "fatal": "a protocol or a theorem fails",
    "false": "false in its domain; the repair changes what is claimed",
    "constant": "true with another constant or exponent",
    "unproved step": "the conclusion survives, the step does not",
    "convention": "a degenerate parameter, a base, a typo, a name that nothing defines: not an error of the paper",
}
"""How bad it is that a statement is not true as printed, worst first."""
REPAIRED = ":repaired"
"""The ending of a name in `rests_on` that asks for the repaired form of a statement, not for the printed one."""


@dataclass(frozen=True)
class Step:
    """One thing that a prover decides: what it says, who decides it, and the exact text that is decided.

    A `finite` step enumerates some cases of a claim about more; a step about all parameters, and one whose cases are
    all that there are, is not finite.  `domains` are those of the claim's variables, where it is a claim in variables
    without further hypotheses.  `over` makes the same step with the domains of its statement for the letters that it
    does not declare itself.
    """

    says: str
    prover: str
    text: str
    check: Callable[[], Decision] = field(compare=False)
    finite: bool = False
    domains: Mapping[str, str] = field(default_factory=dict, compare=False)
    over: Callable[[Mapping[str, str]], Step] | None = field(default=None, compare=False)


class Steps:
    """A field that holds steps; one step may be given in place of a tuple of one."""

    def __set_name__(self, _: type, name: str) -> None:
        self.name = name

    def __get__(self, holder: object, _: type) -> tuple[Step, ...]:
        return () if holder is None else holder.__dict__[self.name]

    def __set__(self, holder: object, given: Step | tuple[Step, ...]) -> None:
        holder.__dict__[self.name] = given if isinstance(given, tuple) else (given,)


def declared(for_all: str, domains: Mapping[str, str]) -> dict[str, str]:
    """The domains of variables: those that a text declares, and those that are given by name.

    >>> declared("x, y in [0, 1]; n in integer [1, inf)", {"z": "(0, 1)"})
    {'x': '[0, 1]', 'y': '[0, 1]', 'n': 'integer [1, inf)', 'z': '(0, 1)'}
    """
    found: dict[str, str] = {}
    for part in filter(None, for_all.split(";")):
        names, _, domain = part.partition(" in ")
        found |= {name.strip(): domain.strip() for name in names.split(",")}
    return {**found, **domains}


@dataclass(frozen=True)
class Constant:
    """A constant that a statement prints, and how near to it the statement becomes false.

    Either it is replaced by the number `by` (within 5 % of the printed one) in the statement's near miss of the index
    `near_miss`, or `slack` says that the constant is not tight, and by how much.
    """

    printed: str
    slack: str = ""
    by: str = ""
    near_miss: int = 0


@dataclass(frozen=True)
class Repair:
    """What holds in place of a refuted statement: in words, with steps of its own.

    A repair without steps is a description, and the verdict stays *refuted*.  `rests_on` is what the repair needs
    beyond the statement's own `rests_on`.  `argument`, `checked` and `kernel` are as for a statement.
    """

    says: str
    steps: Steps = Steps()
    rests_on: tuple[str, ...] = ()
    argument: str = ""
    checked: str = ""
    kernel: Steps = Steps()


@dataclass(frozen=True)
class Statement:
    """What is printed, where, and the steps that decide it.

    `covers` are the keys of `proofs/paper.json` that the statement accounts for.  Unless they are given, `kind` is that
    of the first of them, and `label` is the first that is a label of the paper.  There are two columns of evidence,
    which are never mixed.  *Here*: `steps` decide what is printed in the run that the user sees, all proved, or one
    refuted with its witness; `argument` is the proof in words that leads from them to the statement, where they alone
    are not it; `checked` is the range that finite steps cover, where there is no proof beyond it; `rests_on` names
    every statement that the words name, with `:repaired` behind one that is not true as printed.  *Kernel*: `kernel`
    are theorems of Coq that decide it by themselves, but for the statements in `kernel_rests_on`, their premises.

    `for_all` declares letters for all these steps, those of the repair and of the near misses included, unless a step
    declares them itself.  `near_misses` are false neighbours of the statement, the smallest meaningful changes; each
    must come back refuted.
    `cited` is the source of what is taken from elsewhere.  `implementation` is where a definition is implemented and
    tested.  `reading` says what a fair reader takes the print to mean where the bare words say less or more.  `above`
    are the statements that use this one and are named for what becomes of them.

    For a refuted statement `severity` is a key of `SEVERITIES`, `why` says what goes wrong and `survives` what becomes
    of the statements above it.  `referee` answers an objection that was raised against the statement and does not hold.
    """

    where: str
    kind: str = ""
    printed: str = ""
    label: str | None = None
    covers: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    reading: str = ""
    for_all: str = ""
    steps: Steps = Steps()
    argument: str = ""
    checked: str = ""
    rests_on: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    kernel: Steps = Steps()
    kernel_rests_on: tuple[str, ...] = ()
    near_misses: Steps = Steps()
    constants: tuple[Constant, ...] = ()
    severity: str = ""
    repair: Repair | None = None
    why: str = ""
    survives: str = ""
    referee: str = ""
    cited: str | None = None
    implementation: str | None = None

    def __post_init__(self) -> None:
        if self.covers:
            kinds = {item.key: item.kind for item in items()}
            object.__setattr__(self, "kind", self.kind or kinds[self.covers[0]])
            object.__setattr__(self, "label", self.label or next((key for key in self.covers if ":" in key), None))
        letters = declared(self.for_all, {})

        def quantified(steps: tuple[Step, ...]) -> tuple[Step, ...]:
            return tuple(step.over(letters) if step.over and letters else step for step in steps)

        object.__setattr__(self, "steps", quantified(self.steps))
        object.__setattr__(self, "near_misses", quantified(self.near_misses))
        if self.repair:
            object.__setattr__(self, "repair", replace(self.repair, steps=quantified(self.repair.steps)))


def needs(statement: Statement) -> tuple[str, ...]:
    """What the steps of a statement rest on, those of its repair included, as `rests_on` names it."""
    return statement.rests_on + (statement.repair.rests_on if statement.repair else ())


def supports(statement: Statement) -> tuple[str, ...]:
    """The slugs that a statement rests on in either column."""
    return tuple(name.removesuffix(REPAIRED) for name in needs(statement) + statement.kernel_rests_on)
