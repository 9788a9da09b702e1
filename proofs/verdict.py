"""The verdict on a statement: what its steps, its repair, its near misses and all that it rests on come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

from panshuffle.proofs.statement import REPAIRED, Repair, Statement, Step, needs
from panshuffle.symbolic.decision import Decision, NoAnswer, Status

KERNEL, KERNEL_AND_WORDS = "proof kernel", "proof kernel and words"
RECORDED, RECORDED_AND_WORDS = "recorded, not run here", "recorded and words, not run here"
TIERS = (
    KERNEL,
    KERNEL_AND_WORDS,
    RECORDED,
    RECORDED_AND_WORDS,
    "exact rational computation",
    "ball computation",
    "two SMT solvers",
    "one SMT solver",
    "two algebra systems",
    "one algebra system",
    "cited",
)
"""The evidence, strongest first."""
ALL, WORDS, FINITE = "all parameters", "all parameters, by the argument in words", "finite"
COVERAGES = (ALL, WORDS, FINITE)
"""Over what the steps decide a statement, widest first."""
VERDICTS = ("proved", "repaired", "refuted", "checked", "cited", "definition", "open")
HOLDS = ("proved", "repaired", "checked", "cited", "definition")
WRONG = ("refuted", "repaired")


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

    `tier` and `coverage` are of the evidence for what holds: the steps of the proof or of the repair; or else the
    refutation's.  A witness refutes by itself, so a refutation has no coverage.
    """

    slug: str
    verdict: str
    tier: str
    coverage: str
    witness: str | None
    steps: tuple[StepResult, ...]
    repair_steps: tuple[StepResult, ...]
    near_misses: tuple[StepResult, ...]
    seconds: float
    problem: str | None = None
    corroboration: tuple[StepResult, ...] = ()


def check_statement(slug: str, statement: Statement) -> Verdict:
    """The verdict from the statement's own steps; `resting` adds what it rests on.

    *proved*: all steps are; *checked*: all steps are, and they cover a finite range of what is claimed; *refuted*: a
    step is, with its witness; *repaired*: refuted, and all steps of the repair are proved for all parameters; *cited*
    and *definition* as declared, where there are no steps; *open* otherwise.
    """
    start = perf_counter()
    steps = tuple(result(step) for step in statement.steps)
    repair_steps = tuple(result(step) for step in statement.repair.steps) if statement.repair else ()
    near_misses = tuple(result(step) for step in statement.near_misses)
    corroboration = tuple(result(step) for step in statement.corroboration)
    verdict = own_verdict(statement, steps, repair_steps)
    refuting = [step for step in steps if step.status == "refuted"]
    deciding = {"repaired": repair_steps, "refuted": refuting}.get(verdict, steps)
    tier = "cited" if verdict == "cited" else weakest(TIERS, [step.tier for step in deciding])
    held = statement.repair if verdict == "repaired" and statement.repair else statement
    coverage = coverage_of(held) if verdict in ("proved", "repaired", "checked") else ""
    witness = next((step.witness for step in steps if step.status == "refuted"), None)
    tier, seconds = kernel_tier(tier, coverage), perf_counter() - start
    found = failure((*steps, *repair_steps, *corroboration, *near_misses)) or problem(near_misses, corroboration)
    return Verdict(
        slug, verdict, tier, coverage, witness, steps, repair_steps, near_misses, seconds, found, corroboration
    )


def result(step: Step) -> StepResult:
    """What a step comes to: undecided, with the reason, for one that cannot be read or computed."""
    try:
        answer = step.check()
    except (NoAnswer, MemoryError) as reason:
        return StepResult(step.says, step.prover, step.text, "failed", "none", str(reason) or "no memory is left")
    except Exception as reason:
        answer = Decision(Status.UNDECIDED, "none", f"{type(reason).__name__}: {reason}")
    return StepResult(step.says, step.prover, step.text, answer.status.value, answer.tier, answer.witness)


def coverage_of(held: Statement | Repair) -> str:
    """Over what the steps of a statement or of a repair decide it.

    An argument in words leads from general steps to a general statement; from finite steps alone it leads nowhere.
    """
    if held.checked or all(step.finite for step in held.steps):
        return FINITE
    if held.argument:
        return WORDS
    return FINITE if any(step.finite for step in held.steps) else ALL


def own_verdict(statement: Statement, steps: tuple[StepResult, ...], repair_steps: tuple[StepResult, ...]) -> str:
    """The verdict before anything that the statement rests on is looked at."""
    if not steps:
        if statement.kind == "definition" and statement.implementation:
            return "definition"
        return "cited" if statement.cited else "open"
    states = {step.status for step in steps}
    if "refuted" in states:
        repaired = bool(repair_steps) and all(step.status == "proved" for step in repair_steps)
        general = statement.repair is not None and coverage_of(statement.repair) != FINITE
        return "repaired" if repaired and general else "refuted"
    if states != {"proved"}:
        return "open"
    return "checked" if coverage_of(statement) == FINITE else "proved"


def failure(steps: Iterable[StepResult]) -> str | None:
    """A step whose prover could not do its work, in words."""
    return next((f"'{step.says}' has no answer: {step.witness}" for step in steps if step.status == "failed"), None)


def problem(near_misses: tuple[StepResult, ...], corroboration: tuple[StepResult, ...] = ()) -> str | None:
    """A near miss that was not refuted, or another way to the same that was not proved, in words."""
    failed = [("near miss", step) for step in near_misses if step.status != "refuted"]
    failed += [("other way", step) for step in corroboration if step.status != "proved"]
    return f"the {failed[0][0]} '{failed[0][1].says}' came back {failed[0][1].status}" if failed else None


def weakest(order: tuple[str, ...], found: Iterable[str]) -> str:
    """The weakest of some tiers or coverages, the last in their order; what is not in the order is weakest of all."""
    ranks = {name: rank for rank, name in enumerate(order)}
    return max(found, key=lambda name: ranks.get(name, len(ranks)), default="none")


def kernel_tier(tier: str, coverage: str) -> str:
    """The tier of the kernel only where no argument in words stands between its theorems and the statement."""
    in_words = {KERNEL: KERNEL_AND_WORDS, RECORDED: RECORDED_AND_WORDS}
    return in_words.get(tier, tier) if coverage == WORDS else tier


def as_recorded(tier: str) -> str:
    """The tier that the same steps have where both SMT solvers are installed and Coq did not run: the pinned one."""
    pinned = {KERNEL: RECORDED, KERNEL_AND_WORDS: RECORDED_AND_WORDS, "one SMT solver": "two SMT solvers"}
    return pinned.get(tier, tier)


def resting(
    verdicts: Mapping[str, Verdict], statements: Mapping[str, Statement], beneath: Mapping[str, Verdict] | None = None
) -> dict[str, Verdict]:
    """The verdicts after what each rests on, transitively: tier and coverage are the weakest beneath.

    `beneath` are statements that are settled already.  A statement is open if a support fails, or is needed as printed
    and holds only as repaired.  A refutation stands by itself, so only what holds can fall with its support.
    """
    settled = dict(beneath or {})

    def settle(slug: str, path: tuple[str, ...]) -> Verdict:
        if slug in settled:
            return settled[slug]
        own = verdicts[slug]
        if own.verdict in ("proved", "repaired", "checked"):
            own = supported(own, needs(statements[slug]), path)
        settled[slug] = own
        return own

    def supported(own: Verdict, support: tuple[str, ...], path: tuple[str, ...]) -> Verdict:
        tiers, coverages = [own.tier], [own.coverage]
        for name in support:
            other = name.removesuffix(REPAIRED)
            if other in path or other == own.slug:
                return replace(own, verdict="open", problem=f"it rests on itself through {other}")
            if other not in verdicts and other not in settled:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is not in the ledger")
            below = settle(other, (*path, own.slug))
            if below.verdict not in HOLDS:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is {below.verdict}")
            if (below.verdict == "repaired") != name.endswith(REPAIRED):
                return replace(own, verdict="open", problem=f"it rests on {name}, which is {below.verdict}")
            if below.verdict != "definition":
                tiers.append(below.tier)
                coverages += [below.coverage] if below.coverage else []
        return narrowed(own, weakest(TIERS, tiers), weakest(COVERAGES, coverages))

    return {slug: settle(slug, ()) for slug in verdicts}


def narrowed(own: Verdict, tier: str, coverage: str) -> Verdict:
    """A verdict with the tier and the coverage of the weakest thing beneath it."""
    verdict = {"proved": "checked", "repaired": "refuted"}.get(own.verdict, own.verdict)
    return replace(
        own,
        verdict=verdict if coverage == FINITE else own.verdict,
        tier=kernel_tier(tier, coverage),
        coverage="" if verdict == "refuted" and coverage == FINITE else coverage,
    )
