"""What is off, and in which area, where no known mistake explains it: in words, from counts and the first runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import gcd, log, sqrt

import numpy as np
from panshuffle.crosscheck.bets import Columns, even_mass
from panshuffle.crosscheck.doubles import Doubles, Whole, law_likelihood, moments, only_chance, saturated
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.pool_bets import kinds_of
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, DROPOUTS, LABELS, MESSAGES, NOISE, POOLS, RUNS, STATE
from panshuffle.crosscheck.reference.model import MISSING

MOST_KEPT = 4096
FEWEST_RUNS = 64  # runs, of fewer of which nothing is said
SAME_VARIANCE = 0.2  # of a variance: less is no difference
FAR_OFF = 4.0  # times the right variance: outcomes that stray so far are no draws of noise
GROWN, LINE = 50.0, 0.95  # times the right variance, and the correlation with the number of the run, of what grows
PARTLY = 0.7  # of the variance that independent runs differ by: with less a part of the coins comes again
STUCK = 0.3  # of the runs, that are equal to the one before: more than chance makes where a law is not narrow
SORTED = 3  # pools whose noise may be in order by chance in one run of six
UNEQUAL = 0.1  # of the neighbours, at the least: else the noise is the same in all pools
STRETCHES = (8, 32, 128)  # runs in a row whose mean is looked at
EVENLY_SPREAD = 0.3  # of how they should spread: less is no chance where there are enough of them
ENOUGH = 12
Pattern = tuple[str, str, tuple[str, ...]]  # the cause, its area, and others that it may lie in as well


class FirstRuns:
    """The coordinates of the first runs."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.rows: Whole = np.zeros((0, len(columns.laws)), dtype=np.int64)

    def add(self, rows: Whole) -> None:
        """Some more runs."""
        if len(self.rows) < MOST_KEPT:
            self.rows = np.concatenate([self.rows, rows[: MOST_KEPT - len(self.rows)]])

    def evened(self) -> str | None:
        """The coordinate whose mean over runs in a row is always about the same, where there is one."""
        for i in self.columns.random:
            values = self.rows[:, i][self.rows[:, i] != MISSING].astype(np.float64)
            for length in STRETCHES:
                if len(values) >= ENOUGH * length and 0 <= spread_of_means(values, length) < EVENLY_SPREAD:
                    return self.columns.names[i]
        return None

    def pattern(self) -> Pattern | None:
        """The first pattern that the runs show, if they show one."""
        whole = self.rows[(self.rows != MISSING).all(axis=1)]
        tests: Sequence[Callable[[Whole], Pattern | None]] = (self.in_order, self.stale, self.adding_up)
        return next(filter(None, (test(whole) for test in tests)), None) if len(whole) >= FEWEST_RUNS else None

    def in_order(self, rows: Whole) -> Pattern | None:
        """The noise of all pools is sorted in every run."""
        columns = self.columns
        kinds = kinds_of([columns.names[i] for i in columns.independent]) or {"": [*range(len(columns.independent))]}
        for kind, places in kinds.items():
            indices = [columns.independent[place] for place in places]
            laws = [columns.laws[i] for i in indices]
            if len(indices) < SORTED or len({len(law.masses) for law in laws}) > 1:
                continue
            steps = np.diff(rows[:, indices] - np.array([law.first for law in laws]), axis=1)
            if ((steps >= 0).all() or (steps <= 0).all()) and (steps != 0).mean() > UNEQUAL:
                return f"the noise of the pools is sorted in every run{f': {kind}' if kind else ''}", POOLS, ()
        return None

    def stale(self, rows: Whole) -> Pattern | None:
        """A state goes with the output of the run before or after it, and not with that of its own run."""
        names = self.columns.names
        for i, name in enumerate(names[:-1]):
            if not (name.endswith("state") and names[i + 1] == f"{name.removesuffix('state')}output - state"):
                continue
            output, law = rows[:, i] + rows[:, i + 1], self.columns.laws[i + 1]
            if rows[:, i + 1].var() <= law.variance() or fits(Counter(rows[:, i + 1].tolist()), law):
                continue
            for words, rest in (("before", output[:-1] - rows[1:, i]), ("after", output[1:] - rows[:-1, i])):
                if fits(Counter(rest.tolist()), law):
                    return f"{name}: it is that of the run {words}: it goes with the output of that run", STATE, (RUNS,)
        return None

    def adding_up(self, rows: Whole) -> Pattern | None:
        """The noise of earlier runs stays, or a part of their coins."""
        again = float((rows[1:] == rows[:-1]).all(axis=1).mean())
        for i in self.columns.random:
            law, values, name = self.columns.laws[i], rows[:, i].astype(np.float64), self.columns.names[i]
            right, step = law.variance(), np.diff(values)
            if right and values.var() > GROWN * right and abs(np.corrcoef(values, np.arange(len(values)))[0, 1]) > LINE:
                return f"{name}: it grows from run to run: what is kept of a run is not set back", RUNS, (STATE,)
            if not right or correlated(*successive(step)) or not correlated(*successive(values)):
                continue
            if values.var() > FAR_OFF * right and abs(step.var() / right - 1) < SAME_VARIANCE:
                return f"{name}: the noise adds up from run to run, and is never cleared", RUNS, (STATE,)
            if (step >= 0).all() or (step <= 0).all():
                return f"the runs are sorted: {name} never falls, or never rises, from run to run", RUNS, ()
            if again > STUCK and not correlated(*successive(values[np.append(True, step != 0)])):
                return (
                    f"{100 * again:.0f} % of the runs are the run before again: one seed for some runs or workers",
                    RUNS,
                    (),
                )
            if abs(values.var() / right - 1) < SAME_VARIANCE and step.var() < 2 * PARTLY * right:
                share = 100 * (1 - step.var() / (2 * right))
                return f"{name}: about {share:.0f} % of the coins of a run are those of the run before", RUNS, ()
        return None


def spread_of_means(values: Doubles, length: int) -> float:
    """The variance of the means of so many values in a row, 1 where they are independent; -1 for none."""
    number = len(values) // length
    if number < 2 or values.std() == 0:
        return -1.0
    means = values[: number * length].reshape(number, length).mean(axis=1)
    return float(means.var(ddof=1) * length / values.var())


def successive(values: Doubles) -> tuple[Doubles, Doubles]:
    """Each value but the first, and the one before it."""
    return values[1:], values[:-1]


def correlated(first: Doubles, second: Doubles) -> bool:
    """Whether two rows of numbers go together, up or down, more than by chance."""
    spread = first.std() * second.std()
    share = ((first - first.mean()) * (second - second.mean())).mean() / spread if spread else 0.0
    return bool(abs(share) > 6 / np.sqrt(len(first)))


ADDED = "a constant is added"
SAME = "it is the same in all runs, and not random: no noise, or coins or a seed that are drawn once and kept"
EVENED = "the mean is right and the variance too small, as if draws were evened out or the better of some were kept"
UNFAIR = "sums of bits modulo 2 are right, so the shares are not fair coins, or depend on each other"
IRREGULAR = "frequencies are off here and there, as if outcomes came from a table, or from a few draws that are kept"
BESIDE = {
    NOISE: (DATA,),
    DATA: (NOISE,),
    MESSAGES: (DROPOUTS,),
    DROPOUTS: (MESSAGES,),
    RUNS: (DROPOUTS, NOISE),
    STATE: (NOISE,),
}
"""What else makes the same number as a mistake in an area."""
NO_COUNT = -1  # stands for an output that no count gives
OTHER_FORMULA = "a constant, a factor or a rounding that is not in its formula"
SMOOTH = 4  # degree of the polynomials that describe what is off smoothly
LEAST_USUAL = 8  # outcomes that have to be usual before irregularity says anything
TOO_EVEN = 0.15  # of what chance makes of a sum of squares over at least nine outcomes: less has a chance below 1e-4
SIGNS = 6.0  # deviations of a mean, or of a frequency, that are no chance
NO_SPREAD = 1e-9  # stands for the variance of a law that lists other outcomes, but never takes them
FEWEST_KEPT, LOST, FAIRLY = 2, 0.25, 6.0
"""Coordinates that lose this part of their variance, and how far their means may be from what that makes likely."""
MOST_NAMED = 3  # coordinates that a sentence names
SURELY = 20.0  # nats
LEAST_WORD = 128  # by at least so much a number is off that wraps around
EXPECTED = 20  # times that an outcome has to be expected for its absence to be worth a word


def in_words(columns: Columns) -> tuple[str, str, tuple[str, ...]]:
    """What is off most, in words, its area, and other areas that it may come from as well."""
    i, text, area = most_off(columns)
    return text, area, as_likely(columns, i, area)


def as_likely(columns: Columns, i: int, area: str) -> tuple[str, ...]:
    """Other areas that a deviation which nothing known explains may come from: what else makes the same number."""
    state = (STATE,) if any("state" in one for one in columns.names) else ()
    gone = (DROPOUTS,) if columns.reference.letters.get("gamma", 1.0) < 1 and area == DATA else ()
    shown = (ANALYZER,) if columns.names[i] == "output" else ()
    return tuple(one for one in dict.fromkeys((*state, *gone, *BESIDE.get(area, ()), *shown)) if one != area)


def most_off(columns: Columns) -> tuple[int, str, str]:
    """The number of the coordinate that is off most, what is off, and the area of that."""
    reference, counts = columns.reference, columns.counts
    pairs = [
        (i, *pair) for i, pair in enumerate(zip(counts, reference.laws, strict=True)) if i not in reference.excluded
    ]
    _, i = max((saturated(counter) - law_likelihood(counter, law), i) for i, counter, law in pairs if counter)
    law, runs, name = reference.laws[i], counts[i].total(), reference.names[i]
    mean, variance = moments(counts[i])
    text = f"{name} has mean {mean:.6g} and variance {variance:.6g}, not {law.mean():.6g} and {law.variance():.6g}"
    if len(law.masses) == 1 or (mean == variance == 0 and "messages" in name):
        off = abs(mean - law.mean()) > SIGNS * sqrt(variance / runs)
        letters = reference.letters
        left = round(letters.get("n", 0.0) * (1 - letters.get("gamma", 1.0)))
        if variance == 0 and left and mean > law.mean() and (mean - law.mean()) % left == 0:
            each = (mean - law.mean()) / left
            words = f"{each:g} too many for each of the {left} users who left: a part of what they send arrives"
            return i, f"{text}: {words}", DROPOUTS
        gone = letters.get("gamma", 1.0) < 1
        return (i, *of_size(text, name, mean, variance, off, gone)) if reference.rest != STATE else (i, text, STATE)
    if name.startswith("output") and 0 < counts[i][NO_COUNT] < runs and law.least == 0:
        some = f"{counts[i][NO_COUNT]} of {runs} outputs are none that the analyzer can give"
        return i, f"{some}: they are cut off, rounded, or moved", ANALYZER
    if mean == NO_COUNT and variance == 0 and (law.least or 0) > NO_COUNT:
        return i, f"{name.partition(' (')[0]} is none that the analyzer can give: {OTHER_FORMULA}", ANALYZER
    spread, shift = law.variance() or NO_SPREAD, abs(mean - law.mean())
    error = sqrt(spread / runs)
    alike = abs(variance / spread - 1) < max(0.05, 4 / sqrt(runs))
    by = round(mean - law.mean())
    if by and shift > SIGNS * error and fits(Counter({x - by: count for x, count in counts[i].items()}), law):
        gone = reference.letters.get("gamma", 1.0) < 1
        bits = abs(by).bit_length() - 1
        if abs(by) == 2**bits >= LEAST_WORD:
            words = f"{by} is added, as if it had wrapped around at 2^{bits}: an overflow of a word that is too short"
            return i, f"{text}: {words}", DATA
        return i, f"{text}: {ADDED}{', or users who left are counted' if gone else ''}", DATA
    summed = not any(word in name for word in (":", "state")) and len(columns.random) > 1
    if summed and shift < SIGNS * error and reference.rest != STATE:
        return i, f"{text}: a number over all pools spreads too much or too little", POOLS
    looks = looks_like(counts[i], law, alike, shift < SIGNS * error * sqrt(max(1.0, variance / spread)), variance)
    words = f"{text}: {looks}" if looks else text
    if looks == SAME and law.least is not None and min(counts[i]) > law.least:  # there is noise, but always the same
        return i, words, RUNS
    if reference.rest != NOISE:
        return i, words, reference.rest
    if only_shares(columns):
        return i, f"{words}: {UNFAIR}" if shift > SIGNS * error else words, DATA
    return i, words, DATA if alike and uneven(columns) else NOISE


def fits(counts: Counter[int], law: MassTable) -> bool:
    """Whether the outcomes look like draws from a law."""
    return only_chance(saturated(counts) - law_likelihood(counts, law), len(counts) - 1)


def looks_like(counter: Counter[int], law: MassTable, alike: bool, centred: bool, variance: float) -> str:
    """What the outcomes of a coordinate have in common."""
    runs, p = counter.total(), float(even_mass(law).mid())
    even = sum(count for x, count in counter.items() if x % 2 == 0)
    absent = (x for x, mass in law.items() if runs * float(mass.mid()) > EXPECTED)
    missing = [x for x in absent if not counter[x] and min(counter) < x < max(counter)]
    if len(counter) == 1:
        return SAME
    if step_of(counter) > 2:
        step = step_of(counter)
        words = f"it is always {min(counter) % step} more than a multiple of {step}"
        return f"{words}, as if each draw counted {step} times or it were rounded"
    if even in (0, runs) and runs * min(p, 1 - p) > EXPECTED:
        return f"it is always {'even' if even else 'odd'}, as if each draw counted twice or the noise were rounded"
    if len(missing) == 1 and not irregular(counter, law, missing[0]):
        return f"{missing[0]} is never met, as if it were drawn again"
    if irregular(counter, law):
        return IRREGULAR
    if centred and not alike and variance > law.variance():
        return "the mean is right and the variance too large, as if one coin counted several times or runs were mixed"
    if centred and not alike:
        return EVENED
    return ""


def kept_draws(columns: Columns) -> str | None:
    """What seems to be drawn once and kept for all runs, in words: some coordinates, or a part of some.

    What is kept of a draw is missing in the variance, and moves the mean by about as much.
    """
    still = [i for i in columns.random if len(columns.counts[i]) == 1 and never_so(columns, i)]
    still = [i for i in still if columns.laws[i].least is None or min(columns.counts[i]) > (columns.laws[i].least or 0)]
    if len(still) >= FEWEST_KEPT:
        words = "the same in all runs: coins, or a seed, that are drawn once and kept for all runs, or no noise"
        return f"{listed_names(columns, still)}: {words}"
    shifts, lost, partly = [], [], []
    for i in columns.independent:
        law, counter = columns.laws[i], columns.counts[i]
        runs = counter.total()
        if law.variance() and runs:
            mean, variance = moments(counter)
            if variance < (1 - LOST - 5 / sqrt(runs)) * law.variance():
                shifts.append(mean - law.mean())
                lost.append(law.variance() - variance)
                partly.append(i)
    if len(partly) < FEWEST_KEPT or not 1 / FAIRLY < sum(x * x for x in shifts) / sum(lost) < FAIRLY:
        return None
    share = sum(lost) / sum(columns.laws[i].variance() for i in partly)
    words = f"about {100 * share:.0f} % of their variance is missing, and their means are off by as much"
    return f"{listed_names(columns, partly)}: {words}: a part of the coins is drawn once and kept for all runs"


def never_so(columns: Columns, i: int) -> bool:
    """Whether it is no chance that a coordinate has one value in all runs."""
    (x,) = columns.counts[i]
    return columns.counts[i].total() * log(max(1e-300, float(columns.laws[i].mass(x).mid()))) < -SURELY


def listed_names(columns: Columns, some: Sequence[int]) -> str:
    """The names of some coordinates, or how many they are."""
    names = [columns.names[i] for i in some[:MOST_NAMED]]
    return ", ".join(names) + (f" and {len(some) - MOST_NAMED} more" if len(some) > MOST_NAMED else "")


def too_even(columns: Columns) -> str | None:
    """The coordinate whose outcomes are nearer to their law than chance allows, where there is one."""
    for i in columns.random:
        law, runs = columns.laws[i], columns.counts[i].total()
        usual = {x: runs * float(mass.mid()) for x, mass in law.items()}
        cells = [(columns.counts[i][x], expected) for x, expected in usual.items() if expected > EXPECTED]
        off = sum((count - expected) ** 2 / expected for count, expected in cells)
        if len(cells) > LEAST_USUAL and off < TOO_EVEN * len(cells):
            return columns.names[i]
    return None


def irregular(counter: Counter[int], law: MassTable, but: int | None = None) -> bool:
    """Whether frequencies, `but` one, are off here and there, not in a way that a smooth function describes."""
    runs, mean, spread = counter.total(), law.mean(), sqrt(max(law.variance(), 1e-9))
    masses = {x: float(mass.mid()) for x, mass in law.items()}
    usual = np.array([x for x, mass in masses.items() if runs * mass > 5 and x != but])
    if len(usual) < LEAST_USUAL:
        return False
    expected = runs * np.array([masses[x] for x in usual])
    weights = np.sqrt(expected)
    off = (np.array([counter[x] for x in usual]) - expected) / weights
    columns = np.vander((usual - mean) / spread, SMOOTH + 1) * weights[:, None]
    left = off - columns @ np.linalg.lstsq(columns, off, rcond=None)[0]
    freedom = len(usual) - SMOOTH - 1
    return bool(left @ left > max(freedom + SIGNS * sqrt(2 * freedom), 0.5 * (off @ off)))


def step_of(counter: Counter[int]) -> int:
    """The largest number of which all outcomes differ by multiples."""
    return gcd(*(x - min(counter) for x in counter))


def only_shares(columns: Columns) -> bool:
    """Whether sums modulo 2, where the noise enters, are as they should be: then the shares of the bits are wrong."""
    arrangement = columns.reference.arrangement
    if arrangement is None or not arrangement.shared:
        return False
    for i in columns.independent:
        runs, p = columns.counts[i].total(), float(even_mass(columns.laws[i]).mid())
        even = sum(count for x, count in columns.counts[i].items() if x % 2 == 0)
        if abs(even - runs * p) > SIGNS * sqrt(runs * p * (1 - p)) + 1:
            return False
    return True


def of_size(text: str, name: str, mean: float, variance: float, off: bool, gone: bool) -> tuple[str, str]:
    """What is wrong with a number of messages that should be fixed.

    `off` says that it is wrong in the mean, `gone` that users have dropped out.
    """
    if "label" in name or mean == variance == 0:
        return f"{text}: other labels, or another number of pools", LABELS
    if variance > 0 and not off:
        late = "what is missing in some runs others have too many"
        if gone:
            return f"{text}: {late}, as if single messages were dropped, not users", DROPOUTS
        return f"{text}: {late}, as if messages came late", RUNS
    if variance > 0:
        words = f"{text}: it changes from run to run, so users drop out or send again"
        return words, DROPOUTS if gone else MESSAGES
    return f"{text}: in every run the same messages are missing, or too many", MESSAGES


def uneven(columns: Columns) -> bool:
    """Whether the means of the pools deviate by different amounts, as they do where the data enters wrongly."""
    shifts = []
    for i in columns.independent:
        law, runs = columns.laws[i], columns.counts[i].total()
        shifts.append((moments(columns.counts[i])[0] - law.mean()) / sqrt(max(law.variance(), 1e-9) / max(1, runs)))
    return len(shifts) > 1 and max(shifts) - min(shifts) > 8 and min(map(abs, shifts)) < 4
