"""The transformation of P_UT into an online algorithm: its state, and the exact law of its answer given that.

The rest of the stream and the dummies after it, R executions of R_UT, turn the doubled count ones - zeros of a pool
into itself + n - R + 2h + S, where h of the R hold its element and S is the difference of two Pois(R lam/(2n)).  Of
these h some are elements of the stream, which are known, and some a multinomial share of the dummies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import factorial

from flint import arb, ctx, fmpz_poly
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
from panshuffle.crosscheck.reference.areas import ANALYZER, NOISE, PARAMETERS, STATE
from panshuffle.crosscheck.reference.counters import another_time, other_times
from panshuffle.crosscheck.reference.hashed import neighbours, sums_of, together
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MISSING,
    MOST,
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
from panshuffle.crosscheck.reference.transformed import run_of_state, shown_otherwise
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.accuracy.uniformity import Statistic
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.integer_law import poisson_floor
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import HALF, Real, real, span
from panshuffle.protocols.pan_uniformity import TWO_NINTHS, PanUniformity
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM

FINE, COARSE = 44, 20
"""Bits of a mass.  What is left out is counted as unknown: too little to be seen, or for mistakes, some 1e-5."""
MUCH = 8  # times the work of the right law
SCALES = ("1/4", "1/2", "2", "4")

Key = tuple[int, ...]  # the doubled counts of all pools, and the number of elements that are still used


@dataclass(frozen=True)
class Ending:
    """What follows the intrusion, and the analyzer, which takes the number of executions to be `n`.

    `kept` says how the elements still used are counted on, `element` is what dummies hold where they are not uniform.
    """

    n: int
    k: int
    m: Real
    tau: Real
    mean: Real
    stream: tuple[int, ...]
    last: int
    kept: str = "first"
    element: int | None = None
    exchanged: bool = False
    bits: int = FINE

    @cached_property
    def statistic(self) -> Statistic:
        """The lattice of the statistic."""
        return Statistic(self.m, self.mean * self.n, ((Fraction(1, self.k), self.k),))

    @cached_property
    def room(self) -> int:
        """By how much the terms of all pools may exceed their lowest value without "not uniform"."""
        return self.statistic.least_rejected(self.tau) - self.k * lowest_of(self.statistic)

    @property
    def executions(self) -> int:
        """Of the randomizer, from the intrusion on."""
        return len(self.stream) + self.last

    def work(self) -> int | None:
        """About how many masses are multiplied for one law; no lattice holds the statistic of an irrational m."""
        return self.k**2 * max(1, self.room) * (self.executions + 1) if self.m.fraction is not None else None

    def chance(self, key: Key) -> arb:
        """P["not uniform" | state], enclosed."""
        *doubled, left = key
        used = {"first": self.stream[:left], "all": self.stream, "none": ()}[self.kept]
        dummies = self.executions - len(used)
        held = [used.count(j) for j in range(1, self.k + 1)]
        if self.element is not None:
            held[self.element - 1] += dummies
            dummies = 0
        starts = [w + self.n - self.executions + 2 * h for w, h in zip(doubled, held, strict=True)]
        low, high = self.accepted(starts, dummies)
        return span(low, high, BITS) if self.exchanged else span(1 - high, 1 - low, BITS)

    def accepted(self, starts: Sequence[int], dummies: int) -> tuple[Fraction, Fraction]:
        """Between what the chance lies that all terms, less the lowest each, add up to less than `room`.

        A term that exceeds it alone is left out.  The polynomials are in x, whose power counts dummies, and z, for the
        terms: x is z^width.
        """
        if self.room <= 0:
            return Fraction(0), Fraction(0)
        width, mean = (self.k - 1) * (self.room - 1) + 1, self.executions * self.mean / 2
        *pools, last = (
            pool_of(self.statistic, mean, self.room, width, dummies, self.k, self.bits, start) for start in starts
        )
        product, totals = fmpz_poly([1]), last.totals
        for pool in pools:
            product, totals = product.mul_low(pool.masses, width * (dummies + 1)), totals * pool.totals
        masses = product.coeffs()
        inside = sum(
            mass * last.up_to[dummies - c][self.room - 1 - place]
            for c in range(dummies + 1)
            for place, mass in enumerate(masses[c * width : c * width + self.room])
        )
        unit = Fraction(factorial(dummies), (self.k * rate(dummies, self.k)) ** dummies * 2 ** (self.bits * self.k))
        low = int(inside) * unit
        return low, min(Fraction(1), low + 1 - int(totals[dummies]) * unit)

    def law(self, key: Key) -> MassTable:
        """The law of the answer, 1 for "not uniform"."""
        p = self.chance(key)
        with ctx.workprec(BITS):
            return MassTable(0, (1 - p, p), arb(0), 0, 1)

    def mistakes(self) -> Iterator[tuple[str, str, Ending]]:
        """What goes wrong from the intrusion on, or in the analyzer: in words, the area, and the ending, coarsely.

        Those whose laws take much longer than the right one are left out.
        """
        coarse, most = replace(self, bits=COARSE), MUCH * (self.work() or 0)
        yield from (one for one in coarse.wrong_ends() if (one[2].work() or 0) <= most)

    def wrong_ends(self) -> Iterator[tuple[str, str, Ending]]:
        """The same, as finely as this one."""
        yield "the two answers are exchanged", ANALYZER, replace(self, exchanged=True)
        yield (
            "what is held is analyzed as it is: neither stream nor dummies follow",
            STATE,
            replace(self, stream=(), last=0),
        )
        yield "no dummies after the stream", STATE, replace(self, last=0)
        yield "n dummies after the stream", STATE, replace(self, last=self.n)
        yield "twice as many dummies after the stream", STATE, replace(self, last=2 * self.last)
        yield "the dummies that follow hold one element, not uniform ones", STATE, replace(self, element=1)
        if self.stream:
            yield "the rest of the stream is left out", STATE, replace(self, stream=())
            yield "all other elements of the stream are used", STATE, replace(self, kept="all")
            yield "no other element of the stream is used", STATE, replace(self, kept="none")
        yield "no noise is added to the rest of the stream and the dummies", NOISE, replace(self, mean=real(0))
        yield "n is not taken off the sizes of the pools", ANALYZER, replace(self, n=0)
        factor = self.k / self.m
        yield "the statistic lacks its factor k/m", ANALYZER, replace(self, tau=self.tau * factor)
        yield "the statistic has its factor k/m twice", ANALYZER, replace(self, tau=self.tau / factor)
        for scale in map(real, SCALES):
            yield f"tau is {float(scale):g} times as large", ANALYZER, replace(self, tau=self.tau * scale)
        yield "tau is 0, or negated", ANALYZER, replace(self, tau=real(0))


@dataclass(frozen=True)
class Pool:
    """One pool with 0, 1, ... dummies: the masses of its term below the bound, added up or not, and their totals."""

    masses: fmpz_poly
    up_to: tuple[tuple[int, ...], ...]
    totals: fmpz_poly


@lru_cache(maxsize=16)
def difference(mean: Real, bits: int) -> tuple[tuple[int, int], ...]:
    """The difference of two Poisson draws: values and masses, rounded down, in units of 2^-bits."""
    draws = poisson_floor(mean, 2 * bits)
    law = draws.plus(draws.image(lambda x: -x))
    return tuple((x, int(mass) >> bits) for x, mass in law.items() if int(mass) >> bits)


@lru_cache(maxsize=4096)
def pool_of(of: Statistic, mean: Real, room: int, width: int, dummies: int, k: int, bits: int, start: int) -> Pool:
    """The pool whose doubled count, but for dummies and noise, is `start`; c dummies have weight r^c/c!."""
    index, lowest, noise = of.index_function(), lowest_of(of), difference(mean, bits)
    rows, totals = list[list[int]](), list[int]()
    for c in range(dummies + 1):
        weight, row = int(Fraction(rate(dummies, k) ** c, factorial(c)) * 2**bits), [0] * room
        parts = [(index(start + 2 * c + x) - lowest, weight * mass >> bits) for x, mass in noise]
        for place, mass in parts:
            if place < room:
                row[place] += mass
        rows.append(row)
        totals.append(sum(mass for _, mass in parts))
    masses = [mass for row in rows for mass in (*row, *[0] * (width - room))]
    return Pool(fmpz_poly(masses), tuple(tuple(accumulate(row)) for row in rows), fmpz_poly(totals))


@lru_cache(maxsize=64)
def lowest_of(of: Statistic) -> int:
    """The least index of one pool's term, which is a parabola in the doubled count."""
    (a, b), index = of.scale(), of.index_function()
    centre = (2 * a + b) // b
    return min(index(w) for w in (centre, centre + 1))


def rate(dummies: int, k: int) -> Fraction:
    """About how many dummies a pool gets."""
    return Fraction(max(1, dummies), k)


ANSWER = 'output ("not uniform")'
CONSTANT = {f'the answer is always "{answer}"': point(value) for value, answer in enumerate((UNIFORM, NOT_UNIFORM))}
MOST_WORK = 1_000_000  # masses that are multiplied for the law of the answer: about a second


def answer_alone(ending: Ending, chosen: MassTable, lam: Real) -> Reference:
    """The answer where no state is shown.  *Raises* `InputError` where its law takes too long."""
    if not is_quick(ending, len(chosen.masses)):
        raise InputError(
            "the law of this tester's output takes too long to compute, so it is cross-checked by its state: say with"
            " --t when that was looked at"
        )
    constant = [fixed(words, ANALYZER, law) for words, law in CONSTANT.items()]
    others = [fixed(words, area, answer_law(other, chosen)) for words, area, other in ending.mistakes()]

    def laws(mean: Real) -> Laws:
        return (answer_law(replace(ending, mean=mean), chosen),)

    bugs, knobs = (*constant, *others), (noise_fit(ending.n, lam, laws),)
    law = answer_law(ending, chosen)
    return Reference((ANSWER,), (law,), lambda run: (answered(run),), bugs, knobs=knobs, rest=ANALYZER)


def is_quick(ending: Ending, times: int) -> bool:
    """Whether the law of the answer, for so many numbers of used elements, takes no more than about a second."""
    work = ending.work()
    return work is not None and work * times <= MOST_WORK


def answer_law(ending: Ending, chosen: MassTable) -> MassTable:
    """The law of the answer of a run, for a random number of used elements."""
    with ctx.workprec(BITS):
        start, total = (0,) * ending.k, arb(0)
        for used_elements, weight in chosen.items():
            total += weight * ending.chance((*start, used_elements))
        p = total.union(total + chosen.tail)
        return MassTable(0, (1 - p, p), arb(0), 0, 1)


def answer_given_state(ending: Ending) -> Given:
    """The answer, given the pools and the elements still used."""
    left = 2 * ending.k + 1

    def key(row: Sequence[int]) -> tuple[int, ...]:
        return *(2 * row[2 * j] - row[2 * j - 1] for j in range(1, ending.k + 1)), row[left]

    def value(row: Sequence[int]) -> int | None:
        return None if row[left + 1] == MISSING else row[left + 1]

    constant = [(words, ANALYZER, lambda key, law=law: law) for words, law in CONSTANT.items()]
    mistakes = (*constant, *((words, area, other.law) for words, area, other in ending.mistakes()))
    return Given(f"{ANSWER} given the state", value, key, ending.law, True, mistakes)


def answered(run: Run) -> int:
    """The answer of a run, 1 for "not uniform".  *Raises* `InputError` for any other."""
    if run.output not in (None, UNIFORM, NOT_UNIFORM):
        raise InputError(f'the output {str(run.output)[:40]} is neither "{UNIFORM}" nor "{NOT_UNIFORM}"')
    return MISSING if run.output is None else int(run.output == NOT_UNIFORM)


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
        for i, weight in self.chosen.items():
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
        for i, weight in self.chosen.items():
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
            kept = dict(self.chosen.items())
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
        data_driven_mistakes=lambda counts: data_driven_tester(good, counts),
        fitted_mistakes=tester_fits(good, inner.n),
    )


def data_driven_tester(good: TesterStream, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """Labels that are mixed up, other dummies, and elements still used that are counted otherwise."""
    yield from shown_otherwise(counts[: 2 * good.k + 1], good.laws()[: 2 * good.k + 1])
    for t in other_times(good.t, len(good.stream)):
        yield good.mutated(another_time(t, good.t, len(good.stream)), STATE, t=t)
    yield good.mutated("the dummies are drawn from the stream", STATE, drawn_from=good.stream)
    yield good.mutated("all dummies are one draw", STATE, alike=True)
    yield fixed("no dummy takes the place of an element that is not used", STATE, *good.without_dummies())
    yield good.mutated("one element too few is used: n' - 1", STATE, chosen=image(good.chosen, lambda x: max(0, x - 1)))
    for counted in {0, good.t - 1, good.t + 1} - {good.t, -1}:
        words = "never counted down" if not counted else "off by one, or shown before or after they are counted down"
        yield good.mutated(f"the elements still used are {words}", STATE, counted=counted)


def tester_fits(good: TesterStream, n: int) -> tuple[Fit, ...]:
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
    yield good.mutated("no dummies before the stream", STATE, first=0)
    yield good.mutated("dummies of one element, not uniform ones", STATE, uniform=False)
    for share in ("1/3", "2/3", "1/9"):
        words = f"n' is drawn from Bin(n, {share}), not Bin(n, 2/9)"
        yield good.mutated(words, PARAMETERS, chosen=used(n, real(share), length))
    yield good.mutated("n' is drawn from Bin(n/3, 2/9)", PARAMETERS, chosen=used(n // 3, TWO_NINTHS, length))
    yield good.mutated("n' is drawn from Bin(n/3, 2/3)", PARAMETERS, chosen=used(n // 3, 3 * TWO_NINTHS, length))
    yield good.mutated("n' is not capped at the length of the stream", STATE, chosen=binomial(n, TWO_NINTHS))
    yield good.mutated("all elements of the stream are used", STATE, chosen=point(length))
    yield good.mutated("no element of the stream is used", STATE, chosen=point(0))
    yield good.mutated("n' is fixed at 2n/9", STATE, chosen=point(min(length, 2 * n // 9)))
    yield good.mutated("lam is not divided by n", NOISE, mean=lam)
    yield good.mutated("lam is divided by n/3", NOISE, mean=3 * lam / n)
    yield good.mutated("half as much noise", NOISE, mean=good.mean / 2)
    yield good.mutated("twice as much noise", NOISE, mean=2 * good.mean)
    yield good.mutated("no noise bits", NOISE, mean=real(0))
    for t in {good.t - 1, good.t + 1} & set(range(length + 1)):
        yield good.mutated(another_time(t, good.t, length), STATE, t=t)
