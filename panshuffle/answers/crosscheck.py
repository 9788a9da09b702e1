"""Somebody's runs against the exact laws of a protocol: the reference, the verdict, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite

from panshuffle.answer import Answer
from panshuffle.answers.attack import alarm_of
from panshuffle.answers.sample import Sampler
from panshuffle.arguments import Option
from panshuffle.card import reference_of, viewed
from panshuffle.crosscheck.audit import Bound, audit
from panshuffle.crosscheck.e_values import Whole
from panshuffle.crosscheck.examination import (
    CONSISTENT,
    FIRST_LOOK,
    SUSPICIOUS,
    TOO_FEW,
    Conclusion,
    Examination,
    power_sentence,
)
from panshuffle.crosscheck.reference.model import TOLERANCE, Reference
from panshuffle.crosscheck.runs import Run, run_of
from panshuffle.crosscheck.verdict import SHOWN, Finding
from panshuffle.dataset import Datum, Source
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Certified, Real, real
from panshuffle.output import jsonable
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Json, Params, Question, ViewSelection, value_text

ANY, OWN = "any", "own"
LARGEST_EVIDENCE = 1e299
"""A logarithm beyond that stands for infinite evidence: an outcome that can't occur."""


@dataclass(frozen=True)
class Expected:
    """What correct runs show: the reference, and the data and parameters that they are made with."""

    reference: Reference
    params: Params
    data: list[Datum]
    t: int | None

    def request(self, given: dict[str, str]) -> dict[str, Json]:
        """What a program is asked for."""
        parameters: dict[str, Json] = {**given, "n": self.params.given["n"]}
        data: list[Json] = [list(row) if isinstance(row, tuple) else row for row in self.data]
        request: dict[str, Json] = {"protocol": self.params.subject, "parameters": parameters, "data": data}
        return request | ({} if self.t is None else {"t": self.t})


def expected_of(question: Question, source: Source) -> Expected:
    """The reference for runs on the data of a source.  *Raises* `InputError`."""
    for parameter in ("copies", "votes"):
        if question.has(parameter):
            raise InputError(f"--{parameter} has no meaning for crosscheck: check the pools of one copy as a tester's")
    sampler = Sampler.of(question, source)
    data, t = list(sampler.draw(Coins(0))), sampler.time()
    return Expected(reference_of(sampler.record, data, t), sampler.params, data, t)


def read_as(reference: Reference, family: str = ANY, analyzer: str | None = None) -> Reference:
    """The reference for public randomness of any family or of our own, and for one reading of the analyzer."""
    if analyzer is not None:
        if analyzer not in reference.analyzers:
            known = " or ".join(reference.analyzers) or "no other than the one that is checked"
            raise InputError(f"analyzer = {analyzer} is not known here: it may be {known}")
        reference = replace(reference, output=reference.analyzers[analyzer])
    if family == ANY and reference.hash_agnostic is not None:
        return replace(reference.hash_agnostic, output=reference.output, conditioned=reference.conditioned)
    return reference


@dataclass(frozen=True, kw_only=True, repr=False)
class CrosscheckAnswer(Answer):
    """The verdict on runs; `stopped` says why not all of them were read, `bound` what they prove of eps."""

    verdict: Conclusion
    given: dict[str, str]
    stopped: str | None = None
    at_least: int = 1
    bound: tuple[Bound, str] | None = None

    @property
    def consistent(self) -> bool:
        """Whether the runs agree with the exact laws and violate no promise."""
        return self.verdict.consistent and not self.violates

    @property
    def alarm(self) -> Fraction:
        """The probability that a right implementation is accused: by the verdict, or by a bound on eps."""
        return self.verdict.alarm + (self.bound[0].error if self.bound is not None else 0)

    @property
    def word(self) -> str:
        """The verdict in a word, or in four where there are too few runs for one."""
        level = self.verdict.level
        return TOO_FEW if level == CONSISTENT and self.verdict.runs < self.at_least else level

    @property
    def violates(self) -> bool:
        """Whether the samples prove a larger eps than the protocol has."""
        return self.bound is not None and self.bound[1] != "inf" and bool(self.bound[0].eps > real(self.bound[1]))

    def as_dict(self) -> dict[str, Json]:
        """The verdict as one JSON object."""
        verdict, diagnosis = self.verdict, self.verdict.diagnosis
        cause: Json = None
        if diagnosis is not None:
            cause = {"cause": diagnosis.cause, "area": diagnosis.area, "explained": round(diagnosis.explained, 3)}
            cause |= {"areas": list(diagnosis.areas), "next": diagnosis.following}
        found: dict[str, Json] = {
            "protocol": self.question.subject,
            "parameters": dict(self.given),
            "verdict": self.word,
            "runs": verdict.runs,
            "alarm": str(self.alarm),
            "log_evidence": None if verdict.evidence > LARGEST_EVIDENCE else round(verdict.evidence, 3),
            "limit": round(verdict.limit, 3),
            "resolution": verdict.resolution,
            "runs_needed": verdict.needed,
            "found_in_runs": [
                {"parameter": one.name, "percent": one.percent, "runs": one.runs} for one in verdict.powers
            ],
            "not_examined": list(verdict.not_examined),
            "findings": [finding_dict(finding) for finding in verdict.findings],
            "diagnosis": cause,
            "stopped": self.stopped,
        }
        return found | ({} if self.bound is None else {"privacy": self.privacy(*self.bound), "violates": self.violates})

    def privacy(self, bound: Bound, exact: str) -> dict[str, Json]:
        """The lower bound on eps as an object."""
        lower = Certified.of(bound.eps).enclosure(6)[0]
        found: dict[str, Json] = {"eps_at_least": lower, "event": bound.event}
        found |= {"hits": list(bound.hits), "runs": list(bound.runs)}
        return found | {"exact_eps": exact, "error": str(bound.error)}

    def __str__(self) -> str:
        return self.text()

    def text(self, picture: bool = False) -> str:
        """The verdict in words, with a picture of the coordinate that is farthest off where one is asked for."""
        verdict = self.verdict
        word = self.word if self.word == CONSISTENT else self.word.upper()
        read = f"{verdict.runs:,} run{'s' if verdict.runs != 1 else ''}"
        lines = [f"{word} ({read}, false-alarm probability at most {float(self.alarm):g})"]
        lines[0] += ", stopped early" if self.stopped else ""
        lines += self.proved()
        lines += [f"  {line}" for line in verdict.chart] if picture else []
        lines += self.following()
        lines.append(f"not examined: {'; '.join(verdict.not_examined) or 'nothing that runs of this form show'}")
        if self.bound is not None:
            found = self.privacy(*self.bound)
            lines.append(f"privacy: the samples prove eps >= {found['eps_at_least']} by the event {found['event']}")
            lines.append(f"the exact eps is {found['exact_eps']}" + (": VIOLATED" if self.violates else ""))
        return "\n".join(lines)

    def proved(self) -> Iterator[str]:
        """What is proved of the runs, or what they could have shown."""
        verdict = self.verdict
        if verdict.consistent:
            yield f"these runs could have shown: {verdict.resolution}"
        if verdict.level in (CONSISTENT, TOO_FEW):
            return
        if verdict.findings and verdict.findings[0].log_evidence == float("inf"):
            yield "proved: these runs show what no right run shows"
        else:
            yield f"proved: ln e = {verdict.evidence:.1f} against the law; the alarm is raised at {verdict.limit:.1f}"
        yield from (f"  {finding.sentence(verdict.runs)}" for finding in verdict.findings[:SHOWN])

    def following(self) -> Iterator[str]:
        """What inconsistent runs look like, and what to do next."""
        verdict, diagnosis = self.verdict, self.verdict.diagnosis
        if diagnosis is not None:
            yield f"looks like: {diagnosis.cause}"
            yield f"where: {', or '.join(diagnosis.areas)}"
            yield f"next: {diagnosis.following}"
        elif self.word == SUSPICIOUS:
            yield f"next: add runs; if the suspicion is right, about {verdict.deciding:,} more decide"
        elif self.word == TOO_FEW:
            needed = max(self.at_least, verdict.needed or 1)
            yield f"next: add runs; about {needed:,} in all are needed to see a change of 10 %"
        elif verdict.powers:
            yield f"found in about this many runs: {power_sentence(verdict.powers)}"


def finding_dict(finding: Finding) -> dict[str, Json]:
    """One finding as an object; evidence that is infinite, or is not bet on, is null."""
    evidence = round(finding.log_evidence, 3) if isfinite(finding.log_evidence) else None
    found: dict[str, Json] = {"area": finding.area, "where": finding.where, "event": finding.event}
    return found | {"seen": finding.seen, "expected": finding.expected, "log_evidence": evidence}


def examined_arrays(reference: Reference, arrays: Iterable[Whole], alarm: Fraction) -> Conclusion:
    """The verdict on runs that are rows of arrays.  *Raises* `InputError`."""
    examination = Examination(reference, alarm)
    for array in arrays:
        examination.add_rows(array)
    return examination.conclusion()


def examined(
    reference: Reference, runs: Iterable[Run], alarm: Fraction, early: bool, tolerance: float = TOLERANCE
) -> tuple[Conclusion, str | None]:
    """The verdict on the runs, and the sentence on what ended them before their end.

    With `early` no more runs are asked for as soon as they are found out.
    """
    examination, next_look = Examination(reference, alarm, tolerance), FIRST_LOOK
    try:
        for run in runs:
            examination.add(run)
            if early and examination.runs == next_look:
                next_look *= 2
                if not examination.conclusion().consistent:
                    break
    except InputError as problem:
        if not examination.runs:
            raise
        return examination.conclusion(), str(problem)
    return examination.conclusion(), None


def audited(
    question: Question,
    references: tuple[Reference, Reference],
    runs: tuple[Iterable[Run], Iterable[Run]],
    delta: Real,
    alarm: Fraction,
) -> tuple[Bound, str]:
    """The lower bound on eps that the samples of two neighbours prove, and the exact eps."""
    bound = audit(references, runs, delta, alarm)
    view = viewed(question, ViewSelection()).view
    return bound, view.epsilon(delta).enclosure(10)[1]


def crosscheck(
    question: Question, source: Source, runs: Iterable[Mapping[str, object]], alarm: object
) -> CrosscheckAnswer:
    """The verdict on runs that are there, each as an object with what a run shows."""
    expected = expected_of(question, source)
    if not isinstance(runs, Iterable) or isinstance(runs, (str, bytes, Mapping)):
        raise InputError("runs is not allowed: it must be a list of runs, each a mapping")
    read = (run_of(jsonable(run), f"run {number}") for number, run in enumerate(runs, start=1))
    level = alarm_of(str(value_text(Option("alarm", "", "A"), alarm)))
    verdict, stopped = examined(read_as(expected.reference), read, level, early=False)
    return CrosscheckAnswer(question=question, verdict=verdict, given=dict(question.params.given), stopped=stopped)
