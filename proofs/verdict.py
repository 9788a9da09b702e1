"""The verdict on a statement: what the provers decide here, what the kernel says, and what both rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

from panshuffle.proofs.statement import REPAIRED, Repair, Statement, Step, needs
from panshuffle.symbolic.decision import Decision, NoAnswer, Status

WHOLE, STEPS, INSTANCES, NONE = "whole", "steps", "instances", "none"
HERE = {
    WHOLE: "the statement itself is decided on this machine, in this run",
    STEPS: "every formula of its proof is decided on this machine, in this run, and an argument in words joins them",
    INSTANCES: "finite cases alone are decided on this machine, in this run",
    NONE: "nothing is decided on this machine",
}
"""How much of a statement the provers decide in a run, most first."""
KERNEL, RECORDED = "checked now", "recorded"
COLUMN = {
    KERNEL: "Coq has checked its theorem in this run",
    RECORDED: "Coq has checked its theorem in a recorded run of the same sources, which `make kernel` repeats",
    NONE: "it has no theorem in Coq",
}
"""What the proof kernel says of a statement, strongest first."""
IN_COQ, ON_RECORD, CITED = "proof kernel", "recorded run of the proof kernel", "cited"
TIERS = (
    IN_COQ,
    "exact rational computation",
    "ball computation",
    "two SMT solvers",
    "one SMT solver",
    "two algebra systems",
    "one algebra system",
    ON_RECORD,
    CITED,
)
"""What a verdict stands on, strongest first; the weakest of what is needed counts."""
VERDICTS = ("proved", "repaired", "refuted", "checked", "cited", "definition", "open")
HOLDS = ("proved", "repaired", "checked", "cited", "definition")
WRONG = ("refuted", "repaired")
DECIDED = ("proved", "repaired", "refuted", "checked", "open")
"""The verdicts on what is neither cited nor a definition."""


@dataclass(frozen=True)
class StepResult:
    """What came of one step: proved, refuted, undecided, or failed if its prover could not do its work."""

    says: str
    prover: str
    text: str
    status: str
    tier: str
    witness: str | None


@dataclass(frozen=True)
class Verdict:
    """The outcome of checking a statement, as plain data.

    `here` is how much was decided in this run, and `provers` the weakest tier of what decided it; `kernel` is what Coq
    says.  `premises` are the cited statements beneath.  `witness` was computed in this run if a step was refuted in it,
    and else belongs to a theorem of the kernel.
    """

    slug: str
    verdict: str
    here: str = NONE
    provers: str = NONE
    kernel: str = NONE
    witness: str | None = None
    steps: tuple[StepResult, ...] = ()
    repair_steps: tuple[StepResult, ...] = ()
    theorems: tuple[StepResult, ...] = ()
    near_misses: tuple[StepResult, ...] = ()
    premises: tuple[str, ...] = ()
    seconds: float = 0.0
    problem: str | None = None

    @property
    def decided_here(self) -> bool:
        """Whether the statement was decided in this run, for all of its parameters."""
        return self.here in (WHOLE, STEPS)

    @property
    def on_record(self) -> bool:
        """Whether the verdict stands on a recorded run of Coq, its own or that of a statement beneath."""
        return self.verdict in ("proved", "repaired") and not self.decided_here and self.kernel != KERNEL

    @property
    def tier(self) -> str:
        """What the verdict stands on: a cited premise, Coq in this run, the provers in this run, or the record."""
        if self.premises or self.verdict == "cited":
            return CITED
        if self.kernel == KERNEL:
            return IN_COQ
        return ON_RECORD if self.on_record else self.provers


def check_statement(slug: str, statement: Statement) -> Verdict:
    """The verdict from the statement's own steps and theorems; `resting` adds what it rests on.

    *proved*: the steps are, for more than a finite range, or the theorems of the kernel; *checked*: the steps are, for
    a finite range; *refuted*: a step or a theorem refutes it, with a witness; *repaired*: refuted, and the repair is
    proved as above; *cited* and *definition* as declared, where there is no evidence; *open* otherwise.
    """
    start = perf_counter()
    repair = statement.repair or Repair("")
    groups = (statement.steps, repair.steps, statement.kernel, repair.kernel, statement.near_misses)
    steps, repair_steps, theorems, repair_theorems, near_misses = (tuple(result(s) for s in group) for group in groups)
    printed, replaced = outcome(steps), outcome(repair_steps)
    in_coq, replaced_in_coq = outcome(theorems), outcome(repair_theorems)
    if "refuted" in (printed, in_coq):
        found = coverage(repair) if printed == "refuted" and replaced == "proved" else INSTANCES
        here = found if printed == "refuted" or replaced == "proved" else NONE
        holds = replaced_in_coq == "proved" or (replaced == "proved" and coverage(repair) != INSTANCES)
        verdict = "repaired" if holds else "refuted"
    else:
        here = coverage(statement) if printed == "proved" else NONE
        undecided = "definition" if defined(statement) else "cited" if statement.cited else "open"
        verdict = "proved" if in_coq == "proved" else {INSTANCES: "checked", NONE: undecided}.get(here, "proved")
    all_theorems = (*theorems, *repair_theorems)
    return Verdict(
        slug,
        verdict,
        here,
        weakest(TIERS, [step.tier for step in (*steps, *repair_steps)]) if here != NONE else NONE,
        weakest(tuple(COLUMN), [step.tier for step in all_theorems]) if all_theorems else NONE,
        next((step.witness for step in (*steps, *theorems) if step.status == "refuted"), None),
        steps,
        repair_steps,
        all_theorems,
        near_misses,
        seconds=perf_counter() - start,
        problem=failure((*steps, *repair_steps, *all_theorems, *near_misses))
        or unexpected("near miss", near_misses, "refuted")
        or unexpected("step of the repair", (*repair_steps, *repair_theorems), "proved")
        or ("the steps and the kernel disagree" if {printed, in_coq} == {"proved", "refuted"} else None)
        or (unexpected("step", (*steps, *theorems), "proved") if verdict not in WRONG else None),
    )


def result(step: Step) -> StepResult:
    """What a step comes to: undecided, with the reason, for one that cannot be read or computed."""
    try:
        answer = step.check()
    except (NoAnswer, MemoryError) as reason:
        return StepResult(step.says, step.prover, step.text, "failed", NONE, str(reason) or "no memory is left")
    except Exception as reason:
        answer = Decision(Status.UNDECIDED, NONE, f"{type(reason).__name__}: {reason}")
    return StepResult(step.says, step.prover, step.text, answer.status.value, answer.tier, answer.witness)


def outcome(steps: tuple[StepResult, ...]) -> str:
    """What steps come to together, empty where there are none."""
    states = {step.status for step in steps}
    return "refuted" if "refuted" in states else "proved" if states == {"proved"} else "open" if states else ""


def coverage(held: Statement | Repair) -> str:
    """How much of a statement or of a repair its steps decide, if they are proved.

    An argument in words leads from general steps to a general statement; from finite steps alone it leads nowhere.
    """
    if held.checked or all(step.finite for step in held.steps):
        return INSTANCES
    if held.argument:
        return STEPS
    return INSTANCES if any(step.finite for step in held.steps) else WHOLE


def defined(statement: Statement) -> bool:
    """Whether a statement is a definition that is implemented."""
    return statement.kind == "definition" and statement.implementation is not None


def failure(steps: Iterable[StepResult]) -> str | None:
    """A step whose prover could not do its work, in words."""
    return next((f"'{step.says}' has no answer: {step.witness}" for step in steps if step.status == "failed"), None)


def unexpected(name: str, steps: Iterable[StepResult], expected: str) -> str | None:
    """A step that did not come back as it must, in words."""
    wrong = next((step for step in steps if step.status != expected), None)
    return f"the {name} '{wrong.says}' came back {wrong.status}" if wrong else None


def weakest(order: Iterable[str], found: Iterable[str]) -> str:
    """The last of some grades in an order; *none* where one is not in it, and where there are none."""
    ordered, graded = list(order), list(found)
    known = [ordered.index(grade) for grade in graded if grade in ordered]
    return ordered[max(known)] if known and len(known) == len(graded) else NONE


def as_pinned(name: str) -> str:
    """A grade as it is where both SMT solvers are installed and Coq did not run: the pinned one."""
    return {KERNEL: RECORDED, "one SMT solver": "two SMT solvers"}.get(name, name)


def resting(
    verdicts: Mapping[str, Verdict], statements: Mapping[str, Statement], beneath: Mapping[str, Verdict] | None = None
) -> dict[str, Verdict]:
    """The verdicts after what each rests on, transitively: each column is as weak as what is beneath it.

    `beneath` are statements that are settled already.  A statement is open if a support fails, or is needed as printed
    and holds only as repaired.  A refutation stands by itself, so only what holds can fall with its support.
    """
    settled = dict(beneath or {})

    def settle(slug: str, path: tuple[str, ...]) -> Verdict:
        if slug not in settled:
            own = verdicts[slug]
            settled[slug] = own if own.verdict not in ("proved", "repaired", "checked") else supported(own, path)
        return settled[slug]

    def supported(own: Verdict, path: tuple[str, ...]) -> Verdict:
        statement, own_path = statements[own.slug], (*path, own.slug)
        found: list[Verdict] = []
        for name in (*needs(statement), *statement.kernel_rests_on):
            other = name.removesuffix(REPAIRED)
            if other in own_path:
                return replace(own, verdict="open", problem=f"it rests on itself through {other}")
            if other not in verdicts and other not in settled:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is not in the ledger")
            below = settle(other, own_path)
            if below.verdict not in HOLDS:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is {below.verdict}")
            if (below.verdict == "repaired") != name.endswith(REPAIRED):
                return replace(own, verdict="open", problem=f"it rests on {name}, which is {below.verdict}")
            found.append(below)
        of_steps = len(needs(statement))
        return narrowed(own, found[:of_steps], found[of_steps:])

    return {slug: settle(slug, ()) for slug in verdicts}


def narrowed(own: Verdict, beneath: list[Verdict], beneath_kernel: list[Verdict]) -> Verdict:
    """A verdict with each column as weak as the weakest thing beneath it, and with the cited premises."""
    decided = [below for below in beneath if below.verdict in DECIDED]
    here = weakest(HERE, [own.here, *(below.here for below in decided)])
    provers = weakest(TIERS, [own.provers, *(below.provers for below in decided)]) if here != NONE else NONE
    kernel = weakest(COLUMN, [own.kernel, *(below.kernel for below in beneath_kernel if below.verdict in DECIDED)])
    leaning = beneath_kernel if kernel != NONE else beneath
    premises = [name for below in leaning for name in ((below.slug,) if below.verdict == "cited" else below.premises)]
    finite = kernel == NONE and "checked" in {below.verdict for below in decided}
    verdict = {"proved": "checked", "repaired": "refuted"}.get(own.verdict, own.verdict) if finite else own.verdict
    return replace(
        own, verdict=verdict, here=here, provers=provers, kernel=kernel, premises=tuple(dict.fromkeys(premises))
    )
