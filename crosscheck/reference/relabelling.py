"""Labels of pools in another order, as the runs suggest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from panshuffle.crosscheck.likelihood import law_likelihood
from panshuffle.crosscheck.reference.model import LABELS, Bug, Laws, fixed

WORTH = 2.0  # nats that exchanging two labels has to gain


def exchanged_labels(counts: Sequence[Counter[int]], laws: Laws) -> Iterator[Bug]:
    """The labels in another order, found by exchanging the two that gain most, again and again."""
    pools = range((len(laws) - 1) // 2)
    fit = [[pool_fit(counts, laws, a, b) for b in pools] for a in pools]
    order = list(pools)
    for _ in pools:
        gains = [
            (fit[a][order[b]] + fit[b][order[a]] - fit[a][order[a]] - fit[b][order[b]], a, b)
            for a in pools
            for b in range(a + 1, len(pools))
        ]
        gain, a, b = max(gains, default=(0.0, 0, 0))
        if gain < WORTH:
            break
        order[a], order[b] = order[b], order[a]
    moved = [(a + 1, b + 1) for a, b in enumerate(order) if a != b]
    if moved:
        both = len(moved) == 2
        words = (
            f"{moved[0][0]} and {moved[1][0]} are exchanged"
            if both
            else "are permuted: " + ", ".join(f"pool {a} has the law of pool {b}" for a, b in moved)
        )
        found = [laws[0], *(law for b in order for law in laws[1 + 2 * b : 3 + 2 * b])]
        yield fixed(f"the labels {words}", LABELS, *found)


def pool_fit(counts: Sequence[Counter[int]], laws: Laws, a: int, b: int) -> float:
    """ln of the likelihood of what pool a shows under the law of pool b."""
    places = (1, 2)
    return sum(law_likelihood(counts[i + 2 * a], laws[i + 2 * b]) for i in places if len(counts) > i + 2 * a)
