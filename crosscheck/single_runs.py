"""Single runs that are not like the others: they show what can't be, or what is absurd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from panshuffle.crosscheck.bets import law_bets
from panshuffle.crosscheck.columns import Columns
from panshuffle.crosscheck.mass_tables import MassTable

FEW = 0.002  # of all runs, that show what can't be: single runs, not a law, are wrong
NEVER = 1e-6  # times that an outcome is expected in all runs: it should not be met
WORDS_OF = (8, 7, 16, 15, 32, 31, 64, 63, 12, 10, 6)
"""Bits of a word that numbers may wrap around in, the usual ones first."""
SINGLE = "single runs are not like the others"


def odd_runs(columns: Columns, bar: float) -> str | None:
    """What a few runs only show, in words, where the others show nothing unusual."""
    found = list(absurd(columns))
    together = Counter[int]()
    for i, _, count in found:
        together[i] += count
    times = max(together.values(), default=0)
    if not found or times > max(1, columns.runs * FEW) or others_are_off(columns, bar):
        return None
    i, x, _ = max(found, key=lambda one: one[2])
    never = "is absurd" if columns.laws[i].possible(x) else "can't be"
    met = f"is met in {times} of {columns.runs} runs{wrapped(columns.laws[i], x)}"
    return f"{SINGLE}: {columns.names[i]} = {x} {never}, and {met}"


def absurd(columns: Columns) -> Iterator[tuple[int, int, int]]:
    """Coordinates, outcomes that should not be met at all in so many runs, and how often they are."""
    for i in range(len(columns.laws)):
        for x, count in columns.counts[i].items():
            if is_absurd(columns, i, x):
                yield i, x, count


def is_absurd(columns: Columns, i: int, x: int) -> bool:
    """Whether an outcome should not be met at all in so many runs."""
    return float(columns.laws[i].mass(x).upper()) * columns.runs < NEVER


def wrapped(law: MassTable, x: int) -> str:
    """The usual number that an absurd one is when it wraps around, in words."""
    for bits in WORDS_OF:
        for usual in (x + 2**bits, x - 2**bits):
            if float(law.mass(usual).mid()) > NEVER:
                return f", as if {usual} had wrapped around at 2^{bits}: an overflow"
    return ""


def others_are_off(columns: Columns, bar: float) -> bool:
    """Whether the outcomes that can be are not as often met as they should."""
    for i in columns.independent:
        law = columns.laws[i]
        usual = Counter({x: count for x, count in columns.counts[i].items() if not is_absurd(columns, i, x)})
        if any(float(bet.log_e.mid()) > bar for bet in law_bets(usual, law, columns.names[i])):
            return True
    return False
