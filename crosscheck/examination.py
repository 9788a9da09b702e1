"""Runs against a reference: consistent or not, at a false-alarm probability that is a theorem, and where not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from flint import arb, ctx

from crosscheck.diagnosis import Diagnosis, diagnose
from crosscheck.evidence import mixed, split, threshold
from crosscheck.order import order_questions
from crosscheck.questions import (
    LIKELIHOOD,
    MARGINAL,
    Columns,
    Question,
    classes,
    likelihoods,
    marginals,
    median_of,
    pair_questions,
    run_questions,
)
from crosscheck.reference.model import ANALYZER, ORDER, POOLS, RUNS, Reference
from crosscheck.runs import Run
from crosscheck.tables import BITS
from exact.errors import InputError, ParameterError
from exact.numbers.real import Real

DEFAULT_ALARM = Fraction(1, 10**9)
FIRST_LOOK = 64
TOLERANCE = 1e-9
KEPT = 500
ROUGH = 1e-3
KINDS = (MARGINAL, POOLS, RUNS, ORDER, LIKELIHOOD)


@dataclass(frozen=True)
class Finding:
    """Something that the law does not explain: where, what was seen and what is expected."""

    area: str
    where: str
    event: str
    seen: str
    expected: str
    log_evidence: float


@dataclass(frozen=True)
class Verdict:
    """The answer.  `evidence` is ln of the e-value, `limit` ln(1/alarm); an impossible outcome needs no evidence."""

    consistent: bool
    runs: int
    alarm: Fraction
    evidence: float
    limit: float
    findings: tuple[Finding, ...]
    diagnosis: Diagnosis | None
    resolution: str

    def sentence(self) -> str:
        """The answer in words."""
        if self.consistent:
            return f"consistent after {self.runs} runs: {self.resolution}"
        first = self.findings[0]
        cause = f"; likely cause: {self.diagnosis.cause} ({self.diagnosis.area})" if self.diagnosis else ""
        where = f"{first.where}, {first.event}: {first.seen} seen, {first.expected} expected"
        return f"inconsistent after {self.runs} runs: {where}{cause}"


class Examination:
    """Collects runs and judges them as often as one likes: the false-alarm probability holds over all looks."""

    def __init__(self, reference: Reference, alarm: Fraction = DEFAULT_ALARM) -> None:
        if not 0 < alarm < 1:
            raise ParameterError("alarm", alarm, "strictly between 0 and 1")
        self.reference, self.alarm = reference, alarm
        self.vectors: list[tuple[int, ...]] = []
        self.messages: list[Sequence[tuple[int, int]]] = []
        self.slips: list[tuple[int, Run, Any]] = []
        self.outputs: list[tuple[int, Run, Any]] = []
        self.mistaken = 0
        self.ordered = False

    def add(self, run: Run) -> None:
        """One more run.  *Raises* `InputError` for a run that lacks what is compared.

        The first run says whether the order is asked for: the weights of the questions must not change later.
        """
        self.vectors.append(self.reference.read(run))
        self.ordered = run.messages is not None if len(self.vectors) == 1 else self.ordered
        if run.messages is not None:
            self.messages.append(run.messages)
        if self.reference.output is not None and run.output is not None:
            expected = self.reference.output(run)
            right = same(expected, run.output)
            self.mistaken += not right
            if len(self.outputs if right else self.slips) < KEPT:
                (self.outputs if right else self.slips).append((len(self.vectors), run, expected))

    def questions(self) -> list[list[Question]]:
        """The questions in groups of equal weight."""
        columns = Columns(self.reference, self.vectors)
        bugs = [
            Question(LIKELIHOOD, "all coordinates", bug.name, likelihoods(columns, laws))
            for bug, laws in zip(self.reference.bugs, self.reference.bug_laws, strict=True)
        ]
        groups = [list(marginals(columns)), list(classes(columns)), bugs]
        groups += [list(pair_questions(columns)), list(run_questions(columns))]
        if self.ordered:
            groups.append(list(order_questions(self.messages, self.reference.width)))
        return [group for group in groups if group]

    def verdict(self) -> Verdict:
        """The answer after the runs so far.  *Raises* `InputError` if there is none."""
        if not self.vectors:
            raise InputError("no run was read, so there is nothing to compare")
        groups = self.questions()
        parts = [(Fraction(1, len(groups) * len(group)), q.log_e) for group in groups for q in group]
        limit = threshold(self.alarm)
        evidence = mixed(parts) if parts else arb(0)
        sure = list(self.certain())
        with ctx.workprec(BITS):
            consistent = not sure and not bool(evidence > limit)
        findings = () if consistent else (*sure, *found(groups, limit))
        diagnosis = None if consistent else diagnose(self, groups, limit)
        shown = min(float(evidence.mid()), 1e300)
        resolution = self.resolution(groups, limit)
        return Verdict(
            consistent, len(self.vectors), self.alarm, shown, float(limit.mid()), tuple(findings), diagnosis, resolution
        )

    def certain(self) -> Iterator[Finding]:
        """What can't happen at all: outcomes of mass 0, and outputs that do not follow from the pools."""
        for i, x, count in islice(Columns(self.reference, self.vectors).impossible(), 20):
            law = self.reference.laws[i]
            only = (
                f"{law.first}" if len(law.masses) == 1 else f"{law.least} to {'...' if law.most is None else law.most}"
            )
            yield Finding("impossible", self.reference.names[i], f"= {x} in {count} runs", f"{x}", only, float("inf"))
        if self.mistaken:
            number, run, expected = self.slips[0]
            words = f"in run {number} (and {self.mistaken - 1} more) it does not follow from the pools"
            yield Finding(ANALYZER, "output", words, f"{run.output}", shown_output(expected), float("inf"))

    def resolution(self, groups: Sequence[Sequence[Question]], limit: arb) -> str:
        """How much of a deviation these runs could have shown."""
        law = max(self.reference.laws, key=lambda table: len(table.masses))
        index = self.reference.laws.index(law)
        if len(law.masses) == 1:
            return "every outcome is certain here, so any other would have been seen"
        cut, runs = median_of(law), len(self.vectors)
        weight = Fraction(1, len(groups) * len(groups[0]))
        p = law.up_to(cut)
        if float(p.rad()) > ROUGH:
            return f"only what is impossible: the law of {self.reference.names[index]} is too rough at this size"
        need = float(limit.mid()) - float(mixed([(weight, arb(0))]).mid())
        least = least_shift(runs, p, need)
        what = f"P[{self.reference.names[index]} <= {cut}] = {float(p.mid()):.4g}"
        if least is None:
            return f"too few to see any change of {what}"
        return f"a change of {what} by {least:.2g} would have been seen"


def least_shift(runs: int, p: arb, need: float) -> float | None:
    """The least change of the frequency of an event that raises the alarm by itself, up or down."""
    middle = float(p.mid())

    def raises(count: int) -> bool:
        return float(split(count, runs, p).mid()) >= need

    shifts = []
    for end in (0, runs):
        near, far = min(runs, max(0, round(runs * middle))), end
        if not raises(far):
            continue
        while abs(far - near) > 1:
            centre = (near + far) // 2
            near, far = (near, centre) if raises(centre) else (centre, far)
        shifts.append(abs(far / runs - middle))
    return max(shifts) if len(shifts) == 2 else shifts[0] if shifts else None


def found(groups: Sequence[Sequence[Question]], limit: arb) -> Iterator[Finding]:
    """The question with the most evidence of each group: first single coordinates, last known mistakes."""
    best = [max(group, key=lambda q: float(q.log_e.mid())) for group in groups]
    for question in sorted(best, key=lambda q: (KINDS.index(q.kind), -float(q.log_e.mid()))):
        value = float(question.log_e.mid())
        if value > float(limit.mid()) / 2:
            yield Finding(question.kind, question.where, question.event, question.seen, question.expected, value)


def shown_output(value: Any) -> str:
    """An expected output for a person."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown_output(item) for item in value) + "]"
    return f"{float(value):.17g}" if isinstance(value, Real) and value.fraction is None else str(value)


def same(expected: Any, output: Any) -> bool:
    """Whether an output is the expected one; real numbers may be rounded to doubles."""
    if isinstance(expected, (list, tuple)):
        return isinstance(output, list) and len(output) == len(expected) and all(map(same, expected, output))
    if isinstance(expected, str) or isinstance(output, (str, list, dict, bool)):
        return bool(expected == output)
    value = float(expected)
    return bool(abs(value - output) <= TOLERANCE * max(1.0, abs(value)))


def examine(reference: Reference, runs: Iterable[Run], alarm: Fraction = DEFAULT_ALARM, look: bool = True) -> Verdict:
    """The verdict on all runs; with `look`, on the first number of runs, doubled each time, that raises the alarm."""
    examination, next_look, verdict = Examination(reference, alarm), FIRST_LOOK, None
    for run in runs:
        examination.add(run)
        if look and len(examination.vectors) == next_look:
            verdict = examination.verdict()
            if not verdict.consistent:
                return verdict
            next_look *= 2
    return verdict if verdict is not None and verdict.runs == len(examination.vectors) else examination.verdict()
