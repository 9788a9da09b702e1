"""The transformation of P_UT into an online algorithm: its state, and the exact law of its answer given that.

The rest of the stream and the dummies after it, R executions of R_UT, turn the doubled count ones - zeros of a pool
into itself + n - R + 2h + S, where h of the R hold its element and S is the difference of two Pois(R lam/(2n)).  Of
these h some are elements of the stream, which are known, and some a multinomial share of the dummies.
"""

from __future__ import annotations

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
    binomial,
    image,
    listed,
    mixture,
    point,
    poisson,
    widened,
)
from panshuffle.crosscheck.reference.areas import ANALYZER, PARAMETERS, STATE
from panshuffle.crosscheck.reference.counters import another_time
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
from panshuffle.crosscheck.reference.transformed import run_of_state
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.accuracy.tester import Statistic
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.integer_law import poisson_floor
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import HALF, Real, real, span
from panshuffle.protocols.pan_uniformity import TWO_NINTHS, PanUniformity
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM

FINE = 44  # bits of a mass; what is left out is counted as unknown: too little to be seen

Key = tuple[int, ...]  # the doubled counts of all pools, and the number of elements that are still used


@dataclass(frozen=True)
class Ending:
    """What follows the intrusion, and the analyzer, which takes the number of executions to be `n`."""

    n: int
    k: int
    m: Real
    tau: Real
    mean: Real
    stream: tuple[int, ...]
    last: int

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
        used = self.stream[:left]
        dummies = self.executions - len(used)
        held = [used.count(j) for j in range(1, self.k + 1)]
        starts = [w + self.n - self.executions + 2 * h for w, h in zip(doubled, held, strict=True)]
        low, high = self.accepted(starts, dummies)
        return span(1 - high, 1 - low, BITS)

    def accepted(self, starts: Sequence[int], dummies: int) -> tuple[Fraction, Fraction]:
        """Between what the chance lies that all terms, less the lowest each, add up to less than `room`.

        A term that exceeds it alone is left out.  The polynomials are in x, whose power counts dummies, and z, for the
        terms: x is z^width.
        """
        if self.room <= 0:
            return Fraction(0), Fraction(0)
        width, mean = (self.k - 1) * (self.room - 1) + 1, self.executions * self.mean / 2
        *pools, last = (pool_of(self.statistic, mean, self.room, width, dummies, self.k, start) for start in starts)
        product, totals = fmpz_poly([1]), last.totals
        for pool in pools:
            product, totals = product.mul_low(pool.masses, width * (dummies + 1)), totals * pool.totals
        masses = product.coeffs()
        inside = sum(
            mass * last.up_to[dummies - c][self.room - 1 - place]
            for c in range(dummies + 1)
            for place, mass in enumerate(masses[c * width : c * width + self.room])
        )
        unit = Fraction(factorial(dummies), (self.k * rate(dummies, self.k)) ** dummies * 2 ** (FINE * self.k))
        low = int(inside) * unit
        return low, min(Fraction(1), low + 1 - int(totals[dummies]) * unit)

    def law(self, key: Key) -> MassTable:
        """The law of the answer, 1 for "not uniform"."""
        p = self.chance(key)
        with ctx.workprec(BITS):
            return MassTable(0, (1 - p, p), arb(0), 0, 1)


@dataclass(frozen=True)
class Pool:
    """One pool with 0, 1, ... dummies: the masses of its term below the bound, added up or not, and their totals."""

    masses: fmpz_poly
    up_to: tuple[tuple[int, ...], ...]
    totals: fmpz_poly


@lru_cache(maxsize=16)
def difference(mean: Real) -> tuple[tuple[int, int], ...]:
    """The difference of two Poisson draws: values and masses, rounded down, in units of 2^-FINE."""
    draws = poisson_floor(mean, 2 * FINE)
    law = draws.plus(draws.image(lambda x: -x))
    return tuple((x, int(mass) >> FINE) for x, mass in law.items() if int(mass) >> FINE)


@lru_cache(maxsize=4096)
def pool_of(of: Statistic, mean: Real, room: int, width: int, dummies: int, k: int, start: int) -> Pool:
    """The pool whose doubled count, but for dummies and noise, is `start`; c dummies have weight r^c/c!."""
    index, lowest, noise = of.index_function(), lowest_of(of), difference(mean)
    rows, totals = list[list[int]](), list[int]()
    for c in range(dummies + 1):
        weight, row = int(Fraction(rate(dummies, k) ** c, factorial(c)) * 2**FINE), [0] * room
        parts = [(index(start + 2 * c + x) - lowest, weight * mass >> FINE) for x, mass in noise]
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
MOST_WORK = 1_000_000  # masses that are multiplied for the law of the answer: about a second


def answer_alone(ending: Ending, chosen: MassTable, lam: Real) -> Reference:
    """The answer where no state is shown.  *Raises* `InputError` where its law takes too long."""
    if not is_quick(ending, len(chosen.masses)):
        raise InputError(
            "the law of this tester's output takes too long to compute, so it is cross-checked by its state: say with"
            " --t when that was looked at"
        )
    exchanged = image(answer_law(ending, chosen), lambda x: 1 - x)
    bugs = (
        fixed(f'the answer is always "{UNIFORM}"', ANALYZER, point(0)),
        fixed(f'the answer is always "{NOT_UNIFORM}"', ANALYZER, point(1)),
        fixed("the two answers are exchanged", ANALYZER, exchanged),
    )

    def laws(mean: Real) -> Laws:
        return (answer_law(replace(ending, mean=mean), chosen),)

    knobs, law = (noise_fit(ending.n, lam, laws),), answer_law(ending, chosen)
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

    return Given(f"{ANSWER} given the state", value, key, ending.law, True)


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

    def laws(self) -> Laws:
        """(the noise bits, the ones) of each pool, and the elements that are still used."""
        users = self.first + self.t
        size, ones = poisson(users * self.mean).moved(users), poisson(users * self.mean * self.chance)
        pools = [(size, self.data(j).plus(ones)) for j in range(1, self.k + 1)]
        left = image(self.chosen, lambda used: max(0, used - self.t))
        return [*pool_laws(pools), left]

    def data(self, *labels: int) -> MassTable:
        """How many of the users so far hold one of these: elements of the stream and uniform dummies."""
        parts = []
        share = real(len(labels)) / self.k if self.uniform else real(int(1 in labels))
        for i, weight in self.chosen.items():
            used = min(i, self.t)
            dummies = binomial(self.first + self.t - used, share)
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
    bugs = tuple(tester_bugs(good, inner.n))
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
        fits=tester_fits(good, inner.n),
    )


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


def tester_bugs(good: TesterStream, n: int) -> Iterator[Bug]:
    """Mistakes of the transformation of P_UT."""
    length = len(good.stream)
    yield good.mutated("dummies of one element, not uniform ones", STATE, uniform=False)
    yield good.mutated("n' is drawn from Bin(n/3, 2/3)", PARAMETERS, chosen=used(n // 3, 3 * TWO_NINTHS, length))
    yield good.mutated("n' is not capped at the length of the stream", STATE, chosen=binomial(n, TWO_NINTHS))
    yield good.mutated("all elements of the stream are used", STATE, chosen=point(length))
    yield good.mutated("no element of the stream is used", STATE, chosen=point(0))
    yield good.mutated("n' is fixed at 2n/9", STATE, chosen=point(min(length, 2 * n // 9)))
    for t in {good.t - 1, good.t + 1} & set(range(length + 1)):
        yield good.mutated(another_time(t, good.t, length), STATE, t=t)
