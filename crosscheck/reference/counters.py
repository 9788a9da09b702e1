"""Pan-private counters: Q_ZSUM and the histogram on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from crosscheck.reference.model import DATA, LABELS, NOISE, STATE, Fit, Laws, Reference, shifted_labels
from crosscheck.reference.parity_pools import bug_list
from crosscheck.runs import Run, whole
from crosscheck.tables import Table, binomial, normal, point
from exact.errors import InputError
from exact.numbers.real import HALF, Real, real


@dataclass(frozen=True)
class Counters:
    """For each bin, the data before and after the intrusion; the noise before and after it."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    first: int
    second: int
    seen: bool
    kind: str = "binomial"
    bias: int = 0

    def laws(self) -> Laws:
        """(state, output - state) of each bin, or the output where no state is shown."""
        first, second = noise_of(self.kind, self.first), noise_of(self.kind, self.second).moved(self.bias)
        pairs = list(zip(self.before, self.after, strict=True))
        if self.seen:
            early = {a: first.moved(a) for a in set(self.before)}
            late = {b: second.moved(b) for b in set(self.after)}
            return [law for a, b in pairs for law in (early[a], late[b])]
        both = sum_of(self.kind, self.first, self.second).moved(self.bias)
        sums = {total: both.moved(total) for total in {a + b for a, b in pairs}}
        return [sums[a + b] for a, b in pairs]


@lru_cache(maxsize=64)
def noise_of(kind: str, lam: int) -> Table:
    """One draw of noise."""
    if lam == 0:
        return point(0)
    return normal(lam / 2, lam / 4) if kind == "normal" else binomial(lam, HALF)


@lru_cache(maxsize=64)
def sum_of(kind: str, first: int, second: int) -> Table:
    """Both draws of noise."""
    if kind == "binomial":
        return binomial(first + second, HALF)
    return noise_of(kind, first).plus(noise_of(kind, second)) if kind != "reused" else doubled(first)


def doubled(lam: int) -> Table:
    """The same noise twice."""
    from crosscheck.reference.parity_pools import stretched

    return stretched(binomial(lam, HALF), 2)


def counters(record: Any, data: Sequence[int], t: int | None) -> Reference:
    """Q_ZSUM (one bin, of bits) and the pan-private histogram."""
    k = getattr(record, "k", None)
    labels = range(1, k + 1) if k else (1,)
    time = record.length if t is None else t
    before = tuple(data[:time].count(j) for j in labels)
    after = tuple(data[time:].count(j) for j in labels)
    good = Counters(before, after, record.lam, record.lam, t is not None)
    parts = ("state", "output - state") if t is not None else ("output",)
    bins = [f"bin {j}: " if k else "" for j in labels]
    names = tuple(f"{bin_}{part}" for bin_ in bins for part in parts)
    laws = tuple(good.laws())
    bugs = bug_list(counter_bugs(good, data, time, tuple(labels)))
    fit = Fit("lam", real(record.lam), Fraction(1), Fraction(8 * record.lam), lambda lam: with_noise(good, lam).laws())
    return Reference(names, laws, reader(k, t is not None), (0,) * len(laws), bugs, fit=fit)


def with_noise(good: Counters, lam: Real) -> Counters:
    """The same with another lam, rounded to a whole number."""
    coins = (lam + HALF).floor()
    return replace(good, first=coins, second=coins)


def reader(k: int | None, seen: bool) -> Any:
    """The function that takes the coordinates out of a run."""

    def read(run: Run) -> tuple[int, ...]:
        output = numbers(run.output, k, "output")
        if not seen:
            return output
        state = numbers(run.state, k, "state")
        return tuple(value for s, o in zip(state, output, strict=True) for value in (s, o - s))

    return read


def numbers(value: Any, k: int | None, what: str) -> tuple[int, ...]:
    """The whole number, or the k whole numbers, that a run shows."""
    values = [value] if k is None else value
    if isinstance(values, list) and all(whole(item) for item in values) and len(values) == (k or 1):
        return tuple(values)
    wanted = "a whole number" if k is None else f"a list of {k} whole numbers"
    raise InputError(f"the {what} {str(value)[:40]} is not {wanted}" if value is not None else f"the {what} is missing")


def counter_bugs(
    good: Counters, data: Sequence[int], t: int, labels: tuple[int, ...]
) -> Iterator[tuple[str, str, Counters]]:
    """Mistakes of the counters."""
    lam = good.first
    yield "no noise before the stream", NOISE, replace(good, first=0)
    yield "no noise after the stream", NOISE, replace(good, second=0)
    yield "no noise at all", NOISE, replace(good, first=0, second=0)
    for other in (lam - 1, lam + 1):
        if other >= 1:
            yield "off by one in lam", NOISE, replace(good, first=other, second=other)
    yield "half of lam", NOISE, replace(good, first=lam // 2, second=lam - lam // 2)
    yield "half of lam", NOISE, replace(good, first=lam // 2, second=lam // 2)
    yield "twice lam", NOISE, replace(good, first=2 * lam, second=2 * lam)
    yield "Gaussian in place of binomial noise", NOISE, replace(good, kind="normal")
    if not good.seen:
        yield (
            "the noise before and after the stream is the same draw: reused coins",
            NOISE,
            replace(good, kind="reused"),
        )
    yield "the output is de-biased by lam", NOISE, replace(good, bias=-lam)
    yield "the output is de-biased by lam/2", NOISE, replace(good, bias=-(lam // 2))
    for time in (t - 1, t + 1):
        if good.seen and 0 <= time <= len(data):
            before, after = (tuple(part.count(j) for j in labels) for part in (data[:time], data[time:]))
            yield "the state is that of another time: off by one in t", STATE, replace(good, before=before, after=after)
    nothing = (0,) * len(good.before)
    yield "the data is left out", DATA, replace(good, before=nothing, after=nothing)
    if good.seen:
        yield "the stream after the intrusion is left out", DATA, replace(good, after=nothing)
        yield "the state does not hold the stream", DATA, replace(good, before=nothing)
    for index, name in ((0, "first"), (-1, "last")):
        shorter = list(data)
        del shorter[index]
        cut = t - 1 if index == 0 or t == len(data) else t
        before, after = (
            tuple(part.count(j) for j in labels) for part in (shorter[: max(cut, 0)], shorter[max(cut, 0) :])
        )
        yield f"the {name} element of the stream is left out", DATA, replace(good, before=before, after=after)
    for (name, early), (_, late) in zip(shifted_labels(good.before), shifted_labels(good.after), strict=True):
        yield name, LABELS, replace(good, before=tuple(early), after=tuple(late))
