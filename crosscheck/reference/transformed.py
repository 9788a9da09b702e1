"""The transformation of P_DE into an online algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, binomial, mixture
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, NOISE, STATE
from panshuffle.crosscheck.reference.counters import another_time, other_times
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MOST,
    TOLERANCE,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
    fixed,
    pool_laws,
)
from panshuffle.crosscheck.reference.parity_pools import ZERO, Shares, bit_fit, wrong_q
from panshuffle.crosscheck.reference.pools import exchanged_labels, pool_names, sizes_and_ones
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
    free: Real = HALF

    def laws(self) -> Laws:
        """The pools of the state, where it is shown, and the number of odd pools at the end."""
        counts = [self.before.count(j) + (self.dummies[0] if j == self.dummy else 0) for j in range(1, self.k + 1)]
        state = Shares(self.dummies[0] + len(self.before), tuple(counts), self.m, self.q, self.held, free=self.free)
        return [*(state.laws() if self.seen else ()), self.odd()]

    def with_any_dummies(self) -> Laws:
        """The laws where each dummy holds a uniform element; the odd pools as if they were independent."""
        (first, last), share = self.dummies, real(Fraction(1, self.k))
        sign = self.q * (1 - share) + self.held * share
        stream, pools, odd = self.before + self.after, list[tuple[MassTable, MassTable]](), list[MassTable]()
        users = first + len(self.before)
        weights = binomial(first, share).masses
        for j in range(1, self.k + 1):
            counts = [self.before.count(j) + more for more in range(len(weights))]
            kinds = [Shares(users, (c,), self.m, self.q, self.held, free=self.free).laws() for c in counts]
            ones = mixture([(weight, laws[2]) for weight, laws in zip(weights, kinds, strict=True)])
            pools.append((kinds[0][1], ones))
            held = stream.count(j)
            signs = sign ** (first + last) * self.q ** (len(stream) - held) * (self.held**held if held else 1)
            odd.append(bernoulli((1 - signs) / 2))
        return [*(pool_laws(pools) if self.seen else ()), reduce(MassTable.plus, odd)]

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
        wrong = list[tuple[str, str, Callable[[tuple[int, ...]], MassTable]]]()
        for words, other in self.other_ends():
            parts = [(len(part), mean_chance([other[j] for j in part])) for part in members]
            wrong.append((words, STATE, partial(odd_at_the_end, parts)))
        total = self.odd()
        unlike = ("the output does not go with the state", STATE, lambda odd: total)
        name = "output (odd pools) given the state"
        return Given(name, lambda row: row[-1], odd_ones, right, mistakes=(*wrong, unlike), quick=True)

    def other_ends(self) -> Iterator[tuple[str, list[Real]]]:
        """What goes wrong after the state was seen: in words, and the chances that pools turn from even to odd."""
        last = self.dummies[1]
        yield "what is held is analyzed as it is: neither stream nor dummies follow", self.odd_chances((), 0)
        yield "no dummies after the stream", self.odd_chances(self.after, 0)
        yield "twice as many dummies after the stream", self.odd_chances(self.after, 2 * last)
        if self.k > 1:
            yield "dummies of another element follow", replace(self, dummy=2).odd_chances(self.after, last)
        yield "dummies that hold no element follow", replace(self, dummy=0).odd_chances(self.after, last)
        if self.after:
            yield "the rest of the stream is left out", self.odd_chances((), last)


def mean_chance(chances: Sequence[Real]) -> Real:
    """Their mean."""
    return sum(chances, ZERO) / len(chances)


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
        tuple(stream_bugs(good, inner.n, inner.eps, time)),
        knobs=(bit_fit(inner, lambda q: replace(good, q=q).laws()),),
        rest=STATE,
        dependent=frozenset({len(names)}),
        given=(good.output_given_state(),) if t is not None else (),
        data_driven_mistakes=lambda counts: data_driven_stream(good, counts),
        fitted_mistakes=stream_fits(good),
    )


def data_driven_stream(good: Stream, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """Labels that are mixed up, in the state or in the stream."""
    if good.seen:
        yield from shown_otherwise(counts, good.laws())
    yield fixed("the dummies are uniform elements, not the element 1", STATE, *good.with_any_dummies())
    yield from dropped(good)
    *state, odd = good.laws()
    yield fixed("the even pools are counted, not the odd ones", ANALYZER, *state, odd.negated().moved(good.k))
    for by, words in ((1, "large"), (-1, "small")):
        before, after = (tuple((x - 1 + by) % good.k + 1 for x in part) for part in (good.before, good.after))
        yield good.mutated(f"the elements of the stream are one too {words}", DATA, before=before, after=after)


def dropped(good: Stream) -> Iterator[Bug]:
    """States of another time, and streams of which elements are left out."""
    stream, t = good.before + good.after, len(good.before)
    for time in other_times(t, len(stream)) if good.seen else ():
        yield good.mutated(another_time(time, t, len(stream)), STATE, before=stream[:time], after=stream[time:])
    kept = {
        "an element that was met before is left out": [x not in stream[:i] for i, x in enumerate(stream)],
        "an element equal to the one before is left out": [i == 0 or stream[i - 1] != x for i, x in enumerate(stream)],
        "the first element of the stream is left out": [i > 0 for i in range(len(stream))],
        "the last element of the stream is left out": [i < len(stream) - 1 for i in range(len(stream))],
        "the last element before the intrusion is left out": [i != t - 1 for i in range(len(stream))],
        "the stream after the intrusion is left out": [i < t for i in range(len(stream))],
        "the state does not hold the stream": [i >= t for i in range(len(stream))],
    }
    for words, kept_here in kept.items():
        if not all(kept_here):
            pairs = list(zip(stream, kept_here, strict=True))
            before, after = (tuple(x for x, one in part if one) for part in (pairs[:t], pairs[t:]))
            yield good.mutated(words, STATE, before=before, after=after)


def shown_otherwise(counts: Sequence[Counter[int]], laws: Laws) -> Iterator[Bug]:
    """The pools of a state that are shown with other labels."""
    for bug in exchanged_labels(counts, laws):
        yield replace(bug, name=f"in the state {bug.name}", area=STATE)


def stream_fits(good: Stream) -> tuple[Fit, ...]:
    """Other numbers of dummies, and shares and bits that are drawn with another chance."""
    (first, last), most = good.dummies, 4 * max(good.dummies) + 4

    def dummies(before: Real, after: Real) -> Laws:
        return replace(good, dummies=((before + HALF).floor(), (after + HALF).floor())).laws()

    def held(chance: Real) -> Laws:
        return replace(good, held=1 - 2 * chance).laws()

    free = (good.knob("chance that a free share is 1", HALF, "free", LEAST, MOST),) if good.seen and good.m > 1 else ()
    words = "number of dummies {} the stream".format
    return (
        *free,
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


def stream_bugs(good: Stream, n: int, eps: Real, t: int) -> Iterator[Bug]:
    """Mistakes of the transformation of P_DE."""
    first, last = good.dummies
    stream = good.before + good.after
    yield good.mutated("no dummies before the stream", STATE, dummies=(0, last))
    yield good.mutated("no dummies after the stream", STATE, dummies=(first, 0))
    yield good.mutated("no dummies", STATE, dummies=(0, 0))
    yield good.mutated("n dummies in place of n/3 before the stream", STATE, dummies=(n, last))
    yield good.mutated("n dummies in place of n/3 after the stream", STATE, dummies=(first, n))
    for extra in (-1, 1):
        for dummies in ((first + extra, last), (first, last + extra)):
            if min(dummies) >= 0:
                yield good.mutated("one dummy too many or too few", STATE, dummies=dummies)
    yield good.mutated("the dummies after the stream are in the state already", STATE, dummies=(first + last, 0))
    if good.k > 1:
        yield good.mutated("dummies of another element", STATE, dummy=2)
        yield good.mutated("dummies of another element", STATE, dummy=good.k)
    yield good.mutated("dummies that hold no element", STATE, dummy=0)
    for time in {t - 1, t + 1} & set(range(len(stream) + 1)) if good.seen else ():
        yield good.mutated(another_time(time, t, len(stream)), STATE, before=stream[:time], after=stream[time:])
    for m in (good.m - 1, good.m + 1):
        if m >= 1:
            yield good.mutated("off by one in m", STATE, m=m)
    for name, q in wrong_q(n, len(stream), eps):
        yield good.mutated(f"wrong p': {name}", NOISE, q=q)
    yield good.mutated("the data is left out", DATA, before=(0,) * len(good.before), after=(0,) * len(good.after))
    yield good.mutated("holders send a sure 1 in place of a fair bit", DATA, held=real(-1))
