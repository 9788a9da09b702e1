"""What is wrong where the zeros and ones of one pool depend on each other: its size has another law."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from panshuffle.crosscheck.doubles import Doubles
from panshuffle.crosscheck.partial_mistakes import place_of
from panshuffle.crosscheck.pool_bets import Pools
from panshuffle.crosscheck.reference.model import NOISE, POOLS, RUNS, STATE

KEPT = 1e-6  # of the right variance: less is none
SURE = 4.0  # deviations of the sum of all correlations within pools that are no chance


def within_pool(pools: Pools) -> tuple[str, str, float, tuple[str, ...]] | None:
    """The cause, its area, what it explains and other areas, where two coordinates of the same pool go together."""
    names = [pools.columns.names[i] for i in pools.indices]
    seen = pools.covariances()
    a, b = most_related(seen, [owner(name) for name in names], pools.complete)
    pool = owner(names[a])
    if pool != owner(names[b]):
        return None
    if "state" in names[a] or "state" in names[b]:
        words = f"{names[a]} and {names[b]} are not independent: the noise before and after the stream is reused"
        return words, POOLS, 1.0, (STATE,)
    variance = seen[a, a] + seen[b, b] + 2 * seen[a, b]
    right = sum(pools.columns.laws[pools.indices[i]].variance() for i in (a, b))
    words = f"the messages of {pool} have variance {variance:.6g}, not {right:.6g}"
    if variance < KEPT * right:
        return f"{words}: their number is fixed, or drawn once and kept for all runs", NOISE, 0.0, (RUNS,)
    return None if fixed_total(seen) else (f"{words}: their number has another law", NOISE, 0.0, ())


def most_related(seen: Doubles, owners: Sequence[str], runs: int) -> tuple[int, int]:
    """The two coordinates that are correlated most; two of a pool where those of all pools together are, surely."""
    spread = np.sqrt(np.maximum(np.diag(seen), 1e-300))
    relation = seen / np.outer(spread, spread) - np.eye(len(owners))
    inside = np.array(
        [[i != j and first == second for j, second in enumerate(owners)] for i, first in enumerate(owners)]
    )
    together = [abs(relation[part].sum()) / np.sqrt(2 * max(1, part.sum())) for part in (inside, ~inside)]
    a, b = np.unravel_index(int(np.argmax(np.abs(relation))), seen.shape)
    if not inside[a, b] and together[0] * np.sqrt(runs) > max(SURE, together[1] * np.sqrt(runs)):
        a, b = np.unravel_index(int(np.argmax(np.where(inside, np.abs(relation), 0.0))), seen.shape)
    return int(a), int(b)


def fixed_total(seen: Doubles) -> bool:
    """Whether all coordinates together are the same in all runs, although each changes: what one gets others do not."""
    return bool(seen.sum() < KEPT * np.trace(seen))


def owner(name: str) -> str:
    """The pool that a coordinate belongs to, or the stream, or the coordinate itself."""
    return "the stream" if ":" not in name and "state" in name else place_of(name)
