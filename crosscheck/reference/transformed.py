"""The two transformations of shuffle protocols into online algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from crosscheck.reference.model import DATA, LEAST, MOST, NOISE, STATE, Fit, Laws, Reference, pool_laws, pool_names
from crosscheck.reference.parity_pools import ZERO, Shares, bug_list, wrong_q
from crosscheck.reference.poisson_pools import noise_fit
from crosscheck.runs import Run, whole
from crosscheck.tables import Table, bernoulli, binomial, image, mixture, point, poisson, widened
from exact.errors import InputError
from exact.numbers.real import Real, exp, real
from protocols.model.transformation import blocks
from protocols.pan_distinct_elements import DUMMY
from protocols.pan_uniformity import TWO_NINTHS, PanUniformity
from protocols.uniformity import NOT_UNIFORM, UNIFORM


@dataclass(frozen=True)
class Stream:
    """Q_P on P_DE: dummies before and after, the stream so far and the rest of it."""

    dummies: tuple[int, int]
    dummy: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    k: int
    m: int
    q: Real
    seen: bool
    held: Real = ZERO

    def laws(self) -> Laws:
        """The pools of the state, where it is shown, and the number of odd pools at the end."""
        counts = [self.before.count(j) + (self.dummies[0] if j == self.dummy else 0) for j in range(1, self.k + 1)]
        state = Shares(self.dummies[0] + len(self.before), tuple(counts), self.m, self.q, self.held)
        return [*(state.laws() if self.seen else ()), self.odd()]

    def odd(self) -> Table:
        """The number of odd pools at the end: each is odd with probability (1 - the product of the signs)/2."""
        users = sum(self.dummies) + len(self.before) + len(self.after)
        tables = []
        for j in range(1, self.k + 1):
            holders = self.before.count(j) + self.after.count(j) + (sum(self.dummies) if j == self.dummy else 0)
            sign = self.q ** (users - holders) * (self.held**holders if holders else 1)
            tables.append(bernoulli((1 - sign) / 2))
        return reduce(Table.plus, tables)


def pan_distinct_elements(record: Any, data: Sequence[int], t: int | None) -> Reference:
    """Q_P on P_DE."""
    inner = record.protocol
    first, _, last = blocks(inner.n)
    time = record.length if t is None else t
    q = 1 - 2 * inner.p_prime
    good = Stream((first, last), DUMMY, tuple(data[:time]), tuple(data[time:]), inner.k, inner.m, q, t is not None)
    names = pool_names(inner.k, ("messages", "ones")) if t is not None else ()
    groups = (*((0,) * len(names)), None)
    laws = tuple(good.laws())
    return Reference(
        (*(f"state, {name}" for name in names), "output (odd pools)"),
        laws,
        stream_reader(inner, t is not None),
        groups,
        bug_list(stream_bugs(good, inner.n, inner.eps, time)),
        fit=Fit("p'", inner.p_prime, LEAST / 100, MOST / 2, lambda p: replace(good, q=1 - 2 * p).laws()),
        rest=STATE,
    )


def stream_reader(inner: Any, seen: bool) -> Any:
    """(messages, ones) of the state's pools, and the number of odd pools that the output stands for."""
    inverse, share = float(exp(-inner.eps)), float(1 - exp(-inner.eps))

    def read(run: Run) -> tuple[int, ...]:
        odd = (number_of(run.output) * share + inner.k * inverse) / 2
        near = -0.5 < odd < inner.k + 0.5 and abs(odd - round(odd)) < 1e-6 * max(1.0, odd)
        last = round(odd) if near else -1
        if not seen:
            return (last,)
        pools = pools_of_state(run)
        outside = sum(sum(pool) for j, pool in pools.items() if not 1 <= j <= inner.k)
        shown = [pools.get(j, (0, 0)) for j in range(1, inner.k + 1)]
        return outside, *(value for zeros, ones in shown for value in (zeros + ones, ones)), last

    return read


def number_of(value: Any) -> float:
    """A number of the output.  *Raises* `InputError` for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise InputError(f"the output {str(value)[:40]} is not a number")


def pools_of_state(run: Run) -> dict[int, tuple[int, int]]:
    """The pools that the state holds."""
    if isinstance(run.state, dict) and isinstance(run.state.get("pools"), dict):
        return dict(run.state["pools"])
    raise InputError('the state is missing or holds no pools: {"pools": {"1": [zeros, ones]}} is needed')


def stream_bugs(good: Stream, n: int, eps: Real, t: int) -> Iterator[tuple[str, str, Stream]]:
    """Mistakes of the transformation of P_DE."""
    first, last = good.dummies
    stream = good.before + good.after
    yield "no dummies before the stream", STATE, replace(good, dummies=(0, last))
    yield "no dummies after the stream", STATE, replace(good, dummies=(first, 0))
    yield "no dummies", STATE, replace(good, dummies=(0, 0))
    yield "n dummies in place of n/3 before the stream", STATE, replace(good, dummies=(n, last))
    yield "n dummies in place of n/3 after the stream", STATE, replace(good, dummies=(first, n))
    for extra in (-1, 1):
        for dummies in ((first + extra, last), (first, last + extra)):
            if min(dummies) >= 0:
                yield "one dummy too many or too few", STATE, replace(good, dummies=dummies)
    yield "the dummies after the stream are in the state already", STATE, replace(good, dummies=(first + last, 0))
    if good.k > 1:
        yield "dummies of another element", STATE, replace(good, dummy=2)
        yield "dummies of another element", STATE, replace(good, dummy=good.k)
    yield "dummies that hold no element", STATE, replace(good, dummy=0)
    for time in (t - 1, t + 1):
        if good.seen and 0 <= time <= len(stream):
            yield (
                "the state is that of another time: off by one in t",
                STATE,
                replace(good, before=stream[:time], after=stream[time:]),
            )
    for m in (good.m - 1, good.m + 1):
        if m >= 1:
            yield "off by one in m", STATE, replace(good, m=m)
    for name, q in wrong_q(n, len(stream), eps):
        yield f"wrong p': {name}", NOISE, replace(good, q=q)
    yield "the data is left out", DATA, replace(good, before=(0,) * len(good.before), after=(0,) * len(good.after))
    yield "holders send a sure 1 in place of a fair bit", DATA, replace(good, held=real(-1))


@dataclass(frozen=True)
class TesterStream:
    """Q_P on P_UT at time t: the number of used elements is min(Bin(n, share), length)."""

    first: int
    stream: tuple[int, ...]
    t: int
    k: int
    mean: Real
    chosen: Table
    uniform: bool = True

    def laws(self) -> Laws:
        """(the noise bits, the ones) of each pool, and the elements that are still used."""
        users = self.first + self.t
        size, ones = poisson(users * self.mean).moved(users), poisson(users * self.mean / 2)
        pools = [(size, self.data(j).plus(ones)) for j in range(1, self.k + 1)]
        left = image(self.chosen, lambda used: max(0, used - self.t))
        return [*pool_laws(pools), left]

    def data(self, j: int) -> Table:
        """How many of the users so far hold j: elements of the stream and uniform dummies."""
        parts = []
        for i, weight in enumerate(self.chosen.masses, start=self.chosen.first):
            used = min(i, self.t)
            dummies = binomial(self.first + self.t - used, real(1) / self.k if self.uniform else real(int(j == 1)))
            parts.append((weight, dummies.moved(self.stream[:used].count(j))))
        law, rest = mixture(parts), self.chosen.tail
        masses = widened(law.masses, rest)
        return replace(law, masses=masses, tail=law.tail + rest, least=0, most=self.first + self.t)


def pan_uniformity(record: PanUniformity, data: Sequence[int], t: int | None) -> Reference:
    """Q_P on P_UT, whose state is compared; of the output only that it is one of the two answers."""
    inner = record.protocol
    if t is None:
        raise InputError("pan-uniformity is cross-checked by its state: say with --t when it was looked at")
    good = TesterStream(
        blocks(inner.n)[0], tuple(data), t, inner.k, inner.noise_mean, used(inner.n, TWO_NINTHS, len(data))
    )
    names = (*(f"state, {name}" for name in pool_names(inner.k, ("messages", "ones"))), "elements still used")
    groups = (0, *((0, None) * inner.k), None)
    bugs = bug_list(tester_bugs(good, inner.n, inner.lam))
    fit = noise_fit(good, inner.n, inner.lam)
    return Reference(names, tuple(good.laws()), tester_reader(inner.k), groups, bugs, fit=fit, rest=STATE)


def used(n: int, share: Real, length: int) -> Table:
    """min(Bin(n, share), length)."""
    return image(binomial(n, share), lambda x: min(x, length))


def tester_reader(k: int) -> Any:
    """The pools of the state, and the elements still used."""

    def read(run: Run) -> tuple[int, ...]:
        if run.output not in (None, UNIFORM, NOT_UNIFORM):
            raise InputError(f'the output {str(run.output)[:40]} is neither "{UNIFORM}" nor "{NOT_UNIFORM}"')
        pools = pools_of_state(run)
        left = run.state.get("n_left")
        if not whole(left):
            raise InputError('the state has no whole number "n_left"')
        outside = sum(sum(pool) for j, pool in pools.items() if not 1 <= j <= k)
        shown = [pools.get(j, (0, 0)) for j in range(1, k + 1)]
        return outside, *(value for zeros, ones in shown for value in (zeros + ones, ones)), left

    return read


def tester_bugs(good: TesterStream, n: int, lam: Real) -> Iterator[tuple[str, str, TesterStream]]:
    """Mistakes of the transformation of P_UT."""
    length = len(good.stream)
    yield "no dummies before the stream", STATE, replace(good, first=0)
    yield "dummies of one element, not uniform ones", STATE, replace(good, uniform=False)
    for name, share in (("1/3", "1/3"), ("2/3", "2/3"), ("1/9", "1/9")):
        yield (
            f"n' is drawn from Bin(n, {name}), not Bin(n, 2/9)",
            STATE,
            replace(good, chosen=used(n, real(share), length)),
        )
    yield "n' is drawn from Bin(n/3, 2/9)", STATE, replace(good, chosen=used(n // 3, TWO_NINTHS, length))
    yield "n' is drawn from Bin(n/3, 2/3)", STATE, replace(good, chosen=used(n // 3, 3 * TWO_NINTHS, length))
    yield "n' is not capped at the length of the stream", STATE, replace(good, chosen=binomial(n, TWO_NINTHS))
    yield "all elements of the stream are used", STATE, replace(good, chosen=point(length))
    yield "no element of the stream is used", STATE, replace(good, chosen=point(0))
    yield "n' is fixed at 2n/9", STATE, replace(good, chosen=point(min(length, 2 * n // 9)))
    yield "lam is not divided by n", NOISE, replace(good, mean=lam)
    yield "lam is divided by n/3", NOISE, replace(good, mean=3 * lam / n)
    yield "half as much noise", NOISE, replace(good, mean=good.mean / 2)
    yield "twice as much noise", NOISE, replace(good, mean=2 * good.mean)
    yield "no noise bits", NOISE, replace(good, mean=real(0))
    for t in (good.t - 1, good.t + 1):
        if 0 <= t <= length:
            yield "the state is that of another time: off by one in t", STATE, replace(good, t=t)
