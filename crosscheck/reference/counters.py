"""Pan-private counters: Q_ZSUM and the histogram on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from panshuffle.crosscheck.mass_tables import MassTable, binomial, image, normal, point, stretched
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, LABELS, NOISE, POOLS, STATE
from panshuffle.crosscheck.reference.mistakes import WORD_SIZES
from panshuffle.crosscheck.reference.model import LEAST, MOST, Bug, Fit, Laws, Reference, Setting, fixed
from panshuffle.crosscheck.reference.pools import shifted_labels
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum

MOST_OFF = 4  # elements by which the time of the state may be off
SHORT_STREAM = 40  # elements, of which all times are tried


@dataclass(frozen=True)
class Counters(Setting):
    """For each bin, the data before and after the intrusion; the coins of the noise before and after it."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    first: int
    second: int
    seen: bool
    kind: str = "coins"
    bias: int = 0
    shown: int = 0
    order: tuple[int, ...] = ()
    wraps: int = 0

    def laws(self) -> Laws:
        """(state, output - state) of each bin, or the output where no state is shown.

        `order` says whose state is shown in the place of each bin's, and `wraps` where its numbers start again at 0.
        """
        if self.seen and (self.order or self.wraps):
            order = self.order or tuple(range(len(self.before)))
            return [law for j, other in enumerate(order) for law in self.shown_as(j, other)]
        first, second = noise_of(self.kind, self.first), noise_of(self.kind, self.second).moved(self.bias)
        pairs = list(zip(self.before, self.after, strict=True))
        if self.seen:
            early = {a: first.moved(a + self.shown) for a in set(self.before)}
            late = {b: self.later(second).moved(b - self.shown) for b in set(self.after)}
            return [law for a, b in pairs for law in (early[a], late[b])]
        both = sum_of(self.kind, self.first, self.second).moved(self.bias)
        sums = {total: both.moved(total) for total in {a + b for a, b in pairs}}
        return [sums[a + b] for a, b in pairs]

    def shown_as(self, j: int, other: int) -> tuple[MassTable, MassTable]:
        """(state, output - state) of a bin where the state of another one, or a part of its number, is shown."""
        noise, second = noise_of(self.kind, self.first), noise_of(self.kind, self.second).moved(self.after[j])
        state = noise.moved(self.before[other])
        if other != j:
            return state, second.plus(noise.moved(self.before[j])).plus(state.negated())
        size = self.wraps or self.before[j] + self.first + 1
        return image(state, lambda x: x % size), second.plus(image(state, lambda x: x - x % size))

    def piled_up(self, j: int, early: bool, late: bool) -> tuple[MassTable, MassTable]:
        """(state, output - state) of a bin that has the noise of all bins before it, too."""
        first = noise_of(self.kind, self.first * (j + 1 if early else 1)).moved(self.before[j])
        return first, noise_of(self.kind, self.second * (j + 1 if late else 1)).moved(self.after[j])

    def later(self, second: MassTable) -> MassTable:
        """The noise of the output less that of the state; of another run's state where the two are mixed up."""
        if self.kind != "apart":
            return second
        first = noise_of(self.kind, self.first)
        return second.plus(first).plus(first.negated())

    def with_noise(self, lam: Real) -> Counters:
        """The same with another lam, rounded to a whole number."""
        coins = (lam + HALF).floor()
        return replace(self, first=coins, second=coins)


@lru_cache(maxsize=64)
def noise_of(kind: str, lam: int) -> MassTable:
    """One draw of noise."""
    if lam == 0:
        return point(0)
    return normal(lam / 2, lam / 4) if kind == "normal" else binomial(lam, HALF)


@lru_cache(maxsize=64)
def sum_of(kind: str, first: int, second: int) -> MassTable:
    """Both draws of noise, which are one draw twice where the coins are reused."""
    if kind == "coins":
        return binomial(first + second, HALF)
    if kind == "reused":
        return stretched(binomial(first, HALF), 2)
    return noise_of(kind, first).plus(noise_of(kind, second))


def counters(record: PanSum | PanHistogram, data: Sequence[int], t: int | None) -> Reference:
    """Q_ZSUM (one bin, of bits) and the pan-private histogram."""
    k = record.k if isinstance(record, PanHistogram) else None
    labels = range(1, (k or 1) + 1)
    time = record.length if t is None else t
    good = Counters(*counted(data, time, labels), record.lam, record.lam, t is not None)
    parts = ("state", "output - state") if t is not None else ("output",)
    names = tuple(f"bin {j}: {part}" if k else part for j in labels for part in parts)
    bugs = tuple(counter_bugs(good, data, time, labels))
    most, lam = 8 * record.lam, real(record.lam)
    knobs = [Fit("lam", lam, Fraction(1), Fraction(most), lambda lam: good.with_noise(lam).laws(), whole=True)]
    for field, words in (("first", "lam before the stream"), ("second", "lam after the stream")):
        knobs.append(good.knob(words, lam, field, 0, most, whole=True))
    return Reference(
        names,
        tuple(good.laws()),
        reader(k, t is not None),
        bugs,
        knobs=tuple(knobs),
        data_driven_mistakes=lambda _: (
            *data_driven_counter(good, time, len(data)),
            *other_streams(good, data, time, labels),
        ),
        fitted_mistakes=counter_fits(good),
    )


def counter_fits(good: Counters) -> tuple[Fit, ...]:
    """Noise that comes at another time."""

    def later(coins: Real) -> Laws:
        moved = (coins + HALF).floor()
        return replace(good, first=good.first - moved, second=good.second + moved).laws()

    words = "about {:.0f} of the coins before the stream come only after the intrusion"
    coins = Fit("chance that a coin is 1", HALF, LEAST, MOST, partial(with_coins, good))
    late = Fit(words, real(0), Fraction(0), Fraction(good.first), later, STATE, whole=True)
    return (coins, late) if good.seen else (coins,)


def with_coins(good: Counters, p: Real) -> Laws:
    """The laws where each coin is 1 with another chance."""
    first, second = binomial(good.first, p), binomial(good.second, p)
    held = list(zip(good.before, good.after, strict=True))
    if not good.seen:
        return [first.plus(second).moved(a + b) for a, b in held]
    return [law for a, b in held for law in (first.moved(a), second.moved(b))]


def other_streams(good: Counters, data: Sequence[int], t: int, labels: range) -> Iterator[Bug]:
    """States of another time, and streams that enter in another order, or of which repeated elements are dropped."""
    for time in other_times(t, len(data)) if good.seen else ():
        before, after = counted(data, time, labels)
        yield good.mutated(another_time(time, t, len(data)), STATE, before=before, after=after)
    rising, falling = sorted(data), sorted(data, reverse=True)
    for name, order in (("sorted", rising), ("sorted, the largest first", falling), ("reversed", list(data)[::-1])):
        before, after = counted(order, t, labels)
        yield good.mutated(f"the stream is {name}", DATA, before=before, after=after)
    new = [i == 0 or data[i] != data[i - 1] for i in range(len(data))]
    first = [data[i] not in data[:i] for i in range(len(data))]
    for name, kept in (("an element equal to the one before is dropped", new), ("each element counts once", first)):
        parts = [[x for x, one in zip(data[a:b], kept[a:b], strict=True) if one] for a, b in ((0, t), (t, len(data)))]
        before, after = (tuple(part.count(j) for j in labels) for part in parts)
        yield good.mutated(name, STATE, before=before, after=after)


def data_driven_counter(good: Counters, t: int, length: int) -> Iterator[Bug]:
    """Counters that are shown in another order or in too few bits, and other things that are counted."""
    bins = tuple(range(len(good.before)))
    orders = {"from the last bin to the first": bins[::-1], "one bin too early": (*bins[1:], 0)}
    orders["one bin too late"] = (bins[-1], *bins[:-1])
    for name, order in orders.items() if good.seen and len(bins) > 1 else ():
        yield good.mutated(f"the state is shown {name}", STATE, order=order)
    for bits in WORD_SIZES if good.seen else ():
        if min(good.before) < 2**bits <= max(good.before) + good.first:
            yield good.mutated(f"the state is shown modulo 2^{bits}: its numbers wrap around", STATE, wraps=2**bits)
    if len(bins) > 1 and good.seen:
        for name, early, late in (("before", True, False), ("after", False, True), ("before and after", True, True)):
            piled = [law for j in bins for law in good.piled_up(j, early, late)]
            yield fixed(f"the coins {name} the stream pile up from bin to bin", NOISE, *piled)
    for j in bins if good.seen else ():
        where = f"of bin {j + 1} " if len(bins) > 1 else ""
        for by, words in ((1, "is counted again"), (-1, "is not counted")):
            later = tuple(c + by * (i == j) for i, c in enumerate(good.after))
            yield good.mutated(f"an element {where}{words} after the intrusion", STATE, after=later)
    if min(good.first, good.second) > 0:
        more = [tuple(c + 1 for c in part) for part in (good.before, good.after)]
        coins = replace(good, before=more[0], after=more[1], first=good.first - 1, second=good.second - 1)
        yield fixed("one of the coins is always 1", NOISE, *coins.laws())
    if good.seen:
        twice, once = noise_of(good.kind, 2 * good.first), noise_of(good.kind, good.first).negated()
        last = noise_of(good.kind, good.second).plus(once)
        laws = [law for a, b in zip(good.before, good.after, strict=True) for law in (twice.moved(a), last.moved(b))]
        yield fixed("the state that is shown has noise of its own, which the output has not", STATE, *laws)
    before, after = (tuple(2 * c for c in part) for part in (good.before, good.after))
    yield good.mutated("every element is counted twice", DATA, before=before, after=after)
    if len(bins) == 1:
        rest = length - t
        yield good.mutated("the elements are counted, not the ones", DATA, before=(t,), after=(rest,))
        yield good.mutated("the zeros are counted", DATA, before=(t - good.before[0],), after=(rest - good.after[0],))


def counted(data: Sequence[int], t: int, labels: range) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How often each label is met before time t, and from then on."""
    return tuple(data[:t].count(j) for j in labels), tuple(data[t:].count(j) for j in labels)


def reader(k: int | None, seen: bool) -> Callable[[Run], tuple[int, ...]]:
    """The function that takes the coordinates out of a run."""

    def read(run: Run) -> tuple[int, ...]:
        output = numbers(run.output, k, "output")
        if not seen:
            return output
        state = numbers(run.state, k, "state")
        return tuple(value for s, o in zip(state, output, strict=True) for value in (s, o - s))

    return read


def numbers(value: object, k: int | None, what: str) -> tuple[int, ...]:
    """The whole number, or the k whole numbers, that a run shows."""
    values = [value] if k is None else value
    if isinstance(values, list) and all(whole(item) for item in values) and len(values) == (k or 1):
        return tuple(values)
    wanted = "a whole number" if k is None else f"a list of {k} whole numbers"
    raise InputError(f"the {what} {str(value)[:40]} is not {wanted}" if value is not None else f"the {what} is missing")


def counter_bugs(good: Counters, data: Sequence[int], t: int, labels: range) -> Iterator[Bug]:
    """Mistakes of the counters."""
    lam, half = good.first, good.first // 2
    yield good.mutated("no noise before the stream", NOISE, first=0)
    yield good.mutated("no noise after the stream", NOISE, second=0)
    yield good.mutated("no noise at all", NOISE, first=0, second=0)
    for other in (lam - 1, lam + 1):
        if other >= 1:
            yield good.mutated("off by one in lam", NOISE, first=other, second=other)
    yield good.mutated("half of lam", NOISE, first=half, second=lam - half)
    yield good.mutated("half of lam", NOISE, first=half, second=half)
    yield good.mutated("twice lam", NOISE, first=2 * lam, second=2 * lam)
    yield good.mutated("Gaussian in place of binomial noise", NOISE, kind="normal")
    if not good.seen:
        yield good.mutated("the noise before and after the stream is the same draw: reused coins", POOLS, kind="reused")
    yield good.mutated("the output is de-biased by lam", ANALYZER, bias=-lam)
    yield good.mutated("the output is de-biased by lam/2", ANALYZER, bias=-half)
    yield from data_bugs(good, data, t, labels)
    for (name, early), (_, late) in zip(shifted_labels(good.before), shifted_labels(good.after), strict=True):
        yield good.mutated(name, LABELS, before=early, after=late)


def other_times(t: int, length: int) -> list[int]:
    """Times at which a state may be shown in place of t, beside the next ones: all of a short stream."""
    near = range(max(0, t - MOST_OFF), min(length, t + MOST_OFF) + 1)
    times = {0, length, *(range(length + 1) if length <= SHORT_STREAM else near)} - {t - 1, t, t + 1}
    return sorted(times, key=lambda time: (abs(time - t), time))


def another_time(time: int, t: int, length: int) -> str:
    """The mistake of a state that is shown at another time, in words."""
    if abs(time - t) == 1:
        return "the state is that of another time: off by one in t"
    which = {0: "before the stream, ", length: "at the end of the stream, "}.get(time, "")
    return f"the state is that of another time: {which}t = {time}, not {t}"


def data_bugs(good: Counters, data: Sequence[int], t: int, labels: range) -> Iterator[Bug]:
    """Mistakes in how the stream enters the state."""
    for time in {t - 1, t + 1} & set(range(len(data) + 1)) if good.seen else ():
        before, after = counted(data, time, labels)
        yield good.mutated(another_time(time, t, len(data)), STATE, before=before, after=after)
    nothing = (0,) * len(good.before)
    yield good.mutated("the data is left out", DATA, before=nothing, after=nothing)
    if good.seen:
        yield good.mutated(
            "the state and the output belong to different runs, or the output is counted anew", STATE, kind="apart"
        )
        yield good.mutated("the state is de-biased by lam/2", STATE, shown=-(good.first // 2))
        yield good.mutated("the state is de-biased by lam", STATE, shown=-good.first)
        yield good.mutated("the stream after the intrusion is left out", DATA, after=nothing)
        yield good.mutated("the state does not hold the stream", DATA, before=nothing)
    for shorter, name, cut in ((data[1:], "first", t - 1), (data[:-1], "last", t - (t == len(data)))):
        before, after = counted(shorter, max(cut, 0), labels)
        yield good.mutated(f"the {name} element of the stream is left out", DATA, before=before, after=after)
