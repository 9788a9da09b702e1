"""The two transformations of shuffle protocols into online algorithms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from flint import arb, ctx

from crosscheck.mass_tables import (
    BITS,
    MassTable,
    bernoulli,
    binomial,
    image,
    listed,
    mixture,
    point,
    poisson,
    stretched,
    widened,
)
from crosscheck.reference.hashed import neighbours, sums_of, together
from crosscheck.reference.model import (
    DATA,
    LEAST,
    MOST,
    NOISE,
    STATE,
    TOLERANCE,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
    pool_laws,
)
from crosscheck.reference.parity_pools import ZERO, Shares, bit_fit, wrong_q
from crosscheck.reference.poisson_pools import noise_fit
from crosscheck.reference.pools import ones_coordinates, pool_names, sizes_and_ones
from crosscheck.reference.relabelling import exchanged_labels
from crosscheck.runs import Run, whole
from exact.errors import InputError
from exact.numbers.real import HALF, Real, exp, real
from exact.parameters import blocks
from protocols.distinct_elements import DistinctElements
from protocols.pan_distinct_elements import DUMMY, PanDistinctElements
from protocols.pan_uniformity import TWO_NINTHS, PanUniformity
from protocols.uniformity import NOT_UNIFORM, UNIFORM

MOST_GIVEN = 8  # pools whose ones are looked at given the elements still used
ANOTHER_TIME = "the state is that of another time: off by one in t"


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

        def law(odd: tuple[int, ...]) -> MassTable:
            parts = zip(members, odd, strict=True)
            tables = [
                binomial(count, 1 - chances[part[0]]).plus(binomial(len(part) - count, chances[part[0]]))
                for part, count in parts
            ]
            return reduce(MassTable.plus, tables)

        return Given("output (odd pools) given the state", lambda row: row[-1], odd_ones, law)


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
        suspects=lambda counts: stream_suspects(good, counts),
        doubts=stream_doubts(good),
    )


def stream_suspects(good: Stream, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """Labels that are mixed up, in the state or in the stream."""
    if good.seen:
        yield from shown_otherwise(counts, good.laws())
    for by, words in ((1, "large"), (-1, "small")):
        before, after = (tuple((x - 1 + by) % good.k + 1 for x in part) for part in (good.before, good.after))
        yield good.but(f"the elements of the stream are one too {words}", DATA, before=before, after=after)


def shown_otherwise(counts: Sequence[Counter[int]], laws: Laws) -> Iterator[Bug]:
    """The pools of a state that are shown with other labels."""
    for bug in exchanged_labels(counts, laws):
        yield replace(bug, name=f"in the state {bug.name}", area=STATE)


def stream_doubts(good: Stream) -> tuple[Fit, ...]:
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
    yield good.but("no dummies before the stream", STATE, dummies=(0, last))
    yield good.but("no dummies after the stream", STATE, dummies=(first, 0))
    yield good.but("no dummies", STATE, dummies=(0, 0))
    yield good.but("n dummies in place of n/3 before the stream", STATE, dummies=(n, last))
    yield good.but("n dummies in place of n/3 after the stream", STATE, dummies=(first, n))
    for extra in (-1, 1):
        for dummies in ((first + extra, last), (first, last + extra)):
            if min(dummies) >= 0:
                yield good.but("one dummy too many or too few", STATE, dummies=dummies)
    yield good.but("the dummies after the stream are in the state already", STATE, dummies=(first + last, 0))
    if good.k > 1:
        yield good.but("dummies of another element", STATE, dummy=2)
        yield good.but("dummies of another element", STATE, dummy=good.k)
    yield good.but("dummies that hold no element", STATE, dummy=0)
    for time in (t - 1, t + 1):
        if good.seen and 0 <= time <= len(stream):
            yield good.but(ANOTHER_TIME, STATE, before=stream[:time], after=stream[time:])
    for m in (good.m - 1, good.m + 1):
        if m >= 1:
            yield good.but("off by one in m", STATE, m=m)
    for name, q in wrong_q(n, len(stream), eps):
        yield good.but(f"wrong p': {name}", NOISE, q=q)
    yield good.but("the data is left out", DATA, before=(0,) * len(good.before), after=(0,) * len(good.after))
    yield good.but("holders send a sure 1 in place of a fair bit", DATA, held=real(-1))


@dataclass(frozen=True)
class TesterStream(Setting):
    """Q_P on P_UT at time t: the number of used elements is min(Bin(n, share), length)."""

    first: int
    stream: tuple[int, ...]
    t: int
    k: int
    mean: Real
    chosen: MassTable
    uniform: bool = True
    chance: Real = HALF
    alike: bool = False
    drawn_from: tuple[int, ...] = ()
    counted: int | None = None

    def laws(self) -> Laws:
        """(the noise bits, the ones) of each pool, and the elements that are still used.

        Dummies may be `alike`, or be `drawn_from` some elements; `counted` are the elements taken off those used.
        """
        users = self.first + self.t
        size, ones = poisson(users * self.mean).moved(users), poisson(users * self.mean * self.chance)
        taken = self.t if self.counted is None else self.counted
        pools = [(size, self.data(j).plus(ones)) for j in range(1, self.k + 1)]
        left = image(self.chosen, lambda used: max(0, used - taken))
        return [*pool_laws(pools), left]

    def data(self, *labels: int) -> MassTable:
        """How many of the users so far hold one of these: elements of the stream and uniform dummies."""
        parts = []
        share = real(len(labels)) / self.k if self.uniform else real(int(1 in labels))
        if self.drawn_from:
            share = real(Fraction(sum(self.drawn_from.count(j) for j in labels), len(self.drawn_from)))
        for i, weight in enumerate(self.chosen.masses, start=self.chosen.first):
            used = min(i, self.t)
            number = self.first + self.t - used
            dummies = stretched(bernoulli(share), number) if self.alike and number else binomial(number, share)
            parts.append((weight, dummies.moved(sum(self.stream[:used].count(j) for j in labels))))
        law, rest = mixture(parts), self.chosen.tail
        masses = widened(law.masses, rest)
        return replace(law, masses=masses, tail=law.tail + rest, least=0, most=self.first + self.t)

    def pair_sum(self, pair: tuple[int, int]) -> MassTable:
        """The ones of two pools together."""
        return self.data(*pair).plus(poisson((self.first + self.t) * self.mean))

    def ones_given_left(self, j: int) -> Given:
        """The ones of a pool, given how many elements are still used: where some are, all elements so far were used."""

        def law(left: tuple[int, ...]) -> MassTable:
            kept = dict(enumerate(self.chosen.masses, start=self.chosen.first))
            with ctx.workprec(BITS):
                here = {i: mass for i, mass in kept.items() if max(0, i - self.t) == left[0]}
                total = sum(here.values(), arb(0))
                if not here or not total > 0:
                    return point(0)
                table = listed({i: mass / total for i, mass in here.items()})
                chosen = replace(table, tail=(self.chosen.tail / total).upper())
            return replace(self, chosen=chosen).data(j).plus(poisson((self.first + self.t) * self.mean / 2))

        place, last = 2 * j, 2 * self.k + 1
        name = f"state, pool {j}: ones given the elements still used"
        return Given(name, lambda row: row[place], lambda row: (row[last],), law)


def pan_uniformity(record: PanUniformity, data: Sequence[int], t: int | None) -> Reference:
    """Q_P on P_UT, whose state is compared; of the output only that it is one of the two answers."""
    inner = record.protocol
    if t is None:
        raise InputError("a transformed tester is cross-checked by its state: say with --t when it was looked at")
    chosen = used(inner.n, TWO_NINTHS, len(data))
    good = TesterStream(blocks(inner.n)[0], tuple(data), t, inner.k, inner.noise_mean, chosen)
    pairs, last = neighbours(inner.k) if inner.k > 2 else [], 2 * inner.k + 1
    names = (*(f"state, {name}" for name in pool_names(inner.k)), "elements still used", *map(together, pairs))
    sums = frozenset(range(last + 1, last + 1 + len(pairs)))
    bugs = tuple(tester_bugs(good, inner.n, inner.lam))
    fit = noise_fit(inner.n, inner.lam, lambda mean: replace(good, mean=mean).laws())
    laws, pools = (*good.laws(), *map(good.pair_sum, pairs)), tester_reader(inner.k)

    def read(run: Run) -> tuple[int, ...]:
        found = pools(run)
        return *found, *sums_of(found, pairs)

    return Reference(
        names,
        laws,
        read,
        bugs,
        knobs=(fit,),
        rest=STATE,
        dependent=ones_coordinates(inner.k) | {last} | sums,
        sums=sums,
        unseen=("the output given the state (its law is not computed)",),
        given=tuple(good.ones_given_left(j) for j in range(1, min(inner.k, MOST_GIVEN) + 1)),
        suspects=lambda counts: tester_suspects(good, counts),
        doubts=tester_doubts(good, inner.n),
    )


def tester_suspects(good: TesterStream, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """Labels that are mixed up, other dummies, and elements still used that are counted otherwise."""
    yield from shown_otherwise(counts[: 2 * good.k + 1], good.laws()[: 2 * good.k + 1])
    yield good.but("the dummies are drawn from the stream", STATE, drawn_from=good.stream)
    yield good.but("all dummies are one draw", STATE, alike=True)
    for counted in {0, good.t - 1, good.t + 1} - {good.t, -1}:
        words = "never counted down" if not counted else "off by one, or shown before or after they are counted down"
        yield good.but(f"the elements still used are {words}", STATE, counted=counted)


def tester_doubts(good: TesterStream, n: int) -> tuple[Fit, ...]:
    """Another share of used elements, other noise bits, and another number of dummies."""

    def share(part: Real) -> Laws:
        return replace(good, chosen=used(n, part, len(good.stream))).laws()

    first = good.knob("number of dummies before the stream", good.first, "first", 0, 4 * good.first + 4, STATE, True)
    noise = good.knob("chance that a noise bit is 1", HALF, "chance", LEAST, MOST)
    return Fit("share of n in the law of n'", TWO_NINTHS, LEAST, MOST, share, STATE), first, noise


def used(n: int, share: Real, length: int) -> MassTable:
    """min(Bin(n, share), length)."""
    return image(binomial(n, share), lambda x: min(x, length))


def tester_reader(k: int) -> Callable[[Run], tuple[int, ...]]:
    """The pools of the state, and the elements still used."""
    pools = sizes_and_ones(k)

    def read(run: Run) -> tuple[int, ...]:
        if run.output not in (None, UNIFORM, NOT_UNIFORM):
            raise InputError(f'the output {str(run.output)[:40]} is neither "{UNIFORM}" nor "{NOT_UNIFORM}"')
        counts = pools(run_of_state(run))
        left = run.state.get("n_left") if isinstance(run.state, dict) else None
        if not whole(left):
            raise InputError('the state has no whole number "n_left"')
        return *counts, left

    return read


def tester_bugs(good: TesterStream, n: int, lam: Real) -> Iterator[Bug]:
    """Mistakes of the transformation of P_UT."""
    length = len(good.stream)
    yield good.but("no dummies before the stream", STATE, first=0)
    yield good.but("dummies of one element, not uniform ones", STATE, uniform=False)
    for share in ("1/3", "2/3", "1/9"):
        words = f"n' is drawn from Bin(n, {share}), not Bin(n, 2/9)"
        yield good.but(words, STATE, chosen=used(n, real(share), length))
    yield good.but("n' is drawn from Bin(n/3, 2/9)", STATE, chosen=used(n // 3, TWO_NINTHS, length))
    yield good.but("n' is drawn from Bin(n/3, 2/3)", STATE, chosen=used(n // 3, 3 * TWO_NINTHS, length))
    yield good.but("n' is not capped at the length of the stream", STATE, chosen=binomial(n, TWO_NINTHS))
    yield good.but("all elements of the stream are used", STATE, chosen=point(length))
    yield good.but("no element of the stream is used", STATE, chosen=point(0))
    yield good.but("n' is fixed at 2n/9", STATE, chosen=point(min(length, 2 * n // 9)))
    yield good.but("lam is not divided by n", NOISE, mean=lam)
    yield good.but("lam is divided by n/3", NOISE, mean=3 * lam / n)
    yield good.but("half as much noise", NOISE, mean=good.mean / 2)
    yield good.but("twice as much noise", NOISE, mean=2 * good.mean)
    yield good.but("no noise bits", NOISE, mean=real(0))
    for t in (good.t - 1, good.t + 1):
        if 0 <= t <= length:
            yield good.but(ANOTHER_TIME, STATE, t=t)
