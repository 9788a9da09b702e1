"""Data that enters in another way, as the runs suggest: how many users seem to hold each pool's element."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from panshuffle.crosscheck.doubles import Doubles, ends_of, places_of
from panshuffle.crosscheck.likelihood import FLOOR, law_likelihood
from panshuffle.crosscheck.mass_tables import MassTable, mixture
from panshuffle.crosscheck.reference.model import DATA, DROPOUTS, Bug, Laws, Setting, fixed
from panshuffle.exact.errors import InputError

MOST_TRIED = 80  # numbers of holders that are tried for a pool, those near the right one first
MOST_NAMED = 3  # pools that one sentence names
CLEAR = 3.0  # nats by which another number of holders has to be better to be taken for the true one
STEPS = 200  # of the search for how often so many users hold a pool
HARDLY = 0.01  # of the runs: numbers of holders that are rarer are left out
PRICE = 4.0  # nats that each pool with another number of holders has to be worth


class Holding(Protocol):
    """Settings of a protocol on pools, which differ in how many users hold the element of each."""

    def holding(self, counts: tuple[int, ...]) -> Setting:
        """The same with other numbers of holders."""


def other_holders(
    settings: Iterable[tuple[int, tuple[int, ...], Holding]], users: int, n: int, counts: Sequence[Counter[int]]
) -> Iterator[Bug]:
    """The mistakes by which other numbers of users hold the pools' elements; some of n users may have dropped out."""
    for others, right, setting in settings:
        seen = best_holders(setting, others, right, counts)
        changed = [(j, old, new) for j, (old, new) in enumerate(zip(right, seen, strict=True), start=1) if old != new]
        if not changed and others == users:
            continue
        words = [f"pool {j} as if {new} of them held it, not {old}" for j, old, new in changed[:MOST_NAMED]]
        more = f", and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        who = [f"{others} users send messages, not {users}"] if others != users else []
        mistaken = setting.holding(seen)
        gone = who or users < n
        what = "the dropouts are missing, or others take part" if gone else "another data set"
        name = f"{what}: " + ", ".join(who + words) + more + how_moved(right, seen, others)
        yield Bug(name, DROPOUTS if gone else DATA, mistaken.laws, mistaken, PRICE * (len(changed) + bool(who)))


def how_moved(right: tuple[int, ...], seen: tuple[int, ...], users: int) -> str:
    """What may have become of the holders of the pools, in words, where it is simple."""
    lost = [(j, old - new) for j, (old, new) in enumerate(zip(right, seen, strict=True), start=1) if new < old]
    won = [(j, new - old) for j, (old, new) in enumerate(zip(right, seen, strict=True), start=1) if new > old]
    if len(right) < 2 or not (lost or won):
        return ""
    if max(seen) == sum(seen) == users:
        return f" (all send the element {1 + seen.index(users)}, as if that of one user were used for all)"
    if seen in ((*right[1:], 0), (0, *right[:-1])):
        which = ("large", "last") if seen[0] == 0 else ("small", "first")
        return f" (as if labels were one too {which[0]}, and the holders of the {which[1]} were in no pool)"
    if seen == tuple(min(1, old) for old in right):
        return " (each element counts once, as if repeated ones were dropped)"
    if len(lost) == len(won) == 1 and lost[0][1] == won[0][1]:
        (a, moved), (b, _) = lost[0], won[0]
        who = "those who hold" if moved == right[a - 1] else f"{moved} of those who hold"
        return f" (as if {who} {a} held {b})"
    if not won:
        return f" (some who hold {', '.join(str(j) for j, _ in lost[:MOST_NAMED])} are not counted)"
    return ""


def changing_holders(
    setting: Holding, users: int, right: tuple[int, ...], n: int, counts: Sequence[Counter[int]]
) -> Iterator[Bug]:
    """The mistake that the users of a pool are not the same in all runs: how often so many hold it, from its ones."""
    laws = [setting.holding((c,)).laws() for c in range(users + 1)] if users < MOST_TRIED else []
    weights: list[Sequence[float]] = []
    for j, old in enumerate(right) if laws else ():
        ones, alone = counts[2 + 2 * j], [float(c == old) for c in range(users + 1)]
        found = fitted_weights(ones, [law[2] for law in laws])
        gain = mixed_likelihood(ones, [law[2] for law in laws], found) - law_likelihood(ones, laws[old][2])
        weights.append(found if gain > 3 * PRICE else alone)
    changed = [j for j, old in enumerate(right) if weights and weights[j][old] < 1]
    if not changed:
        return
    words = [f"pool {j + 1} {in_the_mean(weights[j])}, not by {right[j]}" for j in changed[:MOST_NAMED]]
    name = "what users hold, or who takes part, changes from run to run: " + ", ".join(words)
    mixtures = [
        mixture([(w, law[i]) for w, law in zip(row, laws, strict=True) if w]) for row in weights for i in (1, 2)
    ]
    area = DROPOUTS if users < n else DATA
    yield replace(fixed(name, area, laws[0][0], *mixtures), price=3 * PRICE * len(changed))


def in_the_mean(weights: Sequence[float]) -> str:
    """How many hold a pool, in words."""
    held = [c for c, weight in enumerate(weights) if weight]
    mean = sum(c * weight for c, weight in enumerate(weights))
    return f"is held by {min(held)} to {max(held)} of them, {mean:.3g} in the mean"


def fitted_weights(counter: Counter[int], laws: Sequence[MassTable]) -> list[float]:
    """How often each law seems to be the one that outcomes are drawn from; those that hardly ever are, never."""
    masses, times = table_of(counter, laws)
    weights = np.full(len(laws), 1 / len(laws))
    for _ in range(STEPS):
        parts = masses * weights
        weights = times @ (parts / np.maximum(parts.sum(axis=1, keepdims=True), FLOOR)) / max(1.0, times.sum())
    kept = np.where(weights < HARDLY, 0.0, weights)
    return [float(weight) for weight in kept / max(kept.sum(), FLOOR)]


def mixed_likelihood(counter: Counter[int], laws: Sequence[MassTable], weights: Sequence[float]) -> float:
    """ln of the likelihood where each law is the true one so often."""
    masses, times = table_of(counter, laws)
    return float(times @ np.log(np.maximum(masses @ np.array(weights), FLOOR)))


def table_of(counter: Counter[int], laws: Sequence[MassTable]) -> tuple[Doubles, Doubles]:
    """The masses of the outcomes that were met, one a row, under each law, and how often they were met."""
    values = np.array(list(counter), dtype=np.int64)
    masses = np.stack([ends_of(law)[1][places_of(law, values)] for law in laws], axis=1)
    return masses, np.array(list(counter.values()), dtype=np.float64)


def best_holders(
    setting: Holding, users: int, right: tuple[int, ...], counts: Sequence[Counter[int]]
) -> tuple[int, ...]:
    """For each pool the number of holders under which it is most likely; the right one where that is about as good."""
    found, known = [], dict[int, tuple[Laws, ...]]()
    for j, old in enumerate(right):
        tried = sorted(range(users + 1), key=lambda c: abs(c - old))[:MOST_TRIED]
        values = {}
        for c in tried:
            if c not in known:
                try:
                    known[c] = (setting.holding((c,)).laws(),)
                except InputError:
                    known[c] = ()
            for laws in known[c]:
                values[c] = sum(law_likelihood(counts[1 + 2 * j + i], laws[1 + i]) for i in (0, 1))
        best = max(values, key=lambda c: values[c], default=old)
        found.append(best if old not in values or values[best] > values[old] + CLEAR else old)
    return tuple(found)
