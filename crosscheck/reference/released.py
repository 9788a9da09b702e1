"""Central mechanisms, whose run is one number: the binomial mechanism, the randomized OR, the geometric count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import exp as float_exp

from panshuffle.crosscheck.doubles import law_likelihood, moments
from panshuffle.crosscheck.mass_tables import (
    MassTable,
    bernoulli,
    binomial,
    image,
    listed,
    normal,
    point,
    poisson,
    symmetric_geometric,
)
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, NOISE, POOLS
from panshuffle.crosscheck.reference.mistakes import mirrored
from panshuffle.crosscheck.reference.model import LEAST, MOST, Array, Bug, Fit, Reference, fixed
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, exp, log, real
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.randomized_or import RandomizedOr

TWO_FITTED = 8.0  # nats that two fitted values have to be better by than a mistake that has none
LARGEST_SUM = 100_000  # outcomes up to which the law of two draws of noise is listed


def number(run: Run) -> tuple[int, ...]:
    """The output.  *Raises* `InputError` unless it is a whole number."""
    shown = run.output
    value = int(shown) if isinstance(shown, float) and shown.is_integer() else shown
    if not whole(value):
        raise InputError(f"the output {str(value)[:40]} is not a whole number, as that of this mechanism is")
    return (value,)


def released(law: MassTable, bugs: Iterable[Bug], *knobs: Fit) -> Reference:
    """The reference of a mechanism with one number."""
    more = [fixed("the absolute value is put out", ANALYZER, image(law, abs))] if law.first < 0 else []
    return Reference(("output",), (law,), number, (*bugs, *more), knobs=knobs, rows=one_column)


def one_column(outputs: Array) -> Array:
    """The outputs of many runs as their one coordinate."""
    if outputs.shape[1:] not in ((), (1,)):
        raise InputError("an array of runs has one column here, the output")
    return outputs.reshape(-1, 1)


def binomial_mechanism(record: Binomial, data: Sequence[int]) -> Reference:
    """f(x) + Bin(l, p)."""
    total = sum(data)
    law = binomial(record.l, record.p).moved(total)
    fit = Fit("p", record.p, LEAST, MOST, lambda p: (binomial(record.l, p).moved(total),))
    coins = Fit(
        "l",
        real(record.l),
        Fraction(0),
        Fraction(4 * record.l + 1),
        lambda l: (binomial((l + HALF).floor(), record.p).moved(total),),
        whole=True,
    )
    found = released(law, binomial_bugs(record.l, record.p, total, len(data)), fit, coins)
    return replace(found, data_driven_mistakes=lambda counts: both_wrong(counts[0], total))


def both_wrong(counts: Counter[int], total: int) -> Iterator[Bug]:
    """Another l and another p, those that give the mean and the variance that were seen."""
    mean, variance = moments(counts)
    mean -= total
    if not 0 < variance < mean:
        return
    yield most_likely(counts, total, mean**2 / (mean - variance), binomial, lambda l: min(1.0, mean / l))


def most_likely(
    counts: Counter[int], total: int, about: float, law: Callable[[int, Real], MassTable], p_of: Callable[[int], float]
) -> Bug:
    """The law with l near this and the p that gives its mean, under which the outputs are most likely."""
    pairs = [(l, Fraction(p_of(l)).limit_denominator(1000)) for l in {max(1, round(about) + by) for by in (-1, 0, 1)}]
    tables = {pair: law(pair[0], real(pair[1])).moved(total) for pair in pairs}
    (l, p), table = max(tables.items(), key=lambda item: law_likelihood(counts, item[1]))
    name = f"l and p are both wrong: as if l = {l} and p = {float(p):.4g}"
    return replace(fixed(name, NOISE, table), price=TWO_FITTED)


def binomial_bugs(l: int, p: Real, total: int, n: int) -> Iterator[Bug]:
    """Mistakes of the binomial mechanism."""
    noise = binomial(l, p)
    mean, variance = noise.mean(), noise.variance()
    for other in (l - 1, l + 1, l // 2, 2 * l, 4 * l):
        if other >= 0 and other != l:
            name = "off by one in l" if abs(other - l) == 1 else "a wrong number of coins, a simple multiple of l"
            yield fixed(name, NOISE, binomial(other, p).moved(total))
    yield fixed("wrong coin: 1 - p in place of p", NOISE, binomial(l, 1 - p).moved(total))
    yield fixed("wrong coin: p/2 in place of p", NOISE, binomial(l, p / 2).moved(total))
    yield fixed("wrong coin: p = 1/2", NOISE, binomial(l, HALF).moved(total))
    if 0 < l < LARGEST_SUM and p.fraction != 0:
        yield fixed("Poisson noise of the same mean", NOISE, poisson(l * p).moved(total))
        flat = listed(dict.fromkeys(range(l + 1), (1 - 1e-09) / (l + 1)))
        yield fixed("uniform noise on 0..l", NOISE, flat.moved(total))
    yield fixed("no noise", NOISE, point(total))
    yield fixed("the noise is subtracted", NOISE, noise.negated().moved(total))
    if variance > 0:
        yield fixed("Gaussian in place of binomial noise, rounded", NOISE, normal(total + mean, variance))
        yield fixed("Gaussian in place of binomial noise, without its mean", NOISE, normal(total, variance))
    if (l * p).fraction is not None:
        yield fixed("the output is de-biased by lp", ANALYZER, noise.moved(total - (l * p + HALF).floor()))
    yield fixed("the data is left out", DATA, noise)
    yield fixed("the data is counted twice", DATA, noise.moved(2 * total))
    yield fixed("the zeros are counted", DATA, noise.moved(n - total))
    for by in (-1, 1):
        yield fixed("the sum is off by one", DATA, noise.moved(total + by))


def randomized_or(record: RandomizedOr, data: Sequence[int]) -> Reference:
    """Ber(1/2), or Ber(1/(2e^eps)) if all bits are 0."""
    low = exp(-record.eps) / 2
    chance = HALF if any(data) else low
    fit = Fit("probability of a 1", chance, LEAST, MOST, lambda p: (bernoulli(p),))
    found = released(bernoulli(chance), or_bugs(record.eps, data), fit)
    return replace(found, data_driven_mistakes=lambda _: data_driven_or(low, data))


def data_driven_or(low: Real, data: Sequence[int]) -> Iterator[Bug]:
    """Answers of all users that are put together."""
    ones, zeros = sum(data), len(data) - sum(data)
    none = HALF**ones * (1 - low) ** zeros
    every = HALF**ones * low**zeros
    odd = HALF if ones else (1 - (1 - 2 * low) ** zeros) / 2
    if len(data) > 1:
        words = "each user's bit is randomized, and {} is put out"
        yield fixed(words.format("the OR of the answers"), NOISE, bernoulli(1 - none))
        yield fixed(words.format("the AND of the answers"), NOISE, bernoulli(every))
        yield fixed(words.format("the XOR of the answers"), NOISE, bernoulli(odd))
        share = real(Fraction(ones, len(data)))
        yield fixed("only one user's bit is read", DATA, bernoulli(HALF * share + low * (1 - share)))


def or_bugs(eps: Real, data: Sequence[int]) -> Iterator[Bug]:
    """Mistakes of the randomized OR."""
    low = exp(-eps) / 2
    if any(data):
        yield fixed("a sure 1 in place of a fair bit", NOISE, point(1))
        yield fixed("the data is left out: the answer is Ber(e^-eps/2)", DATA, bernoulli(low))
        yield fixed("1 - e^-eps/2 in place of a fair bit", NOISE, bernoulli(1 - low))
    else:
        yield fixed("a fair bit where all data is 0: the data is left out or inverted", DATA, bernoulli(HALF))
        yield fixed("no noise where all data is 0", NOISE, point(0))
    yield fixed("the factor 1/2 is missing: e^-eps", NOISE, bernoulli(2 * low))
    yield fixed("the answers are exchanged", DATA, bernoulli(HALF if not any(data) else low))
    yield fixed("e^-eps in place of e^-eps/2, for 0", NOISE, bernoulli(1 - 2 * low))
    yield fixed("the answer is inverted", ANALYZER, bernoulli(1 - low))
    yield fixed("computed with 2 eps", NOISE, bernoulli(exp(-2 * eps) / 2))
    yield fixed("computed with eps/2", NOISE, bernoulli(exp(-eps / 2) / 2))
    yield fixed("computed with 2^-eps in place of e^-eps", NOISE, bernoulli(exp(-eps * log(real(2))) / 2))
    yield fixed("randomized response: 1/(1 + e^eps)", NOISE, bernoulli(1 / (1 + exp(eps))))
    if any(data):
        yield fixed("randomized response: e^eps/(1 + e^eps)", NOISE, bernoulli(1 / (1 + exp(-eps))))


def geometric_count(record: GeometricDistinctElements, data: Sequence[int]) -> Reference:
    """The number of distinct elements and two-sided geometric noise."""
    distinct = len(set(data))
    ratio = exp(-record.eps)
    fit = Fit("e^-eps", ratio, LEAST, MOST, lambda r: (symmetric_geometric(r).moved(distinct),))
    found = released(symmetric_geometric(ratio).moved(distinct), geometric_bugs(record.eps, data, record.k), fit)
    return replace(found, data_driven_mistakes=lambda _: data_driven_geometric(record.eps, data))


def data_driven_geometric(eps: Real, data: Sequence[int]) -> Iterator[Bug]:
    """Other ways to round, to draw and to count."""
    right, distinct, held = symmetric_geometric(exp(-eps)), len(set(data)), Counter(data)
    ratio, steps = float(exp(-eps)), 1 + int(40 / float(eps))
    floored = listed({x: (1 - ratio) / 2 * ratio ** max(x, -x - 1) for x in range(-steps, steps)})
    one_sided = listed({x: (1 - ratio) * ratio**x for x in range(steps)})
    yield fixed("both draws of the noise come from one random number", POOLS, mirrored(one_sided).moved(distinct))
    yield fixed("Laplace noise, rounded down", NOISE, floored.moved(distinct))
    yield fixed("Laplace noise, rounded up", NOISE, floored.negated().moved(distinct))
    ten = symmetric_geometric(exp(-eps / log(real(10))))
    yield fixed("eps is a logarithm of base 10 in place of e", NOISE, ten.moved(distinct))
    swapped = symmetric_geometric(1 - exp(-eps))
    yield fixed("1 - e^-eps in place of e^-eps: success and failure are exchanged", NOISE, swapped.moved(distinct))
    single = sum(count == 1 for count in held.values())
    for name, other in (
        ("the elements that occur once are counted", single),
        ("the elements that occur more than once are counted", distinct - single),
        ("the largest element is counted for all", max(data, default=0)),
        ("the count of the most frequent element is put out", max(held.values(), default=0)),
    ):
        if other != distinct:
            yield fixed(name, DATA, right.moved(other))


def geometric_bugs(eps: Real, data: Sequence[int], k: int) -> Iterator[Bug]:
    """Mistakes of the central baseline."""
    distinct = len(set(data))
    right = symmetric_geometric(exp(-eps))
    for name, value in (("eps/2", eps / 2), ("2 eps", 2 * eps), ("log base 2", eps * log(real(2)))):
        yield fixed(f"computed with {name}", NOISE, symmetric_geometric(exp(-value)).moved(distinct))
    ratio = float(exp(-eps))
    steps = range(max(1, min(20_000, int(40 / float(eps)))))
    one_sided = listed({i: (1 - ratio) * ratio**i * (1 - 1e-9) for i in steps})
    yield fixed("one-sided geometric noise", NOISE, one_sided.moved(distinct))
    yield fixed("one-sided geometric noise, subtracted", NOISE, one_sided.negated().moved(distinct))
    half = (1 - ratio) / 2
    double = listed({s * i: half * ratio**i * (1 if i else 2) * (1 - 1e-9) for i in steps for s in (1, -1)})
    yield fixed(
        "a random sign on one-sided noise, or a Laplace number cut towards 0: 0 is met twice as often",
        NOISE,
        double.moved(distinct),
    )
    yield fixed("Laplace noise, rounded", NOISE, rounded_laplace(float(eps), len(steps)).moved(distinct))
    yield fixed("Gaussian noise of the same variance", NOISE, normal(distinct, max(right.variance(), 1e-6)))
    yield fixed("no noise", NOISE, point(distinct))
    clamped = image(right.moved(distinct), lambda x: min(max(x, 0), k))
    yield fixed("the noisy count is clamped to 0..k", ANALYZER, clamped)
    above = image(right.moved(distinct), lambda x: max(x, 0))
    yield fixed("negative noisy counts are set to 0", ANALYZER, above)
    yield fixed("the rows are counted, not the distinct elements", DATA, right.moved(len(data)))
    yield fixed("the data is left out", DATA, right)
    if 2 * len(right.masses) <= LARGEST_SUM:
        yield fixed("the noise is added twice", NOISE, right.plus(right).moved(distinct))
    for by in (-1, 1):
        yield fixed("the count is off by one", DATA, right.moved(distinct + by))


def rounded_laplace(eps: float, steps: int) -> MassTable:
    """Laplace noise of scale 1/eps, rounded to the nearest whole number: for alternatives only."""
    edge = float_exp(-eps / 2)
    masses = {0: (1 - edge) * (1 - 1e-9)}
    for i in range(1, steps):
        masses[i] = masses[-i] = (float_exp(-eps * (i - 0.5)) - float_exp(-eps * (i + 0.5))) / 2 * (1 - 1e-9)
    return listed(masses)
