"""Public randomness as the runs suggest it: kept for all runs, or not uniform; for the diagnosis only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from panshuffle.crosscheck.likelihood import law_likelihood
from panshuffle.crosscheck.mass_tables import MassTable, mixture
from panshuffle.crosscheck.reference.model import Bug
from panshuffle.crosscheck.reference.refitted import MOST_NAMED, fitted_weights

KEPT_HASH = "the hash function is drawn once and kept for all runs"
KEPT_PARTITION = "the partition is drawn once and kept for all runs"
LOST = 0.3  # of the users, who may seem to be in no group by chance
NEVER = 0.03  # of the runs: a pool that is held less often is taken to be never held
Weights = tuple[tuple[int, Fraction], ...]


def hash_suspects(
    right: Sequence[Weights],
    laws: Sequence[MassTable],
    odd: Sequence[MassTable],
    hashed: Callable[[str, tuple[Weights, ...], Weights], Bug],
    counts: Sequence[Counter[int]],
) -> Iterator[Bug]:
    """One hash function for all runs, and one whose values are not held as often as they should.

    `laws` are those of a pool's ones by the number of holders, `odd` those of the odd pools by how many pools are held.
    """
    seen = [counts[2 * j] for j in range(1, len(right) + 1)]
    best = [max(range(len(laws)), key=lambda c: law_likelihood(counter, laws[c])) for counter in seen]
    kept = tuple(((c, Fraction(1)),) for c in best)
    yield replace(hashed(KEPT_HASH, kept, ((sum(c > 0 for c in best), Fraction(1)),)), price=float(len(best)))
    weights = tuple(as_weights(fitted_weights(counter, laws)) for counter in seen)
    held = [tuple(1 - float(dict(row).get(0, 0)) for row in rows) for rows in zip(weights, right, strict=True)]
    words = most_off(held, "pool {} is held in {:.0%} of the runs, not {:.0%}")
    never = [str(j) for j, (new, old) in enumerate(held, start=1) if new < NEVER < old / 2]
    less = f", value {', '.join(never)} is hardly ever taken" if never else ""
    occupied = as_weights(fitted_weights(counts[2 * len(right) + 1], odd))
    mean, usual = sum(float(d * w) for d, w in occupied), sum(old for _, old in held)
    name = f"the hash function is not uniform{less}: {mean:.3g} pools are held in the mean, not {usual:.3g}; {words}"
    yield replace(hashed(name, weights, occupied), price=3.0 * len(right))


def pools_met(counts: Sequence[Counter[int]], pools: int) -> int:
    """The number of pools that runs seem to have: with messages, and those outside as if of the same size."""
    sizes = [max(counter, default=0) for counter in counts[1 : 2 * pools : 2]]
    outside = max(counts[0], default=0)
    usual = max(sizes, default=0)
    return sum(size > 0 for size in sizes) + (-(-outside // usual) if usual else 0)


def as_weights(found: Sequence[float]) -> Weights:
    """The weights that are not 0, by place."""
    return tuple((place, Fraction(weight)) for place, weight in enumerate(found) if weight)


def group_suspects(
    right: Sequence[MassTable],
    laws: Mapping[tuple[int, int], MassTable],
    landing: Callable[[str, Sequence[MassTable]], Bug],
    counts: Sequence[Counter[int]],
) -> Iterator[Bug]:
    """One partition for all runs, and one whose groups do not have the users that they should; laws by members."""
    if not laws:
        return
    seen = [counts[2 * j] for j in range(1, len(right) + 1)]
    best = [max(laws.values(), key=lambda law: law_likelihood(counter, law)) for counter in seen]
    yield replace(landing(KEPT_PARTITION, best), price=2.0 * len(best))
    known = [law for (_, padding), law in laws.items() if not padding]
    found = [fitted_weights(counter, known) for counter in seen]
    users = [(sum(c * w for c, w in enumerate(row)), old.mean()) for row, old in zip(found, right, strict=True)]
    if abs(sum(new for new, _ in users) / sum(old for _, old in users) - 1) > LOST:
        return  # every user is in some group, whatever the partition
    words = most_off(users, "pool {} has {:.3g} users in the mean, not {:.3g}")
    mixed = [mixture([(w, law) for w, law in zip(row, known, strict=True) if w]) for row in found]
    name = f"the partition is not uniformly random, or its groups are not of one size: {words}"
    yield replace(landing(name, mixed), price=3.0 * len(right))


def most_off(pairs: Sequence[Sequence[float]], words: str) -> str:
    """The pools whose numbers are farthest from what they should be, in words."""
    order = sorted(range(len(pairs)), key=lambda j: -abs(pairs[j][0] - pairs[j][1]))[:MOST_NAMED]
    return ", ".join(words.format(j + 1, *pairs[j]) for j in sorted(order))
