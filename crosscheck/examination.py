"""Runs against a reference: consistent or not, at a false-alarm probability that is a theorem, and where not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from flint import arb, ctx

from crosscheck.bets import LIKELIHOOD, MARGINAL, Bet, Columns, bet_groups, median_of
from crosscheck.diagnosis import Diagnosis, diagnose, strength
from crosscheck.e_values import mixed, split, threshold
from crosscheck.mass_tables import BITS
from crosscheck.order_bets import order_bets
from crosscheck.reference.model import ANALYZER, ORDER, POOLS, RUNS, Reference, same
from crosscheck.runs import Run
from exact.errors import InputError, ParameterError
from exact.numbers.real import Real

DEFAULT_ALARM = Fraction(1, 10**9)
FIRST_LOOK = 64  # runs before the first look; each further look is after as many runs again
KEPT = 500  # runs with a wrong, and with a right, output that are kept for the diagnosis
SHOWN = 20  # impossible outcomes that are listed
ROUGH = 1e-3  # where the probability of a half is known no better than this, a shift of it would not be seen
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
class Conclusion:
    """What is said of the runs.

    `evidence` is ln of the e-value, `limit` ln(1/alarm); an impossible outcome needs no evidence.
    """

    consistent: bool
    runs: int
    alarm: Fraction
    evidence: float
    limit: float
    findings: tuple[Finding, ...]
    diagnosis: Diagnosis | None
    resolution: str

    def sentence(self) -> str:
        """The conclusion in words."""
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
        self.wrong_outputs: list[tuple[int, Run, object]] = []
        self.right_outputs: list[tuple[int, Run, object]] = []
        self.mistaken = 0
        self.ordered = False

    def add(self, run: Run) -> None:
        """One more run.  *Raises* `InputError` for a run that lacks what is compared.

        The first run says whether the order is bet on: the weights of the bets must not change later.
        """
        self.vectors.append(self.reference.read(run))
        self.ordered = run.messages is not None if len(self.vectors) == 1 else self.ordered
        if run.messages is not None:
            self.messages.append(run.messages)
        if self.reference.output is not None and run.output is not None:
            expected = self.reference.output(run)
            right = same(expected, run.output)
            self.mistaken += not right
            kept = self.right_outputs if right else self.wrong_outputs
            if len(kept) < KEPT:
                kept.append((len(self.vectors), run, expected))

    def bets(self) -> list[list[Bet]]:
        """The bets in groups of equal weight."""
        bugs = zip(self.reference.bugs, self.reference.bug_laws, strict=True)
        groups = bet_groups(Columns(self.reference, self.vectors), bugs)
        order = list(order_bets(self.messages, self.reference.width)) if self.ordered else []
        return [group for group in (*groups, order) if group]

    def conclusion(self) -> Conclusion:
        """What is said after the runs so far.  *Raises* `InputError` if there is none."""
        if not self.vectors:
            raise InputError("no run was read, so there is nothing to compare")
        groups, limit = self.bets(), threshold(self.alarm)
        parts = [(Fraction(1, len(groups) * len(group)), bet.log_e) for group in groups for bet in group]
        evidence = mixed(parts) if parts else arb(0)
        sure = list(self.certain())
        with ctx.workprec(BITS):
            consistent = not sure and not bool(evidence > limit)
        return Conclusion(
            consistent,
            len(self.vectors),
            self.alarm,
            min(float(evidence.mid()), 1e300),
            float(limit.mid()),
            () if consistent else (*sure, *found(groups, limit)),
            None if consistent else diagnose(self, groups, limit),
            self.resolution(groups, limit),
        )

    def certain(self) -> Iterator[Finding]:
        """What can't happen at all: outcomes of mass 0, and outputs that do not follow from the pools."""
        for i, x, count in islice(Columns(self.reference, self.vectors).impossible(), SHOWN):
            law = self.reference.laws[i]
            most = "..." if law.most is None else law.most
            only = f"{law.first}" if len(law.masses) == 1 else f"{law.least} to {most}"
            yield Finding("impossible", self.reference.names[i], f"= {x} in {count} runs", f"{x}", only, float("inf"))
        if self.mistaken:
            number, run, expected = self.wrong_outputs[0]
            words = f"in run {number} (and {self.mistaken - 1} more) it does not follow from the pools"
            yield Finding(ANALYZER, "output", words, f"{run.output}", shown_output(expected), float("inf"))

    def resolution(self, groups: Sequence[Sequence[Bet]], limit: arb) -> str:
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


def found(groups: Sequence[Sequence[Bet]], limit: arb) -> Iterator[Finding]:
    """The bet with the most evidence of each group: first single coordinates, last known mistakes."""
    best = [max(group, key=strength) for group in groups]
    for bet in sorted(best, key=lambda bet: (KINDS.index(bet.kind), -strength(bet))):
        if strength(bet) > float(limit.mid()) / 2:
            yield Finding(bet.kind, bet.where, bet.event, bet.seen, bet.expected, strength(bet))


def shown_output(value: object) -> str:
    """An expected output for a person."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown_output(item) for item in value) + "]"
    return f"{float(value):.17g}" if isinstance(value, Real) and value.fraction is None else str(value)


def examine(
    reference: Reference, runs: Iterable[Run], alarm: Fraction = DEFAULT_ALARM, look: bool = True
) -> Conclusion:
    """What is said of all runs; with `look`, of the first number of runs, doubled each time, that raises the alarm."""
    examination, next_look, last = Examination(reference, alarm), FIRST_LOOK, None
    for run in runs:
        examination.add(run)
        if look and len(examination.vectors) == next_look:
            last = examination.conclusion()
            if not last.consistent:
                return last
            next_look *= 2
    return last if last is not None and last.runs == len(examination.vectors) else examination.conclusion()
