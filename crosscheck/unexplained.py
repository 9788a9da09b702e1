"""What is off, and in which area, where no known mistake explains it: the coordinate that deviates most, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd, log, sqrt

import numpy as np
from panshuffle.crosscheck.bets import even_mass
from panshuffle.crosscheck.columns import Columns
from panshuffle.crosscheck.likelihood import law_likelihood, only_chance, saturated
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.reference.model import ANALYZER, DATA, DROPOUTS, LABELS, MESSAGES, NOISE, POOLS, RUNS, STATE

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
EVEN = 0.15  # of what chance makes of a sum of squares over at least nine outcomes: less has a chance below 1e-4
SIGNS = 6.0  # deviations of a mean, or of a frequency, that are no chance
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
    pairs = [(i, *pair) for i, pair in enumerate(zip(counts, reference.laws, strict=True)) if i not in reference.aside]
    _, i = max((saturated(counter) - law_likelihood(counter, law), i) for i, counter, law in pairs if counter)
    law, runs, name = reference.laws[i], counts[i].total(), reference.names[i]
    mean = sum(x * count for x, count in counts[i].items()) / runs
    variance = sum((x - mean) ** 2 * count for x, count in counts[i].items()) / runs
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
    spread, shift = law.variance(), abs(mean - law.mean())
    error = sqrt(spread / runs)
    alike = abs(variance / spread - 1) < max(0.05, 4 / sqrt(runs))
    if shift > SIGNS * error and is_moved(counts[i], law, round(mean - law.mean())):
        gone = reference.letters.get("gamma", 1.0) < 1
        by = round(mean - law.mean())
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


def is_moved(counter: Counter[int], law: MassTable, by: int) -> bool:
    """Whether the outcomes are as they should be but for a whole number that was added."""
    moved = Counter({x - by: count for x, count in counter.items()})
    return bool(by) and only_chance(saturated(moved) - law_likelihood(moved, law), len(counter) - 1)


def looks_like(counter: Counter[int], law: MassTable, alike: bool, centred: bool, variance: float) -> str:
    """What the outcomes of a coordinate have in common."""
    runs, p = counter.total(), float(even_mass(law).mid())
    even = sum(count for x, count in counter.items() if x % 2 == 0)
    absent = (x for x, mass in enumerate(law.masses, start=law.first) if runs * float(mass.mid()) > EXPECTED)
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
            mean = sum(x * count for x, count in counter.items()) / runs
            variance = sum((x - mean) ** 2 * count for x, count in counter.items()) / runs
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
        usual = {x: runs * float(mass.mid()) for x, mass in enumerate(law.masses, start=law.first)}
        cells = [(columns.counts[i][x], expected) for x, expected in usual.items() if expected > EXPECTED]
        off = sum((count - expected) ** 2 / expected for count, expected in cells)
        if len(cells) > LEAST_USUAL and off < EVEN * len(cells):
            return columns.names[i]
    return None


def irregular(counter: Counter[int], law: MassTable, but: int | None = None) -> bool:
    """Whether frequencies, `but` one, are off here and there, not in a way that a smooth function describes."""
    runs, mean, spread = counter.total(), law.mean(), sqrt(max(law.variance(), 1e-9))
    masses = {x: float(mass.mid()) for x, mass in enumerate(law.masses, start=law.first)}
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
        mean = sum(x * count for x, count in columns.counts[i].items()) / max(1, runs)
        shifts.append((mean - law.mean()) / sqrt(max(law.variance(), 1e-9) / max(1, runs)))
    return len(shifts) > 1 and max(shifts) - min(shifts) > 8 and min(map(abs, shifts)) < 4
