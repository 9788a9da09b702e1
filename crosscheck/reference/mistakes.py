"""Mistakes of any protocol: noise of another law, values that a parameter takes by mistake, and equal laws.

Mistakes in different areas that give the same laws can't be told apart by any number of runs, so both are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import takewhile
from math import exp, isfinite, log, log2, sqrt

import numpy as np
from panshuffle.crosscheck.doubles import Doubles, ends_of
from panshuffle.crosscheck.mass_tables import MassTable, listed, normal
from panshuffle.crosscheck.reference.areas import (
    ANALYZER,
    DATA,
    DROPOUTS,
    MESSAGES,
    NOISE,
    PARAMETERS,
    POOLS,
    RUNS,
    STATE,
)
from panshuffle.crosscheck.reference.model import Bug, Fit, Laws
from panshuffle.exact.real import Real, real

DRAWN_AGAIN = "outcomes that are too far out are drawn again: no law goes beyond what was met"
FEWER = ("one user too many, or one too few, is summed", DROPOUTS)
INSTEAD = ("a user takes part in another's place", DROPOUTS)
CUT_OFF = DRAWN_AGAIN.replace("drawn again", "cut off")
ONCE_MORE = "some outcomes are drawn again, once"
EVENED_OUT = "the noise bits are evened out"
EVEN_NUMBERS = ("numbers of the generator are evened out: antithetic or quasi-random ones", RUNS)
INDISTINGUISHABLE = {
    CUT_OFF: (("what is put out is cut to a range", ANALYZER),),
    "the data is counted twice": (("users who dropped out are counted", DROPOUTS),),
    DRAWN_AGAIN: (("runs with such outcomes are made again", RUNS),),
    "the sum is off by one": (FEWER, ("the noise counts trials, not failures, or starts at 1", NOISE)),
    "the count is off by one": (("one of the two draws of noise counts trials, not failures", NOISE),),
    "for about {:.0%} of the users a bit 1 is sent as 0": (
        ("some users whose bit is 1 are replaced by others, whose bit is 0", DROPOUTS),
    ),
    "the output is de-biased by lam": (("the noise after the stream is subtracted", NOISE),),
    ONCE_MORE: (("runs with some outcomes are made again, once", RUNS),),
    "Poisson noise of {:.3g} times the mean": (("a random mean is drawn once and kept for all runs", RUNS),),
    "chance of the noise bit of users whose bit is 1": (("the noise bit is made from the bit", DATA),),
    "chance that a coin is 1": (("the bits of the generator are biased", RUNS),),
    "chance that a free share is 1": (("some of a user's shares are not drawn", DATA),),
    "a user's noise bits for a pool are evened out": (("noise bits are handed out in turn", POOLS),),
    EVENED_OUT: (EVEN_NUMBERS,),
    "the mean of two draws is added, rounded down": (EVEN_NUMBERS,),
    "all copies of a bit are flipped together": (("a bit is flipped before it is copied", DATA),),
    "all users have the same coins for their shares": (("the free shares are drawn once for all users", DATA),),
    "about {:.0%} of the messages are lost": (
        ("users do not send all of their messages: a loop ends early", MESSAGES),
    ),
    "about {:.0%} of the messages are sent twice": (("users send some of their messages again", MESSAGES),),
    "lam before the stream": (("the start adds noise twice, in part or not at all", STATE),),
    "lam after the stream": (("the last step adds noise twice, in part or not at all", STATE),),
    "each copy is flipped from the copy before, not from the bit": (("a flipped bit is kept for the next copy", DATA),),
    "one of the copies of a bit is sent as it is, not flipped": (("the first copy is sent without noise", DATA),),
    "noise is only added to zeros": (("the bit and its flip are joined by OR, not XOR", DATA),),
    "noise is only added to ones": (("the bit and its flip are joined by AND NOT, not XOR", DATA),),
    "no noise before the stream": (("the state starts without noise", STATE),),
    "no noise after the stream": (("the state is released as it is", STATE),),
    "no element of the stream is used": (("the share 2/9 is rounded to 0", PARAMETERS),),
    "all elements of the stream are used": (("the share 2/9 is rounded to 1", PARAMETERS),),
    "one user's bit is wrong or missing": (INSTEAD,),
    "another data set": (INSTEAD,),
    "the dropouts are missing, or others take part": (("another data set is read", DATA),),
    "wrong p': 1 - p' in place of p'": (("the last share is negated", DATA),),
    "the shares are free bits: their parity is not the bit": (
        ("all shares are drawn, none is computed, or their sum leaves one out or is not set back", NOISE),
    ),
    "the data is left out: holders send Ber(p'), too": (("holders draw the coin of all others", NOISE),),
    "holders send a sure 1 in place of a fair bit": (("the coin of holders always shows 1", NOISE),),
    "holders send a sure 0 in place of a fair bit": (("the coin of holders always shows 0", NOISE),),
    "the data is left out: the answer is Ber(e^-eps/2)": (("all rows have to be 1, not any", ANALYZER),),
}
"""By the name of the one, up to a colon with what it is like, the names of the others and their areas."""


def indistinguishable_from(name: str) -> tuple[tuple[str, str], ...]:
    """The mistakes with the same laws as a known one."""
    return INDISTINGUISHABLE.get(name) or INDISTINGUISHABLE.get(name.partition(":")[0], ())


VALUE_PRICE = 2.0  # nats that such a value has to be better by than a mistake that is known of the protocol
FORMULA_PRICE = 1.0  # the same for a mistake in a formula that was used
SAME_VALUE = 2  # mistakes that give the same value and are named
SMALLEST_VALUE, LARGEST_VALUE = Fraction(1, 10**9), Fraction(10**9)  # values outside are not tried
M, FLIP, RATIO, ANSWER = "m", "p'", "e^-eps", "probability of a 1"
Mistaken = Iterator[tuple[str, float, str]]


def mistaken_values(knobs: Sequence[Fit], letters: Mapping[str, float]) -> Iterator[Bug]:
    """The mistakes by which a parameter has another value, given the letters of the question."""
    names = [knob.name for knob in knobs]
    computed = next((name for name in ("lam", "l", "p") if name in names), None)
    for knob in knobs:
        formula = formula_mistakes(knob, letters) if knob.name in (computed, M, FLIP, RATIO, ANSWER) else ()
        yield from of_values(knob, (*formula, *plain_mistakes(knob, letters)), "delta" in letters)


def of_values(knob: Fit, wrong_analyzers: Iterable[tuple[str, float, str]], computed: bool) -> Iterator[Bug]:
    """The mistakes of these values; those that give the same value are one."""
    asked, met = float(knob.asked), dict[tuple[Fraction, str], list[str]]()
    for words, value, area in wrong_analyzers:
        exact = Fraction(round(value) if knob.whole and isfinite(value) else value).limit_denominator(10**12)
        allowed = SMALLEST_VALUE < abs(exact) < LARGEST_VALUE and knob.least <= exact <= knob.most
        if allowed and float(exact) != asked:
            met.setdefault((exact, area), []).append(words)
    price = FORMULA_PRICE if computed else VALUE_PRICE
    for (exact, area), names in met.items():
        words = ", or ".join(dict.fromkeys(names[:SAME_VALUE]))
        yield Bug(f"wrong {knob.name}: {words}", area, partial(knob.laws, real(exact)), price=price)


def plain_mistakes(knob: Fit, letters: Mapping[str, float]) -> Mistaken:
    """Functions of a parameter that are taken for it: of a probability, or of a number; and scaled for dropouts."""
    x, name = float(knob.asked), knob.name
    gamma, n, k = (letters.get(letter, 1.0) for letter in ("gamma", "n", "k"))
    if " " in name:
        return
    if 0 < x < 1 and name != RATIO:
        yield f"the odds {name}/(1 - {name}) are taken for it", x / (1 - x), NOISE
        yield f"{name} is taken for odds: {name}/(1 + {name})", x / (1 + x), NOISE
        yield f"its root in place of {name}", sqrt(x), NOISE
        yield f"{name}^2 in place of {name}", x * x, NOISE
        yield f"at least one of two coins: 1 - (1 - {name})^2", 1 - (1 - x) ** 2, NOISE
        yield f"exactly one of two coins: 2{name}(1 - {name})", 2 * x * (1 - x), NOISE
        yield f"1 - {name} in place of {name}", 1 - x, NOISE
    yield f"2{name} in place of {name}", 2 * x, NOISE
    yield f"{name}/2 in place of {name}", x / 2, NOISE
    if x >= 1:
        yield f"4{name} in place of {name}: a deviation is doubled", 4 * x, NOISE
        yield f"{name}/4 in place of {name}: a deviation is halved", x / 4, NOISE
        yield f"the root of {name} in place of {name}", sqrt(x), NOISE
        yield f"{name} + 1 in place of {name}", x + 1, NOISE
        yield f"{name} - 1 in place of {name}", x - 1, NOISE
        yield f"n in place of {name}", n, NOISE
        yield f"{name} is multiplied by n: each of n users adds all of it", x * n, NOISE
        yield f"{name} is divided by n", x / n, NOISE
        if k > 1:
            yield f"{name} is divided by k", x / k, NOISE
            yield f"{name} is multiplied by k", x * k, NOISE
            yield f"k in place of {name}", k, NOISE
            yield f"{name} is divided by k where n belongs", x * n / k, NOISE
    if gamma < 1:
        yield f"{name} is multiplied by gamma, the share of users who take part", x * gamma, DROPOUTS
        yield f"{name} is divided by gamma, the share of users who take part", x / gamma, DROPOUTS
        yield f"{name} is multiplied by the root of gamma", x * sqrt(gamma), DROPOUTS
        yield f"{name} is divided by the root of gamma", x / sqrt(gamma), DROPOUTS
    if gamma < 1 and x < 1:
        yield f"1 - {name} is divided by gamma, the share of users who take part", 1 - (1 - x) / gamma, DROPOUTS


def formula_mistakes(knob: Fit, letters: Mapping[str, float]) -> Mistaken:
    """Values by a formula for eps and delta of which a part is wrong, where both were given."""
    if "eps" not in letters:
        return
    eps, n, k, x = letters["eps"], letters.get("n", 1.0), letters.get("k", 1.0), float(knob.asked)
    if knob.name == FLIP:
        yield from wrong_flips(eps, n, k)
    if knob.name == ANSWER and x == 0.5:
        return
    if knob.name in (FLIP, RATIO, ANSWER):
        for words, ratio in wrong_ratios_of(eps, n, k):
            chance = {FLIP: (1 - max(0.0, 1 - ratio) ** (1 / n)) / 2, ANSWER: ratio / 2}.get(knob.name, ratio)
            yield words, chance, NOISE
    if "delta" not in letters or knob.name in (FLIP, RATIO, ANSWER):
        return
    delta = letters["delta"]
    if knob.name == M:
        yield from ((words, max(3, int(sigma // 1) + 2), knob.area) for words, sigma in wrong_sigmas(eps, delta))
        return
    for words, factor in wrong_scales(eps, delta, letters.get("k", 1.0)):
        yield f"in its formula {words}", 1 - (1 - x) * factor if x < 1 else x * factor, NOISE


def wrong_ratios_of(eps: float, n: float, k: float) -> Iterator[tuple[str, float]]:
    """What stands in the place of e^-eps."""
    yield "e^eps is taken for eps: the exponential is taken twice", exp(-exp(min(eps, 6.0)))
    yield "e^-eps is taken for eps: the exponential is taken twice", exp(-exp(-eps))
    yield "eps in place of e^-eps", eps
    yield "1/eps in place of e^-eps, or eps is taken for e^eps", 1 / eps
    yield "1/eps is taken for eps", exp(-1 / eps)
    yield "1 - eps in place of e^-eps", 1 - eps
    yield "1 - e^-eps in place of e^-eps", 1 - exp(-eps)
    yield "1/(1 + eps) in place of e^-eps", 1 / (1 + eps)
    yield "1/(1 + e^eps) in place of e^-eps", 1 / (1 + exp(eps))
    yield "the base is 10, not e", 10**-eps
    yield "the base is 2, not e", 2**-eps
    for words, factor in (("2 eps", 2.0), ("eps/2", 0.5), ("4 eps", 4.0), ("eps/4", 0.25)):
        yield f"computed with {words}", exp(-eps * factor)
    yield "computed with eps^2", exp(-(eps**2))
    yield "computed with the root of eps", exp(-sqrt(eps))
    yield "eps is divided by n", exp(-eps / n)
    yield "eps is multiplied by n", exp(-eps * n)
    if k > 1:
        yield "eps is divided by k", exp(-eps / k)
        yield "eps is multiplied by k", exp(-eps * k)


def wrong_flips(eps: float, n: float, k: float) -> Mistaken:
    """What stands in the place of p' = (1 - (1 - e^-eps)^(1/n))/2."""
    for words, other, root in (
        ("the root has order k, not n", eps, k),
        ("the root has order nk, not n", eps, n * k),
        ("the root of e^-eps is taken, not of 1 - e^-eps", -log(1 - exp(-eps)), n),
    ):
        yield words, (1 - (1 - exp(-other)) ** (1 / root)) / 2, NOISE


def wrong_scales(eps: float, delta: float, k: float) -> Iterator[tuple[str, float]]:
    """By how much c^2 ln(2/delta), with c = (e^eps + 1)/(e^eps - 1), is off where a part of it is wrong.

    The logarithm may be that of 2k/delta, so the factor for a wrong one is given for both.
    """
    c = (exp(eps) + 1) / (exp(eps) - 1)
    for words, other in wrong_ratios(eps):
        yield words, other / c**2
    for argument in {2 / delta: 0, 2 * k / delta: 0}:
        right = log(argument)
        for words, other in wrong_logarithms(delta, k, argument):
            if other > 0:
                yield words, other / right
    yield "the constant is half as large", 0.5
    yield "the constant is twice as large", 2.0


def wrong_ratios(eps: float) -> Iterator[tuple[str, float]]:
    """What stands in the place of c^2."""
    e = exp(eps)
    yield "(e^eps + 1)/(e^eps - 1) is left out", 1.0
    yield "(e^eps + 1)/(e^eps - 1) is not squared", (e + 1) / (e - 1)
    yield "(e^eps + 1)/(e^eps - 1) is upside down", ((e - 1) / (e + 1)) ** 2
    yield "only the numerator e^eps + 1 is squared", (e + 1) ** 2 / (e - 1)
    yield "only the denominator e^eps - 1 is squared", (e + 1) / (e - 1) ** 2
    yield "e^eps + 1 is missing", 1 / (e - 1) ** 2
    if e > 2:
        yield "1 is subtracted twice from e^eps", ((e + 1) / (e - 2)) ** 2
    yield "1/eps stands in place of (e^eps + 1)/(e^eps - 1)", 1 / eps**2
    yield "2/eps stands in place of (e^eps + 1)/(e^eps - 1)", 4 / eps**2
    for words, other in (("2 eps", 2 * eps), ("eps/2", eps / 2), ("2^eps in place of e^eps", eps * log(2))):
        yield f"eps is taken as {words}", ((exp(other) + 1) / (exp(other) - 1)) ** 2


def wrong_logarithms(delta: float, k: float, argument: float) -> Iterator[tuple[str, float]]:
    """What stands in the place of the natural logarithm of 2/delta, or of 2k/delta."""
    yield "the logarithm has base 2", log2(argument)
    yield "the logarithm has base 10", log(argument) / log(10)
    yield "the factor 2 in the logarithm is missing", log(argument / 2)
    yield "the logarithm has 4/delta in place of 2/delta", log(argument * 2)
    yield "the logarithm has delta^2 in place of delta", log(argument / delta)
    yield "the root of the logarithm is taken", sqrt(max(0.0, log(argument)))
    yield "the logarithm is squared", log(argument) ** 2
    yield "the logarithm is that of 2 only, divided by delta", log(argument * delta) / delta
    yield "1/delta is the base of the logarithm", log(argument * delta) / log(1 / delta)
    yield "it has the logarithm of 1.25/delta, as for Gaussian noise", log(1.25 / delta)
    if k > 1:
        yield "k in the logarithm is missing", log(2 / delta)
        yield "there is a k in the logarithm", log(2 * k / delta)


def wrong_sigmas(eps: float, delta: float) -> Iterator[tuple[str, float]]:
    """What stands in the place of sigma = log2((e^eps + 1)/delta), from which m follows."""
    right = (exp(eps) + 1) / delta
    yield "sigma has the natural logarithm, not that of base 2", log(right)
    yield "sigma has the logarithm of base 10, not of base 2", log(right) / log(10)
    yield "sigma is the logarithm of 1/delta alone", log2(1 / delta)
    yield "sigma is the logarithm of e^eps + 1/delta", log2(exp(eps) + 1 / delta)
    yield "sigma is the logarithm of e^eps/delta", log2(exp(eps) / delta)
    yield "sigma is rounded up and not down, or m is one more", log2(right) + 1
    yield "one message less than m", log2(right) - 1
    yield "sigma itself is taken for m", log2(right) - 2
    yield "2 sigma is taken for sigma", 2 * log2(right)


LARGEST_SHAPE = 4000  # outcomes of a law that is reshaped: more would take too long for a word
TAIL_LEFT = 1e-9  # a geometric or Poisson law is listed until less than this is left
EVER_SEEN = 1e-13  # outcomes of less mass, at the ends of a law, are left out
WORD_SIZES = range(2, 17)  # of a number that wraps around
Masses = dict[int, float]


@lru_cache(maxsize=4096)
def core(law: MassTable) -> tuple[int, Doubles]:
    """The first outcome that is ever met, and the masses from there to the last one."""
    masses = ends_of(law)[1][:-1]
    met = np.nonzero(masses > EVER_SEEN)[0]
    return law.first + int(met[0]), masses[met[0] : met[-1] + 1]


def geometric(mean: float, most: int) -> Masses:
    """The number of failures before a success, with this mean."""
    ratio = mean / (1 + mean)
    return {i: (1 - ratio) * ratio**i for i in takewhile(lambda i: ratio**i > TAIL_LEFT, range(most))}


def poisson(mean: float, most: int) -> Masses:
    """Pois(mean)."""
    masses, mass = Masses(), exp(-mean)
    for i in range(most):
        masses[i] = mass
        mass *= mean / (i + 1)
        if i > mean and mass < TAIL_LEFT:
            break
    return masses


def uniform(first: int, masses: Doubles) -> Masses:
    """Every number from 0 to the largest of the noise equally often."""
    size = first + len(masses)
    return dict.fromkeys(range(size), 1 / size)


def mapped(first: int, masses: Doubles, function: Callable[[int], int]) -> Masses:
    """The law of a function of the noise."""
    return image(dict(enumerate(masses.tolist(), start=first)), function)


def of_two(function: Callable[[Doubles], Doubles]) -> Callable[[int, Doubles], Masses]:
    """The larger or the smaller of two draws, by a function of the chances to lie at or below each outcome."""

    def masses_of(first: int, masses: Doubles) -> Masses:
        below = function(np.minimum(1.0, np.cumsum(masses)))
        return dict(enumerate(np.diff(below, prepend=0.0).tolist(), start=first))

    return masses_of


def summed(first: int, masses: Doubles, sign: int = 1) -> Masses:
    """Two draws of the noise, added or the second one subtracted."""
    start = 2 * first if sign > 0 else 1 - len(masses)
    return dict(enumerate(np.convolve(masses, masses[::sign]).tolist(), start=start))


def mean_of(first: int, masses: Doubles) -> float:
    """The mean of the noise."""
    return float(first + np.arange(len(masses)) @ masses)


SHAPES: dict[str, Callable[[int, Doubles], Masses]] = {
    "geometric noise of the same mean": lambda first, masses: geometric(mean_of(first, masses), LARGEST_SHAPE),
    "Poisson noise of the same mean": lambda first, masses: poisson(mean_of(first, masses), LARGEST_SHAPE),
    "Poisson noise of the same mean, cut off at the largest number": lambda first, masses: image(
        poisson(mean_of(first, masses), LARGEST_SHAPE), lambda x: min(x, first + len(masses) - 1)
    ),
    "uniform noise on all numbers that the right noise takes": uniform,
    "the same noise is added twice": lambda first, masses: mapped(first, masses, lambda x: 2 * x),
    "two draws of the noise are added": summed,
    "the noise is a difference of two draws": lambda first, masses: summed(first, masses, -1),
    "the noise is subtracted": lambda first, masses: mapped(first, masses, lambda x: -x),
    "half of the noise is added, rounded down": lambda first, masses: mapped(first, masses, lambda x: x // 2),
    "the mean of two draws is added, rounded down": lambda first, masses: image(
        summed(first, masses), lambda x: x // 2
    ),
    "the larger of two draws": of_two(lambda below: below**2),
    "the smaller of two draws": of_two(lambda below: 1 - (1 - below) ** 2),
}
"""By name, the law of the noise above the least outcome, from that of the right noise."""


def image(masses: Masses, function: Callable[[int], int]) -> Masses:
    """The law of a function of a number."""
    found = Masses()
    for x, mass in masses.items():
        found[function(x)] = found.get(function(x), 0.0) + mass
    return found


def reshaped(laws: Laws) -> Iterator[tuple[str, Laws]]:
    """The laws with each shape in place of the noise above their least outcome; those without one stay."""
    for name, shape in SHAPES.items():
        yield name, each(laws, partial(moved, shape=shape))
    yield "Gaussian noise, rounded down", each(laws, rounded_down)
    for bits in WORD_SIZES:
        for name, low in ((f"0..{2**bits - 1}", 0), (f"{-(2 ** (bits - 1))}..{2 ** (bits - 1) - 1}", 2 ** (bits - 1))):
            yield f"numbers wrap around to {name}", each(laws, partial(wrapped, size=2**bits, low=low))


def each(laws: Laws, change: Callable[[MassTable], MassTable]) -> Laws:
    """The laws after a change, which is made once where several coordinates have one law."""
    changed = {law: change(law) for law in dict.fromkeys(laws)}
    return tuple(changed[law] for law in laws)


def moved(law: MassTable, shape: Callable[[int, Doubles], Masses]) -> MassTable:
    """The shape above the least outcome of a law, or the law where that is not known or too long."""
    if law.least is None or len(law.masses) < 3:
        return law
    first, masses = core(law)
    if len(masses) > LARGEST_SHAPE:
        return law
    return listed({law.least + x: mass for x, mass in shape(first - law.least, masses).items()})


MEANS = {"Poisson": poisson, "geometric": geometric}


def scaled(laws: Laws, shape: Callable[[float, int], Masses], factor: Real) -> Laws:
    """The laws with noise of one shape and so many times the mean in place of theirs."""
    times = float(factor)
    other = partial(moved, shape=lambda first, masses: shape(times * mean_of(first, masses), LARGEST_SHAPE))
    return each(laws, other)


def mirrored(law: MassTable) -> MassTable:
    """The difference of two draws from a law of numbers from 0 on that come from u and 1 - u, one random number."""
    masses = core(law)[1]
    below = np.minimum(1.0, np.cumsum(masses))
    edges = np.unique(np.concatenate([[0.0, 1.0], below, 1 - below]))
    middles = (edges[1:] + edges[:-1]) / 2
    values = np.searchsorted(below, middles) - np.searchsorted(below, 1 - middles)
    found = Masses()
    for x, mass in zip(values.tolist(), np.diff(edges).tolist(), strict=True):
        found[x] = found.get(x, 0.0) + mass
    return listed(found)


def rounded_down(law: MassTable) -> MassTable:
    """Gaussian noise of the same mean and variance, rounded down, in place of any noise."""
    first, masses = core(law)
    if not 3 <= len(masses) <= LARGEST_SHAPE:
        return law
    mean = mean_of(first, masses)
    variance = float(((np.arange(len(masses)) + first - mean) ** 2) @ masses)
    return normal(mean - 0.5, variance)


def wrapped(law: MassTable, size: int, low: int) -> MassTable:
    """The law of what is left of a number that wraps around at size - low, or the law where none gets there."""
    first, masses = core(law)
    inside = masses[max(0, -low - first) : max(0, size - low - first)]
    if len(masses) > LARGEST_SHAPE or not TAIL_LEFT < float(inside.sum()) < 1 - TAIL_LEFT:
        return law
    return listed(mapped(first, masses, lambda x: (x + low) % size - low))
