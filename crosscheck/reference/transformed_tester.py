"""The transformation of P_UT into an online algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx
from panshuffle.crosscheck.mass_tables import (
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
from panshuffle.crosscheck.reference.counters import another_time, other_times
from panshuffle.crosscheck.reference.hashed import neighbours, sums_of, together
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MOST,
    NOISE,
    PARAMETERS,
    STATE,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
    fixed,
    pool_laws,
)
from panshuffle.crosscheck.reference.poisson_pools import noise_fit
from panshuffle.crosscheck.reference.pools import ones_coordinates, pool_names, sizes_and_ones
from panshuffle.crosscheck.reference.tester_answer import (
    ANSWER,
    answer_alone,
    answer_given_state,
    answer_law,
    answered,
    is_quick,
)
from panshuffle.crosscheck.reference.tester_ending import Ending
from panshuffle.crosscheck.reference.transformed import run_of_state, shown_otherwise
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.pan_uniformity import TWO_NINTHS, PanUniformity

MOST_GIVEN = 8  # pools whose ones are looked at given the elements still used


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

    def without_dummies(self) -> Laws:
        """The laws where nothing is added for the elements of the stream that are not used."""
        *_, left = self.laws()
        sizes = list[tuple[arb, MassTable]]()
        pools: dict[int, list[tuple[arb, MassTable]]] = {j: [] for j in range(1, self.k + 1)}
        for i, weight in enumerate(self.chosen.masses, start=self.chosen.first):
            users = self.first + min(i, self.t)
            size, ones = poisson(users * self.mean).moved(users), poisson(users * self.mean * self.chance)
            sizes.append((weight, size))
            for j, parts in pools.items():
                held = binomial(self.first, real(Fraction(1, self.k))).moved(self.stream[: min(i, self.t)].count(j))
                parts.append((weight, held.plus(ones)))
        return [*pool_laws([(mixture(sizes), mixture(parts)) for parts in pools.values()]), left]

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
    """Q_P on P_UT: its state, and its answer, alone and given the state, where its law does not take too long."""
    inner = record.protocol
    first, _, last = blocks(inner.n)
    chosen = used(inner.n, TWO_NINTHS, len(data))
    whole_stream = Ending(inner.n, inner.k, inner.m, inner.tau, inner.noise_mean, tuple(data), first + last)
    if t is None:
        return answer_alone(whole_stream, chosen, inner.lam)
    good = TesterStream(first, tuple(data), t, inner.k, inner.noise_mean, chosen)
    pairs, left = neighbours(inner.k) if inner.k > 2 else [], 2 * inner.k + 1
    bugs = tuple(tester_bugs(good, inner.n, inner.lam))
    fit = noise_fit(inner.n, inner.lam, lambda mean: replace(good, mean=mean).laws())
    answers = [answer_law(whole_stream, chosen)] if is_quick(whole_stream, len(chosen.masses)) else []
    names = (*(f"state, {name}" for name in pool_names(inner.k)), "elements still used", *[ANSWER] * len(answers))
    sums = frozenset(range(len(names), len(names) + len(pairs)))
    pools = tester_reader(inner.k)

    def read(run: Run) -> tuple[int, ...]:
        found = pools(run)
        return *found, *[answered(run)] * len(answers), *sums_of(found, pairs)

    ending = replace(whole_stream, stream=tuple(data[t:]), last=last)
    given = [good.ones_given_left(j) for j in range(1, min(inner.k, MOST_GIVEN) + 1)]
    return Reference(
        (*names, *map(together, pairs)),
        (*good.laws(), *answers, *map(good.pair_sum, pairs)),
        read,
        bugs,
        knobs=(fit,),
        rest=STATE,
        dependent=ones_coordinates(inner.k) | set(range(left, len(names))) | sums,
        sums=sums,
        answer=left + 1 if answers else None,
        unseen=() if answers else ("the output (its law takes too long to compute)",),
        given=(*given, *([answer_given_state(ending)] if answers else ())),
        suspects=lambda counts: tester_suspects(good, counts),
        doubts=tester_doubts(good, inner.n),
    )


def tester_suspects(good: TesterStream, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """Labels that are mixed up, other dummies, and elements still used that are counted otherwise."""
    yield from shown_otherwise(counts[: 2 * good.k + 1], good.laws()[: 2 * good.k + 1])
    for t in other_times(good.t, len(good.stream)):
        yield good.but(another_time(t, good.t, len(good.stream)), STATE, t=t)
    yield good.but("the dummies are drawn from the stream", STATE, drawn_from=good.stream)
    yield good.but("all dummies are one draw", STATE, alike=True)
    yield fixed("no dummy takes the place of an element that is not used", STATE, *good.without_dummies())
    yield good.but("one element too few is used: n' - 1", STATE, chosen=image(good.chosen, lambda x: max(0, x - 1)))
    for counted in {0, good.t - 1, good.t + 1} - {good.t, -1}:
        words = "never counted down" if not counted else "off by one, or shown before or after they are counted down"
        yield good.but(f"the elements still used are {words}", STATE, counted=counted)


def tester_doubts(good: TesterStream, n: int) -> tuple[Fit, ...]:
    """Another share of used elements, other noise bits, and another number of dummies."""

    def share(part: Real) -> Laws:
        return replace(good, chosen=used(n, part, len(good.stream))).laws()

    first = good.knob("number of dummies before the stream", good.first, "first", 0, 4 * good.first + 4, STATE, True)
    noise = good.knob("chance that a noise bit is 1", HALF, "chance", LEAST, MOST)
    return Fit("share of n in the law of n'", TWO_NINTHS, LEAST, MOST, share, PARAMETERS), first, noise


def used(n: int, share: Real, length: int) -> MassTable:
    """min(Bin(n, share), length)."""
    return image(binomial(n, share), lambda x: min(x, length))


def tester_reader(k: int) -> Callable[[Run], tuple[int, ...]]:
    """The pools of the state, and the elements still used."""
    pools = sizes_and_ones(k)

    def read(run: Run) -> tuple[int, ...]:
        answered(run)
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
        yield good.but(words, PARAMETERS, chosen=used(n, real(share), length))
    yield good.but("n' is drawn from Bin(n/3, 2/9)", PARAMETERS, chosen=used(n // 3, TWO_NINTHS, length))
    yield good.but("n' is drawn from Bin(n/3, 2/3)", PARAMETERS, chosen=used(n // 3, 3 * TWO_NINTHS, length))
    yield good.but("n' is not capped at the length of the stream", STATE, chosen=binomial(n, TWO_NINTHS))
    yield good.but("all elements of the stream are used", STATE, chosen=point(length))
    yield good.but("no element of the stream is used", STATE, chosen=point(0))
    yield good.but("n' is fixed at 2n/9", STATE, chosen=point(min(length, 2 * n // 9)))
    yield good.but("lam is not divided by n", NOISE, mean=lam)
    yield good.but("lam is divided by n/3", NOISE, mean=3 * lam / n)
    yield good.but("half as much noise", NOISE, mean=good.mean / 2)
    yield good.but("twice as much noise", NOISE, mean=2 * good.mean)
    yield good.but("no noise bits", NOISE, mean=real(0))
    for t in {good.t - 1, good.t + 1} & set(range(length + 1)):
        yield good.but(another_time(t, good.t, length), STATE, t=t)
