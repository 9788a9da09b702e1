"""Runs against a reference: consistent or not, at a false-alarm probability that is a theorem, and where not.

And how many runs it takes to find a parameter that is off, and what was not looked at: computed, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log
from typing import Protocol

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import (
    Bet,
    Columns,
    class_bets,
    likelihood_bet,
    marginal_bets,
    median_of,
    outlier_bets,
)
from panshuffle.crosscheck.e_values import Whole, ends_of, mixed, ratios, split, threshold
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.order_bets import Order
from panshuffle.crosscheck.pool_bets import MOST_LAWS, Pools, conditionals
from panshuffle.crosscheck.reference.areas import ANALYZER
from panshuffle.crosscheck.reference.model import MISSING, TOLERANCE, Arrangement, Laws, Reference, same
from panshuffle.crosscheck.run_bets import MOST_KEPT, Lags, Reuse
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.verdict import (
    MOST_FINDINGS,
    Diagnosis,
    Finding,
    chart,
    diagnose,
    found,
    impossible,
)
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
ROUGH = 1e-3  # where the probability of a half is known no better than this, a shift of it would not be seen
BLOCK = 1024  # runs that are counted together
LARGEST = 2**60  # a coordinate beyond that is as good as infinite


INCONSISTENT, SUSPICIOUS, CONSISTENT, TOO_FEW = "inconsistent", "suspicious", "consistent", "too few to say"
DOUBT = 10.0  # ln of the e-value from which runs are suspicious: one right batch in 22,026 ever gets there
ENOUGH = 0.1  # of a probability, or of a parameter: where not even such a change could have been seen, runs are too few
MOST_NEEDED = 2**40  # runs


@dataclass(frozen=True)
class Conclusion:
    """What is said of the runs.

    `evidence` is ln of the e-value, `limit` ln(1/alarm); an impossible outcome needs no evidence.  `needed` is the
    number of runs that would have shown a change of 10 %.
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
    needed: int | None = None
    chart: tuple[str, ...] = ()

    @property
    def level(self) -> str:
        """The verdict in a word, or in four where there are too few runs for one."""
        if not self.consistent:
            return INCONSISTENT
        if self.evidence >= DOUBT:
            return SUSPICIOUS
        return CONSISTENT if self.needed is None or self.runs >= self.needed else TOO_FEW

    @property
    def deciding(self) -> int:
        """How many more runs decide, if a suspicion is right and evidence goes on to grow as it did."""
        return max(1, ceil(self.runs * (self.limit / max(self.evidence, 1e-9) - 1)))

    def sentence(self) -> str:
        """The conclusion in words."""
        if self.diagnosis is None:
            return f"{self.level} after {self.runs} runs: {self.resolution}"
        shown = "; ".join(finding.sentence(self.runs) for finding in self.findings[:1])
        return (
            f"inconsistent after {self.runs} runs: {shown}; looks like: {self.diagnosis.cause} ({self.diagnosis.area})"
        )


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
        self.given = conditionals(self.columns)
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
        parts: list[Counted] = [self.columns, self.pools, self.lags, self.reuse, *self.given]
        for part in parts:
            part.add(rows)

    def bets(self) -> list[list[Bet]]:
        """The bets in groups of equal weight."""
        self.settle()
        reference, columns = self.reference, self.columns
        groups: list[Iterable[Bet]] = [
            marginal_bets(columns),
            class_bets(columns),
            (likelihood_bet(columns, f"{near.name} is {near.percent:+g} % off", near.laws) for near in reference.near),
            outlier_bets(columns),
            self.pools.pair_bets(),
            self.pools.common_bets(),
            self.lags.coordinate_bets(),
            (*self.lags.common_bets(), *self.reuse.bets()),
            (bet for given in self.given for bet in given.bets()),
        ]
        if self.ordered:
            groups += [self.order.bets(), self.order.place_bets(), self.order.repeat_bets(), self.order.shot_bets()]
        return [group for group in map(list, groups) if group]

    def conclusion(self) -> Conclusion:
        """What is said after the runs so far.  *Raises* `InputError` if there is none."""
        if not self.runs:
            raise InputError("no run was read, so there is nothing to compare")
        groups, bar, columns = self.bets(), threshold(self.alarm), self.columns
        parts = [(Fraction(1, len(groups) * len(group)), bet.log_e) for group in groups for bet in group]
        total = mixed(parts) if parts else 0.0
        sure = [*impossible(columns), *self.wrong_output()]
        consistent = not sure and total <= bar
        doubtful = not consistent or total >= DOUBT
        cause = diagnose(columns, groups, bar, (self.wrong_outputs, self.right_outputs)) if not consistent else None
        others = (
            found(columns, groups, min(bar, max(total, DOUBT)) / 2, cause.area if cause else "") if doubtful else ()
        )
        told = {finding.where for finding in sure}
        findings = (*sure, *(finding for finding in others if finding.where not in told))
        found_in = self.powers(groups, bar)
        resolution, needed = self.resolution(groups, bar)
        ten = [one.runs for one in found_in if one.percent == 100 * ENOUGH and one.runs is not None]
        needed = None if needed is None else min((needed, *ten))
        return Conclusion(
            consistent,
            self.runs,
            self.alarm,
            total,
            bar,
            findings[:MOST_FINDINGS],
            cause,
            resolution,
            found_in,
            tuple(self.not_examined()),
            needed,
            () if consistent else tuple(chart(columns)),
        )

    def powers(self, groups: Sequence[Sequence[Bet]], limit: float) -> tuple[Power, ...]:
        """In how many runs parameters that are slightly off are found."""
        return powers(self.reference, limit + log(len(groups) * max(1, len(self.reference.near))))

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

    def wrong_output(self) -> Iterator[Finding]:
        """Outputs that do not follow from the pools."""
        if self.mistaken:
            number, run, expected = self.wrong_outputs[0]
            words = f"wrong in {self.mistaken:,} of {self.runs:,} runs; run {number}: got {as_text(run.output)}"
            event = f"{words}, expected {as_text(expected)}"
            yield Finding(ANALYZER, "output", event, f"{run.output}", shown_output(expected), float("inf"))

    def resolution(self, groups: Sequence[Sequence[Bet]], limit: float) -> tuple[str, int | None]:
        """How much of a deviation these runs could have shown, and how many show a change of 10 %; None for any."""
        law = max(self.reference.laws, key=lambda table: len(table.masses))
        index = self.reference.laws.index(law)
        if len(law.masses) == 1:
            return "every outcome is certain here, so any other would have been seen", None
        cut, runs = median_of(law), self.runs
        weight = Fraction(1, len(groups) * len(groups[0]))
        p = law.up_to(cut)
        if float(p.rad()) > ROUGH:
            words = f"only what is impossible: the law of {self.reference.names[index]} is too rough at this size"
            return words, None
        need = limit - mixed([(weight, 0.0)])
        least, needed = least_shift(runs, p, need), runs_to_see(p, need)
        what = f"P[{self.reference.names[index]} <= {cut}] = {float(p.mid()):.4g}"
        if least is None:
            return f"too few to see any change of {what}", needed
        return f"a change of {what} by {least:.2g} would have been seen", needed


def bounded(value: int) -> int:
    """The value, or the nearest one that fits into 64 bits."""
    return value if value == MISSING else min(LARGEST, max(-LARGEST, value))


def least_shift(runs: int, p: arb, need: float) -> float | None:
    """The least change of the frequency of an event that raises the alarm by itself, up or down."""
    middle = float(p.mid())

    def raises(count: int) -> bool:
        return split(count, runs, p) >= need

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


def runs_to_see(p: arb, need: float) -> int:
    """The runs in which a change of the frequency of an event by `ENOUGH` raises the alarm by itself."""
    low, high = 0, 1
    while high < MOST_NEEDED and (least_shift(high, p, need) or 1.0) > ENOUGH:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if (least_shift(middle, p, need) or 1.0) <= ENOUGH else (middle, high)
    return high


def as_text(value: object) -> str:
    """An output for a person: words in quotation marks."""
    return f'"{value}"' if isinstance(value, str) else shown_output(value)


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
