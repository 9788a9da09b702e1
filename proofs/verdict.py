"""The verdict on a statement: what its steps, its repair, its twins and all that it rests on come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter

from proofs.statement import Statement, Step
from symbolic.answer import Answer, NoAnswer, Status

TIERS = (
    "proof kernel",
    "exact rational computation",
    "ball computation",
    "two SMT solvers",
    "two algebra systems",
    "one algebra system",
    "cited",
)
HOLDS = ("proved", "repaired", "cited", "definition")


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

    `tier` is the evidence for what holds: the steps of the proof or of the repair; or else the refutation's.
    """

    slug: str
    verdict: str
    tier: str
    witness: str | None
    steps: tuple[StepResult, ...]
    repair_steps: tuple[StepResult, ...]
    twins: tuple[StepResult, ...]
    seconds: float
    problem: str | None = None
    also: tuple[StepResult, ...] = ()


def check_statement(slug: str, statement: Statement) -> Verdict:
    """The verdict from the statement's own steps; `resting` adds what it rests on.

    *proved*: all steps are; *refuted*: a step is, with its witness; *repaired*: refuted, and all steps of the repair
    are proved; *cited* and *definition* as declared, where there are no steps; *open* otherwise.
    """
    start = perf_counter()
    steps = tuple(result(step) for step in statement.steps)
    repair_steps = tuple(result(step) for step in statement.repair.steps) if statement.repair else ()
    twins = tuple(result(twin) for twin in statement.twins)
    also = tuple(result(step) for step in statement.also)
    verdict = own_verdict(statement, steps, repair_steps)
    refuting = [step for step in steps if step.status == "refuted"]
    deciding = {"repaired": repair_steps, "refuted": refuting}.get(verdict, steps)
    tier = "cited" if verdict == "cited" else weakest([step.tier for step in deciding])
    witness = next((step.witness for step in steps if step.status == "refuted"), None)
    seconds = perf_counter() - start
    found = failure((*steps, *repair_steps, *also, *twins)) or problem(twins, also)
    return Verdict(slug, verdict, tier, witness, steps, repair_steps, twins, seconds, found, also)


def result(step: Step) -> StepResult:
    """What a step comes to: undecided, with the reason, for one that cannot be read or computed."""
    try:
        answer = step.check()
    except NoAnswer as reason:
        return StepResult(step.says, step.prover, step.text, "failed", "none", str(reason))
    except Exception as reason:
        answer = Answer(Status.UNDECIDED, "none", f"{type(reason).__name__}: {reason}")
    return StepResult(step.says, step.prover, step.text, answer.status.value, answer.tier, answer.witness)


def own_verdict(statement: Statement, steps: tuple[StepResult, ...], repair_steps: tuple[StepResult, ...]) -> str:
    """The verdict before anything that the statement rests on is looked at."""
    if not steps:
        if statement.kind == "definition" and statement.implementation:
            return "definition"
        return "cited" if statement.cited else "open"
    states = {step.status for step in steps}
    if "refuted" in states:
        repaired = bool(repair_steps) and all(step.status == "proved" for step in repair_steps)
        return "repaired" if repaired else "refuted"
    return "proved" if states == {"proved"} else "open"


def failure(steps: Iterable[StepResult]) -> str | None:
    """A step whose prover could not do its work, in words."""
    return next((f"'{step.says}' has no answer: {step.witness}" for step in steps if step.status == "failed"), None)


def problem(twins: tuple[StepResult, ...], also: tuple[StepResult, ...] = ()) -> str | None:
    """A false twin that was not refuted, or another way to the same that was not proved, in words."""
    failed = [("false twin", twin) for twin in twins if twin.status != "refuted"]
    failed += [("other way", step) for step in also if step.status != "proved"]
    return f"the {failed[0][0]} '{failed[0][1].says}' came back {failed[0][1].status}" if failed else None


def weakest(tiers: Iterable[str]) -> str:
    """The weakest of some tiers; what is not in the list is weakest of all."""
    order = {tier: rank for rank, tier in enumerate(TIERS)}
    return max(tiers, key=lambda tier: order.get(tier.removesuffix(" (recorded)"), len(order)), default="none")


def resting(verdicts: Mapping[str, Verdict], statements: Mapping[str, Statement]) -> dict[str, Verdict]:
    """The verdicts after what each rests on, transitively: its tier is the weakest, and it is open if a support fails.

    A refutation stands by itself, so only what holds (proved, or repaired) can fall with its support.
    """
    settled: dict[str, Verdict] = {}

    def settle(slug: str, path: tuple[str, ...]) -> Verdict:
        if slug in settled:
            return settled[slug]
        own = verdicts[slug]
        if own.verdict in ("proved", "repaired"):
            own = supported(own, needs(statements[slug]), path)
        settled[slug] = own
        return own

    def supported(own: Verdict, support: tuple[str, ...], path: tuple[str, ...]) -> Verdict:
        tiers = [own.tier]
        for other in support:
            if other in path or other == own.slug:
                return replace(own, verdict="open", problem=f"it rests on itself through {other}")
            if other not in verdicts:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is not in the ledger")
            below = settle(other, (*path, own.slug))
            if below.verdict not in HOLDS:
                return replace(own, verdict="open", problem=f"it rests on {other}, which is {below.verdict}")
            tiers += [] if below.verdict == "definition" else [below.tier]
        return replace(own, tier=weakest(tiers))

    return {slug: settle(slug, ()) for slug in verdicts}


def needs(statement: Statement) -> tuple[str, ...]:
    """What a statement rests on, its repair included."""
    return statement.rests_on + (statement.repair.rests_on if statement.repair else ())


def as_plain(verdict: Verdict) -> dict[str, object]:
    """The verdict as plain data."""
    return asdict(verdict)
