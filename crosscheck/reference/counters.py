"""Pan-private counters: Q_ZSUM and the histogram on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import neg

from panshuffle.crosscheck.mass_tables import MassTable, binomial, image, point, stretched
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, LABELS, POOLS, STATE
from panshuffle.crosscheck.reference.model import LEAST, MOST, Bug, Fit, Laws, Reference, Setting
from panshuffle.crosscheck.reference.pools import shifted_labels
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum


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

    def laws(self) -> Laws:
        """(state, output - state) of each bin, or the output where no state is shown."""
        first, second = noise_of(self.first), noise_of(self.second).moved(self.bias)
        pairs = list(zip(self.before, self.after, strict=True))
        if self.seen:
            early = {a: first.moved(a + self.shown) for a in set(self.before)}
            late = {b: self.later(second).moved(b - self.shown) for b in set(self.after)}
            return [law for a, b in pairs for law in (early[a], late[b])]
        both = sum_of(self.kind, self.first, self.second).moved(self.bias)
        sums = {total: both.moved(total) for total in {a + b for a, b in pairs}}
        return [sums[a + b] for a, b in pairs]

    def later(self, second: MassTable) -> MassTable:
        """The noise of the output less that of the state; of another run's state where the two are mixed up."""
        if self.kind != "apart":
            return second
        first = noise_of(self.first)
        return second.plus(first).plus(image(first, neg))


@lru_cache(maxsize=64)
def noise_of(lam: int) -> MassTable:
    """One draw of noise."""
    if lam == 0:
        return point(0)
    return binomial(lam, HALF)


@lru_cache(maxsize=64)
def sum_of(kind: str, first: int, second: int) -> MassTable:
    """Both draws of noise, which are one draw twice where the coins are reused."""
    if kind == "coins":
        return binomial(first + second, HALF)
    if kind == "reused":
        return stretched(binomial(first, HALF), 2)
    return noise_of(first).plus(noise_of(second))


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

    def both(other: Real) -> Laws:
        coins = (other + HALF).floor()
        return replace(good, first=coins, second=coins).laws()

    knobs = [Fit("lam", lam, Fraction(1), Fraction(most), both, whole=True)]
    for field, words in (("first", "lam before the stream"), ("second", "lam after the stream")):
        knobs.append(good.knob(words, lam, field, 0, most, whole=True))
    return Reference(
        names,
        tuple(good.laws()),
        reader(k, t is not None),
        bugs,
        knobs=tuple(knobs),
        fits=counter_fits(good),
    )


def counter_fits(good: Counters) -> tuple[Fit, ...]:
    """Coins that are not fair, or that come at another time."""

    def coins_of(p: Real) -> Laws:
        first, second = binomial(good.first, p), binomial(good.second, p)
        held = list(zip(good.before, good.after, strict=True))
        if not good.seen:
            return [first.plus(second).moved(a + b) for a, b in held]
        return [law for a, b in held for law in (first.moved(a), second.moved(b))]

    def later(coins: Real) -> Laws:
        moved = (coins + HALF).floor()
        return replace(good, first=good.first - moved, second=good.second + moved).laws()

    words = "coins that come after the intrusion, not before the stream,"
    coins = Fit("chance that a coin is 1", HALF, LEAST, MOST, coins_of)
    late = Fit(words, real(0), Fraction(0), Fraction(good.first), later, STATE, whole=True)
    return (coins, late) if good.seen else (coins,)


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
    lam = good.first
    if not good.seen:
        yield good.mutated("the noise before and after the stream is the same draw: reused coins", POOLS, kind="reused")
    yield good.mutated("the output is de-biased by lam", ANALYZER, bias=-lam)
    yield from data_bugs(good, data, t, labels)
    for (name, early), (_, late) in zip(shifted_labels(good.before), shifted_labels(good.after), strict=True):
        yield good.mutated(name, LABELS, before=early, after=late)


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
        yield good.mutated("the state is de-biased by lam", STATE, shown=-good.first)
        yield good.mutated("the stream after the intrusion is left out", DATA, after=nothing)
        yield good.mutated("the state does not hold the stream", DATA, before=nothing)
