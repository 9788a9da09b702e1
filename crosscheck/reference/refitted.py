"""Data that enters in another way, as the runs suggest: how many users seem to hold each pool's element."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from crosscheck.likelihood import law_likelihood
from crosscheck.reference.model import DATA, DROPOUTS, Bug, Laws, Setting
from exact.errors import InputError

MOST_TRIED = 80  # numbers of holders that are tried for a pool, those near the right one first
MOST_NAMED = 3  # pools that one sentence names
CLEAR = 3.0  # nats by which another number of holders has to be better to be taken for the true one
PRICE = 6.0  # nats that each pool with another number of holders has to be worth


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
        name = f"{what}: " + ", ".join(who + words) + more
        yield Bug(name, DROPOUTS if gone else DATA, mistaken.laws, mistaken, PRICE * (len(changed) + bool(who)))


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
