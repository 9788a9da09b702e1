"""Runs against a reference: consistent or not, at a false-alarm probability that is a theorem, and where not.

And how many runs it takes to find a parameter that is off, and what was not looked at: computed, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, log
from typing import Protocol

import numpy as np
from flint import arb, ctx
from panshuffle.crosscheck.bets import (
    LIKELIHOOD,
    MARGINAL,
    OUTLIER,
    Bet,
    Columns,
    JointOutliers,
    class_bets,
    likelihood_bet,
    marginal_bets,
    median_of,
    outlier_bets,
)
from panshuffle.crosscheck.diagnosis import Diagnosis, diagnose, strength
from panshuffle.crosscheck.doubles import Whole, ends_of, ratios
from panshuffle.crosscheck.e_values import mixed, split, threshold
from panshuffle.crosscheck.mass_tables import BITS, MassTable
from panshuffle.crosscheck.order_bets import Order
from panshuffle.crosscheck.pool_bets import MOST_LAWS, Pools, conditionals
from panshuffle.crosscheck.reference.areas import ANALYZER, ORDER, POOLS, RUNS, STATE
from panshuffle.crosscheck.reference.model import MISSING, TOLERANCE, Arrangement, Laws, Reference, same
from panshuffle.crosscheck.run_bets import DEGREES, MOST_KEPT, AnyLag, Drift, Lags, Reuse
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.unexplained import FirstRuns
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.real import Real


@dataclass(frozen=True)
class Power:
    """A parameter that is off by so many percent, up or down, is found in about so many runs; None where in none."""

    name: str
    percent: float
    runs: int | None


def gain_of(law: MassTable, other: MassTable) -> float:
    """The mean gain of the bet on another law in a run that follows it: about how far that diverges from the law."""
    masses = np.zeros(len(law.masses) + 1)
    low = ends_of(other)[0]
    first, last = max(law.first, other.first), min(law.first + len(law.masses), other.first + len(other.masses))
    if first < last:
        masses[first - law.first : last - law.first] = low[first - other.first : last - other.first]
    beyond = max(0.0, float(low.sum() - masses.sum()))
    tail = max(float(ends_of(law)[1][-1]), 1e-300)
    return float(masses @ ratios(law, other)) + beyond * log(1e-3 + beyond / tail)


def gain(reference: Reference, laws: Laws) -> float:
    """The same over all coordinates of a run: their sum where they are independent, or the best of the others."""
    joint, best = 0.0, 0.0
    for i, (law, other) in enumerate(zip(reference.laws, laws, strict=True)):
        if other is not law and i not in reference.excluded:
            value = gain_of(law, other)
            joint, best = (joint, max(best, value)) if i in reference.dependent else (joint + value, best)
    return max(joint, best)


def powers(reference: Reference, need: float) -> tuple[Power, ...]:
    """The runs after which the bet on each parameter that is slightly off is expected to have won enough."""
    found: dict[tuple[str, float], list[int | None]] = {}
    for near in reference.near:
        value = gain(reference, near.laws)
        runs = ceil(need / value) if value > 0 else None
        found.setdefault((near.name, abs(near.percent)), []).append(runs)
    return tuple(
        Power(name, percent, None if None in runs else max(run for run in runs if run is not None))
        for (name, percent), runs in found.items()
    )


def power_sentence(powers: Sequence[Power]) -> str:
    """What would have been found in how many runs, parameter by parameter."""
    found: dict[str, list[str]] = {}
    for power in sorted(powers, key=lambda power: -power.percent):
        runs = "no number of runs" if power.runs is None else f"{power.runs:,} run{'s' if power.runs > 1 else ''}"
        found.setdefault(power.name, []).append(f"{power.percent:g} % in {runs}")
    return "; ".join(f"{name} off by {', '.join(found[name])}" for name in dict.fromkeys(one.name for one in powers))


DEFAULT_ALARM = Fraction(1, 10**9)
FIRST_LOOK = 64  # runs before the first look; each further look is after as many runs again
KEPT = 500  # runs with a wrong, and with a right, output that are kept for the diagnosis
SHOWN_KEYS = 4  # unknown parts of runs that are named
SHOWN = 20  # impossible outcomes that are listed
ROUGH = 1e-3  # where the probability of a half is known no better than this, a shift of it would not be seen
IMPOSSIBLE = "impossible"
KINDS = (MARGINAL, OUTLIER, STATE, POOLS, RUNS, ORDER, LIKELIHOOD)
BLOCK = 1024  # runs that are counted together
LARGEST = 2**60  # a coordinate beyond that is as good as infinite


@dataclass(frozen=True)
class Finding:
    """Something that the law does not explain: where, what was seen and what is expected."""

    area: str
    where: str
    event: str
    seen: str
    expected: str
    log_evidence: float

    def sentence(self, runs: int) -> str:
        """The finding as a person says it."""
        what = self.event.removeprefix("= ")
        if self.area == IMPOSSIBLE:
            return f"{self.where}: {what} appeared {self.seen} times in {runs} runs; expected only {self.expected}"
        if self.area == ANALYZER:
            return f"{self.where}: {self.event}: {self.seen}, not {self.expected}"
        if not self.seen:
            return f"{self.where}: {self.event}"
        if self.area != MARGINAL:
            return f"{self.where}: {self.event}: {self.seen} times; expected {rounded(self.expected)}"
        happened = f": {what} appeared" if what != self.event else f" {self.event}:"
        return f"{self.where}{happened} {self.seen} times in {runs} runs; expected {rounded(self.expected)}"


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
    powers: tuple[Power, ...]
    not_examined: tuple[str, ...]

    def sentence(self) -> str:
        """The conclusion in words."""
        if self.consistent:
            return f"consistent after {self.runs} runs: {self.resolution}"
        cause = f"; likely cause: {self.diagnosis.cause} ({self.diagnosis.area})" if self.diagnosis else ""
        return f"inconsistent after {self.runs} runs: {self.findings[0].sentence(self.runs)}{cause}"


class Counted(Protocol):
    """What keeps count of something that runs show."""

    def add(self, rows: Whole) -> None:
        """Some more runs, one a row."""


class Examination:
    """Collects runs and judges them as often as one likes: the false-alarm probability holds over all looks.

    What it keeps does not grow with the number of runs, but for the fingerprints of up to a million of them.
    """

    def __init__(self, reference: Reference, alarm: Fraction = DEFAULT_ALARM, tolerance: float = TOLERANCE) -> None:
        if not 0 < alarm < 1:
            raise ParameterError("alarm", alarm, "strictly between 0 and 1")
        self.alarm, self.tolerance = alarm, tolerance
        self.unknown: dict[str, None] = {}
        self.compare_with(reference)

    def compare_with(self, reference: Reference) -> None:
        """Starts to count for a reference."""
        self.reference = reference
        self.columns = Columns(reference)
        self.pools, self.lags, self.reuse = Pools(self.columns), Lags(self.columns), Reuse(self.columns)
        self.absurd, self.given = JointOutliers(self.columns), conditionals(self.columns)
        self.first_runs = FirstRuns(self.columns)
        self.any_lag, self.drifts = AnyLag(self.columns), [Drift(self.columns, degree) for degree in DEGREES]
        self.order = Order(reference.arrangement or Arrangement())
        self.waiting: list[tuple[int, ...]] = []
        self.messages: list[Sequence[tuple[int, int]]] = []
        self.wrong_outputs: list[tuple[int, Run, object]] = []
        self.right_outputs: list[tuple[int, Run, object]] = []
        self.runs = self.mistaken = 0
        self.ordered = False

    def add(self, run: Run) -> None:
        """One more run.  *Raises* `InputError` for a run that lacks what is compared.

        The first run says whether the order is bet on, and whether values of public randomness are given: the weights
        of the bets must not change later.
        """
        if not self.runs and run.public is not None and self.reference.conditioned is not None:
            self.compare_with(self.reference.conditioned)
        self.unknown.update(dict.fromkeys(run.unknown))
        self.waiting.append(tuple(map(bounded, self.reference.read(run))))
        self.runs += 1
        self.ordered = run.messages is not None if self.runs == 1 else self.ordered
        if run.messages is not None and self.ordered:
            self.messages.append(run.messages)
        if self.reference.output is not None and run.output is not None:
            expected = self.reference.output(run)
            right = same(expected, run.output, self.tolerance)
            self.mistaken += not right
            kept = self.right_outputs if right else self.wrong_outputs
            if len(kept) < KEPT:
                kept.append((self.runs, run, expected))
        if len(self.waiting) == BLOCK:
            self.settle()

    def add_rows(self, pools: Whole) -> None:
        """Many runs at once, as an array.  *Raises* `InputError` where the reference does not read arrays."""
        if self.reference.rows is None:
            raise InputError("runs of this protocol can't be read from an array: use JSON lines")
        rows = self.reference.rows(pools)
        self.settle()
        for start in range(0, len(rows), BLOCK):
            self.count(rows[start : start + BLOCK])
        self.runs += len(rows)

    def settle(self) -> None:
        """Counts the runs that wait to be counted."""
        if self.waiting:
            rows, self.waiting = np.array(self.waiting, dtype=np.int64), []
            self.count(rows)
        self.order.add(self.messages)
        self.messages = []

    def count(self, rows: Whole) -> None:
        """Counts some runs."""
        parts: list[Counted] = [
            self.columns,
            self.pools,
            self.lags,
            self.reuse,
            self.absurd,
            self.any_lag,
            self.first_runs,
            *self.drifts,
            *self.given,
        ]
        for part in parts:
            part.add(rows)

    def bets(self) -> list[list[Bet]]:
        """The bets in groups of equal weight."""
        self.settle()
        reference, columns = self.reference, self.columns
        groups: list[Iterable[Bet]] = [
            marginal_bets(columns),
            class_bets(columns),
            (
                likelihood_bet(columns, bug.name, laws)
                for bug, laws in zip(reference.bugs, reference.bug_laws, strict=True)
            ),
            (likelihood_bet(columns, f"{near.name} is {near.percent:+g} % off", near.laws) for near in reference.near),
            (*outlier_bets(columns), *self.absurd.bets()),
            self.pools.pair_bets(),
            self.pools.common_bets(),
            self.lags.coordinate_bets(),
            (*self.lags.common_bets(), *self.reuse.bets(), *self.any_lag.bets()),
            self.drifts[0].moving(),
            (bet for drift in self.drifts for bet in drift.lasting()),
            (bet for given in self.given for bet in given.bets()),
        ]
        if self.ordered:
            groups += [self.order.bets(), self.order.place_bets(), self.order.repeat_bets(), self.order.shot_bets()]
        return [group for group in map(list, groups) if group]

    def conclusion(self) -> Conclusion:
        """What is said after the runs so far.  *Raises* `InputError` if there is none."""
        if not self.runs:
            raise InputError("no run was read, so there is nothing to compare")
        groups, limit = self.bets(), threshold(self.alarm)
        parts = [(Fraction(1, len(groups) * len(group)), bet.log_e) for group in groups for bet in group]
        evidence = mixed(parts) if parts else arb(0)
        sure = list(self.certain())
        with ctx.workprec(BITS):
            consistent = not sure and not bool(evidence > limit)
        cause = None if consistent else diagnose(self, groups, limit)
        return Conclusion(
            consistent,
            self.runs,
            self.alarm,
            min(float(evidence.mid()), 1e300),
            float(limit.mid()),
            () if cause is None else told((*sure, *found(groups, limit)), cause.area),
            cause,
            self.resolution(groups, limit),
            self.powers(groups, limit),
            tuple(self.not_examined()),
        )

    def powers(self, groups: Sequence[Sequence[Bet]], limit: arb) -> tuple[Power, ...]:
        """In how many runs parameters that are slightly off are found."""
        return powers(self.reference, float(limit.mid()) + log(len(groups) * max(1, len(self.reference.near))))

    def not_examined(self) -> Iterator[str]:
        """What these runs could not show, or what is not looked at."""
        if self.reference.arrangement is not None and not self.order.shown:
            yield "the order of the messages (no run shows messages)"
        if self.reference.output is not None and not (self.right_outputs or self.mistaken):
            yield "the analyzer (no run shows an output)"
        if self.columns.left_out:
            yield f"{self.columns.left_out} of {len(self.columns.laws)} coordinates alone and in pairs"
        if len(self.columns.independent) > 1 and not self.pools.summed:
            yield "the sum over all pools (its law has too many outcomes)"
        if self.runs > MOST_KEPT:
            yield f"repeats of runs after the first {MOST_KEPT:,}"
        for given in self.given:
            if given.left_out:
                yield f"{given.given.name} beyond the first {MOST_LAWS:,} values of what is given"
        if self.unknown:
            yield f"what the runs show as {', '.join(list(self.unknown)[:SHOWN_KEYS])} (not known)"
        yield from self.reference.unseen

    def certain(self) -> Iterator[Finding]:
        """What can't happen at all: outcomes of mass 0, and outputs that do not follow from the pools."""
        for i, x, count in islice(self.columns.impossible(), SHOWN):
            law = self.reference.laws[i]
            most = "..." if law.most is None else law.most
            only = f"{law.first}" if len(law.masses) == 1 else f"{law.least} to {most}"
            yield Finding(IMPOSSIBLE, self.reference.names[i], f"= {x}", f"{count}", only, float("inf"))
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
        cut, runs = median_of(law), self.runs
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


def rounded(expected: str) -> str:
    """An expected number with as many digits as a person reads."""
    return f"{float(expected):.4g}" if expected else "fewer"


def bounded(value: int) -> int:
    """The value, or the nearest one that fits into 64 bits."""
    return value if value == MISSING else min(LARGEST, max(-LARGEST, value))


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
    """The bet with the most evidence of each group, of those that say how often; single coordinates come first."""
    bar = float(limit.mid()) / 2
    best = [max(group, key=lambda bet: (bool(bet.seen) and strength(bet) > bar, strength(bet))) for group in groups]
    for bet in sorted(best, key=lambda bet: (KINDS.index(bet.kind), -strength(bet))):
        if strength(bet) > bar:
            yield Finding(bet.kind, bet.where, bet.event, bet.seen, bet.expected, strength(bet))


def told(findings: tuple[Finding, ...], area: str) -> tuple[Finding, ...]:
    """The findings without signs of dependence that only follow from a wrong law."""
    if not any(finding.area in (MARGINAL, IMPOSSIBLE) for finding in findings):
        return findings
    return tuple(finding for finding in findings if finding.area not in (POOLS, RUNS) or finding.area == area)


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
        if look and examination.runs == next_look:
            last = examination.conclusion()
            if not last.consistent:
                return last
            next_look *= 2
    return last if last is not None and last.runs == examination.runs else examination.conclusion()
