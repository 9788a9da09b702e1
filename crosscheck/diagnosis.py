"""What is likely wrong, from the data and the parameters alone: the known mistake that explains the runs best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from statistics import pvariance
from typing import Protocol

from flint import arb

from crosscheck.bets import ALL_POOLS, MARGINAL, WHOLE_RUNS, Bet, Columns
from crosscheck.mass_tables import MassTable
from crosscheck.reference.model import ANALYZER, DATA, LABELS, MESSAGES, NOISE, ORDER, POOLS, RUNS, Fit, Reference
from crosscheck.runs import Run
from exact.numbers.real import real

FLOOR = 1e-12
"""Stands for the mass of an outcome that a law excludes, so that one such outcome does not rule the law out."""
EXPLAINED = 0.85  # the part of the deviation that a mistake has to explain to be named by itself
CLOSE = 4.0  # mistakes whose likelihoods are within this of each other, in nats, are all named
MOST_NAMES = 3  # mistakes that one sentence names
SEARCH = 24  # steps of the golden section, each of which leaves 0.618 of the interval: 1e-5 of it in the end
MOST_OUTPUTS = 50  # wrong outputs that a known mistake of the analyzer has to explain
POOLS_WORDS = "the pools are correlated: coins are reused"
RUNS_WORDS = "a run depends on earlier ones: coins are reused between runs"
ORDER_WORDS = "the messages are not in random order: unshuffled, or shuffled badly"


@dataclass(frozen=True)
class Diagnosis:
    """The likely cause, the area that it lies in, and how much of the deviation it explains."""

    cause: str
    area: str
    explained: float


class Examined(Protocol):
    """What is known of the runs: the reference, their coordinates, and outputs that were right and wrong."""

    reference: Reference
    vectors: list[tuple[int, ...]]
    mistaken: int
    wrong_outputs: list[tuple[int, Run, object]]
    right_outputs: list[tuple[int, Run, object]]


def diagnose(examination: Examined, groups: Sequence[Sequence[Bet]], limit: arb) -> Diagnosis:
    """The likely cause of an inconsistency.

    A known mistake that explains the laws of the coordinates comes first, unless dependence between pools is the
    stronger sign; then runs that come again; then laws that nothing known explains; then dependence between pools,
    between runs, and the order; then the analyzer.
    """
    most = {kind: best(groups, kind) for kind in (MARGINAL, POOLS, RUNS, ORDER)}
    bar = float(limit.mid())
    known, gain = from_laws(examination)
    impossible = next(Columns(examination.reference, examination.vectors).impossible(), None) is not None
    off = impossible or strength(most[MARGINAL]) > (bar / 2 if came_again(most, bar) else bar)
    if known.explained >= 1 and gain > bar / 2 and (off or gain > 0.7 * strength(most[POOLS])):
        return known
    if repeating(examination) and (off or strength(most[POOLS]) < bar):
        distinct = len(set(examination.vectors))
        return Diagnosis(f"only {distinct} different runs come again and again: {RUNS_WORDS}", RUNS, 1.0)
    if off:
        return known
    for kind, words in ((POOLS, POOLS_WORDS), (RUNS, RUNS_WORDS), (ORDER, ORDER_WORDS)):
        bet = most[kind]
        if bet is not None and strength(bet) > bar / 2:
            inside = within_pools(examination) if kind == POOLS and bet.where == ALL_POOLS else None
            if inside is not None and known.explained >= 1 and gain > bar / 2:
                return known
            return inside or Diagnosis(f"{words}; {bet.where}: {bet.event}", kind, 1.0)
    return from_output(examination) if examination.mistaken else known


def best(groups: Sequence[Sequence[Bet]], kind: str) -> Bet | None:
    """The bet of one kind with the most evidence; of the marginals only those of one coordinate."""
    bets = [bet for group in groups for bet in group if bet.kind == kind and bet.alone]
    return max(bets, key=strength, default=None)


def came_again(most: Mapping[str, Bet | None], bar: float) -> bool:
    """Whether repeated runs are the best sign of dependence: runs also come again where a law has too few outcomes."""
    bet = most[RUNS]
    return bet is not None and bet.where == WHOLE_RUNS and strength(most[POOLS]) < bar


def within_pools(examination: Examined) -> Diagnosis | None:
    """The diagnosis where the sum over all pools is spread wrongly, but not because pools depend on each other."""
    reference = examination.reference
    pools: dict[str, list[int]] = {}
    for i, name in enumerate(reference.names):
        if i not in reference.dependent:
            pools.setdefault(name.partition(":")[0], []).append(i)
    sums = {name: [sum(vector[i] for i in part) for vector in examination.vectors] for name, part in pools.items()}
    right = {name: sum(reference.laws[i].variance() for i in part) for name, part in pools.items()}
    seen = {name: pvariance(values) for name, values in sums.items()}
    total = pvariance([sum(values) for values in zip(*sums.values(), strict=True)])
    excess = total - sum(right.values())
    if excess == 0 or (total - sum(seen.values())) / excess > 0.5:
        return None
    name = max(right, key=lambda name: abs(seen[name] - right[name]))
    words = f"the messages of {name} have variance {seen[name]:.6g}, not {right[name]:.6g}"
    return Diagnosis(f"{words}: their number has another law", NOISE, 0.0)


def strength(bet: Bet | None) -> float:
    """The evidence, as a number."""
    return float("-inf") if bet is None else float(bet.log_e.mid())


def repeating(examination: Examined) -> bool:
    """Whether the runs come again in the same order, or far fewer of them differ than should."""
    vectors = examination.vectors
    if len(vectors) < 8:
        return False
    if period_of(vectors) <= len(vectors) // 4:
        return True
    entropy = sum(spread_of(law) for law in examination.reference.laws)
    return len(set(vectors)) <= len(vectors) / 4 and entropy > log(4 * len(vectors))


def period_of(vectors: Sequence[tuple[int, ...]]) -> int:
    """The least shift under which the runs are the same again: the length, less that of the longest border.

    >>> period_of([(1,), (2,), (1,), (2,), (1,)])
    2
    """
    borders = [0] * len(vectors)
    for i in range(1, len(vectors)):
        length = borders[i - 1]
        while length and vectors[i] != vectors[length]:
            length = borders[length - 1]
        borders[i] = length + (vectors[i] == vectors[length])
    return len(vectors) - borders[-1]


def spread_of(law: MassTable) -> float:
    """About the entropy of a law."""
    masses = [float(mass.mid()) for mass in law.masses]
    return -sum(p * log(p) for p in masses if p > 0)


def from_laws(examination: Examined) -> tuple[Diagnosis, float]:
    """The known mistake under which the runs are most likely, if it explains them, else what is off, in words.

    Also what it gains, in likelihood; `explained` is 1 where what is left is no more than chance.
    """
    reference = examination.reference
    counts = [Counter(column) for column in zip(*examination.vectors, strict=True)]
    right = likelihood(counts, reference.laws)
    full = sum(saturated(counter) for counter in counts)
    gains = [likelihood(counts, laws) - right for laws in reference.bug_laws]
    nearest = max(range(len(gains)), key=lambda i: gains[i], default=None)
    bug = None if nearest is None else reference.bugs[nearest]
    gain = 0.0 if nearest is None else gains[nearest]
    share = min(gain / (full - right), 1.0) if full > right else 0.0
    freedom = sum(len(counter) - 1 for counter in counts)
    if bug is not None and (share >= EXPLAINED or only_chance(full - right - gain, freedom)):
        close = [other.name for i, other in enumerate(reference.bugs) if gains[i] > gain - CLOSE]
        names = [bug.name, *(name for name in dict.fromkeys(close) if name != bug.name)]
        return Diagnosis("; or: ".join(names[:MOST_NAMES]), bug.area, 1.0), gain
    fitted = from_fit(reference.fit, counts, full, freedom)
    if fitted is not None:
        return fitted, gain
    cause, area = in_words(examination, counts)
    near = f"; nearest known mistake: {bug.name}" if bug is not None and share > 0.5 else ""
    return Diagnosis(cause + near, bug.area if bug is not None and near else area, max(share, 0.0)), gain


def only_chance(rest: float, freedom: int) -> bool:
    """Whether what a law leaves unexplained, in nats, is no more than some deviations of half a chi-squared law."""
    return rest <= 2.5 * sqrt(2 * freedom) + 5


def from_fit(fit: Fit | None, counts: Sequence[Counter[int]], full: float, freedom: int) -> Diagnosis | None:
    """Another value of the noise's parameter, where one explains the runs: the best, by a golden section search."""
    if fit is None:
        return None

    def value(x: Fraction) -> float:
        return likelihood(counts, fit.laws(real(x)))

    best, most = golden(value, fit.least, fit.most)
    if not only_chance(full - most, freedom):
        return None
    asked = f"{float(fit.asked):.4g}"
    return Diagnosis(f"wrong {fit.name}: as if {fit.name} = {float(best):.4g}, not {asked}", NOISE, 1.0)


def golden(value: Callable[[Fraction], float], low: Fraction, high: Fraction) -> tuple[Fraction, float]:
    """About where a function with one peak is largest, and how large."""
    step = Fraction(618, 1000)
    a, b = high - step * (high - low), low + step * (high - low)
    left, right = value(a), value(b)
    for _ in range(SEARCH):
        if left > right:
            high, b, right = b, a, left
            a = (high - step * (high - low)).limit_denominator(10**6)
            left = value(a)
        else:
            low, a, left = a, b, right
            b = (low + step * (high - low)).limit_denominator(10**6)
            right = value(b)
    return (a, left) if left > right else (b, right)


def likelihood(counts: Iterable[Counter[int]], laws: Sequence[MassTable]) -> float:
    """ln of the likelihood, in floating point and with a floor for what a law excludes."""
    total = 0.0
    for counter, law in zip(counts, laws, strict=True):
        for x, count in counter.items():
            total += count * log(max(float(law.mass(x).mid()), FLOOR))
    return total


def saturated(counter: Counter[int]) -> float:
    """The largest likelihood that any law gives, less what it gains from fitting chance."""
    runs = counter.total()
    return sum(count * log(count / runs) for count in counter.values()) - (len(counter) - 1) / 2


def in_words(examination: Examined, counts: Sequence[Counter[int]]) -> tuple[str, str]:
    """The coordinate that is off most: its mean and variance against those of the law."""
    reference = examination.reference
    pairs = enumerate(zip(counts, reference.laws, strict=True))
    _, i = max((saturated(counter) - likelihood([counter], [law]), i) for i, (counter, law) in pairs)
    law, runs = reference.laws[i], counts[i].total()
    mean = sum(x * count for x, count in counts[i].items()) / runs
    variance = sum((x - mean) ** 2 * count for x, count in counts[i].items()) / runs
    name = reference.names[i]
    text = f"{name} has mean {mean:.6g} and variance {variance:.6g}, not {law.mean():.6g} and {law.variance():.6g}"
    spread = law.variance()
    shifted = spread and abs(variance / spread - 1) < 0.05 and abs(mean - law.mean()) > 0.25
    if shifted:
        return f"{text}: a constant is added", DATA
    if reference.rest == NOISE and len(law.masses) == 1:
        return text, LABELS if "label" in name else MESSAGES
    return text, reference.rest


def from_output(examination: Examined) -> Diagnosis:
    """The mistake of an analyzer that explains the outputs, if a known one does."""
    runs = [run for _, run, _ in (*examination.wrong_outputs[:MOST_OUTPUTS], *examination.right_outputs)]
    for slip in examination.reference.slips:
        if all(slip.explains(run) for run in runs):
            return Diagnosis(slip.name, ANALYZER, 1.0)
    return Diagnosis("the output is not what the analyzer computes from these pools", ANALYZER, 0.0)
