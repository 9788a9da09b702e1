"""Values that a parameter takes by a slip: another function of it, or its formula with a part that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import exp, isfinite, log, log2, sqrt

from panshuffle.crosscheck.reference.model import DROPOUTS, NOISE, Bug, Fit
from panshuffle.exact.real import real

PRICE = 2.0  # nats that such a slip has to be better by than a mistake that is known of the protocol
FORMULA_PRICE = 1.0  # the same for a slip in a formula that was used
SAME_VALUE = 2  # slips that give the same value and are named
SMALLEST, LARGEST = Fraction(1, 10**9), Fraction(10**9)
"""Values outside are not tried."""
MESSAGES, FLIP, RATIO, ANSWER = "m", "p'", "e^-eps", "probability of a 1"
Slips = Iterator[tuple[str, float, str]]


def slipped(knobs: Sequence[Fit], letters: Mapping[str, float]) -> Iterator[Bug]:
    """The mistakes by which a parameter has another value, given the letters of the question."""
    names = [knob.name for knob in knobs]
    computed = next((name for name in ("lam", "l", "p") if name in names), None)
    for knob in knobs:
        formula = formula_slips(knob, letters) if knob.name in (computed, MESSAGES, FLIP, RATIO, ANSWER) else ()
        yield from of_values(knob, (*formula, *plain_slips(knob, letters)), "delta" in letters)


def of_values(knob: Fit, slips: Iterable[tuple[str, float, str]], computed: bool) -> Iterator[Bug]:
    """The mistakes of these values; those that give the same value are one."""
    asked, met = float(knob.asked), dict[tuple[Fraction, str], list[str]]()
    for words, value, area in slips:
        exact = Fraction(round(value) if knob.whole and isfinite(value) else value).limit_denominator(10**12)
        allowed = SMALLEST < abs(exact) < LARGEST and knob.least <= exact <= knob.most
        if allowed and float(exact) != asked:
            met.setdefault((exact, area), []).append(words)
    price = FORMULA_PRICE if computed else PRICE
    for (exact, area), names in met.items():
        words = ", or ".join(dict.fromkeys(names[:SAME_VALUE]))
        yield Bug(f"wrong {knob.name}: {words}", area, partial(knob.laws, real(exact)), price=price)


def plain_slips(knob: Fit, letters: Mapping[str, float]) -> Slips:
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


def formula_slips(knob: Fit, letters: Mapping[str, float]) -> Slips:
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
    if knob.name == MESSAGES:
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


def wrong_flips(eps: float, n: float, k: float) -> Slips:
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
