"""The transformation of P_DE into an online algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, binomial
from panshuffle.crosscheck.reference.areas import DATA, STATE
from panshuffle.crosscheck.reference.counters import another_time
from panshuffle.crosscheck.reference.model import (
    TOLERANCE,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
)
from panshuffle.crosscheck.reference.parity_pools import ZERO, Shares, bit_fit
from panshuffle.crosscheck.reference.pools import pool_names, sizes_and_ones
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.pan_distinct_elements import DUMMY, PanDistinctElements


@dataclass(frozen=True)
class Stream(Setting):
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

    def odd(self) -> MassTable:
        """The number of odd pools at the end: each is odd with probability (1 - the product of the signs)/2."""
        chances = self.odd_chances(self.before + self.after, sum(self.dummies))
        return reduce(MassTable.plus, map(bernoulli, chances))

    def odd_chances(self, stream: tuple[int, ...], dummies: int) -> list[Real]:
        """The chance, for each pool, that these users' bits add up to an odd number."""
        users, chances = dummies + len(stream), []
        for j in range(1, self.k + 1):
            holders = stream.count(j) + (dummies if j == self.dummy else 0)
            sign = self.q ** (users - holders) * (self.held**holders if holders else 1)
            chances.append((1 - sign) / 2)
        return chances

    def output_given_state(self) -> Given:
        """The number of odd pools at the end, given how many of the state are odd among those with equal chances."""
        chances = self.odd_chances(self.after, self.dummies[1])
        kinds = list(dict.fromkeys(str(p) for p in chances))
        members = [[j for j, p in enumerate(chances) if str(p) == kind] for kind in kinds]

        def odd_ones(row: Sequence[int]) -> tuple[int, ...]:
            return tuple(sum(row[2 + 2 * j] % 2 for j in part) for part in members)

        right = partial(odd_at_the_end, [(len(part), chances[part[0]]) for part in members])
        return Given("output (odd pools) given the state", lambda row: row[-1], odd_ones, right)


def odd_at_the_end(parts: Sequence[tuple[int, Real]], odd: tuple[int, ...]) -> MassTable:
    """The odd pools, of so many with each chance to change, where so many were odd before."""
    tables = [
        binomial(before, 1 - chance).plus(binomial(size - before, chance))
        for (size, chance), before in zip(parts, odd, strict=True)
    ]
    return reduce(MassTable.plus, tables)


def pan_distinct_elements(record: PanDistinctElements, data: Sequence[int], t: int | None) -> Reference:
    """Q_P on P_DE."""
    inner = record.protocol
    if not isinstance(inner, DistinctElements):
        raise InputError("no reference is known for the transformation of this protocol")
    first, _, last = blocks(inner.n)
    time = record.length if t is None else t
    q = 1 - 2 * inner.p_prime
    good = Stream((first, last), DUMMY, tuple(data[:time]), tuple(data[time:]), inner.k, inner.m, q, t is not None)
    names = pool_names(inner.k) if t is not None else ()
    return Reference(
        (*(f"state, {name}" for name in names), "output (odd pools)"),
        tuple(good.laws()),
        stream_reader(inner, t is not None),
        tuple(stream_bugs(good, time)),
        knobs=(bit_fit(inner, lambda q: replace(good, q=q).laws()),),
        rest=STATE,
        dependent=frozenset({len(names)}),
        given=(good.output_given_state(),) if t is not None else (),
        fits=stream_fits(good),
    )


def stream_fits(good: Stream) -> tuple[Fit, ...]:
    """Other numbers of dummies, and shares and bits that are drawn with another chance."""
    (first, last), most = good.dummies, 4 * max(good.dummies) + 4

    def dummies(before: Real, after: Real) -> Laws:
        return replace(good, dummies=((before + HALF).floor(), (after + HALF).floor())).laws()

    def held(chance: Real) -> Laws:
        return replace(good, held=1 - 2 * chance).laws()

    words = "number of dummies {} the stream".format
    return (
        Fit(words("before"), real(first), Fraction(0), Fraction(most), lambda x: dummies(x, real(last)), STATE, True),
        Fit(words("after"), real(last), Fraction(0), Fraction(most), lambda x: dummies(real(first), x), STATE, True),
        Fit("chance that the bit of a user who holds the element is 1", HALF, Fraction(0), Fraction(1), held, DATA),
    )


def stream_reader(inner: DistinctElements, seen: bool) -> Callable[[Run], tuple[int, ...]]:
    """(messages, ones) of the state's pools, and the number of odd pools that the output stands for."""
    inverse, share = float(exp(-inner.eps)), float(1 - exp(-inner.eps))
    pools = sizes_and_ones(inner.k)

    def read(run: Run) -> tuple[int, ...]:
        odd = (number_of(run.output) * share + inner.k * inverse) / 2
        near = -0.5 < odd < inner.k + 0.5 and abs(odd - round(odd)) < TOLERANCE * max(1.0, inner.k)
        last = round(odd) if near else -1
        return (*pools(run_of_state(run)), last) if seen else (last,)

    return read


def number_of(value: object) -> float:
    """A number of the output.  *Raises* `InputError` for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise InputError(f"the output {str(value)[:40]} is not a number")


def run_of_state(run: Run) -> Run:
    """The pools that the state holds, as those of a run."""
    if isinstance(run.state, dict) and isinstance(run.state.get("pools"), dict):
        return Run(pools=run.state["pools"])
    raise InputError('the state is missing or holds no pools: {"pools": {"1": [zeros, ones]}} is needed')


def stream_bugs(good: Stream, t: int) -> Iterator[Bug]:
    """Mistakes of the transformation of P_DE."""
    first, last = good.dummies
    stream = good.before + good.after
    yield good.mutated("the dummies after the stream are in the state already", STATE, dummies=(first + last, 0))
    if good.k > 1:
        yield good.mutated("dummies of another element", STATE, dummy=2)
        yield good.mutated("dummies of another element", STATE, dummy=good.k)
    yield good.mutated("dummies that hold no element", STATE, dummy=0)
    for time in {t - 1, t + 1} & set(range(len(stream) + 1)) if good.seen else ():
        yield good.mutated(another_time(time, t, len(stream)), STATE, before=stream[:time], after=stream[time:])
    yield good.mutated("the data is left out", DATA, before=(0,) * len(good.before), after=(0,) * len(good.after))
