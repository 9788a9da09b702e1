"""What protocols on pools have in common: their coordinates, who takes part, labels, and what becomes of messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import comb

import numpy as np
from panshuffle.crosscheck.doubles import FLOOR, Doubles, ends_of, law_likelihood, places_of
from panshuffle.crosscheck.mass_tables import MassTable, binomial, mixture, point
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, LABELS, MESSAGES, NOISE, ORDER
from panshuffle.crosscheck.reference.model import (
    Arrangement,
    Array,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
    WrongAnalyzer,
    fixed,
    pool_laws,
)
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, real

RARE_PRICE = 3.0  # nats that these mistakes have to be better by than one in what is sent
MOST_MESSAGES = 200  # messages up to which these mistakes are tried: about a second


def sizes_of(laws: Laws) -> list[int] | None:
    """The numbers of messages of the pools, where they are fixed and not too many."""
    sizes = [law.first for law in laws[1::2] if len(law.masses) == 1]
    return sizes if len(sizes) == len(laws) // 2 and 0 < sum(sizes) <= MOST_MESSAGES else None


def mishandled(laws: Laws) -> Iterator[Bug]:
    """Messages that are drawn with replacement, or whose labels and bits are shuffled apart."""
    sizes = sizes_of(laws)
    if sizes is None:
        return
    total, ones = sum(sizes), laws[2::2]
    yield fixed("zeros are not sent", MESSAGES, *pool_laws([(law, law) for law in ones]))
    zeros = [law.negated().moved(size) for law, size in zip(ones, sizes, strict=True)]
    yield fixed("ones are not sent", MESSAGES, *pool_laws([(law, point(0)) for law in zeros]))
    again = [drawn_again(law, size, total) for law, size in zip(ones, sizes, strict=True)]
    yield replace(fixed("messages are drawn with replacement", ORDER, *pool_laws(again)), price=RARE_PRICE)
    if len(sizes) > 1:
        everything = reduce(MassTable.plus, ones)
        apart = [(point(size), dealt(everything, size, total)) for size in sizes]
        yield replace(fixed("labels and bits are shuffled apart", ORDER, *pool_laws(apart)), price=RARE_PRICE)


def drawn_again(law: MassTable, size: int, total: int) -> tuple[MassTable, MassTable]:
    """(messages, ones) of a pool where as many messages as there are in all are drawn from them."""
    return binomial(total, share(size, total)), law.compounded(lambda x: binomial(total, share(x, total)))


def share(part: int, total: int) -> Real:
    """A part of all messages, as a probability."""
    return real(Fraction(min(max(part, 0), total), total))


def dealt(law: MassTable, size: int, total: int) -> MassTable:
    """The ones of a pool that gets so many of all messages at random, from the law of all ones."""
    parts = []
    for x, mass in law.items():
        ways = {i: comb(x, i) * comb(total - x, size - i) for i in range(max(0, size - total + x), min(x, size) + 1)}
        parts += [(mass * (way / comb(total, size)), point(i)) for i, way in ways.items()]
    return mixture(parts)


def lossy(laws: Laws) -> tuple[Fit, ...]:
    """Messages that are lost, or sent twice, now and then."""
    sizes = sizes_of(laws)
    if sizes is None:
        return ()
    pools = list(zip(laws[2::2], sizes, strict=True))

    def lost(part: Real) -> Laws:
        kept = [(binomial(size, 1 - part), law.compounded(lambda x: binomial(x, 1 - part))) for law, size in pools]
        return pool_laws(kept)

    def doubled(part: Real) -> Laws:
        more = [law.compounded(lambda x: binomial(x, part).moved(x)) for law, _ in pools]
        return pool_laws(
            [(binomial(size, part).moved(size), ones) for (_, size), ones in zip(pools, more, strict=True)]
        )

    words = {"about {:.0%} of the messages are lost": lost, "about {:.0%} of the messages are sent twice": doubled}
    return tuple(Fit(name, real(0), Fraction(0), Fraction(1), of, DROPOUTS) for name, of in words.items())


MOST_TRIED = 80  # numbers of holders that are tried for a pool, those near the right one first
MOST_NAMED = 3  # pools that one sentence names
CLEARLY_BETTER = 3.0  # nats by which another number of holders has to be better to be taken for the true one
FITTING_STEPS = 200  # of the search for how often so many users hold a pool
HARDLY = 0.01  # of the runs: numbers of holders that are rarer are left out
HOLDERS_PRICE = 4.0  # nats that each pool with another number of holders has to be worth


def other_holders(
    settings: Iterable[tuple[int, tuple[int, ...], PoolSetting]], users: int, n: int, counts: Sequence[Counter[int]]
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
        yield Bug(name, DROPOUTS if gone else DATA, mistaken.laws, mistaken, HOLDERS_PRICE * (len(changed) + bool(who)))


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
    setting: PoolSetting, users: int, right: tuple[int, ...], n: int, counts: Sequence[Counter[int]]
) -> Iterator[Bug]:
    """The mistake that the users of a pool are not the same in all runs: how often so many hold it, from its ones."""
    laws = [setting.holding((c,)).laws() for c in range(users + 1)] if users < MOST_TRIED else []
    weights: list[Sequence[float]] = []
    for j, old in enumerate(right) if laws else ():
        ones, alone = counts[2 + 2 * j], [float(c == old) for c in range(users + 1)]
        found = fitted_weights(ones, [law[2] for law in laws])
        gain = mixed_likelihood(ones, [law[2] for law in laws], found) - law_likelihood(ones, laws[old][2])
        weights.append(found if gain > 3 * HOLDERS_PRICE else alone)
    changed = [j for j, old in enumerate(right) if weights and weights[j][old] < 1]
    if not changed:
        return
    words = [f"pool {j + 1} {in_the_mean(weights[j])}, not by {right[j]}" for j in changed[:MOST_NAMED]]
    name = "what users hold, or who takes part, changes from run to run: " + ", ".join(words)
    mixtures = [
        mixture([(w, law[i]) for w, law in zip(row, laws, strict=True) if w]) for row in weights for i in (1, 2)
    ]
    area = DROPOUTS if users < n else DATA
    yield replace(fixed(name, area, laws[0][0], *mixtures), price=3 * HOLDERS_PRICE * len(changed))


def in_the_mean(weights: Sequence[float]) -> str:
    """How many hold a pool, in words."""
    held = [c for c, weight in enumerate(weights) if weight]
    mean = sum(c * weight for c, weight in enumerate(weights))
    return f"is held by {min(held)} to {max(held)} of them, {mean:.3g} in the mean"


def fitted_weights(counter: Counter[int], laws: Sequence[MassTable]) -> list[float]:
    """How often each law seems to be the one that outcomes are drawn from; those that hardly ever are, never."""
    masses, times = table_of(counter, laws)
    weights = np.full(len(laws), 1 / len(laws))
    for _ in range(FITTING_STEPS):
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
    setting: PoolSetting, users: int, right: tuple[int, ...], counts: Sequence[Counter[int]]
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
        found.append(best if old not in values or values[best] > values[old] + CLEARLY_BETTER else old)
    return tuple(found)


WORTH_EXCHANGING = 2.0  # nats that exchanging two labels has to gain


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
        if gain < WORTH_EXCHANGING:
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


NOT_ARRANGED = Arrangement()
MOST_RELABELLED = 64  # pools up to which labels that are exchanged are looked for


@dataclass(frozen=True)
class PoolSetting(Setting):
    """A protocol on pools: so many users, of whom counts[j] hold the pool's element."""

    users: int
    counts: tuple[int, ...]

    def resized(self, size: int) -> Iterator[Bug]:
        """The mistakes by which every pool has so many messages; none that is known."""
        yield from ()

    def holding(self, counts: tuple[int, ...]) -> PoolSetting:
        """The same with other numbers of holders."""
        return replace(self, counts=counts)

    def otherwise(self) -> Iterator[PoolSetting]:
        """The same with other users, where the number of messages does not say how many there are."""
        yield from ()

    def diagnosis_only_mistakes(self) -> Iterator[Bug]:
        """Mistakes that only the diagnosis tries."""
        yield from ()

    def fitted_mistakes(self, n: int) -> tuple[Fit, ...]:
        """Families of mistakes that only the diagnosis tries; of n users some may have dropped out."""
        return ()

    def dropout_bugs(self, n: int) -> Iterator[Bug]:
        """Mistakes in who takes part."""
        yield from self.everyone(n)
        for users in (self.users - 1, self.users + 1):
            if users >= 1:
                yield self.mutated("one user too many or too few sends messages", DROPOUTS, users=users)

    def everyone(self, n: int) -> Iterator[Bug]:
        """All n users send messages: those who left hold nothing, or the first or the last element."""
        first, last = min(1, len(self.counts)), len(self.counts)
        for held in sorted({0, first, last}) if n > self.users else ():
            counts = tuple(c + (n - self.users) * (j == held) for j, c in enumerate(self.counts, start=1))
            words = f"all n users send messages, those who left as if they held {held or 'nothing, or a 0'}"
            yield self.mutated(f"the dropouts are missing: {words}", DROPOUTS, users=n, counts=counts)

    def label_bugs(self) -> Iterator[Bug]:
        """Labels that are mixed up."""
        for name, counts in shifted_labels(self.counts):
            yield self.mutated(name, LABELS, counts=counts)

    def count_bugs(self) -> Iterator[Bug]:
        """Mistakes in how bits enter the pools."""
        yield self.mutated("the bits are inverted", DATA, counts=tuple(self.users - c for c in self.counts))
        yield self.mutated("the data is left out: all bits are 0", DATA, counts=(0,) * len(self.counts))
        yield from self.label_bugs()


def pool_reference(
    good: Setting,
    k: int,
    bugs: Iterable[Bug],
    output: Callable[[Run], object] | None,
    wrong_analyzers: Iterable[WrongAnalyzer],
    *,
    knobs: tuple[Fit, ...] = (),
    arrangement: Arrangement = NOT_ARRANGED,
    rest: str = NOISE,
    dependent: frozenset[int] = frozenset(),
    zeros: bool = False,
    relabelled: bool = True,
    given: tuple[Given, ...] = (),
    n: int | None = None,
) -> Reference:
    """The reference of a protocol on k pools.

    Its coordinates are (messages, ones) of each pool, or (zeros, ones); `relabelled` adds the mistakes of all labels.
    """
    laws = tuple(good.laws())
    more = (overwritten(laws), zero_based(laws, zeros), *other_k(laws, zeros)) if relabelled else ()
    names = pool_names(k, ("zeros" if zeros else "messages", "ones"))
    read = zeros_and_ones(k) if zeros else sizes_and_ones(k)
    return Reference(
        names,
        laws,
        read,
        (*bugs, *more),
        output,
        tuple(wrong_analyzers),
        arrangement,
        knobs,
        rest,
        dependent,
        given,
        data_driven_mistakes=data_driven_by(good, laws, n),
        rows=pool_rows(k, zeros),
        fitted_mistakes=(*good.fitted_mistakes(n or good.users), *lossy(laws)) if isinstance(good, PoolSetting) else (),
    )


def pool_rows(k: int, zeros: bool) -> Callable[[Array], Array]:
    """The coordinates of many runs at once, from an array with [zeros, ones] of each pool of each run."""

    def rows(pools: Array) -> Array:
        if pools.shape[1:] != (k, 2):
            raise InputError(f"an array of runs has {2 * k} columns here, zeros and ones of {k} pools")
        found = np.zeros((len(pools), 2 * k + 1), dtype=np.int64)
        found[:, 1::2] = pools[:, :, 0] if zeros else pools.sum(axis=2)
        found[:, 2::2] = pools[:, :, 1]
        return found

    return rows


def other_k(laws: Laws, zeros: bool) -> Iterator[Bug]:
    """Runs that were made with another number of pools; without `zeros` the first coordinate of a pool is its size."""

    def larger() -> Laws:
        return [laws[-2].plus(laws[-1]) if zeros else laws[-2], *laws[1:]]

    yield Bug("the runs were made with another k: there is one pool more", LABELS, larger)
    if len(laws) > 3:
        fewer = (*laws[:-2], point(0), point(0))
        yield fixed("the runs were made with another k: there is one pool less", LABELS, *fewer)


def data_driven_by(good: Setting, laws: Laws, n: int | None) -> Callable[[Sequence[Counter[int]]], Iterator[Bug]]:
    """What the runs themselves suggest: labels that are exchanged, and other numbers of messages."""

    def data_driven_mistakes(counts: Sequence[Counter[int]]) -> Iterator[Bug]:
        if len(laws) // 2 <= MOST_RELABELLED:
            yield from exchanged_labels(counts, laws)
        if isinstance(good, PoolSetting):
            yield from good.diagnosis_only_mistakes()
            yield from mishandled(laws)
            sizes = [next(iter(counter)) for counter in counts[1::2] if len(counter) == 1]
            same = sizes and len(sizes) == len(counts) // 2 and len(set(sizes)) == 1
            resized = list(good.resized(sizes[0])) if same else []
            yield from resized
            others = [bug.setting for bug in resized if isinstance(bug.setting, PoolSetting)]
            tried = [good, *others, *good.otherwise()]
            yield from changing_holders(good, good.users, good.counts, n or good.users, counts)
            yield from other_holders(
                [(one.users, good.counts, one) for one in tried], good.users, n or good.users, counts
            )

    return data_driven_mistakes


def pool_names(k: int, what: Sequence[str] = ("messages", "ones")) -> tuple[str, ...]:
    """The names of the coordinates of k pools, after one for messages elsewhere."""
    return ("messages with a label outside 1..k", *(f"pool {j}: {part}" for j in range(1, k + 1) for part in what))


def ones_coordinates(k: int) -> frozenset[int]:
    """Where the ones of k pools stand among their coordinates: they depend on each other where randomness is public."""
    return frozenset(range(2, 2 * k + 1, 2))


def sizes_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(messages, ones) of each pool."""
    read = zeros_and_ones(k)

    def sizes(run: Run) -> tuple[int, ...]:
        outside, *counts = read(run)
        return outside, *(value for i in range(0, 2 * k, 2) for value in (counts[i] + counts[i + 1], counts[i + 1]))

    return sizes


def zeros_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(zeros, ones) of each pool, by a function that refuses a run which shows none."""

    def read(run: Run) -> tuple[int, ...]:
        if run.pools is None:
            raise InputError("the run shows neither pools nor messages, one of which is needed here")
        return run.elsewhere(k), *(value for pool in run.pools_up_to(k) for value in pool)

    return read


def shifted_labels(counts: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """The counts of the pools when labels are mixed up."""
    if len(counts) < 2:
        return []
    gone = "the labels are one too {}, and those who hold the {} are in no pool".format
    lost = [(gone("small", "first"), (*counts[1:], 0)), (gone("large", "last"), (0, *counts[:-1]))]
    if len(counts) == 2:
        return [("the labels 1 and 2 are exchanged", counts[::-1]), *lost]
    return [
        ("the labels are one too small", (*counts[1:], counts[0])),
        ("the labels are one too large", (counts[-1], *counts[:-1])),
        ("the labels are in reverse order", counts[::-1]),
        *lost,
    ]


def zero_based(laws: Laws, zeros: bool) -> Bug:
    """Labels 0, ..., k - 1 in place of 1, ..., k; without `zeros` the first coordinate of a pool is its size."""
    first, rest = laws[1:3], laws[3:]

    def shifted() -> Laws:
        return [first[0].plus(first[1]) if zeros else first[0], *rest, point(0), point(0)]

    return Bug("the labels of the pools start at 0", LABELS, shifted)


def overwritten(laws: Laws) -> Bug:
    """The printed randomizer's mistake: the vector of messages is overwritten, and only the last pool keeps any."""
    kept = (*(point(0) for _ in laws[:-2]), *laws[-2:])
    return fixed("the vector of messages is overwritten: only the last pool has messages", MESSAGES, *kept)
