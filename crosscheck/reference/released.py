"""Central mechanisms, whose run is one number: the binomial mechanism, the randomized OR, the geometric count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import exp as float_exp
from operator import neg

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
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, NOISE
from panshuffle.crosscheck.reference.model import LEAST, MOST, Array, Bug, Fit, Reference, fixed
from panshuffle.crosscheck.runs import Run, whole
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.randomized_or import RandomizedOr

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
    return released(law, binomial_bugs(record.l, record.p, total, len(data)), fit, coins)


def binomial_bugs(l: int, p: Real, total: int, n: int) -> Iterator[Bug]:
    """Mistakes of the binomial mechanism."""
    noise = binomial(l, p)
    mean, variance = noise.mean(), noise.variance()
    if 0 < l < LARGEST_SUM and p.fraction != 0:
        yield fixed("Poisson noise of the same mean", NOISE, poisson(l * p).moved(total))
    yield fixed("no noise", NOISE, point(total))
    yield fixed("the noise is subtracted", NOISE, image(noise, neg).moved(total))
    if variance > 0:
        yield fixed("Gaussian in place of binomial noise, rounded", NOISE, normal(total + mean, variance))
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
    return released(bernoulli(chance), or_bugs(record.eps, data), fit)


def or_bugs(eps: Real, data: Sequence[int]) -> Iterator[Bug]:
    """Mistakes of the randomized OR."""
    low = exp(-eps) / 2
    if any(data):
        yield fixed("the data is left out: the answer is Ber(e^-eps/2)", DATA, bernoulli(low))
    else:
        yield fixed("a fair bit where all data is 0: the data is left out or inverted", DATA, bernoulli(HALF))
    yield fixed("the factor 1/2 is missing: e^-eps", NOISE, bernoulli(2 * low))
    yield fixed("the answers are exchanged", DATA, bernoulli(HALF if not any(data) else low))
    yield fixed("e^-eps in place of e^-eps/2, for 0", NOISE, bernoulli(1 - 2 * low))
    yield fixed("the answer is inverted", ANALYZER, bernoulli(1 - low))
    yield fixed("randomized response: 1/(1 + e^eps)", NOISE, bernoulli(1 / (1 + exp(eps))))
    if any(data):
        yield fixed("randomized response: e^eps/(1 + e^eps)", NOISE, bernoulli(1 / (1 + exp(-eps))))


def geometric_count(record: GeometricDistinctElements, data: Sequence[int]) -> Reference:
    """The number of distinct elements and two-sided geometric noise."""
    distinct = len(set(data))
    ratio = exp(-record.eps)
    fit = Fit("e^-eps", ratio, LEAST, MOST, lambda r: (symmetric_geometric(r).moved(distinct),))
    return released(symmetric_geometric(ratio).moved(distinct), geometric_bugs(record.eps, data, record.k), fit)


def geometric_bugs(eps: Real, data: Sequence[int], k: int) -> Iterator[Bug]:
    """Mistakes of the central baseline."""
    distinct = len(set(data))
    right = symmetric_geometric(exp(-eps))
    ratio = float(exp(-eps))
    steps = range(max(1, min(20_000, int(40 / float(eps)))))
    one_sided = listed({i: (1 - ratio) * ratio**i * (1 - 1e-9) for i in steps})
    yield fixed("one-sided geometric noise", NOISE, one_sided.moved(distinct))
    half = (1 - ratio) / 2
    double = listed({s * i: half * ratio**i * (1 if i else 2) * (1 - 1e-9) for i in steps for s in (1, -1)})
    yield fixed(
        "a random sign on one-sided noise, or a Laplace number cut towards 0: 0 is met twice as often",
        NOISE,
        double.moved(distinct),
    )
    yield fixed("Laplace noise, rounded", NOISE, rounded_laplace(float(eps), len(steps)).moved(distinct))
    clamped = image(right.moved(distinct), lambda x: min(max(x, 0), k))
    yield fixed("the noisy count is clamped to 0..k", ANALYZER, clamped)
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
